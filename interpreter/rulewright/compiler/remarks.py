"""Remarks of a compilation for `check`: doubts about meanings, and conditions with their outcomes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rulewright.base.diagnostics import Diagnostic, RelatedPlace, SourcePlace
from rulewright.base.records import record
from rulewright.base.wording import Wording
from rulewright.compiler.scopes import Binding
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.source import Scalar
from rulewright.syntax.tree import Span


@record
class Condition:
    """Condition of a sentence with its outcomes wherever it was compiled: 0, 1, or None where it depends on the
    game."""

    scalar: Scalar
    tree: Expression
    outcomes: set[int | None] = field(default_factory=set)

    @property
    def span(self) -> Span:
        """Start and end in its sentence."""
        assert self.tree.span is not None
        return self.tree.span


@dataclass
class Remarks:
    """Remarks of the compilation for one number of seats; `check_conditions` reads those of all.

    - warns_of_doubts: whether to look for doubts that are costly to find; others are noted anyway
    - doubts: warnings that something may be understood otherwise than meant, by place
    - conditions: by place of the text, start and end in it
    - shadowed: outer binding of a local name that an inner list of sentences rebinds -> where it first does
    """

    warns_of_doubts: bool = False
    doubts: dict[SourcePlace, Diagnostic] = field(default_factory=dict)
    conditions: dict[tuple[SourcePlace, int, int], Condition] = field(default_factory=dict)
    shadowed: dict[Binding, SourcePlace] = field(default_factory=dict)

    def note_doubt(
        self, place: SourcePlace, problem: Wording, *hints: Wording, related: Iterable[RelatedPlace] = ()
    ) -> None:
        """Note a suspicion, unless there is one at the same place."""
        self.doubts.setdefault(place, Diagnostic(place, problem, hints, "warning", related=tuple(related)))

    def note_condition(self, scalar: Scalar, expression: Expression, outcome: int | None) -> None:
        """Note that a condition is compiled. scalar: its text; outcome: its constant result, if proven."""
        if expression.span is not None:
            key = (scalar.place, *expression.span)
            self.conditions.setdefault(key, Condition(scalar, expression)).outcomes.add(outcome)
