"""Commands of programs other than Upcard: the files that they name exist in this repository."""

from __future__ import annotations

__all__ = ["check"]

import importlib.util
import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.docs.pages import ROOT

COMPOSE = ROOT / "deploy" / "cluster" / "compose.yaml"

# Programs that cannot be tested here, and why.
NOT_TRIED = {
    "kubectl": "needs a cluster of Kubernetes",
    "ray": "the test of all its commands asks Ray itself",
    "sleep": "waits, and no more",
}


def check(words: Sequence[str]) -> None:
    """Fail if a command names something that does not exist."""
    program = Path(words[0]).name
    if program not in NOT_TRIED:
        assert program in CHECKS, f"no test knows what {program} does: add it to tests/docs/programs.py"
        CHECKS[program](words[1:])


def _make(words: Sequence[str]) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    variables = {word.partition("=")[0] for word in words if "=" in word}
    targets = {word for word in words if "=" not in word}
    assert targets
    assert targets <= set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    assert variables <= set(re.findall(r"\$\((\w+)\)", makefile))


def _pip(arguments: Sequence[str]) -> None:
    """The wheel has the current version, and its extras exist; other packages are among those used by the
    tests."""
    if arguments[0] == "wheel":
        assert list(arguments[1:]) == ["--no-deps", "."]
        return
    assert arguments[0] in ("install", "uninstall")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    locked = "".join(file.read_text("utf-8") for file in (ROOT / "requirements").glob("*.txt"))
    if "-e" in arguments:
        assert set(arguments[1:]) <= {"-e", "./my_game", "."}  # `upcard new-game my_game` writes it
        return
    for package in arguments[1:]:
        upcard = re.fullmatch(r"upcard(-(.+)-py3-none-any\.whl)?(\[(.+)\])?", package)
        if upcard:
            assert upcard[2] in (None, project["version"])
            extras = set(upcard[4].split(",")) if upcard[4] else set()
            assert extras <= set(project["optional-dependencies"])
        else:
            name = re.escape(package.replace("_", "-"))
            assert re.search(rf"^{name}==", locked, re.MULTILINE), package


def _python(arguments: Sequence[str]) -> None:
    if arguments[0] == "-m":
        assert importlib.util.find_spec(arguments[1]) is not None
    else:
        assert (ROOT / arguments[0]).is_file()


def _docker(arguments: Sequence[str]) -> None:
    match arguments[0]:
        case "build":
            assert (ROOT / arguments[-1] / "Dockerfile").is_file()
        case "run":
            assert arguments[-1] == "upcard"
        case "compose":
            assert arguments[1] == "up"
            services = re.findall(r"^  (\w+):", COMPOSE.read_text("utf-8"), re.MULTILINE)
            assert {word for word in arguments[2:] if not word.startswith("--")} <= set(services)
        case other:
            raise AssertionError(f"no test knows docker {other}")


def _systemctl(arguments: Sequence[str]) -> None:
    assert (ROOT / "deploy" / f"{arguments[-1]}.service").is_file()


def _cd(arguments: Sequence[str]) -> None:
    assert (ROOT / arguments[0]).is_dir()


def _export(arguments: Sequence[str]) -> None:
    """The compose file needs these variables."""
    given = re.findall(r"(\w+)=", " ".join(arguments))
    wanted = re.findall(r"\$\{(\w+)", COMPOSE.read_text("utf-8"))
    assert set(given) == set(wanted)


CHECKS: dict[str, Callable[[Sequence[str]], None]] = {
    "cd": _cd,
    "docker": _docker,
    "export": _export,
    "make": _make,
    "pip": _pip,
    "python": _python,
    "systemctl": _systemctl,
}
