"""The kinds of plots in reports. They can be read without telling colours apart."""

from __future__ import annotations

__all__ = ["bars", "distributions", "histogram", "points"]

from collections.abc import Sequence
from html import escape
from typing import Any

from upcard.lab.report.page import Plot, Table

COLOUR = "#3b88c3"
STROKE = {"symbol": "line-ns-open", "size": 18, "color": "#d2691e", "line": {"width": 3}}
# Numbers of bars and of letters that fit on a phone.
MAX_BARS = 40
MAX_NAME = 22
# Heights in pixels: of a row, of the margins, and of a plot of bars.
ROW = 34
AROUND = 80
TALL = 280
SMALL = 100

Interval = Sequence[float]
Counts = Sequence[Sequence[int]]


def points(
    title: str,
    names: Sequence[str],
    values: Sequence[float],
    intervals: Sequence[Interval],
    axis: str,
    thing: str,
    table: Table,
    mark: tuple[float, str] | None = None,
    marks: Sequence[float] = (),
) -> Plot:
    """Show a value with its interval for each name, with a reference: a line at one value for all, or a
    stroke at a different one for each."""
    data: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "x": list(values),
        "y": list(range(len(names))),
        "customdata": _labels(names),
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [high - value for value, (_, high) in zip(values, intervals, strict=True)],
            "arrayminus": [value - low for value, (low, _) in zip(values, intervals, strict=True)],
            "thickness": 2,
            "width": 6,
        },
        "marker": {"color": COLOUR, "size": 11},
        "hovertemplate": "%{customdata}: %{x:.4g}<extra></extra>",
    }
    layout = _layout(axis, AROUND + ROW * len(names))
    layout["yaxis"] |= _rows(names, thing)
    said = [f"{name} {_short(value)}" for name, value in zip(names, values, strict=True)]
    if mark is not None:
        _mark(layout, *mark)
        said.append(f"{mark[1]} {_short(mark[0])}")
    strokes = data | {"x": list(marks), "marker": STROKE} if marks else None
    if strokes is not None:
        del strokes["error_x"]
        said.append(f"to compare with: {', '.join(map(_short, marks))}")
    shown = [data] if strokes is None else [data, strokes]
    return Plot(title, f"{title}, {axis}: {', '.join(said)}.", shown, layout, table)


def bars(
    title: str,
    names: Sequence[str],
    values: Sequence[float],
    notes: Sequence[str],
    axis: str,
    thing: str,
    table: Table,
) -> Plot:
    """Show a bar for each name, with a note at its end."""
    data = {
        "type": "bar",
        "orientation": "h",
        "x": list(values),
        "y": list(range(len(names))),
        "customdata": _labels(names),
        "marker": {"color": COLOUR},
        "text": list(notes),
        "textposition": "outside",
        "cliponaxis": False,
        "hovertemplate": "%{customdata}: %{x:.4g}<extra></extra>",
    }
    layout = _layout(axis, AROUND + ROW * len(names))
    layout["yaxis"] |= _rows(names, thing)
    layout["margin"]["r"] = 80
    said = [f"{name} {_short(value)}" for name, value in zip(names, values, strict=True)]
    return Plot(title, f"{title}, {axis}: {', '.join(said)}.", [data], layout, table)


def histogram(title: str, counts: Counts, axis: str, thing: str, mark: tuple[float, str]) -> Plot:
    """Show how often each value occurs, with neighbouring values combined if there are many."""
    binned = _binned(counts, _width([counts]))
    layout = _layout(axis, TALL)
    layout["yaxis"] |= {"title": _named(thing), "rangemode": "tozero"}
    _mark(layout, *mark)
    most = max(binned, key=lambda row: row[2])
    said = (
        f"{title}: {axis} from {counts[0][0]} to {counts[-1][0]}, most often {_range(most)}; "
        f"{mark[1]} {_short(mark[0])}."
    )
    table = Table([axis, thing], [[_range(row), f"{row[2]:,}"] for row in binned])
    return Plot(title, said, [_bars_of(binned)], layout, table)


