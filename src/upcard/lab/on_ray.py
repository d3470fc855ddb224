"""The lab beyond one machine: an executor that works on a Ray cluster.

Ray distributes the tasks, and repeats a task elsewhere if its worker is lost. The result of a task depends
only on its arguments, so it does not matter which worker does it, or how often.
"""

from __future__ import annotations

__all__ = ["RayExecutor", "fingerprint", "ray_executor", "ray_jobs", "work_on"]

import functools
import hashlib
import logging
import os
import pickle
import re
import socket
import subprocess
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from concurrent.futures import wait as wait_for
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from upcard import __version__
from upcard.core.errors import MissingPackage, UpcardError
from upcard.lab.executors import deferring_interrupt

Result = TypeVar("Result")

ADDRESS = re.compile(r"(ray://)?\[?([^\s/\[\]]+)\]?:(\d{1,5})")
GIVEN_UP = "Ray has given up: "
NOT_INSTALLED = "--on ray needs Ray: pip install 'upcard[ray]'"

# Messages of Ray are for operators of a cluster; they go to its own log files.
QUIETLY = {"log_to_driver": False, "logging_level": logging.ERROR}
NO_CHATTER = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DEDUP_LOGS_SKIP_REGEX": "^"}
# Results are small, so a cluster of our own needs little memory for them, in bytes.
OBJECT_STORE = 200_000_000
# Time limits for a port to answer and for a cluster to accept us, and time until a message that we are
# waiting for a worker, in seconds.
SECONDS_TO_ANSWER = 5
SECONDS_TO_JOIN = 30
SECONDS_TO_BEGIN = 30
# Attempts to join a cluster that answers with an error.
ATTEMPTS = 3
# Maximum length of a message of Ray that is shown, in characters.
MAX_LETTERS = 300


def ray_executor(address: str, jobs: int | None = None) -> RayExecutor:
    """Return an executor on the cluster that is written `ray`, `ray://HOST:PORT` or `HOST:PORT`.

    `ray` is the cluster that RAY_ADDRESS names or that was started on this machine. If there is none, one is
    started until the executor is shut down, with a CPU for each job.
    """
    if address != "ray" and not ADDRESS.fullmatch(address):
        raise UpcardError(f"--on takes ray, ray://HOST:PORT or HOST:PORT, not {address!r:.60}")
    os.environ.update(NO_CHATTER | os.environ)
    if find_spec("ray") is None or find_spec("grpc") is None:
        raise MissingPackage(NOT_INSTALLED)
    import ray

    executor = RayExecutor(ray, ours=not ray.is_initialized())
    try:
        if executor.ours:
            _connect(ray, address, jobs)
        executor.check()
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        raise
    return executor


def ray_jobs(executor: RayExecutor) -> int:
    """Return the number of tasks that can run at the same time: the number of CPUs of the cluster."""
    return max(1, int(executor.ray.cluster_resources().get("CPU", 0)))


class RayExecutor(Executor):
    """Workers of a Ray cluster. A task that loses its worker or its node is restarted elsewhere."""

    def __init__(self, ray: Any, ours: bool) -> None:
        self.ray = ray
        # Whether we have to close the connection.
        self.ours = ours
        self.errand = ray.remote(num_cpus=1, max_retries=-1)(_errand()).options(name="upcard")
        self.tasks: dict[Future[Any], Any] = {}
        self.closed = False

    def check(self) -> None:
        """Check that a worker has the same Upcard."""
        able = self.submit(fingerprint)
        if not wait_for([able], SECONDS_TO_BEGIN).done:
            print("Waiting for a worker of the Ray cluster ...", file=sys.stderr, flush=True)
        able.result()

    def submit(self, work: Callable[..., Result], /, *task: Any, **named: Any) -> Future[Result]:
        """Give a task to the cluster."""
        if self.closed:
            raise RuntimeError("this executor was shut down")
        parcel = self.ray.cloudpickle.dumps((work, task, named))
        try:
            reference = self.errand.remote(fingerprint(), parcel)
        except ConnectionError as error:
            raise UpcardError(GIVEN_UP + _reason(error)) from None
        future: Future[Result] = Future()
        future.set_running_or_notify_cancel()
        self.tasks[future] = reference
        reference.future().add_done_callback(functools.partial(self._deliver, future))
        return future

    def _deliver(self, future: Future[Any], came: Future[bytes | str]) -> None:
        if self.tasks.pop(future, None) is None:
            return  # it was cancelled
        try:
            parcel = came.result()
            if isinstance(parcel, str):
                raise UpcardError(parcel)
            future.set_result(pickle.loads(parcel))
        except self.ray.exceptions.RayTaskError as error:
            future.set_exception(error)  # a bug, which is shown as one
        except (self.ray.exceptions.RayError, ConnectionError) as error:
            future.set_exception(UpcardError(GIVEN_UP + _reason(error)))
        except BaseException as error:
            future.set_exception(error)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Shut down: when all tasks are done, or with `cancel_futures` without waiting for them."""
        self.closed = True
        if cancel_futures:
            self._cancel()
        elif wait:
            wait_for(list(self.tasks))
        if self.ours and not self.tasks:
            self.ours = False
            with deferring_interrupt():
                self.ray.shutdown()

    def _cancel(self) -> None:
        while self.tasks:
            future, reference = self.tasks.popitem()
            self.ray.cancel(reference, force=True)
            future.set_exception(CancelledError())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # After an error or Ctrl-C the rest is not needed.
        self.shutdown(cancel_futures=kind is not None)


# Workers


def _errand() -> Callable[[str, bytes], bytes | str]:
    """Return the function that Ray runs. It is defined here, so that a worker receives its code instead of
    importing it: a worker without Upcard can then report that."""

    def errand(wanted: str, parcel: bytes) -> bytes | str:
        try:
            from upcard.lab.on_ray import work_on
        except ImportError as error:
            from socket import gethostname

            return f"the Ray node {gethostname()} cannot run Upcard ({error}): install it there too"
        return work_on(wanted, parcel)

    return errand


def work_on(wanted: str, parcel: bytes) -> bytes | str:
    """Do a task that was sent here, and return its result, or a sentence with the problem.

    `wanted` is the fingerprint of the Upcard that sent it.
    """
    if fingerprint() != wanted:
        return (
            f"the Ray node {socket.gethostname()} has {fingerprint()}, and this machine {wanted}: "
            "install the same on both"
        )
    work, task, named = pickle.loads(parcel)
    try:
        return pickle.dumps(work(*task, **named))
    except UpcardError as error:
        return str(error)


@functools.cache
def fingerprint() -> str:
    """Return a fingerprint of everything that affects the results: our version, a hash of all our sources,
    and Numba's version."""
    package = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for source in sorted(package.rglob("*.py")):
        digest.update(source.relative_to(package).as_posix().encode() + source.read_bytes())
    return f"Upcard {__version__} ({digest.hexdigest()[:8]}) with Numba {version('numba')}"


