"""Nodes of the syntax tree for statements: their base classes, which say what all statements of a kind share.

`change_nodes`, `choice_nodes` and `flow_nodes` have the classes, `part_nodes` their parts. The rule of the same name in
`spec/sentences.lark` (`AddToEnd`: `add_to_end`) shows the sentence of each.
"""

from __future__ import annotations

from typing import ClassVar

from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.tree import Node


class Statement(Node):
    """Item of a `do` list."""

    word: ClassVar[str] = ""
    """Name in messages, where it is not the first words of its sentence; '' else. See `keyword`."""
    has_body: ClassVar[bool] = False
    """True if a colon and a body follow its sentence."""
    clauses: ClassVar[frozenset[str]] = frozenset()
    """Keys that may stand below it."""
    visible: ClassVar[bool] = True
    """True if it may do something that somebody can see."""
    moves_pieces: ClassVar[bool] = False
    """True if it may change what lies where, or which values pieces show."""
    ends: ClassVar[str] = ""
    """Part of the game that it ends: 'loop', 'step', 'phase' or 'game'; '' for none."""

    @property
    def changes(self) -> tuple[Expression, ...]:
        """Parts that name the counters and lists that it changes, for warnings of loops that never end."""
        return ()

    @property
    def test(self) -> Expression | None:
        """Condition under which its body is done; None without one."""
        return None

    @classmethod
    def keyword(cls) -> str:
        """Return its first words, as messages quote them."""
        return cls.word or cls.rule.replace("_", " ")


class Question(Statement):
    """Statement that asks a seat; the game waits for its answer."""


class Loop(Statement):
    """Statement that repeats its body."""

    has_body: ClassVar[bool] = True


class Change(Statement):
    """Statement that changes what it names: as far as nothing else is said, each of its parts. The trace of a game
    leaves these out, since they are written, not read."""

    @property
    def changes(self) -> tuple[Expression, ...]:
        return tuple(part for part in self.values() if isinstance(part, Expression))


class CounterChange(Change):
    """Statement that changes the content of one counter or list, and reads its other parts."""

    counter: Expression

    @property
    def changes(self) -> tuple[Expression, ...]:
        return (self.counter,)


class Ending(Statement):
    """Statement that ends a construct around it: what follows it in its list is not done."""
