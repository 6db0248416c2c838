"""What the practice game shows in words: names from the tables, texts from templates of its own, in two languages."""

from math import floor
from typing import Any

from spire_mcp.practice import rules
from spire_mcp.practice.content import table
from spire_mcp.practice.fight import Card, Fight
from spire_mcp.practice.playing import is_tenth

_TEMPLATES: dict[str, dict[str, str]] = {
    "eng": {
        "damage": "Deal {n} damage.",
        "damage_all": "Deal {n} damage to ALL enemies.",
        "damage_random": "Deal {n} damage to a random enemy {times} times.",
        "damage_times": "Deal {n} damage {times} times.",
        "damage_twice": "Deal {n} damage twice.",
        "damage_all_times": "Deal {n} damage to ALL enemies {times} times.",
        "block": "Gain {n} Block.",
        "apply": "Apply {n} {power}.",
        "apply_all": "Apply {n} {power} to ALL enemies.",
        "gain": "Gain {n} {power}.",
        "draw": "Draw {n} card.",
        "draw_many": "Draw {n} cards.",
        "lose_hp": "Lose {n} HP.",
        "energy": "Gain {icons}.",
        "copy": "Add a copy of this card into your Discard Pile.",
        "double_power": "Double the enemy's Vulnerable.",
        "exhaust_random": "Exhaust 1 card at random.",
        "exhaust_choice": "Exhaust 1 card.",
        "upgrade_choice": "Upgrade a card in your Hand.",
        "discard_to_top": "Put a card from your Discard Pile on top of your Draw Pile.",
        "end_damage": "At the end of your turn, take {n} damage.",
        "end_loss": "At the end of your turn, lose {n} HP.",
        "end_loss_per_card": "At the end of your turn, lose {n} HP for each card in your Hand.",
        "end_power": "At the end of your turn, gain {n} {power}.",
        "play_top": "Play the top card of your Draw Pile and Exhaust it.",
        "block_if_exhausted": "Gain {n} Block again if you Exhausted a card this turn.",
        "draw_until_no_attack": "Draw until you draw a card that is no Attack.",
        "weaken": "The enemy loses {n} Strength this turn.",
        "discard_choice": "Discard 1 card.",
        "channel": "Channel {n} {orb}.",
        "evoke_twice": "Evoke your rightmost Orb twice.",
        "stars": "Gain {n} stars.",
        "summon": "Summon {n}.",
        "osty_damage": "Osty deals {n} damage.",
        "X": "X",
        "Exhaust": "Exhaust.",
        "Ethereal": "Ethereal.",
        "Unplayable": "Unplayable.",
        "Eternal": "Eternal.",
        "Retain": "Retain.",
        "join": " ",
    },
    "zhs": {
        "damage": "造成{n}点伤害。",
        "damage_all": "对所有敌人造成{n}点伤害。",
        "damage_random": "随机对敌人造成{n}点伤害{times}次。",
        "damage_times": "造成{n}点伤害{times}次。",
        "damage_twice": "造成{n}点伤害两次。",
        "damage_all_times": "对所有敌人造成{n}点伤害{times}次。",
        "block": "获得{n}点格挡。",
        "apply": "给予{n}层{power}。",
        "apply_all": "给予所有敌人{n}层{power}。",
        "gain": "获得{n}层{power}。",
        "draw": "抽{n}张牌。",
        "draw_many": "抽{n}张牌。",
        "lose_hp": "失去{n}点生命。",
        "energy": "获得{icons}。",
        "copy": "将此牌的一张复制品放入弃牌堆。",
        "double_power": "使敌人的易伤翻倍。",
        "exhaust_random": "随机消耗一张牌。",
        "exhaust_choice": "消耗一张牌。",
        "upgrade_choice": "升级一张手牌。",
        "discard_to_top": "将弃牌堆中的一张牌放到抽牌堆顶部。",
        "end_damage": "在回合结束时，受到{n}点伤害。",
        "end_loss": "在回合结束时，失去{n}点生命。",
        "end_loss_per_card": "在回合结束时，手牌中每有一张牌就失去{n}点生命。",
        "end_power": "在回合结束时，获得{n}层{power}。",
        "play_top": "打出抽牌堆顶部的牌并将其消耗。",
        "block_if_exhausted": "若本回合消耗过牌，再获得{n}点格挡。",
        "draw_until_no_attack": "抽牌直到抽到非攻击牌。",
        "weaken": "敌人在本回合失去{n}点力量。",
        "discard_choice": "丢弃一张牌。",
        "channel": "引导{n}个{orb}。",
        "evoke_twice": "激发最右侧的充能球两次。",
        "stars": "获得{n}颗辉星。",
        "summon": "召唤{n}。",
        "osty_damage": "奥斯提造成{n}点伤害。",
        "X": "X",
        "Exhaust": "消耗。",
        "Ethereal": "虚无。",
        "Unplayable": "不能被打出。",
        "Eternal": "永恒。",
        "Retain": "保留。",
        "join": " ",
    },
}

