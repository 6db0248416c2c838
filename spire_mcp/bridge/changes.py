"""What changed from one JSON value to the next, and the next value from it: most of a state stays as it was.

A change is one of `["="]`, `["=", value]`, `["{", {key: change}, [removed keys]]` and `["[", length, {index: change},
[appended values]]`.
"""

from typing import Final, cast

Change = list[object]
_SAME: Final[Change] = ["="]
_WORDS: Final = {"=": (1, 2), "{": (3,), "[": (4,)}


def change_between(old: object, new: object) -> Change:
    """The change that makes `new` of `old`."""
    if isinstance(old, dict) and isinstance(new, dict):
        return _object_change(cast("dict[str, object]", old), cast("dict[str, object]", new))
    if isinstance(old, list) and isinstance(new, list):
        return _list_change(cast("list[object]", old), cast("list[object]", new))
    same = type(old) is type(new) and old == new  # pyright: ignore[reportUnknownArgumentType]
    return list(_SAME) if same else ["=", new]


def _object_change(old: dict[str, object], new: dict[str, object]) -> Change:
    inside = {key: change_between(old[key], value) if key in old else ["=", value] for key, value in new.items()}
    changed = {key: change for key, change in inside.items() if change != _SAME}
    removed = [key for key in old if key not in new]
    return ["{", changed, removed] if changed or removed else list(_SAME)


def _list_change(old: list[object], new: list[object]) -> Change:
    both = min(len(old), len(new))
    inside = {str(index): change_between(old[index], new[index]) for index in range(both)}
    changed = {index: change for index, change in inside.items() if change != _SAME}
    if not changed and len(old) == len(new):
        return list(_SAME)
    return ["[", both, changed, new[both:]]


def changed(old: object, change: object) -> object:
    """The value after the change.

    Raises:
        ValueError: this is no change of that value.
    """
    if not isinstance(change, list) or not change:
        raise ValueError("a change is a list")
    words = cast("list[object]", change)
    if len(words) not in _WORDS.get(str(words[0]), ()):
        raise ValueError("an unknown kind of change")
    return _changed_by(old, words)


def _changed_by(old: object, words: list[object]) -> object:
    kind, *rest = words
    if kind == "=":
        return rest[0] if rest else old
    if kind == "{" and isinstance(old, dict) and isinstance(rest[0], dict) and isinstance(rest[1], list):
        inside, removed = cast("dict[str, object]", rest[0]), cast("list[object]", rest[1])
        return _changed_object(cast("dict[str, object]", old), inside, removed)
    if kind == "[" and isinstance(old, list) and isinstance(rest[1], dict) and isinstance(rest[2], list):
        inside, more = cast("dict[str, object]", rest[1]), cast("list[object]", rest[2])
        length = cast("object", rest[0])
        if isinstance(length, int):
            return _changed_list(cast("list[object]", old), length, inside, more)
    raise ValueError("a change of another kind of value")


def _changed_object(old: dict[str, object], inside: dict[str, object], removed: list[object]) -> dict[str, object]:
    gone = set(map(str, removed))
    found = {key: value for key, value in old.items() if key not in gone}
    for key, change in inside.items():
        found[key] = changed(old.get(key), change)
    return found


def _changed_list(old: list[object], length: int, inside: dict[str, object], more: list[object]) -> list[object]:
    if not 0 <= length <= len(old):
        raise ValueError("a list that is too short")
    found = old[:length]
    for index, change in inside.items():
        if not (index.isascii() and index.isdigit()) or int(index[:9]) >= length:
            raise ValueError("an index beyond the list")
        found[int(index)] = changed(found[int(index)], change)
    return found + more
