"""Serving until a signal: then requests under way are finished, clients are notified, and the server ends."""

from __future__ import annotations

__all__ = ["serve"]

import asyncio
import contextlib
import errno
import gc
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

import uvicorn

from upcard.core.errors import UpcardError
from upcard.core.text import printable
from upcard.server.app import App, make_app
from upcard.server.config import Settings
from upcard.server.http.addresses import EVERYWHERE, LOOPBACK, own_address, url_of
from upcard.server.http.protocol import HttpProtocol
from upcard.server.ops.banner import open_browser, print_banner
from upcard.server.ops.instance_lock import instance_lock
from upcard.server.ops.logs import Log
from upcard.server.ops.notify import notify, watchdog_interval
from upcard.server.runtime.bus import reach_bus
from upcard.server.store import file_of, open_store

# Time limit for finishing responses that have begun, in seconds.
FINISH_SECONDS = 5
# Signals that arrive within this time count as one, in seconds.
IMPATIENT_SECONDS = 1.0


class _Uvicorn(uvicorn.Server):
    """Uvicorn waits for open connections when it stops, and streams never end on their own, so we end
    them."""

    def __init__(self, config: uvicorn.Config, app: App, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._app = app
        self._has_started = started
        self._asked = 0.0
        self._beating: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Report when everything is ready."""
        await super().startup(sockets)
        if self.started:
            self._has_started()
            notify("READY=1")
            interval = watchdog_interval()
            if interval is not None:
                self._beating = asyncio.create_task(_beat(interval))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams before connections are closed, even if the signal has only just arrived."""
        notify("STOPPING=1")
        server = getattr(self._app.state, "services", None)
        if server is not None:
            server.tables.begin_shutdown()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal. Uvicorn would raise the signal again afterwards and be killed by it, although
        everything has ended well."""
        signals = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in signals}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # A terminal may send Ctrl-C to us directly and again through our parent process. Only a later Ctrl-C
        # means that the user is impatient.
        if self.should_exit and time.monotonic() < self._asked + IMPATIENT_SECONDS:
            return
        self._asked = time.monotonic()
        server = getattr(self._app.state, "services", None)
        if server is not None:
            asyncio.get_event_loop().call_soon_threadsafe(server.tables.begin_shutdown)
        super().handle_exit(sig, frame)


async def _beat(interval: float) -> None:
    """Tell systemd that the event loop runs; if it stands still, systemd restarts the server."""
    while True:
        notify("WATCHDOG=1")
        await asyncio.sleep(interval)


def serve(settings: Settings, at_home: bool = False, browser: bool = False) -> None:
    """Serve tables until Ctrl-C or SIGTERM; at home, print an invitation and open a browser."""
    # Report what cannot be opened in one sentence, before the address is printed.
    with contextlib.ExitStack() as stack:
        store = open_store(settings.database)
        # If the server cannot start, nobody else closes it.
        refused = stack.enter_context(contextlib.ExitStack())
        refused.callback(lambda: asyncio.run(store.close()))
        tell = stack.enter_context(instance_lock(file_of(settings.database)))
        reach_bus(settings.bus)
        # A default port may be replaced by another one.
        listening = _listen(settings, or_any=at_home and "port" not in settings.sources)
        port = listening.getsockname()[1]
        url = url_of(settings.host, port)
        tell(url)
        print(f"Upcard is at {url} (Ctrl-C ends it)", flush=True)
        if at_home and settings.host not in LOOPBACK:
            print_banner(url_of(own_address() or "127.0.0.1", port) if settings.host in EVERYWHERE else url)
        log = stack.enter_context(Log(settings))
        # A browser may start slowly, and nothing should wait for it.
        opening = threading.Thread(target=open_browser, args=(url,), daemon=True)
        app = make_app(settings, [log.request_finished], store)
        refused.pop_all()
        _serve(app, listening, opening.start if browser else lambda: None)


def _serve(app: App, listening: socket.socket, started: Callable[[], None]) -> None:
    config = uvicorn.Config(
        app,
        http=HttpProtocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=FINISH_SECONDS,
        backlog=2048,
    )
    _collect_calmly()
    # The thread that writes to disk needs Python's lock only for moments, but moves wait for it.
    sys.setswitchinterval(0.0005)
    server = _Uvicorn(config, app, started)
    server.run([listening])
    if not server.started:
        raise UpcardError("the server could not be started; see above")


def _collect_calmly() -> None:
    """Keep Python's garbage collector from scanning thousands of tables while people wait: it collects young
    objects only; housekeeping collects the rest from time to time."""
    # Nothing that has been loaded until now will ever be garbage.
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 10, 1_000_000)


def _listen(settings: Settings, or_any: bool) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        try:
            listening.bind((settings.host, settings.port))
        except OSError as error:
            if not or_any or error.errno != errno.EADDRINUSE:
                raise
            listening.bind((settings.host, 0))
        listening.listen(2048)
    except (OSError, OverflowError, TypeError, ValueError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or error
        raise UpcardError(
            f"the server cannot listen on {printable(settings.host)}:{settings.port}: {reason}"
        ) from None
    listening.set_inheritable(True)
    return listening
