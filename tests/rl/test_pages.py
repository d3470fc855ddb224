"""The examples for learners run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


EXAMPLES = re.findall(r"```python\n(.*?)```", (DOCS / "learning.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_for_learners_run(example: str) -> None:
    if "pyspiel" in example:
        pytest.importorskip("pyspiel")
    exec(compile(example, "docs/learning.md", "exec"), {})
