"""Pictures of pieces for a page, in SVG: each sort is laid out once, as in print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from rulewright.publish.rulebook.model import Piece
from rulewright.publish.rulebook.shared_pictures import SharedPictures

_CARD = (63, 88)
"""Width and height of a card, in the units of its picture."""
_TILE = 100
"""Width, and height, of a picture of a disc or tile, in its own units."""
_CHART = (600, 174)
"""Width and height of a picture of a chart, in its own units."""
_INK, _CREAM, _LINE = "#2b2622", "#fff6e3", "#cfc4b2"
"""Colours of text and outlines, of the ground of corners and discs, and of lines."""


class PiecePictures:
    """Draws pieces, and keeps their parts with the page's other pictures."""

    def __init__(self, pictures: SharedPictures) -> None:
        self.pictures = pictures

    def draw(self, piece: Piece) -> str:
        """Return a piece as an SVG element without text for screen readers: by the first that it has of `card`,
        `chart`, `disc`, `signs` (a tile) and `picture`; '' where the name alone identifies it."""
        if piece.card:
            content = "".join(self.back(piece) if piece.hidden else self.card(piece))
            return self.pictures.compose(_CARD, content, f' class="card{" pile" if piece.count > 1 else ""}"')
        if piece.chart:
            return self.pictures.compose(_CHART, "".join(self.chart(piece)))
        if piece.disc:
            return self.pictures.compose((_TILE, _TILE), "".join(self.disc(piece)))
        if piece.signs:
            return self.pictures.compose((_TILE, _TILE), "".join(self.tile(piece)))
        return self.pictures.use(piece.picture, 'aria-hidden="true"') if piece.picture else ""

    def back(self, piece: Piece) -> Iterator[str]:
        """Draw a card's back."""
        width, height = _CARD
        if piece.picture:
            yield self.pictures.place(piece.picture, 0, 0, width, height, fill=True)
        else:
            yield f'<path d="M7 7h{width - 14}v{height - 14}h{14 - width}z" fill="#bebebe" stroke="{_INK}"/>'

    def card(self, piece: Piece) -> Iterator[str]:
        """Draw a card."""
        width, height = _CARD
        has_corner, has_signs = bool(piece.corner or piece.suit), bool(piece.signs)
        if piece.ground:
            yield self.pictures.place(piece.ground, 0, 0, width, height, fill=True)
        if piece.picture:
            size = width * (0.74 if has_signs else 0.82)
            down = width * (-0.12 if has_signs else 0.16 if has_corner else 0)
            yield self.pictures.place(piece.picture, (width - size) / 2, (height - size) / 2 + down, size, size)
        side, gap = width * 0.27, width * 0.05
        left = (width - len(piece.signs) * (side + gap) + gap) / 2
        for number, sign in enumerate(piece.signs):
            yield self.pictures.place(sign, left + number * (side + gap), height * 0.94 - side, side, side)
        if has_corner:
            yield from self.corner(piece)

    def corner(self, piece: Piece) -> Iterator[str]:
        """Draw the corner that one looks for in a fanned hand, on cream paper."""
        size = min(19.0, 90 / max(1, len(piece.corner)))
        room = max(15.0, 0.56 * size * len(piece.corner))
        deep = 3 + (14 + 3 if piece.corner else 0) + (15 + 3 if piece.suit else 0)
        yield f'<path d="M0 0h{room + 7:.1f}v{deep - 5}q0 5-5 5h-{room + 2:.1f}z" fill="{_CREAM}"/>'
        if piece.corner:
            yield _text(3.5 + room / 2, 17, size, piece.corner)
        if piece.suit:
            yield self.pictures.place(piece.suit, 3.5 + (room - 15) / 2, deep - 17, 15, 15)

    def disc(self, piece: Piece) -> Iterator[str]:
        """Draw a round piece."""
        yield f'<circle cx="50" cy="50" r="49" fill="{_CREAM}" stroke="{_INK}" stroke-width="2"/>'
        if piece.picture:
            size = 86 if piece.corner else 72
            yield self.pictures.place(piece.picture, (_TILE - size) / 2, (_TILE - size) / 2, size, size)
        if piece.corner:
            yield f'<circle cx="50" cy="50" r="27" fill="{_CREAM}" stroke="{_INK}" stroke-width="2"/>'
            yield _text(50, 62, min(36.0, 66 / len(piece.corner)), piece.corner)

    def tile(self, piece: Piece) -> Iterator[str]:
        """Draw a square piece."""
        yield f'<rect x="1" y="1" width="98" height="98" rx="16" fill="#fff" stroke="{_INK}" stroke-width="2"/>'
        if piece.picture:
            yield self.pictures.place(piece.picture, 4, 4, 82, 82)
        for number, sign in enumerate(piece.signs):
            yield self.pictures.place(sign, 54 - 42 * number, 54, 44, 44)

    def chart(self, piece: Piece) -> Iterator[str]:
        """Draw a chart: the owner, then the keys and the values below them."""
        width, height = _CHART
        left, half = 180, height / 2
        cell = (width - left) / len(piece.chart)

        def row(signs: Iterable[tuple[str, str]], top: float) -> Iterator[str]:
            size = min(cell, half) * 0.8
            for number, (picture, text) in enumerate(signs):
                center = left + (number + 0.5) * cell
                if picture:
                    yield self.pictures.place(picture, center - size / 2, top + (half - size) / 2, size, size)
                else:
                    yield _text(center, top + half / 2 + 9, min(26.0, 1.6 * cell / max(1, len(text))), text)

        rim = f'x="1" y="1" width="{width - 2}" height="{height - 2}" rx="12" stroke="{_INK}" stroke-width="2"'
        lines = "".join(f"M{left + number * cell:.0f} 1V{height - 1}" for number in range(1, len(piece.chart)))
        frame = [
            f'<rect {rim} fill="#fff"/><path d="M{left} 2H{width - 12}q10 0 10 10V{half:.0f}H{left}z" fill="#faf5ea"/>',
            f'<path d="{lines}M{left} {half:.0f}H{width - 2}" fill="none" stroke="{_LINE}" stroke-width="2"/>',
            f'<path d="M{left} 1V{height - 1}" stroke="{_INK}" stroke-width="2"/>',
            *row(((entry.key_picture, entry.key) for entry in piece.chart), 0),
        ]
        yield self.pictures.group("".join(frame))
        if piece.picture:
            yield self.pictures.place(piece.picture, 22, 19, 136, 136)
        yield from row(((entry.value_picture, entry.value) for entry in piece.chart), half)


def _text(x: float, y: float, size: float, text: str) -> str:
    """Draw a bold text, centred at x, on the line y."""
    letters = f'font-size="{size:.1f}" font-weight="700" text-anchor="middle" fill="{_INK}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {letters}>{escape(text)}</text>'
