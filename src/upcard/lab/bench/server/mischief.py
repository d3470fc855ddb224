"""Requests that nobody honest sends, each of which is to be refused and to change nothing."""

from __future__ import annotations

__all__ = ["KINDS", "Bad", "Mischief", "Scene"]

import random
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from upcard.lab.bench.server.http import get, post
from upcard.lab.bench.server.players import Made

write = msgspec.json.Encoder().encode

# Larger than any body may be.
TOO_LARGE = 20_000
# Something of every kind that is not what is expected anywhere.
WRONG: Sequence[Any] = ({"a": {}}, [[]], [{"a": 1}], {"": [None]})


class Bad(NamedTuple):
    """A request, how it should be answered, and whether that needs a connection of its own."""

    request: bytes
    # Done before: it is answered as it was then, and not refused.
    is_repeated: bool = False
    # Who sends too much, or what is not HTTP, may be hung up on.
    may_hang_up: bool = False
    is_alone: bool = False


@dataclass(frozen=True)
class Scene:
    """A table to make mischief at. `moves` were made there, `legal` can be made by the seat `turn`."""

    table: str
    phase: str
    tokens: Sequence[str]
    seq: int = 0
    turn: int = 0
    legal: Sequence[str] = ()
    moves: Sequence[Made] = ()


class Mischief:
    """Makes up bad requests. The same seed makes up the same ones."""

    def __init__(self, scenes: Sequence[Scene], stranger: str, seed: int) -> None:
        self.dice = random.Random(seed)
        self.stranger = stranger
        self._scenes = scenes
        self._seed = seed
        self._count = 0

    def think_of(self) -> tuple[str, Bad]:
        """Return one more, and of which kind it is."""
        make = self.dice.choice(KINDS)
        return make.__name__, make(self)

    def id(self) -> str:
        """Return an id that no command had before."""
        self._count += 1
        return f"bad-{self._seed}-{self._count}"

    def scene(self, *phases: str) -> Scene:
        """Return a table in one of these phases, or in any."""
        return self.dice.choice([scene for scene in self._scenes if not phases or scene.phase in phases])

    def command(self) -> tuple[str, dict[str, Any]]:
        """Return an address, and what could be sent to it if it were the time and one's turn."""
        scene = self.scene()
        what = self.dice.choice(list(COMMANDS))
        path = what if what.startswith("/") else f"/api/tables/{scene.table}/{what}"
        return path, {"id": self.id(), **COMMANDS[what]}

    def token(self) -> str:
        """Return what anybody shows: a player, somebody else, or nobody."""
        return self.dice.choice([*self.scene().tokens, self.stranger, ""])

    def noise(self, most: int = 60) -> bytes:
        """Return any bytes."""
        return self.dice.randbytes(self.dice.randint(1, most))

    def word(self, most: int = 30) -> str:
        """Return any letters."""
        return "".join(self.dice.choices(string.ascii_letters, k=self.dice.randint(1, most)))


KINDS: list[Callable[[Mischief], Bad]] = []


def kind(make: Callable[[Mischief], Bad]) -> Callable[[Mischief], Bad]:
    """Add a kind of bad request."""
    KINDS.append(make)
    return make


# The fields that commands must have, with values that are right as such.
COMMANDS: dict[str, dict[str, Any]] = {
    "play": {"base": 3, "move": "x"},
    "react": {"base": 3, "move": "x"},
    "sit": {"name": "Eve", "share": "00" * 16},
    "rename": {"name": "Eve"},
    "place": {"seat": 1, "bot": "greedy"},
    "say": {"phrase": "hello"},
    "undo": {"base": 3},
    "undo/answer": {"agreed": True},
    "start": {},
    "stand": {},
    "leave": {},
    "come": {},
    "rematch": {},
    "hand-over": {},
    "/api/tables": {"game": "stockpile"},
}
# Values that are of the right type, and still wrong.
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


# What is not JSON


@kind
def broken_json(mischief: Mischief) -> Bad:
    """A body of which something is missing, or that is no text at all."""
    path, fields = mischief.command()
    whole = write(fields)
    cut = whole[: mischief.dice.randrange(len(whole))]
    body = mischief.dice.choice([cut, b"", b"[" * 5_000, b"\xff" + whole, whole + b"}", b"NaN", b"nul"])
    return Bad(post(path, body, mischief.token()))


