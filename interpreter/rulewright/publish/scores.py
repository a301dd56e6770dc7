"""A table to write scores into, as a page of a book and to be cut out."""

from __future__ import annotations

from rulewright.base.records import record
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Speech, phrase
from rulewright.model.declarations import Edition


@record
class Sheet:
    """lines: what is counted; total: the last line; columns: how many players."""

    lines: tuple[str, ...]
    total: str
    columns: int


def sheet(edition: Edition, speech: Speech) -> Sheet | None:
    """The sheet of an edition, if there is anything to add up."""
    lines = tuple(speech.title(Terms(edition).score(line.name)) for line in edition.scoring)
    return Sheet(lines, speech.say(phrase("rulebook", "Total")), edition.people[1]) if len(lines) > 1 else None
