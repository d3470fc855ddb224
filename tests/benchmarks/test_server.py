"""The benchmark of the table server: very short versions of all parts, which detect planted errors."""

from __future__ import annotations

import asyncio
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import pytest

from benchmarks.__main__ import INTERRUPTED, main
from benchmarks.figures import Figure
from benchmarks.server import bad, crash, load, process, requests, start, windows
from benchmarks.server.crash import Moves
from benchmarks.server.load import Load, gather
from benchmarks.server.players import MOVES, PATIENT, Made, Pair, play
from benchmarks.server.process import Server, event_loop
from benchmarks.server.requests import BadRequests, Scene
from tests.cli.running import apart, command
from tests.waiting import wait_until
from upcard.games import find

GAMES = ["stockpile", "lines", "stacks"]
Result = TypeVar("Result")


def run(work: Coroutine[Any, Any, Result]) -> Result:
    with asyncio.Runner(loop_factory=event_loop()) as runner:
        return runner.run(work)


@pytest.fixture(scope="module", autouse=True)
def seeded_servers_that_may_be_slow() -> Iterator[None]:
    """Wait for servers however busy this machine is, and derive their randomness from the test's seed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "command", command)
        for module in (process, load, crash, bad):
            patch.setattr(module, "PATIENCE", 3_600.0)
        yield


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server."""
    with Server(tmp_path_factory.mktemp("server"), {"log_level": "warning"}).running() as server:
        yield server


async def sat_down(server: Server, game: str) -> Pair:
    await server.wait()
    pair = Pair(server, game, 0, PATIENT)
    await pair.arrive()
    await pair.sit_down()
    return pair


def value(figures: list[Figure], words: str) -> float:
    [found] = [figure.value for figure in figures if words in figure.name]
    return found


# All parts


@pytest.mark.soak
def test_all_parts_are_one_command_that_prints_one_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for game in GAMES:
        monkeypatch.setitem(MOVES, game, 8)
    monkeypatch.setattr(load, "QUICK", load.Scale(3, (4,), 0.3, 0.1, 2, 20.0))
    monkeypatch.setattr(start, "QUICK", start.Scale(20, 1, 30))
    monkeypatch.setattr(crash, "QUICK", crash.Scale(1, 6, 1000.0, 100))
    monkeypatch.setattr(bad, "QUICK", bad.Scale(150))
    monkeypatch.setattr(windows, "QUICK", windows.Scale(4, 2))
    main(["server", "--quick", "--json"])
    told = json.loads(capsys.readouterr().out)
    figures = [Figure(one["name"], one["value"], one["unit"]) for one in told]
    for words in ("lost", "done twice", "5xx", "not refused", "errors in the log", "changed"):
        assert value(figures, words) == 0
    for words in (
        "memory",
        "p50",
        "p99",
        "most moves/s",
        "first answer",
        "first look",
        "first move",
        "play: w",
    ):
        assert any(words in figure.name for figure in figures), words


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["fast"])
    assert "unknown part: fast; choose from code, rules, bots" in capsys.readouterr().err


@pytest.mark.soak
@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_the_bench_and_its_server_and_leaves_nothing_behind(
    tmp_path: Path, number: signal.Signals
) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    words = [sys.executable, "-m", "benchmarks", "server", "--quick"]
    with apart(words, env=environment, stderr=subprocess.PIPE) as bench:
        wait_until(lambda: bench.poll() is not None or bool(ports_in(tmp_path)))
        [port] = ports_in(tmp_path)
        bench.send_signal(number)
        output, errors = bench.communicate()
    assert (bench.returncode, output, errors) == (INTERRUPTED, "", "")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    assert not list(tmp_path.rglob("bench-*"))


def ports_in(folder: Path) -> list[int]:
    """Return the ports of the servers that have printed their addresses."""
    said = [file.read_text() for file in folder.rglob("said.txt")]
    return [int(text.split()[3].rpartition(":")[2]) for text in said if "http://" in text]


# The load


