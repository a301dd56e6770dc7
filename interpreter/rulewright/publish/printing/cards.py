"""The cards of an edition as they are printed: what stands on each, and the pages to cut them from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from rulewright.base.records import record
from rulewright.model.declarations import Kind
from rulewright.publish.printing import PAPERS, typesetting
from rulewright.publish.printing.cutting import Cutting
from rulewright.publish.printing.typesetting import PrintingError

SIZE = (63, 88)
"""Width and height of a card, in mm: the usual ones, which sleeves are made for."""

BLEED, SAFE = 3, 3
"""How far a card's ground goes on beyond its edge, and how far inside it stands what must not be cut away, in mm."""


@record
class Card:
    """One sort of card. kind: the place of its kind among those of the edition; copies: how many there are. suit,
    ground, picture, signs, back: SVG, '' for none."""

    kind: int
    name: str
    corner: str
    suit: str
    ground: str
    picture: str
    signs: tuple[str, ...]
    text: str
    back: str
    copies: int


class Cards(Cutting):
    """The cards of an edition in one language."""

    def cards(self) -> Iterator[Card]:
        """Every sort of card, in the edition's order. Raises PrintingError where there are none."""
        kinds = [self.edition.kinds[name] for name, look in self.edition.looks.items() if look.card]
        if not kinds:
            raise PrintingError(
                f"{self.edition.full_title()} does not say which of its pieces are cards: "
                "that stands under 'looks', 'cards'."
            )
        for number, kind in enumerate(kinds):
            for row, copies in kind.rows:
                yield self.card(number, kind, row, copies)

    def card(self, number: int, kind: Kind, row: Sequence[int], copies: int) -> Card:
        rule, face = self._faces.rule(kind, row), self._faces.face(kind, row)
        return Card(
            kind=number,
            name=face.name,
            corner=face.corner,
            suit=face.suit,
            ground=face.ground,
            picture=face.picture,
            signs=face.signs,
            text=self.speech.say(rule) if rule is not None else "",
            back=face.back,
            copies=copies,
        )


@record
class Sheets:
    """How cards are put on pages. paper: one of PAPERS, for a knife at home; printer: instead a card a page with its
    bleed; backs: the other sides follow, to be printed on both; once: one card of each sort."""

    paper: str = "a4"
    printer: bool = False
    backs: bool = True
    once: bool = False


def pages(cards: Cards, how: Sheets) -> bytes:
    """The pages to cut the cards from, as PDF. Raises PrintingError."""
    return typesetting.pdf("cards", sheets(cards.title(), cards.language, how, list(cards.cards())))


def previews(cards: Cards, how: Sheets, dots_per_inch: float = 100.0) -> list[bytes]:
    """The same pages as PNG, with lines where a printer cuts and as far as is safe. Raises PrintingError."""
    data = sheets(cards.title(), cards.language, how, list(cards.cards()), guides=True)
    return typesetting.png("cards", data, dots_per_inch)


def drawn(cards: Cards, how: Sheets) -> list[bytes]:
    """The same pages as SVG, with those lines. Raises PrintingError."""
    return typesetting.svg("cards", sheets(cards.title(), cards.language, how, list(cards.cards()), guides=True))


def sheets(title: str, language: str, how: Sheets, cards: Sequence[Card], guides: bool = False) -> dict[str, Any]:
    """What the template is told."""
    return {
        "title": title,
        "language": language,
        "paper": PAPERS[how.paper],
        "size": SIZE,
        "bleed": BLEED,
        "safe": SAFE,
        "printer": how.printer,
        "guides": guides,
        "backs": how.backs,
        "cards": [asdict(replace(card, copies=1) if how.once else card) for card in cards],
    }
