"""Storage of zones in native code: a list of pieces, or only their number."""

from __future__ import annotations

from rulewright.authoring.edition_texts import format_list
from rulewright.authoring.explanations import ExplainedRow
from rulewright.game.library import Rules
from rulewright.program.form import Setting
from rulewright.runtime.native.emit import zones_without_lists
from rulewright.runtime.native.vectors import Unbounded

LABEL = "in large runs"
"""Label of the row; COUNT and LIST are its lines."""
COUNT = "a count is kept of it, and no list: no rule that is played asks in which order its pieces lie"
"""Explanation of a zone of which only the number of pieces is kept."""
LIST = "its pieces are kept in their order: some rule that is played asks for it, or for them one by one"
"""Explanation of a zone of which the list of pieces is kept."""


def explain_storage(rules: Rules, zone: str) -> tuple[ExplainedRow, ...]:
    """Return a row that tells with which numbers of seats, without virtual players and with the usual options, native
    code only counts a zone's pieces; () if native code cannot run the edition."""
    options = tuple(option.default for option in rules.edition.options.values())
    counts: list[str] = []
    lists: list[str] = []
    for seats in rules.edition.seat_counts():
        program = rules.machine(seats, Setting((-1,) * seats, options)).program
        try:
            counted = zones_without_lists(program)
        except Unbounded:
            return ()
        cells = [space.address for space in program.layout.zones if space.name == zone]
        (counts if cells and counted.issuperset(cells) else lists).append(str(seats))
    if counts and lists:
        lines = (f"with {format_list(counts)} seats: {COUNT}", f"with {format_list(lists)} seats: {LIST}")
        return (ExplainedRow(LABEL, lines),)
    return (ExplainedRow(LABEL, (COUNT if counts else LIST,)),)
