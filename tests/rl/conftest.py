"""Fixtures of the tests of learning environments."""

from __future__ import annotations

from typing import Any

import pytest
from gymnasium.utils import seeding

from upcard.core.entropy import random_bytes


@pytest.fixture(autouse=True)
def seeded_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let spaces without a seed draw from the seed of the test, not from the operating system."""
    real = seeding.np_random

    def seeded(seed: int | None = None) -> Any:
        return real(int.from_bytes(random_bytes("space", 4)) if seed is None else seed)

    monkeypatch.setattr(seeding, "np_random", seeded)
