"""Serving until somebody says stop: then what was begun is finished, everybody is told, and it ends."""

from __future__ import annotations

__all__ = ["serve"]

import asyncio
import contextlib
import gc
import signal
import socket
import sys
from collections.abc import Iterator
from types import FrameType

import uvicorn

from upcard.core.errors import UpcardError
from upcard.server.app import App, make_app
from upcard.server.bus import reach_bus
from upcard.server.config import Settings
from upcard.server.guard import Door
from upcard.server.logs import Log
from upcard.server.store import open_store

# So long may answers that were begun take to be finished.
FINISH_SECONDS = 5


class _Uvicorn(uvicorn.Server):
    """Uvicorn waits for open connections when it stops; streams never end by themselves, so we end them."""

    def __init__(self, config: uvicorn.Config, app: App) -> None:
        super().__init__(config)
        self._app = app

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop when asked to. Uvicorn would raise the signal again afterwards, and so be killed by it though
        everything has ended well."""
        signals = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in signals}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        server = getattr(self._app.state, "server", None)
        if server is not None:
            asyncio.get_event_loop().call_soon_threadsafe(server.hall.say_goodbye)
        super().handle_exit(sig, frame)


def serve(settings: Settings) -> None:
    """Serve tables until Ctrl-C or SIGTERM."""
    # What cannot be opened is said in a sentence, before anybody is told where we are.
    store = open_store(settings.database)
    reach_bus(settings.bus)
    with Log(settings) as log:
        _serve(settings, make_app(settings, [log.visited], store))


def _serve(settings: Settings, app: App) -> None:
    listening = _listen(settings)
    config = uvicorn.Config(
        app,
        http=Door,
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
    host, port = listening.getsockname()[:2]
    print(f"Upcard is at {_address(settings.host, host, port)} (Ctrl-C ends it)", flush=True)
    # Nothing of what was loaded until now will ever be garbage.
    gc.collect()
    gc.freeze()
    # The thread that writes to disk asks for Python's lock for moments only, and moves wait for it.
    sys.setswitchinterval(0.0005)
    server = _Uvicorn(config, app)
    server.run([listening])
    if not server.started:
        raise UpcardError("the server could not be started; see above")


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
        listening.listen(2048)
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or error
        raise UpcardError(f"{settings.host}:{settings.port} cannot be listened at: {reason}") from None
    listening.set_inheritable(True)
    return listening


def _address(wanted: str, host: str, port: int) -> str:
    shown = "127.0.0.1" if wanted in ("0.0.0.0", "::", "") else wanted
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"
