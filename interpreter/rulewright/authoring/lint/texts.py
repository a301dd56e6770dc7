"""Warn of questions without a text, and of texts that reveal too much."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.authoring.lint import messages
from rulewright.authoring.lint.context import LintContext
from rulewright.base.diagnostics import Report
from rulewright.model.declarations import Zone, canonical
from rulewright.model.statements import TextSlot, log_text, names_of, sentence_lines
from rulewright.syntax.change_nodes import Move
from rulewright.syntax.condition_nodes import Empty, Exists
from rulewright.syntax.expression_nodes import Expression, OverMembers, Path
from rulewright.syntax.flow_nodes import EndGame
from rulewright.syntax.number_nodes import NumberOf
from rulewright.syntax.set_nodes import Inside, Selection, SomeOf, Union
from rulewright.syntax.statement_nodes import Question
from rulewright.syntax.tree import Node


def check(context: LintContext, report: Report) -> None:
    """Warn of choices without `ask`, and of slots that show pieces their reader may not see."""
    for line in context.lines:
        if isinstance(line.tree, Question) and line.clause("ask") is None:
            report.warning(line.scalar.place, messages.NO_ASK(), messages.ADD_ASK_BELOW())
    for _, hook in context.hooks:
        if hook.optional and hook.ask is None:
            report.warning(hook.place, messages.NO_ASK(), messages.ADD_ASK_BESIDE())
    for slot in context.slots:
        _check_slot(slot, context, report)


def _check_slot(slot: TextSlot, context: LintContext, report: Report) -> None:
    """Warn of a slot that names hidden pieces, or whose value depends on them."""
    zone = _zone(slot.tree, context)
    if zone is not None and zone.seen_by == "nobody" and not context.edition.memory and not _moves_next(slot):
        problem = messages.EVERYBODY_READS_HIDDEN if slot.logged else messages.ASKED_READS_HIDDEN
        report.warning(slot.scalar.place, problem(zone=zone.name), messages.TELL_HOW_MANY(zone=zone.name))
        return
    blind = {"nobody", "owner"} if slot.logged and context.edition.seats[1] > 1 else {"nobody"}
    for name in _revealed_zones(slot.tree, context, set()):
        owner_zone = context.zones[name]
        if owner_zone.seen_by in blind and not _shown_next(slot, name):
            problem = messages.ASKED_READS_WHAT_NOBODY_SEES
            if slot.logged:
                unseen = owner_zone.seen_by == "nobody"
                everybody = messages.EVERYBODY_READS_WHAT_NOBODY_SEES, messages.EVERYBODY_READS_WHAT_OWNER_SEES
                problem = everybody[not unseen]
            report.warning(slot.scalar.place, problem(zone=owner_zone.name), messages.MOVE_OR_TELL_HOW_MANY())
            return


def _moves_next(slot: TextSlot) -> bool:
    """Return whether the pieces in a log line move right after it to where they are seen."""
    after = next((node for node in slot.after if log_text(node) is None), None)
    line = next(sentence_lines(after), None) if slot.logged and after is not None else None
    return line is not None and isinstance(line.tree, Move) and line.tree.pieces == slot.tree


def _zone(tree: Expression, context: LintContext) -> Zone | None:
    """Return the zone whose pieces a slot names: {deck}, {top 2 of deck}; None for other slots."""
    match tree:
        case SomeOf():
            return _zone(tree.things, context)
        case Inside():
            return _zone(tree.place, context)
        case Path():
            return context.zones.get(canonical(tree.names[-1].text))
    return None


def _revealed_zones(tree: Node, context: LintContext, open_: set[str]) -> Iterator[str]:
    """Yield the zones whose pieces' faces decide a number or truth, also through terms."""
    for node in tree.walk():
        match node:
            case OverMembers():
                yield from _zones_behind(node.things, context)
            case NumberOf() | Exists() | Empty() if (picked := _source_of_first(node)) is not None:
                yield from _zones_behind(picked, context)
            case Path():
                name = canonical(node.names[-1].text)
                figure = context.figures.get(name)
                if figure is not None and name not in open_:
                    for part in context.trees_of(figure):
                        yield from _revealed_zones(part, context, open_ | {name})


def _source_of_first(tree: Node) -> Expression | None:
    """Return the set whose first members are picked by their faces; None for other expressions."""
    return next((node.things for node in tree.find(Selection)), None)


def _zones_behind(things: Expression, context: LintContext) -> list[str]:
    """Return the zones in the set that a value is computed from."""
    zones: set[str] = set()
    unread = names_of(things)
    while unread:
        name = unread.pop()
        if name in context.zones:
            zones.add(name)
        elif name in context.figures:
            parts = list(context.trees_of(context.figures[name]))
            if all(isinstance(part, Path | Union | Inside | SomeOf) for part in parts):  # a set of pieces
                unread |= names_of(*parts) - zones
    return sorted(zones)


def _shown_next(slot: TextSlot, zone: str) -> bool:
    """Return whether pieces of a zone move, or the game ends, in the statements after the text, so that they are shown
    anyway. zone: its canonical name."""
    return any(
        isinstance(line.tree, EndGame) or (isinstance(line.tree, Move) and zone in names_of(line.tree))
        for node in slot.after
        for line in sentence_lines(node)
    )
