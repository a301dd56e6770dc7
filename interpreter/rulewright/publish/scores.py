"""Scores: sheets to write them into, as a page of a book and to be cut out, counters that hold them, and races."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from rulewright.base.records import record
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Localizer, phrase
from rulewright.model.constant_evaluation import FigureEvaluator
from rulewright.model.declarations import SEAT, canonical
from rulewright.model.edition import Edition
from rulewright.model.statements import top_statements
from rulewright.syntax.change_nodes import Shuffle
from rulewright.syntax.source import Scalar

_LONGEST_RACE = 300
"""Greatest goal that a page draws."""


class ScorePad(TypedDict):
    """Score pad as the table's page gets it. words: word list whose words are its lines; counters: that of the points,
    and that of whether a line is free."""

    words: str
    counters: list[str]


class Race(TypedDict):
    """Race as the table's page gets it. counter: of the seats; goal: value with which it is won."""

    counter: str
    goal: int


@record
class ScoreSheet:
    """Score sheet. lines: titles of its lines; total: title of the last line; columns: number of players."""

    lines: tuple[str, ...]
    total: str
    columns: int


def score_sheet(edition: Edition, localizer: Localizer) -> ScoreSheet | None:
    """Return the score sheet of an edition, or None if its score has fewer than two lines."""
    lines = tuple(localizer.title(Terms(edition).score(line.name)) for line in edition.scoring)
    return ScoreSheet(lines, localizer.say(phrase("rulebook", "Total")), edition.people[1]) if len(lines) > 1 else None


def score_counters(edition: Edition) -> list[str]:
    """List the visible counters of seats and sides that are a line of the score unchanged."""
    prefixes = {SEAT: "", edition.sides: f"my {edition.sides}'s "}
    by_term = {
        canonical(prefixes[counter.of] + name): name
        for name, counter in edition.counters.items()
        if counter.shown and counter.of in prefixes
    }
    names = (by_term.get(canonical(line.points.text)) for line in edition.scoring)
    return [name for name in names if name is not None]


def total_counter(edition: Edition) -> str:
    """Return the visible counter of seats that is the whole score, or ''."""
    counters = score_counters(edition)
    return counters[0] if len(edition.scoring) == 1 and counters and edition.counters[counters[0]].of == SEAT else ""


def score_pad(edition: Edition) -> ScorePad | None:
    """Return the score pad that stands before each seat; None without one."""
    pad = edition.score_pad_counters
    return {"words": edition.counters[pad[0]].by, "counters": list(pad)} if pad else None


def race(edition: Edition, seats: int, options: Mapping[str, str]) -> Race | None:
    """Return the race that an edition declares, with its goal for a number of seats and options; None without one, or
    where the goal is no number that can be drawn."""
    if edition.race is None:
        return None
    counter, value = edition.race
    goal = FigureEvaluator(edition, seats, options).figure(value)
    return {"counter": counter, "goal": goal} if type(goal) is int and 0 < goal <= _LONGEST_RACE else None


def deals(edition: Edition) -> bool:
    """Return whether each round is a deal: one of its phases always shuffles, and the game is scored."""
    keyword = f"{Shuffle.keyword()} "
    statements = (one for phase in edition.phases for one in top_statements(phase.body))
    return bool(edition.scoring) and any(isinstance(one, Scalar) and one.text.startswith(keyword) for one in statements)
