"""The cards of an edition as they are printed: what stands on each, and the pages to cut them from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.i18n.localizer import Phrase, english
from rulewright.model.declarations import Kind
from rulewright.publish.printing import PAPERS, overflow, typesetting
from rulewright.publish.printing.cutouts import Cutting
from rulewright.publish.printing.typesetting import NoRoom, PrintingError

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
            text=self.text(rule) if rule is not None else "",
            back=face.back,
            copies=copies,
        )

    def text(self, rule: Phrase) -> str:
        """What stands on a card, with the lines in which the edition has it, where it is not translated; a translation
        has its own."""
        told = self.speech.say(rule)
        written = self.edition.told().get(RuleKey(rule.context.removesuffix(".text")))
        lines = [" ".join(line.split()) for line in written.text.strip().splitlines()] if written is not None else []
        if len(lines) < 2 or told != english().say(rule):
            return told
        return english().say(replace(rule, text="\n".join(lines)))


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
    data = sheets(cards.title(), cards.language, how, list(cards.cards()))
    with overflow.naming(data["cards"]):
        return typesetting.pdf("cards", data)


def previews(cards: Cards, how: Sheets, dots_per_inch: float = 100.0) -> list[bytes]:
    """The same pages as PNG, with lines where a printer cuts and as far as is safe. Raises PrintingError."""
    data = sheets(cards.title(), cards.language, how, list(cards.cards()), guides=True)
    with overflow.naming(data["cards"]):
        return typesetting.png("cards", data, dots_per_inch)


def drawn(cards: Cards, how: Sheets) -> list[bytes]:
    """The same pages as SVG, with those lines. Raises PrintingError."""
    data = sheets(cards.title(), cards.language, how, list(cards.cards()), guides=True)
    with overflow.naming(data["cards"]):
        return typesetting.svg("cards", data)


def misfits(cards: Cards) -> list[tuple[Kind, str]]:
    """Which cards have a text that does not fit, in words, each with its kind. Raises PrintingError for all else."""
    if not any(look.card for look in cards.edition.looks.values()):
        return []
    found = list(cards.cards())
    kinds = [cards.edition.kinds[name] for name, look in cards.edition.looks.items() if look.card]
    data = sheets(cards.title(), cards.language, Sheets(once=True), found)
    try:
        typesetting.pdf("cards", {**data, "cards": list(map(_words, found)), "drawn": False})
    except NoRoom as error:
        names = [card.name for card in found]
        return [(kinds[found[number].kind], overflow.told(names[number], part)) for number, part in error.parts]
    return []


def _words(card: Card) -> dict[str, Any]:
    """A card without its large pictures: they leave its words no less room."""
    return asdict(replace(card, ground="", picture="", back=""))


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
        "drawn": True,
        "backs": how.backs,
        "cards": [asdict(replace(card, copies=1) if how.once else card) for card in cards],
    }
