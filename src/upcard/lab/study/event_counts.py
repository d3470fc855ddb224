"""How often each kind of event happens in a game, with the clauses of the rules that emit it.

A finished game is replayed by plain rules, move by move and without its bots, and the events that its rules
emit from the first turn on are counted. The code is the same for all games.
"""

from __future__ import annotations

__all__ = ["Watched", "emitted_by", "summary", "watch"]

import functools
import inspect
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from upcard.core.chance import chance_of
from upcard.core.events import EventKind
from upcard.core.game import Game
from upcard.core.options import Value
from upcard.core.rule import RULES
from upcard.core.rulebook import clauses
from upcard.i18n import catalogue
from upcard.lab.intervals import interval

# Words that replace names in a sentence.
ANY = {"name": "a player", "other": "another", "card": "a card"}


@functools.cache
def emitted_by(game: Game) -> dict[str, tuple[str, ...]]:
    """Return the kinds of events in a game's rules, each with the clauses that these rules cite."""
    home, known = game.rules["apply"].__module__, {kind.name for kind in game.event_kinds.values()}
    cited: dict[str, dict[str, None]] = {}
    for rule in RULES:
        if rule.plain.__module__ == home and rule.clauses:
            named = inspect.unwrap(rule.plain).__code__.co_names
            kinds = [name for name in named if name in known]
            for kind in kinds + ["SHUFFLED"] * ("emit_shuffle" in named):
                cited.setdefault(kind.lower(), {}).update(dict.fromkeys(rule.clauses))
    return {kind: tuple(found) for kind, found in cited.items()}


@dataclass(frozen=True)
class Watched:
    """The events of one game from its first turn on, counted."""

    # How often each event happened, by its kind and the code of its sentence.
    events: Counter[tuple[str, str]]
    turns: int
    # The clause that ended the game.
    ended_by: str


def watch(game: Game, options: Mapping[str, Value], seed: bytes, moves: Sequence[int]) -> Watched:
    """Replay a game, with complete options, and count its events."""
    table = game.new_table(options, chance_of(seed))
    table.events = []
    game.rules["deal"](table)
    for move in moves:
        game.rules["apply"](table, move)
    kinds = [event.kind for event in table.events]
    names = [""] * table.players
    events: Counter[tuple[str, str]] = Counter()
    for event in table.events[kinds.index(EventKind.TURN) :]:
        kind, message = event.kind.name.lower(), game.describe(event, names)
        events[kind, f"table.{kind}" if message is None else message.code] += 1
    refusal = game.explain(table, 0)
    assert refusal is not None, "no move is legal when a game is over"
    return Watched(events, kinds.count(EventKind.TURN), refusal.clause)


def summary(game: Game, games: Sequence[Watched], confidence: float) -> dict[str, Any]:
    """Return how often each event happened, the rarest first, ready for JSON."""
    happened = dict.fromkeys(event for watched in games for event in watched.events)
    never = emitted_by(game).keys() - {kind for kind, _ in happened} - _before_first_turn(game)
    rows = [
        _row(game, kind, code, [watched.events[kind, code] for watched in games], confidence)
        for kind, code in [*((kind, f"table.{kind}") for kind in sorted(never)), *happened]
    ]
    return {
        "games": len(games),
        "turns_per_game": _mean([watched.turns for watched in games], confidence),
        "events": sorted(rows, key=lambda row: (row["share_of_games"], row["times_per_game"])),
        "ended_by": _ended_by(games, confidence),
        "clauses": clauses(game),
    }


def _before_first_turn(game: Game) -> set[str]:
    """Return the kinds of events that set a table up."""
    table = game.new_table(game.complete({}), chance_of(b""))
    table.events = []
    game.rules["deal"](table)
    return {event.kind.name.lower() for event in table.events}


def _row(game: Game, kind: str, code: str, times: Sequence[int], confidence: float) -> dict[str, Any]:
    some = [time > 0 for time in times]
    low, high = interval(some, confidence)
    fewest, most = interval(times, confidence, 0, max(1, *times))
    return {
        "event": code.partition(".")[2],
        "clauses": list(emitted_by(game).get(kind, ())),
        "says": _says(code),
        "times_per_game": round(sum(times) / len(times), 6),
        "times_interval": [round(fewest, 6), round(most, 6)],
        "share_of_games": round(sum(some) / len(some), 6),
        "interval": [round(low, 6), round(high, 6)],
    }


def _says(code: str) -> str:
    """Return the sentence of an event, with words such as "a player" in place of names."""
    sentence = catalogue().gapped(code) or code.partition(".")[2].replace("_", " ") + "."
    filled = re.sub(r"\{(\w+)\}", lambda gap: ANY.get(gap[1], "…"), sentence)
    return filled[:1].upper() + filled[1:]


def _ended_by(games: Sequence[Watched], confidence: float) -> list[dict[str, Any]]:
    found = Counter(watched.ended_by for watched in games)
    rows = []
    for clause, _ in found.most_common():
        low, high = interval([watched.ended_by == clause for watched in games], confidence)
        share = round(found[clause] / len(games), 6)
        rows.append({"clause": clause, "share_of_games": share, "interval": [round(low, 6), round(high, 6)]})
    return rows


def _mean(values: Sequence[int], confidence: float) -> dict[str, Any]:
    low, high = interval(values, confidence, 0, max(values))
    return {"mean": round(sum(values) / len(values), 3), "interval": [round(low, 3), round(high, 3)]}
