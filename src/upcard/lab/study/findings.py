"""The findings of studies and tournaments as plain sentences."""

from __future__ import annotations

__all__ = [
    "about",
    "between",
    "can_differ",
    "ended_by",
    "endings",
    "events",
    "house_rules",
    "length",
    "named",
    "number",
    "of_100",
    "option_effect",
    "places",
    "score_unit",
    "skill",
    "span",
    "studied",
    "tournament",
    "turn_order",
]

import re
from collections.abc import Mapping, Sequence
from typing import Any

from upcard.core.text import counted
from upcard.games import find
from upcard.i18n import catalogue
from upcard.lab.study.variations import word

# Rules that apply in less than this share of the games are called rare.
RARE = 0.1

ENDINGS = {
    "won": "are won",
    "stuck": "end because no one can continue",
    "scored": "end with a count of the points",
    "limit": "run into a limit",
}

Facts = Mapping[str, Any]


# Numbers as people say them


def of_100(share: float) -> str:
    """Return a share as a number of 100."""
    return f"{100 * share:.1f}".removesuffix(".0")


def between(interval: Sequence[float]) -> str:
    """Return an interval of a share."""
    return f"between {of_100(interval[0])} and {of_100(interval[1])}"


def span(interval: Sequence[float]) -> str:
    """Return an interval of a share, for tables."""
    return f"{of_100(interval[0])} to {of_100(interval[1])}"


