"""The readable views that people see on a terminal, made from the same result objects that programs get."""

import json
import textwrap
from collections.abc import Iterable
from typing import Final, cast

Result = dict[str, object]

_WIDTH: Final = 116
_COLUMN: Final = 13
_HEADED: Final = frozenset({"ok", "outcome", "reason", "steps", "error", "state", "actions", "brief"})
_ELSEWHERE: Final = frozenset({"checks", "model", "seq", "state_id_before", "option", "evidence"})
_BOARD: Final = frozenset({"player", "enemies", "hand", "piles", "deck", "round"})
_RECORD: Final = ("seq", "when", "kind", "outcome", "label", "by", "reason", "error")
_NOTHING: Final[tuple[object, ...]] = (None, "", [], {})


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
        parts += list(dict.fromkeys(str(record[key]) for key in told if record.get(key) and record[key] != kind))
    return _clean("  ".join(parts))


def _clean(line: str) -> str:
    """Text without anything that a terminal would obey: control and direction-changing characters become spaces."""
    return "".join(char if char.isprintable() else " " for char in line)


def _lines(result: Result) -> Iterable[str]:
    yield from _head(result)
    for check in _rows(result.get("checks")):
        yield f"  {_mark(check)} {check.get('name')}: {check.get('found')}"
        if check.get("fix"):
            yield f"      what to do: {check.get('fix')}"
    model = _table(result.get("model"))
    if model.get("requests"):
        yield from _entry("model", ", ".join(f"{key} {_short(value)}" for key, value in model.items()))
    brief = _table(result.get("brief"))
    if brief:
        yield from _brief(brief)
    if "screen" in result:
        yield from _state(result)
        return
    for key, value in result.items():
        if key in _HEADED or key in _ELSEWHERE or value in _NOTHING:
            continue
        yield from _status_part(key, value)
    state = _table(result.get("state"))
    if state:
        yield ""
        yield from _state(state)


def _head(result: Result) -> Iterable[str]:
    """What became of the command, in a line or three."""
    error = _table(result.get("error"))
    if error:
        yield f"✗ {error.get('code')}: {error.get('message')}"
        yield f"  may have acted: {'yes' if error.get('may_have_acted') else 'no'}"
        yield f"  what to do: {error.get('fix')}"
        return
    if "screen" in result:
        return
    reason = f": {result['reason']}" if result.get("reason") else ""
    steps = f", {result['steps']} actions" if result.get("steps") else ""
    option = _table(result.get("option"))
    acted = f": {option.get('label') or option.get('id')}" if option else ""
    yield f"{_mark(result)} {result.get('outcome')}{reason}{steps}{acted}"
    if option:
        yield from _entry("seen", "; ".join(_texts(result.get("evidence"))))


def _status_part(key: str, value: object) -> Iterable[str]:
    if key == "last_outcome":
        record = _table(value)
        yield from _fields({key: {name: record[name] for name in _RECORD if record.get(name) not in _NOTHING}}, "  ")
        return
    table = _table(value)
    shown: object = {name: part for name, part in table.items() if part not in _NOTHING} if table else value
    yield from _fields({key: shown}, "  ")


def _brief(brief: Result) -> Iterable[str]:
    yield from _entry("why", brief.get("why"))
    for line in _rows(brief.get("best_lines")):
        plays = ", ".join(_texts(line.get("plays")))
        because = "; ".join(_texts(line.get("because")))
        dies = {"yes": "dies", "unknown": "may die"}.get(str(line.get("dies")), "")
        told = "; ".join(part for part in (because, dies, *map(_unknown, _texts(line.get("unknown")))) if part)
        yield from _entry("line", f"{plays or 'end the turn'}: {told}  [{line.get('first_option')}]")
    for key, value in brief.items():
        if key not in {"why", "best_lines", "note", "done", "steps_done", "search_complete"} and value not in _NOTHING:
            yield from _entry(key.replace("_", " "), value)


def _unknown(text: str) -> str:
    return f"not known: {text}"


