"""Warn of questions without a text, and of texts that reveal too much or say nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.authoring.lint import messages
from rulewright.authoring.lint.context import LintContext
from rulewright.base.diagnostics import Report
from rulewright.model.declarations import Zone, canonical
from rulewright.model.statements import TextSlot, log_text, names_of, sentence_lines
from rulewright.syntax.expression_nodes import (
    Empty,
    Exists,
    Expression,
    Extreme,
    Inside,
    NumberOf,
    Path,
    Quantified,
    SetExpression,
    SomeOf,
    Total,
    Union,
)
from rulewright.syntax.statement_nodes import EndGame, Move, Question
from rulewright.syntax.tree import Node


def check(context: LintContext, report: Report) -> None:
    """Warn of choices without `ask`, and of slots about pieces that the reader may not see."""
    for line in context.lines:
        if isinstance(line.tree, Question) and line.clause("ask") is None:
            report.warning(line.scalar.place, messages.NO_ASK(), messages.ADD_ASK_BELOW())
    for _, hook in context.hooks:
        if hook.optional and hook.ask is None:
            report.warning(hook.place, messages.NO_ASK(), messages.ADD_ASK_BESIDE())
    for slot in context.slots:
        _check(slot, context, report)


def _check(slot: TextSlot, context: LintContext, report: Report) -> None:
    zone = _zone(slot.tree, context)
    if zone is not None and zone.seen_by == "nobody" and not context.edition.memory and not _passed_on(slot):
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


def _passed_on(slot: TextSlot) -> bool:
    """Return whether the pieces in a log line are moved right after it, to be seen there."""
    after = next((node for node in slot.after if log_text(node) is None), None)
    line = next(sentence_lines(after), None) if slot.logged and after is not None else None
    return line is not None and isinstance(line.tree, Move) and line.tree.pieces == slot.tree


def _zone(tree: Expression, context: LintContext) -> Zone | None:
    """Return the zone whose pieces a slot names: {deck}, {top 2 of deck}."""
    match tree:
        case SomeOf():
            return _zone(tree.things, context)
        case Inside():
            return _zone(tree.place, context)
        case Path():
            return context.zones.get(canonical(tree.names[-1].text))
    return None


def _revealed_zones(tree: Node, context: LintContext, open_: set[str]) -> Iterator[str]:
    """Yield the zones whose pieces' faces a number or truth is worked out from, over whatever terms."""
    for node in tree.walk():
        match node:
            case Total() | Extreme() | Quantified():
                yield from _zones_behind(node.things, context)
            case NumberOf() | Exists() | Empty() if (picked := _picked(node)) is not None:
                yield from _zones_behind(picked, context)
            case Path():
                name = canonical(node.names[-1].text)
                figure = context.figures.get(name)
                if figure is not None and name not in open_:
                    for part in context.trees_of(figure):
                        yield from _revealed_zones(part, context, open_ | {name})


def _picked(tree: Node) -> Expression | None:
    """Return the set from which the first members are picked by what they show."""
    return next((node.picked_from for node in tree.find(SetExpression) if node.picked_from is not None), None)


def _zones_behind(things: Expression, context: LintContext) -> list[str]:
    """Return the zones in the set that something is worked out from."""
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
    """Return whether the pieces are moved, or the game ends, right after the text, so that it tells what is shown."""
    return any(
        isinstance(line.tree, EndGame) or (isinstance(line.tree, Move) and zone in names_of(line.tree))
        for node in slot.after
        for line in sentence_lines(node)
    )
