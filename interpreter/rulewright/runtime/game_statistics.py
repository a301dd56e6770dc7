"""What is counted of games besides their results: who leads, who has which power, choices offered and taken.

The counts of one game are a row of whole numbers, the same whoever plays: how often the lead changed, the number of the
seat that last led alone, from 1; and of each seat what the ranking goes by first, its measures, how often it had each
power, and how often it used each that asks something.

Choices are summed up over games as they are played, so that nothing has to be kept of each: SUMS numbers with fractions
for every choice that a seat can be offered, and as many for what it chose. `Counting.entry` says where they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import lcm
from typing import Any

from rulewright.base.records import record
from rulewright.program.form import NOTHING, Program, Site
from rulewright.runtime.view import HIDDEN, sees

MOST_CHOICES = 60  # of words, or of types of pieces
LARGEST_NUMBER = 40  # that is counted by itself
RANGE, RANGES_END = 10, 100
EMPTY = "nothing"
SOME = "some"
LEAD_CHANGES, AHEAD, OF_GAME = 0, 1, 2  # the numbers of the row that belong to no seat
EVERYBODY = -1  # sees a zone; else a seat, or NOTHING - 1 for nobody
NOBODY = -2
OFFERED, CHOSEN = range(2)
GAMES, WON, POINTS, SQUARES, TIMES = range(5)
"""What is summed up of a choice: the games in which it was there at least once; over these, the seat's part of the win,
in WIN-ths, its points and their squares; and how often it was there. Games without a result count for none of it."""
SUMS = 6  # numbers of an entry, so that two at a time can be added; the last is 0
WIN = lcm(*range(1, 13))  # so that the parts of a shared win are whole


@record
class CountedDecision:
    """A decision as it is counted, from all sites with its id.

    base: what a candidate is; choices: their names, the empty answer last; table: index of a candidate -> choice, the
    index being worked out by `Counting.index`.
    """

    id: str
    step: str
    base: str
    choices: tuple[str, ...]
    table: tuple[int, ...]
    first: int  # its first choice among those of all questions
    sites: tuple[int, ...]

    @property
    def hidden(self) -> int:
        """The choice of what its chooser does not see."""
        return len(self.choices) - 2


class Counting:
    """What is counted of the games of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.questions: list[CountedDecision] = []
        self.choices = 0  # of all questions
        for numbers in _same(program.sites):
            self._add(numbers)
        self.question_of = {site: question for question in self.questions for site in question.sites}
        self.measures = tuple(measure.function for measure in program.measures)
        self.powers = tuple(power.function for power in program.powers.values())
        self.leading = program.ranking[0]
        self.used = dict(self._used())

    def _add(self, numbers: list[int]) -> None:
        sites = [self.program.sites[number] for number in numbers]
        names, table = self._named(sites)
        choices = (*names, EMPTY)
        base = sites[0].element.base
        question = CountedDecision(sites[0].id, sites[0].step, base, choices, table, self.choices, tuple(numbers))
        self.questions.append(question)
        self.choices += len(choices)

    def _named(self, sites: list[Site]) -> tuple[list[str], tuple[int, ...]]:
        """The choices' names, and the choice of each index."""
        program, element = self.program, sites[0].element
        match element.base:
            case "branch":
                names = list(sites[0].branches)
            case "truth":
                names = ["no", "yes"]
            case "word":
                names = list(program.words[str(element.detail)])
            case "seat":
                names = ["self", *(f"left {n}" for n in range(1, program.layout.seats))]
            case "number":
                names = ["below 0", *map(str, range(LARGEST_NUMBER + 1))]
                table = list(range(len(names)))
                for first in range(LARGEST_NUMBER + 1, RANGES_END, RANGE):
                    table += [len(names)] * RANGE
                    names.append(f"{first} to {first + RANGE - 1}")
                return [*names, f"over {RANGES_END}"], (*table, len(names))
            case _:
                return self._pieces(sites)
        if len(names) > MOST_CHOICES:
            return [SOME], (0,) * len(names)
        return names, tuple(range(len(names)))

    def _pieces(self, sites: list[Site]) -> tuple[list[str], tuple[int, ...]]:
        types = self.program.types
        kinds = frozenset[str]().union(*(frozenset(site.element.detail) for site in sites))
        shown = [type_ for type_ in types if not kinds or type_.kind in kinds]
        names = list(dict.fromkeys(type_.name for type_ in shown))
        by_kind = len(names) > MOST_CHOICES
        if by_kind:
            names = list(dict.fromkeys(type_.kind for type_ in shown))
        places = {name: place for place, name in enumerate(names)}
        table = tuple(places.get(type_.kind if by_kind else type_.name, len(names)) for type_ in types)
        return [*names, HIDDEN], table

    # ── the row ──

    @cached_property
    def of_seat(self) -> int:
        """How many numbers each seat has."""
        return self.uses + len(self.used)

    @property
    def size(self) -> int:
        return OF_GAME + self.program.layout.seats * self.of_seat

    # Where a seat's numbers begin, among its own; what the ranking goes by comes first.

    @property
    def measured(self) -> int:
        return 1

    @property
    def held(self) -> int:
        return self.measured + len(self.measures)

    @property
    def uses(self) -> int:
        return self.held + len(self.powers)

    def using(self, question: CountedDecision) -> tuple[int, Sequence[int]] | None:
        """Where, among a seat's numbers, the uses of the power stand that a question is about, and the answers to it
        that use the power; None for what uses none."""
        for place, (_, asking) in enumerate(self.used.items(), self.uses):
            if question in asking:
                return place, range(1, 2) if question.base == "truth" else range(len(question.choices) - 1)
        return None

    # ── the sums ──

    def entry(self, seat: int, what: int, choice: int) -> int:
        """Where the sums of a choice begin, of all questions' choices, that was OFFERED or CHOSEN."""
        return SUMS * ((2 * seat + what) * self.choices + choice)

    @property
    def sums(self) -> int:
        """How many numbers these are in all."""
        return self.entry(self.program.layout.seats, 0, 0)

    # ── what stands for what ──

    @cached_property
    def seers(self) -> tuple[int, ...]:
        """Of every cell that holds a zone: EVERYBODY, NOBODY, or the one seat that sees what lies there."""
        found = [EVERYBODY] * self.program.layout.size
        for space in self.program.layout.spaces:
            if not sees(space, None):
                found[space.address] = space.owner if sees(space, space.owner) else NOBODY
        return tuple(found)

    def choice(self, question: CountedDecision, s: Sequence[Any], seat: int, item: int) -> int:
        """The choice, among its question's, that a candidate is to a seat."""
        match question.base:
            case "piece":
                seer = self.seers[s[self.program.layout.at + item]]
                if seer not in (EVERYBODY, seat):
                    return question.hidden
                index = self.program.face(s, item)
            case "seat":
                index = (item - seat) % self.program.layout.seats
            case "number":
                index = max(-1, min(item, RANGES_END + 1)) + 1
            case _:
                index = item
        return question.table[index]

    def scored(self, s: Sequence[Any], seat: int) -> bool:
        role = s[self.program.layout.role + seat]
        return role == NOTHING or self.program.roles[role] not in self.program.unscored_roles

    def _used(self) -> Iterator[tuple[str, list[CountedDecision]]]:
        """Of each power that asks something, the questions whose answers tell that it is used: not 'no', and not
        nothing."""
        for name in self.program.powers:
            own = [question for question in self.questions if question.step == name]
            asking = [question for question in own if question.base == "truth"] or own[:1]
            if asking:
                yield name, asking


def _same(sites: Sequence[Site]) -> list[list[int]]:
    """The numbers of the sites, those together that ask the same."""
    found: dict[tuple[str, str, Any], list[int]] = {}
    for number, site in enumerate(sites):
        detail = "" if site.element.base == "piece" else site.element.detail
        found.setdefault((site.id, site.element.base, (detail, site.branches)), []).append(number)
    return list(found.values())
