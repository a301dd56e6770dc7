"""What is cut out besides cards: tiles, charts, tokens, boards on several sheets, and a sheet for the scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import Board, Edition
from rulewright.publish import scores
from rulewright.publish.drawing import SPACE, Field, board
from rulewright.publish.faces import ChartRow, Faces
from rulewright.publish.printing import PAPERS, overflow, typesetting
from rulewright.publish.printing.cutouts import Cutting
from rulewright.publish.printing.typesetting import PrintingError
from rulewright.publish.static_spaces import static_spaces


@record
class Part:
    """One sort of what is cut out. width: in mm; number: what stands on a token, or ''; picture, signs: SVG."""

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
    """A board that is put together from sheets. picture: SVG; width: of all of it, in mm."""

    name: str
    picture: str
    width: float


class PartsToCut(Cutting):
    """The parts of an edition in one language."""

    def parts(self) -> Iterator[Part]:
        """Pieces that are no cards, then tokens, in the edition's order."""
        for name, look in self.edition.looks.items():
            kind = self.edition.kinds[name]
            if look.width and not look.card:
                for row, copies in kind.rows:
                    face = self._faces.face(kind, row)
                    yield Part(
                        face.name, face.picture, face.signs, face.corner, look.width, face.round, face.chart, copies
                    )
        for name, token in self.edition.tokens.items():
            told = self.speech.title(self.terms.tokens(name))
            picture = self._faces.picture(token.picture.text) if token.picture is not None else ""
            for value, copies in token.copies.items():
                called = self.speech.entry(told, value) if value else told
                yield Part(called, picture, (), value, token.width, True, (), copies)

    def boards(self) -> Iterator[BoardSheets]:
        """Every board that has a map, without anything on it."""
        for found in self.edition.boards.values():
            if found.positions:
                svg = empty(self.edition, found, self._faces)
                across = float(svg.split('viewBox="', 1)[1].split('"', 1)[0].split()[2])
                width = across / SPACE * self.edition.space_widths.get(found.name, USUAL)
                yield BoardSheets(self.speech.title(self.terms.rule(f"boards.{found.name}")), svg, width)


USUAL = 25  # of a space in mm, where looks do not say it


def empty(edition: Edition, found: Board, faces: Faces) -> str:
    """A board as SVG with nothing on it."""
    spaces = zip(found.positions, static_spaces(edition, found, faces), strict=True)
    fields = {place: Field(region, ground, sign=sign) for place, (region, ground, sign) in spaces}
    around = edition.surroundings.get(found.name)
    return board(fields, found.hexagonal, faces.picture(around.text) if around is not None else "")


def pages(parts: PartsToCut, paper: str, once: bool) -> bytes:
    """The pages to cut the parts from, as PDF. Raises PrintingError."""
    data = sheets(parts, paper, once)
    with overflow.naming(data["parts"]):
        return typesetting.pdf("parts", data)


def previews(parts: PartsToCut, paper: str, once: bool, dots_per_inch: float = 100.0) -> list[bytes]:
    """The same pages as PNG. Raises PrintingError."""
    data = sheets(parts, paper, once)
    with overflow.naming(data["parts"]):
        return typesetting.png("parts", data, dots_per_inch)


def drawn(parts: PartsToCut, paper: str, once: bool) -> list[bytes]:
    """The same pages as SVG. Raises PrintingError."""
    data = sheets(parts, paper, once)
    with overflow.naming(data["parts"]):
        return typesetting.svg("parts", data)


def sheets(parts: PartsToCut, paper: str, once: bool) -> dict[str, Any]:
    """What the template is told. Raises PrintingError where there is nothing to cut out."""
    found, boards = list(parts.parts()), list(parts.boards())
    scored = scores.score_sheet(parts.edition, parts.speech)
    if not found and not boards and scored is None:
        raise PrintingError(
            f"{parts.edition.full_title()} has no board, and does not say how wide its pieces are: "
            "that stands under 'looks', 'pieces', as 'width'."
        )
    return {
        "title": parts.title(),
        "language": parts.language,
        "paper": PAPERS[paper],
        "parts": [asdict(part) | ({"copies": 1} if once else {}) for part in found],
        "boards": [asdict(sheet) for sheet in boards],
        "scores": asdict(scored) if scored is not None else None,
        "player": parts.speech.say(phrase("rulebook", "Player")),
    }
