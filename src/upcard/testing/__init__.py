"""The contract tests, for a game of any package. They need pytest, and one line in a test file:

    TestContract = contract_tests("my_game")

They play the game with every value of every option, plain and compiled, and check properties of all games:
cards are conserved, games end, records can be replayed, views and bots do not depend on hidden cards, and
plain and compiled rules agree. What they need to know about the game is in the module `contract` of its
package.
"""

from __future__ import annotations

__all__ = ["contract_tests"]

import pytest

# So that a failure shows the values compared, as it does in test files.
for _part in ("contract", "compiled", "encoding"):
    pytest.register_assert_rewrite(f"upcard.testing.{_part}")

from upcard.core.game import find_module  # noqa: E402
from upcard.games import find  # noqa: E402
from upcard.testing.cases import some_cases  # noqa: E402
from upcard.testing.compiled import CompiledContract  # noqa: E402
from upcard.testing.contract import Contract  # noqa: E402
from upcard.testing.encoding import EncodingContract  # noqa: E402


def contract_tests(game: str) -> type:
    """Return a class of tests for a game. Give it a name that pytest collects, such as `TestContract`."""
    found = find(game)
    parts: tuple[type, ...] = (Contract, CompiledContract)
    if find_module(f"{found.package}.encoding") is not None:
        parts = (*parts, EncodingContract)
    tests = type("TestContract", parts, {})
    return pytest.mark.parametrize("case", some_cases(found), ids=str)(tests)
