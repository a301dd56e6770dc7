"""Lines of the log beside a `move`: who sees where pieces go, or saw where they lay, reads there which they are.

Only lines that name just what is moved, with nothing but other lines between: `log` before `move gift to hand`, or
after it where `gift` is a name, which stands for the same pieces still. What one line tells, two views have shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.compiler import effects
from rulewright.compiler.context import Context
from rulewright.compiler.edition_analysis import head_of
from rulewright.compiler.texts import MovedPieces, emit_argument
from rulewright.compiler.typed_values import Meaning, ReportedError, Scope
from rulewright.model.bodies import log_of, parsed, slots_of
from rulewright.syntax import sentences
from rulewright.syntax.source import Node, Scalar, part
from rulewright.syntax.tree import Expression, Move, Path


class MoveWitnesses:
    """The moves and lines of one list of statements."""

    def __init__(self, statements: Sequence[Node]) -> None:
        self._statements = statements
        self._left: dict[int, int] = {}  # the zones that pieces have left, by the move's number

    def beside(self, ctx: Context, number: int, scope: Scope) -> list[MovedPieces]:
        """Return the pieces that are passed on beside a line."""
        found = []
        after, before = self._next(number, 1), self._next(number, -1)
        if after is not None:
            head, tree = after
            found.append(MovedPieces(tree.pieces, lambda pieces: _destination_zones(ctx, head, tree, pieces, scope)))
        if before is not None and (zones := self._left.get(number)) is not None:
            found.append(MovedPieces(before[1].pieces, lambda pieces: zones))
        return found

    def note(self, ctx: Context, number: int, scope: Scope) -> None:
        """Before a move: write down where its pieces lie, if lines that follow tell of them."""
        head = head_of(self._statements[number])
        tree = _parse_move(self._statements[number])
        if head is None or tree is None or not _is_local_name(tree.pieces, scope):
            return
        lines = []
        for line in range(number + 1, len(self._statements)):
            scalar = log_of(self._statements[line])
            if scalar is None:
                break
            slots = [part(scalar, at, slot) for _, slot, at in slots_of(scalar.text) if slot]
            if any(parsed(slot, sentences.value) == tree.pieces for slot in slots):
                lines.append(line)
        if lines:
            with ctx.emit.telling():
                zones = _origin_zones(ctx, head, tree, scope.structured())
            if zones is not None:
                self._left |= dict.fromkeys(lines, zones)

    def _next(self, number: int, step: int) -> tuple[Scalar, Move] | None:
        """The move that comes next to a line, over other lines."""
        while 0 <= (number := number + step) < len(self._statements):
            if log_of(self._statements[number]) is None:
                head, tree = head_of(self._statements[number]), _parse_move(self._statements[number])
                return None if head is None or tree is None else (head, tree)
        return None


def _parse_move(statement: Node) -> Move | None:
    head = head_of(statement)
    tree = parsed(head, sentences.statement) if head is not None and head.text.lstrip().startswith("move ") else None
    return tree if isinstance(tree, Move) else None


def _is_local_name(pieces: Expression, scope: Scope) -> bool:
    """Whether this is a name that a sentence has given: it stands for the same pieces still when they have moved."""
    match pieces:
        case Path(own=None, names=(name,)):
            return name.text in scope.names
    return False


def _moved_pieces(ctx: Context, statement: Move, scope: Scope) -> tuple[Meaning, int] | None:
    """The pieces that a move passes on, and the address of where they go, if all of them arrive there."""
    meaning = ctx.meaning(statement.pieces, scope)
    group = ctx.as_group(meaning)
    place, _ = effects.target_of(ctx, statement.target, scope)
    if place.zone is None or place.zone.at_most is not None or not ctx.kinds_in(group.type) <= ctx.kinds_in(place.type):
        return None
    return meaning, place.address


def _destination_zones(ctx: Context, head: Scalar, statement: Move, pieces: int, scope: Scope) -> int | None:
    with ctx.reading(head):
        found = _moved_pieces(ctx, statement, scope.structured())
    if found is None:
        return None
    zones = ctx.emit.vector()
    ctx.emit.op("vector", zones)
    with ctx.emit.each(pieces):
        ctx.emit.op("push", zones, found[1])
    return zones


def _origin_zones(ctx: Context, head: Scalar, statement: Move, scope: Scope) -> int | None:
    try:
        with ctx.reading(head):
            found = _moved_pieces(ctx, statement, scope)
    except ReportedError:
        return None  # as the sentence itself says
    if found is None:
        return None
    zones = ctx.emit.vector()
    ctx.emit.op("vector", zones)
    with ctx.emit.each(emit_argument(ctx, found[0])) as piece:
        ctx.emit.op("push", zones, ctx.emit.load(ctx.plan.at, piece))
    return zones
