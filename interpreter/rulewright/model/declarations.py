"""Data classes for each thing that an edition declares, with its place in the file.

Sentences and expressions stay text here; `compiler` gives them meaning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.program.board_coordinates import LOWERCASE, BoardCoordinates
from rulewright.program.value_types import from_hundredths
from rulewright.syntax.nouns import singular
from rulewright.syntax.source import Node, Scalar

if TYPE_CHECKING:
    from rulewright.syntax.expression_nodes import Expression

NUMBER = "number"
"""Type of what is a whole number."""
FRACTION = "fraction"
"""Type of numbers with fractions, stored in hundredths."""
NUMBERS = (NUMBER, FRACTION)
"""Types of numbers; other types are SEAT, 'truth' and word lists."""
SEAT = "seat"
"""Type of what is a seat, or owner of what each seat has."""
ANSWERS_PER_SEAT = 5_000
"""Answers of each seat after which a game ends whose edition does not limit them; of games that random play ends, the
longest take some 1,700."""
QUIET_ROUNDS = 1_000
"""Rounds in a row without a question after which a game ends: as a rule, nobody would be asked any more."""
SLOT = re.compile(r"\{([^{}]*)\}")
"""Slot of a text: a name or an expression in braces."""


@lru_cache(1 << 12)
def canonical(name: str) -> str:
    """Return the singular of a name, with single spaces: singular and plural are one name."""
    return singular(" ".join(name.split()))


def written_number(holds: str, number: int) -> int | float:
    """Return a stored number of an attribute, table or counter as people write it."""
    return from_hundredths(number) if holds == FRACTION else number


@record
class RecordLook:
    """Format in which games are written down for other programs.

    format: 'pgn', 'pdn' or 'sgf'; sides: what the format calls each side, by the side's word; tags: further facts
    of the game, by name.
    """

    format: str
    sides: Mapping[str, str]
    tags: Mapping[str, str]


@record
class Noun:
    """Singular and plural of a thing's name, which may hold slots such as {suit}.

    heading: of a list of several: what many are called if the edition says so, else what one is.
    """

    one: str
    many: str
    heading: str = ""


@record
class Word:
    """Word of a list. attributes: its numbers as stored, or indices of words, by name; title: the heading of its text,
    or ''; says: the step of `do what X says`, or None."""

    name: str
    noun: Noun
    attributes: Mapping[str, int]
    title: str = ""
    text: Scalar | None = None
    says: Step | None = None


@record
class WordTable:
    """Attribute of words that has a value for each number or word.

    by: its keys, NUMBER (from 1 on) or a word list; holds: one of NUMBERS or a word list; rows: for each word, what it
    is for the numbers from 0 on, or for each word of the other list.
    """

    by: str
    holds: str
    rows: tuple[tuple[int, ...], ...]


@record
class WordList:
    """List of words.

    attributes: name -> one of NUMBERS or the name of a word list; places: of attributes and tables, where each first
    stands.
    """

    name: str
    place: SourcePlace
    words: tuple[Word, ...]
    attributes: Mapping[str, str]
    places: Mapping[str, SourcePlace]
    tables: Mapping[str, WordTable] = field(default_factory=dict)


PLAIN = "·"
"""Letter of the spaces of a map without a legend or of a given size."""


MARKS_OF_SPACES = ("winning", "threatened", "lit", "pale", "areas")
"""Marks that looks give spaces of boards: with which a seat has won, where it is in danger, what lights up, where
pieces are pale, and what belongs to it."""


@record
class Board:
    """Board: a graph of spaces, or a map.

    - spaces: the word list of its spaces
    - neighbours: of each space
    - letters, positions: of each space, if it is a map; column and row from 0
    - hexagonal: whether it is a map of hexagons
    - steps: for each of them, the space one step on in each direction, or -1
    - opposites: of each direction, the one that leads back
    - directions: the word list of these, slants: that of what tells straight from diagonal ones
    - columns and rows: the attributes that number a space; each or ''
    - round: whether lines may come back to where they began
    - coordinates: the names of a map's columns and rows
    """

    name: str
    place: SourcePlace
    spaces: str
    text: Scalar | None
    neighbours: tuple[tuple[int, ...], ...]
    letters: tuple[str, ...] = ()
    positions: tuple[tuple[int, int], ...] = ()
    hexagonal: bool = False
    steps: tuple[tuple[int, ...], ...] = ()
    opposites: tuple[int, ...] = ()
    directions: str = ""
    slants: str = ""
    columns: str = ""
    rows: str = ""
    round: bool = False
    coordinates: BoardCoordinates = LOWERCASE

    @property
    def word_lists(self) -> tuple[str, ...]:
        """Names of the word lists that the board makes."""
        return tuple(filter(None, (self.spaces, self.directions if self.positions else "", self.slants)))

    @property
    def axes(self) -> tuple[int, ...]:
        """Directions, without the second of each two opposite ones: one for each kind of line."""
        return tuple(way for way, back in enumerate(self.opposites) if way <= back)

    def max_line_length(self, space: int, way: int) -> int:
        """Return the most spaces that a line through a space can have: up to where it closes, or all. space, way:
        indices of the space and of a direction."""
        current, count = self.steps[space][way], 1
        while current not in (-1, space):
            current, count = self.steps[current][way], count + 1
        return count if current == space else len(self.steps)

    def is_coordinate(self, attribute: str) -> bool:
        """Return whether an attribute of a space is its column or row, which its name tells."""
        return attribute in (self.columns, self.rows)


@record
class Kind:
    """Kind of piece.

    - attributes: name -> type
    - rows: values of its attributes, in order (numbers, or indices of words, -1 for none), with the number of such
      pieces
    - starts_in: zone where they start
    - power_in: zone in front of a seat in which they give it powers, or ''
    - power_word: attribute whose word names the power, or ''
    - changing: the attribute that changes during the game, or ''
    - faces: its values, of which rows have the first
    - says: as of words
    """

    name: str
    place: SourcePlace
    noun: Noun
    attributes: Mapping[str, str]
    rows: tuple[tuple[tuple[int, ...], int], ...]
    starts_in: str
    power_in: str
    power_word: str
    changing: str = ""
    faces: range = range(0)
    text: Scalar | None = None
    says: Step | None = None


@record
class Zone:
    """Zone that holds pieces.

    - of: SEAT or a word list, each of which has such a zone; '' for one of the table
    - holds: kinds of pieces
    - seen_by: 'all', 'owner' or 'nobody'
    - at_most: expression of the most pieces in it, of which the kinds in `counting` count
    - pile: whether its pieces lie on each other, with a top and a bottom
    - refills_from: zone whose pieces come here when it is used up, or ''
    - shown: whether a table shows it
    """

    name: str
    place: SourcePlace
    of: str
    holds: frozenset[str]
    seen_by: str
    at_most: Scalar | None
    counting: frozenset[str]
    pile: bool
    refills_from: str
    noun: Noun
    shown: bool = True
    text: Scalar | None = None


@record
class Figure:
    """Value or term.

    - of: its owner, as for zones, or a kind of piece
    - is_value: whether it is a value; else a term
    - parameters: names with the texts of their types
    - body: expression
    - cases: for {by: …}, of which body is what decides, the texts of its cases and of their figures
    - otherwise: the figure in any other case
    - noun: what people call it, or '' if they never read of it
    - others: the figures of this name that other kinds have
    """

    name: str
    place: SourcePlace
    of: str
    is_value: bool
    parameters: tuple[tuple[str, Scalar], ...]
    body: Scalar
    cases: tuple[tuple[Scalar, Scalar], ...] = ()
    otherwise: Scalar | None = None
    noun: str = ""
    others: tuple[Figure, ...] = ()

    @property
    def texts(self) -> tuple[Scalar, ...]:
        """Expressions that the figure is computed from."""
        other = () if self.otherwise is None else (self.otherwise,)
        others = (text for figure in self.others for text in figure.texts)
        return self.body, *(scalar for case in self.cases for scalar in case), *other, *others


@record
class CounterDeclaration:
    """Counter.

    - of: its owner, as for zones, or a kind of piece
    - holds: NUMBER, FRACTION, 'truth', SEAT or the name of a word list
    - start: as its cell begins, -1 for nothing
    - side: whether it is the word that each seat plays, which begins with the next word from seat to seat
    - marks: where pieces have it, each of their kinds with how it begins
    - by, starts: the word list for whose words it is told, and what it begins as for each; or '' and none
    - most: how many of these it holds as a list, or 0 where it holds one
    """

    name: str
    place: SourcePlace
    of: str
    holds: str
    start: int
    noun: Noun
    shown: bool = True
    text: Scalar | None = None
    side: bool = False
    marks: Mapping[str, int] = field(default_factory=dict)
    by: str = ""
    starts: tuple[int, ...] = ()
    most: int = 0


@record
class Step:
    """Named step.

    name: that of its rule, 'words.LIST.WORD' or 'pieces.KIND', for what a word or a kind of piece says; parameters: as
    of figures; gives: the type of its result, or None.
    """

    name: str
    title: str
    place: SourcePlace
    parameters: tuple[tuple[str, Scalar], ...]
    body: Node
    text: Scalar | None
    gives: Scalar | None = None

    @property
    def short_name(self) -> str:
        """Last part of its name, as decisions and messages have it."""
        return self.name.rpartition(".")[2]


@record
class Hook:
    """Body that runs before, after or instead of a step, or whenever anybody does it.

    when: 'before', 'after', 'instead of' or 'whenever'; step: its name; condition_text: whole key of the hook, which
    has a condition if `conditional`; optional: its owner decides whether, by the question `ask`.
    """

    when: str
    step: str
    place: SourcePlace
    conditional: bool
    condition_text: Scalar
    optional: bool
    ask: Scalar | None
    body: Node

    @property
    def condition(self) -> Expression | None:
        """Syntax tree of its condition, or None."""
        if not self.conditional:
            return None
        from rulewright.syntax import sentences  # noqa: PLC0415 - who only plays reads no sentences

        return sentences.hook(self.condition_text.text).condition


@record
class ChangeSet:
    """Changes that an option's choice, a role or a power makes.

    level: 'option', 'role' or 'power'; choice: of the option, '' for others; changes: name of a figure -> ('set' or
    'add', expression); overrules: names of others of its level that count less.
    """

    level: str
    name: str
    choice: str
    place: SourcePlace
    title: str
    text: Scalar | None
    changes: Mapping[str, tuple[str, Scalar]]
    hooks: tuple[Hook, ...]
    overrules: tuple[Scalar, ...] = ()


@record
class Role:
    """Virtual player. joins: number of people -> whether the role must join them (or only may); scored: whether it gets
    points; uses_powers: whether powers work for it."""

    name: str
    title: str
    joins: Mapping[int, bool]
    scored: bool
    uses_powers: bool


@record
class OptionDeclaration:
    """Option. choice_texts: texts of those choices that have one; default: index of the usual choice."""

    name: str
    place: SourcePlace
    text: Scalar | None
    choices: tuple[str, ...]
    choice_texts: Mapping[str, Scalar]
    default: int

    @property
    def usual_choice(self) -> str:
        """Choice of whoever chooses none."""
        return self.choices[self.default]


@record
class Ruling:
    """Clarification of a rule. about: the rule's key, or '' for the game as a whole."""

    name: str
    text: Scalar
    about: RuleKey


@record
class Phase:
    """Phase, or the set-up. body: its sentences."""

    name: str
    title: str
    text: Scalar | None
    body: Node


@record
class ScoreDeclaration:
    """Scoring line. points: expression of a seat's points."""

    name: str
    title: str
    points: Scalar
    text: Scalar | None


@record
class LimitDeclaration:
    """Limits of a game, None where not declared. scored: whether a game that ends by them is scored."""

    answers: int | None = None
    rounds: int | None = None
    scored: bool = False

    def answers_of(self, seats: int) -> int:
        """Return the number of answers after which a game with so many seats ends."""
        return ANSWERS_PER_SEAT * seats if self.answers is None else self.answers


@record
class MeasureDeclaration:
    """Statistic that can be computed for each seat at any time, for reports and for readers. amount: its expression."""

    name: str
    title: str
    amount: Scalar
    text: Scalar | None
