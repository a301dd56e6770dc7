"""Nodes of the syntax tree for conditions: expressions that are true or not."""

from __future__ import annotations

from rulewright.syntax.expression_nodes import Expression, OverMembers
from rulewright.syntax.tree import Quantifier, Relation, node


@node
class Or(Expression):
    """Condition of which one part or both hold: `hand is empty or deck is empty`."""

    left: Expression
    right: Expression


@node
class And(Expression):
    """Condition of which both parts hold: `gold is 5 and hand is empty`."""

    left: Expression
    right: Expression


@node
class Not(Expression):
    """Opposite of a condition: `not ready`."""

    operand: Expression


@node
class Compare(Expression):
    """Comparison of two values: `gold is at least 5`, `starter is you`. `are` counts as `is`."""

    left: Expression
    relation: Relation
    right: Expression


@node
class Among(Expression):
    """Membership of a set: `you is among winners`; denied: `you is not among winners`."""

    left: Expression
    denied: bool
    right: Expression


@node
class Empty(Expression):
    """Emptiness of a set: `hand is empty`; denied: `hand is not empty`."""

    things: Expression
    denied: bool


@node
class Exists(Expression):
    """Existence of members of a set, or of groups in it: `any card in hand`, `no card in hand`. `every` without a
    condition parses, too; the compiler reports it."""

    quantifier: Quantifier
    things: Expression


@node
class Quantified(OverMembers):
    """Condition on members of a set: `every card in hand has (colour is red)`. True of no members, for `every`."""

    quantifier: Quantifier
    things: Expression
    condition: Expression


@node
class Yes(Expression):
    """Truth that is always true: `yes`."""

    traceable = False


@node
class No(Expression):
    """Truth that is never true: `no`."""

    traceable = False