def test_every_move_that_was_due_is_acknowledged_and_seen_by_the_other_in_all_games(server: Server) -> None:
    async def work() -> None:
        await server.wait()
        pairs = await gather(server, GAMES)
        ran = await Load(pairs, run_in=0.1).run(100.0, 0.5)
        assert len(ran.acknowledged) == len(ran.heard) == len(ran.late) == pytest.approx(50, abs=1)
        for pair in pairs:
            pair.leave()

    run(work())


class Jump(selectors.DefaultSelector):
    """A selector that does not wait: the clock jumps instead."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)


class VirtualTime(asyncio.SelectorEventLoop):
    """An event loop whose time passes only while there is nothing to do."""

    def __init__(self) -> None:
        self.clock = Jump()
        super().__init__(self.clock)

    def time(self) -> float:
        return self.clock.now


class Stalling:
    """A pair whose server does not answer during some period."""

    server = SimpleNamespace(seconds=lambda: 0.0)
    over = False

    def __init__(self, now: Callable[[], float], stalls: float, answers: float) -> None:
        self.now, self.stalls, self.answers = now, stalls, answers

    async def is_to_move(self) -> bool:
        return True

    async def move(self, heard: Callable[[], None] | None) -> None:
        if self.stalls <= self.now() < self.answers:
            await asyncio.sleep(self.answers - self.now())
        if heard is not None:
            heard()


def test_a_server_that_does_not_answer_is_not_spared_and_its_delay_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = VirtualTime()
    monkeypatch.setattr(load, "now", loop.time)
    pairs = [cast("Pair", Stalling(loop.time, 0.2 - 1e-6, 0.6)) for _ in range(4)]
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        ran = runner.run(Load(pairs, run_in=0.0).run(50.0, 1.0))
    # Moves that became due in the meantime, one every 20 ms, waited for the rest of that time.
    waited = [0.6 - 0.02 * number if 10 <= number < 30 else 0.0 for number in range(50)]
    assert sorted(ran.acknowledged) == pytest.approx(sorted(waited), abs=1e-3)
    assert sorted(ran.heard) == pytest.approx(sorted(waited), abs=1e-3)
    assert ran.late == pytest.approx([0.0] * 50, abs=1e-3)


# Crashes


@pytest.mark.parametrize("game", GAMES)
def test_moves_that_are_lost_or_were_never_acknowledged_are_found(server: Server, game: str) -> None:
    async def findings(change: Any) -> dict[str, int]:
        pair = await sat_down(server, game)
        made = await play(pair, 5)
        moves = Moves()
        for move in change(made):
            moves.add(pair, move)
        found = await moves.compare()
        pair.leave()
        return {name: count for name, count in found.items() if count}

    async def work() -> None:
        assert await findings(lambda made: made) == {}
        assert await findings(lambda made: [*made, Made(99, 1, "99", "x")]) == {"lost": 1}
        assert await findings(lambda made: made[1:]) == {"doubled": 1}
        elsewhere = await findings(lambda made: [made[0]._replace(seq=99), *made[1:]])
        assert elsewhere == {"lost": 1, "doubled": 1}

    run(work())


# Bad requests


def test_a_request_that_is_not_refused_and_what_it_changes_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def good(self: BadRequests) -> bytes:
        scene = self.scene("playing")
        return self.at(scene, "say", scene.tokens[0])

    monkeypatch.setattr(BadRequests, "good", good, raising=False)
    monkeypatch.setattr(requests, "KINDS", ["good"])
    monkeypatch.setattr(bad, "all_games", lambda: [find("lines")])
    figures = run(bad.measure(bad.Scale(20), tmp_path))
    assert value(figures, "not refused (good)") == 20
    assert value(figures, "changed") > 0


@pytest.mark.parametrize("kind", requests.KINDS)
def test_requests_of_every_kind_differ(kind: str) -> None:
    tokens, legal = ["a" * 40, "b" * 40], ["A 1", "A 2", "A 3"]
    moves = [Made(seq, 1, str(seq), move) for seq, move in enumerate(("B 1", "B 2", "B 3"), 5)]
    scene = Scene("table", "playing", tokens, 9, 1, legal, moves)
    others = [Scene("table", phase, tokens) for phase in ("open", "over")]
    maker = BadRequests([scene, *others], "c" * 40, 0)
    made = [getattr(maker, kind)() for _ in range(20)]
    assert len(set(made)) > 5
