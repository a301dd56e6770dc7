"""An edition: all of its declarations, and what follows from several of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rulewright.base.diagnostics import RelatedPlace, SourcePlace, did_you_mean
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.base.wording import Wording
from rulewright.model import messages
from rulewright.model.artwork import Look, TokenLook
from rulewright.model.declarations import (
    NUMBER,
    NUMBERS,
    SLOT,
    Board,
    ChangeSet,
    CounterDeclaration,
    Figure,
    Kind,
    LimitDeclaration,
    MeasureDeclaration,
    Noun,
    OptionDeclaration,
    Phase,
    RecordLook,
    Role,
    Ruling,
    ScoreDeclaration,
    Step,
    WordList,
    Zone,
    written_number,
)
from rulewright.model.lost_names import LostNames
from rulewright.syntax.names_with_reserved_words import join_name
from rulewright.syntax.nouns import plural
from rulewright.syntax.source import MappingNode, Scalar


@record
class KnownDigests:
    """Function that returns digests computed before, in pickles instead of the function that computes them."""

    digests: tuple[str, str]

    def __call__(self, tree: MappingNode) -> tuple[str, str]:
        return self.digests


@dataclass
class Edition:
    """All declarations of an edition. `hash` identifies its rules, whatever its comments and layout; `play_digest`
    identifies the rules that affect play, whatever its texts for people: saved games depend on it. tree: merged source,
    as one file would have it; compute_digests: computes both digests of the tree on first use, since an editor reads
    the file at every keystroke."""

    name: str
    file: str
    compute_digests: Callable[[MappingNode], tuple[str, str]] = field(repr=False, compare=False)
    tree: MappingNode = field(repr=False)
    bases: tuple[str, ...] = ()
    """Names of the editions that it extends, the nearest first."""
    removed: Mapping[str, SourcePlace] = field(default_factory=dict)
    """Places where it, or an edition that it extends, removes a declaration, by that one's name."""
    title: str = ""
    edition: str = ""
    """Text that distinguishes it from other editions of the game, such as a year; or ''."""
    series: str = ""
    """The series of games with which lists show it."""
    credits: str = ""
    text: Scalar | None = None
    reconstructed: Mapping[str, str] = field(default_factory=dict)
    """Guesses of the edition where published rules say nothing, by dotted place."""
    people: tuple[int, int] = (2, 2)
    """Least and greatest number of players, without virtual ones."""
    seats: tuple[int, int] = (2, 2)
    """Least and greatest number of seats, virtual players included."""
    minutes: tuple[int, int] | None = None
    """Least and greatest length of a game."""
    age: int | None = None
    """Years from which on people play it."""
    memory: bool = False
    """True if players know hidden pieces that they have seen before."""
    words: dict[str, WordList] = field(default_factory=dict)
    boards: dict[str, Board] = field(default_factory=dict)
    sides: str = ""
    """The word list of which each seat plays a word; '' if there are no sides."""
    kinds: dict[str, Kind] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    """Values and terms, by name."""
    counters: dict[str, CounterDeclaration] = field(default_factory=dict)
    steps: dict[str, Step] = field(default_factory=dict)
    setup: Phase | None = None
    """The set-up; None without such a section."""
    phases: list[Phase] = field(default_factory=list)
    """Phases of a round, in order."""
    change_sets: list[ChangeSet] = field(default_factory=list)
    """Changes by powers, roles and choices of options: a set for each."""
    roles: dict[str, Role] = field(default_factory=dict)
    """Virtual players, by name."""
    options: dict[str, OptionDeclaration] = field(default_factory=dict)
    scoring: list[ScoreDeclaration] = field(default_factory=list)
    """Lines of the score, in order."""
    ranking: Scalar | None = None
    """Keys by which seats are ranked; None for the highest score."""
    ranking_text: Scalar | None = None
    """Text for people about the ranking."""
    limit: LimitDeclaration = field(default_factory=LimitDeclaration)
    rulings: dict[str, Ruling] = field(default_factory=dict)
    """Answers to rare questions, by name."""
    measures: list[MeasureDeclaration] = field(default_factory=list)
    """Further numbers of each seat, for reports and for readers."""
    looks: dict[str, Look] = field(default_factory=dict)
    """Looks of pieces, by kind."""
    layouts: dict[str, str] = field(default_factory=dict)
    """Layouts of zones, as declared."""
    screen_places: dict[str, str] = field(default_factory=dict)
    """The parts of a screen where zones stand, as declared."""
    board_kinds: dict[str, str] = field(default_factory=dict)
    """The ways in which boards are drawn, as declared."""
    space_places: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    """Column and row of each space as drawn, by board."""
    upper_sides: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Words of `sides` whose seats sit at the upper edge, by board, as declared."""
    space_numbers: dict[str, tuple[dict[int, int], ...]] = field(default_factory=dict)
    """Numbers of a board's spaces for each of its sides, by its word list: who plays a side reads these."""
    marked_spaces: dict[str, dict[str, Scalar]] = field(default_factory=dict)
    """Terms of spaces that have a mark, by mark and board."""
    leading_seats: dict[str, Scalar] = field(default_factory=dict)
    """Terms of the seats that lead in a zone, by zone."""
    apart_pieces: dict[str, Scalar] = field(default_factory=dict)
    """Terms of a seat's pieces that lie apart from the others of a zone, by zone."""
    hidden_at_end: set[str] = field(default_factory=set)
    """Zones that are not laid open when the game is over."""
    plate_measures: tuple[str, ...] = ()
    """Measures shown beside the names of seats."""
    lead_measure: str = ""
    """The measure in which only the lead of one of two seats is shown."""
    goals: dict[str, str] = field(default_factory=dict)
    """The counter of what each means to reach, by counter of seats."""
    score_pad_counters: tuple[str, str] | None = None
    """Two counters of seats for words, a line for each word: its points, and whether it is still free."""
    score_pad_worth: Scalar | None = None
    """Expression of what each line of the score pad would bring; None where this is not shown."""
    race: tuple[str, str] | None = None
    """A counter of seats, and the value or term that it is to reach, drawn as a track."""
    step_points_titles: dict[str, str] = field(default_factory=dict)
    """Titles on the score sheet of the points that a step or phase brings, by its name."""
    final_measures: tuple[str, ...] = ()
    """Measures on the score sheet of a game that is over."""
    has_late_points: bool = False
    """True if points are shown at the end only."""
    record: RecordLook | None = None
    choices_without_points: Mapping[str, str] = field(default_factory=dict)
    """Choices of options with which readers are shown no points, by option."""
    grounds: dict[str, Scalar] = field(default_factory=dict)
    """The picture that fills a space, by board."""
    surroundings: dict[str, Scalar] = field(default_factory=dict)
    """The picture around a board."""
    gap_grounds: dict[str, Scalar] = field(default_factory=dict)
    """The picture between the spaces, by board."""
    edge_colours: dict[str, dict[str, str]] = field(default_factory=dict)
    """Colours of words at the outer edges, by board."""
    space_signs: dict[str, Scalar] = field(default_factory=dict)
    """The small picture in a space, by board."""
    space_widths: dict[str, int] = field(default_factory=dict)
    """Millimetres of a space of a board that is printed."""
    tokens: dict[str, TokenLook] = field(default_factory=dict)
    """Looks of counters."""
    setup_places: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Zones, counters and boards that a step of the set-up fills, by step."""
    shown_properties: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Attributes and tables that readers are shown, by word list; without one, each reader has its own default."""
    aid: tuple[RuleKey, ...] = ()
    """Rules that a player aid tells besides."""
    rule_pictures: dict[str, Scalar] = field(default_factory=dict)
    """Name patterns of pictures of rules, by key."""
    files: tuple[Path, ...] = ()
    """The own file and those that it extends, the nearest first."""
    lost: LostNames = field(default_factory=LostNames)
    """Names of what is wrong with it and left out."""
    asides: tuple[tuple[str, Scalar], ...] = ()
    """Texts with figures from files of cases and examples, each with its key in catalogs."""

    @cached_property
    def digests(self) -> tuple[str, str]:
        """Pair of `hash` and `play_digest`."""
        return self.compute_digests(self.tree)

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle, with its digests in place of the function that computes them."""
        return {**self.__dict__, "compute_digests": KnownDigests(self.digests)}

    @property
    def cached_as(self) -> str:
        """Name of its cached sentences: its file, or '' for a text without one, which no other run reads again."""
        return self.file if self.files else ""

    @property
    def hash(self) -> str:
        """Digest of the rules, whatever their comments and layout; looks, minutes, age and rulings do not count."""
        return self.digests[0]

    @property
    def play_digest(self) -> str:
        """Digest of the rules that affect play, whatever the texts for people."""
        return self.digests[1]

    def unknown_name_hints(self, name: str, known: Iterable[str]) -> tuple[Wording, ...]:
        """Return a hint for an unknown name: where it was removed, or the nearest known name; () without one."""
        place = self.removed.get(name)
        return (messages.REMOVED_IN(file=place.file, line=place.line),) if place else did_you_mean(name, known)

    def removed_at(self, name: str) -> tuple[RelatedPlace, ...]:
        """Return the place where an unknown name was removed, as the only item; () if it was not."""
        place = self.removed.get(name)
        return (RelatedPlace(place, messages.REMOVED_HERE(name=name)),) if place else ()

    def is_of_pieces(self, of: str) -> bool:
        """Return whether an owner `of` is a kind of piece, and no word list of that name."""
        return of in self.kinds and of not in self.words

    def initial_text(self, counter: CounterDeclaration) -> str:
        """Return the initial value of a counter, as text: for one by words whose values differ, 'WORD VALUE, …';
        for the sides, their words; 'nothing' for a list."""
        if counter.most:
            return "nothing"
        if counter.side:
            return ", ".join(word.name for word in self.words[counter.holds].words)
        if len(set(counter.starts)) > 1:
            words = self.words[counter.by].words
            pairs = zip(words, counter.starts, strict=True)
            return ", ".join(f"{word.name} {self._written_start(counter.holds, start)}" for word, start in pairs)
        return self._written_start(counter.holds, counter.starts[0] if counter.starts else counter.start)

    def _written_start(self, holds: str, start: int) -> str:
        """Return the initial content of a cell of a counter as in a file; 'nothing' for no word, 'nobody' for no
        seat."""
        if holds in NUMBERS:
            return str(written_number(holds, start))
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
        """Return the texts of rules, by dotted name: those that are not blank, of zones and counters only if shown.

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
        """Return the figures that have a noun and no parameters, and are not of pieces, each as a text that shows it:
        'values.NAME' -> '{NAME}'."""
        figures = (figure for figure in self.figures.values() if not self.is_of_pieces(figure.of))
        visible = (figure for figure in figures if figure.noun and not figure.parameters)
        return [(f"values.{figure.name}", Scalar(f"{{{join_name(figure.name)}}}", figure.place)) for figure in visible]

    def full_title(self) -> str:
        """Return the title, followed by the name of the edition after a space if it has one."""
        return f"{self.title} {self.edition}".strip()

    def space_number(self, spaces: str, word: int, seat: int) -> int:
        """Return the number by which a seat calls a space, as `looks` gives it; 0 if it has none. word: index of the
        space."""
        sides = self.space_numbers.get(spaces)
        return sides[seat % len(sides)].get(word, 0) if sides else 0

    def own_name(self, words: str, number: int) -> str:
        """Return the noun of a word if no other word of its list has it, such as that of a space; else ''. number:
        index of the word."""
        nouns = [word.noun.one for word in self.words[words].words]
        return nouns[number] if nouns.count(nouns[number]) == 1 else ""

    def seat_counts(self) -> range:
        """Return all numbers of seats with which it is played, ascending."""
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
