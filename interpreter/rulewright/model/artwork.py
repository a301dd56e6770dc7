"""Artwork that an edition declares for its pieces and counters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.model.declarations import Noun
from rulewright.syntax.source import Scalar


@record
class Look:
    """Artwork of a kind of piece.

    Texts may have slots for the kind's attributes, and for those of its words. All but corner and letter name pictures.

    - card: whether they are cards, to be printed
    - pictures_by_word: the large picture of pieces that have a word, instead of `picture`
    - corner: what stands in the corners
    - suit: small picture below that
    - ground: what fills a card beneath all else
    - signs: small pictures in a row
    - back: the picture on the back
    - rules: whose text stands on them: by a word that a piece has, or by '' for all others
    - width: in mm, of pieces that are cut out and are no cards, or 0
    - square: whether their picture is all of them
    - table: an attribute of a word, told 'for' others, that stands on them as a table
    - only_with: options, each with the choice with which alone they are drawn and counted
    - faded: their counter that pales them on screens, or ''
    - round: whether they are round
    - letter: their mark in a terminal
    - across: attributes; where these are equal, a piece lies across a chain
    - colours: by word, the colour that readers may choose for the pictures of pieces that have it
    - has_name: whether their names stand on them on screens
    - sort: attribute by which they lie in a hand first, or ''
    """

    card: bool
    picture: Scalar | None
    corner: Scalar | None
    suit: Scalar | None
    ground: Scalar | None
    signs: tuple[Scalar, ...]
    back: Scalar | None
    rules: Mapping[str, RuleKey]
    width: int = 0
    round: bool = False
    square: bool = False
    table: str = ""
    only_with: Mapping[str, str] = field(default_factory=dict)
    faded: str = ""
    letter: Scalar | None = None
    across: tuple[str, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    has_name: bool = True
    sort: str = ""
    pictures_by_word: Mapping[str, Scalar] = field(default_factory=dict)

    def pictures(self) -> tuple[Scalar, ...]:
        """Return the name patterns of all its pictures, as texts that may have slots."""
        own = (self.picture, *self.pictures_by_word.values(), self.suit, self.ground, *self.signs, self.back)
        return tuple(each for each in own if each)


@record
class TokenLook:
    """Tokens that show a counter at a table.

    picture: the name of one, or None; copies: how many there are of each value, or of '' if they have none; width: in
    mm; noun: if they are not called as the counter is.
    """

    picture: Scalar | None
    copies: Mapping[str, int]
    width: int
    noun: Noun | None = None