def number(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0")


def named(names: Sequence[str]) -> str:
    """Return some names as a list that can be read out."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def places(players: int) -> list[str]:
    """Return the places in the order of turns."""
    return ["first", "second", "third", "fourth", "fifth", "sixth"][:players]


def about(facts: Facts) -> str:
    """Return a description of the game, such as `Lines with 3 players, give=matching`."""
    return ", ".join([f"{facts['title']} with {facts['players']} players", *house_rules(facts)])


def house_rules(facts: Facts) -> list[str]:
    """Return the options that differ from their defaults, as in give=matching, without `players`."""
    options = [option for option in find(facts["game"]).options if option.name != "players"]
    chosen = {option.name: facts["options"][option.name] for option in options}
    return [
        f"{option.name}={word(chosen[option.name])}"
        for option in options
        if chosen[option.name] != option.default
    ]


def score_unit(game: str) -> str:
    """Return what the scores of a game count, as in `cards left`."""
    written = re.search(r"\((.+)\)", catalogue().gapped(f"{find(game).id}.scores") or "")
    return written[1] if written else "score"


# Tournaments


def tournament(facts: Facts) -> str:
    """Say what was measured, and which bot is the strongest."""
    first, second = facts["standings"][:2]
    asked = f"Which bot plays {about(facts)} best: {', '.join(facts['bots'][:-1])} or {facts['bots'][-1]}?"
    wins = (
        f"it wins {of_100(first['share'])} of 100 games ({between(first['interval'])}), and "
        f"{of_100(facts['equal_share'])} would be an equal share"
    )
    pair = {first["bot"], second["bot"]}
    verdicts = [row["verdict"] for row in facts["comparisons"] if {row["bot"], row["against"]} == pair]
    if verdicts == ["open"]:
        return f"{asked} It is not settled. {first['bot']} is ahead of {second['bot']}: {wins}."
    return f"{asked} {first['bot']}: {wins}."


# Studies


def studied(facts: Facts) -> str:
    """Say what was measured, and the answer in short."""
    asked = f"What kind of game is {about(facts)}?"
    if "games" not in facts:
        return f"{asked} The study was stopped before it had an answer."
    minutes = f"{number(facts['length']['minutes']['mean'])} minutes"
    said = [f"It takes about {number(facts['length']['mean'])} moves, or {minutes}.", turn_order(facts)]
    if "skill" in facts:
        said.append(skill(facts["skill"]))
    return " ".join([asked, *said])


def turn_order(figures: Facts) -> str:
    """Say how large the advantage of going first is."""
    first, equal = figures["turn_order"][0], figures["equal_share"]
    low, high = first["interval"]
    if low > equal:
        verdict = "Going first is an advantage."
    elif high < equal:
        verdict = "Going first is a disadvantage."
    else:
        verdict = "That may be chance: no advantage or disadvantage shows."
    return (
        f"The player who starts wins {of_100(first['share'])} of 100 games "
        f"({between(first['interval'])}); a fair share would be {of_100(equal)}. {verdict}"
    )


def length(facts: Facts) -> str:
    """Say how long a game is, in moves and in minutes."""
    moves = facts["length"]
    minutes, (low, high) = moves["minutes"], moves["middle_half"]
    return (
        f"A game takes {number(moves['mean'])} moves; half of all games take "
        f"{number(low)} to {number(high)}, and one in 100 takes {moves['longest_of_100']} or more. "
        f"If people take {number(facts['pace'])} seconds a move, which is an assumption, that is "
        f"{number(minutes['mean'])} minutes, and {number(minutes['longest_of_100'])} for the long one."
    )


def endings(figures: Facts) -> str:
    """Say how games end."""
    ends = sorted(figures["reasons"].items(), key=lambda item: -item[1]["games"])
    said = [f"{of_100(end['share'])} {ENDINGS[reason]}" for reason, end in ends if end["games"]]
    shared = figures["shared_wins"]["share"]
    together = f" In {of_100(shared)} of 100, several share the win." if shared else ""
    return f"Of 100 games, {named(said)}.{together}"


def events(rules: Facts) -> str:
    """Say which events are rare."""
    never = [_cited(row) for row in rules["events"] if not row["share_of_games"]]
    rare = [_cited(row) for row in rules["events"] if 0 < row["share_of_games"] < RARE]
    said = [f"{', '.join(never)} never happened" if never else "every event in the rules happened"]
    if rare:
        said.append(f"{', '.join(rare)} happened in fewer than {of_100(RARE)} of 100")
    text = "; ".join(said)
    turns = number(rules["turns_per_game"]["mean"])
    games = counted(rules["games"], "game")
    return f"In {games} whose events were counted, {turns} turns long on average, {text}."


def ended_by(rules: Facts) -> str:
    """Say which clauses ended the games whose events were counted."""
    said = [f"{end['clause']} ended {of_100(end['share_of_games'])}" for end in rules["ended_by"]]
    return f"Of 100 games whose events were counted, {named(said)}."


def _cited(row: Facts) -> str:
    name = row["event"].replace("_", " ")
    return f"{name} ({'/'.join(row['clauses'])})" if row["clauses"] else name


def option_effect(option: Facts) -> str:
    """Say what an option changes, comparing its most different values."""
    played = [value for value in option["values"] if "games" in value]
    if len(played) < 2:
        return f"There is nothing to compare {option['option']} with."
    return f"{_effect_on_length(option['option'], played)} {_effect_on_start(option['option'], played)}"


def _effect_on_length(name: str, values: Sequence[Facts]) -> str:
    short, *_, long = sorted(values, key=lambda value: float(value["length"]["mean"]))
    if short["length"]["interval"][1] >= long["length"]["interval"][0]:
        return "The length of a game does not change visibly."
    return (
        f"Games are shortest with {name}={word(short['value'])}, {number(short['length']['mean'])} moves, "
        f"and longest with {name}={word(long['value'])}, {number(long['length']['mean'])} moves."
    )


def _effect_on_start(name: str, values: Sequence[Facts]) -> str:
    """Say for which value going first is the largest advantage, if the intervals do not overlap."""
    first = {id(value): value["turn_order"][0] for value in values}
    worst, *_, best = sorted(
        values, key=lambda value: float(first[id(value)]["share"] - value["equal_share"])
    )
    most_of_worst = first[id(worst)]["interval"][1] - worst["equal_share"]
    if most_of_worst >= first[id(best)]["interval"][0] - best["equal_share"]:
        return "The advantage of going first does not change visibly."
    said = [
        f"{name}={word(value['value'])} ({of_100(first[id(value)]['share'])} of 100, where "
        f"{of_100(value['equal_share'])} are fair)"
        for value in (best, worst)
    ]
    return f"The starter does best with {said[0]} and worst with {said[1]}."


def can_differ(facts: Facts) -> str:
    """Say why another run of a study or tournament can give different results; nothing if it cannot."""
    bots = facts["by_the_clock"]
    if not bots:
        return ""
    have = "has a time limit" if len(bots) == 1 else "have time limits"
    return f"{named(bots)} {have}, so another run deals the same cards but can play other moves."


def skill(facts: Facts) -> str:
    """Say how much of the game is skill, and how often the cards decide."""
    strong, weak, equal = facts["strong"], facts["weak"], facts["equal_share"]
    same = facts["fates"]["same_seat"]
    return (
        f"{strong} wins {of_100(facts['share'])} of 100 games against {weak} with the same cards "
        f"({between(facts['interval'])}); luck alone would give {of_100(equal)}. In "
        f"{of_100(same['share'])} of 100 deals ({between(same['interval'])}) the same seat won "
        "with either bot: the cards decided."
    )
