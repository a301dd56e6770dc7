"""Facts of a game for checks, in the form of a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.authoring.scenarios.case_game import CaseGame
from rulewright.authoring.scenarios.zone_expectations import Mismatch
from rulewright.runtime.view import View

AT_ITS_LIMIT = "at its limit"
"""Value of `over` in a case whose game the limit has ended."""
MAX_LINES = 12
"""Limit of log lines in a message."""


def measured_number(seat: int, function: int) -> Callable[[CaseGame], str]:
    """Return a function that computes a measure of a seat in a case. function: its number in the program."""
    return lambda table: str(int(table.game.machine.call(function, table.game.state, seat)[0][0]))


def lines_difference(expected: Sequence[str], lines: Sequence[str]) -> Mismatch | None:
    """Return the first expected line that is missing, and the lines after the one before it; None if all occur in
    order. Where none is expected, there is none."""
    if not expected:
        return ("nothing is told", _shortened(lines)) if lines else None
    position, typed = 0, [_typed(line) for line in lines]
    for line in expected:
        try:
            position = typed.index(_typed(line), position) + 1
        except ValueError:
            return line, _shortened(lines[position:]) or "nothing more was told"
    return None


def _shortened(lines: Sequence[str]) -> str:
    """Join the first lines, and tell how many follow."""
    more = [f"… {len(lines) - MAX_LINES} more"] if len(lines) > MAX_LINES else []
    return "\n".join([*lines[:MAX_LINES], *more])


def _typed(line: str) -> str:
    """Replace the minus of print by that of keyboards."""
    return line.replace("−", "-")


def cell_content(cell: int, table: CaseGame) -> int:
    """Return what a cell of the state holds."""
    number: int = table.game.state[cell]
    return number


def powers_of(seat: int) -> Callable[[CaseGame], list[str]]:
    """Return a function that returns the names of a seat's powers in force, sorted."""
    return lambda table: sorted(table.game.view(None).powers[seat])


def visible_points(see: Callable[[CaseGame], View], seat: int) -> Callable[[CaseGame], str]:
    """Return a function that returns a seat's points as a view shows them: a number, 'hidden' or 'not scored'."""

    def look(table: CaseGame) -> str:
        score = see(table).scores[seat]
        return "not scored" if score is None else "hidden" if score.total is None else str(score.total)

    return look


def end_text(table: CaseGame) -> str:
    """Return whether the game is over: AT_ITS_LIMIT, 'yes' or 'no'."""
    return AT_ITS_LIMIT if table.game.position.limit_text() is not None else yes_or_no(table.game.over)


def yes_or_no(truth: object) -> str:
    """Return 'yes' or 'no', as a case has it, for any value by its truth."""
    return "yes" if truth else "no"
