"""The browser of tests/server/web, for the tests here."""

from __future__ import annotations

from tests.server.web.conftest import chromium

__all__ = ["chromium"]
