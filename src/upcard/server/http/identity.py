"""The identity of clients. A person is a large random number that only their own device knows, in a signed
cookie or token. There are no accounts and no passwords. The server stores only the *mark* of a person, from
which the number cannot be recovered.
"""

from __future__ import annotations

__all__ = [
    "COOKIE",
    "Authenticator",
    "Person",
    "bearer",
    "cookies",
    "digest",
    "headers_of",
    "new_code",
    "new_table_code",
    "read_table_code",
]

import functools
import hashlib
from dataclasses import dataclass, field
from typing import Final

from itsdangerous import BadData, URLSafeSerializer
from starlette.requests import HTTPConnection
from starlette.types import Scope

from upcard.core.entropy import random_bytes, random_text
from upcard.server.http.problems import Unauthorized

COOKIE: Final = "upcard"
YEAR: Final = 365 * 24 * 60 * 60

BITS: Final = 128
MAX_TOKEN: Final = 200
MAX_KNOWN: Final = 16_384

# No two of these look alike: 0 and O, 1, I and L, 2 and Z, 5 and S, 8 and B are all left out.
CODE_LETTERS: Final = "34679ACDEFGHJKMNPQRTUVWXY"
CODE_LENGTH: Final = 10
# Without vowels a code never spells a rude word, and no two letters look alike.
TABLE_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXYZ"
TABLE_LENGTH: Final = 6
# The longest text that is accepted as a typed code.
MAX_TYPED: Final = 40


@dataclass(frozen=True)
class Person:
    """The sender of a request. Only the mark may be stored or logged."""

    bits: bytes = field(repr=False)
    mark: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mark", hashlib.sha256(self.bits).digest()[:16].hex())


class Authenticator:
    """Recognizes people by the tokens that this server has signed."""

    def __init__(self, secret: bytes) -> None:
        self._signed = URLSafeSerializer(
            secret,
            salt="upcard person",
            signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256},
        )
        # Recent senders. Tokens with an invalid signature are not cached, so they cannot crowd out valid
        # ones.
        self._verified = functools.lru_cache(MAX_KNOWN)(self._verify)

    def new(self) -> Person:
        """Return a new person."""
        return Person(random_bytes("person", BITS // 8))

    def token(self, person: Person) -> str:
        """Return the token with which a device identifies itself as this person."""
        return str(self._signed.dumps(person.bits.hex()))

    def read(self, token: str) -> Person | None:
        """Return the person of a token, None if we have not signed it."""
        if len(token) > MAX_TOKEN:
            return None
        try:
            return self._verified(token)
        except (BadData, ValueError):
            return None

    def _verify(self, token: str) -> Person:
        person = Person(bytes.fromhex(self._signed.loads(token)))
        # Base64 has several spellings of the same bytes. One token for each person is enough.
        if self.token(person) != token:
            raise ValueError("not spelled as it was signed")
        return person

    def of(self, asking: Scope | HTTPConnection) -> Person | None:
        """Return the sender of a request, by its token or else its cookie; an invalid token is refused."""
        scope = asking.scope if isinstance(asking, HTTPConnection) else asking
        headers = headers_of(scope)
        return self.who(bearer(headers), cookies(headers))

    def who(self, token: str | None, cookies: list[str]) -> Person | None:
        """Return the person of this token and these cookies."""
        if token is not None:
            person = self.read(token)
            if person is None:
                raise Unauthorized("the bearer token was not made by this server")
            return person
        known = (self.read(cookie) for cookie in cookies)
        return next((person for person in known if person is not None), None)

    def cookie(self, person: Person, secure: bool) -> str:
        """Return the header `Set-Cookie` that makes a browser this person for a year. With `secure` (the
        request came over https), the cookie is sent over https only."""
        parts = [f"{COOKIE}={self.token(person)}", "Path=/", f"Max-Age={YEAR}", "HttpOnly", "SameSite=Lax"]
        return "; ".join(parts + ["Secure"] * secure)


Headers = dict[bytes, bytes]


def headers_of(scope: Scope) -> Headers:
    """Return the headers of a request by name; repeated headers are joined into one."""
    pairs = scope["headers"]
    headers = dict(pairs)
    if len(headers) != len(pairs):
        headers = {}
        for name, value in pairs:
            between = b"; " if name == b"cookie" else b", "
            headers[name] = headers[name] + between + value if name in headers else value
    return headers


def bearer(headers: Headers) -> str | None:
    """Return the bearer token. Any other kind of authorization is for a proxy, not for us."""
    kind, _, token = headers.get(b"authorization", b"").partition(b" ")
    return token.strip().decode("latin-1") if kind.lower() == b"bearer" else None


def cookies(headers: Headers) -> list[str]:
    """Return our cookies; a browser that has several with this name sends them all."""
    header = headers.get(b"cookie")
    if header is None:
        return []
    pairs = (cookie.partition("=") for cookie in header.decode("latin-1").split(";"))
    return [value.strip() for name, _, value in pairs if name.strip() == COOKIE]


# Codes that people read to each other


def new_code() -> str:
    """Return a code that moves a seat to another device, once."""
    code = random_text("code of a seat", CODE_LETTERS, CODE_LENGTH)
    return f"{code[:5]}-{code[5:]}"


def digest(code: str) -> bytes:
    """Return the digest that is stored for such a code, however it was typed."""
    return hashlib.sha256(b"upcard code " + _normal(code).encode("utf-8", "surrogatepass")).digest()


def new_table_code() -> str:
    """Return a short code for joining a table."""
    return random_text("code of a table", TABLE_LETTERS, TABLE_LENGTH)


def read_table_code(text: str) -> str | None:
    """Return the code in a typed text, None if there is none."""
    code = _normal(text)
    right = len(code) == TABLE_LENGTH and set(code) <= set(TABLE_LETTERS)
    return code if right else None


def _normal(typed: str) -> str:
    """Return a typed text in capitals, without spaces and dashes."""
    kept = (letter for letter in typed[:MAX_TYPED].upper() if not letter.isspace() and letter not in "-–—_.")
    return "".join(kept)
