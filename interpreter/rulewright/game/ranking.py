"""The result of a game: points line by line, ranks, and what was compared where points alone did not decide."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from rulewright.base.records import record
from rulewright.game.messages import Messages, answer
from rulewright.i18n.localizer import Argument, phrase
from rulewright.program.form import added_up
from rulewright.runtime import view as views
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State

_KEY = re.compile(r"\s*(?:(?P<extreme>highest|lowest)\s+(?P<of>.+?)|(?P<first>.+?)\s+first)\s*", re.DOTALL)
_NUMBER_OF = re.compile(r"number of ([\w ]+)")
_USUAL = "highest score"


@record
class Standing:
    """The result of one seat. lines: title and points; rank: 1 for the winner, shared by equals; ties: what decided
    between seats of equal points, and the seat's own number there, or '' where it was not tied: the same titles for
    all seats."""

    seat: int
    lines: tuple[tuple[str, int | float], ...]
    total: int | float
    rank: int
    ties: tuple[tuple[str, str], ...] = field(default=(), compare=False)


def standings(machine: Machine, state: State, messages: Messages, say: Callable[[Argument], str]) -> list[Standing]:
    """The results so far, best first; none of a game that ended without a result."""
    program = machine.program
    ranks = views.ranks(machine, state)

    def number(function: int, seat: int) -> int | float:
        return program.told(function, machine.call(function, state, seat)[0][0])

    def points(seat: int) -> tuple[tuple[str, int | float], ...]:
        titles = (say(messages.text(line.title, (), None)) for line in program.scoring)
        return tuple((title, number(line.function, seat)) for title, line in zip(titles, program.scoring, strict=True))

    lines = {seat: points(seat) for seat in ranks}
    totals = {seat: added_up(found for _, found in lines[seat]) for seat in ranks}
    keys = {seat: [number(function, seat) for function in program.ranking] for seat in ranks}
    decided = list(_decided(messages, totals, keys)) if program.scoring else []
    found = [
        Standing(
            seat,
            lines[seat],
            totals[seat],
            rank,
            tuple((say(title), say(told[seat]) if seat in told else "") for title, told in decided),
        )
        for seat, rank in ranks.items()
    ]
    return sorted(found, key=lambda standing: (standing.rank, standing.seat))


def behind(found: Sequence[Standing], conceded: Sequence[int]) -> list[Standing]:
    """The same with those last who have conceded: who did so first is the very last."""
    stayed = [one for one in found if one.seat not in conceded]
    left = sorted((one for one in found if one.seat in conceded), key=lambda one: -conceded.index(one.seat))
    ranked = [replace(one, rank=1 + sum(other.rank < one.rank for other in stayed)) for one in stayed]
    return ranked + [replace(one, rank=number) for number, one in enumerate(left, len(stayed) + 1)]


def _decided(
    messages: Messages, totals: Mapping[int, int | float], keys: Mapping[int, Sequence[int | float]]
) -> Iterator[tuple[Argument, dict[int, Argument]]]:
    """What decided between equals: what it is called, and the numbers of those that it was asked of."""
    ranking = messages.edition.ranking
    written = ranking.text if ranking is not None else _USUAL
    equals: dict[int, tuple[int | float, ...]] = {seat: (total,) for seat, total in totals.items()}
    for number, key in enumerate(_parts(written)):
        groups = Counter(equals.values())
        asked = {seat for seat, so_far in equals.items() if groups[so_far] > 1}
        told = _KEY.fullmatch(key)
        equals = {seat: (*so_far, keys[seat][number]) for seat, so_far in equals.items()}
        if told is None or len({equals[seat] for seat in asked}) == len({equals[seat][:-1] for seat in asked}):
            continue
        counter = messages.edition.counters.get(told["first"] or told["of"])
        if counter is not None and not counter.shown:
            continue  # what only the rules need
        if told["first"]:
            yield _called(messages, told["first"]), {seat: answer(bool(keys[seat][number])) for seat in asked}
            continue
        sign = 1 if told["extreme"] == "highest" else -1
        yield _called(messages, told["of"]), {seat: sign * keys[seat][number] for seat in asked}


def _parts(written: str) -> list[str]:
    """The keys of a ranking: what stands between commas outside parentheses."""
    depth, parts = 0, [""]
    for character in written:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _called(messages: Messages, amount: str) -> Argument:
    """What people call an amount: by the name of a figure of statistics, a scoring line, a zone or a counter that is
    the same; else just that it decides between equals."""
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
