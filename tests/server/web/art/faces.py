"""The faces of people and bots at the table: sixteen animals and four clockwork toys, 100 units wide about the origin."""

from __future__ import annotations

__all__ = ["ANIMALS", "TOYS", "faces"]

from tests.server.web.art.shapes import sprite

INK = "#2a2233"
BLUSH = '<g fill="#ff7a6b" fill-opacity=".38"><ellipse cx="-19" cy="14" rx="6" ry="4"/><ellipse cx="19" cy="14" rx="6" ry="4"/></g>'


def _pair(shape: str) -> str:
    """Draw a shape on the right, and its mirror image on the left."""
    return f'{shape}<g transform="scale(-1 1)">{shape}</g>'


def _eyes(y: float = 2, x: float = 12.5, r: float = 4.2, white: bool = False) -> str:
    around = f'<circle cx="{x}" cy="{y}" r="{r + 5}" fill="#fff"/>' if white else ""
    eye = f'<circle cx="{x}" cy="{y}" r="{r}" fill="{INK}"/><circle cx="{x + 1.4}" cy="{y - 1.5}" r="{r * 0.36:.1f}" fill="#fff"/>'
    # Both eyes catch the light from the same side.
    other = f'<circle cx="{-x}" cy="{y}" r="{r}" fill="{INK}"/><circle cx="{-x + 1.4}" cy="{y - 1.5}" r="{r * 0.36:.1f}" fill="#fff"/>'
    return (_pair(around) if around else "") + eye + other


def _head(colour: str, rx: float = 31, ry: float = 28, y: float = 5) -> str:
    return f'<ellipse cy="{y}" rx="{rx}" ry="{ry}" fill="{colour}"/>'


def _smile(y: float = 17, wide: float = 6, colour: str = INK) -> str:
    return f'<path d="M{-wide} {y}q{wide / 2} 5 {wide} 0q{wide / 2} 5 {wide} 0" fill="none" stroke="{colour}" stroke-width="2.200" stroke-linecap="round"/>'


def _nose(y: float = 12, rx: float = 4.2, ry: float = 3, colour: str = INK) -> str:
    return f'<ellipse cy="{y}" rx="{rx}" ry="{ry}" fill="{colour}"/>'


def _pointed(outer: str, inner: str, lean: float = 0) -> str:
    return _pair(
        f'<path d="M8-19 {27 + lean}-42Q36-22 31-2Z" fill="{outer}"/><path d="M15-19 {26 + lean}-34Q31-20 28-8Z" fill="{inner}"/>'
    )


def _round(outer: str, inner: str, x: float = 23, y: float = -19, r: float = 11) -> str:
    return _pair(
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="{outer}"/><circle cx="{x}" cy="{y}" r="{r * 0.55:.1f}" fill="{inner}"/>'
    )


