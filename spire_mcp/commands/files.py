"""Files that a command line names."""

from pathlib import Path

from spire_mcp.errors import UsageError


def bytes_of(path: Path) -> bytes:
    """A packet's file; one that is too large is read just far enough to be refused."""
    try:
        # A pipe or a device would be waited for without end.
        if path.exists() and not path.is_file():
            raise UsageError(f"the packet {path.name[:80]!r} is no file", fix="Give the path of a JSON file.")
        with path.open("rb") as file:
            return file.read(1024 * 1024)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(
            f"the packet {path.name[:80]!r} cannot be read: {reason}", fix="Give an existing file."
        ) from None