@kind
def noise(mischief: Mischief) -> Bad:
    """A body of any bytes."""
    path, _ = mischief.command()
    return Bad(post(path, b"{" + mischief.noise(), mischief.token()))


@kind
def other_json(mischief: Mischief) -> Bad:
    """JSON that is not an object."""
    path, _ = mischief.command()
    return Bad(
        post(path, write(mischief.dice.choice([[], "id", 1, None, True, [{}], 1e308])), mischief.token())
    )


@kind
def another_type(mischief: Mischief) -> Bad:
    """A body that does not say that it is JSON."""
    path, fields = mischief.command()
    kind_of_body = mischief.dice.choice([b"text/plain", b"application/x-www-form-urlencoded", b"", b"json"])
    return Bad(post(path, write(fields), mischief.token()).replace(b"application/json", kind_of_body, 1))


# JSON that is no command


@kind
def wrong_type(mischief: Mischief) -> Bad:
    """A field that is something else."""
    path, fields = mischief.command()
    fields[mischief.dice.choice(list(fields))] = mischief.dice.choice(WRONG)
    return Bad(post(path, write(fields), mischief.token()))


@kind
def wrong_value(mischief: Mischief) -> Bad:
    """A field that is too long, too large, too small or unknown."""
    path, fields = mischief.command()
    field = mischief.dice.choice([field for field in fields if field in WRONG_VALUES])
    fields[field] = mischief.dice.choice(WRONG_VALUES[field])
    return Bad(post(path, write(fields), mischief.token()))


@kind
def missing_field(mischief: Mischief) -> Bad:
    """A command without one of its fields."""
    path, fields = mischief.command()
    del fields[mischief.dice.choice(list(fields))]
    return Bad(post(path, write(fields), mischief.token()))


@kind
def unknown_field(mischief: Mischief) -> Bad:
    """A command with one field too many."""
    path, fields = mischief.command()
    return Bad(post(path, write({**fields, f"x{mischief.word()}": mischief.word()}), mischief.token()))


@kind
def wrong_options(mischief: Mischief) -> Bad:
    """A table that cannot be set up."""
    wrong: dict[str, Any] = mischief.dice.choice(
        [
            {"options": {"players": 99}},
            {"options": {mischief.word(): 1}},
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
        ]
    )
    return Bad(post("/api/tables", write({"id": mischief.id(), "game": "lines", **wrong}), mischief.token()))


@kind
def too_large(mischief: Mischief) -> Bad:
    """More than any body may have; sometimes much more than what is said."""
    path, fields = mischief.command()
    body = write({**fields, "id": "x" * mischief.dice.randint(TOO_LARGE, 10 * TOO_LARGE)})
    return Bad(post(path, body, mischief.token()), may_hang_up=True)


@kind
def too_large_in_pieces(mischief: Mischief) -> Bad:
    """The same without saying how large it is."""
    path, _ = mischief.command()
    head, _, _ = post(path, b"", mischief.token()).partition(b"Content-Length")
    piece = b"%x\r\n%s\r\n" % (8_000, b"x" * 8_000)
    return Bad(head + b"Transfer-Encoding: chunked\r\n\r\n" + 3 * piece + b"0\r\n\r\n", may_hang_up=True)


# Moves against the rules


def _play(scene: Scene, token: str, mischief: Mischief, **fields: Any) -> bytes:
    body = {"id": mischief.id(), "base": scene.seq, "move": mischief.dice.choice(scene.legal), **fields}
    return post(f"/api/tables/{scene.table}/play", write(body), token)


@kind
def illegal_move(mischief: Mischief) -> Bad:
    """A move that could be made at another time, or never."""
    scene = mischief.scene("playing")
    moves = {move.move for move in scene.moves} - set(scene.legal)
    move = mischief.dice.choice([*sorted(moves), mischief.word(40)])
    return Bad(_play(scene, scene.tokens[scene.turn - 1], mischief, move=move))


@kind
def out_of_turn(mischief: Mischief) -> Bad:
    """A move of somebody who is not to move."""
    scene = mischief.scene("playing")
    return Bad(_play(scene, scene.tokens[2 - scene.turn], mischief))


