"""A journal as a story: runs, floors, the fights on them, and what each record says, ready to be shown."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from spire_mcp.review.records import Record, rows, seconds, table, text, texts, whole

FIGHTS = frozenset({"monster", "elite", "boss"})
_MOST_CANDIDATES = 6


@dataclass(slots=True, kw_only=True)
class Entry:
    """One record, as a page shows it. All text is plain text; the page escapes it."""

    seq: int
    kind: str
    when: str
    title: str
    by: str
    outcome: str
    why: str
    line: str
    """the whole line that was chosen"""
    predicted: str
    seen: str
    evidence: list[str]
    candidates: list[str]
    wrong: list[str]
    round: int | None
    seconds: float | None
    board: Record
    model: Record
    problem: str
    sure: str


@dataclass(slots=True, kw_only=True)
class Floor:
    """What happened on one floor of one run."""

    run: int
    act: int | None
    floor: int | None
    entries: list[Entry] = field(default_factory=list[Entry])

    @property
    def key(self) -> str:
        """The floor's anchor on a page."""
        return f"run{self.run}-{self.act or 0}-{self.floor or 0}"

    @property
    def place(self) -> str:
        """Act and floor in words."""
        return "where the game did not say" if self.floor is None else f"Act {self.act}, floor {self.floor}"

    @property
    def boards(self) -> list[Record]:
        """What the records show of the board, in order."""
        return [entry.board for entry in self.entries if entry.board]

    @property
    def fight(self) -> str:
        """Who was fought here, and empty where there was no fight."""
        for board in self.boards:
            if board.get("screen") in FIGHTS and board.get("enemies"):
                names = Counter(text(enemy.get("name"), 60) for enemy in rows(board.get("enemies")))
                return ", ".join(name if many == 1 else f"{many} × {name}" for name, many in names.items())
        return ""

    @property
    def summary(self) -> str:
        """Kind of room and HP, in one line."""
        kinds = [text(board.get("screen"), 30) for board in self.boards]
        what = next((kind for kind in kinds if kind in FIGHTS), kinds[0] if kinds else "")
        first, last = first_number(self.boards, "hp"), last_number(self.boards, "hp")
        hp = f", HP {first} to {last}" if first is not None and first != last else f", HP {last}" if last else ""
        return f"{what}{': ' + self.fight if self.fight else ''}{hp}"

    def turns(self) -> list[tuple[int | None, list[Entry]]]:
        """The entries by the fight's round, in order."""
        found: list[tuple[int | None, list[Entry]]] = []
        for entry in self.entries:
            if not found or (entry.round != found[-1][0] and entry.round is not None):
                found.append((entry.round, []))
            found[-1][1].append(entry)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Everything a report tells."""

    floors: list[Floor]
    entries: list[Entry]
    runs: int
    run_ids: list[str]

    def of_kind(self, *kinds: str) -> list[Entry]:
        """The entries of these kinds."""
        return [entry for entry in self.entries if entry.kind in kinds]

    @property
    def wrong(self) -> list[Entry]:
        """Records of predictions that did not come true."""
        return [entry for entry in self.entries if entry.wrong or entry.kind == "misprediction"]

    @property
    def owners(self) -> Counter[str]:
        """Actions by who decided."""
        return Counter(entry.by for entry in self.entries if entry.kind == "action")


def first_number(boards: Iterable[Record], name: str) -> int | None:
    """The first whole number of that name."""
    return next((value for board in boards if (value := whole(board.get(name))) is not None), None)


def last_number(boards: Sequence[Record], name: str) -> int | None:
    """The last whole number of that name."""
    return first_number(reversed(boards), name)


def numbers(state: Record) -> str:
    """A predicted or seen board in words."""
    parts = [f"{name} {value}" for name in ("hp", "block", "energy") if (value := whole(state.get(name))) is not None]
    for enemy in rows(state.get("enemies")):
        name = text(enemy.get("name"), 60) or f"enemy {text(enemy.get('id'), 10)}"
        more = [f"{key} {value}" for key in ("hp", "block") if (value := whole(enemy.get(key))) is not None]
        parts.append(f"{name}: {', '.join(more) or 'not known'}")
    if state.get("fight_over"):
        parts.append("the fight is over")
    return "; ".join(parts)


def _candidate(one: Record) -> str:
    plays = " → ".join(texts(one.get("plays"), 80)) or text(one.get("option"), 80)
    facts: list[str] = []
    damage = table(one.get("damage"))
    if damage:
        facts.append("damage " + ", ".join(f"{text(name, 60)} {text(value, 12)}" for name, value in damage.items()))
    for key, words in (("block", "block"), ("hp_lost", "HP lost"), ("energy_left", "energy left"), ("dies", "dies")):
        if one.get(key) is not None:
            facts.append(f"{words} {text(one.get(key), 20)}")
    if one.get("share") is not None:
        facts.append(f"share {text(one.get('share'), 8)}")
    return f"{plays}: {', '.join(facts)}" if facts else plays


def entry_of(record: Record) -> Entry:
    """One record, ready to be shown."""
    kind = text(record.get("kind"), 30) or "record"
    decision, brief, error = table(record.get("decision")), table(record.get("brief")), table(record.get("error"))
    found = rows(decision.get("candidates"))
    shares = [share for one in found if isinstance(share := one.get("share"), int | float)]
    wrong = texts(record.get("mispredictions")) or texts(record.get("differences"))
    board = table(record.get("board"))
    title = text(record.get("label") or record.get("option"))
    if kind != "action":
        title = " ".join(text(record.get(key), 60) for key in ("loop", "outcome", "reason") if record.get(key)) or kind
    sure = f"leading share {max(shares):.0%}" if shares else ""
    if not sure and decision.get("search_complete") is not None:
        sure = "every line was searched" if decision.get("search_complete") else "the search was cut short"
    return Entry(
        seq=whole(record.get("seq")) or 0,
        kind=kind,
        when=text(record.get("when"), 40),
        title=title or kind,
        by=text(record.get("by"), 20),
        outcome=text(record.get("outcome"), 30),
        why=text(decision.get("why") or brief.get("why") or record.get("reason"), 400),
        line=" → ".join(texts(found[0].get("plays"), 80)) if found else "",
        predicted=numbers(table(record.get("predicted"))),
        seen=numbers(table(record.get("seen"))) if record.get("predicted") else "",
        evidence=texts(record.get("evidence")),
        candidates=[_candidate(one) for one in found[:_MOST_CANDIDATES]],
        wrong=wrong,
        round=whole(board.get("round")) if board.get("screen") in FIGHTS else None,
        seconds=seconds(record) if kind == "action" else None,
        board=board,
        model=table(record.get("model")),
        problem=text(error.get("message"), 400),
        sure=sure,
    )


def tell(records: Iterable[Record]) -> Story:
    """The story of a journal. A floor that is lower than the last one begins another run."""
    story = Story(floors=[], entries=[], runs=0, run_ids=[])
    run = 1
    place: tuple[int, int] | None = None
    for record in records:
        entry = entry_of(record)
        story.entries.append(entry)
        run_id = text(record.get("run_id"), 120)
        if run_id and run_id not in story.run_ids:
            story.run_ids.append(run_id)
        act, floor = whole(entry.board.get("act")), whole(entry.board.get("floor"))
        if act is not None and floor is not None:
            if place is not None and (act, floor) < place:
                run += 1
            if not story.floors or (act, floor) != place or story.floors[-1].floor is None:
                story.floors.append(Floor(run=run, act=act, floor=floor))
            place = act, floor
        elif not story.floors:
            story.floors.append(Floor(run=run, act=None, floor=None))
        story.floors[-1].entries.append(entry)
    return Story(floors=story.floors, entries=story.entries, runs=run if story.entries else 0, run_ids=story.run_ids)
