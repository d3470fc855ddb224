"""The server's log: one line per request and important event, and nothing secret."""

from __future__ import annotations

__all__ = ["Log"]

import contextlib
import functools
import json
import logging
import re
import sys
import textwrap
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, BinaryIO, Final

import msgspec
import structlog
from structlog.typing import EventDict

from upcard.server.config import Settings
from upcard.server.http.identity import CODE_LETTERS, TABLE_LENGTH, TABLE_LETTERS
from upcard.server.http.request_context import RequestContext

HIDDEN: Final = "(hidden)"
# The maximum number of lines that wait to be written. More are dropped, and counted.
MAX_WAITING: Final = 10_000
# How long lines are collected before they are written together, in seconds.
GATHERING: Final = 0.05
# How long the last lines may take when the server stops, in seconds.
FAREWELL: Final = 5.0
# Text from clients is shortened.
MAX_PATH: Final = 200
SHORT_MARK: Final = 8


class Log:
    """The log, for structlog and for libraries that use logging.

    A separate thread writes the lines, so that a full disk or a blocked pipe does not delay any table.
    """

    def __init__(self, settings: Settings, file: BinaryIO | None = None) -> None:
        self._file = file or sys.stderr.buffer
        self._render = RENDERERS[settings.log]
        self._level = logging.getLevelNamesMapping()[settings.log_level.upper()]
        self._lines: deque[bytes] = deque()
        self._lost = 0
        self._something = threading.Event()
        self._end = threading.Event()
        self._writer = threading.Thread(target=self._write, name="log", daemon=True)
        self._bridge = _Bridge()

    def __enter__(self) -> Log:
        structlog.configure(
            processors=[structlog.processors.format_exc_info, hide, _with_time_and_level, self._rendered],
            wrapper_class=structlog.make_filtering_bound_logger(self._level),
            context_class=dict,
            logger_factory=lambda *_: self,
            cache_logger_on_first_use=False,
        )
        root = logging.getLogger()
        root.addHandler(self._bridge)
        self._level_before = root.level
        root.setLevel(self._level)
        self._writer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        root = logging.getLogger()
        root.removeHandler(self._bridge)
        root.setLevel(self._level_before)
        structlog.reset_defaults()
        self._end.set()
        self._something.set()
        # If the output is blocked, do not wait for it.
        self._writer.join(timeout=FAREWELL)

    def request_finished(self, visit: RequestContext) -> None:
        """Write the line of a finished request.

        There are many of these, so they take a short cut: only text that the client chose is checked.
        """
        if self._level > logging.INFO:
            return
        event = {
            "event": "request",
            "method": _harmless_word(visit.method),
            "path": _harmless_word(_path(visit.scope)),
            "status": visit.status,
            "ms": round(visit.seconds * 1000, 2),
            "person": None if visit.person is None else visit.person.mark[:SHORT_MARK],
            "request": visit.id,
        }
        self.msg(self._render(_with_time_and_level(None, "info", event)))

    # The interface of structlog

    def msg(self, line: bytes) -> None:
        """Add a line, without waiting until it is written."""
        if len(self._lines) >= MAX_WAITING:
            self._lost += 1
            return
        self._lines.append(line)
        if not self._something.is_set():
            self._something.set()

    debug = info = warning = error = critical = msg

    def _rendered(self, _logger: Any, _method: str, event: EventDict) -> bytes:
        return self._render(event)

    # The thread

    def _write(self) -> None:
        while not self._end.is_set():
            self._something.wait()
            self._end.wait(GATHERING)
            self._something.clear()
            self._write_waiting()
        self._write_waiting()

    def _write_waiting(self) -> None:
        lines = [self._lines.popleft() for _ in range(len(self._lines))]
        lost, self._lost = self._lost, 0
        if lost:
            event = {"event": "log lines lost", "count": lost}
            lines.append(self._render(_with_time_and_level(None, "warning", event)))
        # There is nowhere to report that the log cannot be written.
        with contextlib.suppress(OSError, ValueError):
            self._file.write(b"".join(lines))
            self._file.flush()


