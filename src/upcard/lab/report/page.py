"""A self-contained HTML page with plots, which does not need any network, fonts or other files.

The template (`page.html`) escapes all texts, since names of bots come from other people's packages. Every
plot has its numbers in a table below it, for readers who cannot see plots.
"""

from __future__ import annotations

__all__ = ["Page", "Plot", "Table"]

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jinja2

# Length from which a text in a table gets a minimum width, in characters.
LONG = 30


@dataclass(frozen=True)
class Table:
    """Numbers in rows; columns of numbers are aligned to the right."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]

    @property
    def right(self) -> list[bool]:
        """Which columns consist of numbers."""
        return [all(_is_number(row[place]) for row in self.rows) for place in range(len(self.heads))]


def _is_number(text: str) -> bool:
    return all(letter in "0123456789.,+-±–% " or letter in "to" for letter in text)


@dataclass(frozen=True)
class Plot:
    """A plot for Plotly, what it shows in words, and the same numbers as a table."""

    title: str
    alternative: str
    data: Sequence[Mapping[str, Any]]
    layout: Mapping[str, Any]
    table: Table


@dataclass(frozen=True)
class _Part:
    """A part of the page: a heading, code, a table, plots, or a paragraph."""

    kind: str
    text: str = ""
    table: Table | None = None
    plots: Mapping[str, Plot] = field(default_factory=dict)


@dataclass
class Page:
    """A page that grows from top to bottom."""

    title: str
    parts: list[_Part] = field(default_factory=list)
    plots: dict[str, Plot] = field(default_factory=dict)

    def heading(self, text: str) -> None:
        """Begin a section."""
        self.parts.append(_Part("heading", text))

    def text(self, text: str, kind: str = "") -> None:
        """Add a paragraph."""
        self.parts.append(_Part(kind, text))

    def code(self, text: str) -> None:
        """Add a command."""
        self.parts.append(_Part("code", text))

    def table(self, summary: str, table: Table) -> None:
        """Add a table that opens on demand."""
        self.parts.append(_Part("table", summary, table))

    def show(self, *plots: Plot) -> None:
        """Add plots side by side where there is room, each with its numbers."""
        named = {f"plot-{number}": plot for number, plot in enumerate(plots, len(self.plots) + 1)}
        self.plots |= named
        self.parts.append(_Part("plots", plots=named))

    def html(self, facts: Mapping[str, Any], plotly: str) -> str:
        """Return the page, including the facts it was made from, and Plotly's own script."""
        loader = jinja2.PackageLoader("upcard.lab.report", "")
        environment = jinja2.Environment(loader=loader, autoescape=True, keep_trailing_newline=True)
        plots = {name: {"data": plot.data, "layout": plot.layout} for name, plot in self.plots.items()}
        return environment.get_template("page.html").render(
            title=self.title,
            parts=self.parts,
            facts=_quoted(facts),
            plots=_quoted(plots),
            plotly=plotly if plots else "",
            long=LONG,
        )


def _quoted(value: object) -> str:
    """Return JSON that cannot end the script it stands in."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
