"""Seeds: 32 bytes that decide every shuffle of a game."""

from __future__ import annotations

__all__ = ["SEED_BYTES", "dice_seed", "hashes", "new_seed", "numbered_seed", "read_seed"]

import contextlib
import hashlib
import operator
import sys
from collections.abc import Iterable

from upcard.core.entropy import random_bytes
from upcard.core.errors import OptionError
from upcard.core.text import quoted

SEED_BYTES = 32


def new_seed() -> bytes:
    """Return a seed that nobody can guess."""
    return random_bytes("seed of a game", SEED_BYTES)


def read_seed(seed: int | str | bytes) -> bytes:
    """Return the seed of a person's input: 64 hexadecimal digits are the seed itself (as in records), and any
    other number or text is hashed into one."""
    if isinstance(seed, bytes) and len(seed) == SEED_BYTES:
        return seed
    if isinstance(seed, str) and len(seed) == 2 * SEED_BYTES:
        with contextlib.suppress(ValueError):
            # Spaces between the digits are ignored, and then there are too few.
            if len(digits := bytes.fromhex(seed)) == SEED_BYTES:
                return digits
    return hashlib.sha256(b"upcard seed " + _seed_text(seed)).digest()


def _seed_text(seed: object) -> bytes:
    """Return the bytes to be hashed: the bytes themselves, the text in UTF-8, or the digits of the whole
    number."""
    try:
        if isinstance(seed, bytes):
            return seed
        if isinstance(seed, str):
            # On the command line, bytes that are not valid UTF-8 become surrogates.
            return seed.encode(errors="surrogateescape")
        return str(operator.index(seed)).encode()  # type: ignore[arg-type]  # tried
    except (TypeError, ValueError):
        raise OptionError(
            f"a seed is text, bytes or a whole number of at most {sys.get_int_max_str_digits()} digits, "
            f"not {'a longer one' if isinstance(seed, int) else quoted(seed)}"
        ) from None


def numbered_seed(seed: bytes, number: int) -> bytes:
    """Return the seed of game `number` of the sequence of a seed."""
    return hashlib.sha256(seed + number.to_bytes(8, "little")).digest()


def dice_seed(seed: bytes | None, seat: int) -> bytes:
    """Return the seed of the dice of the bot at a seat (from 1). It does not reveal that of the cards."""
    return hashlib.sha256(b"dice of a bot " + bytes([seat]) + (seed or new_seed())).digest()


def hashes(texts: Iterable[bytes]) -> bytes:
    """Return the SHA-256 of each text, one after another. Of seeds, these are the keys of their tables
    (`upcard.core.chance.key_of`): eight little-endian integers of 32 bits each."""
    sha256 = hashlib.sha256
    return b"".join([sha256(text).digest() for text in texts])
