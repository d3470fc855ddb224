"""Bad requests: the server must refuse each of them, and none may change anything."""

from __future__ import annotations

__all__ = ["KINDS", "Bad", "BadRequests", "Scene"]

import random
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks.server.http import get, post
from benchmarks.server.players import Made, write

# More bytes than a body may have.
TOO_LARGE = 20_000
# Commands, with the fields that they need.
COMMANDS: dict[str, dict[str, Any]] = {
    "play": {"base": 3, "move": "x"},
    "react": {"base": 3, "move": "x"},
    "sit": {"name": "Eve", "share": "00" * 16},
    "rename": {"name": "Eve"},
    "place": {"seat": 1, "bot": "greedy"},
    "say": {"phrase": "hello"},
    "undo": {"base": 3},
    "undo/answer": {"agreed": True, "asked": 3},
    "start": {},
    "stand": {},
    "leave": {},
    "come": {},
    "rematch": {},
    "hand-over": {},
    "/api/tables": {"game": "stockpile"},
}
# Commands that are refused in a phase.
WRONG_PHASE = {
    "open": ("play", "react", "undo", "undo/answer", "rematch"),
    "playing": ("react", "sit", "place", "start", "stand", "undo/answer", "rematch"),
    "over": ("play", "react", "sit", "place", "start", "stand", "undo", "undo/answer"),
}
# Values of a type that no field has, and wrong values of the right type.
WRONG_TYPES: Sequence[Any] = ({"a": {}}, [[]], [{"a": 1}], {"": [None]})
WRONG_VALUES: dict[str, Sequence[Any]] = {
    "id": ("", "x" * 65, "a b", "ü", "\0", "a\n", "../a"),
    "base": (-1, 1.5, 2**53 + 1, 10**30, -0.1),
    "move": ("", "x" * 41),
    "name": ("", "x" * 101),
    "share": ("", "0", "zz" * 16, "00" * 65, "AA" * 16),
    "seat": (0, 7, -1, 10**20),
    "bot": ("x" * 41, "nobody", ""),
    "phrase": ("", "x" * 41, "buy now"),
    "game": ("", "poker", "x" * 41, "../stockpile"),
}
WRONG_SETUPS: Sequence[dict[str, Any]] = (
    {"options": {"players": 99}},
    {"options": {"unknown": 1}},
    {"options": {"players": "many"}},
    {"pace": -1},
    {"pace": 1e9},
    {"patience": "never"},
    {"patience_seconds": 0},
    {"window_seconds": 61},
    {"seats": [{}] * 7},
    {"seats": [{"bot": "nobody"}]},
    {"seats": [{"bot": "search"}]},
    {"public": "yes"},
)
WRONG_SEATS: Sequence[dict[str, Any]] = (
    {"seat": 1},
    {"seat": 6},
    {"name": "Player 1"},
    {"name": " \t "},
    {"name": "a\u202eb"},
    {"name": "\0"},
)


class Bad(NamedTuple):
    """A request, and how it should be answered."""

    request: bytes
    # A command that was done before: it gets its first answer again.
    is_repeated: bool = False
    # The server may close the connection instead of answering.
    may_hang_up: bool = False
    # It needs a connection of its own.
    is_alone: bool = False


@dataclass(frozen=True)
class Scene:
    """A table to attack. `moves` were made there, `legal` can be made by the seat `turn`."""

    table: str
    phase: str
    tokens: Sequence[str]
    seq: int = 0
    turn: int = 0
    legal: Sequence[str] = ()
    moves: Sequence[Made] = ()

    @property
    def token(self) -> str:
        """The token of the player whose turn it is."""
        return self.tokens[self.turn - 1]


