"""Scope of a sentence: names bound in it, who acts, and the constructs around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from rulewright.base.records import record
from rulewright.compiler.typed_values import Meaning
from rulewright.program.value_types import Type


@record
class Round:
    """Cells of a `go round`. seats: those that are still in, a set; next: index of the next one among them, the first
    again if there is none; current: the seat whose turn it is."""

    seats: int
    next: int
    current: int


@record
class AtOnceProgress:
    """Progress of a seat inside an `at once`. effects: whether effects may have happened; waited: whether it has
    certainly waited for the answers of all."""

    effects: bool = False
    waited: bool = False

    def or_else(self, other: AtOnceProgress) -> AtOnceProgress:
        """Merge the progress of two alternative paths."""
        return AtOnceProgress(self.effects or other.effects, self.waited and other.waited)


Binding = Callable[[], Meaning]
"""Meaning of a bound name, made where the name is used: it may emit code."""


def fixed_binding(meaning: Meaning) -> Binding:
    """Return the binding of a meaning that is the same wherever the name is used."""
    return lambda: meaning


@dataclass(eq=False)
class Frame:
    """Construct around a sentence that an inner sentence can end, or whose acting seat must be restored.

    - sort: 'loop', 'step', 'phase', 'once' for an `at once`, 'acting' where another seat acts, 'routine' for a
      subroutine
    - name: of a phase or step
    - number: of a phase
    - after: block behind it, None for structured code inside one block
    - previous_seat: cell of the previous acting seat, or -1
    - ends_outer: register that says whether the enclosing construct ends as well, or None
    - sets_ends_outer: whether anything sets that
    - result_type: of a step's result, None without
    - store_result: emits its storing
    - arrivals: progress inside an `at once` of those who end it
    """

    sort: str
    name: str = ""
    number: int = -1
    after: int | None = None
    previous_seat: int = -1
    ends_outer: int | None = None
    sets_ends_outer: bool = False
    result_type: Type | None = None
    store_result: Callable[[Meaning], None] | None = None
    arrivals: list[AtOnceProgress] = field(default_factory=list)


@record
class Scope:
    """Names in scope, and the context of a sentence.

    - step: for decision ids and messages
    - acting_seat: as an operand, None for the seat in the state
    - somebody_acts: whether anybody does
    - item: element that `where`, `has` or an order inspects
    - names: local names as written
    - outer: names of the enclosing list
    - at_once: number of the enclosing `at once`, or -1
    - can_ask: whether decisions may follow, so that names need saved cells
    - round: enclosing `go round`
    - seats_in_round: cell of the seats still in one that seats drop out of, also in called steps, or -1
    - frames: enclosing constructs, outermost first
    - items: the item and those of outer conditions, outermost first
    """

    step: str
    acting_seat: int | None = None
    somebody_acts: bool = True
    item: Meaning | None = None
    names: dict[str, Binding] = field(default_factory=dict)
    outer: Mapping[str, Binding] = field(default_factory=dict)
    at_once: int = -1
    can_ask: bool = False
    round: Round | None = None
    seats_in_round: int = -1
    frames: tuple[Frame, ...] = ()
    items: tuple[Meaning, ...] = ()

    def with_frame(self, frame: Frame) -> Scope:
        """Return the scope inside a construct."""
        return replace(self, frames=(*self.frames, frame))

    def with_item(self, item: Meaning) -> Scope:
        """Return the scope inside `where`, `has` or an order, for an item: nobody can be asked there, and nothing
        ended."""
        return Scope(
            self.step,
            self.acting_seat,
            self.somebody_acts,
            item,
            self.names,
            self.outer,
            self.at_once,
            round=self.round,
            items=(*self.items, item),
        )

    def with_acting_seat(self, seat: int | None) -> Scope:
        """Return the scope of another acting seat, outside the turns of a `go round`. seat: as an operand, None for the
        one in the state."""
        return replace(self, acting_seat=seat, somebody_acts=True, round=None)

    def in_one_block(self) -> Scope:
        """Return the scope of a body inside one block, where nobody is asked."""
        return self._inner(can_ask=False)

    def for_inner_list(self) -> Scope:
        """Return the scope of an inner list of statements."""
        return self._inner(self.can_ask)

    def _inner(self, can_ask: bool) -> Scope:
        """Return a scope for an inner body, which sees these names; those that it binds end with it."""
        names = dict(self.names)
        return replace(self, names=names, outer=self.names, can_ask=can_ask)

    def bind(self, name: str, binding: Binding) -> None:
        """Bind a name exactly as written: `let towns be …` leaves `as town` unchanged, and vice versa."""
        self.names[" ".join(name.split())] = binding
