"""The cards of an edition as they are printed: what stands on each, and the pages to cut them from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.setup import check_options
from rulewright.game.terms import Terms, speech_of
from rulewright.i18n.speech import ENGLISH
from rulewright.model.declarations import Kind
from rulewright.publish.faces import Faces
from rulewright.publish.printing import PAPERS, typesetting
from rulewright.publish.printing.typesetting import PrintingError

SIZE = (63, 88)
"""Width and height of a card, in mm: the usual ones, which sleeves are made for."""


@record
class Card:
    """One sort of card. kind: the place of its kind among those of the edition; picture, signs, back: SVG, '' for none;
    copies: how many there are."""

    kind: int
    name: str
    corner: str
    picture: str
    signs: tuple[str, ...]
    text: str
    back: str
    copies: int


class Cards:
    """The cards of an edition in one language."""

    def __init__(self, rules: Rules, language: str = ENGLISH) -> None:
        self.edition, self.language = rules.edition, language
        self.texts = RuleTexts(rules, check_options(rules, {}))
        self.speech, self.terms = speech_of(rules.edition, language), Terms(rules.edition)
        self._faces = Faces(rules.edition, self.speech)

    @property
    def unseen(self) -> dict[str, str]:
        """What is wrong with pictures that had to be left out, by name."""
        return self._faces.unseen

    def cards(self) -> Iterator[Card]:
        """Every sort of card, in the edition's order. Raises PrintingError where there are none."""
        kinds = [self.edition.kinds[name] for name, look in self.edition.looks.items() if look.card]
        if not kinds:
            raise PrintingError(
                f"{self.edition.name} does not say which of its pieces are cards: that stands under 'looks', 'cards'."
            )
        for number, kind in enumerate(kinds):
            for row, copies in kind.rows:
                yield self.card(number, kind, row, copies)

    def card(self, number: int, kind: Kind, row: Sequence[int], copies: int) -> Card:
        face = self._faces.face(kind, row)
        power = self.edition.words[kind.attributes[kind.power_word]].words[row[0]].name if kind.power_word else ""
        rule = self.texts.rule(RuleKey.of("powers", power)) if kind.power_in else None
        return Card(
            kind=number,
            name=face.name,
            corner=face.corner,
            picture=face.picture,
            signs=face.signs,
            text=self.speech.say(rule) if rule is not None else "",
            back=face.back,
            copies=copies,
        )

    def title(self) -> str:
        return self.speech.say(self.terms.title())


def pages(cards: Cards, paper: str = "a4", backs: bool = True, once: bool = False) -> bytes:
    """The pages to cut the cards from, as PDF.

    paper: one of PAPERS; backs: every second page has the backs, to be printed on both sides; once: one card of each
    sort. Raises PrintingError.
    """
    found = [replace(card, copies=1) if once else card for card in cards.cards()]
    return typesetting.pdf("cards", sheets(cards.title(), cards.language, paper, backs, found))


def sheets(title: str, language: str, paper: str, backs: bool, cards: Sequence[Card]) -> dict[str, Any]:
    """What the template is told."""
    return {
        "title": title,
        "language": language,
        "paper": PAPERS[paper],
        "size": SIZE,
        "backs": backs,
        "cards": [asdict(card) for card in cards],
    }
