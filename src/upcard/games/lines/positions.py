"""Pictures for the rulebook of Lines, by clause, in its order.

The tests play every game again and check that the position still shows what its caption says; they also find
others (`python -m tests.server.web.test_positions`).
"""

from __future__ import annotations

__all__ = ["POSITIONS"]

from upcard.core.picture import Picture

POSITIONS = {
    "L3.5": Picture(3, 6, 6, "r9 +1"),
    "L3.6": Picture(3, 10, 12),
    "L4.2": Picture(3, 0, 3, "p6 @2 +1"),
    "L4.4": Picture(3, 10, 6, "y8 top"),
    "L5.1": Picture(3, 46, 10),
}