KEYWORDS: dict[str, dict[str, str]] = {
    "eng": {name: name for name in ("Exhaust", "Ethereal", "Unplayable", "Eternal", "Retain")},
    "zhs": {"Exhaust": "消耗", "Ethereal": "虚无", "Unplayable": "不能被打出", "Eternal": "永恒", "Retain": "保留"},
}


_ENDS = (
    ("end_of_turn_damage", "end_damage"),
    ("end_of_turn_loss", "end_loss"),
    ("end_of_turn_loss_per_card", "end_loss_per_card"),
)


def name(entry: dict[str, Any], language: str) -> str:
    """The displayed name of a table entry."""
    found: str = entry["names"][language]
    return found


def power_name(power: str, language: str) -> str:
    """The displayed name of a power; its ID where the tables have no word for it."""
    entry = table("powers").get(power)
    return name(entry, language) if entry else power


def card_text(card: Card, language: str, fight: Fight | None = None, target: rules.Creature | None = None) -> str:
    """A card's text: base numbers outside a fight, own modifiers in hand, the target's too when it is aimed at one."""
    words = _TEMPLATES[language]
    sentences = [_sentence(card, effect, words, language, fight, target) for effect in card.data["effects"]]
    for key, word in _ENDS:
        if key in card.data:
            sentences.append(words[word].format(n=card.data[key]))
    if "end_of_turn_power" in card.data:
        power, amount = card.data["end_of_turn_power"]
        sentences.append(words["end_power"].format(n=amount, power=power_name(power, language)))
    sentences += [words[keyword] for keyword in card.keywords if keyword in words]
    return words["join"].join(sentences)


def _sentence(
    card: Card,
    effect: dict[str, Any],
    words: dict[str, str],
    language: str,
    fight: Fight | None,
    target: rules.Creature | None,
) -> str:
    n = card.number(effect["n"]) if "n" in effect else 0
    match effect["do"]:
        case "damage":
            return _damage_sentence(card, effect, words, fight, target)
        case "block" | "block_if_exhausted" as key:
            n += card.bonus("Nimble")
            return words[key].format(n=rules.own_block(n, fight.player) if fight else n)
        case "apply":
            key = {"self": "gain", "all": "apply_all"}.get(effect["to"], "apply")
            return words[key].format(n=n, power=power_name(effect["power"], language))
        case "weaken" | "lose_hp" | "stars" | "summon" | "osty_damage" as key:
            return words[key].format(n=n)
        case "channel":
            return words["channel"].format(n=n, orb=effect["orb"].title())
        case "draw":
            return words["draw" if n == 1 else "draw_many"].format(n=n)
        case "energy":
            return words["energy"].format(icons="[ironclad_energy_icon.png]" * n)
        case "exhaust_choice_or_random":
            return words["exhaust_choice" if card.upgraded else "exhaust_random"]
        case other:
            return words[other]


def _damage_sentence(
    card: Card, effect: dict[str, Any], words: dict[str, str], fight: Fight | None, target: rules.Creature | None
) -> str:
    n = card.number(effect["n"])
    if fight is not None:
        value = rules.own_damage(fight.attack_base(card, effect, n), fight.player) * (2 if is_tenth(fight) else 1)
        aimed = target is not None
        n = rules.against(value, target, fight.cards_played, fight.player) if aimed else max(0, floor(value))
    else:
        n += card.bonus("Sharp")
    hits = effect["hits"] if effect["hits"] == "X" else card.number(effect["hits"])
    key = "damage" if hits == 1 else "damage_twice" if hits == 2 else "damage_times"
    if effect["to"] == "all":
        key = "damage_all" if hits == 1 else "damage_all_times"
    elif effect["to"] == "random":
        key = "damage_random"
    return words[key].format(n=n, times=hits)
