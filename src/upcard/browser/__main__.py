"""`python -m upcard.browser FOLDER`: write the modules of all games into a folder."""

from __future__ import annotations

import sys
from pathlib import Path

from upcard.browser.modules import write_modules
from upcard.games import all_games

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m upcard.browser FOLDER")
    write_modules(all_games(), Path(sys.argv[1]))
