"""Small tools for drawing: points on ellipses, leaves, and the SVG of a sprite."""

from __future__ import annotations

__all__ = ["HUES", "SIGNS", "Point", "leaf", "num", "on_ellipse", "polygon", "sprite", "star"]

import math
from collections.abc import Iterable, Mapping

Point = tuple[float, float]

# Six colours that also differ in lightness: the fill of shapes, and the ink of outlines.
HUES = {
    "r": ("#dc3a30", "#9c1620"),
    "b": ("#2450c0", "#123a94"),
    "g": ("#3da863", "#12633a"),
    "y": ("#ffcb21", "#6f4d00"),
    "p": ("#5b2587", "#451769"),
    "o": ("#ff9635", "#9a3c00"),
}


def num(number: float) -> str:
    """Write a number with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0").replace("-0.0", "0")


def on_ellipse(centre: Point, radii: Point, degrees: float) -> Point:
    """Return a point of an ellipse. 0 degrees is to the right, 90 degrees is down."""
    angle = math.radians(degrees)
    return centre[0] + radii[0] * math.cos(angle), centre[1] + radii[1] * math.sin(angle)


def leaf(root: Point, degrees: float, length: float, width: float) -> str:
    """Return the path of a leaf that grows from a root in a direction."""
    along = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    across = -along[1], along[0]
    tip = root[0] + along[0] * length, root[1] + along[1] * length

    def side(sign: int) -> Point:
        return (
            root[0] + along[0] * length * 0.45 + across[0] * width * sign,
            root[1] + along[1] * length * 0.45 + across[1] * width * sign,
        )

    there, back = side(1), side(-1)
    return (
        f"M{num(root[0])} {num(root[1])}Q{num(there[0])} {num(there[1])} {num(tip[0])} {num(tip[1])}"
        f"Q{num(back[0])} {num(back[1])} {num(root[0])} {num(root[1])}Z"
    )


def star(points: int, outer: float, inner: float, centre: Point = (0, 0), turn: float = -90) -> list[Point]:
    """Return the corners of a star."""
    return [
        on_ellipse(centre, (radius, radius), turn + 180 * corner / points)
        for corner in range(points * 2)
        for radius in [inner if corner % 2 else outer]
    ]


def polygon(corners: Iterable[Point]) -> str:
    """Return the path of a polygon."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in corners) + "Z"


# The sign of each colour, about the origin and ten units in each direction.
SIGNS = {
    "r": "M0 9.6C-5.500 5-10 1.500-10-3.300-10-8.600-2.800-10.400 0-5.200 2.800-10.400 10-8.600 10-3.300 10 1.500 5.500 5 0 9.600Z",
    "b": "M0-10.400 8.400 0 0 10.400-8.400 0Z",
    "g": "M0-9.400 10 8H-10Z",
    "y": polygon(star(5, 10.8, 5)),
    "p": "M-6.600-8.400h13.200q1.800 0 1.800 1.800v13.200q0 1.800-1.800 1.800h-13.200q-1.800 0-1.800-1.800v-13.200q0-1.800 1.800-1.800Z",
    "o": "M-5.200-9H5.200L10.400 0 5.200 9H-5.200L-10.400 0Z",
}


def sprite(shapes: Mapping[str, str], defs: str = "") -> str:
    """Return an SVG file of shapes, each a group with an id."""
    groups = "\n".join(f'<g id="{name}">{shape}</g>' for name, shape in shapes.items())
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n<defs>{defs}\n{groups}\n</defs>\n</svg>\n'
