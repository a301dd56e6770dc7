"""Program form: the interface between the compiler and the executors.

A program is a flat list of instructions over a state of plain integers. Blocks are the entry points: the state's first
cell holds the block to run next, so every decision can be saved.

`state_layout` says what the cells of a state hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.program.board_coordinates import LOWERCASE, BoardCoordinates
from rulewright.program.instructions import Instruction
from rulewright.program.state_layout import Layout, Mark
from rulewright.program.value_types import Type, from_hundredths

MARK_BITS = 34
"""Bits of an appearance for each piece counter: for the signed difference of two 32-bit numbers."""


@record
class Text:
    """Sentence for people.

    - key: its dotted place in the edition
    - text: in one line
    - slots: distinct expressions in its braces
    - types: of these
    - heading: whether it stands over the log lines that follow
    - passed: indices of slots with moved pieces, which have one more argument each, with the zones
    - notation: the same in short, or ''
    """

    key: str
    text: str
    slots: tuple[str, ...] = ()
    types: tuple[Type, ...] = ()
    heading: bool = False
    passed: tuple[int, ...] = ()
    notation: str = ""

    @property
    def of_phase(self) -> bool:
        """Whether this is the title or the rule of a phase."""
        return self.key.startswith("phases.")


@record
class Site:
    """Place of the program where a seat is asked.

    - id: from names in the edition
    - element: type of a candidate
    - ask: the question
    - none: text of choosing nothing, None if there is none
    - some, whole: texts of choosing something and everything
    - none_at: zone that stands for choosing nothing, or ''
    - step: name of the step or phase
    - slot: cell of the answer, a set (of the first seat, if per_seat)
    - per_seat: whether each seat has cells of its own
    - resume: block that continues
    - sealed: number of its `at once`, or -1
    - parks: whether its answer moves pieces in an `at once`, for which it waits until all seats have answered
    - branches, branch_texts: names of a menu's entries, and what people read
    - by_place: cell with the flag that equal pieces are distinguished by place (of the first seat, if per_seat), or -1
    - remaining_seats: cell of the remaining seats of its `go round`, where some drop out, or -1
    - number_text: label of a number as an answer, unless plain
    - enclosing: sites of the menus and yes/no questions around it, also in steps called there
    - steady: entry of a menu that does not end the game, where another one may, or -1
    """

    id: str
    element: Type
    ask: Text
    none: Text | None
    step: str
    slot: int
    per_seat: bool
    resume: int
    sealed: int
    parks: bool = False
    branches: tuple[str, ...] = ()
    branch_texts: tuple[Text, ...] = ()
    by_place: int = -1
    remaining_seats: int = -1
    number_text: Text | None = None
    some: Text | None = None
    whole: Text | None = None
    none_at: str = ""
    enclosing: tuple[int, ...] = ()
    steady: int = -1

    def distinguishes_places(self, s: Sequence[Any], seat: int) -> bool:
        """Whether equal pieces are distinguished by their places now."""
        return self.by_place >= 0 and bool(s[self.by_place + (seat if self.per_seat else 0)])


@record
class Sealed:
    """An `all … at once`.

    - block: lets the next seat act
    - seats: cell of its seats, a set
    - next_block: first of the cells, one for each seat, of the block to continue with, or WAITING, PARKED or BEGINNING
    - ask_block, parked_block: likewise, of the block that asks, and of that with the seat's effects
    - phase: cell that is 0 until all have answered, then 1
    """

    block: int
    seats: int
    next_block: int
    ask_block: int
    parked_block: int
    phase: int


@record
class BoardMap:
    """Drawn board.

    - spaces: word list of its spaces
    - positions: column and row of each, from 0
    - letters: drawn for each
    - regions: attributes of each that are words, by name
    - coordinates: names of columns and rows
    """

    name: str
    spaces: str
    positions: tuple[tuple[int, int], ...]
    letters: tuple[str, ...]
    regions: tuple[Mapping[str, str], ...]
    coordinates: BoardCoordinates = LOWERCASE


@record
class PieceType:
    """Type of pieces that nobody can distinguish. attributes: in order, number or index of a word; marks: piece
    counters that differ from their start, with the contents of their cells."""

    name: str
    plural: str
    kind: str
    attributes: Mapping[str, int]
    marks: tuple[tuple[Mark, int], ...] = ()


@record
class Function:
    """Pure function of a state and a seat; others refer to it by its number in the program. code: ends with its answer;
    fraction: whether its result is in hundredths."""

    code: tuple[Instruction, ...]
    fraction: bool = False


@record
class ScoreLine:
    """Scoring line. function: number of the one that returns its points; seen_by: as for zones."""

    name: str
    title: Text
    function: int
    seen_by: str


@record
class RuleText:
    """Rule in words; `function` returns the text's arguments for a state and a seat."""

    text: Text
    function: int