ANIMALS = {
    "fox": _pointed("#d9692b", "#3a2630")
    + _head("#ec7f3a")
    + '<path d="M-31 6C-22 2-8 6 0 17 8 6 22 2 31 6 30 24 14 33 0 33S-30 24-31 6Z" fill="#fff3e2"/>'
    + _eyes(1)
    + _nose(17)
    + _smile(22, 5),
    "owl": _pair('<path d="M10-20 30-38Q34-24 30-12Z" fill="#7c5537"/>')
    + _head("#8f6643", 31, 30, 4)
    + '<path d="M-20 12q20 14 40 0q-4 21-20 21T-20 12Z" fill="#e7c99a"/>'
    + _eyes(-1, 13, 6, white=True)
    + '<path d="M-4.500 8h9L0 17Z" fill="#f5a623"/>',
    "bear": _round("#7a4a2b", "#b98257")
    + _head("#94603b")
    + '<ellipse cy="17" rx="14" ry="11" fill="#e0b98d"/>'
    + _eyes(0)
    + _nose(12, 5.5, 4)
    + _smile(19, 5),
    "cat": _pointed("#5b6475", "#f1a7a0", 1)
    + _head("#737d90")
    + '<path d="M-4-22h8l-1.500 10h-5ZM-15-20l6 1-.500 7-4-1ZM15-20l-6 1 .500 7 4-1Z" fill="#4c5464"/>'
    + '<ellipse cy="18" rx="12" ry="9" fill="#eef0f4"/>'
    + _eyes(1, 13, 4.6)
    + _nose(13, 3.4, 2.4, "#e9857d")
    + _smile(17, 5)
    + _pair(
        '<path d="M18 15 34 12M18 19 34 21" stroke="#eef0f4" stroke-width="1.600" stroke-linecap="round"/>'
    ),
    "rabbit": _pair(
        '<ellipse cx="13" cy="-28" rx="8" ry="20" fill="#e9e2d6" transform="rotate(10 13 -28)"/><ellipse cx="13" cy="-27" rx="3.800" ry="14" fill="#f3aeb0" transform="rotate(10 13 -27)"/>'
    )
    + _head("#f6f1e8", 28, 26, 8)
    + _eyes(5, 12)
    + _nose(14, 3.2, 2.4, "#e98891")
    + _smile(18, 5)
    + BLUSH
    + '<path d="M-3 24h6v5.500q-3 2-6 0Z" fill="#fff" stroke="#cfc6b8" stroke-width=".800"/>',
    "frog": _pair(
        '<circle cx="17" cy="-19" r="12.500" fill="#4f9e45"/><circle cx="17" cy="-19" r="8" fill="#fff"/><circle cx="17" cy="-18" r="4.300" fill="#2a2233"/>'
    )
    + _head("#62b655", 34, 25, 8)
    + '<path d="M-20 14Q0 32 20 14" fill="none" stroke="#2a5a26" stroke-width="2.800" stroke-linecap="round"/>'
    + '<path d="M-3 5h.100M3 5h.100" stroke="#2a5a26" stroke-width="2.600" stroke-linecap="round"/>'
    + BLUSH,
    "panda": _round(INK, "#4a4356", 23, -20, 10.5)
    + _head("#fbf8f2", 32, 29)
    + _pair('<ellipse cx="13.500" cy="2" rx="8.500" ry="10" fill="#2a2233" transform="rotate(24 13.500 2)"/>')
    + _pair(
        '<circle cx="12" cy="1.500" r="3.700" fill="#fff"/><circle cx="12" cy="2" r="2.200" fill="#2a2233"/>'
    )
    + _nose(15)
    + _smile(20, 5),
    "penguin": _head("#28324a", 31, 32, 3)
    + '<path d="M0-6C-6-17-26-14-25 6-24 24-12 33 0 33s24-9 25-27C26-14 6-17 0-6Z" fill="#fbf8f2"/>'
    + _eyes(4, 11)
    + '<path d="M-7 12Q0 7 7 12 0 21-7 12Z" fill="#f59a23"/>'
    + BLUSH,
    "octopus": '<path d="M-31 6C-33-38 33-38 31 6c1 12 7 14 5 20-3 7-12 4-13-2-1 9-11 9-12 1-2 9-20 9-22 0-1 8-11 8-12-1-1 6-10 9-13 2-2-6 4-8 5-20Z" fill="#b65fc4"/>'
    '<path d="M-12-17h.100M-2-22h.100M9-18h.100" stroke="#d999e2" stroke-width="6" stroke-linecap="round"/>'
    + _eyes(2, 12, 4.6, white=True)
    + '<path d="M-5 14q5 5 10 0" fill="none" stroke="#2a2233" stroke-width="2.400" stroke-linecap="round"/>',
    "lion": "".join(
        f'<circle cx="{x}" cy="{y}" r="11.500" fill="#b5651d"/>'
        for x, y in (
            (-29, 6),
            (29, 6),
            (-25, -14),
            (25, -14),
            (-9, -26),
            (9, -26),
            (-24, 24),
            (24, 24),
            (-8, 33),
            (8, 33),
        )
    )
    + _head("#f0b64a", 27, 26)
    + '<ellipse cy="17" rx="12" ry="9" fill="#fbe3b0"/>'
    + _eyes(2, 11)
    + _nose(12, 5, 3.4, "#7b3f16")
    + _smile(17, 5),
    "koala": _round("#8b93a3", "#e5c6cf", 29, -10, 14)
    + _head("#a3abba", 27, 27)
    + '<ellipse cy="9" rx="6.500" ry="9.500" fill="#2a2233"/>'
    + _eyes(-1, 14)
    + _smile(22, 4)
    + BLUSH,
    "whale": '<path d="M0-26c-3-9-12-11-16-7 2 7 9 10 16 7ZM0-26c3-9 12-11 16-7-2 7-9 10-16 7Z" fill="#5db6e6"/>'
    + _head("#3d86c6", 34, 27, 6)
    + '<path d="M-33 12Q0 22 33 12 30 33 0 33T-33 12Z" fill="#dceefa"/>'
    + _eyes(3, 19, 4)
    + '<path d="M-7 11q7 5 14 0" fill="none" stroke="#16324f" stroke-width="2.400" stroke-linecap="round"/>',
    "bee": _pair(
        '<path d="M6-25C8-36 14-40 20-38" fill="none" stroke="#2a2233" stroke-width="2.800" stroke-linecap="round"/><circle cx="21" cy="-38" r="3.800" fill="#2a2233"/>'
    )
    + _head("#ffcf3f", 30, 29)
    + '<path d="M-27-8Q0-18 27-8L24-15Q0-27-24-15ZM-28 19Q0 30 28 19L24 26Q0 37-24 26Z" fill="#3a2d1e"/>'
    + _eyes(3, 12)
    + _smile(12, 5)
    + BLUSH,
    "turtle": '<path d="M-33 14A33 31 0 0 1 33 14Z" fill="#3f7d4a"/><path d="M-11-15h22l8 13-8 12h-22l-8-12Z" fill="#569a5c"/>'
    + _head("#9bcb6c", 24, 21, 15)
    + _eyes(10, 10)
    + '<path d="M-9 21q9 8 18 0" fill="none" stroke="#2f5b2c" stroke-width="2.600" stroke-linecap="round"/>'
    + BLUSH,
    "hedgehog": '<path d="M0-34l6 8 9-7 3 9 11-3-1 10 10 2-5 9 7 7-8 5 3 10H-35l3-10-8-5 7-7-5-9 10-2-1-10 11 3 3-9 9 7Z" fill="#6e4a35"/>'
    + _head("#f1d3a8", 25, 22, 12)
    + _eyes(7, 10.5)
    + _nose(16, 5, 4)
    + _smile(22, 4),
    "parrot": '<path d="M-4-26Q0-42 10-38 6-32 5-26Z" fill="#f5b931"/>'
    + _head("#d83a3a", 30, 30, 4)
    + _pair('<ellipse cx="14" cy="2" rx="11" ry="12" fill="#fff6ea"/>')
    + _eyes(0, 13, 4.4)
    + '<path d="M-9 6Q0-3 9 6 9 15 0 25-9 15-9 6Z" fill="#38404f"/><path d="M-7 10Q0 14 7 10" fill="none" stroke="#5c677c" stroke-width="1.500"/>',
}


