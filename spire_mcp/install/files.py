"""A host's file of servers: read strictly, changed in one entry, everything else kept as it stands."""

import codecs
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from spire_mcp.errors import UsageError
from spire_mcp.install.hosts import Format

Entry = dict[str, Any]
_INDENT: Final = re.compile(r"^[ \t]+(?=\S)", re.MULTILINE)
_BY_HAND: Final = "Nothing was changed. Put it right, or paste what `spire-mcp install` prints without --write."


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerTable:
    """The text of a host's file, and the table in it that lists servers."""

    text: str
    format: Format
    table: str

    @classmethod
    def read(cls, data: bytes, *, format: Format, table: str) -> "ServerTable":  # noqa: A002 - the word for it
        """Decode a file's bytes; an empty file lists nothing.

        Raises:
            UsageError: it is not what the host itself could read; says where.
        """
        try:
            text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
        except UnicodeDecodeError as error:
            raise UsageError(f"the host's file is not UTF-8 (byte {error.start})", fix=_BY_HAND) from None
        found = cls(text=text, format=format, table=table)
        found._servers()
        return found

    def entry(self, name: str) -> Entry | None:
        """The entry of that name as plain values."""
        found: object = self._servers().get(name)
        if hasattr(found, "unwrap"):
            found = cast("Any", found).unwrap()
        if found is not None and not isinstance(found, dict):
            raise UsageError(f"{self.table}.{name} in the host's file is no table", fix=_BY_HAND)
        return cast("Entry | None", found)

    def with_entry(self, name: str, entry: Mapping[str, object] | None) -> str:
        """The file's text with this entry in place of the one of that name; None takes it out."""
        whole = self._whole()
        servers = whole.get(self.table)
        if entry is None:
            if servers is not None:
                servers.pop(name, None)
        elif self.format == "toml":
            import tomlkit

            if servers is None:
                whole[self.table] = servers = tomlkit.table(is_super_table=True)
            servers[name] = tomlkit.item(dict(entry))
        else:
            whole.setdefault(self.table, {})[name] = dict(entry)
        return self._dump(whole)

    def _servers(self) -> Mapping[str, Any]:
        servers: object = self._whole().get(self.table)
        if servers is None:
            return {}
        if not isinstance(servers, Mapping):
            raise UsageError(f"{self.table} in the host's file is no table", fix=_BY_HAND)
        return cast("Mapping[str, Any]", servers)

    def _whole(self) -> Any:
        return _toml(self.text) if self.format == "toml" else _json(self.text)

    def _dump(self, whole: Any) -> str:
        if self.format == "toml":
            import tomlkit

            return tomlkit.dumps(whole)
        found = _INDENT.search(self.text)
        indent: str | int = found.group() if found else 2
        text = json.dumps(whole, indent=indent, ensure_ascii=False) + "\n"
        return text.replace("\n", "\r\n") if "\r\n" in self.text else text


def _toml(text: str) -> Any:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise UsageError(f"the host's file is not valid TOML: {str(error)[:160]}", fix=_BY_HAND) from None


def _json(text: str) -> Any:
    if not text.strip():
        return {}
    try:
        whole: object = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise UsageError(f"the host's file is not valid JSON: {error.msg} ({where})", fix=_BY_HAND) from None
    except RecursionError:
        raise UsageError("the host's file is nested too deeply", fix=_BY_HAND) from None
    if not isinstance(whole, dict):
        raise UsageError("the host's file is no JSON object", fix=_BY_HAND)
    return cast("Any", whole)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys stand once: of two, writing it again would lose one."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise UsageError("a key stands twice in one object of the host's file", fix=_BY_HAND)
    return found
