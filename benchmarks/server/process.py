"""`upcard serve` as a process: started, watched, killed."""

from __future__ import annotations

__all__ = ["Server", "event_loop", "own_core", "raise_file_limit"]

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from benchmarks.server.http import DISCONNECTED, Connection, get
from upcard.core.entropy import random_bytes
from upcard.core.errors import UpcardError

UNLIMITED = {
    "commands_per_second": 1_000_000,
    "burst": 1_000_000,
    "tables_per_minute": 1_000_000,
    "guesses_per_minute": 1_000_000,
    "max_streams_per_person": 1_000_000,
}
# Time limit for a start or a stop, in seconds.
PATIENCE = 60.0
# Time between two attempts to reach a server that starts, in seconds.
RETRY = 0.005


def command(*arguments: str) -> list[str]:
    """Return the command line of an Upcard command."""
    return [sys.executable, "-m", "upcard.cli", *arguments]


def event_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    """Return the factory of the fastest event loop on this system."""
    try:
        import uvloop
    except ImportError:  # not available on every system
        return asyncio.new_event_loop
    return uvloop.new_event_loop


class Server:
    """A server with all its files in one folder. It keeps its port when it is started again."""

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, object] | None = None,
        core: int | None = None,
        database: str | None = None,
    ) -> None:
        self.folder = folder
        self.port = 0
        self.database = folder / "tables.db"
        self._url = database or f"sqlite:///{self.database}"
        self.log = folder / "log.jsonl"
        self._core = core
        self._process: subprocess.Popen[bytes] | None = None
        given = UNLIMITED | {"secret": random_bytes("secret of a server", 32).hex()} | dict(settings or {})
        # JSON numbers and strings are valid TOML too.
        lines = [f"{name} = {json.dumps(value)}\n" for name, value in given.items()]
        (folder / "settings.toml").write_text("".join(lines))

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The running server."""
        assert self._process is not None
        return self._process

    def start(self) -> None:
        """Start it without waiting. It has its own session, so that Ctrl-C does not reach it directly."""
        flags = ["--port", str(self.port), "--database", self._url]
        flags += ["--config", str(self.folder / "settings.toml")]
        environment = {
            name: value
            for name, value in os.environ.items()
            if name == "UPCARD_CACHE" or not name.startswith("UPCARD_")
        }
        with (self.folder / "said.txt").open("wb") as output, self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command("serve", *flags), stdout=output, stderr=log, env=environment, start_new_session=True
            )
        if self._core is not None:
            os.sched_setaffinity(self._process.pid, {self._core})

    async def wait(self) -> None:
        """Wait until it answers."""
        async with asyncio.timeout(PATIENCE):
            while not await self._answers():
                if self.process.poll() is not None:
                    raise UpcardError(f"the server has not started: {self.log.read_text()[-500:].strip()}")
                await asyncio.sleep(RETRY)

    async def _answers(self) -> bool:
        if not self.port:
            self.port = _port((self.folder / "said.txt").read_text())
        if not self.port:
            return False
        with contextlib.suppress(*DISCONNECTED):
            connection = await Connection.open(self.port)
            with contextlib.closing(connection):
                return (await connection.ask(get("/healthz"))).status == 200
        return False

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self.process.kill()
        self.process.wait()

    @contextlib.contextmanager
    def running(self) -> Iterator[Server]:
        """Start it, and stop it afterwards; after an error, kill it."""
        self.start()
        try:
            yield self
            self.process.terminate()
            self.process.wait(PATIENCE)
        finally:
            self.kill()

    def resident(self) -> int:
        """Return its resident memory, in bytes."""
        with contextlib.suppress(OSError):
            pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")
        return 1024 * int(subprocess.check_output(["ps", "-o", "rss=", "-p", str(self.process.pid)]))

    def seconds(self) -> float:
        """Return its processor time in seconds; 0 where the system does not say."""
        try:
            after_name = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def _port(said: str) -> int:
    """Return the port that a server says it listens at; 0 if it has not said so yet."""
    address = said.partition("http://")[2].partition(" ")[0] if said.endswith("\n") else ""
    return int(address.rpartition(":")[2] or 0)


@contextlib.contextmanager
def own_core() -> Iterator[int | None]:
    """Reserve a core for the server, and keep to the others; None where that is not possible."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if len(cores) < 2:
        yield None
        return
    os.sched_setaffinity(0, set(cores[1:]))
    try:
        yield cores[0]
    finally:
        os.sched_setaffinity(0, set(cores))


def raise_file_limit(wanted: int) -> None:
    """Let this process, and those it starts, open this many files."""
    try:
        import resource
    except ImportError:  # a system without such a limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        raise UpcardError(f"{wanted} open files are needed, but this system allows {hard}: ulimit -n")
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
