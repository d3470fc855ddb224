"""The cards: numerals and signs that all decks share, and for each game its ornaments, specials and back."""

from __future__ import annotations

__all__ = ["DIGIT", "common", "decks", "ornament", "specials"]

from tests.server.web.art.fonts import glyphs
from tests.server.web.art.shapes import HUES, SIGNS, leaf, num, on_ellipse, polygon, sprite, star

# The size of a card in its own units, and the height of a numeral before it is scaled.
WIDTH, HEIGHT = 60, 84
DIGIT = 20
MIDDLE = (30.0, 42.0)
# Numbers with an outline. Others are drawn as text.
HIGHEST = 20
# The branches of an ornament lie on this ellipse, and meet below.
BRANCH = (22.5, 30.0)
# The extent of a full branch, in degrees from the bottom.
REACH = 138


def common() -> str:
    """Return the sprite that all games share."""
    drawn = glyphs("0123456789?", DIGIT)
    shapes = {
        f"up-{letter if letter != '?' else 'wild'}": f'<path d="{path}"/>'
        for letter, (path, _) in drawn.items()
    }
    for number in range(10, HIGHEST + 1):
        first, second = divmod(number, 10)
        one, two = drawn[str(first)][1], drawn[str(second)][1]
        gap = 1.5
        x = (one + gap + two) / 2
        shapes[f"up-{number}"] = (
            f'<use href="#up-{first}" x="{num(one / 2 - x)}"/><use href="#up-{second}" x="{num(x - two / 2)}"/>'
        )
    for hue, path in SIGNS.items():
        shapes[f"up-sign-{hue}"] = f'<path d="{path}"/>'
    shapes["up-pinwheel"] = _pinwheel()
    shapes["up-token"] = _chip()
    shapes["up-crown"] = (
        '<path d="M-10 6-11.500-5.500-5.200-1.500 0-9.500 5.200-1.500 11.500-5.500 10 6Z"/>'
        '<path d="M-10 8.200H10" fill="none" stroke="currentColor" stroke-width="2.600" stroke-linecap="round"/>'
        '<circle cx="-11.500" cy="-6.500" r="1.700"/><circle cy="-10.500" r="1.900"/><circle cx="11.500" cy="-6.500" r="1.700"/>'
    )
    shapes["up-back"] = _back("#3b4a63", "#5a6d8f", "#e7d9b8", _lattice("up", "#5a6d8f"))
    return sprite(shapes)


def _pinwheel() -> str:
    """A disc of all six colours, for cards of any colour."""
    radius = 23.0
    parts = []
    for place, (fill, _) in enumerate(HUES.values()):
        start = on_ellipse((0, 0), (radius, radius), place * 60 - 120)
        end = on_ellipse((0, 0), (radius, radius), place * 60 - 60)
        parts.append(
            f'<path fill="{fill}" d="M0 0 {num(start[0])} {num(start[1])}A{num(radius)} {num(radius)} 0 0 1 '
            f'{num(end[0])} {num(end[1])}Z"/>'
        )
    return "".join(parts) + '<circle r="23" fill="none" stroke="#2a2233" stroke-opacity=".35"/>'


def _chip() -> str:
    """A chip about the origin, 12 units in each direction; it is filled with the colour of the page."""
    notches = "".join(
        f'<path d="{polygon([on_ellipse((0, 0), (r, r), turn + side) for r, side in ((12, -9), (12, 9), (8.6, 9), (8.6, -9))])}" fill="#fff8e8"/>'
        for turn in range(0, 360, 60)
    )
    return f'<circle r="12"/>{notches}<circle r="8" fill="#fff8e8"/><circle r="6.900"/>'


# Ornaments: a branch of laurel on each side of the numeral that gains a leaf with each number.