class _Bridge(logging.Handler):
    """Passes on the records of libraries."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record like our own lines. Requests are already logged, without their query strings."""
        if record.name == "uvicorn.access":
            return
        level = min(max(record.levelno // 10 * 10, logging.DEBUG), logging.CRITICAL)
        try:
            structlog.get_logger().log(
                level, record.getMessage(), logger=record.name, exc_info=record.exc_info
            )
        except Exception:
            self.handleError(record)


def _path(scope: Mapping[str, Any]) -> str:
    """Return the path of a request without the codes in it, and without the query string."""
    path = str(scope["path"])
    for name, value in scope.get("path_params", {}).items():
        if _is_secret(name):
            path = path.replace(str(value), HIDDEN)
    return path if len(path) <= MAX_PATH else path[:MAX_PATH] + "..."


def _with_time_and_level(_logger: Any, method: str, event: EventDict) -> EventDict:
    now = time.time()
    when = f"{_second(int(now))}.{int(now % 1 * 1000):03}Z"
    return {"time": when, "level": method, "event": event.pop("event"), **event}


@functools.lru_cache(2)
def _second(moment: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))


# Secrets, which are never written

_SECRET_NAME = re.compile(r"token|secret|cookie|passw|authori|seed|bits|(^|_)(?<!status_)(code|key|share)s?$")
# Anything that could be a token, a key or an encoded number; a code for a seat; a code of a table.
_SUSPECT = re.compile(
    rf"[A-Za-z0-9_-]{{20,}}|\b[{CODE_LETTERS}]{{5}}[- ]?[{CODE_LETTERS}]{{5}}\b|\b[{TABLE_LETTERS}]{{6}}\b"
)
_NAME_IN_CODE = re.compile(r"_*[A-Za-z][a-z]*([_-][a-z]+)*|([A-Z][a-z]+)+")


# Characters that some programs take for the end of a line, or a terminal for a command; and lone surrogates.
_ODD = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@functools.lru_cache(1024)
def _is_secret(name: str) -> bool:
    return _SECRET_NAME.search(name.lower()) is not None


@functools.lru_cache(4096)
def _harmless_word(word: str) -> str:
    """Cached, since names and paths of active tables are repeated."""
    return _harmless_text(word)


def hide(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Hide a value that looks secret, judging by its name or its form."""
    return {
        _harmless_word(name): HIDDEN if _is_secret(name) else _harmless(value)
        for name, value in event.items()
    }


def _harmless(value: Any) -> Any:
    if isinstance(value, str):
        return _harmless_text(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return hide(None, "", {str(name): part for name, part in value.items()})
    if isinstance(value, list | tuple | set | frozenset):
        return [_harmless(part) for part in value]
    return HIDDEN if isinstance(value, bytes | bytearray | memoryview) else _harmless_text(repr(value))


def _harmless_text(text: str) -> str:
    # Most texts are too short to contain a secret.
    if len(text) >= TABLE_LENGTH:
        text = _SUSPECT.sub(_judged, text)
    return text if text.isascii() else _ODD.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _judged(match: re.Match[str]) -> str:
    """Keep names of functions and classes, of which tracebacks are full."""
    return match[0] if _NAME_IN_CODE.fullmatch(match[0]) else HIDDEN


# The format of a line


def _as_json(event: EventDict) -> bytes:
    return msgspec.json.encode(event) + b"\n"


def _as_text(event: EventDict) -> bytes:
    parts = [event.pop("time"), f"{event.pop('level'):7}", _quoted(event.pop("event"), _UNSAFE)]
    trace = event.pop("exception", None)
    parts += [f"{name}={_quoted(value, _UNCLEAR)}" for name, value in event.items() if value is not None]
    line = " ".join(parts) + "\n"
    if trace is not None:
        line += textwrap.indent(_CONTROL.sub("?", trace), "    ") + "\n"
    return line.encode()


# With these characters, text from a client could imitate our lines, or other values.
_CONTROL = re.compile(r"[^\n\t -\U0010ffff]")
_UNSAFE = re.compile(r"[^ -\U0010ffff]")
_UNCLEAR = re.compile(r"[^!#-<>-\U0010ffff]")


def _quoted(value: Any, suspect: re.Pattern[str]) -> str:
    if isinstance(value, str) and not suspect.search(value):
        return value
    return json.dumps(value, ensure_ascii=False)


RENDERERS: Final[dict[str, Callable[[EventDict], bytes]]] = {"json": _as_json, "text": _as_text}
