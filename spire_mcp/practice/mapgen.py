"""The act map: walks from the first row to the last, typed by the game's rules (act1.md, section 8)."""

from dataclasses import dataclass, field
from random import Random

COLUMNS = 7
ROWS = 15
_FIXED = {1: "Monster", 9: "Treasure", 15: "RestSite"}


@dataclass(slots=True)
class Node:
    """A place on the map and the places it leads to."""

    col: int
    row: int
    type: str = "Monster"
    children: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])


Map = dict[tuple[int, int], Node]


def generate(dice: Random) -> Map:
    """An act map: the start at row 0, seven walks that never cross, and the boss at row 16."""
    nodes: Map = {}
    start = Node(COLUMNS // 2, 0, "Ancient")
    nodes[start.col, 0] = start
    edges: set[tuple[int, int, int]] = set()
    for _ in range(7):
        col = dice.randrange(COLUMNS)
        start.children.add((col, 1))
        nodes.setdefault((col, 1), Node(col, 1))
        for row in range(1, ROWS):
            col = _step(nodes, edges, dice, col, row)
    boss = Node(COLUMNS // 2, ROWS + 1, "Boss")
    nodes[boss.col, boss.row] = boss
    for node in [node for node in nodes.values() if node.row == ROWS]:
        node.children.add((boss.col, boss.row))
    _give_types(nodes, dice)
    return nodes


def _step(nodes: Map, edges: set[tuple[int, int, int]], dice: Random, col: int, row: int) -> int:
    choices = [to for to in (col - 1, col, col + 1) if (0 <= to < COLUMNS and (row, to, col) not in edges) or to == col]
    to = dice.choice(choices)
    edges.add((row, col, to))
    nodes.setdefault((to, row + 1), Node(to, row + 1))
    nodes[col, row].children.add((to, row + 1))
    return to


def _give_types(nodes: Map, dice: Random) -> None:
    parents: dict[tuple[int, int], list[Node]] = {}
    for node in nodes.values():
        for child in node.children:
            parents.setdefault(child, []).append(node)
    for node in sorted(nodes.values(), key=lambda node: (node.row, node.col)):
        if node.row in _FIXED:
            node.type = _FIXED[node.row]
        elif 1 < node.row < ROWS:
            node.type = _type(node, parents.get((node.col, node.row), []), dice)


def _type(node: Node, parents: list[Node], dice: Random) -> str:
    above = {parent.type for parent in parents}
    choices = ["Monster"] * 11 + ["Unknown"] * 5
    if "Shop" not in above:
        choices += ["Shop"]
    if node.row >= 6 and "Elite" not in above:
        choices += ["Elite"] * 2
    if 6 <= node.row < ROWS - 2 and "RestSite" not in above:
        choices += ["RestSite"] * 2
    return dice.choice(choices)
