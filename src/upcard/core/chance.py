"""Chance: one cryptographic random stream, kept inside the table's record.

The words come from ChaCha with eight rounds. The key is the SHA-256 of the game's seed, and every
shuffle (and every blind draw from a hand) reads its own stream, numbered by `nonce`: the order of
one pile says nothing about the next, and anyone who knows the seed can check each of them alone.
"""

from __future__ import annotations

__all__ = [
    "Chance",
    "Script",
    "chance_of",
    "key_of",
    "next_nonce",
    "pick",
    "randint",
    "rekey",
    "set_key",
    "shuffle",
    "shuffle_top",
]

import hashlib
import struct
from collections import deque
from collections.abc import Sequence
from typing import Annotated

from upcard.core.errors import RecordError
from upcard.core.piles import Pile
from upcard.core.rule import rule
from upcard.core.struct import Struct, assign

WORDS = 16
DOUBLE_ROUNDS = 4
MASK = 0xFFFFFFFF

# "expand 32-byte k", the constant that every ChaCha block begins with.
C0, C1, C2, C3 = struct.unpack("<4I", b"expand 32-byte k")


class Chance(Struct):
    """The stream: its key, which nonce is read, and the block of words being used up."""

    key: Annotated[list[int], 8]
    nonce: int
    block: int
    used: int
    words: Annotated[list[int], WORDS]

    def pick(self, cards: Sequence[int], count: int) -> int:
        """Return the index of the card, among the first `count`, that comes out."""
        return randint(self, count)


class Script(Chance):
    """A stream for replays: the cards come out as a record says, regardless of what shuffled them.

    Where the seed is known too, each card is also checked against the stream of that seed.
    """

    def __init__(self, key: Sequence[int] | None = None) -> None:
        super().__init__()
        self.wanted: deque[int] = deque()
        self.keyed = key is not None
        if key is not None:
            set_key(self, key)

    def pick(self, cards: Sequence[int], count: int) -> int:
        if not self.wanted:
            raise RecordError("the record is missing a shuffle here")
        card = self.wanted.popleft()
        if self.keyed:
            place = randint(self, count)
            if cards[place] == card:
                return place
            if card in cards[:count]:
                raise RecordError("the order of the cards does not follow from the seed")
        for place in range(count):
            if cards[place] == card:
                return place
        raise RecordError("the record shuffles or takes a card that is not there")

    def chance(self) -> Chance:
        """Return an ordinary stream that continues where the script ends."""
        chance = Chance()
        assign(chance, self)
        return chance


def key_of(seed: bytes) -> list[int]:
    """Return the key of a seed: eight whole numbers of 32 bits."""
    return list(struct.unpack("<8i", hashlib.sha256(seed).digest()))


def chance_of(seed: bytes) -> Chance:
    """Return the stream of a seed, at nonce 0."""
    chance = Chance()
    set_key(chance, key_of(seed))
    return chance


@rule(javascript="registers")
def signed(word: int) -> int:
    """Return the same 32 bits as a signed number, which is how the fields keep them."""
    return word - ((word >> 31) << 32)


@rule
def set_key(chance: Chance, key: Sequence[int]) -> None:
    """Start a stream at nonce 0."""
    for place in range(8):
        chance.key[place] = key[place]
    chance.nonce = 0
    chance.block = 0
    chance.used = WORDS


@rule
def next_nonce(chance: Chance) -> None:
    """Switch to the next nonce: all further numbers are independent of the earlier ones."""
    chance.nonce += 1
    chance.block = 0
    chance.used = WORDS


@rule(compiled="upcard.core.registers")
def u32(number: int) -> int:
    """Return the low 32 bits of a number."""
    return number & MASK


