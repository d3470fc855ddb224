"""The lab on a real Ray cluster of three nodes on this machine, some of which are killed.

Ray has its own time limits, and sometimes exits without a reason, so this is not for a busy machine. Our own
code is tested in test_on_ray.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import upcard
from tests.cli.running import Run, apart, command, press_ctrl_c, processes, run_process, running
from tests.waiting import wait_until
from upcard.lab import on_ray

pytestmark = [
    pytest.mark.soak,
    # One cluster at a time is enough for a machine.
    pytest.mark.xdist_group("ray"),
    pytest.mark.skipif(os.name != "posix", reason="Ray has clusters only on POSIX systems"),
]


# The cluster

# It runs in a separate process until its input ends.
HEAD_AND_TWO_NODES = """\
import json, sys
from ray.cluster_utils import Cluster

SMALL = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}
cluster = Cluster(initialize_head=True, head_node_args=SMALL | {"ray_client_server_port": int(sys.argv[1])})
for _ in range(2):
    cluster.add_node(wait=False, **SMALL)
cluster.wait_for_nodes()
nodes = [node.all_processes["raylet"][0].process.pid for node in cluster.worker_nodes]
print(json.dumps({"address": cluster.address, "nodes": nodes}), flush=True)
sys.stdin.read()
cluster.shutdown()
"""


@dataclass(frozen=True)
class Cluster:
    """The address of a cluster, and the processes of its nodes besides the head."""

    address: str
    client: str
    nodes: list[int]


@pytest.fixture(scope="module", autouse=True)
def ray_folder() -> Iterator[Path]:
    """Return the folder where Ray keeps its files; its sockets need a short path."""
    folder = Path(tempfile.mkdtemp(prefix="ray"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TMPDIR", str(folder))
        patch.setenv("RAY_AUTH_MODE", "disabled")  # it would write a token into the user's home
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.delenv("RAY_ADDRESS", raising=False)
        # However busy this machine is.
        patch.setenv("RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S", "100")
        # A lost node is noticed sooner than by default.
        patch.setenv("RAY_health_check_period_ms", "500")
        patch.setenv("RAY_health_check_failure_threshold", "2")
        yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def cluster(ray_folder: Path) -> Iterator[Cluster]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quietly = {"stdin": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with apart([sys.executable, "-c", HEAD_AND_TWO_NODES, str(port)], **quietly) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        yield Cluster(told["address"], f"ray://127.0.0.1:{port}", told["nodes"])
        process.communicate()


def is_at_work(worker: int) -> bool:
    """Whether a worker is playing for us now: Ray names its processes after their task."""
    return any(one.number == worker and one.words.startswith("ray::upcard") for one in processes())


def stopped_at_work(cluster: Cluster) -> tuple[int, int]:
    """Stop a worker in the middle of a task, which then cannot finish; return node and worker."""
    found: list[tuple[int, int]] = []

    def stop_one() -> bool:
        for one in processes():
            if one.parent in cluster.nodes and is_at_work(one.number):
                os.kill(one.number, signal.SIGSTOP)
                if is_at_work(one.number):
                    found.append((one.parent, one.number))
                    return True
                os.kill(one.number, signal.SIGCONT)
        return False

    wait_until(stop_one)
    return found[0]


def noise(text: str) -> list[str]:
    """Return unexpected output: only messages about slow work on a busy machine are allowed."""
    return [line for line in text.splitlines() if not line.startswith(("Compiling ", "Waiting "))]


# The same as on one machine

ON_BOTH = """\
import io, json, sys
import ray
from upcard.lab.on_ray import ray_executor, ray_jobs
from upcard.lab.simulate import SimulationPlan, simulate

ray.init(sys.argv[1], log_to_driver=False, logging_level="ERROR")
for game in ("stockpile", "lines", "stacks"):
    for bots, games, records in (
        (["random"], 5000, False), (["greedy", "random"], 250, True), (["search@20", "easy"], 4, True)
    ):
        plan = SimulationPlan.of(game, {}, bots, b"seed", records)
        came = []
        for executor in (None, ray_executor(sys.argv[1])):
            file = io.StringIO()
            jobs = 1 if executor is None else ray_jobs(executor)
            facts = simulate(plan, games, jobs, file, executor=executor).to_json()
            del facts["seconds"], facts["moves_per_second"]
            came.append((facts, file.getvalue()))
        print(json.dumps([game, bots, jobs, facts["games"] == games, came[0] == came[1]]))
print(json.dumps(ray.is_initialized()))
"""


def test_all_games_and_bots_give_on_three_nodes_what_they_give_here(cluster: Cluster) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", ON_BOTH, cluster.address], capture_output=True, text=True, check=True
    )
    *rows, still_connected = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(rows) == 9
    for game, bots, jobs, complete, same in rows:
        assert jobs == 3
        assert complete
        assert same, f"{game} {bots}"
    assert still_connected, "a connection that was there before is left alone"
    assert noise(ran.stderr) == []


# Crashes

THINKING = ["simulate", "lines", "--bots", "search@20", "--seed", "1", "--json"]


@contextlib.contextmanager
def playing(path: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Play endlessly, and continue here once some games are written."""
    words = [*THINKING, "--games", "1000000", "--records", str(path), *arguments]
    with apart(command(*words), stderr=subprocess.PIPE) as process:
        wait_until(lambda: process.poll() is not None or written(path) > 0)
        yield process


