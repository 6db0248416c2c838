"""Options of menus, popups and the end of a run; what starts, ends or reconfigures things is the owner's to permit."""

from collections.abc import Iterator
from typing import Final

from spire_mcp.game.options.model import Kind, Option, Request
from spire_mcp.game.options.tokens import ascii_id, slug
from spire_mcp.game.screens import GameOver, Menu
from spire_mcp.game.text import clean_text

_DECISIONS: Final = frozenset({"popup", "tutorial", "tutorial_prompt"})
"""Menus that cover a run and have to be answered for it to go on."""


def menu_options(menu: Menu) -> Iterator[Option]:
    """The enabled entries of a menu."""
    kind: Kind = "decision" if menu.menu_screen in _DECISIONS else "restricted"
    characters = {character.id: character for character in menu.characters}
    can_embark = any(option.name == "embark" and option.enabled for option in menu.options)
    for option in menu.options:
        if option.enabled and option.name in characters:
            if can_embark:
                yield _embark(option.name, clean_text(characters[option.name].name or option.name, 40))
        elif option.enabled and not (characters and option.name in {"confirm", "embark"}):
            name = ascii_id(option.name) if " " not in option.name else slug(option.name)
            label = f"{clean_text(menu.menu_screen, 30)}: {clean_text(option.name, 60)}"
            yield _select(f"menu:{name}", label, option.name, kind)


def _embark(character: str, shown: str) -> Option:
    """Choosing a character and setting out: one option, since no state tells which character is selected."""
    return Option(
        id=f"menu:embark:{ascii_id(character)}",
        label=f"Start a run with {shown}",
        kind="restricted",
        requests=tuple(Request(action="menu_select", parameters={"option": name}) for name in (character, "embark")),
    )


def game_over_options(screen: GameOver) -> Iterator[Option]:
    """The way back to the main menu; it loses nothing, since the run is over."""
    for name in screen.options:
        yield _select(f"menu:{ascii_id(name)}", f"Leave the finished run: {clean_text(name, 40)}", name, "decision")


def _select(identity: str, label: str, name: str, kind: Kind) -> Option:
    return Option(
        id=identity,
        label=label,
        kind=kind,
        requests=(Request(action="menu_select", parameters={"option": name}),),
    )