@kind
def from_another_seat(mischief: Mischief) -> Bad:
    """A move of somebody who does not sit there."""
    scene = mischief.scene("playing")
    return Bad(_play(scene, mischief.dice.choice([mischief.stranger, ""]), mischief))


@kind
def stale_move(mischief: Mischief) -> Bad:
    """A move that was thought of too early, or in the future."""
    scene = mischief.scene("playing")
    base = mischief.dice.choice(
        [mischief.dice.randrange(scene.seq), scene.seq + mischief.dice.randint(1, 99)]
    )
    return Bad(_play(scene, scene.tokens[scene.turn - 1], mischief, base=base))


@kind
def move_again(mischief: Mischief) -> Bad:
    """A move that was made long ago: it is answered as it was then, whatever is said of it now."""
    scene = mischief.scene("playing")
    made = mischief.dice.choice(scene.moves)
    base = mischief.dice.choice([made.seq - 1, scene.seq])
    move = mischief.dice.choice([made.move, mischief.dice.choice(scene.legal)])
    request = _play(scene, scene.tokens[made.seat - 1], mischief, id=made.id, base=base, move=move)
    return Bad(request, is_repeated=True)


@kind
def at_the_wrong_time(mischief: Mischief) -> Bad:
    """What can be done before the game, during it, or after it, but not now."""
    scene = mischief.scene()
    what = mischief.dice.choice(TOO_LATE[scene.phase])
    body = write({"id": mischief.id(), **COMMANDS[what]})
    return Bad(post(f"/api/tables/{scene.table}/{what}", body, mischief.dice.choice(scene.tokens)))


TOO_LATE = {
    "open": ("play", "react", "undo", "undo/answer", "rematch"),
    "playing": ("react", "sit", "place", "start", "stand", "undo/answer", "rematch"),
    "over": ("play", "react", "sit", "place", "start", "stand", "undo", "undo/answer"),
}


@kind
def by_a_stranger(mischief: Mischief) -> Bad:
    """What only those may do who sit there."""
    scene = mischief.scene()
    what = mischief.dice.choice([what for what in COMMANDS if what not in ("/api/tables", "sit")])
    body = write({"id": mischief.id(), **COMMANDS[what]})
    return Bad(post(f"/api/tables/{scene.table}/{what}", body, mischief.stranger))


@kind
def wrong_seat(mischief: Mischief) -> Bad:
    """A seat that is taken or that does not exist, or a name that cannot be."""
    scene = mischief.scene("open")
    wrong: dict[str, Any] = mischief.dice.choice(
        [
            {"seat": 1},
            {"seat": 6},
            {"name": "Player 1"},
            {"name": " \t "},
            {"name": "a\u202eb"},
            {"name": "\0"},
        ]
    )
    body = write({"id": mischief.id(), **COMMANDS["sit"], **wrong})
    return Bad(post(f"/api/tables/{scene.table}/sit", body, mischief.stranger))


@kind
def wrong_code(mischief: Mischief) -> Bad:
    """A guess."""
    path = mischief.dice.choice(["/api/join", "/api/take-seat"])
    # A code of a table has no vowels, and one of a seat no I.
    return Bad(post(path, write({"code": "I" + mischief.word(39)}), mischief.token()))


# Somebody else


@kind
def wrong_token(mischief: Mischief) -> Bad:
    """A token that the server has not made."""
    path, fields = mischief.command()
    token = mischief.scene().tokens[0]
    at = mischief.dice.randrange(len(token) - 1)
    wrong = mischief.dice.choice(
        [token[:at], token[:at] + "~" + token[at + 1 :], mischief.word(200), "x" * 10_000, token + token]
    )
    return Bad(post(path, write(fields), wrong or "x"))


@kind
def from_another_site(mischief: Mischief) -> Bad:
    """What a page of another site makes a browser send, cookie and all."""
    scene = mischief.scene("playing")
    origin = mischief.dice.choice(["http://evil.example", "null", "https://upcard.evil.example", "file://"])
    cookie = f"Cookie: upcard={scene.tokens[scene.turn - 1]}\r\nOrigin: {origin}\r\nHost: upcard"
    return Bad(_play(scene, "", mischief).replace(b"Host: upcard", cookie.encode(), 1))


