"""The practice game's state as the bridge would send it: the same keys, types, nulls and absences."""

from typing import Any

from spire_mcp.practice import orbs, rules
from spire_mcp.practice.content import table
from spire_mcp.practice.fight import Card, Fight, Monster
from spire_mcp.practice.wording import KEYWORDS, card_text, name, power_name

Json = dict[str, Any]

_TITLES = {"Attack": "Aggressive", "Buff": "Empower", "Defend": "Defensive", "Stun": "Stunned", "Summon": "Summon"}
_RARITIES = ("Basic", "Common", "Uncommon", "Rare", "Ancient", "Event", "Token", "Status", "Curse", "Quest")


def power_json(power: str, amount: int, language: str) -> Json:
    """A power on a creature."""
    entry = table("powers").get(power, {})
    shown = power_name(power, language)
    return {
        "id": power,
        "name": shown,
        "amount": amount,
        "type": entry.get("type", "Buff"),
        "description": f"{shown}: {amount}.",
        "keywords": [],
    }


def powers_json(creature: rules.Creature, language: str) -> list[Json]:
    """All powers of a creature in the order in which they came."""
    return [power_json(power, amount, language) for power, amount in creature.powers.items()]


def card_json(card: Card, language: str, text: str | None = None, cost: int | str | None = None) -> Json:
    """A card as every list shows it."""
    shown_cost = cost if cost is not None else card.data["cost"][1 if card.upgraded else 0]
    return {
        "id": card.id,
        "name": name(card.data, language) + ("+" if card.upgraded else ""),
        "type": card.data["type"],
        "cost": "0" if shown_cost is None else str(shown_cost),
        "star_cost": str(card.data["stars"]) if "stars" in card.data else None,
        "description": text if text is not None else card_text(card, language),
        "rarity": card.data["rarity"],
        "is_upgraded": card.upgraded,
        "keywords": [*_keywords(card, language), *_enchantment(card, language)],
    }


def _keywords(card: Card, language: str) -> list[Json]:
    words = [KEYWORDS[language][word] for word in card.keywords]
    return [{"name": word, "description": f"{word}."} for word in words]


def _enchantment(card: Card, language: str) -> list[Json]:
    """An enchantment is shown as a keyword by its displayed name, with its number in the description."""
    if card.enchantment is None:
        return []
    kind, amount = card.enchantment
    shown = {"eng": kind, "zhs": {"Sharp": "锋利", "Nimble": "灵巧"}[kind]}[language]
    return [{"name": shown, "description": f"{shown}: {amount}."}]


def hand_card_json(fight: Fight, card: Card, index: int, language: str) -> Json:
    """A card in hand; showing it is what makes the piles remember its text."""
    card.shown = card_text(card, language, fight)
    reason = fight.why_not(card)
    return {
        **card_json(card, language, card.shown, fight.cost(card)),
        "index": index,
        "target_type": card.data["target"],
        "can_play": reason is None,
        "unplayable_reason": reason,
    }


def pile_card_json(card: Card, language: str) -> Json:
    """A card in a pile: no ID, and whatever text it last showed."""
    whole = card_json(card, language)
    return {
        "name": whole["name"],
        "cost": whole["cost"],
        "star_cost": whole["star_cost"],
        "description": card.shown or whole["description"],
    }


def player_json(
    *,
    character: str,
    hp: int,
    max_hp: int,
    gold: int,
    relics: list[str],
    potions: list[str | None],
    language: str,
    fight: Fight | None = None,
    attacks: int = 0,
) -> Json:
    """The player; energy, hand and piles only while a fight runs."""
    player: Json = {
        "character": character,
        "hp": hp,
        "max_hp": max_hp,
        "block": fight.player.block if fight else 0,
        "gold": gold,
        "status": powers_json(fight.player, language) if fight else [],
        "relics": [relic_json(relic, language, attacks) for relic in relics],
        "potions": [potion_json(potion, slot, language) for slot, potion in enumerate(potions) if potion is not None],
        "max_potion_slots": len(potions),
    }
    if fight is not None:
        player |= _piles_json(fight, language)
    return player


