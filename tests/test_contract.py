"""Properties of every game, number of players and option; see `upcard.testing`."""

from __future__ import annotations

from tests.cases import each_case
from upcard.testing.contract import Contract


@each_case
class TestContract(Contract):
    pass