@rule(compiled="upcard.core.registers")
def quarter(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """ChaCha's quarter round."""
    a = (a + b) & MASK
    d ^= a
    d = ((d << 16) | (d >> 16)) & MASK
    c = (c + d) & MASK
    b ^= c
    b = ((b << 12) | (b >> 20)) & MASK
    a = (a + b) & MASK
    d ^= a
    d = ((d << 8) | (d >> 24)) & MASK
    c = (c + d) & MASK
    b ^= c
    b = ((b << 7) | (b >> 25)) & MASK
    return a, b, c, d


@rule(javascript="registers")
def next_block(chance: Chance, double_rounds: int) -> None:
    """Fill `words` with the next ChaCha block of this nonce."""
    k0 = u32(chance.key[0])
    k1 = u32(chance.key[1])
    k2 = u32(chance.key[2])
    k3 = u32(chance.key[3])
    k4 = u32(chance.key[4])
    k5 = u32(chance.key[5])
    k6 = u32(chance.key[6])
    k7 = u32(chance.key[7])
    block = chance.block
    nonce = chance.nonce
    x0, x1, x2, x3 = u32(C0), u32(C1), u32(C2), u32(C3)
    x4, x5, x6, x7, x8, x9, x10, x11 = k0, k1, k2, k3, k4, k5, k6, k7
    x12, x13, x14, x15 = u32(block), u32(0), u32(nonce), u32(0)
    for _ in range(double_rounds):
        x0, x4, x8, x12 = quarter(x0, x4, x8, x12)
        x1, x5, x9, x13 = quarter(x1, x5, x9, x13)
        x2, x6, x10, x14 = quarter(x2, x6, x10, x14)
        x3, x7, x11, x15 = quarter(x3, x7, x11, x15)
        x0, x5, x10, x15 = quarter(x0, x5, x10, x15)
        x1, x6, x11, x12 = quarter(x1, x6, x11, x12)
        x2, x7, x8, x13 = quarter(x2, x7, x8, x13)
        x3, x4, x9, x14 = quarter(x3, x4, x9, x14)
    words = chance.words
    words[0] = signed((x0 + C0) & MASK)
    words[1] = signed((x1 + C1) & MASK)
    words[2] = signed((x2 + C2) & MASK)
    words[3] = signed((x3 + C3) & MASK)
    words[4] = signed((x4 + k0) & MASK)
    words[5] = signed((x5 + k1) & MASK)
    words[6] = signed((x6 + k2) & MASK)
    words[7] = signed((x7 + k3) & MASK)
    words[8] = signed((x8 + k4) & MASK)
    words[9] = signed((x9 + k5) & MASK)
    words[10] = signed((x10 + k6) & MASK)
    words[11] = signed((x11 + k7) & MASK)
    words[12] = signed((x12 + block) & MASK)
    words[13] = signed(x13)
    words[14] = signed((x14 + nonce) & MASK)
    words[15] = signed(x15)
    chance.block = block + 1
    chance.used = 0


@rule
def word(chance: Chance) -> int:
    """Return the next 32 random bits as a number from 0."""
    if chance.used == WORDS:
        next_block(chance, DOUBLE_ROUNDS)
    chance.used += 1
    return chance.words[chance.used - 1] & MASK


@rule
def randint(chance: Chance, below: int) -> int:
    """Return a whole number from 0 to `below` - 1, each exactly as likely as the others.

    The high half of word times `below` is the number; the few low halves that would favour some numbers are
    rejected, and a new word is drawn.
    """
    product = word(chance) * below
    if (product & MASK) < below:
        unfair = (MASK + 1) % below
        while (product & MASK) < unfair:
            product = word(chance) * below
    return product >> 32


def _compiled_pick(chance: Chance, cards: Sequence[int], count: int) -> int:
    return randint(chance, count)


@rule(compiled=_compiled_pick, javascript="chance")
def pick(chance: Chance, cards: Sequence[int], count: int) -> int:
    """Return the index of the card, among the first `count`, that comes out.

    All randomness at a table goes through here, so that a replay can put a Script in the place of Chance.
    (Compiled tables are never replays.)
    """
    return chance.pick(cards, count)


@rule
def shuffle(chance: Chance, pile: Pile) -> None:
    """Shuffle a pile under a new nonce, deciding first which card is drawn first."""
    next_nonce(chance)
    for last in range(pile.count - 1, -1, -1):
        place = pick(chance, pile.cards, last + 1)
        card = pile.cards[place]
        pile.cards[place] = pile.cards[last]
        pile.cards[last] = card


@rule
def shuffle_top(chance: Chance, pile: Pile, count: int) -> None:
    """Shuffle the top cards of a pile among themselves: for tables that are only imagined."""
    next_nonce(chance)
    bottom = pile.count - count
    for last in range(pile.count - 1, bottom, -1):
        place = bottom + randint(chance, last - bottom + 1)
        card = pile.cards[place]
        pile.cards[place] = pile.cards[last]
        pile.cards[last] = card


@rule
def rekey(chance: Chance, source: Chance) -> None:
    """Give `chance` a new key drawn from `source`: for tables that are only imagined."""
    for place in range(8):
        chance.key[place] = signed(word(source))
    chance.nonce = 0
    chance.block = 0
    chance.used = WORDS
