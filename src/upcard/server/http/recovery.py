"""Recovery phrases: ten words with which a person continues on another device, with all seats.

A phrase has 80 random bits. The database has its SHA-256, and the person's number encrypted with another hash
of the phrase: neither can be computed from what is stored.
"""

from __future__ import annotations

__all__ = ["COUNT", "WORDS", "digest_of", "new_phrase", "read_phrase", "seal"]

import hashlib
from typing import Final

from upcard.core.entropy import random_bytes

# Words in a phrase, 8 bits each.
COUNT: Final = 10
# Longer than any phrase, however it is typed.
MAX_TYPED: Final = 400
# Short, common English words, in an order that must never change. No two of them begin with the same four
# letters, so these are enough.
_LIST: Final = """
acorn agent album alarm angel ankle apple april arch artist atlas aunt autumn award baby badge bagel
baker ball bamboo banana banjo barn basket beach beard bell bench berry bike bird biscuit blanket boat
bottle branch bread brick bridge broom brush bubble bucket bus button cabin cactus camel candle canoe
captain carpet castle cave celery chair cherry circle cloud clown coat coffee comet copper coral cotton
cousin cream crown curtain dance daisy desert diary dinner doctor dolphin dragon dream drum eagle earth
echo elbow elephant engine evening falcon farm feather fence ferry field finger flag flute forest fork
fountain fruit galaxy garden ghost giraffe glass glove gold grape guitar hammer harbor harp hazel helmet
hill honey horse hotel house island ivory jacket jelly jewel jungle kettle king kitchen kite ladder lake
lamp lantern lemon letter library lion lobster lunch magnet mango maple marble market meadow melon
mirror monkey moon morning mother mountain museum music napkin needle nest night noodle north nurse
ocean olive onion opera orange orchard otter oven owner paddle paint palace panda paper parade parrot
peach pearl pencil pepper piano picnic pillow pirate planet plum pocket poem pony potato prince pumpkin
puzzle queen rabbit radio rain raven ribbon river robot rocket roof rose ruby saddle sailor salad sand
scarf school season shadow shell ship silver sister skate sky snow soap sock soup spider spoon spring
square star stone storm summer sun swan table tailor teapot temple thunder tiger tomato tower train tree
trumpet tulip tunnel turtle uncle valley velvet village violin wagon walnut water
"""
WORDS: Final = tuple(_LIST.split())
_NUMBERS: Final = {word[:4]: number for number, word in enumerate(WORDS)}


def new_phrase() -> str:
    """Return a new phrase."""
    return " ".join(WORDS[byte] for byte in random_bytes("recovery phrase", COUNT))


def read_phrase(typed: str) -> bytes | None:
    """Return the bits of a phrase however it was typed, None if it is not one."""
    words = "".join(letter if letter.isalpha() else " " for letter in typed[:MAX_TYPED].lower()).split()
    numbers = [_NUMBERS.get(word[:4]) for word in words]
    if len(numbers) != COUNT or None in numbers:
        return None
    return bytes(number for number in numbers if number is not None)


def digest_of(phrase: bytes) -> bytes:
    """Return what is stored of a phrase."""
    return hashlib.sha256(b"upcard recovery phrase " + phrase).digest()


def seal(phrase: bytes, bits: bytes) -> bytes:
    """Encrypt a person's number with a phrase, or decrypt it. Every phrase encrypts only one number, so this
    is a one-time pad."""
    pad = hashlib.sha256(b"upcard recovery seal " + phrase).digest()
    return bytes(one ^ other for one, other in zip(bits, pad, strict=False))
