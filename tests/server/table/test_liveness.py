"""Nobody gets stuck: from any state of a table, no matter who is away, a game ends if bots may fill in."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.cases import ALL_CASES, Case, each_case
from tests.server.soak import (
    Caller,
    House,
    asked,
    begun,
    broken,
    folded,
    house,
    let_quick_bots_play,
    no_note_is_read,
    nothing_is_written,
    quick_folder,
    run,
    seated,
    settled,
    standing_clock,
    step,
    until,
)
from tests.server.tables import SHORT, Tried, each_game
from upcard.core.errors import Refused
from upcard.server.runtime import housekeeping
from upcard.server.table import commands
from upcard.server.table import entries as log
from upcard.server.table.commands import StaleBase
from upcard.server.table.entries import Entry
from upcard.server.table.state import TableState

# No random game needs more steps than this.
MAX_STEPS = 20_000


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    let_quick_bots_play(monkeypatch)


# Any state


def wander(table: Tried, dice: random.Random, steps: int) -> None:
    """Let people do anything that is allowed, to reach any state of a table."""
    for _ in range(steps):
        if table.state.phase != "playing":
            return
        table.now += dice.random() * 10
        entries = anything(table.state, dice, table.now)
        table.write(entries)


def anything(state: TableState, dice: random.Random, now: float) -> list[Entry]:
    """Return the entries that result from a random attempt."""
    person = dice.choice([seat.person for seat in state.seats if seat.person is not None])
    what = dice.choices(
        ("move", "wait", "leave", "come", "undo", "answer", "end", "answer end", "resign", "hand over"),
        (20, 5, 2, 3, 3, 2, 1, 0.3, 0.1, 1),
    )[0]
    try:
        match what:
            case "move":
                return move(state, dice)
            case "wait":
                return by_itself(state, dice, now + 100.0)
            case "leave":
                return commands.leave(state, person)
            case "come":
                return commands.come_back(state, person)
            case "undo":
                return commands.ask_undo(state, person, state.seq)
            case "answer":
                return commands.answer_undo(state, person, dice.random() < 0.7)
            case "end":
                return commands.ask_end(state, person)
            case "answer end":
                return commands.answer_end(state, person, dice.random() < 0.5)
            case "resign":
                return commands.resign(state, person)
            case _:
                seat = state.seat_of(person)
                assert seat is not None
                return commands.hand_over(state, seat, person, f"{person}'s telephone")
    except (Refused, StaleBase):
        return []


def move(state: TableState, dice: random.Random) -> list[Entry]:
    """Make a move for the person to move."""
    seat, match = state.to_move, state.match
    assert match is not None
    person = None if seat is None else state.seats[seat - 1].person
    return [] if person is None else commands.play(state, person, dice.choice(match.legal), state.seq)


def by_itself(state: TableState, dice: random.Random, now: float) -> list[Entry]:
    """Return the entries that a server would write on its own at a time."""
    match, window = state.match, state.window
    assert match is not None
    if window is not None:
        answers = {
            seat: match.game.write_move(match.table, dice.choice(match.answers(seat)))
            for seat in match.asked
            if state.seats[seat - 1].player is not None
        }
        return commands.close_window(state, window.opened, answers, now)
    if state.bot_to_move is not None:
        number = dice.choice(match.game.legal_moves(match.table))
        return commands.bot_move(state, state.changed, number, now)
    return commands.end_patience(state, now)


def play_without(table: Tried, absent: set[int], dice: random.Random) -> int:
    """Continue while the absent players do nothing; return the number of steps.

    Every step changes something, and the time only advances to the next deadline.
    """
    for steps in range(MAX_STEPS):
        state = table.state
        if state.phase != "playing":
            return steps
        seat = state.to_move
        chair = None if seat is None or seat in absent else state.seats[seat - 1]
        if chair is not None and chair.person is not None and not chair.resigned:
            entries = move(state, dice)
        else:
            assert state.due is not None, "nothing will ever happen here"
            table.now = max(table.now, state.due)
            entries = by_itself(state, dice, table.now)
        assert entries, "something was due, and nothing happened"
        table.write(entries)
    raise AssertionError("this game never ends")


def end_from_anywhere(case: Case, seed: int) -> Counter[str]:
    """Reach some state, and continue from there with every set of people absent, or some of the sets."""
    dice = random.Random(f"{case} {seed}")
    options = case.options
    players = options.pop("players")
    bots = {seat: "easy" for seat in range(2, players + 1) if dice.random() < 0.2}
    table = Tried(case.game.id, players, options, patience="bot", bots=bots).start()
    wander(table, dice, dice.randrange(120))
    counts = Counter(
        states=1,
        windows=table.state.window is not None,
        undos=table.state.undo is not None,
        left=any(seat.left and seat.stand_in is None for seat in table.state.seats),
    )
    sets = [
        set(absent)
        for size in range(players + 1)
        for absent in itertools.combinations(range(1, players + 1), size)
    ]
    for absent in [set(range(1, players + 1)), *dice.sample(sets, 2)]:
        again = copy_of(table)
        counts["steps"] += play_without(again, absent, dice)
        assert again.state.result is not None
        counts["games"] += 1
    return counts


def copy_of(table: Tried) -> Tried:
    """Return another table with the same log."""
    copy = Tried.__new__(Tried)
    copy.state, copy.now, copy.entries = table.again(), table.now, list(table.entries)
    return copy


@each_case
def test_from_any_state_with_anyone_absent_a_game_ends(case: Case) -> None:
    counts = end_from_anywhere(case, seed=1)
    assert counts["games"] == 3


@pytest.mark.soak
@each_game
def test_from_a_thousand_states_with_anyone_absent_a_game_ends(game: str) -> None:
    cases = [case for case in ALL_CASES if case.game.id == game]
    total: Counter[str] = Counter()
    for seed, case in zip(range(1_000), itertools.cycle(cases), strict=False):
        total += end_from_anywhere(case, seed)
    states = (
        f"{total['windows']} with a window, {total['undos']} with an undo, {total['left']} left by someone"
    )
    print(f"liveness: {game}, {total['games']} games ended from {total['states']} states ({states})")


# A whole server


async def leave_alone(place: House, game: str, players: int, seed: int) -> TableState:
    """Play for a while, leave, and check what happens at the table."""
    dice = random.Random(f"{game} {seed}")
    table, callers = await begun(place, game, players, options=SHORT[game])
    # Without any viewer, nothing would happen.
    await (await place.caller()).watch(table)
    for _ in range(dice.randrange(30)):
        await step(place, table, callers, dice)
    absent = {caller.mark for caller in callers if dice.random() < 0.7}
    while (state := (await place.actor(table)).state).phase == "playing":
        seat = state.to_move
        mover = None if seat is None else state.seats[seat - 1].person
        if mover is None or mover in absent:
            await place.pass_time(table)
        else:
            caller = next(one for one in callers if one.mark == mover)
            legal = (await caller.look(table))["legal"]
            await caller.do(table, "play", base=state.seq, move=dice.choice(legal))
    return await folded(place, table)


@pytest.mark.parametrize("players", [2, 3])
@each_game
def test_a_table_that_is_left_alone_ends_its_game(game: str, players: int) -> None:
    async def ends(folder: Path) -> None:
        async with house(folder) as place:
            state = await leave_alone(place, game, players, seed=players)
            assert state.match is not None
            assert state.match.result is not None

    with quick_folder() as folder:
        run(ends(folder))


@each_game
def test_a_table_continues_after_a_restart_as_long_as_its_people_are_expected_back(game: str) -> None:
    async def begin(folder: Path) -> str:
        async with house(folder) as place:
            table, _ = await begun(place, game, pace=1, window_seconds=1)
            return table

    async def go_on(folder: Path, table: str) -> None:
        async with house(folder) as place:
            standing_clock().now += 3_601
            actors = place.tables.actors
            await until(lambda: table in actors and len(entries_of(actors[table].state)) > 4)

            def by_bots() -> list[Entry]:
                entries = entries_of(actors[table].state)
                return [entry for entry in entries if isinstance(entry, log.Moved) and entry.by == "bot"]

            await until(lambda: bool(by_bots()), 0.5)
            assert isinstance(entries_of(actors[table].state)[4], log.SatIn)

    with quick_folder() as folder:
        table = run(begin(folder))
        run(go_on(folder, table))


@pytest.mark.parametrize("people", [0, 1])
def test_bots_do_not_think_while_nobody_is_present_or_expected(people: int) -> None:
    """Abandoned tables must not take time from others, not even after a restart."""
    seats = [{"bot": "easy"}] * 2 if people == 0 else [{}, {"bot": "easy"}]

    async def begin(folder: Path) -> tuple[str, int]:
        async with house(folder) as place:
            table, callers = await begun(place, "lines", seats=seats)
            if people:
                await callers[0].do(table, "leave")
            standing_clock().now += 300
            await settled()
            return table, (await place.actor(table)).state.seq

    async def wait(folder: Path, table: str, seq: int) -> None:
        async with house(folder) as place:
            standing_clock().now += 4_000
            for _ in range(5):
                standing_clock().now += 1
                await settled()
            assert await place.tables.node.store.due(1e12, 10) == []
            assert (await place.actor(table)).state.seq == seq
            # A person watches, and the table continues.
            await (await place.caller()).watch(table)
            await until(lambda: place.tables.actors[table].state.seq > seq, 1.0)

    with quick_folder() as folder:
        table, seq = run(begin(folder))
        run(wait(folder, table, seq))


def entries_of(state: TableState) -> list[Entry]:
    return [applied.entry for applied in state.history]


def test_deadlines_are_met_after_the_only_node_that_knew_them_is_gone() -> None:
    """The other node does not know two of the tables, and knows the third as it was before the game."""

    async def outlive(folder: Path) -> None:
        async with house(folder) as there:
            async with house(folder) as here:
                for place in (here, there):
                    place.tables.node.bus.is_shared = True  # but which delivers nothing
                bots, _ = await begun(here, "stockpile", 3, seats=[{}, {"bot": "easy"}, {"bot": "easy"}])
                window, _ = await asked(here)
                nudged, callers = await seated(here, "lines", patience="nudge", patience_seconds=1)
                abroad = Caller(there, callers[0].token, callers[0].mark)
                assert (await abroad.look(nudged))["phase"] == "open"
                assert (await callers[0].do(nudged, "start")).type == "done"
                await here.tables.node.store.count()  # in the meantime, everything under way continues
            assert there.tables.actors.keys() == {nudged}
            actors = there.tables.actors

            def has_happened(table: str, kind: type[Entry]) -> bool:
                entries = entries_of(actors[table].state) if table in actors else []
                return any(isinstance(entry, kind) for entry in entries)

            began = standing_clock().now
            for table, kind in ((nudged, log.Nudged), (bots, log.Moved), (window, log.Closed)):
                await until(lambda: has_happened(table, kind), 1.0)  # noqa: B023 - before the next
                await folded(there, table)
            # Some time before the other node checks all logs, which it does from time to time.
            assert actors[nudged].state.history[4].at < began + 10

    with quick_folder() as folder:
        run(outlive(folder))


# A clock that is set


@pytest.mark.parametrize("seconds", [30.0, -30.0])
def test_deadlines_are_met_at_their_time_of_day_although_the_clock_is_set(seconds: float) -> None:
    async def set_clock(folder: Path) -> None:
        loop, ahead = standing_clock(), 0.0
        async with house(folder, clock=lambda: loop.now + ahead) as place:
            table, _ = await begun(place, "lines", patience="nudge", patience_seconds=60)
            actor = await place.actor(table)
            due, before = actor.state.due, loop.now
            assert due is not None
            ahead = seconds
            await until(lambda: len(entries_of(actor.state)) > 4, 0.25)
            assert isinstance(entries_of(actor.state)[4], log.Nudged)
            # Housekeeping, which runs every second, has noticed.
            assert due <= actor.state.history[4].at < due + 2
            assert 60 - seconds <= loop.now - before < 60 - seconds + 2

    with quick_folder() as folder:
        run(set_clock(folder))


# Failures


@each_game
def test_a_clock_that_was_ahead_postpones_nothing(game: str) -> None:
    table = Tried(game, patience="bot", patience_seconds=60.0).start()
    table.state.rebase(table.now - 300.0)
    assert table.state.patience_ends == table.now - 240.0
    assert table.state.touched == table.now - 300.0
    again = Tried("lines", bots={1: "easy", 2: "easy"}).start()
    again.state.rebase(again.now - 300.0)
    assert again.state.bot_moves_at == again.now - 300.0 + again.state.pace


@pytest.mark.parametrize("window", [False, True])
def test_a_table_that_was_archived_is_open_again_for_the_people_who_come_back(
    window: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock was two weeks ahead when the server started, so it archived a game that was not over."""

    async def begin(folder: Path) -> tuple[str, Caller]:
        async with house(folder) as place:
            table, callers = await (asked(place) if window else begun(place, "lines"))
            return table, callers[0]

    async def archive(folder: Path, table: str) -> None:
        async with house(folder, clock=lambda: standing_clock().now + 15 * 86_400) as place:
            actors = place.tables.actors
            await until(lambda: table in actors and actors[table].state.phase == "archived", 1.0)

    async def come_back(folder: Path, table: str, caller: Caller) -> None:
        async with house(folder) as place:
            stranger, player = await place.caller(), Caller(place, caller.token, caller.mark)
            await stranger.watch(table)
            await settled()
            assert (await stranger.look(table))["phase"] == "archived"
            await player.watch(table)
            await until(lambda: place.tables.actors[table].state.phase == "playing")
            shown = await player.look(table)
            assert (shown["window"] is not None) is window
            due = place.tables.actors[table].state.due
            assert due is None or due <= standing_clock().now + 3_600
            if window:
                await until(lambda: place.tables.actors[table].state.seq > shown["seq"], 1.0)
            await folded(place, table)

    monkeypatch.setattr(housekeeping, "ARCHIVE_ROUNDS", 2)
    with quick_folder() as folder:
        table, caller = run(begin(folder))
        run(archive(folder, table))
        run(come_back(folder, table, caller))


