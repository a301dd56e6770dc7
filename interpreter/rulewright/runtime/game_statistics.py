"""Statistics of games besides their results: leads, powers, choices offered and chosen.

The counts of one game are a row of whole numbers, independent of the players: number of lead changes; number of the
seat that last led alone, from 1; and for each seat its first ranking value, its measures, how often it had each power,
and how often it used each power that asks something.

Choices are summed over games as they are played, so that nothing has to be stored for each game: SUMS numbers with
fractions for every choice offered to a seat, and as many for every choice made. `StatisticsLayout.entry` has the
layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import lcm
from typing import Any

from rulewright.base.records import record
from rulewright.program.form import Program, Site
from rulewright.program.state_layout import NOTHING
from rulewright.runtime.view import HIDDEN, sees_zone

MAX_CHOICES = 60
"""Limit of words, or types of pieces, whose choices are counted."""
MAX_COUNTED_NUMBER = 40
"""The largest number counted by itself; larger ones are counted together."""
RANGE, RANGES_END = 10, 100
"""Numbers above MAX_COUNTED_NUMBER are counted together, RANGE at a time, up to RANGES_END; all above that are one
choice.
"""
EMPTY = "nothing"
"""Choice of an empty answer."""
SOME = "some"
"""Single choice for all candidates, where there are too many to count each."""
LEAD_CHANGES, AHEAD, OF_GAME = 0, 1, 2
"""Indices of a row outside of the seats' parts."""
EVERYBODY = -1
"""Viewer of a zone that everybody sees; else a seat, or NOBODY."""
NOBODY = -2
"""Viewer of a zone that nobody sees."""
OFFERED, PICKED = range(2)
"""Halves of the sums of a choice: when it was offered, and when it was made."""
GAMES, WON, POINTS, SQUARES, TIMES = range(5)
"""Sums of a choice: games in which it occurred; over these, the seat's part of the win, in WIN-ths, its points and
their squares; number of occurrences. Games without a result count for none of them."""
SUMS = 6
"""Numbers of an entry: an even number, to add two at a time; the last is 0."""
WIN = lcm(*range(1, 13))
"""Parts of a whole win: it makes the parts of a shared win whole numbers."""


@record
class CountedDecision:
    """Decision for statistics, joining all sites with its id.

    step: in which it is asked; base: type of a candidate; choices: names, the empty answer last; table: index of a
    candidate -> choice; `StatisticsLayout.choice` computes the index.
    """

    id: str
    step: str
    base: str
    choices: tuple[str, ...]
    table: tuple[int, ...]
    first: int
    """Offset of its choices among those of all decisions."""
    sites: tuple[int, ...]

    @property
    def hidden(self) -> int:
        """Choice for candidates hidden from the chooser."""
        return len(self.choices) - 2


