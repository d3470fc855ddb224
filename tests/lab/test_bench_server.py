"""The bench of the table server: very short versions of all parts, and that each finds what it is for."""

from __future__ import annotations

import asyncio
import json
import os
import selectors
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.cli.running import apart, command
from tests.waiting import wait_until
from upcard.cli import INTERRUPTED, main
from upcard.games import find
from upcard.lab.bench.figures import Figure
from upcard.lab.bench.server import bad, crash, crowd, load, mischief, start
from upcard.lab.bench.server import house as houses
from upcard.lab.bench.server.crash import Ledger
from upcard.lab.bench.server.crowd import MOVES, Load, gather, play
from upcard.lab.bench.server.house import House
from upcard.lab.bench.server.http import post
from upcard.lab.bench.server.measuring import run
from upcard.lab.bench.server.mischief import Bad, Mischief
from upcard.lab.bench.server.players import PATIENT, Made, Pair

GAMES = ["stockpile", "lines", "stacks"]


@pytest.fixture(scope="module", autouse=True)
def seeded_servers_that_may_be_slow() -> Iterator[None]:
    """However busy this machine is, nobody gives a server up; and what a server leaves to chance follows from
    the seed of the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(houses, "command", command)
        for module in (houses, crowd, crash, bad):
            patch.setattr(module, "PATIENCE", 3_600.0)
        yield


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server that runs."""
    with House(tmp_path_factory.mktemp("house"), {"log_level": "warning"}).running() as house:
        yield house


@pytest.fixture(autouse=True)
def listening() -> Iterator[None]:
    """Whoever started the tests may have turned Ctrl-C off for them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


async def sat_down(house: House, game: str) -> Pair:
    await house.wait()
    pair = Pair(house, game, 0, PATIENT)
    await pair.arrive()
    await pair.sit_down()
    return pair


def value(figures: list[Figure], words: str) -> float:
    [found] = [figure.value for figure in figures if words in figure.name]
    return found


# All of it


@pytest.mark.soak
def test_all_parts_are_one_command_that_prints_one_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for game in GAMES:
        monkeypatch.setitem(MOVES, game, 8)
    monkeypatch.setattr(load, "QUICK", load.Plan(3, (4,), 0.3, 0.2, 2, 0.1, 20.0))
    monkeypatch.setattr(start, "QUICK", start.Plan(60, 1))
    monkeypatch.setattr(crash, "QUICK", crash.Plan(1, 6, 1000.0, 100))
    monkeypatch.setattr(bad, "QUICK", bad.Plan(150))
    with pytest.raises(SystemExit):
        main(["bench", "server", "--quick", "--json"])
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


def test_quick_is_only_for_the_server(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", "rules", "--quick"])
    assert capsys.readouterr().err == (
        "upcard: --quick is for the figures of upcard bench server, so name that too\n"
    )


@pytest.mark.soak
@pytest.mark.skipif(os.name != "posix", reason="signals are not for this system")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_the_bench_and_its_server_and_leaves_nothing_behind(
    tmp_path: Path, number: signal.Signals
) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    words = command("bench", "server", "--quick")
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
    """Return the ports of the servers that have said where they listen."""
    said = [file.read_text() for file in folder.rglob("said.txt")]
    return [int(text.split()[3].rpartition(":")[2]) for text in said if "http://" in text]


# The load


def test_every_move_that_was_due_is_acknowledged_and_seen_by_the_other_in_all_games(house: House) -> None:
    async def work() -> None:
        await house.wait()
        pairs = await gather(house, GAMES)
        ran = await Load(pairs, run_in=0.1).run(100.0, 0.5)
        assert len(ran.acknowledged) == len(ran.heard) == len(ran.late) == pytest.approx(50, abs=1)
        assert ran.unheard == 0
        for pair in pairs:
            pair.leave()

    run(work())


class Jump(selectors.DefaultSelector):
    """Waits for nothing: the clock jumps instead."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)


class VirtualTime(asyncio.SelectorEventLoop):
    """An event loop whose time passes only while nothing is to be done."""

    def __init__(self) -> None:
        self.clock = Jump()
        super().__init__(self.clock)

    def time(self) -> float:
        return self.clock.now


