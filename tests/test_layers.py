"""A game is one folder: shared code does not name any game, or anything specific to one game."""

from __future__ import annotations

import re
from pathlib import Path

import upcard

SHARED = ("bots", "browser", "cli", "core", "i18n", "lab", "match", "rl", "server", "testing", "tui")
# Names of games and of things that only one of them has. `lines` alone is an ordinary word.
ONLY_OURS = r"stockpiles?|stacks|games\.lines|chips?|zones?|thefts?|[SLK]\d\.\d|(?:stockpile|lines|stacks)_v1"
OURS = re.compile(rf"\b(?:{ONLY_OURS})\b", re.IGNORECASE)
# PettingZoo modules have the name and version of their game, because outside code imports them.
PUBLIC_NAMES = ("rl/__init__.py", "rl/lines_v1.py", "rl/stacks_v1.py", "rl/stockpile_v1.py")


def test_shared_code_names_no_game() -> None:
    package = Path(upcard.__file__).parent
    found = []
    for path in sorted(path for folder in SHARED for path in (package / folder).rglob("*.py")):
        name = path.relative_to(package).as_posix()
        if name not in PUBLIC_NAMES:
            lines = path.read_text("utf-8").splitlines()
            found += [f"{name}:{number}: {line}" for number, line in enumerate(lines, 1) if OURS.search(line)]
    assert found == []