def _piles_json(fight: Fight, language: str) -> Json:
    def order(card: Card) -> tuple[int, str]:
        return _RARITIES.index(card.data["rarity"]), card.id

    return {
        "energy": fight.energy,
        "max_energy": fight.max_energy,
        "hand": [hand_card_json(fight, card, index, language) for index, card in enumerate(fight.hand)],
        "draw_pile_count": len(fight.draw_pile),
        "discard_pile_count": len(fight.discard_pile),
        "exhaust_pile_count": len(fight.exhaust_pile),
        # Sorted by rarity and ID: the true order is nobody's to see.
        "draw_pile": [pile_card_json(card, language) for card in sorted(fight.draw_pile, key=order)],
        "discard_pile": [pile_card_json(card, language) for card in fight.discard_pile],
        "exhaust_pile": [pile_card_json(card, language) for card in fight.exhaust_pile],
        **_own_mechanics_json(fight),
    }


def _own_mechanics_json(fight: Fight) -> Json:
    """Stars, orbs and the companion, for the characters that have them."""
    found: Json = {}
    if fight.stars is not None:
        found["stars"] = fight.stars
    if fight.orb_slots:
        shown = [(orb.id, *orbs.values(fight, orb)) for orb in fight.orbs]
        found["orbs"] = [
            {"id": i, "name": i.title(), "description": None, "passive_val": p, "evoke_val": e, "keywords": []}
            for i, p, e in shown
        ]
        found |= {"orb_slots": fight.orb_slots, "orb_empty_slots": fight.orb_slots - len(fight.orbs)}
    if fight.pet is not None:
        pet = fight.pet
        found["pets"] = [
            {
                "id": "OSTY",
                "name": "Osty",
                "alive": pet.alive,
                "hp": pet.hp,
                "max_hp": pet.max_hp,
                "block": 0,
                "status": [],
            }
        ]
    return found


def relic_json(relic: str, language: str, attacks: int = 0) -> Json:
    """A relic that is owned; the one that counts attacks shows its count."""
    shown = name(table("relics")[relic], language)
    counter = attacks % 10 if relic == "PEN_NIB" else None
    return {"id": relic, "name": shown, "description": f"{shown}.", "counter": counter, "keywords": []}


def potion_text(potion: str, language: str) -> str:
    """What a potion says."""
    entry = table("potions")[potion]
    return f"{name(entry, language)}: {entry['effect']['n']}."


def potion_json(potion: str, slot: int, language: str) -> Json:
    """A potion in the belt."""
    entry = table("potions")[potion]
    shown = name(entry, language)
    return {
        "id": potion,
        "name": shown,
        "description": potion_text(potion, language),
        "slot": slot,
        "can_use_in_combat": not entry.get("automatic"),
        "target_type": entry["target"],
        "keywords": [],
    }


def battle_json(fight: Fight, language: str) -> Json:
    """The running fight; entity IDs count the living of a kind anew on every read."""
    counts: dict[str, int] = {}
    enemies: list[Json] = []
    for monster in fight.enemies:
        number = counts.get(monster.id, 0)
        counts[monster.id] = number + 1
        enemies.append(
            {
                "entity_id": f"{monster.id}_{number}",
                "combat_id": monster.combat_id,
                "name": name(monster.data, language),
                "hp": monster.hp,
                "max_hp": monster.max_hp,
                "block": monster.block,
                "status": powers_json(monster, language),
                "intents": [intent_json(fight, monster, intent) for intent in monster.move["intents"]],
            }
        )
    return {"round": fight.round, "turn": "player", "is_play_phase": True, "enemies": enemies}


def intent_json(fight: Fight, monster: Monster, intent: Json) -> Json:
    """An intent; an attack's label holds the modifiers of both sides, per hit."""
    label = ""
    if intent["type"] == "Attack":
        damage = rules.against(rules.own_damage(intent["damage"], monster), fight.player)
        label = str(damage) if intent["hits"] == 1 else f"{damage}x{intent['hits']}"
    elif intent["type"] == "StatusCard":
        label = str(intent.get("count", 1))
    title = _TITLES.get(intent["type"], "Strategic")
    return {"type": intent["type"], "label": label, "title": title, "description": f"{title}: {label}".strip(": ")}