def ornament(value: int, highest: int) -> str:
    """Return the ornament of a number: as many leaves as its value, and a blossom for the highest."""
    spread = REACH / ((highest + 1) // 2)
    big = min(1.0, 6.5 / highest)
    length, width = 7.2 + 4.6 * big, 3.4 + 2.6 * big
    path = []
    reach = {1: 0.0, -1: 0.0}
    # An odd leaf hangs in the middle, so that both sides are alike.
    if value % 2:
        path.append(leaf((MIDDLE[0], MIDDLE[1] + BRANCH[1] + 3.5), -90, length * 0.9, width))
    for place in range(value - value % 2):
        side = 1 if place % 2 == 0 else -1
        turn = spread * (place // 2 + 0.82)
        reach[side] = turn
        root = on_ellipse(MIDDLE, BRANCH, 90 - side * turn)
        # Leaves point along the branch and a little outwards or inwards by turns.
        direction = (-turn if side > 0 else turn - 180) + (-16 * side if place // 2 % 2 else 22 * side)
        path.append(leaf(root, direction, length, width))
    stems = ""
    for side, turn in reach.items():
        if turn:
            start, end = on_ellipse(MIDDLE, BRANCH, 90), on_ellipse(MIDDLE, BRANCH, 90 - side * (turn + 3))
            stems += (
                f"M{num(start[0])} {num(start[1])}A{num(BRANCH[0])} {num(BRANCH[1])} 0 0 {0 if side > 0 else 1} "
                f"{num(end[0])} {num(end[1])}"
            )
    bloom = f'<path d="{polygon(star(6, 6.2, 3.2, (30, 11.5)))}"/>' if value == highest else ""
    return (
        f'<path d="{stems}" fill="none" stroke="currentColor" stroke-width="1.300" stroke-linecap="round"/>'
        f'<path d="{"".join(path)}"/>{bloom}'
    )


# Backs


def _back(dark: str, light: str, thread: str, pattern: tuple[str, str]) -> str:
    """A woven back: a frame of thread, a field of a pattern, and a medal in the middle."""
    definition, name = pattern
    return (
        f"{definition}"
        f'<rect width="60" height="84" fill="{thread}"/>'
        f'<rect x="3" y="3" width="54" height="78" rx="4.500" fill="{dark}"/>'
        f'<rect x="3" y="3" width="54" height="78" rx="4.500" fill="url(#{name})"/>'
        f'<rect x="5.500" y="5.500" width="49" height="73" rx="3" fill="none" stroke="{thread}" stroke-opacity=".7"/>'
        f'<path d="M30 27 42 42 30 57 18 42Z" fill="{dark}" stroke="{thread}" stroke-width="1.400"/>'
        f'<path d="M30 32.500 37.500 42 30 51.500 22.500 42Z" fill="{light}"/>'
        f'<path d="M30 36v12M25.500 40.500 30 36l4.500 4.500" fill="none" stroke="{thread}" stroke-width="2.200" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _lattice(deck: str, line: str) -> tuple[str, str]:
    name = f"{deck}-weave"
    return (
        (
            f'<pattern id="{name}" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
            f'<path d="M0 4H8M4 0V8" stroke="{line}" stroke-width="1.600" fill="none"/>'
            f'<circle cx="4" cy="4" r="1.300" fill="{line}"/></pattern>'
        ),
        name,
    )


def _basket(deck: str, line: str) -> tuple[str, str]:
    name = f"{deck}-weave"
    return (
        (
            f'<pattern id="{name}" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
            f'<path d="M.700 1.200h3.200M.700 3.300h3.200M5.700 .700v3.200M7.800 .700v3.200M5.200 5.700h3.200M5.200 7.800h3.200M1.200 5.200v3.200M3.300 5.200v3.200" '
            f'stroke="{line}" stroke-width="1.100" stroke-linecap="round" fill="none"/></pattern>'
        ),
        name,
    )


def _herringbone(deck: str, line: str) -> tuple[str, str]:
    name = f"{deck}-weave"
    return (
        (
            f'<pattern id="{name}" width="10" height="6" patternUnits="userSpaceOnUse">'
            f'<path d="M0 6 5 1l5 5M0 3l3-3M10 3 7 0" stroke="{line}" stroke-width="1.300" fill="none"/></pattern>'
        ),
        name,
    )


# Specials: one strong colour, one illustration, and room below it for a name in any language.


def _special(dark: str, light: str, illustration: str, corner: str) -> str:
    rays = "".join(
        f'<path d="{polygon([(30, 34), on_ellipse((30, 34), (70, 70), turn), on_ellipse((30, 34), (70, 70), turn + 9)])}"/>'
        for turn in range(0, 360, 18)
    )
    return (
        f'<rect width="60" height="84" fill="{dark}"/>'
        f'<g fill="{light}" fill-opacity=".34">{rays}</g>'
        f'<circle cx="30" cy="35" r="20.500" fill="{light}"/>'
        f'<circle cx="30" cy="35" r="20.500" fill="none" stroke="#fff8e8" stroke-opacity=".5" stroke-width=".900"/>'
        f'<rect y="61" width="60" height="23" fill="{dark}"/>'
        f'<g fill="none" stroke="#fff8e8" stroke-width="2.800" stroke-linecap="round" stroke-linejoin="round">{illustration}</g>'
        f'<g transform="translate(8.500 9.500)" fill="#fff8e8" stroke="#fff8e8" stroke-linecap="round" stroke-linejoin="round">{corner}</g>'
        '<rect x="2.500" y="2.500" width="55" height="79" rx="4.500" fill="none" stroke="#fff8e8" stroke-opacity=".55" stroke-width=".900"/>'
    )


CARD = '<rect x="{x}" y="{y}" width="17" height="23.500" rx="2.600" fill="#fff8e8" stroke="{ink}" stroke-width="1.400" transform="rotate({turn} {cx} {cy})"/>'


def _card_at(x: float, y: float, turn: float, ink: str) -> str:
    return CARD.format(x=num(x), y=num(y), turn=num(turn), cx=num(x + 8.5), cy=num(y + 11.75), ink=ink)


def specials() -> dict[str, str]:
    """The special cards of Stacks."""
    return {
        # A player is skipped: an arrow leaps over a figure.
        "skip": _special(
            "#ad4a06",
            "#d8690f",
            '<circle cx="30" cy="39.500" r="3.700" fill="#fff8e8" stroke="none"/>'
            '<path d="M22.700 49.500c.600-6.200 14-6.200 14.600 0Z" fill="#fff8e8" stroke="none"/>'
            '<path d="M15.500 38C17 22 40 19 44.500 34.500"/><path d="m38.300 32.200 6.400 3.300 2.600-6.800"/>',
            '<path d="M-4.500 2.500C-4-4.500 3.500-4.500 4.500 1.500M1.200 .800 4.600 2.200 5.600-1.400" fill="none" stroke-width="1.900"/>',
        ),
        # Two arrows chase each other in a circle.
        "reverse": _special(
            "#0b5a78",
            "#1783a5",
            '<path d="M17.500 33.500C19 22.500 36 18.500 42 28.500"/><path d="m42.800 21.800-.600 7.300-7.200-.800"/>'
            '<path d="M42.500 37C41 48 24 51.500 18 41.500"/><path d="m17.200 48.200.600-7.300 7.200.800"/>',
            '<path d="M-4.300-1C-3.600-4.600 2.600-5 4-1.600M4.300-4.400 4-1.400 1-1.700M4.300 1.200C3.600 4.800-2.600 5.200-4 1.800M-4.300 4.600-4 1.600-1 1.900" '
            'fill="none" stroke-width="1.500"/>',
        ),
        # A card leaves another hand.
        "card": _special(
            "#0d6048",
            "#199069",
            _card_at(14.5, 22.5, -16, "#0d6048")
            + _card_at(23, 20.5, 4, "#0d6048")
            + '<path d="M22 51.500c7 3.600 16.500 2 20.500-5.500"/><path d="m36.500 46.500 6.300-.900 1.700 6.200"/>',
            '<rect x="-4.600" y="-5" width="6" height="8.600" rx="1.200" fill="none" stroke-width="1.700"/>'
            '<path d="M-1.500 .200H4.600M2.200-2.200 4.700 .200 2.200 2.600" fill="none" stroke-width="1.700"/>',
        ),
        # A chip leaves another heap.
        "chip": _special(
            "#97195f",
            "#c53a84",
            '<g transform="translate(25.500 36.500) scale(1.050)" stroke="none" fill="#97195f">'
            '<use href="#up-token"/><path d="M0-4.600 1.300-1.700 4.500-1.400 2.100 .700 2.800 3.900 0 2.200-2.800 3.900-2.100 .700-4.500-1.400-1.300-1.700Z" fill="#fff8e8"/></g>'
            '<path d="M31 23.500c9-2.500 15.500 4 14.500 12.500"/><path d="m40.500 32.500 4.800 4.600 4.200-5.200"/>',
            '<circle r="4.600" fill="none" stroke-width="1.900" stroke-dasharray="2.600 2.200"/><circle r="1.500" stroke="none"/>',
        ),
        # A shield with a bar.
        "block": _special(
            "#48288c",
            "#6d45bd",
            '<path d="M30 17.500 45.500 23v11.500C45.500 44.500 38.500 50.500 30 54c-8.500-3.500-15.500-9.500-15.500-19.500V23Z" fill="#fff8e8" stroke="#48288c" stroke-width="1.600"/>'
            '<path d="M30 21.800 41.600 26v8.700c0 7.700-5.100 12.200-11.600 15.100-6.500-2.900-11.600-7.400-11.600-15.100V26Z" fill="#6d45bd" stroke="none"/>'
            '<path d="M22.800 35.500H37.200" stroke-width="5"/>',
            '<path d="M0-5.200 4.600-3.600V.200C4.600 3 2.500 4.800 0 5.800-2.500 4.800-4.600 3-4.600 .200V-3.600Z" fill="none" stroke-width="1.700"/>'
            '<path d="M-2 .200H2" stroke-width="1.700"/>',
        ),
    }


def decks() -> dict[str, str]:
    """Return the sprite of each game."""
    special = {f"stacks-{name}": shape for name, shape in specials().items()}
    return {
        "stacks": sprite(
            {f"stacks-{value}": ornament(value, 5) for value in range(1, 6)}
            | special
            | {"stacks-back": _back("#7c1d2f", "#a52f43", "#f4e3bd", _basket("stacks", "#a63a4d"))}
        ),
        "stockpile": sprite(
            {f"stockpile-{value}": ornament(value, 10) for value in range(1, 11)}
            | {"stockpile-back": _back("#12474f", "#1f6d75", "#f4e3bd", _herringbone("stockpile", "#2a7c83"))}
        ),
        "lines": sprite(
            {f"lines-{value}": ornament(value, 12) for value in range(1, 13)}
            | {"lines-back": _back("#8a4a10", "#b96a1d", "#fbeecb", _lattice("lines", "#c27a2e"))}
        ),
    }
