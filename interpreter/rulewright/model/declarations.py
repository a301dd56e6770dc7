"""Data classes for all that an edition declares, with places in its file.

Sentences and expressions stay text here; `compiler` gives them meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.diagnostics import RelatedPlace, SourcePlace, did_you_mean
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.base.wording import Wording
from rulewright.model import messages
from rulewright.program.form import from_parts
from rulewright.syntax.nouns import plural, singular
from rulewright.syntax.reserved_words import join_name
from rulewright.syntax.source import MappingNode, Node, Scalar

if TYPE_CHECKING:
    from rulewright.syntax.expression_nodes import Expression

NUMBER = "number"
FRACTION = "fraction"
"""Type of numbers with fractions, stored in hundredths."""
NUMBERS = (NUMBER, FRACTION)
SEAT = "seat"
ANSWERS_PER_SEAT = 5_000  # in games that random play ends, the longest take some 1,700 at most
QUIET_ROUNDS = 1_000  # in a row, in which nobody is asked; then nobody will be, as a rule
SLOT = re.compile(r"\{([^{}]*)\}")
"""Slot of a text: a name or an expression in braces."""


@lru_cache(1 << 12)
def canonical(name: str) -> str:
    """Return the singular of a name, with single spaces: singular and plural are one name."""
    return singular(" ".join(name.split()))


@dataclass
class LostNames:
    """Names declared by dropped, erroneous entries: mentions of them are not reported again.

    unreadable: those of them that no sentence can hold, as they are written; refused: words of the language that a
    sentence wanted to call something; ambiguous: those of two things; kinds: of piece, and where they stand; meaning:
    whether no sentence means anything before that is right, such as the number of seats.
    """

    names: set[str] = field(default_factory=set)
    unreadable: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    ambiguous: set[str] = field(default_factory=set)
    kinds: dict[str, SourcePlace] = field(default_factory=dict)
    meaning: bool = False

    def __bool__(self) -> bool:
        return bool(self.names)

    def __contains__(self, name: str) -> bool:
        return canonical(name) in self.names

    def add(self, *names: str) -> None:
        """Record names of dropped entries."""
        self.names.update(map(canonical, names))

    def explains_error(self, text: str, offset: int, refused: str) -> bool:
        """Return whether an error reported before explains why a sentence cannot be parsed.

        offset: of the parse error; refused: the word of the language that the sentence uses as a new name, or ''.
        """
        if not self.refused.isdisjoint([*text[:offset].split()[-1:], *text[offset:].split()[:1]]):
            return True
        if refused:
            self.refused.add(refused)
        return any(name in text for name in self.unreadable)


def number_of(holds: str, number: int) -> int | float:
    """Return a stored number of an attribute, table or counter as people write it."""
    return from_parts(number) if holds == FRACTION else number


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
    """Word of a list. title: the heading of its text, or ''; says: the step of `do what X says`, or None."""

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
"""Letter of the spaces of a map without a legend."""


@record
class Board:
    """Board: a graph of spaces, or a map.

    spaces: the word list of its spaces; neighbours: of each space; letters and positions (column and row, from 0) if it
    is a map; steps: for each of them, the space one step on in each direction, or -1; opposites: of each direction, the
    one that leads back; directions: the word list of these, slants: that of what tells straight from diagonal ones;
    columns and rows: the attributes that number a space; each or ''; round: whether lines may come back to where they
    began.
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

    @property
    def word_lists(self) -> tuple[str, ...]:
        """Names of the word lists that the board makes."""
        return tuple(filter(None, (self.spaces, self.directions if self.positions else "", self.slants)))

    @property
    def axes(self) -> tuple[int, ...]:
        """Directions, without the second of each two opposite ones: one for each kind of line."""
        return tuple(way for way, back in enumerate(self.opposites) if way <= back)

    def max_line_length(self, space: int, way: int) -> int:
        """Return the most spaces that a line through a space can have: up to where it closes, or all."""
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

    rows: values of its attributes, in order, with the number of such pieces; changing: the attribute that changes
    during the game, or ''; faces: its values, of which rows have the first; says: as of words.
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
class Look:
    """Artwork of a kind of piece.

    Texts may have slots for the kind's attributes, and for those of its words. card: whether they are cards, to be
    printed; rules: whose text stands on them: by a word that a piece has, or by '' for all others; width: in mm, of
    pieces that are cut out and are no cards, or 0; table: an attribute of a word, told 'for' others, that stands on
    them as a table; only_with: options, each with the choice with which alone they are drawn and counted.
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
    table: str = ""
    only_with: Mapping[str, str] = field(default_factory=dict)

    def pictures(self) -> tuple[Scalar, ...]:
        """Return the name patterns of all its pictures."""
        return tuple(each for each in (self.picture, self.suit, self.ground, *self.signs, self.back) if each)


@record
class TokenLook:
    """Tokens that show a counter at a table.

    copies: how many there are of each value, or of '' if they have none; width: in mm; noun: if they are not called as
    the counter is.
    """

    picture: Scalar | None
    copies: Mapping[str, int]
    width: int
    noun: Noun | None = None


@record
class Zone:
    """Zone that holds pieces. of: SEAT or a word list, each of which has such a zone; '' for one of the table."""

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

    of: its owner, as for zones, or a kind of piece; cases: for {by: …}, the texts of its cases and of their figures;
    otherwise: the figure in any other case; noun: what people call it, or '' if they never read of it; others: the
    figures of this name that other kinds have.
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

    of: its owner, as for zones, or a kind of piece; holds: NUMBER, FRACTION, 'truth', SEAT or the name of a word list;
    start: as its cell begins, -1 for nothing; side: whether it is the word that each seat plays, which begins with the
    next word from seat to seat; marks: where pieces have it, each of their kinds with how it begins; by: the word list
    for whose words it is told, with what it begins as for each; or '' and none; most: how many of these it holds as a
    list, or 0 where it holds one.
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

    name: that of its rule, 'words.LIST.WORD' or 'pieces.KIND', for what a word or a kind of piece says; gives: the type
    of its result, or None.
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

    optional: its owner decides whether.
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

    level: 'option', 'role' or 'power'; changes: name -> ('set' or 'add', expression); overrules: names of others of its
    level that count less.
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
    """Virtual player. joins: number of people -> whether the role must join them (or only may)."""

    name: str
    title: str
    joins: Mapping[int, bool]
    scored: bool
    uses_powers: bool


@record
class OptionDeclaration:
    name: str
    place: SourcePlace
    text: Scalar | None
    choices: tuple[str, ...]
    choice_texts: Mapping[str, Scalar]
    default: int


@record
class Ruling:
    """Clarification of a rule. about: the rule's key, or '' for the game as a whole."""

    name: str
    text: Scalar
    about: RuleKey


