"""A new game as a package, ready to run: the example game under another name."""

from __future__ import annotations

__all__ = ["write_game"]

import importlib.util
import keyword
import re
from collections.abc import Iterator
from pathlib import Path

from upcard.core.errors import UpcardError
from upcard.core.text import quoted
from upcard.games import GAMES

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
# The name of the example, and of its package.
EXAMPLE = "climb"
SUFFIXES = (".md", ".pot", ".py", ".toml")


def write_game(name: str) -> None:
    """Write the package of a new game into a folder of that name, and print the next steps."""
    folder = Path(name)
    _check(name, folder)
    template = _template()
    for path in _files(template):
        target = folder / _renamed(str(path.relative_to(template)), name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_renamed(path.read_text("utf-8"), name), "utf-8")
    print(f"The folder {name} has a game to start from; its rules are in {name}/src/{name}/rules.py.")
    print(f"Install it: pip install -e ./{name}")
    print(f"Play it:    upcard play {name}")
    print(f"Test it:    pytest {name}")


def _check(name: str, folder: Path) -> None:
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise UpcardError(
            f"a game's name has small letters, digits and underscores, as in my_game, not {quoted(name)}"
        )
    if name in GAMES:
        raise UpcardError(f"there is already a game {name}, so choose another name")
    if folder.exists():
        raise UpcardError(f"a folder {name} already exists here, so choose another name")
    if importlib.util.find_spec(name) is not None:
        raise UpcardError(f"a Python module {name} already exists, so choose another name")


def _template() -> Path:
    """Return the folder of the example, of an installed package or of a checkout."""
    here = Path(__file__)
    for folder in (here.parent / "template", here.parents[3] / "examples" / "fourth_game"):
        if folder.is_dir():
            return folder
    raise UpcardError("the example game is missing from this installation")


def _files(template: Path) -> Iterator[Path]:
    for path in sorted(template.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file():
            yield path


def _title(name: str) -> str:
    return name.replace("_", " ").strip().capitalize()


def _renamed(text: str, name: str) -> str:
    """Return a text of the example with its name, its title and its class replaced."""
    words = "".join(word.capitalize() for word in name.split("_"))
    text = text.replace(f"{EXAMPLE.capitalize()}Event", f"{words}Event")
    return text.replace(EXAMPLE.capitalize(), _title(name)).replace(EXAMPLE, name)
