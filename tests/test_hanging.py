"""A run ends even if one of its tests waits forever."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[1]
# It fails first: from then on, pytest-timeout ignores it.
HANGING = """
import threading

import pytest

@pytest.fixture
def stuck():
    yield
    threading.Event().wait()

@pytest.mark.timeout(0.5)
def test_that_fails_and_whose_teardown_never_ends(stuck):
    raise AssertionError
"""


def test_a_run_ends_though_a_teardown_never_does(tmp_path: Path) -> None:
    (tmp_path / "test_hanging.py").write_text(HANGING, encoding="utf-8")
    command = [
        "pytest",
        "-p",
        "tests.conftest",
        "-c",
        "pyproject.toml",
        "--rootdir",
        ".",
        "-n1",
        str(tmp_path),
    ]
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=HERE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "crashed while running" in done.stdout
    # Where it was waiting.
    assert "in stuck" in done.stderr
