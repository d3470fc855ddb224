"""Links to tables of a server."""

from __future__ import annotations

__all__ = ["Invitation"]

from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from upcard.core.errors import UpcardError
from upcard.core.text import quoted


@dataclass(frozen=True)
class Invitation:
    """The location of a table: the server, and its name or short code. Without either, the player is
    asked."""

    origin: str
    table: str | None = None
    code: str | None = None

    @classmethod
    def read(cls, url: str) -> Invitation:
        """Parse a link, with or without its scheme."""
        wrong = UpcardError(
            f"the address of a table looks like http://192.168.1.20:8000/t/..., not {quoted(url, 60)}"
        )
        try:
            parts = urlsplit(url if "://" in url else f"http://{url}")
            known = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
            (parts.hostname or "").encode("idna")
        except ValueError:  # an open bracket, a port that is not a number, or a name that no host can have
            raise wrong from None
        if not known:
            raise wrong
        origin = f"{parts.scheme}://{parts.netloc}"
        code = parse_qs(parts.query).get("code", [None])[0]
        table = parts.path.removeprefix("/t/").strip("/") if parts.path.startswith("/t/") else None
        return cls(origin, table or None, code)
