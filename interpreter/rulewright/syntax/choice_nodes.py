"""Nodes of the syntax tree for statements that choose: seats that are asked, and chance."""

from __future__ import annotations

from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.part_nodes import HowMany, Outcome
from rulewright.syntax.statement_nodes import Loop, Question, Statement
from rulewright.syntax.tree import Name, node


@node
class Choose(Question):
    """Choice of pieces, seats or words: `choose 1 from hand into front`, `choose 1 from opponents as victim`."""

    clauses = frozenset(["ask", "none", "none at", "some", "all", "by place"])
    moves_pieces = True
    how_many: HowMany
    source: Expression
    outcome: Outcome


@node
class ChooseGroup(Question):
    """Choice of members that are a group together, one by one: `choose 3 or more from hand that make one meld into
    front`. group: the figure that says what is a group."""

    clauses = frozenset(["ask", "none", "ask more", "none more"])
    moves_pieces = True
    how_many: HowMany
    source: Expression
    group: Name
    outcome: Outcome


@node
class ChooseAtRandom(Statement):
    """Choice by chance, of which nobody is asked: `choose at random 1 from colours as sure`. weight: figure of each
    member that its chance is proportional to, as in `… weighted by rank`; None: all are equally likely."""

    moves_pieces = True
    how_many: HowMany
    source: Expression
    weight: Expression | None
    outcome: Outcome


@node
class ChooseNumber(Question):
    """Choice of a whole number from a range, both ends included: `choose number from 1 to gold as bid`."""

    clauses = frozenset(["ask", "none", "text"])
    low: Expression
    high: Expression
    name: Name


@node
class ChooseOne(Question):
    """Choice of one of the branches under `among`: `choose one as plan:`. name: of the decision, None without."""

    clauses = frozenset(["ask", "none", "none if", "among"])
    name: Name | None


@node
class May(Question):
    """Choice whether `do` is done: `may as boast:`. name: of the decision, None without."""

    clauses = frozenset(["ask", "do"])
    name: Name | None


@node
class RepeatChoosing(Question, Loop):
    """Choice of a branch under `among`, again and again until `none` is taken or nothing can be chosen: `repeat
    choosing one:`. name: of the decision, None without."""

    has_body = False
    clauses = frozenset(["ask", "none", "none if", "among"])
    name: Name | None
