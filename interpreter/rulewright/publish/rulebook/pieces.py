"""Pieces as a rulebook shows them, open and hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulewright.game.library import Rules
from rulewright.i18n.speech import Speech, phrase
from rulewright.model.declarations import Kind, TokenLook
from rulewright.program.form import PieceType
from rulewright.publish.faces import Faces
from rulewright.publish.rulebook.model import Piece


class Pieces:
    """The pieces of an edition in one language. options: that are not as usual."""

    def __init__(self, rules: Rules, speech: Speech, options: Mapping[str, str]) -> None:
        self.edition, self.speech = rules.edition, speech
        self.faces = Faces(rules, speech, options)

    def piece(self, kind: Kind, row: Sequence[int], count: int = 1) -> Piece:
        """So many pieces of a kind with these values of its attributes."""
        face = self.faces.face(kind, row)
        return Piece(
            face.name,
            count,
            face.picture,
            face.corner,
            face.signs,
            face.card,
            suit=face.suit,
            ground=face.ground,
            disc=face.round,
            chart=face.chart,
        )

    def tokens(self, token: TokenLook) -> tuple[Piece, ...]:
        """The tokens by which a counter is kept; what has no value is no disc, and has no name."""
        picture = self.faces.picture(token.picture.text) if token.picture is not None else ""
        return tuple(
            Piece(value, count, picture, corner=value, disc=bool(value)) for value, count in token.copies.items()
        )

    def of_type(self, type_: PieceType, count: int = 1) -> Piece:
        """So many pieces of a type of the program."""
        return self.piece(self.edition.kinds[type_.kind], tuple(type_.attributes.values()), count)

    def hidden(self, kinds: Iterable[str], count: int) -> Piece:
        """So many pieces that may be of these kinds and lie face down: with the back that they have in common."""
        held = [kind for name in kinds if (kind := self.edition.kinds[name]).rows]
        faces = [self.faces.face(kind, kind.rows[0][0]) for kind in held]
        backs = list(dict.fromkeys(face.back for face in faces))
        return Piece(
            name=self.speech.title(phrase("rulebook", "face down")),
            count=count,
            picture=backs[0] if len(backs) == 1 else "",
            card=any(face.card for face in faces),
            hidden=True,
        )
