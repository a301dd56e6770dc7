"""Results of a game: points by line, ranks, and the values that decided between equal points."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from rulewright.base.records import record
from rulewright.game.messages import Messages, yes_or_no
from rulewright.i18n.localizer import Argument, phrase
from rulewright.model.edition import Edition
from rulewright.program.form import Program
from rulewright.program.value_types import exact_sum
from rulewright.runtime import view as views
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State

_KEY = re.compile(r"\s*(?:(?P<extreme>highest|lowest)\s+(?P<of>.+?)|(?P<first>.+?)\s+first)\s*", re.DOTALL)
"""Key of a ranking: 'highest AMOUNT', 'lowest AMOUNT', or 'CONDITION first'."""
_NUMBER_OF = re.compile(r"number of ([\w ]+)")
"""Amount that counts what is in a zone."""
_USUAL = "highest score"
"""Ranking of an edition that says nothing about it."""


@record
class SeatResult:
    """Result of one seat. lines: titles and points; rank: 1 for the winner, shared by equals; ties: titles (the same
    for all seats) and values that decided between equal points, '' for a seat that was not tied. total: points of all
    lines together."""

    seat: int
    lines: tuple[tuple[str, int | float], ...]
    total: int | float
    rank: int
    ties: tuple[tuple[str, str], ...] = field(default=(), compare=False)


def standings(machine: Machine, state: State, messages: Messages, say: Callable[[Argument], str]) -> list[SeatResult]:
    """Return the results so far, best first; none of a game that ended without a result. say: puts titles and values
    into the reader's language."""
    program = machine.program
    ranks = views.ranks(machine, state)

    def number(function: int, seat: int) -> int | float:
        return program.decode(function, machine.call(function, state, seat)[0][0])

    def points(seat: int) -> tuple[tuple[str, int | float], ...]:
        titles = (say(messages.text(line.title, (), None)) for line in program.scoring)
        return tuple((title, number(line.function, seat)) for title, line in zip(titles, program.scoring, strict=True))

    lines = {seat: points(seat) for seat in ranks}
    totals = {seat: exact_sum(result for _, result in lines[seat]) for seat in ranks}
    keys = {seat: [number(function, seat) for function in program.ranking] for seat in ranks}
    decided = list(_tie_breakers(messages, totals, keys)) if program.scoring else []
    result = [
        SeatResult(
            seat,
            lines[seat],
            totals[seat],
            rank,
            tuple((say(title), say(told[seat]) if seat in told else "") for title, told in decided),
        )
        for seat, rank in ranks.items()
    ]
    return sorted(result, key=lambda one: (one.rank, one.seat))


def counts_points(edition: Edition, program: Program, options: Mapping[str, str]) -> bool:
    """Return whether readers are shown points: the edition's looks may say that some options do without."""
    without = edition.choices_without_points
    choices = ((one.name, options.get(one.name, one.choices[one.default])) for one in program.options)
    return bool(program.scoring) and not any(without.get(name) == choice for name, choice in choices)


def draw_results(machine: Machine, state: State) -> list[SeatResult]:
    """Return the results of a game that all have agreed to call a draw: rank 1 and no points for every seat."""
    return [SeatResult(seat, (), 0, 1) for seat in sorted(views.ranks(machine, state))]


def move_conceded_to_end(results: Sequence[SeatResult], conceded: Sequence[int]) -> list[SeatResult]:
    """Return the results with the seats that have conceded at the end, and ranks anew; the first one to concede comes
    last."""
    stayed = [one for one in results if one.seat not in conceded]
    left = sorted((one for one in results if one.seat in conceded), key=lambda one: -conceded.index(one.seat))
    ranked = [replace(one, rank=1 + sum(other.rank < one.rank for other in stayed)) for one in stayed]
    return ranked + [replace(one, rank=number) for number, one in enumerate(left, len(stayed) + 1)]


def _tie_breakers(
    messages: Messages, totals: Mapping[int, int | float], keys: Mapping[int, Sequence[int | float]]
) -> Iterator[tuple[Argument, dict[int, Argument]]]:
    """Yield each value that decided between equals: its title, and for each seat compared its number, yes or no."""
    ranking = messages.edition.ranking
    ranking_text = ranking.text if ranking is not None else _USUAL
    equals: dict[int, tuple[int | float, ...]] = {seat: (total,) for seat, total in totals.items()}
    for number, key in enumerate(_split_keys(ranking_text)):
        groups = Counter(equals.values())
        tied = {seat for seat, so_far in equals.items() if groups[so_far] > 1}
        match = _KEY.fullmatch(key)
        equals = {seat: (*so_far, keys[seat][number]) for seat, so_far in equals.items()}
        if match is None or len({equals[seat] for seat in tied}) == len({equals[seat][:-1] for seat in tied}):
            continue
        counter = messages.edition.counters.get(match["first"] or match["of"])
        if counter is not None and not counter.shown:
            continue  # an internal key
        if match["first"]:
            yield _title_of(messages, match["first"]), {seat: yes_or_no(bool(keys[seat][number])) for seat in tied}
            continue
        sign = 1 if match["extreme"] == "highest" else -1
        yield _title_of(messages, match["of"]), {seat: sign * keys[seat][number] for seat in tied}


def _split_keys(text: str) -> list[str]:
    """Split the keys of a ranking at commas outside parentheses."""
    depth, parts = 0, [""]
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _title_of(messages: Messages, amount: str) -> Argument:
    """Return the title of an amount: of an equal statistic, scoring line, zone or counter; else a general one."""
    edition, terms, amount = messages.edition, messages.terms, " ".join(amount.split())
    for measure, declared in zip(messages.program.measures, edition.measures, strict=True):
        if " ".join(declared.amount.text.split()) == amount:
            return messages.text(measure.title, (), None)
    for line in edition.scoring:
        if " ".join(line.points.text.split()) == amount:
            return terms.score(line.name)
    counted = _NUMBER_OF.fullmatch(amount)
    if counted is not None and counted[1] in edition.zones:
        return terms.zone(counted[1])
    if amount in edition.counters:
        return terms.counter(amount)
    if amount in edition.figures and edition.figures[amount].noun:
        return terms.figure(amount)
    return phrase("score", "Tie-breaker")
