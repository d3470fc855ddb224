"""The HTTP client of the terminal: sends commands to a server and receives its events."""

from __future__ import annotations

__all__ = ["Client", "Json", "Unanswered", "UnknownToken"]

import contextlib
import http.client
import itertools
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import platformdirs

from upcard.core.entropy import random_bytes
from upcard.core.errors import UpcardError

Json = dict[str, Any]

# Time limit for an answer, and the pause before a lost connection is tried again, in seconds.
PATIENCE = 20
PAUSE = 1.0


class Unanswered(UpcardError):
    """A server did not answer, or answered with an error, whose text is the message."""


class UnknownToken(Unanswered):
    """The server does not know the token, or no longer."""


class Client:
    """A client of one server. It stores its token, so that the server knows us next time."""

    def __init__(self, origin: str, folder: Path | None = None) -> None:
        self.origin = origin
        self._kept = (folder or Path(platformdirs.user_data_dir("upcard", False))) / "terminal.json"
        self._numbers = itertools.count()
        self._name = random_bytes("commands", 6).hex()
        self._token = self._all_kept().get(origin, "")

    # Identity

    def introduce(self) -> None:
        """Get a token from the server: the same identity as before, if the server still knows it."""
        try:
            told = self.ask("/api/session", {})
        except UnknownToken:
            self._token = ""
            told = self.ask("/api/session", {})
        self._token = str(told["token"])
        self._keep()

    def _renew(self, headers: Message) -> None:
        """Keep the new token that the server sends before the old one runs out."""
        renewed = headers.get("Upcard-Token")
        if renewed:
            self._token = renewed
            self._keep()

    def _all_kept(self) -> dict[str, str]:
        try:
            kept = json.loads(self._kept.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}

    def _keep(self) -> None:
        # Playing works without a stored token.
        with contextlib.suppress(OSError):
            self._kept.parent.mkdir(parents=True, exist_ok=True)
            self._kept.touch(0o600)
            self._kept.write_text(json.dumps(self._all_kept() | {self.origin: self._token}), "utf-8")

    # Requests

    def ask(self, path: str, fields: Json | None = None) -> Json:
        """Send a GET request, or a POST request with `fields`; return the answer, which may be a refusal."""
        body = None if fields is None else json.dumps(fields).encode()
        request = self._request(path, body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                self._renew(answer.headers)
                return self._read(answer.read())
        except urllib.error.HTTPError as error:
            told = self._read(error.read())
            if "code" in told or told.get("type") in ("stale", "refused"):
                return told
            unknown = told.get("type") in ("unauthorized", "token-expired")
            raise (UnknownToken if unknown else Unanswered)(str(told.get("detail") or error)) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            said = getattr(reason, "strerror", None) or reason
            raise Unanswered(f"{self.origin} does not answer: {said}") from None

    def do(self, table: str, what: str, **fields: Any) -> Json:
        """Send a command to a table."""
        return self.ask(f"/api/tables/{table}/{what}", {"id": self.id(), **fields})

    def id(self) -> str:
        """Return a new id for a command."""
        return f"{self._name}-{next(self._numbers)}"

    def _request(self, path: str, body: bytes | None, headers: dict[str, str]) -> urllib.request.Request:
        if urlsplit(self.origin).scheme not in ("http", "https"):
            raise UpcardError(f"{self.origin} is not the address of a server")
        if self._token:
            headers = headers | {"Authorization": f"Bearer {self._token}"}
        return urllib.request.Request(self.origin + path, body, headers)

    def _read(self, data: bytes) -> Json:
        try:
            told = json.loads(data)
        except ValueError:
            told = None
        if not isinstance(told, dict):
            raise Unanswered(f"{self.origin} answers, but it is not an Upcard server")
        return told

    # Events

    def listen(self, table: str, since: int, hear: Callable[[str, Json], None]) -> Callable[[], None]:
        """Call `hear`, in a new thread, with the kind and the content of each event after the entry `since`
        (`news` is an entry of the log). A lost connection is opened again. `lost` means that this failed,
        and `back` that the server answers again after that or after its `bye`. Return a function that
        stops listening."""
        enough = threading.Event()
        threading.Thread(target=self._listen, args=(table, since, hear, enough), daemon=True).start()
        return enough.set

    def _listen(
        self, table: str, last: int, hear: Callable[[str, Json], None], enough: threading.Event
    ) -> None:
        away = False
        while not enough.is_set():
            try:
                headers = {"Accept": "text/event-stream", "Last-Event-ID": str(last)}
                request = self._request(f"/api/tables/{table}/events", None, headers)
                with urllib.request.urlopen(request, timeout=3 * PATIENCE) as stream:
                    if away:
                        away = False
                        hear("back", {})
                    for kind, told in _events(stream):
                        if enough.is_set():
                            return
                        if kind == "news":
                            last = int(told["seq"])
                        away = kind == "bye"
                        hear(kind, told)
            except urllib.error.URLError:
                # The server could not be reached. A broken connection is silently opened again.
                if not away and not enough.is_set():
                    away = True
                    hear("lost", {})
            except (OSError, http.client.HTTPException, ValueError):
                pass
            time.sleep(PAUSE)


def _events(stream: Any) -> Iterator[tuple[str, Json]]:
    """Read server-sent events."""
    kind, data = "news", ""
    for line in stream:
        name, _, value = line.decode().rstrip("\r\n").partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            data = value
        elif not name and data:
            yield kind, json.loads(data)
            kind, data = "news", ""
