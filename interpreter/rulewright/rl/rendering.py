"""A game as text, as a terminal shows it, and that text as a picture."""

from __future__ import annotations

import unicodedata

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from rulewright.game.game import Game
from rulewright.publish.console import plain
from rulewright.terminal import board, table

WIDTH, BOARD_LINES = 100, 40
_MARGIN, _SCALE = 8, 2
_PAPER, _INK = (255, 255, 255), (20, 20, 30)
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
"""What the font of the pictures has, and for which of a terminal's signs."""

_DRAWN = {ord(sign): drawn for drawn, signs in _SIGNS.items() for sign in signs}


def text(game: Game, seat: int | None) -> str:
    """The table and its boards as a seat sees them; None for a spectator."""
    drawn = table.draw(game, seat, WIDTH)
    boards = board.draw(game, game.view(seat), WIDTH, BOARD_LINES)
    return "\n".join(map(plain, [*drawn, *([[], *boards] if boards else [])]))


def picture(written: str) -> NDArray[np.uint8]:
    """A text as a picture: rows, columns, and red, green and blue."""
    font = ImageFont.load_default_imagefont()
    lines = [_in_font(line) for line in written.split("\n")]
    left, top, right, bottom = font.getbbox("M")
    width, height = round(right - left), round(bottom - top) + 2
    size = 2 * _MARGIN + width * max(map(len, lines)), 2 * _MARGIN + height * len(lines)
    image = Image.new("RGB", size, _PAPER)
    drawing = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        drawing.text((_MARGIN, _MARGIN + height * number), line, _INK, font)
    larger = image.resize((size[0] * _SCALE, size[1] * _SCALE), Image.Resampling.NEAREST)
    return np.asarray(larger, np.uint8).copy()


def _in_font(line: str) -> str:
    """A line in the letters that the font has."""
    bare = unicodedata.normalize("NFKC", line.translate(_DRAWN))
    return bare.encode("latin-1", "replace").decode("latin-1")