class StatisticsLayout:
    """Statistics layout of one program's games. decisions: those counted; choices: number of their choices together;
    decision_of: by site; measures, powers, leading: functions of the program, the last that of the first ranking value;
    power_decisions: for each power that asks something, the decisions that show its use."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.decisions: list[CountedDecision] = []
        self.choices = 0  # of all decisions
        for numbers in _group_equal_sites(program.sites):
            self._add_question(numbers)
        self.decision_of = {site: question for question in self.decisions for site in question.sites}
        self.measures = tuple(measure.function for measure in program.measures)
        self.powers = tuple(power.function for power in program.powers.values())
        self.leading = program.ranking[0]
        self.power_decisions = dict(self._find_power_decisions())

    def _add_question(self, numbers: list[int]) -> None:
        """Add one decision for sites that ask the same."""
        sites = [self.program.sites[number] for number in numbers]
        names, table = self._named_choices(sites)
        choices = (*names, EMPTY)
        base = sites[0].element.base
        question = CountedDecision(sites[0].id, sites[0].step, base, choices, table, self.choices, tuple(numbers))
        self.decisions.append(question)
        self.choices += len(choices)

    def _named_choices(self, sites: list[Site]) -> tuple[list[str], tuple[int, ...]]:
        """Return the choices' names, and the choice of each index."""
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
                names = ["below 0", *map(str, range(MAX_COUNTED_NUMBER + 1))]
                table = list(range(len(names)))
                for first in range(MAX_COUNTED_NUMBER + 1, RANGES_END, RANGE):
                    table += [len(names)] * RANGE
                    names.append(f"{first} to {first + RANGE - 1}")
                return [*names, f"over {RANGES_END}"], (*table, len(names))
            case _:
                return self._piece_choices(sites)
        if len(names) > MAX_CHOICES:
            return [SOME], (0,) * len(names)
        return names, tuple(range(len(names)))

    def _piece_choices(self, sites: list[Site]) -> tuple[list[str], tuple[int, ...]]:
        """Return the choices of a decision about pieces: names of their types, or of their kinds if there are too many
        types; and the choice of each type."""
        types = self.program.types
        kinds = frozenset[str]().union(*(frozenset(site.element.detail) for site in sites))
        types_shown = [type_ for type_ in types if not kinds or type_.kind in kinds]
        names = list(dict.fromkeys(type_.name for type_ in types_shown))
        by_kind = len(names) > MAX_CHOICES
        if by_kind:
            names = list(dict.fromkeys(type_.kind for type_ in types_shown))
        places = {name: place for place, name in enumerate(names)}
        table = tuple(places.get(type_.kind if by_kind else type_.name, len(names)) for type_ in types)
        return [*names, HIDDEN], table

    # ── row ──

    @cached_property
    def seat_width(self) -> int:
        """Count of a row's numbers for each seat."""
        return self.uses_offset + len(self.power_decisions)

    @property
    def size(self) -> int:
        """Count of a row's numbers, the seats' and the game's."""
        return OF_GAME + self.program.layout.seats * self.seat_width

    # Offsets within a seat's part of the row; the first ranking value is at 0.

    @property
    def measures_offset(self) -> int:
        """Offset of the measures in a seat's part."""
        return 1

    @property
    def powers_offset(self) -> int:
        """Offset of the powers in a seat's part, behind the measures."""
        return self.measures_offset + len(self.measures)

    @property
    def uses_offset(self) -> int:
        """Offset of the uses of powers in a seat's part, behind the powers."""
        return self.powers_offset + len(self.powers)

    def power_use(self, question: CountedDecision) -> tuple[int, Sequence[int]] | None:
        """Return the offset of the uses of the power that a decision is about, and the choices that use it; None
        without such a power."""
        for place, (_, asking) in enumerate(self.power_decisions.items(), self.uses_offset):
            if question in asking:
                return place, range(1, 2) if question.base == "truth" else range(len(question.choices) - 1)
        return None

    # ── sums ──

    def entry(self, seat: int, kind: int, choice: int) -> int:
        """Return the offset of the sums of a choice (its index among all), for OFFERED or PICKED."""
        return SUMS * ((2 * seat + kind) * self.choices + choice)

    @property
    def sums(self) -> int:
        """Number of sums in all."""
        return self.entry(self.program.layout.seats, 0, 0)

    # ── choices ──

    @cached_property
    def viewers(self) -> tuple[int, ...]:
        """Viewer of each cell that holds a zone: EVERYBODY, NOBODY, or the one seat that sees it."""
        result = [EVERYBODY] * self.program.layout.size
        for space in self.program.layout.zones:
            if not sees_zone(space, None):
                result[space.address] = space.owner if sees_zone(space, space.owner) else NOBODY
        return tuple(result)

    def choice(self, question: CountedDecision, s: Sequence[Any], seat: int, item: int) -> int:
        """Return the choice of a decision that a candidate is for a seat."""
        match question.base:
            case "piece":
                seer = self.viewers[s[self.program.layout.piece_zones + item]]
                if seer not in (EVERYBODY, seat):
                    return question.hidden
                index = self.program.shown_type(s, item)
            case "seat":
                index = (item - seat) % self.program.layout.seats
            case "number":
                index = max(-1, min(item, RANGES_END + 1)) + 1
            case _:
                index = item
        return question.table[index]

    def is_scored(self, s: Sequence[Any], seat: int) -> bool:
        """Return whether a seat is scored in a state; without roles every seat is."""
        role = s[self.program.layout.role + seat]
        return role == NOTHING or self.program.roles[role] not in self.program.unscored_roles

    def _find_power_decisions(self) -> Iterator[tuple[str, list[CountedDecision]]]:
        """Yield each power that asks something with the decisions whose answers show its use: other than 'no' and the
        empty one."""
        for name in self.program.powers:
            own = [question for question in self.decisions if question.step == name]
            asking = [question for question in own if question.base == "truth"] or own[:1]
            if asking:
                yield name, asking


def _group_equal_sites(sites: Sequence[Site]) -> list[list[int]]:
    """Group the numbers of sites that ask the same."""
    groups: dict[tuple[str, str, Any], list[int]] = {}
    for number, site in enumerate(sites):
        detail = "" if site.element.base == "piece" else site.element.detail
        groups.setdefault((site.id, site.element.base, (detail, site.branches)), []).append(number)
    return list(groups.values())