def distributions(
    title: str, names: Sequence[str], counts: Sequence[Counts], means: Sequence[float], axis: str
) -> Plot:
    """Show a histogram for each name, one above the other on the same axis, as shares of 100."""
    width = _width(counts)
    binned = [_binned(own, width) for own in counts]
    totals = [sum(count for _, count in own) for own in counts]
    layout = _layout(axis, AROUND + SMALL * len(names))
    layout["annotations"], data = [], []
    for place, name in enumerate(names):
        ordinal = "" if place == 0 else str(place + 1)
        bottom = 1 - (place + 0.95) / len(names)
        top = 1 - (place + 0.3) / len(names)
        layout[f"yaxis{ordinal}"] = {
            "domain": [bottom, top],
            "fixedrange": True,
            "rangemode": "tozero",
            "nticks": 3,
            "automargin": True,
            "title": _named("of 100"),
        }
        layout["annotations"].append(_label(name, means[place], top))
        shares = [(low, high, 100 * count / totals[place]) for low, high, count in binned[place]]
        data.append(_bars_of(shares) | {"yaxis": f"y{ordinal}"})
    # The axis of all of them is below the last one.
    layout["xaxis"]["anchor"] = f"y{len(names)}" if len(names) > 1 else "y"
    said = [f"{name} {_short(mean)}" for name, mean in zip(names, means, strict=True)]
    starts = sorted({(low, high) for own in binned for low, high, _ in own})
    rows = [
        [_range((*at, 0)), *(_share_at(own, at, total) for own, total in zip(binned, totals, strict=True))]
        for at in starts
    ]
    table = Table([axis, *(f"{name}, of 100" for name in names)], rows)
    return Plot(title, f"{title}, {axis}; on average {', '.join(said)}.", data, layout, table)


# Pieces


def _labels(names: Sequence[str]) -> list[str]:
    """Return names for Plotly, escaped because it would interpret tags."""
    return [escape(name) for name in names]


def _rows(names: Sequence[str], thing: str) -> dict[str, Any]:
    """Return an axis with a row for each name, from top to bottom. Long names are cut; the table shows them
    in full."""
    cut = [name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…" for name in names]
    return {
        "title": _named(thing),
        "tickvals": list(range(len(names))),
        "ticktext": _labels(cut),
        "range": [len(names) - 0.5, -0.5],
    }


def _short(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0")


def _layout(axis: str, height: int) -> dict[str, Any]:
    return {
        "height": height,
        "margin": {"l": 8, "r": 16, "t": 28, "b": 44},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "system-ui, sans-serif", "size": 13},
        "showlegend": False,
        "bargap": 0.12,
        # A finger that moves over a plot scrolls the page.
        "dragmode": False,
        "xaxis": {"title": _named(axis), "fixedrange": True, "automargin": True},
        "yaxis": {"fixedrange": True, "automargin": True},
    }


def _named(axis: str) -> dict[str, Any]:
    return {"text": escape(axis), "font": {"size": 13}, "standoff": 8}


def _mark(layout: dict[str, Any], value: float, name: str) -> None:
    """Draw a line at a value, with its name above."""
    ends = {"type": "line", "x0": value, "x1": value, "y0": 0, "y1": 1, "yref": "paper"}
    layout["shapes"] = [ends | {"line": {"dash": "dash", "width": 1.5}}]
    text = f"{escape(name)} {_short(value)}"
    at = {"x": value, "y": 1, "yref": "paper", "yanchor": "bottom", "showarrow": False}
    layout["annotations"] = [at | {"text": text}]


def _label(name: str, mean: float, top: float) -> dict[str, Any]:
    text = f"<b>{escape(name)}</b>, on average {_short(mean)}"
    where = {"x": 0, "xref": "paper", "xanchor": "left", "y": top, "yref": "paper", "yanchor": "bottom"}
    return where | {"text": text, "showarrow": False}


def _width(several: Sequence[Counts]) -> int:
    """Return the number of values per bar."""
    least = min(counts[0][0] for counts in several)
    most = max(counts[-1][0] for counts in several)
    return -(-(most - least + 1) // MAX_BARS)


def _binned(counts: Counts, width: int) -> list[tuple[int, int, int]]:
    """Return the first value, the last value and the count of each bar, empty ones included."""
    bins: dict[int, int] = {}
    for value, count in counts:
        bins[value // width] = bins.get(value // width, 0) + count
    return [
        (number * width, (number + 1) * width - 1, bins.get(number, 0))
        for number in range(min(bins), max(bins) + 1)
    ]


def _bars_of(binned: Sequence[tuple[int, int, float]]) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": [(low + high) / 2 for low, high, _ in binned],
        "y": [count for _, _, count in binned],
        "text": [_range(row) for row in binned],
        "textposition": "none",
        "marker": {"color": COLOUR},
        "hovertemplate": "%{text}: %{y:.4g}<extra></extra>",
    }


def _range(row: tuple[int, int, float]) -> str:
    low, high, _ = row
    return str(low) if low == high else f"{low}–{high}"


def _share_at(binned: Sequence[tuple[int, int, int]], at: tuple[int, int], total: int) -> str:
    count = sum(count for low, high, count in binned if (low, high) == at)
    return f"{100 * count / total:.1f}"
