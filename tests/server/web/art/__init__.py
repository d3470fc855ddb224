"""The artwork of the browser table, drawn by programs: `make art` writes the fonts and the SVG sprites.

Numerals come from the bundled typeface, as paths, so that a card looks the same before the font has arrived.
Shapes take their colours from the page (`fill` and `color` are inherited through `<use>`), except for
illustrations, which bring their own.
"""
