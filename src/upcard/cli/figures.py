"""Tables of figures, for terminals of any width: no figure is ever cut off."""

from __future__ import annotations

__all__ = ["FigureTable", "console"]

import os
import shutil
import sys
from collections.abc import Collection, Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from upcard.core.text import printable

# The width of output that is not a terminal, in columns.
PIPE_WIDTH = 120
# The longest text in a cell; names in records can have any length.
MAX_CELL = 300


def console() -> Console:
    """Return a console on standard output, as wide as the terminal or as COLUMNS says."""
    # Rich prints nothing at all if COLUMNS is 0, as in some terminals that do not know their size.
    known = os.environ.get("COLUMNS", "").strip("0").isdigit()
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPE_WIDTH
    return Console(width=None if known else width)


class FigureTable:
    """A table that becomes a list if the terminal is too narrow for it.

    Cells are plain text, and only those in the columns that are named in `prose` may be wrapped. A column
    without a title adds details to the one before it.
    """

    def __init__(self, *titles: str, prose: Collection[str] = (), caption: str | None = None) -> None:
        self._titles = titles
        self._prose = [title in prose for title in titles]
        self._caption = caption
        self._rows: list[list[str]] = []

    def add_row(self, *cells: str) -> None:
        """Add a row; cells that are left out are empty."""
        shown = [printable(cell, MAX_CELL) for cell in cells]
        self._rows.append(shown + [""] * (len(self._titles) - len(cells)))

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        stacked = [title.replace(" ", "\n") for title in self._titles]
        for titles in (self._titles, stacked):
            if self._width(titles) <= options.max_width:
                yield self._table(titles)
                return
        yield from self._list()

    def _width(self, titles: Sequence[str]) -> int:
        """Return the width that a table with these titles needs at least."""
        widths = []
        for column, title in enumerate(titles):
            cells = [row[column] for row in self._rows]
            pieces = [piece for cell in cells for piece in (cell.split() if self._prose[column] else [cell])]
            widths.append(max(cell_len(piece) for piece in ["", *pieces, *title.split("\n")]))
        return sum(width + 3 for width in widths) + 1

    def _table(self, titles: Sequence[str]) -> Table:
        table = Table(title=None if self._caption is None else Text(self._caption))
        for title, prose in zip(titles, self._prose, strict=True):
            table.add_column(Text(title), no_wrap=not prose, overflow="fold")
        for row in self._rows:
            table.add_row(*map(Text, row))
        return table

    def _list(self) -> Iterator[RenderableType]:
        if self._caption is not None:
            yield Text(self._caption, style="italic")
        for row in self._rows:
            lines: list[str] = []
            for title, cell in zip(self._titles, row, strict=True):
                if cell and title:
                    lines.append(f"{title}: {cell}")
                elif cell:
                    lines[-1] += f" ({cell})"
            yield Text(lines[0], style="bold")
            yield from (Text(f"  {line}") for line in lines[1:])
