"""SHA-256 for compiled code: a table that starts its next game by itself needs that game's seed at once.

Everything hashed here fits into one block. Seeds are eight words of 32 bits, the highest byte of each first;
words are kept in arrays of 64-bit numbers, so that plain and compiled arithmetic is the same.
"""

from __future__ import annotations

__all__ = ["ROOM", "WORDS", "dice_key", "game_key", "words_of"]

import struct
from typing import Any

from upcard.core.rule import rule

MASK = 0xFFFFFFFF
STEPS = 64
WORDS = 8
# The rows of room that hashing needs: the seed of a game, a key, a block.
ROOM = (3, STEPS)


def _primes(count: int) -> list[int]:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return found


def _root(number: int, power: int) -> int:
    """Return the whole part of a root."""
    low, high = 0, number + 1
    while high - low > 1:
        middle = (low + high) // 2
        if middle**power <= number:
            low = middle
        else:
            high = middle
    return low


# The first 32 bits behind the point: of the square roots of the first primes, and of their cube roots.
START = tuple(_root(prime << 64, 2) & MASK for prime in _primes(WORDS))
CONSTANTS = tuple(_root(prime << 96, 3) & MASK for prime in _primes(STEPS))

# What `match.seed.dice_seed` puts before the seat and the seed: 14 bytes, of which the last two share a word
# with the seat and the first byte of the seed.
D0, D1, D2, D3 = struct.unpack(">3IH", b"dice of a bot ")


def words_of(seed: bytes) -> tuple[int, ...]:
    """Return a seed as words."""
    return struct.unpack(f">{WORDS}I", seed)


@rule
def turned(word: int, places: int) -> int:
    """Return a word turned to the right."""
    return ((word >> places) | (word << (32 - places))) & MASK


@rule
def swapped(word: int) -> int:
    """Return a word with its bytes in the other order."""
    return (word >> 24) | ((word >> 8) & 0xFF00) | ((word << 8) & 0xFF0000) | ((word << 24) & 0xFF000000)


@rule
def hash_block(block: Any, length: int, digest: Any) -> None:
    """Write the hash of a block of `length` bytes, whose words, the 1 behind them included, are in place."""
    block[15] = 8 * length
    for step in range(16, STEPS):
        one = block[step - 15]
        two = block[step - 2]
        one = turned(one, 7) ^ turned(one, 18) ^ (one >> 3)
        two = turned(two, 17) ^ turned(two, 19) ^ (two >> 10)
        block[step] = (block[step - 16] + one + block[step - 7] + two) & MASK
    a, b, c, d, e, f, g, h = START
    for step in range(STEPS):
        first = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
        first += h + ((e & f) ^ (~e & MASK & g)) + CONSTANTS[step] + block[step]
        second = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
        second += (a & b) ^ (a & c) ^ (b & c)
        h, g, f, e = g, f, e, (d + first) & MASK
        d, c, b, a = c, b, a, (first + second) & MASK
    words = (a, b, c, d, e, f, g, h)
    for place in range(WORDS):
        digest[place] = (words[place] + START[place]) & MASK


@rule
def clear_behind(block: Any, words: int) -> None:
    """Nothing lies behind the words of a block."""
    for place in range(words, 16):
        block[place] = 0


@rule
def write_key(seed: Any, block: Any, key: Any) -> None:
    """Write the key of a seed, as `chance.key_of` does."""
    for place in range(WORDS):
        block[place] = seed[place]
    clear_behind(block, WORDS)
    block[WORDS] = 1 << 31
    hash_block(block, 4 * WORDS, key)
    for place in range(WORDS):
        word = swapped(key[place])
        key[place] = word - ((word >> 31) << 32)


@rule
def game_key(base: Any, number: int, seed: Any, key: Any, block: Any) -> None:
    """Write the seed of a numbered game, as `match.seed.numbered_seed` does, and its key. A game without a
    number (a negative one) has the seed that all of them come from."""
    for place in range(WORDS):
        block[place] = base[place]
        seed[place] = base[place]
    if number >= 0:
        clear_behind(block, WORDS)
        block[WORDS] = swapped(number & MASK)
        block[WORDS + 1] = swapped((number >> 32) & MASK)
        block[WORDS + 2] = 1 << 31
        hash_block(block, 4 * (WORDS + 2), seed)
    write_key(seed, block, key)


@rule
def dice_key(seed: Any, seat: int, key: Any, block: Any) -> None:
    """Write the key of a bot's dice at a seat (from 0), as `match.seed.dice_seed` has it."""
    block[0] = D0
    block[1] = D1
    block[2] = D2
    block[3] = (D3 << 16) | ((seat + 1) << 8) | (seed[0] >> 24)
    for place in range(WORDS - 1):
        block[4 + place] = ((seed[place] << 8) & MASK) | (seed[place + 1] >> 24)
    clear_behind(block, 4 + WORDS)
    block[3 + WORDS] = ((seed[WORDS - 1] << 8) & MASK) | 0x80
    hash_block(block, 47, key)
    write_key(key, block, key)
