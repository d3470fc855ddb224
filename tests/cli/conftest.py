"""Fixtures of the command line tests. No test touches the data of the user who runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Run, running


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder for unfinished games, and make all commands use it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "data" / "upcard"
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *names: str(folder))
    return folder


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every line fit, so that tests can look for sentences."""
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command in this process."""
    return running(capsys)
