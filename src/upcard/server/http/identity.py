"""The identity of clients. A person is a large random number that only their own device knows, in a signed
cookie or token. There are no accounts and no passwords. The server stores only the *mark* of a person, from
which the number cannot be recovered.
"""

from __future__ import annotations

__all__ = [
    "ANONYMOUS",
    "COOKIE",
    "RENEWED_TOKEN",
    "SECURE_COOKIE",
    "Authenticator",
    "Person",
    "Sender",
    "bearer",
    "cookies",
    "digest",
    "has_cookie",
    "headers_of",
    "new_code",
    "new_table_code",
    "read_table_code",
]

import contextlib
import functools
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from itsdangerous import Signer
from starlette.types import Scope

from upcard.core.entropy import random_bytes, random_text
from upcard.server import base64url
from upcard.server.http.problems import TokenExpired, Unauthorized
from upcard.server.signing_keys import DAY, Keys, key_id

COOKIE: Final = "upcard"
SECURE_COOKIE: Final = "__Host-upcard"
# The header of a response with a new token for a program, whose old one is about to run out.
RENEWED_TOKEN: Final = b"upcard-token"
# A token is renewed when less than this part of its time is left.
RENEWED_BELOW: Final = 0.9

BITS: Final = 128
KEY_ID: Final = 4
TIME_BYTES: Final = 5
# Letters of a token before its signature.
TIMED_LENGTH: Final = -(-(KEY_ID + TIME_BYTES + BITS // 8) * 4 // 3)
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


@dataclass(frozen=True)
class Sender:
    """The sender of a request, by its credentials."""

    person: Person | None = None
    # Headers of the response that renew the credentials, if it is time.
    renewal: tuple[tuple[bytes, bytes], ...] = ()
    # Whether the sender has a cookie that has run out, and no other.
    has_expired: bool = False


# Someone without credentials.
ANONYMOUS: Final = Sender()


class Authenticator:
    """Recognizes people by the tokens that this server has signed.

    A token consists of the id of a key, the time when it runs out, and the number of the person. It is
    renewed after a tenth of its lifetime, and when its key has been rotated. Older servers
    made tokens without a time and a key; these are replaced at the first request.
    """

    def __init__(
        self, keys: Keys, days: int = 90, clock: Callable[[], float] = time.time, max_known: int = MAX_KNOWN
    ) -> None:
        self._keys = keys
        self._seconds = days * DAY
        self._clock = clock
        self._signers: dict[bytes, Signer] = {}
        self._current = b""
        self._loaded: tuple[bytes, ...] = ()
        # Recent senders. Tokens with an invalid signature are not cached, so they cannot crowd out valid
        # ones.
        self._verified = functools.lru_cache(max_known)(self._verify)
        self._load_keys()

    def _load_keys(self) -> bool:
        """Read the keys again. Return whether they have changed."""
        keys = self._keys()
        if keys is self._loaded:
            return False
        self._loaded, self._current = keys, key_id(keys[0])
        self._signers = {key_id(key): _signer(key) for key in keys}
        self._verified.cache_clear()
        return True

    def new(self) -> Person:
        """Return a new person."""
        return Person(random_bytes("person", BITS // 8))

    def token(self, person: Person) -> str:
        """Return the token with which a device identifies itself as this person."""
        self._load_keys()
        expires = int(self._clock()) + self._seconds
        return self._sign(self._current + expires.to_bytes(TIME_BYTES) + person.bits)

    def _sign(self, content: bytes) -> str:
        return self._signers[content[:KEY_ID]].sign(base64url.encode(content)).decode()

    def read(self, token: str) -> Person | None:
        """Return the person of a token, None if we have not signed it or it has run out."""
        person, expires, _ = self._look_up(token)
        return None if expires is not None and expires <= self._clock() else person

    def _look_up(self, token: str) -> _Verified:
        if len(token) > MAX_TOKEN:
            return UNKNOWN
        try:
            return self._verified(token)
        except ValueError:
            # Perhaps another process has rotated the keys.
            if not self._load_keys():
                return UNKNOWN
        with contextlib.suppress(ValueError):
            return self._verified(token)
        return UNKNOWN

    def _verify(self, token: str) -> _Verified:
        content = base64url.decode(token.partition(".")[0])
        if not _is_timed(token):
            return _Verified(self._verify_untimed(token, content), None, b"")
        key, rest = content[:KEY_ID], content[KEY_ID:]
        # Base64 has several spellings of the same bytes. One token for each person and time is enough.
        if key not in self._signers or not hmac.compare_digest(self._sign(content).encode(), token.encode()):
            raise ValueError("not signed by this server")
        return _Verified(Person(rest[TIME_BYTES:]), int.from_bytes(rest[:TIME_BYTES]), key)

    def _verify_untimed(self, token: str, content: bytes) -> Person:
        sent = token.encode()
        signed = (signer.sign(base64url.encode(content)) for signer in self._signers.values())
        if not any(hmac.compare_digest(one, sent) for one in signed):
            raise ValueError("not signed by this server")
        return Person(bytes.fromhex(json.loads(content)))

    def identify(self, headers: Headers, secure: bool = False) -> Sender:
        """Return the sender of a request, by its token or else its cookies. An invalid or expired token is
        refused. `secure` means that the request came over https."""
        token = bearer(headers)
        if token is not None:
            return self._by_token(token)
        found = cookies(headers, secure)
        return self._by_cookies(found, secure) if found else ANONYMOUS

    def _by_token(self, token: str) -> Sender:
        person, expires, key = self._look_up(token)
        if person is None:
            raise Unauthorized("the bearer token was not made by this server")
        if expires is not None and expires <= self._clock():
            raise TokenExpired("this bearer token has run out: POST /api/session without it for another one")
        if not self._is_due(expires, key):
            return Sender(person)
        return Sender(person, ((RENEWED_TOKEN, self.token(person).encode()),))

    def _by_cookies(self, found: list[Cookie], secure: bool) -> Sender:
        has_expired = False
        for name, token in found:
            person, expires, key = self._look_up(token)
            if person is None:
                continue
            if expires is not None and expires <= self._clock():
                has_expired = True
                continue
            if not self._is_due(expires, key):
                return Sender(person)
            renewal = [(b"set-cookie", self.cookie(person, secure).encode())]
            if secure and name == COOKIE:
                renewal.append((b"set-cookie", f"{COOKIE}=; Path=/; Max-Age=0; HttpOnly; Secure".encode()))
            return Sender(person, tuple(renewal))
        return Sender(has_expired=has_expired)

    def _is_due(self, expires: float | None, key: bytes) -> bool:
        """Whether it is time to renew a token."""
        return (
            expires is None or key != self._current or expires - self._clock() < RENEWED_BELOW * self._seconds
        )

    def cookie(self, person: Person, secure: bool) -> str:
        """Return the header `Set-Cookie` that makes a browser this person. With `secure` (the request came
        over https), the cookie is sent over https only, and no other host of the same site can set it."""
        name = SECURE_COOKIE if secure else COOKIE
        parts = [
            f"{name}={self.token(person)}",
            "Path=/",
            f"Max-Age={self._seconds}",
            "HttpOnly",
            "SameSite=Lax",
        ]
        return "; ".join(parts + ["Secure"] * secure)


class _Verified(NamedTuple):
    """A token whose signature is valid."""

    person: Person | None
    # None: made before tokens had a time.
    expires: int | None
    key: bytes


UNKNOWN: Final = _Verified(None, None, b"")


def _signer(key: bytes) -> Signer:
    return Signer(key, salt="upcard person", key_derivation="hmac", digest_method=hashlib.sha256)


def _is_timed(token: str) -> bool:
    """Whether a token has the length of those with a key and a time."""
    return token.find(".") == TIMED_LENGTH


Headers = dict[bytes, bytes]
# A name and a value.
Cookie = tuple[str, str]


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


def has_cookie(headers: Headers) -> bool:
    """Whether a request has a cookie that may be ours."""
    return COOKIE.encode() + b"=" in headers.get(b"cookie", b"")


def cookies(headers: Headers, secure: bool = False) -> list[Cookie]:
    """Return our cookies; a browser that has several with this name sends them all.

    Over https, they have a name that other hosts of the same site cannot set. Cookies that older servers made
    are still accepted under the plain name, since nobody can make such a cookie today.
    """
    header = headers.get(b"cookie")
    if header is None:
        return []
    pairs = [cookie.partition("=") for cookie in header.decode("latin-1").split(";")]
    found = [(name.strip(), value.strip()) for name, _, value in pairs]
    plain = [cookie for cookie in found if cookie[0] == COOKIE]
    if not secure:
        return plain
    named = [cookie for cookie in found if cookie[0] == SECURE_COOKIE]
    return named + [cookie for cookie in plain if not _is_timed(cookie[1])]


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
    """Return the code in a typed text, if there is one."""
    code = _normal(text)
    right = len(code) == TABLE_LENGTH and set(code) <= set(TABLE_LETTERS)
    return code if right else None


def _normal(typed: str) -> str:
    """Return a typed text in capitals, without spaces and dashes."""
    kept = (letter for letter in typed[:MAX_TYPED].upper() if not letter.isspace() and letter not in "-–—_.")
    return "".join(kept)