@record
class Phase:
    name: str
    title: str
    text: Scalar | None
    body: Node


@record
class ScoreDeclaration:
    name: str
    title: str
    points: Scalar
    text: Scalar | None


@record
class LimitDeclaration:
    """Limit of a game that its rules do not end: answers and rounds, None where not declared.

    scored: whether a game at its limit is scored.
    """

    answers: int | None = None
    rounds: int | None = None
    scored: bool = False

    def answers_of(self, seats: int) -> int:
        """Return the number of answers after which a game with so many seats ends."""
        return ANSWERS_PER_SEAT * seats if self.answers is None else self.answers


@record
class MeasureDeclaration:
    """Figure for statistics, computed for each seat when a game is over."""

    name: str
    title: str
    amount: Scalar
    text: Scalar | None


@record
class KnownDigests:
    """Digests computed before, in place of the function that computes them."""

    digests: tuple[str, str]

    def __call__(self, tree: MappingNode) -> tuple[str, str]:
        return self.digests


@dataclass
class Edition:
    """All declarations of an edition. `hash` identifies its rules, whatever its comments and layout; `plays` what of
    them plays, whatever its words for people: what a saved game needs.

    tree: what it was read from, as one file would say it, for those who ask how and where a thing is written;
    digested: hash and plays of a tree, worked out when somebody asks, for an editor reads at every keystroke.
    """

    name: str
    file: str
    digested: Callable[[MappingNode], tuple[str, str]] = field(repr=False, compare=False)
    tree: MappingNode = field(repr=False)
    bases: tuple[str, ...] = ()  # the editions that it extends, the nearest first
    removed: Mapping[str, SourcePlace] = field(default_factory=dict)  # what it or one of those removes, by its own name
    title: str = ""
    edition: str = ""
    series: str = ""  # what games it stands with in lists
    credits: str = ""
    text: Scalar | None = None
    reconstructed: Mapping[str, str] = field(default_factory=dict)
    people: tuple[int, int] = (2, 2)
    seats: tuple[int, int] = (2, 2)
    minutes: tuple[int, int] | None = None
    age: int | None = None  # from which on people play it
    memory: bool = False  # whether players know pieces that they have seen where these lie
    words: dict[str, WordList] = field(default_factory=dict)
    boards: dict[str, Board] = field(default_factory=dict)
    sides: str = ""  # the word list of which each seat plays a word
    kinds: dict[str, Kind] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    counters: dict[str, CounterDeclaration] = field(default_factory=dict)
    steps: dict[str, Step] = field(default_factory=dict)
    setup: Phase | None = None
    phases: list[Phase] = field(default_factory=list)
    change_sets: list[ChangeSet] = field(default_factory=list)
    roles: dict[str, Role] = field(default_factory=dict)
    options: dict[str, OptionDeclaration] = field(default_factory=dict)
    scoring: list[ScoreDeclaration] = field(default_factory=list)
    ranking: Scalar | None = None
    ranking_text: Scalar | None = None
    limit: LimitDeclaration = field(default_factory=LimitDeclaration)
    rulings: dict[str, Ruling] = field(default_factory=dict)
    measures: list[MeasureDeclaration] = field(default_factory=list)
    looks: dict[str, Look] = field(default_factory=dict)  # of kinds of piece
    layouts: dict[str, str] = field(default_factory=dict)  # of zones, as they are said
    grounds: dict[str, Scalar] = field(default_factory=dict)  # of boards: the picture that fills a space
    surroundings: dict[str, Scalar] = field(default_factory=dict)  # of boards: the picture around them
    space_signs: dict[str, Scalar] = field(default_factory=dict)  # of boards: the small picture in a space
    space_widths: dict[str, int] = field(default_factory=dict)  # of boards that are printed: of a space, in mm
    tokens: dict[str, TokenLook] = field(default_factory=dict)  # of counters
    setup_zones: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by steps of the set-up, where they lead
    carried: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of word lists: what readers are told, if said
    aid: tuple[RuleKey, ...] = ()  # the rules that a player aid tells besides
    rule_pictures: dict[str, Scalar] = field(default_factory=dict)  # by the key of the rule
    files: tuple[Path, ...] = ()  # its own and those that it extends, the nearest first
    lost: LostNames = field(default_factory=LostNames)  # what is wrong with it and left out
    asides: tuple[tuple[str, Scalar], ...] = ()  # more texts with figures, each with its place in catalogs

    @cached_property
    def digests(self) -> tuple[str, str]:
        """Pair of `hash` and `plays`."""
        return self.digested(self.tree)

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle, with its digests in place of the function that computes them."""
        return {**self.__dict__, "digested": KnownDigests(self.digests)}

    @property
    def cached_as(self) -> str:
        """Name of its cached sentences: its file, or '' for a text without one, which no other run reads again."""
        return self.file if self.files else ""

    @property
    def hash(self) -> str:
        return self.digests[0]

    @property
    def plays(self) -> str:
        return self.digests[1]

    def missing(self, name: str, known: Iterable[str]) -> tuple[Wording, ...]:
        """Return a hint for an unknown name: where it was removed, or the nearest known name; () without one."""
        place = self.removed.get(name)
        return (messages.REMOVED_IN(file=place.file, line=place.line),) if place else did_you_mean(name, known)

    def removed_at(self, name: str) -> tuple[RelatedPlace, ...]:
        """Return the place where an unknown name was removed, if it was."""
        place = self.removed.get(name)
        return (RelatedPlace(place, messages.REMOVED_HERE(name=name)),) if place else ()

    def is_of_pieces(self, of: str) -> bool:
        """Return whether an owner `of` is a kind of piece, and no word list of that name."""
        return of in self.kinds and of not in self.words

    def begins(self, counter: CounterDeclaration) -> str:
        """Return the initial value of a counter, as text."""
        if counter.most:
            return "nothing"
        if counter.side:
            return ", ".join(word.name for word in self.words[counter.holds].words)
        if len(set(counter.starts)) > 1:
            words = self.words[counter.by].words
            pairs = zip(words, counter.starts, strict=True)
            return ", ".join(f"{word.name} {self._begins(counter.holds, start)}" for word, start in pairs)
        return self._begins(counter.holds, counter.starts[0] if counter.starts else counter.start)

    def _begins(self, holds: str, start: int) -> str:
        if holds in NUMBERS:
            return str(number_of(holds, start))
        if holds == "truth":
            return "yes" if start else "no"
        words = self.words[holds].words if holds in self.words else ()
        return words[start].name if 0 <= start < len(words) else "nothing" if words else "nobody"

    def say_steps(self) -> dict[RuleKey, Step]:
        """Return the steps that words and kinds of piece say, by rule: 'words.LIST.WORD', 'pieces.KIND'."""
        steps = [word.says for words in self.words.values() for word in words.words]
        steps += [kind.says for kind in self.kinds.values()]
        return {RuleKey(step.name): step for step in steps if step is not None}

    def rule_texts(self) -> dict[RuleKey, Scalar]:
        """Return the texts of rules, by dotted name.

        'edition', 'setup', 'ranking', and 'words.LIST.WORD', 'boards.NAME', 'pieces.NAME', 'zones.NAME',
        'counters.NAME', 'phases.NAME', 'steps.NAME', 'powers.NAME', 'roles.NAME', 'options.NAME',
        'options.NAME.choices.CHOICE', 'scoring.NAME', 'rulings.NAME'.
        """
        texts: dict[RuleKey, Scalar | None] = {
            RuleKey("edition"): self.text,
            RuleKey("ranking"): self.ranking_text,
        }
        texts[RuleKey("setup")] = self.setup.text if self.setup else None
        texts |= {
            RuleKey.of("words", words.name, word=word.name): word.text
            for words in self.words.values()
            for word in words.words
        }
        texts |= {RuleKey.of("boards", board.name): board.text for board in self.boards.values()}
        texts |= {RuleKey.of("pieces", kind.name): kind.text for kind in self.kinds.values()}
        texts |= {RuleKey.of("zones", zone.name): zone.text for zone in self.zones.values() if zone.shown}
        texts |= {
            RuleKey.of("counters", counter.name): counter.text for counter in self.counters.values() if counter.shown
        }
        texts |= {RuleKey.of("phases", phase.name): phase.text for phase in self.phases}
        texts |= {RuleKey.of("steps", step.name): step.text for step in self.steps.values()}
        sets = [changes for changes in self.change_sets if changes.level != "option"]
        texts |= {RuleKey.of(f"{changes.level}s", changes.name): changes.text for changes in sets}
        for option in self.options.values():
            texts[RuleKey.of("options", option.name)] = option.text
            texts |= {RuleKey.of("options", option.name, choice): t for choice, t in option.choice_texts.items()}
        texts |= {RuleKey.of("scoring", line.name): line.text for line in self.scoring}
        texts |= {RuleKey.of("rulings", ruling.name): ruling.text for ruling in self.rulings.values()}
        return {key: text for key, text in texts.items() if text is not None and text.text.strip()}

    def figure_texts(self) -> list[tuple[str, Scalar]]:
        """Return the figures that have a noun, each as a text that shows it: 'values.NAME' -> '{NAME}'."""
        figures = (figure for figure in self.figures.values() if not self.is_of_pieces(figure.of))
        visible = (figure for figure in figures if figure.noun and not figure.parameters)
        return [(f"values.{figure.name}", Scalar(f"{{{join_name(figure.name)}}}", figure.place)) for figure in visible]

    def full_title(self) -> str:
        return f"{self.title} {self.edition}".strip()

    def seat_counts(self) -> range:
        return range(self.seats[0], self.seats[1] + 1)


def noun_of(edition: Edition, kind: Kind, values: Sequence[int]) -> Noun:
    """Return a kind's noun with its {attributes} filled in."""
    slots: dict[str, Noun] = {}
    for (attribute, type_), value in zip(kind.attributes.items(), values, strict=True):
        word = Noun(str(value), str(value)) if type_ == NUMBER else edition.words[type_].words[value].noun
        slots[attribute] = word
    if kind.noun.one.strip("{}") in slots and SLOT.fullmatch(kind.noun.one):
        return slots[kind.noun.one.strip("{}")]
    if "{" not in kind.noun.one:
        return kind.noun
    one = SLOT.sub(lambda match: slots[match[1]].one if match[1] in slots else match[1], kind.noun.one)
    return Noun(one, one if one[-1:].isdigit() else plural(one))
