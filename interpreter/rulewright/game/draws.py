"""Editions whose games can end in a draw: those with a mark such as `won first`, which nobody may have at the end."""

from __future__ import annotations

from rulewright.compiler.edition_analysis import bodies_of, head_of
from rulewright.model.edition import Edition
from rulewright.model.statements import top_statements, try_parse
from rulewright.syntax import sentences
from rulewright.syntax.change_nodes import Assign
from rulewright.syntax.condition_nodes import Yes
from rulewright.syntax.expression_nodes import Path
from rulewright.syntax.flow_nodes import Each, EndGame
from rulewright.syntax.part_nodes import TrueFirst
from rulewright.syntax.sentence_cache import use_sentence_cache
from rulewright.syntax.source import Node
from rulewright.syntax.statement_nodes import Statement
from rulewright.syntax.tree import Name


def can_be_drawn(edition: Edition) -> bool:
    """Return whether the rules can end the game without a winner: the ranking goes by a mark of seats, and some
    sentence ends the game before a seat must have it. False for a game with points."""
    if edition.scoring:
        return False
    with use_sentence_cache(edition.cached_as):  # reading one sentence takes a fifth of a second, once for a process
        mark = _ranking_mark(edition)
        if mark is None:
            return False
        bodies = [phase.body for phase in edition.phases] + [step.body for step in edition.steps.values()]
        bodies += [hook.body for changes in edition.change_sets for hook in changes.hooks]
        return any(_ends_undecided(body, mark, decided=False) for body in bodies)


def _ranking_mark(edition: Edition) -> Name | None:
    """Return the counter of the seats that the ranking puts first, or None if it goes by something else."""
    match sentences.keys(edition.ranking.text).keys if edition.ranking is not None else ():
        case (TrueFirst(condition=Path(own=None, names=(mark,))),):
            return mark
    return None


def _ends_undecided(body: Node, mark: Name, decided: bool) -> bool:
    """Return whether a body may end the game before one of its statements gives a seat the mark. decided: whether the
    mark is given already."""
    for statement in top_statements(body):
        tree, inner = _statement(statement), bodies_of(statement)
        if isinstance(tree, EndGame) and not decided:
            return True
        if any(_ends_undecided(one, mark, decided) for one in inner):
            return True
        within = [_statement(one) for body in inner for one in top_statements(body)] if isinstance(tree, Each) else []
        decided = decided or any(_marks(one, mark) for one in (tree, *within))
    return False


def _statement(node: Node) -> Statement | None:
    """Return the sentence of a statement, or None where it is none, such as a log line."""
    head = head_of(node)
    return try_parse(head, sentences.statement) if head is not None else None


def _marks(statement: Statement | None, mark: Name) -> bool:
    """Return whether a statement gives the mark to some seat."""
    match statement:
        case Assign(counter=Path(names=(*_, name)), value=Yes()):
            return name == mark
    return False