@record
class Measure:
    """Statistic; `function` returns it for a seat; seen_by: as for zones, while the game goes on."""

    name: str
    title: Text
    text: RuleText | None
    function: int
    seen_by: str = "all"


@record
class MarkedSet:
    """Set whose members a table marks. function: returns their numbers for a seat: of words, pieces or seats; seen_by:
    as for zones."""

    function: int
    seen_by: str


@record
class Power:
    """Power. function: whether a seat has it; seen_by: who sees the zone of the pieces that give it."""

    function: int
    seen_by: str


@record
class Option:
    """Option. choices: their names; default: an index into them."""

    name: str
    choices: tuple[str, ...]
    default: int


@record
class Limit:
    """Bound for games that do not end by their rules. answers: most answers, of all seats together; rounds: most
    rounds, 0 for no bound; scored: whether the position then counts; else there is no result."""

    answers: int
    rounds: int
    scored: bool


@record
class Setting:
    """Table that a program is specialized for: role of each seat, or -1; index of each option's choice."""

    roles: tuple[int, ...]
    options: tuple[int, ...]


@record
class Program:
    """Edition for a number of seats, ready to run. Immutable, shared by all its games.

    - code: of all blocks
    - start: first block
    - phases: names and blocks
    - blocks: the step of each

    Named in code by their index: tables, of numbers; functions; sites, where seats are asked; sealed, each `at once`;
    texts, of `tell`; places, those that errors name.

    - starts: address of the zone each piece starts in
    - types: of pieces; `appearance` gives an index of them where no mark has changed
    - type_of: each piece's initial type, whose other faces come next
    - words: names of each list's words
    - maps: of drawn boards
    - roles: names of virtual players, whose index a seat's cell holds
    - unscored_roles: those without points
    - ranking: functions, most important first; more is better
    - limit: of games that do not end
    - leading: by zone, the seats that lead with what lies there
    - marked_spaces: by mark and a board's list
    - apart_pieces: by zone, a seat's pieces that lie apart there
    - line_worth: what each line of a seat's score pad would bring
    - rules: texts by key
    - powers: by name
    - asides: texts of cases by key and text
    - lowest_first: whether the first key puts the lowest first
    - sides: cell of the first seat's side, or -1; seats of one side win together
    - lead: index of the measure that tells who is ahead, or -1
    - plays: digest of the rules that affect play
    """

    code: tuple[Instruction, ...]
    tables: tuple[tuple[int, ...], ...]
    functions: tuple[Function, ...]
    layout: Layout
    start: int
    phases: tuple[tuple[str, int], ...]
    sites: tuple[Site, ...]
    sealed: tuple[Sealed, ...]
    texts: tuple[Text, ...]
    places: tuple[str, ...]
    blocks: Mapping[int, str]
    starts: tuple[int, ...]
    types: tuple[PieceType, ...]
    type_of: tuple[int, ...]
    words: Mapping[str, tuple[str, ...]]
    maps: tuple[BoardMap, ...]
    roles: tuple[str, ...]
    unscored_roles: frozenset[str]
    options: tuple[Option, ...]
    scoring: tuple[ScoreLine, ...]
    ranking: tuple[int, ...]
    limit: Limit
    measures: tuple[Measure, ...] = ()
    leading: Mapping[str, MarkedSet] = field(default_factory=dict)
    marked_spaces: Mapping[str, Mapping[str, MarkedSet]] = field(default_factory=dict)
    apart_pieces: Mapping[str, MarkedSet] = field(default_factory=dict)
    line_worth: MarkedSet | None = None
    rules: Mapping[RuleKey, RuleText] = field(default_factory=dict)
    powers: Mapping[str, Power] = field(default_factory=dict)
    asides: Mapping[tuple[str, str], RuleText] = field(default_factory=dict)
    lowest_first: bool = False
    sides: int = -1
    lead: int = -1
    plays: str = ""

    def side(self, s: Sequence[Any], seat: int) -> int:
        """Return what identifies a seat's side: the content of its cell, or the seat itself without sides."""
        side: int = s[self.sides + seat] if self.sides >= 0 else seat
        return side

    def seat_sides(self, s: Sequence[Any]) -> tuple[int, ...]:
        """Return the side of each seat."""
        return tuple(self.side(s, seat) for seat in range(self.layout.seats))

    @property
    def fractions(self) -> bool:
        """Whether the points of some scoring line are in hundredths."""
        return any(self.functions[line.function].fraction for line in self.scoring)

    @cached_property
    def kinds_told_by_place(self) -> frozenset[str]:
        """Kinds of pieces of which some question distinguishes equal ones by place."""
        return frozenset(kind for site in self.sites if site.by_place >= 0 for kind in site.element.detail)

    @cached_property
    def wagers(self) -> Mapping[int, int]:
        """Menus about wagers -> entry of each that leaves the game as it is. They come in pairs: by one a seat may
        offer a wager, and inside it another seat is asked to go on or to give in."""
        menus = [site for site in self.sites if site.steady >= 0 and site.sealed < 0]
        replies = [site for site in menus if any(self.sites[outer] in menus for outer in site.enclosing)]
        offers = {outer for site in replies for outer in site.enclosing if self.sites[outer] in menus}
        return {n: site.steady for n, site in enumerate(self.sites) if n in offers or site in replies}

    @cached_property
    def turn_sites(self) -> frozenset[int]:
        """Sites of questions that no other question leads to, so that the next seat's turn begins where another one is
        asked there."""
        return frozenset(
            n
            for n, site in enumerate(self.sites)
            if not site.enclosing and site.sealed < 0 and site.remaining_seats < 0
        )

    @cached_property
    def has_dropouts(self) -> bool:
        """Whether seats may be asked in turn while some drop out."""
        return any(site.remaining_seats >= 0 for site in self.sites)

    def decode(self, function: int, number: int) -> int | float:
        """Return a function's number as people write it."""
        return from_hundredths(number) if self.functions[function].fraction else number

    @cached_property
    def names(self) -> tuple[str, ...] | None:
        """Names of the pieces, if none of them ever changes; else None."""
        if self.layout.faces or self.layout.marked:
            return None
        return tuple(self.types[type_].name for type_ in self.type_of)

    def possible_types(self, piece: int) -> range:
        """Return the numbers of the types that a piece can show."""
        face, first = self.layout.faces.get(piece), self.type_of[piece]
        return range(first, first + (1 if face is None else 1 + face.last - face.first))

    def shown_type(self, s: Sequence[Any], piece: int) -> int:
        """Return the number of the type that a piece shows now, without its marks."""
        face = self.layout.faces.get(piece)
        return self.type_of[piece] if face is None else self.type_of[piece] + s[face.cell] - face.first

    def appearance(self, s: Sequence[Any], piece: int) -> int:
        """Return a number for a piece's present appearance: the number of its type, if its marks have their initial
        contents."""
        if self.names is not None:
            return self.type_of[piece]
        face = self.shown_type(s, piece)
        if piece not in self.layout.marked:
            return face
        return self.appearance_of(face, ((mark, s[mark.address + piece]) for mark, _ in self.layout.marked[piece]))

    def appearance_of(self, face: int, marks: Iterable[tuple[Mark, int]]) -> int:
        """Return the number of the appearance of a type with given marks."""
        kind, number = self.types[face].kind, 0
        for mark, content in marks:
            if mark.visible and (more := content - mark.initial_by_kind[kind]):
                number += (2 * more if more > 0 else -2 * more - 1) << (MARK_BITS * mark.number)
        return face + len(self.types) * number
