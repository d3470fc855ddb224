"""The code of learning environments is compiled once, and again when an encoding changes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import upcard

# Something small, so that it is soon compiled, that yet needs a verb of this layer explained to Numba.
PROGRAM = """
import numpy
from upcard.games import find
from upcard.core.memory import dtype_of
from upcard.rl.kernels import write_observation
from upcard.rl.encodings import encoding_of
tables = numpy.zeros(1, dtype_of(find("stockpile").Table))
tables["players"] = 2
out = numpy.zeros((1, encoding_of("stockpile").size), numpy.uint8)
write_observation(tables, 0, 0, out)
print(write_observation.folder, int(out[0, 0]))
"""


def test_a_second_start_compiles_nothing_and_a_change_in_an_encoding_does(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(Path(upcard.__file__).parent, source / "upcard")
    first = start(tmp_path, source)
    assert first[1:] == ["2", "compiled"]
    assert start(tmp_path, source) == [first[0], "2", "loaded"]
    # A function that is only called by others: Numba alone would not notice.
    encoding = source / "upcard" / "games" / "stockpile" / "encoding.py"
    text = encoding.read_text("utf-8")
    assert "out[PLAYERS] = players" in text
    encoding.write_text(text.replace("out[PLAYERS] = players", "out[PLAYERS] = players + 1"), "utf-8")
    changed = start(tmp_path, source)
    assert changed[0] != first[0]
    assert changed[1:] == ["3", "compiled"]


def start(cache: Path, source: Path) -> list[str]:
    environment = {"UPCARD_CACHE": str(cache / "cache"), "PATH": "", "PYTHONPATH": str(source)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    return [*done.stdout.split(), "compiled" if "Compiling" in done.stderr else "loaded"]
