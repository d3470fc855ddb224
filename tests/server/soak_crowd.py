"""A crowd that does everything at a table that is possible there, and much that is not. After every action it
checks that the server has kept its promises."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from tests.server.soak import SLOW, Answer, Caller, Fields, House, until
from tests.server.soak_reader import Reader
from upcard.core.entropy import random_bytes
from upcard.games import find
from upcard.match import replay
from upcard.server.runtime.streams import Stream
from upcard.server.table.entries import Moved, read_entry
from upcard.server.table.projection import project_entry, project_state
from upcard.server.table.state import TableState

encode = msgspec.json.Encoder(order="sorted").encode

# The actions and their frequencies: the game should make progress, with everything else along the way.
KINDS: Final = {
    "sit": 6,
    "move": 30,
    "fill": 3,
    "start": 4,
    "stand": 1,
    "rename": 2,
    "place": 2,
    "remove": 1,
    "lock": 1,
    "misplay": 4,
    "react": 6,
    "say": 2,
    "undo": 3,
    "answer": 4,
    "leave": 2,
    "come": 2,
    "hand_over": 2,
    "take": 2,
    "rematch": 2,
    "branch": 2,
    "hint": 2,
    "watch": 3,
    "tick": 8,
    "repeat": 6,
    "twist": 3,
    "garble": 3,
}
NAMES: Final = (
    "Ann",
    "Ben",
    "  Cleo ",
    "ann",
    "Dé",
    "",
    "x" * 25,
    "x" * 101,
    "a\u202eb",
    "\ud800",
    "Robin",
    7,
)
MOVES: Final = ("block", "allow", "end", "pass", "x r1", "r1 R1", "stock 1", "A 1", "r7 top", "", "x" * 41, 3)
BOTS: Final = ("easy", "greedy", None, "search", "nobody", 5)
BASES: Final = (0, 1, -1, 2**53, 2**70, "5", None)
BODIES: Final = (
    b"",
    b"{",
    b"null",
    b"[]",
    b'{"id": 1}',
    b'{"id": "a b"}',
    b'{"id": ""}',
    b'{"id": "' + b"x" * 65 + b'"}',
    b'{"id": "a", "id": "b", "more": 1}',
    b'{"id": "\\ud800"}',
    b'{"id": "\xff"}',
    b"[" * 5_000,
    b'{"id": ' * 2_000,
    b'{"id": 1e999}',
    b'{"id": "a"} {"id": "b"}',
    b"\x00\x01\x02",
)


@dataclass(frozen=True)
class Act:
    """An action: its kind, its player, and which of all variants."""

    kind: str
    who: int
    pick: int


def any_act(dice: random.Random) -> Act:
    """Return a random action."""
    kind = dice.choices(list(KINDS), list(KINDS.values()))[0]
    return Act(kind, dice.randrange(100), dice.randrange(10_000))


class Crowd:
    """People at one table (and at the next, after a rematch), and everything that they know of it."""

    def __init__(self, house: House, game: str, callers: list[Caller]) -> None:
        self.house = house
        self.game = game
        self.callers = callers
        # The state that follows from the log on disk alone.
        self.shadow = TableState("")
        self.commitment = ""
        # Every command that was sent, with its number if it was done or kept.
        self.sent: list[tuple[Caller, str, Fields]] = []
        self.done: dict[tuple[str, str], tuple[str, int]] = {}
        # Unused codes for seats, and the players who requested them.
        self.codes: list[tuple[str, str]] = []
        self.watching: dict[str, tuple[Stream, Reader]] = {}
        self.readers: list[Reader] = []
        self.counts: Counter[str] = Counter()

    @classmethod
    async def gather(cls, house: House, game: str, options: Fields, people: int = 4) -> Crowd:
        """Let people meet at a new table."""
        crowd = cls(house, game, [await house.caller() for _ in range(people)])
        answer = await crowd.callers[0].post(
            "/api/tables", {"id": "open", "game": game, "options": options, **SLOW}
        )
        assert answer.status == 201, answer
        await crowd.move_to(answer.json["table"])
        return crowd

    async def move_to(self, table: str) -> None:
        """Go to another table with the same people."""
        for stream, _ in self.watching.values():
            stream.end()
            self.house.tables.unwatch(self.shadow.table, stream)
        self.watching, self.sent, self.done, self.codes = {}, [], {}, []
        self.shadow = TableState(table)
        await self._read_log()
        self.commitment = (await self.callers[0].look(table))["commitment"]

    # The promises

    async def act(self, act: Act) -> None:
        """Perform an action, and check its results."""
        self.counts[act.kind] += 1
        await getattr(self, f"_{act.kind}")(self.callers[act.who % len(self.callers)], act.pick)

    async def _send(self, caller: Caller, what: str, **fields: Any) -> Answer:
        """Send a new command."""
        fields = {"id": caller.id(), **fields}
        self.sent.append((caller, what, fields))
        return await self._send_again(caller, what, fields)

    async def _send_again(self, caller: Caller, what: str, fields: Fields) -> Answer:
        before = await self._encoded()
        answer = await caller.post(f"/api/tables/{self.shadow.table}/{what}", fields)
        new = await self._read_log()
        key = caller.mark, str(fields["id"])
        if key in self.done:
            kind, seq = self.done[key]
            assert (answer.type, answer.json["seq"], new) == (kind, seq, 0), (answer, what, fields)
        elif answer.type == "kept" or new:
            assert answer.json["seq"] == self.shadow.seq, answer
            self.done[key] = answer.type, answer.json["seq"]
        await self._check(answer, caller, before, new)
        self.counts[answer.type] += 1
        return answer

    async def _check(self, answer: Answer, caller: Caller, before: dict[int | None, bytes], new: int) -> None:
        assert answer.status < 500, answer
        assert new == 0 or answer.type == "done", answer
        after = await self._encoded()
        if not new:
            ours = self.shadow.seat_of(caller.mark) if answer.type == "kept" else 0
            assert {seat: told for seat, told in after.items() if seat != ours} == {
                seat: told for seat, told in before.items() if seat != ours
            }, "something has changed though nothing was written"
        self._check_secret(answer.text)
        if answer.type in ("done", "stale") and "state" in answer.json:
            assert encode(answer.json["state"]) == after[self.shadow.seat_of(caller.mark)]
        await self._check_streams(after, new)

    async def _check_streams(self, told: dict[int | None, bytes], new: int) -> None:
        """Check that every viewer received everything that they may know."""
        for mark, (stream, reader) in self.watching.items():
            await until(lambda: reader.last == self.shadow.seq)  # noqa: B023 - before the next
            if new and stream.states:
                assert reader.state is not None
                state = json.loads(told[self.shadow.seat_of(mark)])
                assert reader.state | {"present": None} == state | {"present": None}
                assert reader.seats == state["seats"]

    async def _read_log(self) -> int:
        """Read the new entries on disk, and return their number."""
        rows = await self.house.tables.node.store.load(self.shadow.table, self.shadow.seq)
        for row in rows:
            assert row.seq == self.shadow.seq + 1, "a number is missing"
            self.shadow.apply(row.at, read_entry(row.body))
        return len(rows)

    async def _encoded(self) -> dict[int | None, bytes]:
        """Return the state of the table for everyone, after checking that memory and disk agree."""
        actor = await self.house.actor(self.shadow.table)
        window = self.shadow.window
        notes = (
            {}
            if window is None
            else await self.house.tables.node.store.notes(actor.state.table, window.opened)
        )
        told: dict[int | None, bytes] = {}
        for seat in (None, *range(1, len(self.shadow.seats) + 1)):
            state = project_state(self.shadow, seat, notes.get(seat or 0)) | {"present": actor.present}
            told[seat] = encode(state)
            assert told[seat] == encode(actor.snapshot(seat)), "the log tells something else than the table"
            self._check_secret(told[seat].decode())
            self._check_hidden(state, seat)
        return told

    def _check_secret(self, text: str) -> None:
        """Nobody learns the origin of the cards before the end."""
        match = self.shadow.match
        if match is None or not match.over:
            assert self.shadow.opened.secret not in text
        if match is not None and not match.over:
            assert match.seed is not None
            assert match.seed.hex() not in text

    def _check_hidden(self, state: dict[str, Any], viewer: int | None) -> None:
        """Of other hands, only the number of cards is known."""
        view = state["view"]
        for seat in () if view is None else view["seats"]:
            assert isinstance(seat.get("hand", 0), int)
        if viewer is None and view is not None:
            assert not view.get("hand")

    async def check_end(self) -> None:
        """Check that the record of a finished game is valid, and that everything was sent in order."""
        table = self.shadow.table
        for caller in self.callers:
            told = await caller.news(table)
            seat = self.shadow.seat_of(caller.mark)
            again = [project_entry(self.shadow, applied, seat) for applied in self.shadow.history]
            assert encode(told) == encode(again)
        for reader in self.readers:
            first = reader.entries[0]["seq"] if reader.entries else 0
            assert reader.seen == list(range(first, first + len(reader.seen)))
        record = await self.callers[-1].get(f"/api/tables/{table}/record")
        if self.shadow.match is None:
            assert record.status == 404
        elif self.shadow.phase == "over":
            # A game that continues another one has its cards.
            fairness = record.json.get("fairness", {"commitment": self.commitment})
            assert fairness["commitment"] == self.commitment
            assert replay(record.json).result == (await self.callers[0].look(table))["result"]
            self.counts["games"] += 1
        self.counts["moves"] += sum(isinstance(applied.entry, Moved) for applied in self.shadow.history)

    # The actions

    async def _sit(self, caller: Caller, pick: int) -> None:
        seat = (None, 1, 2, 3, 4, 0, 7, "1")[pick % 8]
        name = NAMES[pick // 8 % len(NAMES)]
        share = ("ab" * 16, "cd" * 64, "AB" * 16, "ab" * 15, "", 5)[pick // 100 % 6 if pick % 3 == 0 else 0]
        await self._send(caller, "sit", seat=seat, name=name, share=share)

    async def _fill(self, caller: Caller, pick: int) -> None:
        """Let someone sit down at a free seat, so that games begin."""
        free = [number for number, seat in enumerate(self.shadow.seats, 1) if seat.is_free]
        new = [caller for caller in self.callers if self.shadow.seat_of(caller.mark) is None]
        if free and new:
            name, share = f"Guest {free[0]} {pick}", random_bytes("share", 16).hex()
            await self._send(new[pick % len(new)], "sit", seat=free[0], name=name, share=share)

    async def _stand(self, caller: Caller, pick: int) -> None:
        await self._send(caller, "stand")

    async def _rename(self, caller: Caller, pick: int) -> None:
        await self._send(caller, "rename", name=NAMES[pick % len(NAMES)])

    async def _place(self, caller: Caller, pick: int) -> None:
        await self._send(caller, "place", seat=pick % 5, bot=BOTS[pick // 5 % len(BOTS)])

    async def _remove(self, caller: Caller, pick: int) -> None:
        await self._send(self._host(caller, pick), "remove", seat=pick % 5)

    async def _lock(self, caller: Caller, pick: int) -> None:
        await self._send(self._host(caller, pick), "lock", locked=(True, False, False, 1)[pick % 4])

    def _host(self, caller: Caller, pick: int) -> Caller:
        """Return the host, or some other caller."""
        hosts = [one for one in self.callers if one.mark == self.shadow.host]
        return hosts[0] if hosts and pick % 3 else caller

    async def _start(self, caller: Caller, pick: int) -> None:
        """Start, as the host or anyone else."""
        await self._send(self._host(caller, pick), "start")

    async def _move(self, caller: Caller, pick: int) -> None:
        """Make a legal move for the player to move, if it is one of us; before the game, start it."""
        if self.shadow.phase == "open":
            free = any(seat.is_free for seat in self.shadow.seats)
            await (self._fill if free else self._start)(caller, pick * 3 + 1)
        match, seat = self.shadow.match, self.shadow.to_move
        movers = [one for one in self.callers if self.shadow.seat_of(one.mark) == seat]
        if match is not None and seat is not None and movers:
            move = match.legal[pick % len(match.legal)]
            answer = await self._send(movers[0], "play", base=self.shadow.seq, move=move)
            assert answer.type == "done", answer

    async def _misplay(self, caller: Caller, pick: int) -> None:
        """Make a move out of turn, from long ago, from the future, or an invalid one."""
        match = self.shadow.match
        moves = MOVES + (() if match is None else tuple(match.legal))
        bases = (*BASES, self.shadow.changed - 1, self.shadow.changed, self.shadow.seq, self.shadow.seq + 1)
        move, base = moves[pick % len(moves)], bases[pick // 64 % len(bases)]
        await self._send(caller, ("play", "react")[pick % 2], base=base, move=move)

    async def _react(self, caller: Caller, pick: int) -> None:
        await self._send(caller, "react", base=self.shadow.seq, move=("block", "allow", "allow")[pick % 3])

    async def _say(self, caller: Caller, pick: int) -> None:
        await self._send(caller, "say", phrase=("hello", "wow", "thanks", "no such phrase", "", 3)[pick % 6])

    async def _undo(self, caller: Caller, pick: int) -> None:
        await self._send(caller, "undo", base=self.shadow.seq if pick % 4 else pick % 7)

    async def _answer(self, caller: Caller, pick: int) -> None:
        asked = self.shadow.undo.asked if self.shadow.undo is not None and pick % 8 else pick % 5
        await self._send(caller, "undo/answer", agreed=(True, True, False, "yes")[pick % 4], asked=asked)

    async def _leave(self, caller: Caller, pick: int) -> None:
        await self._send(caller, "leave")

    async def _come(self, caller: Caller, pick: int) -> None:
        await self._send(caller, "come")

    async def _hand_over(self, caller: Caller, pick: int) -> None:
        """Request a code that gives a seat to another device."""
        seat = self.shadow.seat_of(caller.mark)
        handed = await caller.do(self.shadow.table, "hand-over")
        assert handed.status == (403 if seat is None else 200)
        if seat is not None:
            self.codes.append((handed.json["code"], caller.mark))
            await self._take(caller, pick)

    async def _take(self, caller: Caller, pick: int) -> None:
        """Take a seat by a code, now or much later: the seat of the player who requested it, and only
        once."""
        if not self.codes or pick % 2:
            return
        code, giver = self.codes.pop(pick // 2 % len(self.codes))
        taker, before = self.callers[pick % len(self.callers)], await self._encoded()
        seat = self.shadow.seat_of(giver)
        taken = await taker.post("/api/take-seat", {"code": code})
        new = await self._read_log()
        await self._check(Answer(taken.status, '{"type": "done"}'), taker, before, new)
        assert new == 0 or self.shadow.seat_of(taker.mark) == seat
        again = await taker.post("/api/take-seat", {"code": code})
        assert (again.status, await self._read_log()) == (taken.status, 0)

    async def _rematch(self, caller: Caller, pick: int) -> None:
        """Request a rematch once a game is over; then everyone goes to the next table."""
        await self._send(caller, "rematch")
        if self.shadow.rematch is not None:
            await self.check_end()
            await self.move_to(self.shadow.rematch)

    async def _branch(self, caller: Caller, pick: int) -> None:
        """Continue a finished game from some point; then everyone goes to that table."""
        made = 0 if self.shadow.match is None else len(self.shadow.match.log_of_moves)
        asked = {"id": caller.id(), "table": self.shadow.table, "moves": pick % (made + 2), "seat": pick % 3}
        asked |= {"name": NAMES[pick % 5], "bot": "greedy", "pace": 10}
        answer = await caller.post("/api/branch", asked)
        assert answer.status in (201, 400), answer
        assert answer.status == 400 or self.shadow.phase == "over"
        if answer.status == 201:
            await self.check_end()
            await self.move_to(answer.json["table"])

    async def _hint(self, caller: Caller, pick: int) -> None:
        """Request a hint."""
        before = await self._encoded()
        answer = await caller.post(f"/api/tables/{self.shadow.table}/hint", {})
        assert answer.status in (200, 422), answer
        if answer.status == 200:
            look = await caller.look(self.shadow.table)
            assert answer.json["move"] in (look["legal"] or look["window"]["answers"])
        await self._check(Answer(200, '{"type": "hint"}'), caller, before, await self._read_log())

    async def _watch(self, caller: Caller, pick: int) -> None:
        """Watch the table, or disconnect and reconnect later from the same point."""
        table = self.shadow.table
        if caller.mark in self.watching:
            stream, reader = self.watching.pop(caller.mark)
            self.house.tables.unwatch(table, stream)
            stream.end()
            since = reader.last
        else:
            since, reader = None, Reader()
            self.readers.append(reader)
        if since is None or pick % 2:
            stream = await caller.watch(table, since, states=pick % 3 > 0)
            reader.begin(stream)
            self.watching[caller.mark] = stream, reader

    async def _tick(self, caller: Caller, pick: int) -> None:
        """Advance the time to the next deadline."""
        if self.shadow.due is not None:
            await self.house.pass_time(self.shadow.table)
            assert await self._read_log() > 0
            await self._encoded()

    async def _repeat(self, caller: Caller, pick: int) -> None:
        """Repeat an old command unchanged."""
        if self.sent:
            await self._send_again(*self.sent[-1 - pick % len(self.sent)])

    async def _twist(self, caller: Caller, pick: int) -> None:
        """Send another command with the id of an earlier one."""
        done = [
            (one, what, fields) for one, what, fields in self.sent if (one.mark, fields["id"]) in self.done
        ]
        if done:
            one, what, fields = done[pick % len(done)]
            if what != "say":
                before = await self._encoded()
                other = {"id": fields["id"], "phrase": "wow"}
                answer = await one.post(f"/api/tables/{self.shadow.table}/say", other)
                assert (answer.status, await self._read_log()) == (400, 0), answer
                assert "command-id-reused" in answer.text
                await self._check(answer, one, before, 0)

    async def _garble(self, caller: Caller, pick: int) -> None:
        """Send something that is not a command at all."""
        before = await self._encoded()
        what = ("sit", "play", "react", "undo", "say", "place")[pick % 6]
        body = BODIES[pick // 6 % len(BODIES)]
        headers = {"Authorization": f"Bearer {caller.token}"}
        answer = await self.house.ask("POST", f"/api/tables/{self.shadow.table}/{what}", body, headers)
        assert answer.status == 400, (answer, body)
        assert json.loads(answer.text)["status"] == 400
        await self._check(answer, caller, before, await self._read_log())


def options_of(game: str, pick: int) -> Fields:
    """Return options for up to three players that make games short, or windows frequent."""
    players = {"players": 2 + pick % 2}
    wanted: dict[str, list[Fields]] = {
        "stockpile": [{"stock": 5}, {"stock": 5, "must_play": False}],
        "lines": [{}, {"give": "matching"}],
        "stacks": [{"block": "anytime"}, {"turn_limit": 20}],
    }
    options = wanted[game][pick // 2 % 2] | players
    find(game).complete(options)
    return options
