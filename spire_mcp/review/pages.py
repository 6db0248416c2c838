"""Pages from templates: everything that is not markup of ours is escaped, and no page may load anything."""

import base64
import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from spire_mcp.errors import UsageError

CSP: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'none'; base-uri 'none'; "
    "form-action 'none'"
)
"""What a saved page may do: show itself. Styles stand inside the drawings, so they are allowed inline."""


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("spire_mcp.review", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(template: str, **values: object) -> str:
    """A page from a template of this package."""
    return _environment().get_template(template).render(csp=CSP, **values)


def digest(content: str) -> str:
    """The name under which a policy allows exactly this inline script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode("utf-8")).digest()).decode("ascii")


def write_page(out: Path, page: str) -> None:
    """Write a page whole or not at all, readable by its owner.

    Raises:
        UsageError: it could not be written.
    """
    try:
        descriptor, name = tempfile.mkstemp(dir=out.parent, prefix=".spire-", suffix=".html")
        draft = Path(name)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(page)
            draft.replace(out)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(
            f"the page could not be written: {error.strerror or type(error).__name__}",
            fix="Give --out a file name in a folder that exists and is yours.",
        ) from None