async def until_it_failed(lines: Sequence[Mapping[str, Any]]) -> None:
    """Wait until an attempt has failed."""
    await until(lambda: any(line["event"] == "the database fails, trying again" for line in lines))


def test_a_table_continues_after_its_database_was_gone_for_a_while() -> None:
    """The answers in a window cannot be read when it should close."""

    async def go_on(folder: Path) -> None:
        async with house(folder) as place:
            table, _ = await asked(place)
            state = (await place.actor(table)).state
            assert state.window is not None
            before = state.seq
            with capture_logs() as lines, no_note_is_read(folder):
                standing_clock().now = state.window.closes + 1
                await until_it_failed(lines)
            assert state.seq == before
            await until(lambda: place.tables.actors[table].state.seq > before, 1.0)
            await folded(place, table)

    with quick_folder() as folder:
        run(go_on(folder))


def test_a_bot_moves_after_its_database_was_gone_for_a_while() -> None:
    async def go_on(folder: Path) -> None:
        async with house(folder) as place:
            table, _ = await begun(place, "lines", seats=[{"bot": "easy"}, {"bot": "easy"}])
            await (await place.caller()).watch(table)
            before = (await place.actor(table)).state.seq
            with capture_logs() as lines, nothing_is_written(folder):
                standing_clock().now += 11
                await until_it_failed(lines)
            actors = place.tables.actors
            await until(lambda: table in actors and actors[table].state.seq > before, 1.0)
            await folded(place, table)

    with quick_folder() as folder:
        run(go_on(folder))


def test_a_table_that_cannot_be_read_does_not_stop_any_other() -> None:
    """An entry may be of a newer version while nodes are updated one after another."""

    async def begin(folder: Path) -> list[str]:
        async with house(folder) as place:
            return [(await begun(place, "lines", patience_seconds=1 + number))[0] for number in range(3)]

    async def go_on(folder: Path, tables: list[str]) -> None:
        newer = f"UPDATE entries SET body = '{{}}' WHERE table_id = '{tables[0]}' AND seq = 2"
        with broken(folder, newer, mended="SELECT 1"), capture_logs() as lines:
            async with house(folder) as place:
                standing_clock().now += 60
                actors = place.tables.actors
                await until(lambda: actors.keys() >= {*tables[1:]}, 1.0)
                await until(lambda: all(actors[table].state.seq > 4 for table in tables[1:]), 1.0)
                assert (await (await place.caller()).get(f"/api/tables/{tables[0]}")).status >= 500
        failed = [line["table"] for line in lines if line["event"] == "a table cannot be processed"]
        assert set(failed) == {tables[0]}

    with quick_folder() as folder:
        tables = run(begin(folder))
        run(go_on(folder, tables))
