"""Nodes of the syntax tree for parts of statements, and for the keys of hooks and ranges."""

from __future__ import annotations

from typing import ClassVar

from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.number_nodes import Negative, Number
from rulewright.syntax.tree import Name, Node, Which, node

# ── goals of moves ──


class Target(Node):
    """Goal of a move."""

    zone: Expression
    at_bottom: ClassVar[bool] = False


@node
class EndOf(Target):
    """Zone, whose pieces the moved ones come behind or on top of: `to hand`."""

    zone: Expression


@node
class TopOf(Target):
    """Top of a zone: `to top of discard`. The same end as without these words."""

    zone: Expression


@node
class BottomOf(Target):
    """Bottom of a zone: `to bottom of discard`."""

    at_bottom = True
    zone: Expression


# ── choices ──


class Outcome(Node):
    """Use of what is chosen."""


@node
class Into(Outcome):
    """Move of the chosen pieces to a zone: `into front`."""

    target: Target


@node
class Named(Outcome):
    """Name for the chosen set: `as victim`."""

    name: Name


class HowMany(Node):
    """Number of things to choose."""


@node
class Exactly(HowMany):
    """Fixed number: `2`."""

    number: Expression


@node
class Between(HowMany):
    """Range with both ends: `1 to 3`."""

    low: Expression
    high: Expression


@node
class UpTo(HowMany):
    """Range from none: `up to 2`."""

    number: Expression


@node
class AtLeast(HowMany):
    """Range to all: `2 or more`."""

    number: Expression


@node
class AnyNumber(HowMany):
    """Range from none to all: `any number`."""


# ── orders ──


@node
class Keys(Node):
    """Keys of an order: the first, among equals the next: `ready first, lowest gold`."""

    variadic = True
    keys: tuple[Key, ...]


class Key(Node):
    """One key of an order."""


@node
class ExtremeFirst(Key):
    """Greatest or least figure first: `highest gold`."""

    which: Which
    figure: Expression


@node
class TrueFirst(Key):
    """Members first for which a condition holds: `ready first`."""

    condition: Expression


@node
class Clockwise(Key):
    """Seats around the table from one on: `clockwise from starter`."""

    start: Expression


@node
class AtRandom(Key):
    """Chance: `random`."""


# ── keys of hooks and ranges ──


@node
class HookKey(Node):
    """Key of a hook in a change set: `may before clear table if …`. optional: whether it begins with `may`; when:
    'before', 'after', 'instead of' or 'whenever'; step: that it belongs to."""

    rule = "hook"

    optional: bool
    when: str
    step: Name
    condition: Expression | None


@node
class NumberRange(Node):
    """`2 to 5`; high: None where it is one number."""

    rule = "span"
    low: Number | Negative
    high: Number | Negative | None = None
