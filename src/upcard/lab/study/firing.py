"""How often each rule acts: a game that was played is played again, and its rules are watched.

What counts as a rule here is each function of a game's `rules.py` that cites clauses and does something
to the table; they are found by themselves, no game is named here. A rule *acts* when a card, a chip or
anything else lies otherwise after it than before, or when it has told news. One that was asked and found
nothing to do has not acted. What a rule leaves to another counts for both.

The games are played again move by move, without those who played them: a bot that thinks with the help
of the rules would otherwise count too.
"""

from __future__ import annotations

__all__ = ["Act", "Watched", "acts", "summary", "watch"]

import functools
import inspect
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, SupportsIndex

from upcard.core.chance import chance_of
from upcard.core.game import Game
from upcard.core.news import Event, News
from upcard.core.options import Value
from upcard.core.record import Record, fields
from upcard.core.rule import RULES, Rule
from upcard.core.rulebook import clauses
from upcard.core.words import catalogue
from upcard.lab.intervals import interval

# Who is asked next, and for what: that alone is no act.
WHOSE_MOVE = {"to_move", "step"}
# Verbs that only ask a table something, whatever they write elsewhere.
ASKING = {"legal", "outcome"}
TELLING = {"tell", "tell_order"}

# What stands in a sentence for anybody and anything.
ANY = {"name": "a player", "other": "another", "card": "a card"}


@dataclass(frozen=True)
class Act:
    """A rule that can act: its name, the clauses it cites, and what it says."""

    name: str
    clauses: tuple[str, ...]
    says: str
    code: CodeType


@functools.cache
def acts(game: Game) -> tuple[Act, ...]:
    """Return the rules of a game that can act, in the order of its rulebook."""
    home = game.rules["apply"].__module__
    return tuple(_act(rule) for rule in RULES if rule.plain.__module__ == home and _can_act(rule))


def _can_act(rule: Rule) -> bool:
    """Tell whether a rule cites clauses, is given a table, and returns nothing or tells of something."""
    function = inspect.unwrap(rule.plain)
    given = inspect.get_annotations(function)
    at_a_table = next(iter(given.values())) == "Table" and function.__name__ not in ASKING
    does_something = given["return"] == "None" or bool(TELLING & set(function.__code__.co_names))
    return bool(rule.clauses) and at_a_table and does_something


def _act(rule: Rule) -> Act:
    function = inspect.unwrap(rule.plain)
    sentence = (inspect.getdoc(function) or "").partition("\n")[0]
    cited = "|".join(map(re.escape, rule.clauses))
    says = re.sub(rf"\b(?:{cited}) ", "", sentence)
    return Act(function.__name__, tuple(dict.fromkeys(rule.clauses)), says, function.__code__)


# One game


@dataclass
class Watched:
    """What was seen of one game."""

    # How often each rule acted, by its name: before the first turn, and from then on.
    setting_up: Counter[str] = field(default_factory=Counter)
    playing: Counter[str] = field(default_factory=Counter)
    # The news from the first turn on, by its code and the rule that told it.
    news: Counter[tuple[str, str]] = field(default_factory=Counter)
    turns: int = 0
    # The clause that ended the game.
    ended_by: str = ""


def watch(game: Game, options: Mapping[str, Value], seed: bytes, moves: Sequence[int]) -> Watched:
    """Play a game again, with complete options, and return how its rules acted."""
    table = game.lay(options, chance_of(seed))
    table.news = []
    watcher = _Watcher(game, table)
    with watcher.watching():
        game.rules["deal"](table)
        for move in moves:
            game.rules["apply"](table, move)
    return watcher.seen()


class _Watcher:
    """Follows the rules through one game."""

    def __init__(self, game: Game, table: Any) -> None:
        self.game = game
        self.table = table
        # By identity: it does not take long to look them up, and there are many calls.
        self.acts = {id(act.code): act.name for act in acts(game)}
        self.changes = _Changes()
        _listen(table, self.changes)
        # The rules at work, the innermost last, and how much had happened before each.
        self.at_work: list[tuple[str, int]] = []
        # Which rule told which news.
        self.told: list[tuple[str, Event]] = []
        self.watched = Watched()

    @contextmanager
    def watching(self) -> Iterator[None]:
        before = sys.getprofile()
        sys.setprofile(self._notice)
        try:
            yield
        finally:
            sys.setprofile(before)

    def _notice(self, frame: FrameType, event: str, _what: object) -> None:
        """Called by Python at every call and return of this thread."""
        name = self.acts.get(id(frame.f_code))
        if name is None:
            return
        if event == "call":
            self._hear()
            self.at_work.append((name, self._happened()))
        elif event == "return":
            self._hear()
            _, before = self.at_work.pop()
            if self._happened() > before:
                playing = self.watched.turns > 0 and name != "deal"
                (self.watched.playing if playing else self.watched.setting_up)[name] += 1

    def _happened(self) -> int:
        return self.changes.count + len(self.told)

    def _hear(self) -> None:
        """Note that the rule at work told what is new."""
        for event in self.table.news[len(self.told) :]:
            self.told.append((self.at_work[-1][0], event))
            self.watched.turns += event.kind == News.TURN

    def seen(self) -> Watched:
        names = [""] * self.table.players
        first_turn = [event.kind for _, event in self.told].index(News.TURN)
        for rule, event in self.told[first_turn:]:
            message = self.game.describe(event, names)
            code = f"table.{event.kind.name.lower()}" if message is None else message.code
            self.watched.news[code, rule] += 1
        refusal = self.game.explain(self.table, 0)
        assert refusal is not None, "no move is legal when a game is over"
        self.watched.ended_by = refusal.clause
        return self.watched