class _Maker:
    """The base of all kinds. The same seed gives the same requests."""

    def __init__(self, scenes: Sequence[Scene], stranger: str, seed: int) -> None:
        self.dice = random.Random(seed)
        self.any = self.dice.choice
        self.stranger = stranger
        self._scenes = scenes
        self._seed = seed
        self._count = 0

    def make(self) -> tuple[str, Bad]:
        """Return the name of a kind, and a request of that kind."""
        kind = self.any(KINDS)
        bad = getattr(self, kind)()
        return kind.replace("_", " "), bad if isinstance(bad, Bad) else Bad(bad)

    def id(self) -> str:
        """Return an unused command id."""
        self._count += 1
        return f"bad-{self._seed}-{self._count}"

    def scene(self, *phases: str) -> Scene:
        """Return a table in one of these phases, or in any."""
        return self.any([scene for scene in self._scenes if not phases or scene.phase in phases])

    def token(self) -> str:
        """Return the token of a player or of a stranger, or none."""
        return self.any([*self.scene().tokens, self.stranger, ""])

    def word(self, longest: int = 30) -> str:
        """Return random letters."""
        return "".join(self.dice.choices(string.ascii_letters, k=self.dice.randint(1, longest)))

    def noise(self, longest: int = 60) -> bytes:
        """Return random bytes."""
        return self.dice.randbytes(self.dice.randint(1, longest))

    def command(self) -> tuple[str, dict[str, Any]]:
        """Return a path, and a body that would be valid at another time or for another player."""
        what = self.any(list(COMMANDS))
        path = what if what.startswith("/") else f"/api/tables/{self.scene().table}/{what}"
        return path, {"id": self.id(), **COMMANDS[what]}

    def at(self, scene: Scene, what: str, token: str, **fields: Any) -> bytes:
        """Return a command at a table."""
        body = {"id": self.id(), **COMMANDS[what], **fields}
        return post(f"/api/tables/{scene.table}/{what}", write(body), token)

    def play(self, scene: Scene, token: str, **fields: Any) -> bytes:
        """Return a move that would be valid for the player whose turn it is."""
        return self.at(scene, "play", token, **{"base": scene.seq, "move": self.any(scene.legal), **fields})


