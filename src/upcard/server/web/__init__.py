"""The browser table: its pages and their files."""

from __future__ import annotations

__all__ = ["PAGES", "missing"]

from upcard.server.web.pages import PAGES, missing