def written(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def kept(process: subprocess.Popen[str], path: Path) -> tuple[dict[str, Any], str]:
    """Press Ctrl-C; return the summary and the records."""
    press_ctrl_c(process)
    out, err = process.communicate()
    assert (process.returncode, noise(err)) == (130, []), err
    return without_times(json.loads(out)), path.read_text("utf-8")


def played_here(games: int, path: Path) -> tuple[dict[str, Any], str]:
    """Return the summary and records of the same games, played without a cluster."""
    ran = run_process(*THINKING, "--games", str(games), "--jobs", "1", "--records", path)
    return without_times(json.loads(ran.out)) | {"interrupted": True}, path.read_text("utf-8")


def without_times(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: fact for name, fact in facts.items() if "second" not in name}


def test_a_worker_and_a_node_that_are_killed_in_the_middle_cost_no_game(
    cluster: Cluster, tmp_path: Path
) -> None:
    path = tmp_path / "cluster.jsonl"
    with playing(path, "--on", cluster.address) as process:
        _, worker = stopped_at_work(cluster)
        os.kill(worker, signal.SIGKILL)
        wait_for_more_games(process, path)
        node, worker = stopped_at_work(cluster)
        os.kill(node, signal.SIGKILL)
        os.kill(worker, signal.SIGKILL)
        wait_for_more_games(process, path)
        facts, records = kept(process, path)
    assert (facts, records) == played_here(facts["games"], tmp_path / "here.jsonl")


def wait_for_more_games(process: subprocess.Popen[str], path: Path) -> None:
    """Wait until a lost game is done: games are started only a few ahead, and written in order."""
    enough = written(path) + 50
    wait_until(lambda: process.poll() is not None or written(path) > enough)


# A Ray that we start


def test_ctrl_c_keeps_the_games_and_leaves_no_process_behind(tmp_path: Path, ray_folder: Path) -> None:
    """No cluster is known here, so one is started."""
    (ray_folder / "ray" / "ray_current_cluster").unlink(missing_ok=True)
    path = tmp_path / "cluster.jsonl"
    with playing(path, "--on", "ray", "--jobs", "2") as process:
        started = in_session(process.pid)
        assert sum("/raylet " in words for words in started) == 1
        assert sum(words.startswith("ray::upcard") for words in started) <= 2
        facts, records = kept(process, path)
    wait_until(lambda: in_session(process.pid) == [])
    assert facts["games"] == written(path) > 0
    assert (facts, records) == played_here(facts["games"], tmp_path / "here.jsonl")


def in_session(leader: int) -> list[str]:
    """Return a process and all its descendants."""
    return [one.words for one in processes() if one.session == leader]


# Errors as sentences


def test_what_a_worker_refuses_is_said_also_to_a_client_outside_the_cluster(
    cluster: Cluster, tmp_path: Path
) -> None:
    """A package that is installed only here provides a bot that the workers do not know."""
    (tmp_path / "guest-1.dist-info").mkdir()
    (tmp_path / "guest-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: guest\nVersion: 1\n"
    )
    (tmp_path / "guest-1.dist-info" / "entry_points.txt").write_text(
        "[upcard.bots]\nguest = upcard.bots:Greedy\n"
    )
    arguments = ["simulate", "lines", "--games", "5", "--bots", "guest", "--on", cluster.client]
    with_guest = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    ran = run_process(*arguments, PYTHONPATH=with_guest)
    assert ran.mistake.startswith("there is no bot 'guest': choose random, greedy, ")


def test_a_cluster_with_another_upcard_is_refused_and_records_stay(cluster: Cluster, tmp_path: Path) -> None:
    shutil.copytree(Path(upcard.__file__).parent, tmp_path / "upcard")
    with (tmp_path / "upcard" / "lab" / "loops.py").open("a") as file:
        file.write("# It might be another game now.\n")
    path = tmp_path / "games.jsonl"
    path.write_text("precious")
    arguments = ["simulate", "lines", "--on", cluster.address, "--records", str(path)]
    mistake = run_process(*arguments, PYTHONPATH=str(tmp_path)).mistake
    assert mistake.startswith(f"the Ray node {socket.gethostname()} has Upcard {upcard.__version__} (")
    assert mistake.endswith(": install the same on both")
    assert path.read_text() == "precious"


def test_an_error_that_is_not_a_refusal_is_raised_unchanged(cluster: Cluster) -> None:
    program = (
        "import sys; from upcard.lab.on_ray import ray_executor\n"
        "ray_executor(sys.argv[1]).submit(int, 'x').result()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, cluster.address], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1] == "ValueError: invalid literal for int() with base 10: 'x'"


def test_a_program_that_listens_but_is_not_a_cluster_is_given_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ray itself would try for minutes."""
    monkeypatch.setattr(on_ray, "SECONDS_TO_JOIN", 10)
    run: Run = running(capsys)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        address = f"127.0.0.1:{deaf.getsockname()[1]}"
        assert run("simulate", "lines", "--on", address).mistake == (
            f"no Ray cluster answers at {address}: 10 seconds passed"
        )