@kind
def from_nowhere(mischief: Mischief) -> Bad:
    """A cookie of somebody who does not say where they come from."""
    scene = mischief.scene("playing")
    cookie = f"Host: upcard\r\nCookie: a=b; upcard={scene.tokens[scene.turn - 1]}"
    return Bad(_play(scene, "", mischief).replace(b"Host: upcard", cookie.encode(), 1))


@kind
def wrong_cookie(mischief: Mischief) -> Bad:
    """A cookie that the server has not made: of nobody, who cannot move."""
    scene = mischief.scene("playing")
    cookie = f"Host: upcard\r\nOrigin: http://upcard\r\nCookie: upcard={mischief.word(300)}; upcard=; ;;="
    return Bad(_play(scene, "", mischief).replace(b"Host: upcard", cookie.encode(), 1))


# Addresses and methods


@kind
def wrong_address(mischief: Mischief) -> Bad:
    """Something that is not there."""
    scene, word = mischief.scene(), mischief.word()
    path = mischief.dice.choice(
        [
            f"/{word}",
            f"/api/{word}",
            f"/api/tables/{word}",
            f"/api/tables/{word}/events",
            f"/api/tables/{scene.table}/{word}",
            f"/api/tables/{scene.table}/../../../etc/passwd",
            f"/api/tables/%00{scene.table}",
            "/api/tables/" + "x" * 5_000,
            "//" + word,
            "/api/tables/%ff%fe/record",
        ]
    )
    return Bad(get(path, mischief.token()))


@kind
def wrong_method(mischief: Mischief) -> Bad:
    """A method that an address does not have."""
    path, fields = mischief.command()
    method = mischief.dice.choice([b"PUT", b"DELETE", b"PATCH", b"OPTIONS", b"TRACE"])
    return Bad(post(path, write(fields), mischief.token()).replace(b"POST", method, 1))


@kind
def wrong_number(mischief: Mischief) -> Bad:
    """News since something that is no number."""
    since = mischief.dice.choice(["-1", "1.5", "x", "%00", "9" * 16, "1e3", "٣"])
    path = f"/api/tables/{mischief.scene().table}/events?since={since}"
    return Bad(get(path, mischief.token(), "Accept: application/json"))


# What is not HTTP


@kind
def broken_http(mischief: Mischief) -> Bad:
    """Bytes that are no request, or the beginning of one."""
    path, fields = mischief.command()
    # Whatever is understood of it after all is refused for another reason.
    right = post(path, write({**fields, "wrong": 1}), mischief.token())
    head, _, body = right.partition(b"\r\n\r\n")
    broken = mischief.dice.choice(
        [
            mischief.noise(500),
            right[: mischief.dice.randrange(1, len(right))],
            right.replace(b"HTTP/1.1", b"HTTP/9.9", 1),
            right.replace(b"POST", b"BREW", 1),
            right.replace(b"Content-Length: ", b"Content-Length: -", 1),
            right.replace(b"Content-Length: ", b"Content-Length: 9", 1),
            right.replace(b"Content-Length: ", b"Content-Length: x", 1),
            right.replace(b"Content-Length: ", b"Content-Length: 5\r\nContent-Length: ", 1),
            head + b"\r\nTransfer-Encoding: chunked\r\n\r\n" + body,
            head.partition(b"Content-Length")[0]
            + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n"
            + body,
            right.replace(b"Host: upcard", b"Host", 1),
            right.replace(b"Host: upcard", b"Host: up\0card", 1),
            right.replace(b"Host: upcard", b"X: " + b"x" * 40_000, 1),
            right.replace(b"Host: upcard", b"\r\n".join(b"X%d: x" % number for number in range(3_000)), 1),
            right.replace(b" HTTP/1.1\r\n", b"\r\n", 1),
            right.replace(b"\r\n", b"\n", 2)[:-1],
            b"GET " + b"/x" * 40_000 + b" HTTP/1.1\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + mischief.noise(500),
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ]
    )
    return Bad(broken, may_hang_up=True, is_alone=True)


@kind
def websocket(mischief: Mischief) -> Bad:
    """A connection that wants to be something else."""
    upgrade = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
    path = f"/api/tables/{mischief.scene().table}/{mischief.word()}"
    return Bad(get(path, mischief.token(), *upgrade), may_hang_up=True, is_alone=True)
