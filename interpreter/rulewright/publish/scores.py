"""Scores: sheets to write them into, as a page of a book and to be cut out, and counters that hold them."""

from __future__ import annotations

from rulewright.base.records import record
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Localizer, phrase
from rulewright.model.declarations import SEAT, canonical
from rulewright.model.edition import Edition


@record
class ScoreSheet:
    """Score sheet. lines: titles of its lines; total: title of the last line; columns: number of players."""

    lines: tuple[str, ...]
    total: str
    columns: int


def score_sheet(edition: Edition, localizer: Localizer) -> ScoreSheet | None:
    """Return the score sheet of an edition, or None if there is nothing to add up."""
    lines = tuple(localizer.title(Terms(edition).score(line.name)) for line in edition.scoring)
    return ScoreSheet(lines, localizer.say(phrase("rulebook", "Total")), edition.people[1]) if len(lines) > 1 else None


def score_counters(edition: Edition) -> list[str]:
    """List the visible counters of seats that are a line of the score unchanged."""
    by_name = {canonical(name): counter for name, counter in edition.counters.items()}
    line_counters = (by_name.get(canonical(line.points.text)) for line in edition.scoring)
    return [one.name for one in line_counters if one is not None and one.of == SEAT and one.shown]


def total_counter(edition: Edition) -> str:
    """Return the visible counter of seats that is the whole score, or ''."""
    counters = score_counters(edition)
    return counters[0] if len(edition.scoring) == 1 and counters else ""
