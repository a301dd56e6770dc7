"""The cards of an edition as they are printed: what stands on each, and the pages to cut them from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from rulewright.declarations import NUMBER, SLOT, CardLook, Kind
from rulewright.diagnostics import RulewrightError
from rulewright.languages.speech import ENGLISH
from rulewright.library import Rules
from rulewright.pictures import PictureError, Pictures, name_of, values
from rulewright.printing import PAPERS, typesetting
from rulewright.rule_texts import RuleTexts
from rulewright.source import Scalar
from rulewright.table import check_options
from rulewright.terms import Terms, speech_of

SIZE = (63, 88)
"""Width and height of a card, in mm: the usual ones, which sleeves are made for."""


class PrintingError(RulewrightError):
    """What cannot be printed."""


@dataclass(frozen=True)
class Face:
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
    """The cards of an edition in one language. unseen: what is wrong with pictures that had to be left out."""

    def __init__(self, rules: Rules, language: str = ENGLISH) -> None:
        self.edition, self.language = rules.edition, language
        self.texts = RuleTexts(rules, check_options(rules, {}))
        self.speech, self.terms = speech_of(rules.edition, language), Terms(rules.edition)
        self.pictures = Pictures(rules.edition)
        self.unseen: dict[str, str] = {}

    def faces(self) -> Iterator[Face]:
        """Every sort of card, in the edition's order. Raises PrintingError where there are none."""
        if not self.edition.cards:
            raise PrintingError(
                f"{self.edition.name} does not say which of its pieces are cards: that stands under 'looks', 'cards'."
            )
        for number, (name, look) in enumerate(self.edition.cards.items()):
            kind = self.edition.kinds[name]
            for row, copies in kind.rows:
                yield self.face(number, kind, row, copies, look)

    def face(self, number: int, kind: Kind, row: Sequence[int], copies: int, look: CardLook) -> Face:
        found = values(self.edition, kind, row)

        def drawn(pattern: Scalar | None) -> str:
            chosen = name_of(pattern.text, self.edition, found) if pattern is not None else ""
            try:
                return self.pictures.svg(chosen) if chosen else ""
            except PictureError as error:
                self.unseen[chosen] = str(error)
                return ""

        def told(slot: str) -> str:
            if slot not in found:
                return ""
            of, value = found[slot]
            return str(value) if of == NUMBER else self.speech.noun(self.terms.word(of, value)).one

        corner = look.corner.text if look.corner is not None else ""
        power = self.edition.words[kind.attributes[kind.power_word]].words[row[0]].name if kind.power_word else ""
        rule = self.texts.rule(f"powers.{power}") if kind.power_in else None
        return Face(
            kind=number,
            name=self.speech.title(self.terms.piece(kind, row)),
            corner=SLOT.sub(lambda slot: told(slot[1].strip()), corner),
            picture=drawn(look.picture),
            signs=tuple(filter(None, map(drawn, look.signs))),
            text=self.speech.say(rule) if rule is not None else "",
            back=drawn(look.back),
            copies=copies,
        )

    def title(self) -> str:
        return self.speech.say(self.terms.title())


def pages(cards: Cards, paper: str = "a4", backs: bool = True, once: bool = False) -> bytes:
    """The pages to cut the cards from, as PDF.

    paper: one of PAPERS; backs: every second page has the backs, to be printed on both sides; once: one card of each
    sort. Raises PrintingError.
    """
    faces = [replace(face, copies=1) if once else face for face in cards.faces()]
    return typesetting.pdf("cards", sheets(cards.title(), cards.language, paper, backs, faces))


def sheets(title: str, language: str, paper: str, backs: bool, faces: Sequence[Face]) -> dict[str, Any]:
    """What the template is told."""
    return {
        "title": title,
        "language": language,
        "paper": PAPERS[paper],
        "size": SIZE,
        "backs": backs,
        "faces": [asdict(face) for face in faces],
    }
