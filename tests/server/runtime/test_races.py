"""Concurrent actions: in every order, and truly at the same time, one of them comes first."""

from __future__ import annotations

import asyncio
import functools
import itertools
import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.server.soak import (
    Answer,
    Caller,
    House,
    begun,
    folded,
    house,
    lay,
    let_quick_bots_play,
    nothing_is_written,
    quick_folder,
    run,
    seated,
    settled,
    standing_clock,
    until,
)
from tests.server.soak_reader import Reader
from tests.server.store.databases import locked
from tests.server.tables import Tried, any_game, each_game
from upcard.server.store import threads
from upcard.server.table import entries as log
from upcard.server.table.state import TableState

SLOW: dict[str, Any] = {"pace": 10.0, "window_seconds": 60.0, "patience": "bot", "patience_seconds": 3600.0}


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    let_quick_bots_play(monkeypatch)


@dataclass
class Scene:
    """A table with several named actions that are about to happen."""

    table: str
    deeds: dict[str, Callable[[], Awaitable[Any]]]


Stage = Callable[[House], Awaitable[Scene]]
# Gets the order of the actions (None: at the same time), the answers, and the state that follows from the
# log.
Judge = Callable[[tuple[str, ...] | None, dict[str, Any], TableState], None]


def race(stage: Stage, judge: Judge, houses: int = 1) -> int:
    """Run the actions in every order, and a few times concurrently; return the number of orders.

    If an action advances the time, which affects all tables of a house, use more houses.
    """

    async def happen(place: House, order: tuple[str, ...], at_once: bool) -> None:
        scene = await stage(place)
        if at_once:
            found = await asyncio.gather(*(scene.deeds[name]() for name in order))
        else:
            found = [await scene.deeds[name]() for name in order]
        answers = dict(zip(order, found, strict=True))
        judge(None if at_once else order, answers, await folded(place, scene.table))

    async def some_orders(folder: Path, part: int) -> int:
        async with house(folder) as place:
            orders = list(itertools.permutations((await stage(place)).deeds))
            at_once = orders[:: max(1, len(orders) // 6)]
            for number, order in enumerate(orders + at_once):
                if number % houses == part:
                    await happen(place, order, number >= len(orders))
            return len(orders)

    count = 0
    for part in range(houses):
        with quick_folder() as folder:
            count = run(some_orders(folder, part))
    return count


def before(order: tuple[str, ...] | None, one: str, other: str) -> bool:
    """Whether one action happened before another."""
    return order is not None and order.index(one) < order.index(other)


def types(answers: dict[str, Answer]) -> list[str]:
    return sorted(answer.type for answer in answers.values())


def entries(state: TableState, kind: type[Any]) -> list[Any]:
    return [applied.entry for applied in state.history if isinstance(applied.entry, kind)]


# One seat


@any_game
def test_of_two_tabs_that_move_from_one_seat_one_does(game: str) -> None:
    async def stage(place: House) -> Scene:
        table, callers = await begun(place, game)
        state = await callers[0].look(table)
        mover = callers[state["to_move"] - 1]
        legal = (await mover.look(table))["legal"]
        moves = [legal[0], legal[-1], legal[0]]
        return Scene(
            table,
            {
                f"tab {number}": functools.partial(mover.do, table, "play", base=state["seq"], move=move)
                for number, move in enumerate(moves)
            },
        )

    def judge(order: tuple[str, ...] | None, answers: dict[str, Any], state: TableState) -> None:
        assert types(answers) == ["done", "stale", "stale"]
        assert len(entries(state, log.Moved)) == 1
        assert order is None or answers[order[0]].type == "done"

    assert race(stage, judge) == 6


@any_game
def test_a_command_that_is_sent_many_times_is_done_once(game: str) -> None:
    async def stage(place: House) -> Scene:
        table, callers = await begun(place, game)
        state = await callers[0].look(table)
        mover = callers[state["to_move"] - 1]
        move = (await mover.look(table))["legal"][0]
        play = functools.partial(mover.do, table, "play", id="play", base=state["seq"], move=move)
        say = functools.partial(mover.do, table, "say", id="say", phrase="hello")
        return Scene(table, {"play": play, "say": say, "play again": play, "say again": say})

    def judge(order: tuple[str, ...] | None, answers: dict[str, Any], state: TableState) -> None:
        assert types(answers) == ["done"] * 4
        for what, kind in (("play", log.Moved), ("say", log.Said)):
            numbers = {answers[name].json["seq"] for name in (what, f"{what} again")}
            assert numbers == {applied.seq for applied in state.history if isinstance(applied.entry, kind)}
            assert len(numbers) == 1

    assert race(stage, judge) == 24


@any_game
def test_of_several_people_who_want_one_seat_one_gets_it(game: str) -> None:
    marks: dict[str, str] = {}

    async def stage(place: House) -> Scene:
        callers = [await place.caller() for _ in range(4)]
        table = await callers[0].open(game)
        await callers[0].sit(table, "Host", 1)
        marks.update({f"guest {number}": caller.mark for number, caller in enumerate(callers)})
        return Scene(
            table,
            {
                f"guest {number}": functools.partial(callers[number].sit, table, f"Guest {number}", wanted)
                for number, wanted in ((1, 2), (2, 2), (3, None))
            },
        )

    def judge(order: tuple[str, ...] | None, answers: dict[str, Any], state: TableState) -> None:
        assert types(answers) == ["done", "refused", "refused"]
        [winner] = [name for name, answer in answers.items() if answer.type == "done"]
        assert state.seats[1].person == marks[winner]
        assert order is None or order[0] == winner

    assert race(stage, judge) == 6


@any_game
def test_a_seat_that_moves_to_another_device_moves_once_and_only_there(game: str) -> None:
    marks: dict[str, str] = {}

    async def stage(place: House) -> Scene:
        table, callers = await begun(place, game)
        state = await callers[0].look(table)
        old, new, third = callers[state["to_move"] - 1], await place.caller(), await place.caller()
        move = (await old.look(table))["legal"][0]
        code = (await old.do(table, "hand-over")).json["code"]
        marks.update(new=new.mark, third=third.mark)
        return Scene(
            table,
            {
                "play": functools.partial(old.do, table, "play", base=state["seq"], move=move),
                "new": functools.partial(new.post, "/api/take-seat", {"code": code}),
                "third": functools.partial(third.post, "/api/take-seat", {"code": code}),
            },
        )

    def judge(order: tuple[str, ...] | None, answers: dict[str, Any], state: TableState) -> None:
        taken = [name for name in ("new", "third") if answers[name].status == 200]
        assert len(taken) == 1
        assert state.seat_of(marks[taken[0]]) is not None
        first = before(order, "play", "new") and before(order, "play", "third")
        if order is not None:
            assert answers["play"].type == ("done" if first else "refused")
        assert len(entries(state, log.Moved)) == (answers["play"].type == "done")

    assert race(stage, judge) == 6


@any_game
def test_a_code_for_a_seat_takes_it_only_from_the_player_who_gave_the_code(game: str) -> None:
    marks: dict[str, str] = {}

    async def stage(place: House) -> Scene:
        table, (_, guest) = await seated(place, game)
        code = (await guest.do(table, "hand-over")).json["code"]
        third, device = await place.caller(), await place.caller()
        marks.update(guest=guest.mark, third=third.mark, device=device.mark)
        return Scene(
            table,
            {
                "stand": functools.partial(guest.do, table, "stand"),
                "third sits": functools.partial(third.sit, table, "Third"),
                "take": functools.partial(device.post, "/api/take-seat", {"code": code}),
            },
        )

    def judge(order: tuple[str, ...] | None, answers: dict[str, Any], state: TableState) -> None:
        sits = {name: state.seat_of(mark) for name, mark in marks.items()}
        assert (sits["third"] is not None) == (answers["third sits"].type == "done")
        assert (sits["device"] is not None) == (answers["take"].status == 200)
        if order is not None:
            assert (answers["take"].status == 200) == before(order, "take", "stand")

    assert race(stage, judge) == 6


# Beginning and end


@any_game
def test_a_host_who_leaves_while_starting_leaves_a_table_that_is_right(game: str) -> None:
    async def stage(place: House) -> Scene:
        table, (host, guest) = await seated(place, game)
        third = await place.caller()
        return Scene(
            table,
            {
                "start": functools.partial(host.do, table, "start"),
                "leave": functools.partial(host.do, table, "leave"),
                "other starts": functools.partial(guest.do, table, "start"),
                "third sits": functools.partial(third.sit, table, "Third"),
            },
        )

    def judge(order: tuple[str, ...] | None, answers: dict[str, Any], state: TableState) -> None:
        started = [name for name in ("start", "other starts") if answers[name].type == "done"]
        assert len(started) == len(entries(state, log.Started)) <= 1
        assert state.phase == ("playing" if started else "open")
        assert answers["leave"].type == "done"
        if started:
            assert not any(seat.is_free for seat in state.seats)
        if before(order, "start", "leave"):
            assert started == ["start"]
            assert state.seats[0].left
            assert answers["third sits"].type == "refused"
        if order == ("leave", "third sits", "other starts", "start"):
            assert started == ["other starts"]

    assert race(stage, judge) == 24


@any_game
def test_those_who_want_to_play_again_find_one_table(game: str) -> None:
    over = Tried(game, chosen=SHORTEST[game], **SLOW).start()
    dice = random.Random(game)
    while over.state.phase == "playing":
        over.step(dice)

    async def stage(place: House) -> Scene:
        table, callers = await laid_now(place, over, 2)
        return Scene(
            table,
            {
                name: functools.partial(callers[number].do, table, "rematch")
                for name, number in (("one", 0), ("other", 1), ("one again", 0))
            },
        )

    def judge(order: tuple[str, ...] | None, answers: dict[str, Any], state: TableState) -> None:
        assert types(answers) == ["done", "done", "done"]
        assert len(entries(state, log.Rematched)) == 1
        assert state.rematch is not None

    assert race(stage, judge) == 6


SHORTEST: dict[str, dict[str, Any]] = {"stockpile": {"stock": 1}, "lines": {}, "stacks": {"turn_limit": 1}}


# Windows


def contested(players: int) -> Iterator[Tried]:
    """Find tables at which two players are asked who could block."""
    for seed in itertools.count():
        table = Tried("stacks", players, {"block": "anytime"}, secret=f"{seed:064x}", **SLOW).start()
        dice = random.Random(seed)
        for _ in range(12):
            if table.state.window is not None and len(blockers(table.state)) > 1:
                yield table
                break
            table.step(dice)


def blockers(state: TableState) -> list[int]:
    """Return the seats that are asked and hold a block, in order."""
    match = state.match
    assert match is not None
    return [seat for seat in match.asked if len(match.answers(seat)) > 1]


async def laid_now(place: House, tried: Tried, people: int) -> tuple[str, list[Caller]]:
    """Store a table whose last entry has just been written."""
    now = standing_clock().now
    last = tried.entries[-1][0]
    moved = Tried.__new__(Tried)
    moved.__dict__ |= tried.__dict__ | {"entries": [(now + at - last, entry) for at, entry in tried.entries]}
    callers = [await place.caller() for _ in range(people)]
    return await lay(place, moved, callers), callers


def race_in_window(tried: Tried) -> int:
    """Let two players answer in a window, one of them twice, while it closes; return the number of orders."""
    first, second = blockers(tried.state)[:2]
    window, players = tried.state.window, len(tried.state.seats)
    assert window is not None

    async def stage(place: House) -> Scene:
        table, callers = await laid_now(place, tried, players)
        one, other, base = callers[first - 1], callers[second - 1], tried.state.seq
        react = functools.partial
        return Scene(
            table,
            {
                "block": react(one.do, table, "react", base=base, move="block"),
                "allow": react(one.do, table, "react", base=base, move="allow"),
                "other blocks": react(other.do, table, "react", base=base, move="block"),
                "close": functools.partial(place.pass_time, table),
            },
        )

    def judge(order: tuple[str, ...] | None, answers: dict[str, Any], state: TableState) -> None:
        [closed] = [
            applied for applied in state.history[window.opened :] if isinstance(applied.entry, log.Closed)
        ]
        assert isinstance(closed.entry, log.Closed)
        assert closed.at >= state.history[window.opened - 1].at + SLOW["window_seconds"]
        if order is None:
            return
        in_time = order[: order.index("close")]
        answered = {"block": (first, "block"), "allow": (first, "allow"), "other blocks": (second, "block")}
        counted = dict(answered[name] for name in in_time)
        assert closed.entry.answers == counted
        for name in ("block", "allow", "other blocks"):
            assert answers[name].type == ("kept" if name in in_time else "stale")
        blocked = [event for event in closed.news if event.kind.name == "BLOCKED"]
        by = [seat for seat in (first, second) if counted.get(seat) == "block"]
        assert [event.seat + 1 for event in blocked] == by[:1]

    return race(stage, judge, houses=15)


@pytest.mark.parametrize("players", [3, 4])
def test_in_a_window_the_last_answer_of_everyone_counts_and_none_after_it(players: int) -> None:
    assert race_in_window(next(contested(players))) == 24


@pytest.mark.soak
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_in_many_windows_the_last_answer_of_everyone_counts(players: int) -> None:
    orders = [race_in_window(tried) for tried in itertools.islice(contested(players), 50)]
    print(f"races: {players} players, {sum(orders)} orders of answers and closing in {len(orders)} windows")


def test_a_window_that_opens_at_the_deadline_of_the_mover_stays_open() -> None:
    """The timer fires while the move that opens a window is being written."""

    async def ring_while_writing(folder: Path) -> None:
        async with house(folder) as place:
            for seed in range(10):
                table, callers = await begun(place, "stacks", 3, options={"block": "anytime"})
                state = await callers[0].look(table)
                mover = callers[state["to_move"] - 1]
                mine = await mover.look(table)
                played = [move for move in mine["legal"] if move.split()[-1] in ("R1", "R2", "B1", "B2")]
                if not played:
                    continue
                standing_clock().now = mine["deadline"] + 0.001 * (seed % 2)
                await mover.do(table, "play", base=mine["seq"], move=played[0])
                await settled()
                state = await folded(place, table)
                assert state.window is not None or entries(state, log.SatIn)

    with quick_folder() as folder:
        run(ring_while_writing(folder))


# The clock


@each_game
def test_a_move_the_clock_a_bot_and_coming_back_agree_on_who_plays(game: str) -> None:
    async def stage(place: House) -> Scene:
        table, callers = await begun(place, game)
        state = await callers[0].look(table)
        mover = callers[state["to_move"] - 1]
        move = (await mover.look(table))["legal"][0]

        async def tick() -> None:
            if (await place.actor(table)).state.due is not None:
                await place.pass_time(table)

        return Scene(
            table,
            {
                "play": functools.partial(mover.do, table, "play", base=state["seq"], move=move),
                "deadline": tick,
                "bot": tick,
                "come": functools.partial(mover.do, table, "come"),
            },
        )

    def judge(order: tuple[str, ...] | None, answers: dict[str, Any], state: TableState) -> None:
        moves = entries(state, log.Moved)
        by_person = [move for move in moves if move.by == "person"]
        assert len(by_person) == (answers["play"].type == "done")
        assert answers["play"].type in ("done", "stale")
        if answers["play"].type == "stale":
            assert moves[0].by == "bot"
        seat = moves[0].seat if moves else None
        back = [applied.seq for applied in state.history if isinstance(applied.entry, log.TookBack)]
        gone = [applied.seq for applied in state.history if isinstance(applied.entry, log.SatIn)]
        if seat is not None and max(gone, default=0) < max(back, default=0):
            assert state.seats[seat - 1].stand_in is None

    assert race(stage, judge, houses=15) == 24


# Undo


async def answer_undo(place: House, caller: Caller, table: str, agreed: bool) -> Answer:
    """Answer the question that is open, if there is one."""
    undo = (await place.actor(table)).state.undo
    return await caller.do(table, "undo/answer", agreed=agreed, asked=0 if undo is None else undo.asked)


@each_game
def test_a_move_is_taken_back_only_if_nobody_has_moved_since(game: str) -> None:
    async def stage(place: House) -> Scene:
        table, callers = await begun(place, game)
        asker, other, base = await one_has_moved(place, table, callers)
        move = (await other.look(table))["legal"][0]
        return Scene(
            table,
            {
                "ask": functools.partial(asker.do, table, "undo", base=base),
                "agree": functools.partial(answer_undo, place, other, table, True),
                "move": functools.partial(other.do, table, "play", base=base, move=move),
                "withdraw": functools.partial(answer_undo, place, asker, table, False),
            },
        )

    def judge(order: tuple[str, ...] | None, answers: dict[str, Any], state: TableState) -> None:
        undone = entries(state, log.Undone)
        if order is not None:
            between = order[order.index("ask") :]
            agreed = "agree" in between and before(order, "ask", "agree")
            spoilt = any(
                before(order, "ask", name) and before(order, name, "agree") for name in ("move", "withdraw")
            )
            is_stale = before(order, "move", "ask")
            assert bool(undone) == (agreed and not spoilt and not is_stale), order
            assert answers["ask"].type == ("stale" if is_stale else "done")
            assert (answers["move"].type == "stale") == (bool(undone) and before(order, "agree", "move"))
        assert state.undo is None or not undone

    assert race(stage, judge) == 24


async def one_has_moved(place: House, table: str, callers: list[Caller]) -> tuple[Caller, Caller, int]:
    """Play until one has just moved and it is the other's turn; return both, and the sequence number of the
    table."""
    mover: Caller | None = None
    for _ in range(100):
        state = await callers[0].look(table)
        if state["to_move"] is None:
            await place.pass_time(table)
            continue
        last, mover = mover, callers[state["to_move"] - 1]
        if last is not None and last is not mover:
            return last, mover, state["seq"]
        legal = (await mover.look(table))["legal"]
        await mover.do(table, "play", base=state["seq"], move=legal[-1])
    raise AssertionError("the turn never passes")


# A database that fails


def test_everyone_at_a_table_is_told_in_time_that_the_database_stands_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Requests to one table wait for each other, but not each for the whole time of the one before."""

    async def stand_still(folder: Path) -> None:
        async with house(folder) as place:
            table, callers = await begun(place, "lines")
            monkeypatch.setattr(threads, "DEADLINE", 4.5)
            with locked(f"sqlite://{folder}/tables.db"):
                asking = [
                    asyncio.ensure_future(caller.do(table, "say", phrase="hello")) for caller in 3 * callers
                ]
                for seconds in (0.0, 4.4, 0.2):
                    assert not any(answer.done() for answer in asking)
                    standing_clock().now += seconds
                    for _ in range(100):
                        await asyncio.sleep(0)
                assert all(answer.done() for answer in asking)
            assert [answer.result().status for answer in asking] == [503] * 6
            monkeypatch.setattr(threads, "DEADLINE", None)
            assert (await callers[0].do(table, "say", phrase="hello")).status == 200
            await folded(place, table)

    with quick_folder() as folder:
        run(stand_still(folder))


@any_game
def test_a_failed_write_is_seen_by_nobody(game: str) -> None:
    """Others look, start to watch and send commands while a command fails; none of them learns of it."""

    async def fail(folder: Path) -> None:
        async with house(folder) as place:
            table, callers = await begun(place, game)
            before = await callers[1].look(table)
            with nothing_is_written(folder):
                first, looked, stream, second, news = await asyncio.gather(
                    callers[0].do(table, "say", id="first", phrase="hello"),
                    callers[1].look(table),
                    callers[1].watch(table, 0),
                    callers[1].do(table, "say", phrase="wow"),
                    callers[1].news(table),
                )
                assert (first.status, second.status) == (503, 503)
                assert looked["seq"] == len(news) == before["seq"]
            again = await callers[0].do(table, "say", id="first", phrase="hello")
            assert (again.type, again.json["seq"]) == ("done", before["seq"] + 1)
            reader = Reader()
            reader.begin(stream)
            await until(lambda: stream.ended or reader.last == before["seq"] + 1)
            assert reader.seen == list(range(1, len(reader.seen) + 1))
            await folded(place, table)

    with quick_folder() as folder, capture_logs():
        run(fail(folder))


# Two nodes


@each_game
def test_two_nodes_that_do_not_hear_of_each_other_still_write_one_log(game: str) -> None:
    """The same move is sent to both, with other commands; viewers at both receive everything once."""

    async def both(folder: Path) -> None:
        async with house(folder) as here, house(folder) as there:
            for place in (here, there):
                place.tables.node.bus.is_shared = True  # but which delivers nothing
            table, callers = await begun(here, game)
            abroad = [Caller(there, caller.token, caller.mark) for caller in callers]
            readers = [Reader(), Reader()]
            for reader, caller in zip(readers, (callers[0], abroad[1]), strict=True):
                reader.begin(await caller.watch(table, 0))
            for number in range(15):
                state = (await here.actor(table)).state
                if state.to_move is None:
                    break
                seat, same, base = state.to_move - 1, f"move-{number}", state.seq
                move = (await callers[seat].look(table))["legal"][0]
                answers = await asyncio.gather(
                    callers[seat].do(table, "play", id=same, base=base, move=move),
                    abroad[seat].do(table, "play", id=same, base=base, move=move),
                    abroad[0].do(table, "say", phrase="hello"),
                    callers[1].do(table, "say", phrase="wow"),
                )
                assert [answer.type for answer in answers] == ["done"] * 4, answers
                assert answers[0].json["seq"] == answers[1].json["seq"]
                await callers[0].do(table, "say", phrase="thanks")  # and so learns what the other node wrote
            await abroad[0].do(table, "say", phrase="goodbye")
            await callers[0].do(table, "say", phrase="goodbye")
            state = await folded(here, table)
            assert len(entries(state, log.Said)) == 3 * len(entries(state, log.Moved)) + 2 > 2
            for reader, most in zip(readers, (state.seq, state.seq - 1), strict=True):
                await until(lambda: reader.last == most)  # noqa: B023 - before the next
                assert reader.seen == list(range(1, most + 1))

    with quick_folder() as folder:
        run(both(folder))
