"""Generated pages are up to date."""

from __future__ import annotations

import pytest

from tests.docs.__main__ import WRITTEN
from tests.docs.pages import ROOT


@pytest.mark.parametrize("name", WRITTEN)
def test_a_page_that_is_made_from_the_code_is_up_to_date(name: str) -> None:
    assert (ROOT / "docs" / name).read_text("utf-8") == WRITTEN[name](), "run make pages"
