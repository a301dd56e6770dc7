"""Marks of a table, as the edition's looks ask: measures of seats, who leads a trick, and spaces that have won."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from rulewright.program.form import Measure
from rulewright.publish.labels import Labels
from rulewright.runtime.operations import RuleError
from rulewright.server.views.memo import Memo

_SeatFigures = tuple[int | float | None, ...]
_T = TypeVar("_T")


def shown_measures(labels: Labels) -> list[Measure]:
    """List the measures that stand beside the names of seats."""
    by_name = {measure.name: measure for measure in labels.game.program.measures}
    return [by_name[name] for name in labels.edition.plate_measures]


def measures(labels: Labels, seat: int | None, memo: Memo) -> Mapping[str, _SeatFigures]:
    """Return the shown measures of each seat, as far as a reader may know them."""
    position, seats = labels.game.position, range(len(labels.game.names))
    to_show = memo.fixed("shown measures", lambda: shown_measures(labels))

    def build() -> Mapping[str, _SeatFigures]:
        return {
            one.name: tuple([_where_defined(partial(position.measure, one, other, seat), None) for other in seats])
            for one in to_show
        }

    return memo.once(("measures", seat), build, position.ended) if to_show else {}


def leading(labels: Labels, memo: Memo) -> Mapping[str, tuple[int, ...]]:
    """Return, for each zone with a trick, the seats that lead there."""
    game = labels.game
    if not game.program.leading:
        return {}

    def build() -> Mapping[str, tuple[int, ...]]:
        return {
            zone: _where_defined(partial(game.position.members, one, 0), ())
            for zone, one in game.program.leading.items()
        }

    return memo.once("leading", build)


def _where_defined(work_out: Callable[[], _T], otherwise: _T) -> _T:
    """Return a value, or another where the rules give none, such as the trump's suit when there is no trump card."""
    try:
        return work_out()
    except RuleError:
        return otherwise


def winning(labels: Labels) -> Mapping[str, tuple[str, ...]]:
    """Return the spaces with which the winners have won, by the word list of a board; none before the end."""
    game = labels.game
    if not game.position.ended or not game.program.winning:
        return {}
    winners = [standing.seat for standing in game.standings() if standing.rank == 1]
    result: dict[str, tuple[str, ...]] = {}
    for spaces, marked in game.program.winning.items():
        numbers = {number for seat in winners for number in game.position.members(marked, seat)}
        result[spaces] = tuple(game.program.words[spaces][number] for number in sorted(numbers))
    return result
