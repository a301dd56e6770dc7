"""Pieces as a rulebook shows them, open and hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rulewright.game.library import Rules
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Speech, Term, phrase
from rulewright.model.declarations import NUMBER, Kind, TokenLook
from rulewright.program.form import PieceType
from rulewright.publish.faces import Face, Faces
from rulewright.publish.rulebook.model import Piece

MOST_DRAWN = 24
"""Sorts of one kind, each on its own."""


class Pieces:
    """The pieces of an edition in one language. options: that are not as usual."""

    def __init__(self, rules: Rules, speech: Speech, options: Mapping[str, str]) -> None:
        self.edition, self.speech = rules.edition, speech
        self.faces, self.terms = Faces(rules, speech, options), Terms(rules.edition)

    def piece(self, kind: Kind, row: Sequence[int], count: int = 1) -> Piece:
        """So many pieces of a kind with these values of its attributes."""
        face = self.faces.face(kind, row)
        told = self.speech.say(self.terms.piece(kind, row, count))
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
            told=self.told(told, face),
        )

    def sorts(self, kind: Kind) -> tuple[Piece, ...]:
        """All sorts of a kind, each once; of a deck with too many to draw, one for each suit, which tells its ranks.
        What shows one of its faces, as dice do, is told by its kind."""
        if [*kind.attributes] == [kind.changing]:
            return tuple(
                replace(self.piece(kind, row, count), told=self.speech.say(self.terms.any(kind, count)))
                for row, count in kind.rows
            )
        return self._suits(kind) or tuple(self.piece(kind, row, count) for row, count in kind.rows)

    def _suits(self, kind: Kind) -> tuple[Piece, ...]:
        """Of a large kind with two attributes, in which there is every combination equally often; else nothing."""
        if len(kind.rows) <= MOST_DRAWN or len(kind.attributes) != 2 or len({count for _, count in kind.rows}) > 1:
            return ()
        values = [list(dict.fromkeys(row[at] for row, _ in kind.rows)) for at in range(2)]
        if len(values[0]) * len(values[1]) != len(kind.rows):
            return ()
        suit = min(range(2), key=lambda at: len(values[at]))
        ranks = self.speech.row([self._value(kind, 1 - suit, value) for value in values[1 - suit]])
        copies, found = kind.rows[0][1], []
        for value in values[suit]:
            row = next(row for row, _ in kind.rows if row[suit] == value)
            name = self.speech.title(self._value(kind, suit, value))
            face, count = self.faces.face(kind, row), copies * len(values[1 - suit])
            told = self.speech.noted(self.speech.entry(name, ranks), self.speech.number(count))
            found.append(
                Piece(name, count, face.picture, card=face.card, suit=face.suit, ground=face.ground, told=told)
            )
        return tuple(found)

    def _value(self, kind: Kind, at: int, value: int) -> str:
        of = [*kind.attributes.values()][at]
        return self.speech.number(value) if of == NUMBER else self.speech.noun(self.terms.word(of, value)).one

    def tokens(self, token: TokenLook) -> tuple[Piece, ...]:
        """The tokens by which a counter is kept; what has no value is no disc, and has no name."""
        picture = self.faces.picture(token.picture.text) if token.picture is not None else ""
        return tuple(
            Piece(value, count, picture, corner=value, disc=bool(value), told=self.tokens_told(value, count))
            for value, count in token.copies.items()
        )

    def tokens_told(self, value: str, count: int) -> str:
        return self.speech.say(Term("", value, value, (), count)) if value else self.speech.number(count)

    def told(self, pieces: str, face: Face) -> str:
        """Pieces in words, with what stands in their corners if their names do not say it, and with their table."""
        rows = self.speech.row([self.speech.entry(row.key, row.value) for row in face.chart])
        noted = self.speech.noted(pieces, face.corner) if face.corner and face.corner not in face.name else pieces
        return self.speech.noted(noted, rows) if rows else noted

    def of_type(self, type_: PieceType, count: int = 1) -> Piece:
        """So many pieces of a type of the program."""
        return self.piece(self.edition.kinds[type_.kind], tuple(type_.attributes.values()), count)

    def back(self, name: str) -> str:
        """The back of the pieces of a kind, SVG; '' if it has none of its own."""
        kind = self.edition.kinds[name]
        return self.faces.face(kind, kind.rows[0][0]).back if kind.rows else ""

    def hidden(self, kinds: Iterable[str], count: int) -> Piece:
        """So many pieces that may be of these kinds and lie face down: with the back that they have in common."""
        names = tuple(kinds)
        held = [kind for name in names if (kind := self.edition.kinds[name]).rows]
        faces = [self.faces.face(kind, kind.rows[0][0]) for kind in held]
        backs = list(dict.fromkeys(face.back for face in faces))
        return Piece(
            name=self.speech.title(phrase("rulebook", "face down")),
            told=self.speech.say(self.terms.face_down(count, names)),
            count=count,
            picture=backs[0] if len(backs) == 1 else "",
            card=any(face.card for face in faces),
            hidden=True,
        )