# Records that say when they change


class _Changes:
    """Counts changes."""

    count = 0


class _List(list[Any]):
    """A list that says when one of its items changes."""

    changes: _Changes

    def __setitem__(self, place: SupportsIndex | slice, value: Any) -> None:
        self.changes.count += self[place] != value
        super().__setitem__(place, value)


def _listen(record: Record, changes: _Changes) -> None:
    """Have a plain record, and all that is in it, count its changes. Chance is no thing on the table."""
    for name, inside in fields(record).items():
        value = getattr(record, name)
        if inside.length is not None:
            for item in value if inside.record is not None else ():
                _listen(item, changes)
            listening = _List(value)
            listening.changes = changes
            setattr(record, name, listening)
        elif inside.record is not None and name != "chance":
            _listen(value, changes)
    record.__dict__["changes"] = changes
    kind: Any = type(record)
    record.__class__ = _listening(kind)


@functools.cache
def _listening(kind: Any) -> Any:
    """Return a kind of record that says when one of its numbers changes."""

    def change(self: Record, name: str, value: Any) -> None:
        inside = self.__dict__
        # A copy that is being made has nobody to tell yet.
        if "changes" in inside and name not in WHOSE_MOVE and inside.get(name) != value:
            inside["changes"].count += 1
        inside[name] = value

    return type(kind.__name__, (kind,), {"__setattr__": change, "__module__": kind.__module__})


# Many games


def summary(game: Game, games: Sequence[Watched], confidence: float) -> dict[str, Any]:
    """Return how often each rule acted and each thing was told, the rarest first, ready for JSON."""
    texts = clauses(game.id)
    playing = [act for act in acts(game) if not _only_sets_up(act, games)]
    rows = [
        {"rule": act.name, "clauses": list(act.clauses), "says": act.says}
        | _often([watched.playing[act.name] for watched in games], confidence)
        for act in playing
    ]
    cited = {clause for act in acts(game) for clause in act.clauses}
    return {
        "games": len(games),
        "turns_per_game": _mean([watched.turns for watched in games], confidence),
        "rules": sorted(rows, key=_rarest),
        "news": sorted(_news(game, games, confidence), key=_rarest),
        "ended_by": _ended_by(games, confidence),
        "only_set_up": [
            {"rule": act.name, "clauses": list(act.clauses), "says": act.says}
            for act in acts(game)
            if act not in playing
        ],
        "cannot_act": [clause for clause in texts if clause not in cited],
        "clauses": texts,
    }


def _often(times: Sequence[int], confidence: float) -> dict[str, Any]:
    """Return how many times a game something happened, and in which share of the games at all."""
    some = [time > 0 for time in times]
    low, high = interval(some, confidence)
    fewest, most = interval(times, confidence, 0, max(1, *times))
    return {
        "times_per_game": round(sum(times) / len(times), 6),
        "times_interval": [round(fewest, 6), round(most, 6)],
        "share_of_games": round(sum(some) / len(some), 6),
        "interval": [round(low, 6), round(high, 6)],
    }


def _only_sets_up(act: Act, games: Sequence[Watched]) -> bool:
    return any(watched.setting_up[act.name] for watched in games) and not any(
        watched.playing[act.name] for watched in games
    )


def _rarest(row: Mapping[str, Any]) -> tuple[float, float]:
    return row["share_of_games"], row["times_per_game"]


def _news(game: Game, games: Sequence[Watched], confidence: float) -> Iterator[dict[str, Any]]:
    cited = {act.name: act.clauses for act in acts(game)}
    told = dict.fromkeys(code for watched in games for code, _ in watched.news)
    for code in told:
        rules = dict.fromkeys(rule for watched in games for known, rule in watched.news if known == code)
        times = [sum(watched.news[code, rule] for rule in rules) for watched in games]
        by = list(dict.fromkeys(clause for rule in rules for clause in cited[rule]))
        yield {"news": code.partition(".")[2], "clauses": by, "says": _says(code)} | _often(times, confidence)


def _says(code: str) -> str:
    """Return the sentence of a piece of news, with anybody in the place of names."""
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