# Finding a cluster


def _connect(ray: Any, address: str, jobs: int | None) -> None:
    """Join a cluster, or start one."""
    if address != "ray":
        _join(ray, address)
    elif os.environ.get("RAY_ADDRESS"):
        if not ADDRESS.fullmatch(os.environ["RAY_ADDRESS"]):
            raise UpcardError(
                f"RAY_ADDRESS should be ray://HOST:PORT or HOST:PORT, not {os.environ['RAY_ADDRESS']!r:.60}"
            )
        _join(ray, os.environ["RAY_ADDRESS"])
    else:
        try:
            _start(ray, jobs or os.cpu_count() or 1)
        except ValueError:  # a cluster runs here already, with its own number of CPUs
            _join(ray, None)


def _start(ray: Any, cpus: int) -> None:
    try:
        with deferring_interrupt():  # a half-started cluster would be left behind
            ray.init(num_cpus=cpus, object_store_memory=OBJECT_STORE, include_dashboard=False, **QUIETLY)
    except (ray.exceptions.RayError, OSError, RuntimeError) as error:
        raise UpcardError(f"Ray cannot be started here: {_reason(error)}") from None


def _join(ray: Any, address: str | None) -> None:
    """Join the cluster at an address; None is the one that was started on this machine."""
    where = f"at {address}" if address else "on this machine any more (ray stop makes Ray forget it)"
    if address is not None:
        _reach(address, where)
    by_client = address is not None and address.startswith("ray://")
    refusal = (not by_client and _knock(address)) or _enter(ray, address)
    if refusal:
        advice = "" if "RAY_AUTH_MODE" in os.environ else "; if it wants a token, set RAY_AUTH_MODE=token"
        raise UpcardError(f"no Ray cluster answers {where}: {refusal}{advice}")


def _reach(address: str, where: str) -> None:
    """Check quickly whether anything listens at an address."""
    found = ADDRESS.fullmatch(address)
    assert found is not None
    try:
        socket.create_connection((found[2], int(found[3])), SECONDS_TO_ANSWER).close()
    except OSError as error:
        raise UpcardError(f"no Ray cluster answers {where}: {error.strerror or error}") from None
    except UnicodeError:
        raise UpcardError(f"no Ray cluster answers {where}: not a valid host name") from None


def _enter(ray: Any, address: str | None) -> str:
    """Join a cluster; return the reason if it refused us."""
    refusal = ""
    for _ in range(ATTEMPTS):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ray.init(address, **QUIETLY)
        except (ray.exceptions.RayError, OSError, RuntimeError, ValueError) as error:
            refusal = _reason(error)
            # A cluster starts a process for each client, which may fail at random: it then sends a traceback.
            if "Traceback" not in str(error):
                break
        else:
            return ""
    return refusal


def _knock(address: str | None) -> str:
    """Let another process join first, and return the reason if it was refused. Without a cluster, Ray keeps
    trying for minutes and ignores Ctrl-C."""
    words = [sys.executable, "-m", __name__, *([address] if address else [])]
    try:
        tried = subprocess.run(
            words,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=SECONDS_TO_JOIN,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"{SECONDS_TO_JOIN} seconds passed"
    return tried.stdout.strip() or ("Ray broke off" if tried.returncode else "")


def _reason(error: BaseException) -> str:
    """Return Ray's error message in one line; of a traceback only the end."""
    lines = str(error).strip().split("\n")
    said = lines[-1:] if any(line.startswith("Traceback") for line in lines) else lines
    return " ".join(" ".join(said).split())[:MAX_LETTERS] or type(error).__name__


def main() -> None:
    """Join a cluster and leave it again, or print why not."""
    import ray

    print(_enter(ray, sys.argv[1] if len(sys.argv) > 1 else None))


if __name__ == "__main__":
    main()
