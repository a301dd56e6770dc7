"""Printed parts besides cards: tiles, charts, tokens, boards on several sheets, and a score sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import Board
from rulewright.model.edition import Edition
from rulewright.publish import scores
from rulewright.publish.board_grid import SPACE
from rulewright.publish.board_places import board_places
from rulewright.publish.drawing import Field, board
from rulewright.publish.faces import ChartRow, Faces
from rulewright.publish.printing import PAPERS, overflow, typesetting
from rulewright.publish.printing.cutouts import Cutouts
from rulewright.publish.printing.typesetting import PrintingError
from rulewright.publish.static_spaces import board_looks, static_spaces


@record
class Part:
    """One sort of part.

    - width: in mm
    - number: text in its middle, a token's value or a piece's corner, or ''
    - picture, signs: SVG, '' for no picture
    - round: whether it is cut out as a disc
    - chart: rows of the table on it
    - copies: how many to cut out
    """

    name: str
    picture: str
    signs: tuple[str, ...]
    number: str
    width: int
    round: bool
    chart: tuple[ChartRow, ...]
    copies: int


@record
class BoardSheets:
    """Board that is assembled from sheets. picture: SVG; width: of the whole board, in mm."""

    name: str
    picture: str
    width: float


class PartCutouts(Cutouts):
    """Parts of an edition in one language."""

    def parts(self) -> Iterator[Part]:
        """Yield pieces that have a width and are no cards, then tokens, in the edition's order."""
        for name, look in self.edition.looks.items():
            kind = self.edition.kinds[name]
            if look.width and not look.card:
                for row, copies in kind.rows:
                    face = self._faces.face(kind, row)
                    yield Part(
                        face.name, face.picture, face.signs, face.corner, look.width, face.round, face.chart, copies
                    )
        for name, token in self.edition.tokens.items():
            title = self.localizer.title(self.terms.tokens(name))
            picture = self._faces.picture(token.picture.text) if token.picture is not None else ""
            for value, copies in token.copies.items():
                label = self.localizer.entry(title, value) if value else title
                yield Part(label, picture, (), value, token.width, True, (), copies)

    def boards(self) -> Iterator[BoardSheets]:
        """Yield every board that can be drawn, empty."""
        for board_ in self.edition.boards.values():
            if board_places(self.edition, board_):
                svg = empty_board(self.edition, board_, self._faces)
                across = float(svg.split('viewBox="', 1)[1].split('"', 1)[0].split()[2])
                width = across / SPACE * self.edition.space_widths.get(board_.name, DEFAULT_SPACE_WIDTH)
                yield BoardSheets(self.localizer.title(self.terms.rule(f"boards.{board_.name}")), svg, width)


DEFAULT_SPACE_WIDTH = 25
"""Width of a space in mm, where the artwork does not declare it."""


def empty_board(edition: Edition, board_: Board, faces: Faces) -> str:
    """Draw an empty board as SVG."""
    spaces = zip(board_places(edition, board_), static_spaces(edition, board_, faces), strict=True)
    fields = {place: Field(region, ground, sign=sign) for place, (region, ground, sign) in spaces}
    return board(fields, board_.hexagonal, board_looks(edition, board_, faces), coordinates=board_.coordinates)


def pages(parts: PartCutouts, paper: str, once: bool) -> bytes:
    """Typeset the pages to cut the parts from, as PDF. Raises PrintingError. once: one part of each sort."""
    data = template_data(parts, paper, once)
    with overflow.naming_overflow(data["parts"]):
        return typesetting.pdf("parts", data)


def previews(parts: PartCutouts, paper: str, once: bool, dots_per_inch: float = 100.0) -> list[bytes]:
    """Typeset the pages of `pages` as PNG. Raises PrintingError."""
    data = template_data(parts, paper, once)
    with overflow.naming_overflow(data["parts"]):
        return typesetting.png("parts", data, dots_per_inch)


def svg_pages(parts: PartCutouts, paper: str, once: bool) -> list[bytes]:
    """Typeset the pages of `pages` as SVG. Raises PrintingError."""
    data = template_data(parts, paper, once)
    with overflow.naming_overflow(data["parts"]):
        return typesetting.svg("parts", data)


def template_data(parts: PartCutouts, paper: str, once: bool) -> dict[str, Any]:
    """Return the data of the template of `pages`, with the score sheet if there is one. Raises PrintingError where
    there is nothing to cut out."""
    parts_, boards = list(parts.parts()), list(parts.boards())
    score_sheet = scores.score_sheet(parts.edition, parts.localizer)
    if not parts_ and not boards and score_sheet is None:
        raise PrintingError(
            f"{parts.edition.full_title()} has no board, and does not say how wide its pieces are: "
            "that stands under 'looks', 'pieces', as 'width'."
        )
    return {
        "title": parts.title(),
        "language": parts.language,
        "paper": PAPERS[paper],
        "parts": [asdict(part) | ({"copies": 1} if once else {}) for part in parts_],
        "boards": [asdict(sheet) for sheet in boards],
        "scores": asdict(score_sheet) if score_sheet is not None else None,
        "player": parts.localizer.say(phrase("rulebook", "Player")),
    }
