"""A server as a process of its own: started, watched, killed."""

from __future__ import annotations

__all__ = ["House", "apart", "open_many_files"]

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from upcard.core.entropy import random_bytes
from upcard.core.errors import UpcardError
from upcard.lab.bench.server.http import Line, get

# Nobody who measures is to be told that they ask too often.
UNLIMITED = {
    "commands_per_second": 1_000_000,
    "burst": 1_000_000,
    "tables_per_minute": 1_000_000,
    "guesses_per_minute": 1_000_000,
    "max_streams_per_person": 1_000_000,
}
# So many seconds may it take to start, on a machine that has other things to do.
PATIENCE = 60.0
# So often is it asked whether it is there yet.
KNOCKING = 0.005


def command(*arguments: str) -> list[str]:
    """Return the words that start a command of Upcard."""
    return [sys.executable, "-m", "upcard.cli", *arguments]


class House:
    """`upcard serve` with all its files in one folder. It listens at the same port whenever it is started."""

    host = "127.0.0.1"

    def __init__(
        self, folder: Path, settings: Mapping[str, object] | None = None, core: int | None = None
    ) -> None:
        self.folder = folder
        self.port = 0
        self._core = core
        self._process: subprocess.Popen[bytes] | None = None
        given = UNLIMITED | {"secret": random_bytes("secret of a server", 32).hex()} | dict(settings or {})
        # What JSON says of a number or a text, TOML says too.
        lines = [f"{name} = {json.dumps(value)}\n" for name, value in given.items()]
        self._settings.write_text("".join(lines))

    @property
    def _settings(self) -> Path:
        return self.folder / "settings.toml"

    @property
    def database(self) -> Path:
        """The file with all tables."""
        return self.folder / "tables.db"

    @property
    def log(self) -> Path:
        """What the server writes down."""
        return self.folder / "log.jsonl"

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    # Start and end

    def start(self) -> None:
        """Start it, and do not wait."""
        said = self.folder / "said.txt"
        flags = ["--port", str(self.port), "--database", f"sqlite:///{self.database}"]
        with said.open("wb") as output, self.log.open("ab") as log, _on_core(self._core):
            # In a session of its own: Ctrl-C is for us, and then we end it.
            self._process = subprocess.Popen(
                command("serve", *flags, "--config", str(self._settings)),
                stdout=output,
                stderr=log,
                env=_environment(),
                start_new_session=True,
            )

    async def wait(self) -> None:
        """Wait until it answers."""
        async with asyncio.timeout(PATIENCE):
            while not self.port:
                self._check_running()
                self.port = _port((self.folder / "said.txt").read_text())
                await asyncio.sleep(KNOCKING)
            while not await self._answers():
                self._check_running()
                await asyncio.sleep(KNOCKING)

    async def _answers(self) -> bool:
        try:
            line = await Line.to(self.host, self.port)
        except OSError:
            return False
        with line, contextlib.suppress(ConnectionError):
            answer = await line.ask(get("/healthz"))
            return answer.status == 200
        return False

    def _check_running(self) -> None:
        assert self._process is not None
        if self._process.poll() is not None:
            raise UpcardError(f"the server has not started: {self.log.read_text()[-500:].strip()}")

    def kill(self) -> None:
        """Kill it, as nothing can be prevented or cleaned up."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """End it as Ctrl-C does, or if it does not want to, as nothing can prevent."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        finally:
            self.kill()

    @contextlib.contextmanager
    def running(self) -> Iterator[House]:
        """Start it, and see to it that it has ended afterwards, whatever happens."""
        self.start()
        try:
            yield self
        except BaseException:
            self.kill()
            raise
        self.stop()

    # How it is

    def resident(self) -> int:
        """Return how many bytes of memory it has."""
        with contextlib.suppress(OSError):
            pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")
        return 1024 * int(subprocess.check_output(["ps", "-o", "rss=", "-p", str(self.pid)]))

    def seconds(self) -> float:
        """Return how many seconds it has computed; nothing where the system does not say."""
        try:
            after_name = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def _environment() -> dict[str, str]:
    """Return our environment without what would change the settings of a server."""
    return {name: value for name, value in os.environ.items() if not _is_setting(name)}


def _is_setting(name: str) -> bool:
    return name.startswith("UPCARD_") and name != "UPCARD_CACHE"


def _port(said: str) -> int:
    """Return the port that a server says it listens at, 0 if it has not said so yet."""
    address = said.partition("http://")[2].partition(" ")[0] if said.endswith("\n") else ""
    return int(address.rpartition(":")[2] or 0)


# Cores


@contextlib.contextmanager
def _on_core(core: int | None) -> Iterator[None]:
    """Whatever is started here runs on one core, with all its threads."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextlib.contextmanager
def apart() -> Iterator[int | None]:
    """Give a core to the server, and keep to the others; None where that cannot be done."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if len(cores) < 2:
        yield None
        return
    os.sched_setaffinity(0, set(cores[1:]))
    try:
        yield cores[0]
    finally:
        os.sched_setaffinity(0, set(cores))


def open_many_files(wanted: int) -> None:
    """See to it that this process, and those it starts, may have so many connections."""
    try:
        import resource
    except ImportError:  # not on this system, which has no such limit either
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = sys.maxsize if hard == resource.RLIM_INFINITY else hard
    if most < wanted:
        raise UpcardError(f"{wanted} files have to be open at once, but this system allows {most}: ulimit -n")
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