class BadRequests(_Maker):
    """Each method makes a bad request of one kind."""

    # Bodies

    def broken_json(self) -> bytes:
        path, fields = self.command()
        whole = write(fields)
        cut = whole[: self.dice.randrange(len(whole))]
        bodies = [cut, b"", b"[" * 5_000, b"\xff" + whole, whole + b"}", b"NaN", b"nul", b"{" + self.noise()]
        return post(path, self.any(bodies), self.token())

    def not_an_object(self) -> bytes:
        return post(self.command()[0], write(self.any([[], "id", 1, None, True, [{}], 1e308])), self.token())

    def wrong_content_type(self) -> bytes:
        path, fields = self.command()
        kind = self.any([b"text/plain", b"application/x-www-form-urlencoded", b"", b"json"])
        return post(path, write(fields), self.token()).replace(b"application/json", kind, 1)

    def wrong_field(self) -> bytes:
        """A field has a wrong type or value, is missing, or is unknown."""
        path, fields = self.command()
        field = self.any(list(fields))
        checked = self.any([name for name in fields if name in WRONG_VALUES])
        changed: list[dict[str, Any]] = [
            {**fields, field: self.any(WRONG_TYPES)},
            {**fields, checked: self.any(WRONG_VALUES[checked])},
            {name: value for name, value in fields.items() if name != field},
            {**fields, f"x{self.word()}": self.word()},
        ]
        return post(path, write(self.any(changed)), self.token())

    def wrong_setup(self) -> bytes:
        body = {"id": self.id(), "game": "lines", **self.any(WRONG_SETUPS)}
        return post("/api/tables", write(body), self.token())

    def too_large(self) -> Bad:
        path, fields = self.command()
        body = write({**fields, "id": "x" * self.dice.randint(TOO_LARGE, 10 * TOO_LARGE)})
        whole = post(path, body, self.token())
        head = post(path, b"", self.token()).partition(b"Content-Length")[0]
        piece = b"%x\r\n%s\r\n" % (8_000, b"x" * 8_000)
        in_pieces = head + b"Transfer-Encoding: chunked\r\n\r\n" + 3 * piece + b"0\r\n\r\n"
        return Bad(self.any([whole, in_pieces]), may_hang_up=True)

    # Commands against the rules

    def illegal_move(self) -> bytes:
        scene = self.scene("playing")
        moves = {move.move for move in scene.moves} - set(scene.legal)
        return self.play(scene, scene.token, move=self.any([*sorted(moves), self.word(40)]))

    def out_of_turn(self) -> bytes:
        """A move of the other player, of a stranger, or of nobody."""
        scene = self.scene("playing")
        return self.play(scene, self.any([scene.tokens[2 - scene.turn], self.stranger, ""]))

    def stale_move(self) -> bytes:
        """A move that is based on an old or a future state."""
        scene = self.scene("playing")
        bases = [self.dice.randrange(scene.seq), scene.seq + self.dice.randint(1, 99)]
        return self.play(scene, scene.token, base=self.any(bases))

    def repeated_move(self) -> Bad:
        """A move that was made before gets its first answer again, whatever else the request says."""
        scene = self.scene("playing")
        made = self.any(scene.moves)
        base = self.any([made.seq - 1, scene.seq])
        move = self.any([made.move, self.any(scene.legal)])
        request = self.play(scene, scene.tokens[made.seat - 1], id=made.id, base=base, move=move)
        return Bad(request, is_repeated=True)

    def wrong_phase(self) -> bytes:
        scene = self.scene()
        return self.at(scene, self.any(WRONG_PHASE[scene.phase]), self.any(scene.tokens))

    def by_a_stranger(self) -> bytes:
        """A command that only players may give."""
        what = self.any([what for what in COMMANDS if what not in ("/api/tables", "sit")])
        return self.at(self.scene(), what, self.stranger)

    def wrong_seat(self) -> bytes:
        return self.at(self.scene("open"), "sit", self.stranger, **self.any(WRONG_SEATS))

    def wrong_code(self) -> bytes:
        """No code has an I."""
        path = self.any(["/api/join", "/api/take-seat"])
        return post(path, write({"code": "I" + self.word(39)}), self.token())

    # Forged identities

    def wrong_token(self) -> bytes:
        path, fields = self.command()
        token = self.scene().tokens[0]
        at = self.dice.randrange(len(token) - 1)
        changed = token[:at] + "~" + token[at + 1 :]
        wrong = self.any([token[:at], changed, self.word(200), "x" * 10_000, token + token])
        return post(path, write(fields), wrong or "x")

    def wrong_cookie(self) -> bytes:
        """A cookie from another site's page, without an origin, or one that is forged."""
        scene = self.scene("playing")
        origin = self.any(["http://evil.example", "null", "https://upcard.evil.example", "file://"])
        headers = [
            f"Cookie: upcard={scene.token}\r\nOrigin: {origin}",
            f"Cookie: {self.word()}=b; upcard={scene.token}",
            f"Origin: http://upcard\r\nCookie: upcard={self.word(300)}; upcard=; ;;=",
        ]
        changed = f"Host: upcard\r\n{self.any(headers)}".encode()
        return self.play(scene, "").replace(b"Host: upcard", changed, 1)

    # Addresses and methods

    def wrong_address(self) -> bytes:
        table, word = self.scene().table, self.word()
        since = self.any(["-1", "1.5", "x", "%00", "9" * 16, "1e3", "٣"])
        path = self.any(
            [
                f"/{word}",
                f"/api/{word}",
                f"/api/tables/{word}",
                f"/api/tables/{word}/events",
                f"/api/tables/{table}/{word}",
                f"/api/tables/{table}/../../../etc/passwd",
                f"/api/tables/%00{table}",
                "/api/tables/" + "x" * 5_000,
                "//" + word,
                "/api/tables/%ff%fe/record",
                f"/api/tables/{table}/events?since={since}",
            ]
        )
        return get(path, self.token(), "Accept: application/json")

    def wrong_method(self) -> bytes:
        path, fields = self.command()
        method = self.any([b"PUT", b"DELETE", b"PATCH", b"OPTIONS", b"TRACE"])
        return post(path, write(fields), self.token()).replace(b"POST", method, 1)

    # Broken HTTP

    def broken_http(self) -> Bad:
        path, fields = self.command()
        # If the request is understood nevertheless, it is refused because of its unknown field.
        right = post(path, write({**fields, "wrong": 1}), self.token())
        head, _, body = right.partition(b"\r\n\r\n")
        chunked = b"\r\nTransfer-Encoding: chunked\r\n\r\n"
        changes: Sequence[tuple[bytes, bytes]] = (
            (b"HTTP/1.1", b"HTTP/9.9"),
            (b"POST", b"BREW"),
            (b"Content-Length: ", b"Content-Length: -"),
            (b"Content-Length: ", b"Content-Length: 9"),
            (b"Content-Length: ", b"Content-Length: x"),
            (b"Content-Length: ", b"Content-Length: 5\r\nContent-Length: "),
            (b"Host: upcard", b"Host"),
            (b"Host: upcard", b"Host: up\0card"),
            (b"Host: upcard", b"X: " + b"x" * 40_000),
            (b"Host: upcard", b"\r\n".join(b"X%d: x" % number for number in range(3_000))),
            (b" HTTP/1.1\r\n", b"\r\n"),
        )
        broken = [
            *(right.replace(before, after, 1) for before, after in changes),
            self.noise(500),
            right[: self.dice.randrange(1, len(right))],
            head + chunked + body,
            head.partition(b"\r\nContent-Length")[0] + chunked + b"f" * 18 + b"\r\n" + body,
            right.replace(b"\r\n", b"\n", 2)[:-1],
            b"GET " + b"/x" * 40_000 + b" HTTP/1.1\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + self.noise(500),
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            get(path, self.token(), "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
        ]
        return Bad(self.any(broken), may_hang_up=True, is_alone=True)


KINDS = [name for name in vars(BadRequests) if not name.startswith("_")]
