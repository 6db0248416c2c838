"""The readable views that people see on a terminal, made from the same result objects that programs get."""

import json
from collections.abc import Iterable
from typing import cast

Result = dict[str, object]

_SKIP = frozenset(
    {"ok", "outcome", "state", "error", "options", "view", "actions", "brief", "facts", "route", "run", "checks"}
)


def render(result: Result) -> str:
    """A result as lines of text, safe for a terminal."""
    return "\n".join(_clean(line) for line in _lines(result))


def journal_line(record: Result) -> str:
    """A journal record as one line."""
    kind = record.get("kind")
    parts = [str(record.get("seq")), str(record.get("when"))[:19], str(kind)]
    if kind == "action":
        parts += [str(record.get("outcome")), str(record.get("label") or record.get("option")), f"({record.get('by')})"]
    else:
        told = ("loop", "outcome", "reason", "saved", "dropped", "note")
        parts += [str(record[key]) for key in told if record.get(key)]
    return _clean("  ".join(parts))


def _clean(line: str) -> str:
    """Text without anything that a terminal would obey: control and direction-changing characters become spaces."""
    return "".join(char if char.isprintable() else " " for char in line)


def _lines(result: Result) -> Iterable[str]:
    error = _table(result.get("error"))
    if error:
        yield f"✗ {error.get('code')}: {error.get('message')}"
        yield f"  may have acted: {'yes' if error.get('may_have_acted') else 'no'}"
        yield f"  what to do: {error.get('fix')}"
    elif "screen" not in result:
        yield f"{_mark(result)} {result.get('outcome')}" + (f": {result['reason']}" if result.get("reason") else "")
    for action in _rows(result.get("actions")):
        yield f"  {action.get('seq')}. {action.get('label')}  [{action.get('by')}]"
    for check in _rows(result.get("checks")):
        yield f"  {_mark(check)} {check.get('name')}: {check.get('found')}"
        if check.get("fix"):
            yield f"      what to do: {check.get('fix')}"
    brief = _table(result.get("brief"))
    if brief:
        yield "  brief"
        yield from _fields(brief, "    ")
    if "screen" in result:
        yield from _state(result)
    for key, value in result.items():
        if key not in _SKIP and "screen" not in result and value not in (None, "", [], {}):
            yield from _fields({key: value}, "  ")
    state = _table(result.get("state"))
    if state:
        yield from _state(state)


def _mark(result: Result) -> str:
    return "✗" if result.get("ok") is False else "✓"


def _state(state: Result) -> Iterable[str]:
    run, route = _table(state.get("run")), _table(state.get("route"))
    where = f"act {run.get('act')}, floor {run.get('floor')}" if run.get("floor") is not None else "no run"
    yield f"{state.get('screen')} ({where})  state {state.get('state_id')}"
    yield f"  next decision: {route.get('owner')}: {route.get('reason')}"
    if state.get("halted"):
        yield f"  HALTED: {_table(state.get('halted')).get('reason')}"
    yield from _fields(_table(state.get("view")), "  ")
    facts = _table(state.get("facts"))
    if facts:
        yield "  facts: " + ", ".join(f"{key} {_short(value)}" for key, value in facts.items())
    options = _rows(state.get("options"))
    if options:
        yield "  options"
        width = max(len(str(option.get("id"))) for option in options)
        for option in options:
            yield f"    {option.get('id')!s:<{width}}  {option.get('label')}  ({option.get('kind')})"


def _fields(table: Result, indent: str) -> Iterable[str]:
    for key, value in table.items():
        if isinstance(value, dict) and value:
            yield f"{indent}{key}"
            yield from _fields(cast("Result", value), indent + "  ")
        elif isinstance(value, str) and "\n" in value:
            yield f"{indent}{key}"
            yield from (f"{indent}  {line}" for line in value.splitlines())
        elif (
            isinstance(value, list)
            and value
            and any(isinstance(item, dict | list) for item in cast("list[object]", value))
        ):
            yield f"{indent}{key}"
            for item in cast("list[object]", value):
                yield f"{indent}  {_short(item)}"
        else:
            yield f"{indent}{key}: {_short(cast('object', value))}"


def _short(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case None:
            return "-"
        case str() | int() | float():
            return str(value)
        case dict():
            items = cast("Result", value).items()
            return ", ".join(f"{key} {_short(item)}" for key, item in items if item not in (None, [], {}, ""))
        case list():
            return ", ".join(_short(item) for item in cast("list[object]", value))
        case _:
            return json.dumps(value, ensure_ascii=False, default=str)


def _table(value: object) -> Result:
    return cast("Result", value) if isinstance(value, dict) else {}


def _rows(value: object) -> list[Result]:
    return [_table(item) for item in cast("list[object]", value)] if isinstance(value, list) else []
