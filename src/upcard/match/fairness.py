"""Fairness: a seed to which the server and every device contribute, so that nobody chooses it alone.

docs/fairness.md explains what is published when, and what it proves.
"""

from __future__ import annotations

__all__ = ["SECRET_BYTES", "SHARE_BYTES", "Fairness", "commitment_of", "new_secret"]

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from upcard.core.entropy import random_bytes
from upcard.core.errors import RecordError

if TYPE_CHECKING:
    from upcard.match.format import FairnessFields
    from upcard.match.match import Player

SECRET_BYTES = 32
SHARE_BYTES = range(16, 64 + 1)

# The seed is a hash of this prefix and all parts. The prefix changes if the parts are ever combined
# differently.
TITLE = b"upcard fairness 1"

# `bytes.fromhex` would ignore spaces.
HEXADECIMAL = "0123456789abcdefABCDEF"


def new_secret() -> bytes:
    """Return a secret for one game. It must not be used twice, since it is published after the game."""
    return random_bytes("secret of a game", SECRET_BYTES)


def commitment_of(secret: bytes) -> bytes:
    """Return the commitment that is published before players sit down: it binds the server to the secret
    without revealing it."""
    return hashlib.sha256(secret).digest()


@dataclass(frozen=True)
class Fairness:
    """The parts of a seed: the server's secret, and the share of each seat's device, in order.

    A bot has None for a share: if the server could add one, having seen all others, it could choose
    the cards. The secret is not part of the representation, so it stays out of logs.
    """

    secret: bytes = field(repr=False)
    shares: tuple[bytes | None, ...]

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_BYTES:
            raise RecordError(f"the server's secret should be {SECRET_BYTES} bytes, not {len(self.secret)}")
        for share in self.shares:
            if share is not None and len(share) not in SHARE_BYTES:
                least, most = SHARE_BYTES[0], SHARE_BYTES[-1]
                raise RecordError(f"a share should be {least} to {most} bytes, not {len(share)}")

    @property
    def commitment(self) -> bytes:
        """The hash that was published before players sat down."""
        return commitment_of(self.secret)

    @property
    def seed(self) -> bytes:
        """The seed. Every share is preceded by its length, so no two lists of shares give the same bytes."""
        mixed = hashlib.sha256(TITLE + self.secret)
        for part in (share or b"" for share in self.shares):
            mixed.update(bytes([len(part)]) + part)
        return mixed.digest()

    @property
    def shared(self) -> bool:
        """Whether any seat has added a share. Without one the server alone has chosen the seed."""
        return any(share is not None for share in self.shares)

    def check(self, seed: bytes | None, players: Sequence[Player]) -> None:
        """Raise a RecordError if the seed of these players' game does not follow from these parts."""
        if seed is None:
            raise RecordError("'fairness' explains a seed, but there is no 'seed'")
        if len(self.shares) != len(players):
            raise RecordError(
                f"'fairness' should have a share or null for each of {len(players)} seats, "
                f"not for {len(self.shares)}"
            )
        for seat, (share, player) in enumerate(zip(self.shares, players, strict=True), 1):
            if share is not None and player.bot is not None:
                raise RecordError(f"a bot sits at seat {seat}, so it should have null for a share")
        if seed != self.seed:
            raise RecordError("the seed does not follow from the server's secret and the shares")

    def to_json(self) -> dict[str, Any]:
        """Return the fairness fields of a record."""
        return {
            "secret": self.secret.hex(),
            "commitment": self.commitment.hex(),
            "shares": [None if share is None else share.hex() for share in self.shares],
        }

    @classmethod
    def of(cls, fields: FairnessFields) -> Fairness:
        """Return the fairness of a record, or raise a RecordError with the problem."""
        fairness = cls(
            _bytes(fields.secret, "'secret'"),
            tuple(None if share is None else _bytes(share, "a share") for share in fields.shares),
        )
        if _bytes(fields.commitment, "'commitment'") != fairness.commitment:
            raise RecordError("the commitment does not match the server's secret")
        return fairness


def _bytes(digits: str, what: str) -> bytes:
    if len(digits) % 2 == 1 or not all(digit in HEXADECIMAL for digit in digits):
        raise RecordError(f"{what} should be hexadecimal digits, two for a byte")
    return bytes.fromhex(digits)
