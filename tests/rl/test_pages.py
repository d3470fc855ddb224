"""The pages for learners are true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from upcard.rl.page import observations_page

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_of_observations_is_up_to_date() -> None:
    written = (DOCS / "observations.md").read_text("utf-8")
    assert written == observations_page(), "run python -m upcard.rl.page > docs/observations.md"


EXAMPLES = re.findall(r"```python\n(.*?)```", (DOCS / "learning.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_for_learners_run(example: str) -> None:
    if "pyspiel" in example:
        pytest.importorskip("pyspiel")
    exec(compile(example, "docs/learning.md", "exec"), {})
