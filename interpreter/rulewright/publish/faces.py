"""What stands on pieces, in one language: names, corners, pictures and backs, as the looks of an edition say."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import record
from rulewright.game.terms import Terms
from rulewright.i18n.speech import Speech
from rulewright.model.declarations import NUMBER, SLOT, Edition, Kind
from rulewright.model.pictures import PictureError, Pictures, name_of, values
from rulewright.syntax.source import Scalar


@record
class Face:
    """One sort of piece. picture, signs, back: SVG, '' for none; card: whether it is one."""

    name: str
    corner: str
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

    def face(self, kind: Kind, row: Sequence[int]) -> Face:
        """Of the pieces of a kind with these values of its attributes."""
        look, found = self.edition.looks.get(kind.name), values(self.edition, kind, row)
        name = self.speech.title(self.terms.piece(kind, row))
        if look is None:
            return Face(name, "", "", (), "", card=False)

        def drawn(pattern: Scalar | None) -> str:
            return self.picture(name_of(pattern.text, self.edition, found)) if pattern is not None else ""

        def told(slot: str) -> str:
            if slot not in found:
                return ""
            of, value = found[slot]
            return str(value) if of == NUMBER else self.speech.noun(self.terms.word(of, value)).one

        corner = look.corner.text if look.corner is not None else ""
        return Face(
            name=name,
            corner=SLOT.sub(lambda slot: told(slot[1].strip()), corner),
            picture=drawn(look.picture),
            signs=tuple(filter(None, map(drawn, look.signs))),
            back=drawn(look.back),
            card=look.card,
        )

    def picture(self, name: str) -> str:
        """A picture by its name, '' if there is none."""
        try:
            return self.pictures.svg(name) if name else ""
        except PictureError as error:
            self.unseen[name] = str(error)
            return ""