def _toy(case: str, light: str, ears: str, mouth: str) -> str:
    """A clockwork toy: a bot."""
    return (
        f'<path d="M0-22v-10" stroke="{case}" stroke-width="4"/><circle cy="-35" r="5" fill="{light}"/>{ears}'
        f'<rect x="-30" y="-22" width="60" height="52" rx="17" fill="{case}"/>'
        '<rect x="-23" y="-13" width="46" height="26" rx="12" fill="#1d2533"/>'
        f'<g fill="{light}"><circle cx="-10" r="5"/><circle cx="10" r="5"/></g>{mouth}'
    )


_BOLTS = _pair('<rect x="29" y="-8" width="7" height="18" rx="3.500" fill="#8d97a8"/>')
TOYS = {
    "tin": _toy(
        "#b9c4d4",
        "#7fe3c4",
        _BOLTS,
        '<path d="M-9 21h18" stroke="#5d6980" stroke-width="3" stroke-linecap="round"/>',
    ),
    "copper": _toy(
        "#d08a52",
        "#ffd76b",
        _BOLTS,
        '<path d="M-9 19q9 7 18 0" fill="none" stroke="#7c4519" stroke-width="3" stroke-linecap="round"/>',
    ),
    "steel": _toy(
        "#7189ab",
        "#8fd0ff",
        _pointed("#5a7091", "#8fd0ff"),
        '<path d="M-9 20h18M-4 17v6M4 17v6" stroke="#33435e" stroke-width="2.600" stroke-linecap="round"/>',
    ),
    "brass": _toy(
        "#d9b64a",
        "#ff9a7a",
        _pair('<circle cx="32" cy="2" r="7" fill="#a98422"/>'),
        '<path d="M-7 22q7-6 14 0" fill="none" stroke="#7d6113" stroke-width="3" stroke-linecap="round"/>',
    ),
}


def faces() -> str:
    """Return the sprite of all faces."""
    return sprite({f"face-{name}": shape for name, shape in (ANIMALS | TOYS).items()})