def _mark(result: Result) -> str:
    return "✗" if result.get("ok") is False else "✓"


def _state(state: Result) -> Iterable[str]:
    run, route, view = _table(state.get("run")), _table(state.get("route")), _table(state.get("view"))
    where = f"act {run.get('act')}, floor {run.get('floor')}" if run.get("floor") is not None else "no run"
    turn = f", round {view['round']}" if view.get("round") is not None else ""
    yield f"{state.get('screen')}, {where}{turn}    state {state.get('state_id')}"
    if state.get("halted"):
        yield f"  HALTED: {_table(state.get('halted')).get('reason')}"
    yield from _board(view)
    yield from _threat(_table(state.get("facts")))
    yield from _entry("next", f"{route.get('owner')}: {route.get('reason')}")
    options = _rows(state.get("options"))
    if options:
        yield "  options"
        width = max(len(str(option.get("id"))) for option in options)
        for option in options:
            yield f"    {option.get('id')!s:<{width}}  {option.get('label')}  ({option.get('kind')})"


def _board(view: Result) -> Iterable[str]:
    """Player, enemies, hand and piles, then whatever else the screen has."""
    player = dict(_table(view.get("player")))
    if player:
        hp = f"{player.pop('hp', '?')}/{player.pop('max_hp', '?')} HP"
        numbers = [f"{player.pop(key)} {key}" for key in ("block", "energy", "stars", "gold") if key in player]
        yield from _entry("you", ", ".join([hp, *numbers]))
        for key, value in player.items():
            yield from _entry(f"your {key}", value)
    for enemy in _rows(view.get("enemies")):
        rest = [
            f"{key} {_short(value)}" for key, value in enemy.items() if key not in {"enemy", "hp", "powers", "intent"}
        ]
        powers = [str(enemy["powers"])] if enemy.get("powers") else []
        parts = [f"{enemy.get('hp')} HP", f"intends {enemy.get('intent')}", *powers, *rest]
        yield from _entry("enemy", f"{enemy.get('enemy')}: {'; '.join(parts)}")
    yield from _entry("hand", view.get("hand"))
    for name, cards in _table(view.get("piles")).items():
        yield from _entry(name, cards)
    deck = _table(view.get("deck"))
    if deck:
        yield from _entry("deck", f"{deck.get('number')} cards: {deck.get('cards')} ({deck.get('from')})")
    for key, value in view.items():
        if key not in _BOARD:
            yield from _entry(key.replace("_", " "), value)


def _threat(facts: Result) -> Iterable[str]:
    if not facts:
        return
    words = {True: "yes", False: "no"}

    def said(key: str) -> str:
        value = facts.get(key)
        return words[value] if isinstance(value, bool) else str(value)

    told = f"{facts.get('incoming')} incoming, blockable: {said('blockable')}"
    told += f"; kills you: {said('lethal_for_us')}; you can win now: {said('lethal_for_them')}"
    yield from _entry("threat", told)


def _entry(name: str, value: object) -> Iterable[str]:
    """A name in its column, and its value beside it: a list one item a line, long lines wrapped."""
    if value in _NOTHING:
        return
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    label = name
    for item in items:
        lines = textwrap.wrap(_short(item), _WIDTH - _COLUMN, break_long_words=False, break_on_hyphens=False) or [""]
        for line in lines:
            yield f"  {label:<{_COLUMN}}{' ' if len(label) >= _COLUMN else ''}{line}"
            label = ""


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
            return ", ".join(f"{key} {_short(item)}" for key, item in items if item not in _NOTHING)
        case list():
            return ", ".join(_short(item) for item in cast("list[object]", value))
        case _:
            return json.dumps(value, ensure_ascii=False, default=str)


def _texts(value: object) -> list[str]:
    return [_short(item) for item in cast("list[object]", value)] if isinstance(value, list) else []


def _table(value: object) -> Result:
    return cast("Result", value) if isinstance(value, dict) else {}


def _rows(value: object) -> list[Result]:
    return [_table(item) for item in cast("list[object]", value)] if isinstance(value, list) else []