class Stalling:
    """A pair whose server does not answer from one moment to another."""

    house = SimpleNamespace(seconds=lambda: 0.0)
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
    monkeypatch.setattr(crowd, "now", loop.time)
    pairs = [cast("Pair", Stalling(loop.time, 0.2 - 1e-6, 0.6)) for _ in range(4)]
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        ran = runner.run(Load(pairs, run_in=0.0).run(50.0, 1.0))
    # Those that became due meanwhile, one each 20 ms, waited for the rest of that time.
    waited = [0.6 - 0.02 * number if 10 <= number < 30 else 0.0 for number in range(50)]
    assert sorted(ran.acknowledged) == pytest.approx(sorted(waited), abs=1e-3)
    assert sorted(ran.heard) == pytest.approx(sorted(waited), abs=1e-3)
    assert ran.late == pytest.approx([0.0] * 50, abs=1e-3)


# Crashes


@pytest.mark.parametrize("game", GAMES)
def test_moves_that_are_lost_or_that_nobody_was_told_of_are_found(house: House, game: str) -> None:
    async def findings(change: Any) -> dict[str, int]:
        pair = await sat_down(house, game)
        made = await play(pair, 5)
        ledger = Ledger()
        for move in change(made):
            ledger.write(pair, move)
        ledger.close(pair)
        found = await ledger.compare(house)
        pair.leave()
        return {name: count for name, count in found.items() if count}

    async def work() -> None:
        assert await findings(lambda made: made) == {}
        # Each is missed in the log that is told, and among the commands.
        assert await findings(lambda made: [*made, Made(99, 1, "99", "x")]) == {"lost": 2}
        assert await findings(lambda made: made[1:]) == {"doubled": 2}
        elsewhere = await findings(lambda made: [made[0]._replace(seq=99), *made[1:]])
        assert elsewhere == {"lost": 2, "doubled": 2}
        assert await findings(lambda made: [made[0]._replace(id="99"), *made[1:]]) == {
            "lost": 1,
            "doubled": 1,
        }

    run(work())


# Bad requests


def test_a_request_that_is_not_refused_and_what_it_changes_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def good(mischief: Mischief) -> Bad:
        scene = mischief.scene("playing")
        body = json.dumps({"id": mischief.id(), "phrase": "hello"}).encode()
        return Bad(post(f"/api/tables/{scene.table}/say", body, scene.tokens[0]))

    monkeypatch.setattr(mischief, "KINDS", [good])
    monkeypatch.setattr(bad, "all_games", lambda: [find("lines")])
    figures = run(bad.measure(bad.Plan(20), tmp_path, lambda _: None))
    assert value(figures, "not refused (good)") == 20
    assert value(figures, "changed") > 0


def test_every_kind_of_bad_request_is_another_one_each_time() -> None:
    tokens, legal = ["a" * 40, "b" * 40], ["A 1", "A 2", "A 3"]
    moves = [Made(seq, 1, str(seq), move) for seq, move in enumerate(("B 1", "B 2", "B 3"), 5)]
    scene = mischief.Scene("table", "playing", tokens, 9, 1, legal, moves)
    others = [mischief.Scene("table", phase, tokens) for phase in ("open", "over")]
    mind = Mischief([scene, *others], "c" * 40, 0)
    for kind in mischief.KINDS:
        assert len({kind(mind).request for _ in range(20)}) > 5, kind.__name__


# Start


@pytest.mark.parametrize("game", GAMES)
def test_a_copied_table_is_shown_like_its_model_under_a_name_and_a_code_of_its_own(
    house: House, game: str
) -> None:
    async def work() -> None:
        pair = await sat_down(house, game)
        await play(pair, 4)
        waiting = Pair(house, game, 1, PATIENT)
        await waiting.arrive()
        await waiting.open()
        for model in (pair, waiting):
            [copy] = start.copy_tables(house.database, [model.table], 1)
            before, after = [
                json.loads(await model.players[0].get(f"/api/tables/{table}"))
                for table in (model.table, copy)
            ]
            assert after["table"] == copy
            assert before["code"] is None or before["code"] != after["code"]
            assert {**before, "table": "", "code": "", "present": []} == {
                **after,
                "table": "",
                "code": "",
                "present": [],
            }
            model.leave()

    run(work())
