"""Pictures for the rulebook of Stockpile, by clause, in its order.

The tests play every game again and check that the position still shows what its caption says; they also find
others (`python -m tests.server.web.test_positions`).
"""

from __future__ import annotations

__all__ = ["POSITIONS"]

from upcard.core.picture import Picture

POSITIONS = {
    "S2.3": Picture(2, 58, 0),
    "S3.4": Picture(2, 40, 4, "A 1", {"pile": "1", "height": 2, "next": 3}),
    "S3.5": Picture(2, 37, 11, "B 1", {"pile": "1"}),
    "S3.6": Picture(2, 39, 6, "stock 1", {"card": "5", "pile": "1"}),
    "S5.1": Picture(2, 52, 17, "stock 4"),
}
