"""The lab on a Ray cluster: a real one, of three nodes on this machine, some of which die."""

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
from tests.cli.running import Ran, Run, command, run_process, running, wait_until
from upcard.lab import on_ray

pytestmark = [
    # One cluster at a time is enough for a machine.
    pytest.mark.xdist_group("ray"),
    pytest.mark.skipif(os.name != "posix", reason="Ray has clusters only on POSIX systems"),
]


# The cluster

# It runs in a process of its own, until nobody is there to talk to any more.
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
    """Where a cluster can be joined, and the processes that are its nodes beside the head."""

    address: str
    client: str
    nodes: list[int]


@pytest.fixture(scope="module", autouse=True)
def ray_folder() -> Iterator[Path]:
    """Return the folder where Ray keeps its files; its sockets need a short path."""
    folder = Path(tempfile.mkdtemp(prefix="ray"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TMPDIR", str(folder))
        patch.setenv("RAY_AUTH_MODE", "disabled")  # it would write a token into somebody's home
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.delenv("RAY_ADDRESS", raising=False)
        # A node that is gone is missed sooner than usual.
        patch.setenv("RAY_health_check_period_ms", "500")
        patch.setenv("RAY_health_check_failure_threshold", "2")
        yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def cluster(ray_folder: Path) -> Iterator[Cluster]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        [sys.executable, "-c", HEAD_AND_TWO_NODES, str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        yield Cluster(told["address"], f"ray://127.0.0.1:{port}", told["nodes"])
        process.communicate()


def processes() -> list[tuple[int, int, str]]:
    """Return number, parent and words of all processes."""
    listed = subprocess.check_output(["ps", "-eo", "pid=,ppid=,args="], text=True)
    rows = (line.split(None, 2) for line in listed.splitlines())
    return [(int(row[0]), int(row[1]), row[2]) for row in rows if len(row) == 3]


def is_at_work(worker: int) -> bool:
    """Tell whether a worker plays for us now: Ray names its processes after their task."""
    return any(pid == worker and words.startswith("ray::upcard") for pid, _, words in processes())


def stopped_at_work(node: int, process: subprocess.Popen[str]) -> int:
    """Stop a worker of a node in the middle of a task, which then cannot come to its end."""
    while process.poll() is None:
        for worker in [pid for pid, parent, _ in processes() if parent == node and is_at_work(pid)]:
            os.kill(worker, signal.SIGSTOP)
            if is_at_work(worker):
                return worker
            os.kill(worker, signal.SIGCONT)
    pytest.fail(f"the games are over: {process.communicate()}")


def noise(text: str) -> list[str]:
    """Return what was said beside the point. Only a compiler that has to run may say so."""
    return [line for line in text.splitlines() if not line.startswith("Compiling ")]


# The same as on one machine

ON_BOTH = """\
import io, json, sys
import ray
from upcard.lab.on_ray import ray_crew, ray_jobs
from upcard.lab.simulate import Plan, simulate

ray.init(sys.argv[1], log_to_driver=False, logging_level="ERROR")
for game in ("stockpile", "lines", "stacks"):
    for bots, games, records in (
        (["random"], 5000, False), (["greedy", "random"], 250, True), (["search@20", "easy"], 4, True)
    ):
        plan = Plan.of(game, {}, bots, b"seed", records)
        came = []
        for crew in (None, ray_crew(sys.argv[1])):
            file = io.StringIO()
            jobs = 1 if crew is None else ray_jobs(crew)
            facts = simulate(plan, games, jobs, file, crew=crew).to_json()
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


# What dies in the middle

THINKING = ["simulate", "lines", "--games", "60", "--bots", "search@100", "--seed", "1", "--json"]


@pytest.fixture(scope="module")
def played_here(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """Return summary and records of some games that were played without a cluster."""
    path = tmp_path_factory.mktemp("here") / "games.jsonl"
    return outcome(run_process(*THINKING, "--jobs", "1", "--records", path), path)


def outcome(ran: Ran, path: Path) -> tuple[dict[str, Any], str]:
    assert (ran.code, noise(ran.err)) == (0, [])
    facts = json.loads(ran.out)
    del facts["seconds"], facts["moves_per_second"]
    return facts, path.read_text("utf-8")


@contextlib.contextmanager
def playing(path: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start games, and go on when some of them are done."""
    with subprocess.Popen(
        command(*arguments, "--records", path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_until(lambda: process.poll() is not None or (path.exists() and path.stat().st_size > 0))
        yield process


def ended(process: subprocess.Popen[str]) -> Ran:
    out, err = process.communicate()
    return Ran(process.returncode, out, err)


def test_a_worker_that_is_killed_costs_no_game(
    cluster: Cluster, played_here: tuple[dict[str, Any], str], tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    with playing(path, *THINKING, "--on", cluster.client) as process:
        os.kill(stopped_at_work(cluster.nodes[0], process), signal.SIGKILL)
        assert outcome(ended(process), path) == played_here


def test_a_node_that_is_killed_costs_no_game(
    cluster: Cluster, played_here: tuple[dict[str, Any], str], tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    with playing(path, *THINKING, "--on", cluster.address) as process:
        worker = stopped_at_work(cluster.nodes[1], process)
        os.kill(cluster.nodes[1], signal.SIGKILL)
        os.kill(worker, signal.SIGKILL)
        assert outcome(ended(process), path) == played_here
