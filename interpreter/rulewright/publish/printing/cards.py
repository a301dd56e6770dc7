"""Printed cards of an edition: the content of each, and the pages to cut them from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.i18n.localizer import Phrase, english
from rulewright.model.declarations import Kind
from rulewright.publish.printing import PAPERS, overflow, typesetting
from rulewright.publish.printing.cutouts import Cutouts
from rulewright.publish.printing.typesetting import NoRoom, PrintingError

SIZE = (63, 88)
"""Width and height of a card in mm: the usual size, for which sleeves are made."""

BLEED, SAFE = 3, 3
"""Distances in mm: how far a card's ground extends beyond its edge, and how far inside the edge its content stays."""


@record
class Card:
    """One sort of card.

    kind: position of its kind among those that are cards; copies: number of such cards. suit, ground, picture, signs,
    back: SVG, '' for none.
    """

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


class Cards(Cutouts):
    """Cards of an edition in one language."""

    def cards(self) -> Iterator[Card]:
        """Yield every sort of card, in the edition's order. Raises PrintingError where there are none."""
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
        """Return the content of the card for pieces with these values of their attributes. number: of the kind among
        those of cards, from 0."""
        rule, face = self._faces.rule(kind, row), self._faces.face(kind, row)
        return Card(
            kind=number,
            name=face.name,
            corner=face.corner,
            suit=face.suit,
            ground=face.ground,
            picture=face.picture,
            signs=face.signs,
            text=self.text(rule) if rule is not None else "",
            back=face.back,
            copies=copies,
        )

    def text(self, rule: Phrase) -> str:
        """Return the text of a card, with the edition's own line breaks if it is not translated.

        A translation has line breaks of its own.
        """
        translated = self.localizer.say(rule)
        source = self.edition.rule_texts().get(RuleKey(rule.context.removesuffix(".text")))
        lines = [" ".join(line.split()) for line in source.text.strip().splitlines()] if source is not None else []
        if len(lines) < 2 or translated != english().say(rule):
            return translated
        return english().say(replace(rule, text="\n".join(lines)))


@record
class CardLayout:
    """Layout of cards on pages.

    paper: one of PAPERS, for a knife at home; printer: instead one card a page with its bleed; backs: add the other
    sides, for double-sided printing; once: one card of each sort.
    """

    paper: str = "a4"
    printer: bool = False
    backs: bool = True
    once: bool = False


def pages(cards: Cards, layout: CardLayout) -> bytes:
    """Typeset the pages to cut the cards from, as PDF. Raises PrintingError."""
    data = card_template_data(cards.title(), cards.language, layout, list(cards.cards()))
    with overflow.naming_overflow(data["cards"]):
        return typesetting.pdf("cards", data)


def previews(cards: Cards, layout: CardLayout, dots_per_inch: float = 100.0) -> list[bytes]:
    """Typeset the pages as PNG, with guides for the printer's cut and the safe part. Raises PrintingError."""
    data = card_template_data(cards.title(), cards.language, layout, list(cards.cards()), guides=True)
    with overflow.naming_overflow(data["cards"]):
        return typesetting.png("cards", data, dots_per_inch)


def svg_pages(cards: Cards, layout: CardLayout) -> list[bytes]:
    """Typeset the pages as SVG, with the same guides. Raises PrintingError."""
    data = card_template_data(cards.title(), cards.language, layout, list(cards.cards()), guides=True)
    with overflow.naming_overflow(data["cards"]):
        return typesetting.svg("cards", data)


def overflowing_cards(cards: Cards) -> list[tuple[Kind, str]]:
    """List the cards with a text that does not fit, as messages with the card's kind; none without cards.

    Raises PrintingError for letters that no font has.
    """
    if not any(look.card for look in cards.edition.looks.values()):
        return []
    sorts = list(cards.cards())
    kinds = [cards.edition.kinds[name] for name, look in cards.edition.looks.items() if look.card]
    data = card_template_data(cards.title(), cards.language, CardLayout(once=True), sorts)
    try:
        typesetting.pdf("cards", {**data, "cards": list(map(_text_only, sorts)), "drawn": False})
    except NoRoom as error:
        names = [card.name for card in sorts]
        return [
            (kinds[sorts[number].kind], overflow.overflow_message(names[number], part)) for number, part in error.parts
        ]
    return []


def _text_only(card: Card) -> dict[str, Any]:
    """Return a card without its large pictures, which do not affect the room for its text."""
    return asdict(replace(card, ground="", picture="", back=""))


def card_template_data(
    title: str, language: str, layout: CardLayout, cards: Sequence[Card], guides: bool = False
) -> dict[str, Any]:
    """Return the input of the Typst template for cards. guides: show where to cut, and what is safe from the cut."""
    return {
        "title": title,
        "language": language,
        "paper": PAPERS[layout.paper],
        "size": SIZE,
        "bleed": BLEED,
        "safe": SAFE,
        "printer": layout.printer,
        "guides": guides,
        "drawn": True,
        "backs": layout.backs,
        "cards": [asdict(replace(card, copies=1) if layout.once else card) for card in cards],
    }
