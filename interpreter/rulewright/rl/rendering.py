"""Rendering of a game as text, as a terminal shows it, and of that text as an image."""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from rulewright.game.game import Game
from rulewright.publish.console import plain_text
from rulewright.terminal import board, table

WIDTH, BOARD_LINES = 100, 40
"""Columns of a text, and lines of its boards."""
_MARGIN, _SCALE = 8, 2
"""Pixels around the text, before it is enlarged; and by how much an image is enlarged."""
_PAPER, _INK = (255, 255, 255), (20, 20, 30)
"""Colours of ground and text: red, green, blue."""
_SIGNS = {
    "-": "\u2500\u2501\u2504\u2013\u2014\u2212",
    "|": "\u2502\u2503\u2506",
    "+": "\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c",
    "/": "\u2571",
    "\\": "\u2572",
    ">": "\u25b8",
    "*": "\u2605\u25cf\u25c6\u25a0",
    "o": "\u25cb\u25c7\u25a1",
    "'": "\u2018\u2019",
    '"': "\u201c\u201d",
    ".": "\u2026\u00b7",
    "x": "\u00d7",
}
"""Characters of the image's font, each with the terminal's characters that it replaces."""

_REPLACEMENTS = {ord(sign): drawn for drawn, signs in _SIGNS.items() for sign in signs}


def text(game: Game, seat: int | None) -> str:
    """Render the table and its boards as a seat sees them; None for a spectator."""
    table_lines = table.draw(game, seat, WIDTH)
    boards = board.draw(game, game.view(seat), WIDTH, BOARD_LINES)
    return "\n".join(map(plain_text, [*table_lines, *([[], *boards] if boards else [])]))


def image(content: str) -> NDArray[np.uint8]:
    """Render a text as an image: rows × columns × red, green and blue."""
    font = ImageFont.load_default_imagefont()
    lines = [_to_font(line) for line in content.split("\n")]
    left, top, right, bottom = font.getbbox("M")
    width, height = round(right - left), round(bottom - top) + 2
    size = 2 * _MARGIN + width * max(map(len, lines)), 2 * _MARGIN + height * len(lines)
    canvas = Image.new("RGB", size, _PAPER)
    drawing = ImageDraw.Draw(canvas)
    for number, line in enumerate(lines):
        drawing.text((_MARGIN, _MARGIN + height * number), line, _INK, font)
    larger = canvas.resize((size[0] * _SCALE, size[1] * _SCALE), Image.Resampling.NEAREST)
    return np.asarray(larger, np.uint8).copy()


def _to_font(line: str) -> str:
    """Replace the characters of a line that the font does not have."""
    normalized = unicodedata.normalize("NFKC", line.translate(_REPLACEMENTS))
    return normalized.encode("latin-1", "replace").decode("latin-1")
