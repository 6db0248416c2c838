"""Writes docs/reference.md from the program itself: commands, tools, error codes, reasons for a handover.

python3 scripts/reference.py           write it
python3 scripts/reference.py --check   fail when it is not what the program says (CI does this)
"""

import argparse
import asyncio
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from spire_mcp.app import App  # noqa: E402
from spire_mcp.commands.arguments import build_parser  # noqa: E402
from spire_mcp.errors import SpireError  # noqa: E402
from spire_mcp.server import build_server  # noqa: E402
from spire_mcp.settings import Settings  # noqa: E402

PAGE = ROOT / "docs" / "reference.md"
_HEAD = """# Reference

Made by `scripts/reference.py` from the program; CI fails when it is not up to date.
"""


def commands() -> Iterator[str]:
    """Each command with its arguments, as `--help` gives them."""
    yield "## Commands\n"
    yield "`spire-mcp [--bridge URL] [--json | --human] COMMAND …`; the options may also stand behind the command.\n"
    parser = build_parser()
    children = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    for name, child in children.choices.items():
        yield f"### `{name}`\n"
        yield f"{_sentence(child.description)}\n"
        shown = [action for action in child._actions if action.dest not in {"help", "bridge", "json", "human"}]
        if shown:
            yield "| argument | meaning |\n| --- | --- |\n" + "\n".join(map(_argument, shown)) + "\n"


def _argument(action: argparse.Action) -> str:
    words = ", ".join(action.option_strings)
    value = action.metavar or (action.dest.upper() if action.nargs != 0 else "")
    value = value if isinstance(value, str) else " ".join(value)
    shown = f"{words} {value}".strip() if words and action.nargs != 0 else words or value
    parts = [action.help or ""]
    if action.choices is not None:
        parts.append("one of " + ", ".join(f"`{choice}`" for choice in action.choices))
    if action.default not in (None, False, argparse.SUPPRESS, "", []):
        parts.append(f"`{action.default}` if left out")
    text = "; ".join(part for part in parts if part).replace("|", "\\|")
    return f"| `{shown}` | {text} |"


def tools() -> Iterator[str]:
    """Each MCP tool with its arguments."""
    yield "## Tools\n"
    server = build_server(App(settings=Settings(state_dir=Path("unused"), config_file=Path("unused"))))
    for tool in asyncio.run(server.list_tools()):
        yield f"### `{tool.name}`\n"
        yield f"{' '.join((tool.description or '').split())}\n"
        needed = set(tool.input_schema.get("required", []))
        rows = [
            f"| `{name}` | {'required' if name in needed else 'optional'} | {_schema(schema)} |"
            for name, schema in tool.input_schema.get("properties", {}).items()
        ]
        if rows:
            yield "| argument | | meaning |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n"


def _schema(schema: dict[str, object]) -> str:
    text = " ".join(str(schema.get("description", "")).split())
    options = schema.get("enum") or next(
        (one.get("enum") for one in schema.get("anyOf", []) if isinstance(one, dict) and "enum" in one), None
    )
    chosen = "one of " + ", ".join(f"`{option}`" for option in options) if options else ""
    return "; ".join(part for part in (text, chosen) if part).replace("|", "\\|") or str(schema.get("type", ""))


def errors() -> Iterator[str]:
    """Each error code with its exit status and the usual fix."""
    yield "## Errors\n"
    yield "[troubleshooting.md](troubleshooting.md) says more of each.\n"
    rows: dict[str, str] = {}

    def walk(kind: type[SpireError]) -> None:
        if kind is not SpireError and kind.code not in rows:
            meaning = _sentence(inspect.getdoc(kind))
            rows[kind.code] = f"| `{kind.code}` | {kind.exit_status} | {meaning} | {kind.default_fix} |"
        for child in kind.__subclasses__():
            if child.__module__ == "spire_mcp.errors":
                walk(child)

    walk(SpireError)
    shown = [row for row in rows.values() if "| `refused` |" not in row]
    yield "| code | exit | meaning | what to do |\n| --- | --- | --- | --- |\n" + "\n".join(shown) + "\n"


def _sentence(text: str | None) -> str:
    line = (text or "").split("\n\n")[0].replace("\n", " ").strip()
    line = re.sub(r"\s+", " ", line)
    return f"{line[:1].upper()}{line[1:]}".rstrip(".") + "."


def page() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *commands(), *tools(), *errors()])


def main() -> int:
    """Write or compare."""
    text = page()
    if "--check" in sys.argv:
        if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
            return 0
        print("docs/reference.md is not what the program says: run scripts/reference.py")
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
