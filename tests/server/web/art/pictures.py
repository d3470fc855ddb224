"""The picture of each game on the first page: a moment at its table. It is one file without outside references."""

from __future__ import annotations

__all__ = ["pictures"]

import re

from tests.server.web.art.cards import DIGIT, ornament, specials
from tests.server.web.art.fonts import glyphs
from tests.server.web.art.shapes import HUES, SIGNS, num

WIDTH, HEIGHT = 320, 180
INK = ("#34425f", "#27324a")
GOLD = "#c79b3f"
# The colours of the felt, from the middle to the edge, as in the styles of each game.
FELTS = {
    "stockpile": ("#a9573a", "#833c27", "#5c2719"),
    "lines": ("#5557b0", "#3e4090", "#282a68"),
    "stacks": ("#2f8a7f", "#1f6a64", "#134a48"),
}


def _numeral(value: str) -> str:
    """Return a number about the origin."""
    drawn = glyphs(value, DIGIT)
    gap = 1.5
    wide = sum(drawn[digit][1] for digit in value) + gap * (len(value) - 1)
    x, parts = -wide / 2, []
    for digit in value:
        path, width = drawn[digit]
        parts.append(f'<path transform="translate({num(x + width / 2)} 0)" d="{path}"/>')
        x += width + gap
    return "".join(parts)


def _card(x: float, y: float, width: float, content: str, turn: float = 0, below: int = 0) -> str:
    """Return a card with its upper left corner at a point, and the edges of cards below it."""
    scale = width / 60
    edges = "".join(
        f'<rect x="{num(step * 1.3)}" y="{num(step * 1.7)}" width="60" height="84" rx="6.300" fill="#efe3c9" '
        'stroke="#a38a5e" stroke-width=".700"/>'
        for step in range(below, 0, -1)
    )
    return (
        f'<g transform="translate({num(x)} {num(y)}) scale({scale:.3f}) rotate({num(turn)} 30 42)">'
        f'<rect x="1" y="4" width="60" height="84" rx="6.300" opacity=".28"/>{edges}'
        f'<rect width="60" height="84" rx="6.300" fill="#fffaf0"/>{content}</g>'
    )


def _face(value: str, hue: str, highest: int, covered: bool = False) -> str:
    """Return the face of a card; of a covered card, only the corner is visible."""
    fill, ink = HUES[hue] if hue else INK
    leaves = fill if hue else GOLD
    sign = f'<path d="{SIGNS[hue]}" fill="{fill}" transform="translate(10.500 28) scale(.5)"/>' if hue else ""
    big = 1.55 if len(value) > 1 else 1.85
    laurel = (
        ""
        if covered
        else f'<g fill="{leaves}" color="{leaves}" opacity=".9">{ornament(int(value), highest)}</g>'
    )
    return (
        f'<rect x="3" y="3" width="54" height="78" rx="5" fill="{fill}" fill-opacity=".06" stroke="{leaves}" '
        f'stroke-opacity=".65" stroke-width=".900"/>{laurel}'
        f'<g transform="translate(32 45) scale({big})" fill="{fill}" stroke="{ink}" stroke-width=".900">'
        f'{_used(value)}</g><g transform="translate({12 if len(value) > 1 else 10.5} 13) scale(.72)" '
        f'fill="{ink}">{_used(value)}</g>{sign}'
    )


def _used(value: str) -> str:
    return f'<use href="#n{value}"/>'


def _chip(x: float, y: float, hue: str) -> str:
    fill, _ = HUES[hue]
    return (
        f'<g transform="translate({num(x)} {num(y)})"><circle cy="2.500" r="13" opacity=".3"/>'
        f'<circle r="13" fill="{fill}"/><circle r="11.300" fill="none" stroke="#fff8e8" stroke-width="3.400" '
        f'stroke-dasharray="5.900 5.930"/><circle r="8.600" fill="#fff8e8"/><circle r="7.400" fill="{fill}"/>'
        f'<path d="{SIGNS[hue]}" fill="#fff8e8" transform="scale(.44)"/></g>'
    )


def _picture(game: str, content: str) -> str:
    light, middle, dark = FELTS[game]
    numbers = sorted(set(re.findall(r"#n(\d+)", content)))
    numerals = "".join(f'<g id="n{number}">{_numeral(number)}</g>' for number in numbers)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">\n'
        f'<defs><radialGradient id="felt" cx=".5" cy=".38" r=".8"><stop stop-color="{light}"/>'
        f'<stop offset=".55" stop-color="{middle}"/><stop offset="1" stop-color="{dark}"/></radialGradient>{numerals}</defs>\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#felt)"/>\n{content}\n</svg>\n'
    )


def _glow(x: float, y: float, width: float) -> str:
    return (
        f'<rect x="{num(x - 3)}" y="{num(y - 3)}" width="{num(width + 6)}" height="{num(width * 1.4 + 6)}" '
        f'rx="{num(width * 0.13)}" fill="none" stroke="#ffcb47" stroke-width="3"/>'
    )


def pictures() -> dict[str, str]:
    """Return the picture of each game."""
    stockpile = "".join(
        _card(34 + place * 68, 14 + place % 2 * 4, 56, _face(value, "", 10), below=below)
        for place, (value, below) in enumerate((("7", 3), ("4", 2), ("5", 3), ("2", 1)))
    )
    stockpile += _card(92, 104, 62, _face("8", "", 10), turn=-7, below=3) + _card(
        164, 106, 62, _face("5", "", 10), turn=6
    )
    # The cards of the uncovered lines.
    tops = {(0, 2), (2, 3)}
    rows = (("r", "2", "5", "7"), ("g", "4"), ("b", "1", "2", "5", "11"))
    lines = "".join(
        _card(30 + place * 27, 12 + row * 38, 44, _face(value, hue, 12, covered=(row, place) not in tops))
        for row, (hue, *values) in enumerate(rows)
        for place, value in enumerate(values)
    )
    lines += _card(214, 42, 68, _face("7", "g", 12), turn=9)
    stacks = "".join(
        _card(22 + place * 62, 12, 54, _face(value, hue, 5), below=int(value) // 2)
        for place, (hue, value) in enumerate((("r", "3"), ("r", "5"), ("b", "2"), ("b", "4")))
    )
    stacks += _card(78, 104, 58, _face("4", "r", 5), turn=-12)
    shapes = specials()
    # Its token is in the shared sprite, which a picture cannot use.
    clip = '<clipPath id="card"><rect width="60" height="84" rx="6.300"/></clipPath>'
    block = f'{clip}<g clip-path="url(#card)">{shapes["block"]}</g>'
    stacks += _card(128, 100, 58, block, turn=-1) + _card(178, 104, 58, _face("3", "b", 5), turn=10)
    stacks += "".join(_chip(292, 26 + place * 32, hue) for place, hue in enumerate("rbbrr"))
    drawn = {"stockpile": stockpile, "lines": lines, "stacks": stacks}
    return {game: _picture(game, content) for game, content in drawn.items()}
