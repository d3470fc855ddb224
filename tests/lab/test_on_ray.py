"""The lab on a Ray cluster, without one: a stand-in for Ray does the tasks in threads.

The real one is for a soak (test_ray_cluster.py).
"""

from __future__ import annotations

import importlib.util
import io
import pickle
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import cloudpickle  # type: ignore[import-untyped]
import pytest

from tests.cli.running import Run, running
from upcard.core.errors import UpcardError
from upcard.lab import on_ray
from upcard.lab.executors import in_order
from upcard.lab.on_ray import RayExecutor, fingerprint, ray_executor, ray_jobs, work_on
from upcard.lab.simulate import SimulationPlan, simulate


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command in this process."""
    return running(capsys)


# A stand-in for Ray


class Broken(Exception):
    """The error of Ray for problems with the cluster."""


class TaskBroken(Broken):
    """The error of Ray for an error in a task: it is both."""


class Reference:
    """The reference that Ray returns for a task: here it runs in a thread, when the test starts it."""

    def __init__(self, work: Callable[[], Any], may_begin: threading.Event) -> None:
        self.came: Future[Any] = Future()
        threading.Thread(target=self._do, args=(work, may_begin), daemon=True).start()

    def _do(self, work: Callable[[], Any], may_begin: threading.Event) -> None:
        may_begin.wait()
        try:
            self.came.set_result(work())
        except Exception as error:
            self.came.set_exception(error)

    def future(self) -> Future[Any]:
        return self.came


class StandIn(ModuleType):
    """The part of Ray that we use."""

    cloudpickle = cloudpickle
    exceptions = SimpleNamespace(RayError=Broken, RayTaskError=TaskBroken)

    def __init__(self) -> None:
        super().__init__("ray")
        self.__spec__ = importlib.util.find_spec("ray")
        self.joined: list[Any] = []
        self.left = 0
        self.canceled: list[Reference] = []
        self.may_begin = threading.Event()
        self.may_begin.set()
        self.breaks: Exception | None = None

    def is_initialized(self) -> bool:
        return len(self.joined) > self.left

    def init(self, address: str | None = None, **settings: Any) -> None:
        self.joined.append(address or settings["num_cpus"])

    def shutdown(self) -> None:
        self.left += 1

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 3.0, "memory": 1e9}

    def cancel(self, reference: Reference, force: bool) -> None:
        assert force
        self.canceled.append(reference)

    def remote(self, num_cpus: int, max_retries: int) -> Callable[[Callable[..., Any]], Any]:
        # A task that has lost its worker is restarted, however often that happens.
        assert (num_cpus, max_retries) == (1, -1)
        return lambda errand: SimpleNamespace(options=lambda name: SimpleNamespace(remote=self._send(errand)))

    def _send(self, errand: Callable[..., Any]) -> Callable[[str, bytes], Reference]:
        sent = cloudpickle.dumps(errand)

        def send(wanted: str, parcel: bytes) -> Reference:
            def work() -> Any:
                if self.breaks is not None:
                    raise self.breaks
                try:
                    return pickle.loads(sent)(wanted, parcel)
                except Exception as error:
                    # It contains the origin of the error instead of its message.
                    raise type("Both", (TaskBroken, type(error)), {})(f"ray::upcard() {error!r}") from None

            return Reference(work, self.may_begin)

        return send


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    stand_in = StandIn()
    monkeypatch.setitem(sys.modules, "ray", stand_in)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    for name, value in {"RAY_AUTH_MODE": "disabled", **on_ray.NO_CHATTER}.items():
        monkeypatch.setenv(name, value)
    yield stand_in
    stand_in.may_begin.set()


# The same as on one machine


@pytest.mark.parametrize("game", ["stockpile", "lines", "stacks"])
def test_a_game_gives_on_a_cluster_what_it_gives_here(ray: StandIn, game: str) -> None:
    plan = SimulationPlan.of(game, {}, ["easy", "random"], b"seed", records=True)
    came = []
    with ray_executor("ray", 3) as executor:
        for workers, jobs in ((None, 1), (executor, ray_jobs(executor))):
            file = io.StringIO()
            facts = simulate(plan, 4, jobs, file, executor=workers).to_json()
            came.append((facts["games"], facts["moves"], facts["wins"], file.getvalue()))
    assert came[0] == came[1]
    assert came[0][0] == 4
    assert (jobs, ray.joined, ray.left) == (3, [3], 1)


def test_a_connection_that_was_there_before_is_left_alone(ray: StandIn) -> None:
    ray.init("somewhere:1")
    with ray_executor("ray") as executor:
        assert list(in_order(executor, pow, [(2, 3), (2, 4)], 2)) == [8, 16]
    assert (ray.joined, ray.left) == (["somewhere:1"], 0)


def test_the_command_plays_on_the_cluster(ray: StandIn, run: Run, tmp_path: Path) -> None:
    words = ["simulate", "lines", "--games", "4", "--bots", "easy", "--seed", "1", "--records"]
    assert run(*words, tmp_path / "cluster", "--on", "ray").code == 0
    assert run(*words, tmp_path / "here", "--jobs", "1").code == 0
    assert (tmp_path / "cluster").read_bytes() == (tmp_path / "here").read_bytes()
    assert ray.left == 1


# Ending early


def test_after_ctrl_c_nobody_works_on_and_the_connection_is_closed(ray: StandIn) -> None:
    executor = ray_executor("ray")
    never: list[Future[int]] = []

    def press_ctrl_c_at_work() -> None:
        with executor:
            ray.may_begin.clear()
            never.extend(executor.submit(pow, 2, 3) for _ in range(2))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        press_ctrl_c_at_work()
    assert len(ray.canceled) == 2
    assert [type(task.exception()) for task in never] == [CancelledError] * 2
    assert ray.left == 1
    # The result of a task that is cancelled is not delivered.
    ray.may_begin.set()
    assert all(reference.came.result() for reference in ray.canceled)
    with pytest.raises(RuntimeError, match="this executor was shut down"):
        executor.submit(pow, 2, 3)


def test_what_is_wrong_with_the_cluster_is_told_in_a_sentence(ray: StandIn) -> None:
    ray.breaks = Broken("Traceback (most recent call last):\n  ...\nOutOfMemory: the node  is gone")
    with pytest.raises(UpcardError, match=r"^Ray has given up: OutOfMemory: the node is gone$"):
        ray_executor("ray")
    assert ray.left == 1


# Messages of workers


def refuse() -> None:
    raise UpcardError("there is no bot 'guest'")


def test_what_a_worker_refuses_is_said_and_a_bug_comes_out_as_what_it_is(ray: StandIn) -> None:
    with ray_executor("ray") as executor:
        with pytest.raises(UpcardError, match=r"^there is no bot 'guest'$"):
            executor.submit(refuse).result()
        with pytest.raises(ValueError, match=r"^ray::upcard\(\) ValueError\(.invalid literal"):
            executor.submit(int, "x").result()


def test_a_cluster_with_another_upcard_is_refused(ray: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fingerprint().startswith("Upcard ")
    parcel = pickle.dumps((pow, (2, 3), {}))
    assert isinstance(work_on(fingerprint(), parcel), bytes)
    assert work_on("Upcard 99", parcel) == (
        f"the Ray node {socket.gethostname()} has {fingerprint()}, and this machine Upcard 99: "
        "install the same on both"
    )
    executor = RayExecutor(ray, ours=False)
    monkeypatch.setattr(on_ray, "fingerprint", iter(["Upcard 99", "Upcard 98", "Upcard 98"]).__next__)
    with pytest.raises(UpcardError, match="has Upcard 98, and this machine Upcard 99: install the same"):
        executor.check()


def test_a_node_without_upcard_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    errand = cloudpickle.dumps(on_ray._errand())
    monkeypatch.setitem(sys.modules, "upcard.lab.on_ray", None)
    said = pickle.loads(errand)("", b"")
    assert said.startswith(f"the Ray node {socket.gethostname()} cannot run Upcard (")
    assert said.endswith("): install it there too")


# Without a cluster


@pytest.mark.parametrize("missing", ["ray", "grpc"])
def test_where_ray_is_not_installed_the_command_says_how(
    run: Run, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    ran = run("simulate", "lines", "--on", "ray")
    assert ran.mistake == "--on ray needs Ray: pip install 'upcard[ray]'"


@pytest.mark.usefixtures("ray")
def test_an_invalid_address_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("", "frob", "http://127.0.0.1:8265", "ray://", "ray:1:x"):
        assert run("simulate", "lines", f"--on={wrong}").mistake == (
            f"--on takes ray, ray://HOST:PORT or HOST:PORT, not {wrong!r}"
        )
    monkeypatch.setenv("RAY_ADDRESS", "http://127.0.0.1:8265")
    assert run("simulate", "lines", "--on", "ray").mistake == (
        "RAY_ADDRESS should be ray://HOST:PORT or HOST:PORT, not 'http://127.0.0.1:8265'"
    )


@pytest.mark.usefixtures("ray")
@pytest.mark.parametrize("kind", ["", "ray://"])
def test_where_nothing_listens_no_cluster_answers(
    run: Run, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"{kind}127.0.0.1:{closed.getsockname()[1]}"
        path = tmp_path / "games.jsonl"
        path.write_text("precious")
        expected = f"no Ray cluster answers at {address}: Connection refused"
        assert run("simulate", "lines", "--on", address, "--records", path).mistake == expected
        assert path.read_text() == "precious"
        monkeypatch.setenv("RAY_ADDRESS", address)
        assert run("simulate", "lines", "--on", "ray").mistake == expected


@pytest.mark.usefixtures("ray")
def test_a_program_that_listens_but_is_not_a_cluster_is_given_up(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray itself would keep trying for minutes."""
    monkeypatch.setattr(on_ray, "SECONDS_TO_JOIN", 0.001)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        address = f"127.0.0.1:{deaf.getsockname()[1]}"
        assert run("simulate", "lines", "--on", address).mistake == (
            f"no Ray cluster answers at {address}: 0.001 seconds passed"
        )


class Stumbling:
    """A Ray whose cluster refuses several times with a message, and then accepts us."""

    exceptions = SimpleNamespace(RayError=RuntimeError)

    def __init__(self, times: int, says: str) -> None:
        self.times, self.says, self.tried = times, says, 0

    def init(self, _address: str, **_settings: Any) -> None:
        self.tried += 1
        if self.tried <= self.times:
            raise ConnectionError(self.says)


@pytest.mark.parametrize(
    ("times", "says", "tried", "refusal"),
    [
        (2, "Traceback (most recent call last):\n  ...\nZombie: gone", 3, ""),
        (9, "Traceback (most recent call last):\n  ...\nZombie: gone", 3, "Zombie: gone"),
        (9, "a token is wanted", 1, "a token is wanted"),
    ],
)
def test_where_a_cluster_stumbles_it_is_asked_again_but_not_where_it_refuses(
    times: int, says: str, tried: int, refusal: str
) -> None:
    ray = Stumbling(times, says)
    assert on_ray._enter(ray, "ray://somewhere:1") == refusal
    assert ray.tried == tried
