"""Marks of a table, as the edition's looks ask: measures of seats, who leads a trick, and spaces of boards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from rulewright.game.game import Game
from rulewright.program.form import MarkedSet, Measure
from rulewright.publish.labels import Labels
from rulewright.runtime.operations import RuleError
from rulewright.runtime.view import CounterValue, WordValues
from rulewright.server.views.memo import Memo

_SeatFigures = tuple[int | float | None, ...]
"""Value of a measure for each seat; None where there is none, or none that may be known."""
_T = TypeVar("_T")


def shown_measures(labels: Labels) -> list[Measure]:
    """List the measures, and lines of the score, that stand beside the names of seats."""
    program = labels.game.program
    by_name = {line.name: Measure(line.name, line.title, None, line.function, line.seen_by) for line in program.scoring}
    by_name.update((measure.name, measure) for measure in program.measures)
    return [by_name[name] for name in labels.edition.plate_measures]


def measures(labels: Labels, seat: int | None, memo: Memo) -> Mapping[str, _SeatFigures]:
    """Return the shown measures of each seat; None where a reader may not know one, or the rules give none, and where a
    line of the score brings nothing, or stands on the score sheet."""
    position, seats = labels.game.position, range(len(labels.game.names))
    measured = {measure.name for measure in labels.game.program.measures}
    to_show = memo.fixed("shown measures", lambda: shown_measures(labels))

    def build() -> Mapping[str, _SeatFigures]:
        return {
            one.name: tuple(
                value if one.name in measured or (value and not position.ended) else None for value in values
            )
            for one in to_show
            for values in [[_where_defined(partial(position.measure, one, other, seat), None) for other in seats]]
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


def pad(labels: Labels, memo: Memo) -> tuple[tuple[int | float | None, ...], ...]:
    """Return, for each seat, what each line of its score pad has brought, None while it is free; () if the edition has
    no score pad."""
    declared, counters = labels.edition.score_pad_counters, labels.game.program.layout.counters
    if declared is None:
        return ()
    lines, free = (next(one for one in counters if one.name == name) for name in declared)

    def build() -> tuple[tuple[int | float | None, ...], ...]:
        filled, left = labels.game.position.counter(lines), labels.game.position.counter(free)
        assert isinstance(filled, tuple) and isinstance(left, tuple)
        return tuple(_lines(each, blank) for each, blank in zip(filled, left, strict=True))

    return memo.once("pad", build)


def worth(labels: Labels, memo: Memo) -> tuple[tuple[int, ...], ...]:
    """Return, for each seat that decides, what each line of its score pad would bring now; () for others."""
    game = labels.game
    marked, waiting = game.program.line_worth, game.pending.awaited(None)
    if marked is None:
        return ()

    nothing: tuple[int, ...] = ()

    def build() -> tuple[tuple[int, ...], ...]:
        return tuple(
            _where_defined(partial(game.position.members, marked, seat), nothing) if seat in waiting else nothing
            for seat in range(len(game.names))
        )

    return memo.once("worth", build, waiting)


def apart_pieces(labels: Labels, seat: int) -> Mapping[str, tuple[str, ...]]:
    """Return, by zone, the names of a seat's pieces that lie apart there, for the seat itself."""
    game, program = labels.game, labels.game.program
    nothing: tuple[int, ...] = ()
    pieces = {
        zone: _where_defined(partial(game.position.own_members, marked, seat), nothing)
        for zone, marked in program.apart_pieces.items()
    }
    return {zone: tuple(program.types[program.type_of[piece]].name for piece in each) for zone, each in pieces.items()}


def values_before(labels: Labels, memo: Memo) -> tuple[int, ...]:
    """Return, for each seat, the value in the race that it had before that changed last; () without a race."""
    declared, history = labels.edition.race, labels.game.history
    if declared is None:
        return ()
    counter = next(one for one in labels.game.program.layout.counters if one.name == declared[0])

    def build() -> tuple[int, ...]:
        now, earlier = history.present, [answered.before for answered in reversed(history.answers)]
        cells = range(counter.address, counter.address + counter.cells)
        return tuple(next((state[cell] for state in earlier if state[cell] != now[cell]), now[cell]) for cell in cells)

    return memo.once("values before", build, (len(history.answers), labels.game.position.ended))


def _lines(filled: CounterValue, free: CounterValue) -> tuple[int | float | None, ...]:
    """Return what each line of a pad has brought; None while it is free."""
    assert isinstance(filled, WordValues) and isinstance(free, WordValues)
    values = (value for _, value in filled.entries)
    return tuple(
        value if isinstance(value, int | float) and not blank else None
        for value, (_, blank) in zip(values, free.entries, strict=True)
    )


def _where_defined(work_out: Callable[[], _T], otherwise: _T) -> _T:
    """Return a value, or another where the rules give none, such as the trump's suit when there is no trump card."""
    try:
        return work_out()
    except RuleError:
        return otherwise


def spaces(labels: Labels, mark: str, memo: Memo) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Return, by the word list of a board, the spaces that have a mark, for each seat in order; boards without any are
    left out. For 'winning', the mark of spaces that have won, there is one entry for each winner instead, and none
    before the end."""
    game = labels.game
    marked = game.program.marked_spaces.get(mark, {})
    if not marked or (mark == "winning" and not game.position.ended):
        return {}

    def build() -> Mapping[str, tuple[tuple[str, ...], ...]]:
        seats: Sequence[int] = range(len(game.names))
        if mark == "winning":
            seats = [standing.seat for standing in game.standings() if standing.rank == 1]
        result = {list_: tuple(_words(game, list_, one, seat) for seat in seats) for list_, one in marked.items()}
        return {list_: words for list_, words in result.items() if any(words)}

    return memo.once(("marked", mark), build, game.position.ended)


def _words(game: Game, spaces: str, marked: MarkedSet, seat: int) -> tuple[str, ...]:
    """Return the words of the spaces that have a mark for a seat."""
    numbers: tuple[int, ...] = _where_defined(partial(game.position.members, marked, seat), ())
    return tuple(game.program.words[spaces][number] for number in sorted(set(numbers)))


def marked_for_any(labels: Labels, mark: str, memo: Memo) -> Mapping[str, tuple[str, ...]]:
    """Return the spaces that have a mark for some seat, by the word list of a board."""
    by_seat = spaces(labels, mark, memo)
    return {list_: tuple(sorted({word for words in seats for word in words})) for list_, seats in by_seat.items()}
