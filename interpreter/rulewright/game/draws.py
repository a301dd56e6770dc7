"""Editions whose games can end in a draw: those with a mark such as `won first`, which nobody may have at the end."""

from __future__ import annotations

import re

from rulewright.compiler.edition_analysis import bodies_of, head_of
from rulewright.model.edition import Edition
from rulewright.model.statements import top_statements
from rulewright.syntax.source import Node

_BY_MARK = re.compile(r"\s*(?P<mark>[\w ]+?) first\s*")
_END = "end game"


def can_be_drawn(edition: Edition) -> bool:
    """Return whether the rules can end the game without a winner: somewhere they end it, though nobody need have the
    mark by which the ranking goes. A game with points is none of these."""
    match = _BY_MARK.fullmatch(edition.ranking.text) if edition.ranking is not None else None
    if match is None or edition.scoring:
        return False
    marking = re.compile(rf"set (.+'s )?{re.escape(match['mark'])} to yes")
    bodies = [phase.body for phase in edition.phases] + [step.body for step in edition.steps.values()]
    bodies += [hook.body for changes in edition.change_sets for hook in changes.hooks]
    return any(_ends_undecided(body, marking, decided=False) for body in bodies)


def _ends_undecided(body: Node, marking: re.Pattern[str], decided: bool) -> bool:
    """Return whether a body may end the game before a statement in front of that has marked somebody."""
    for statement in top_statements(body):
        head = head_of(statement)
        text = head.text if head is not None else ""
        if text == _END and not decided:
            return True
        inner = bodies_of(statement)
        if any(_ends_undecided(one, marking, decided) for one in inner):
            return True
        loops = text.startswith("each ") and any(
            marking.fullmatch(one.text) for body in inner for each in top_statements(body) if (one := head_of(each))
        )
        decided = decided or bool(marking.fullmatch(text)) or loops
    return False
