"""Seeds: 32 bytes that decide every shuffle of a game."""

from __future__ import annotations

__all__ = ["SEED_BYTES", "dice_seed", "new_seed", "numbered_seed", "read_seed"]

import hashlib

from upcard.core.entropy import random_bytes

SEED_BYTES = 32


def new_seed() -> bytes:
    """Return a seed that nobody can guess."""
    return random_bytes("seed of a game", SEED_BYTES)


def read_seed(seed: int | str | bytes) -> bytes:
    """Return the seed that a person means: 64 hexadecimal digits are the seed itself (as records
    have it), any other number or text is turned into one."""
    if isinstance(seed, bytes) and len(seed) == SEED_BYTES:
        return seed
    if isinstance(seed, str) and len(seed) == 2 * SEED_BYTES:
        try:
            return bytes.fromhex(seed)
        except ValueError:
            pass
    text = seed if isinstance(seed, bytes) else str(seed).encode()
    return hashlib.sha256(b"upcard seed " + text).digest()


def numbered_seed(seed: bytes, number: int) -> bytes:
    """Return the seed of one of many games that are played from one seed."""
    return hashlib.sha256(seed + number.to_bytes(8, "little")).digest()


def dice_seed(seed: bytes | None, seat: int) -> bytes:
    """Return the seed of a bot's own dice. It says nothing about that of the cards."""
    return hashlib.sha256(b"dice of a bot " + bytes([seat]) + (seed or new_seed())).digest()
