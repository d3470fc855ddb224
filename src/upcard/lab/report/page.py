"""A page of HTML with plots that needs nothing from elsewhere: no network, no fonts, no other file.

All texts are escaped here, for names of bots come from other people's packages. Every plot has its
numbers in a table below it, so nothing is lost to whoever cannot see plots.
"""

from __future__ import annotations

__all__ = ["Page", "Plot", "Table"]

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

# A text of so many letters may be broken, but not into a narrow column.
LONG = 30

# What the browser may fetch: nothing. Scripts and styles are those in the page.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"

STYLE = """
:root { color-scheme: light dark; --paper: #fdfcf9; --ink: #22252b; --faint: #6a6f78; --line: #d9d6cd; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181d; --ink: #e6e4de; --faint: #a0a4ac; --line: #3a3e47; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.3rem; }
p { margin: 0.5rem 0; max-width: 46rem; overflow-wrap: anywhere; }
.lead { font-size: 1.1rem; }
.note { color: var(--faint); }
.plots { display: grid; gap: 0 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); }
figure { margin: 0.8rem 0; min-width: 0; }
figcaption { font-weight: 600; }
details { margin: 0.2rem 0 0.8rem; }
summary { cursor: pointer; color: var(--faint); padding: 0.3rem 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.92rem; }
th, td { padding: 0.25rem 0.9rem 0.25rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
td.number, th.number { text-align: right; white-space: nowrap; }
td.long { min-width: 16rem; }
pre { overflow-x: auto; padding: 0.8rem; border: 1px solid var(--line); border-radius: 6px;
  font-size: 0.85rem; }
"""

# Plots get the colours of the page, also when these change.
SCRIPT = """
const plots = JSON.parse(document.getElementById("plots").textContent);
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
function dressed(layout) {
  const own = structuredClone(layout), ink = colour("--ink"), line = colour("--line");
  own.font = { ...own.font, color: ink };
  for (const name of Object.keys(own)) {
    if (/^[xy]axis/.test(name)) {
      own[name] = { gridcolor: line, zerolinecolor: line, linecolor: line, ...own[name] };
    }
  }
  for (const shape of own.shapes || []) shape.line.color = ink;
  return own;
}
function show() {
  for (const [id, plot] of Object.entries(plots)) {
    Plotly.react(id, plot.data, dressed(plot.layout), { responsive: true, displayModeBar: false });
  }
}
show();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
"""


@dataclass(frozen=True)
class Table:
    """Numbers in rows; a column of numbers stands to the right."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]

    def html(self) -> str:
        """Return it as HTML."""
        right = [all(_is_number(row[place]) for row in self.rows) for place in range(len(self.heads))]
        head = "".join(
            _cell("th", text, right[place], ' scope="col"') for place, text in enumerate(self.heads)
        )
        body = "".join(
            f"<tr>{''.join(_cell('td', text, right[place]) for place, text in enumerate(row))}</tr>\n"
            for row in self.rows
        )
        inside = f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>"
        return f'<div class="wide"><table>\n{inside}</table></div>\n'


def _is_number(text: str) -> bool:
    return all(letter in "0123456789.,+-±–% " or letter in "to" for letter in text)


def _cell(tag: str, text: str, right: bool, more: str = "") -> str:
    kind = ' class="number"' if right else ' class="long"' if len(text) > LONG else ""
    return f"<{tag}{kind}{more}>{escape(text)}</{tag}>"


@dataclass(frozen=True)
class Plot:
    """A plot for Plotly, what it shows in words, and the same numbers as a table."""

    title: str
    alternative: str
    data: Sequence[Mapping[str, Any]]
    layout: Mapping[str, Any]
    table: Table


@dataclass
class Page:
    """A page that grows from top to bottom."""

    title: str
    parts: list[str] = field(default_factory=list)
    plots: dict[str, Plot] = field(default_factory=dict)

    def heading(self, text: str) -> None:
        """Begin a section."""
        self.parts.append(f"<h2>{escape(text)}</h2>\n")

    def text(self, text: str, kind: str = "") -> None:
        """Say something."""
        self.parts.append(f"<p{f' class={kind!r}' if kind else ''}>{escape(text)}</p>\n")

    def code(self, text: str) -> None:
        """Show a command."""
        self.parts.append(f"<pre><code>{escape(text)}</code></pre>\n")

    def table(self, summary: str, table: Table) -> None:
        """Add a table that opens on demand."""
        self.parts.append(f"<details><summary>{escape(summary)}</summary>\n{table.html()}</details>\n")

    def show(self, *plots: Plot) -> None:
        """Add plots side by side where there is room, each with its numbers."""
        self.parts.append('<div class="plots">\n')
        for plot in plots:
            name = f"plot-{len(self.plots) + 1}"
            self.plots[name] = plot
            height = f"min-height: {plot.layout['height']}px"
            image = f'id="{name}" role="img" aria-label="{escape(plot.alternative)}" style="{height}"'
            caption = f"<figcaption>{escape(plot.title)}</figcaption>"
            self.parts.append(f"<div><figure>{caption}\n<div {image}></div></figure>\n")
            self.table("The numbers", plot.table)
            self.parts.append("</div>\n")
        self.parts.append("</div>\n")

    def html(self, facts: Mapping[str, Any], plotly: str) -> str:
        """Return all of it, with the facts it was made from, and with Plotly's own script."""
        plots = {name: {"data": plot.data, "layout": plot.layout} for name, plot in self.plots.items()}
        scripts = [
            f'<script type="application/json" id="facts">{_quoted(facts)}</script>\n',
            f'<script type="application/json" id="plots">{_quoted(plots)}</script>\n',
            f"<script>{plotly}</script>\n" if plots else "",
            f"<script>{SCRIPT}</script>\n" if plots else "",
        ]
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(self.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
            f"<h1>{escape(self.title)}</h1>\n{''.join(self.parts)}</main>\n{''.join(scripts)}</body>\n</html>\n"
        )


def _quoted(value: object) -> str:
    """Return JSON that cannot end the script it stands in."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
