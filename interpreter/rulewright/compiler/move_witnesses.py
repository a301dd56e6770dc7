"""Log lines next to a `move`: viewers who see the pieces arrive, or saw them leave, read which they are.

Only lines that name exactly the moved pieces count, with only other lines between: `log` before `move gift to hand`,
or after it where `gift` is a local name for the same pieces. The line reveals nothing that the two views do not.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.compiler import moves
from rulewright.compiler.context import Context
from rulewright.compiler.edition_analysis import head_of
from rulewright.compiler.registry import meaning_of
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import as_set, empty_vector
from rulewright.compiler.texts import MovedPieces, emit_argument
from rulewright.compiler.typed_values import Meaning, ReportedError, kinds_in
from rulewright.model.statements import log_text, split_slots, try_parse
from rulewright.syntax import sentences
from rulewright.syntax.change_nodes import Move
from rulewright.syntax.expression_nodes import Expression, Path
from rulewright.syntax.source import Node, Scalar, text_part


class MoveWitnesses:
    """Moves and log lines of one list of statements, which is compiled from the first to the last: a move's
    `emit_zones_before` comes before `moved_by` of the lines behind it."""

    def __init__(self, statements: Sequence[Node]) -> None:
        self._statements = statements
        self._left: dict[int, int] = {}  # index of a log line -> vector of the zones that its pieces left

    def moved_by(self, ctx: Context, number: int, scope: Scope) -> list[MovedPieces]:
        """Return the pieces that moves next to a log line pass on. number: index of the line in the list."""
        moves = []
        after, before = self._nearest_move(number, 1), self._nearest_move(number, -1)
        if after is not None:
            head, tree = after
            moves.append(MovedPieces(tree.pieces, lambda pieces: _destination_zones(ctx, head, tree, pieces, scope)))
        if before is not None and (zones := self._left.get(number)) is not None:
            moves.append(MovedPieces(before[1].pieces, lambda pieces: zones))
        return moves

    def emit_zones_before(self, ctx: Context, number: int, scope: Scope) -> None:
        """Emit code before a move that saves the zones of its pieces, if log lines after it name them. number: index of
        the move in the list."""
        head = head_of(self._statements[number])
        tree = _parse_move(self._statements[number])
        if head is None or tree is None or not _is_local_name(tree.pieces, scope):
            return
        lines = []
        for line in range(number + 1, len(self._statements)):
            scalar = log_text(self._statements[line])
            if scalar is None:
                break
            slots = [text_part(scalar, offset, slot) for _, slot, offset in split_slots(scalar.text) if slot]
            if any(try_parse(slot, sentences.value) == tree.pieces for slot in slots):
                lines.append(line)
        if lines:
            with ctx.emit.telling():
                zones = _origin_zones(ctx, head, tree, scope.in_one_block())
            if zones is not None:
                self._left |= dict.fromkeys(lines, zones)

    def _nearest_move(self, number: int, step: int) -> tuple[Scalar, Move] | None:
        """Return sentence and tree of the move that only log lines part from a statement; None if there is another
        statement, or none. step: 1 for one behind it, -1 for one before."""
        while 0 <= (number := number + step) < len(self._statements):
            if log_text(self._statements[number]) is None:
                head, tree = head_of(self._statements[number]), _parse_move(self._statements[number])
                return None if head is None or tree is None else (head, tree)
        return None


def _parse_move(statement: Node) -> Move | None:
    """Return the tree of a `move` statement, else None."""
    head = head_of(statement)
    tree = try_parse(head, sentences.statement) if head is not None and head.text.lstrip().startswith("move ") else None
    return tree if isinstance(tree, Move) else None


def _is_local_name(pieces: Expression, scope: Scope) -> bool:
    """Whether this is a local name: it stands for the same pieces after they have moved."""
    match pieces:
        case Path(own=None, names=(name,)):
            return name.text in scope.names
    return False


def _moved_pieces(ctx: Context, statement: Move, scope: Scope) -> tuple[Meaning, int] | None:
    """Return the pieces that a move passes on and the address of their target, if all of them arrive there;
    else None."""
    meaning = meaning_of(ctx, statement.pieces, scope)
    members = as_set(ctx, meaning)
    place, _ = moves.target_of(ctx, statement.target, scope)
    if place.zone is None or place.zone.at_most is not None or not kinds_in(members.type) <= kinds_in(place.type):
        return None
    return meaning, place.address


def _destination_zones(ctx: Context, head: Scalar, statement: Move, pieces: int, scope: Scope) -> int | None:
    """Emit the zone to which each piece of a vector moves, as a vector of addresses; None if some may stay."""
    with ctx.reading(head):
        move = _moved_pieces(ctx, statement, scope.in_one_block())
    if move is None:
        return None
    zones = empty_vector(ctx)
    with ctx.emit.each(pieces):
        ctx.emit.op("push", zones, move[1])
    return zones


def _origin_zones(ctx: Context, head: Scalar, statement: Move, scope: Scope) -> int | None:
    """Emit the zone in which each piece lies that a move names, as a vector of addresses; None if some may stay, or the
    move is wrong."""
    try:
        with ctx.reading(head):
            move = _moved_pieces(ctx, statement, scope)
    except ReportedError:
        return None  # the sentence itself reports it
    if move is None:
        return None
    zones = empty_vector(ctx)
    with ctx.emit.each(emit_argument(ctx, move[0])) as piece:
        ctx.emit.op("push", zones, ctx.emit.load(ctx.plan.piece_addresses, piece))
    return zones
