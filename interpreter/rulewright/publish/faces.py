"""What stands on pieces, in one language: names, corners, pictures and backs, as the looks of an edition say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game.terms import Terms
from rulewright.i18n.speech import Speech
from rulewright.model.declarations import NUMBER, SLOT, Edition, Kind
from rulewright.model.pictures import PictureError, Pictures, name_of, values
from rulewright.syntax.source import Scalar

NONE: Mapping[str, str] = MappingProxyType({})


@record
class Face:
    """One sort of piece. picture, suit, ground, signs, back: SVG, '' for none; card: whether it is one."""

    name: str
    corner: str
    suit: str
    ground: str
    picture: str
    signs: tuple[str, ...]
    back: str
    card: bool


class Faces:
    """The faces of an edition's pieces. unseen: what is wrong with pictures that had to be left out, by name."""

    def __init__(self, edition: Edition, speech: Speech) -> None:
        self.edition, self.speech = edition, speech
        self.terms, self.pictures = Terms(edition), Pictures(edition)
        self.unseen: dict[str, str] = {}

    def face(self, kind: Kind, row: Sequence[int], figures: Mapping[str, str] = NONE) -> Face:
        """Of the pieces of a kind with these values of its attributes. figures: what may stand in the corner besides,
        by name."""
        look, found = self.edition.looks.get(kind.name), values(self.edition, kind, row)
        name = self.speech.title(self.terms.piece(kind, row))
        if look is None:
            return Face(name, "", "", "", "", (), "", card=False)

        def drawn(pattern: Scalar | None) -> str:
            return self.picture(name_of(pattern.text, self.edition, found)) if pattern is not None else ""

        def told(slot: str) -> str:
            if slot not in found:
                return figures.get(slot, "")
            of, value = found[slot]
            return str(value) if of == NUMBER else self.speech.noun(self.terms.word(of, value)).one

        corner = look.corner.text if look.corner is not None else ""
        return Face(
            name=name,
            corner=SLOT.sub(lambda slot: told(slot[1].strip()), corner),
            suit=drawn(look.suit),
            ground=drawn(look.ground),
            picture=drawn(look.picture),
            signs=tuple(filter(None, map(drawn, look.signs))),
            back=drawn(look.back),
            card=look.card,
        )

    def rules(self, kind: Kind, row: Sequence[int]) -> Iterator[RuleKey]:
        """Whose text may stand on pieces with these values, the nearest first: what looks say of their words, the power
        that they give, what looks say of all."""
        named = self.edition.looks[kind.name].rules
        words = [self.edition.words[of].words[value].name for of, value in _words(kind, row)]
        yield from (named[word] for word in words if word in named)
        if kind.power_in:
            yield RuleKey.of("powers", words[0])
        if "" in named:
            yield named[""]

    def picture(self, name: str) -> str:
        """A picture by its name, '' if there is none."""
        try:
            return self.pictures.svg(name) if name else ""
        except PictureError as error:
            self.unseen[name] = str(error)
            return ""


def _words(kind: Kind, row: Sequence[int]) -> Iterator[tuple[str, int]]:
    """The words of a piece with these values: of which list, and which of it."""
    named = zip(kind.attributes.values(), row, strict=True)
    return ((of, value) for of, value in named if of != NUMBER and value >= 0)
