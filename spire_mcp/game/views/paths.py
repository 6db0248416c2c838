"""The map as what lies ahead of each node: how many elites, rests, shops and the like its paths can hold."""

from collections import Counter
from typing import Final

from spire_mcp.game.screens import MapNode, MapScreen
from spire_mcp.game.text import clean_text

_COUNTED: Final = ("Monster", "Elite", "RestSite", "Shop", "Unknown", "Treasure")
Place = tuple[int, int]


def paths(screen: MapScreen) -> dict[str, object]:
    """For each node that can be chosen, the range of rooms of each kind on its paths to the boss."""
    nodes = {(node.col, node.row): node for node in screen.nodes}
    memory: dict[Place, dict[str, tuple[int, int]]] = {}
    ahead: list[str] = []
    for option in screen.next_options:
        counts = _ranges((option.col, option.row), nodes, memory, 0)
        rooms = ", ".join(f"{kind} {_range(counts[kind])}" for kind in _COUNTED if counts[kind][1])
        ahead.append(
            f"{option.col},{option.row} {clean_text(option.type, 16)}: {rooms}"
            if rooms
            else f"{option.col},{option.row} {clean_text(option.type, 16)}"
        )
    view: dict[str, object] = {"ahead": ahead}
    bosses = screen.bosses or ((screen.boss,) if screen.boss is not None else ())
    if bosses:
        view["boss"] = ", ".join(clean_text(boss.name or boss.id or "unknown", 40) for boss in bosses)
    if screen.current_position is not None:
        view["at"] = f"{screen.current_position.col},{screen.current_position.row}"
    return view


def _range(bounds: tuple[int, int]) -> str:
    low, high = bounds
    return str(low) if low == high else f"{low}-{high}"


def _ranges(
    place: Place, nodes: dict[Place, MapNode], memory: dict[Place, dict[str, tuple[int, int]]], depth: int
) -> dict[str, tuple[int, int]]:
    """The fewest and the most rooms of each kind on the paths from a node on, itself included."""
    if place in memory:
        return memory[place]
    node = nodes.get(place)
    own = Counter([node.type] if node is not None and node.type else [])
    # A map leads upwards only; the bound keeps a made-up one with a circle in it from going round for ever.
    children = [child for child in (node.children if node else ()) if child[1] > place[1] and depth < 40]
    below = [_ranges(child, nodes, memory, depth + 1) for child in children]
    found: dict[str, tuple[int, int]] = {}
    for kind in _COUNTED:
        low = min((ranges[kind][0] for ranges in below), default=0)
        high = max((ranges[kind][1] for ranges in below), default=0)
        found[kind] = (low + own[kind], high + own[kind])
    memory[place] = found
    return found
