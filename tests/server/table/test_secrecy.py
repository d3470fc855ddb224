"""Two tables that look the same to a viewer give that viewer the same bytes, whatever else differs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import replace

import msgspec
import pytest

from tests.cases import ALL_CASES, Case, each_case
from tests.server.tables import Tried
from upcard.core.chance import chance_of
from upcard.core.errors import NotationError, Refused
from upcard.core.events import sees
from upcard.core.game import determinize
from upcard.core.seats import SPECTATOR
from upcard.games import GAMES
from upcard.match.log import Moved, Shuffled
from upcard.server.table import commands
from upcard.server.table import entries as log
from upcard.server.table.parts import AppliedEntry
from upcard.server.table.projection import project_entry, project_record, project_state
from upcard.server.table.state import TableState

# After this number of prefixes everything is compared, not only what is new.
ALL_OF_IT = 10

encode = msgspec.json.Encoder(order="sorted").encode


def twin_of(table: Tried, viewer: int | None, seed: bytes, since: int = 0) -> TableState:
    """Return another table that the viewer cannot distinguish from this one: other hands, other cards to
    come, and a different history since an entry."""
    twin, match = copy(table.state), table.state.match
    assert match is not None
    other = match.game.Table()
    determinize(match.view(viewer), other, chance_of(seed))
    other.events, other.apart = [], 1
    if twin.window is not None:
        other.to_move = match.table.to_move  # the first seat that is asked, which everyone knows
    twin.match, twin._legal = copy(match), None
    twin.match.table = other
    twin.match.log = [entry for entry in match.log if not is_secret(entry, viewer)]
    before, after = twin.history[:since], twin.history[since:]
    twin.history = before + [with_other_secrets(applied, viewer) for applied in after]
    return twin


def with_other_secrets(applied: AppliedEntry, viewer: int | None) -> AppliedEntry:
    """Return an entry with different cards and answers wherever the viewer has not seen them."""
    looking = SPECTATOR if viewer is None else viewer - 1
    news = [
        event
        if sees(looking, event.audience)
        else replace(event, card=event.card ^ 1, cards=event.cards[::-1])
        for event in applied.news
        if not event.secret or sees(looking, event.audience)
    ]
    entry = applied.entry
    if isinstance(entry, log.Opened):
        entry = msgspec.structs.replace(entry, secret=entry.secret[::-1])
    if isinstance(entry, log.Closed):
        entry = log.Closed({seat: move for seat, move in entry.answers.items() if seat == viewer})
    return replace(applied, entry=entry, news=news)


def is_secret(entry: Shuffled | Moved, viewer: int | None) -> bool:
    """Whether an entry in the log of the match is hidden from the viewer."""
    return isinstance(entry, Moved) and entry.secret and entry.seat + 1 != viewer


def all_told(state: TableState, viewer: int | None, since: int = 0) -> bytes:
    """Return everything that a viewer can get of a table: state, events since an entry, and every refusal;
    for all entries, also the record."""
    told = [project_entry(state, applied, viewer) for applied in state.history[since:]]
    record = None if since else project_record(state, viewer)
    return encode([project_state(state, viewer), told, record, list(refusals(state, viewer))])


def refusals(state: TableState, viewer: int | None) -> Iterator[str]:
    """Return the answers to moves that this viewer may not make."""
    person = "stranger" if viewer is None else f"p{viewer}"
    match = state.match
    assert match is not None
    if state.to_move == viewer:
        return
    for text in (
        "block",
        "allow",
        "x r1",
        "r1 R1",
        "stock 1",
        "A 1",
        "r1 top",
        "card @1 hand",
        "end",
        "pass",
    ):
        for attempt in (commands.play, commands.answer):
            try:
                attempt(state, person, text, state.seq)
            except (Refused, NotationError) as error:
                yield str(error)
            else:
                yield "accepted"


def check_prefixes(case: Case, seed: int, every: int, most: int) -> Counter[str]:
    """Compare a game with its twins after some of its moves, for everyone: the new entries, and now and then
    everything. Return the number of prefixes and of comparisons."""
    options = dict(case.options)
    table, dice = Tried(case.game.id, options.pop("players"), options).start(), random.Random(seed)
    counts: Counter[str] = Counter()
    since = 0
    for number in range(most):
        if table.state.phase != "playing":
            break
        if number % every == 0:
            if counts["prefixes"] % ALL_OF_IT == 0:
                since = 0
            for viewer in (None, *range(1, len(table.state.seats) + 1)):
                twin = twin_of(table, viewer, f"{seed} {number} {viewer}".encode(), since)
                assert all_told(twin, viewer, since) == all_told(table.state, viewer, since)
                counts["comparisons"] += 1
            counts["prefixes"] += 1
            since = table.state.seq
        table.step(dice)
    return counts


@each_case
def test_a_viewer_learns_nothing_that_its_view_does_not_have(case: Case) -> None:
    assert check_prefixes(case, seed=1, every=8, most=100)["prefixes"] > 0


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_window_opens_for_everyone_no_matter_who_holds_a_block_K5_4(players: int) -> None:
    """Whichever player might hold a block, everyone else gets the same bytes while players are asked."""
    table, dice = Tried("stacks", players).start(), random.Random(players)
    windows = 0
    while table.state.phase == "playing" and windows < 3:
        if table.state.window is not None:
            windows += 1
            match = table.state.match
            assert match is not None
            assert match.asked == [
                seat for seat in _in_turn_order(table) if match.view().seats[seat - 1].hand_count > 0
            ]
            told = {
                encode(project_state(twin_of(table, None, bytes([number])), None)) for number in range(30)
            }
            assert told == {encode(project_state(table.state, None))}
        table.step(dice)
    assert windows == 3


def _in_turn_order(table: Tried) -> list[int]:
    match = table.state.match
    assert match is not None
    players, player, direction = match.table.players, match.table.player, match.table.direction
    return [(player + direction * step) % players + 1 for step in range(1, players)]


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_nobody_learns_anything_over_a_hundred_thousand_prefixes(game: str) -> None:
    cases = [case for case in ALL_CASES if case.game.id == game]
    counts: Counter[str] = Counter()
    seed = 0
    while counts["prefixes"] < 34_000:
        counts += check_prefixes(cases[seed % len(cases)], seed, every=1, most=400)
        seed += 1
    print(
        f"secrecy: {game}, {counts['prefixes']} prefixes of {seed} games, {counts['comparisons']} comparisons"
    )
