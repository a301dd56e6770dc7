"""Pieces in a rulebook, face up and face down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rulewright.game.library import Rules
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Localizer, Term, phrase
from rulewright.model.artwork import TokenLook
from rulewright.model.declarations import NUMBER, Kind
from rulewright.program.form import PieceType
from rulewright.publish.faces import Face, Faces
from rulewright.publish.rulebook.model import Piece

MAX_INDIVIDUAL = 24
"""Limit of sorts of one kind that are shown individually."""


class Pieces:
    """Pieces of an edition in one language. options: chosen ones, of which usual ones may be left out."""

    def __init__(self, rules: Rules, localizer: Localizer, options: Mapping[str, str]) -> None:
        self.edition, self.localizer = rules.edition, localizer
        self.faces, self.terms = Faces(rules, localizer, options), Terms(rules.edition)

    def piece(self, kind: Kind, row: Sequence[int], count: int = 1) -> Piece:
        """Return a number of pieces of a kind with these values of its attributes."""
        face = self.faces.face(kind, row)
        name = self.localizer.say(self.terms.piece(kind, row, count))
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
            description=self.description(name, face),
        )

    def sorts(self, kind: Kind) -> tuple[Piece, ...]:
        """Return all sorts of a kind; of a deck with too many, one for each suit, with its ranks as text.

        Pieces that show one of several faces, like dice, are named by their kind.
        """
        if [*kind.attributes] == [kind.changing]:
            return tuple(
                replace(
                    self.piece(kind, row, count), description=self.localizer.say(self.terms.any_of_kind(kind, count))
                )
                for row, count in kind.rows
            )
        return self._suits(kind) or tuple(self.piece(kind, row, count) for row, count in kind.rows)

    def _suits(self, kind: Kind) -> tuple[Piece, ...]:
        """Return a piece for each suit of a large kind with two attributes that has every combination equally often;
        else ()."""
        if len(kind.rows) <= MAX_INDIVIDUAL or len(kind.attributes) != 2 or len({count for _, count in kind.rows}) > 1:
            return ()
        values = [list(dict.fromkeys(row[index] for row, _ in kind.rows)) for index in range(2)]
        if len(values[0]) * len(values[1]) != len(kind.rows):
            return ()
        suit = min(range(2), key=lambda index: len(values[index]))
        ranks = self.localizer.join_items([self._value(kind, 1 - suit, value) for value in values[1 - suit]])
        copies, suits = kind.rows[0][1], []
        for value in values[suit]:
            row = next(row for row, _ in kind.rows if row[suit] == value)
            name = self.localizer.title(self._value(kind, suit, value))
            face, count = self.faces.face(kind, row), copies * len(values[1 - suit])
            description = self.localizer.with_note(self.localizer.entry(name, ranks), self.localizer.number(count))
            suits.append(
                Piece(
                    name,
                    count,
                    face.picture,
                    card=face.card,
                    suit=face.suit,
                    ground=face.ground,
                    description=description,
                )
            )
        return tuple(suits)

    def _value(self, kind: Kind, index: int, value: int) -> str:
        """Return a value of a kind's attribute, given by its position, as text."""
        value_type = [*kind.attributes.values()][index]
        return (
            self.localizer.number(value)
            if value_type == NUMBER
            else self.localizer.noun(self.terms.word(value_type, value)).one
        )

    def tokens(self, token: TokenLook) -> tuple[Piece, ...]:
        """Return the tokens that track a counter; a token without value is no disc, and has no name."""
        picture = self.faces.picture(token.picture.text) if token.picture is not None else ""
        return tuple(
            Piece(
                value, count, picture, corner=value, disc=bool(value), description=self.token_description(value, count)
            )
            for value, count in token.copies.items()
        )

    def token_description(self, value: str, count: int) -> str:
        """Return a token's value as text for people who do not see it; the number of tokens where it has no value."""
        return self.localizer.say(Term("", value, value, (), count)) if value else self.localizer.number(count)

    def description(self, pieces: str, face: Face) -> str:
        """Return pieces as text, with their corners if their names do not mention these, and with their chart."""
        rows = self.localizer.join_items([self.localizer.entry(row.key, row.value) for row in face.chart])
        noted = (
            self.localizer.with_note(pieces, face.corner) if face.corner and face.corner not in face.name else pieces
        )
        return self.localizer.with_note(noted, rows) if rows else noted

    def of_type(self, type_: PieceType, count: int = 1) -> Piece:
        """Return a number of pieces of a type of the program."""
        return self.piece(self.edition.kinds[type_.kind], tuple(type_.attributes.values()), count)

    def back(self, name: str) -> str:
        """Return the back of a kind's first piece as SVG, or ''. name: of the kind."""
        kind = self.edition.kinds[name]
        return self.faces.face(kind, kind.rows[0][0]).back if kind.rows else ""

    def hidden(self, kinds: Iterable[str], count: int) -> Piece:
        """Return a number of face-down pieces that may be of these kinds, with the back that these share."""
        names = tuple(kinds)
        non_empty = [kind for name in names if (kind := self.edition.kinds[name]).rows]
        faces = [self.faces.face(kind, kind.rows[0][0]) for kind in non_empty]
        backs = list(dict.fromkeys(face.back for face in faces))
        return Piece(
            name=self.localizer.title(phrase("rulebook", "face down")),
            description=self.localizer.say(self.terms.face_down(count, names)),
            count=count,
            picture=backs[0] if len(backs) == 1 else "",
            card=any(face.card for face in faces),
            hidden=True,
        )
