"""`make pages`: write the pages of the documentation that are generated from the code."""

from __future__ import annotations

from tests.docs.api import api_page
from tests.docs.observations import observations_page
from tests.docs.pages import ROOT

WRITTEN = {"api.md": api_page, "observations.md": observations_page}

if __name__ == "__main__":
    for name, page in WRITTEN.items():
        (ROOT / "docs" / name).write_text(page(), "utf-8")
