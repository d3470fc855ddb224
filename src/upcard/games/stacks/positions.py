"""Pictures for the rulebook of Stacks, by clause, in its order.

The tests play every game again and check that the position still shows what its caption says; they also find
others (`python -m tests.server.web.test_positions`).
"""

from __future__ import annotations

__all__ = ["POSITIONS"]

from upcard.core.picture import Picture

POSITIONS = {
    "K3.2": Picture(3, 19, 3, "r3 R1", {"pile": "R1", "height": 2, "next": 3}),
    "K3.3": Picture(3, 16, 10, "top B1"),
    "K3.4": Picture(3, 42, 15, "r5 R2", {"pile": "R2"}),
    "K4.4": Picture(3, 33, 19, "chip @3 red"),
    "K5.1": Picture(3, 14, 7, None, {"pile": "R1"}),
}
