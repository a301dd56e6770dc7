"""Score sheets: a table to write scores into, as a page of a book and to be cut out."""

from __future__ import annotations

from rulewright.base.records import record
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Localizer, phrase
from rulewright.model.declarations import Edition


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
