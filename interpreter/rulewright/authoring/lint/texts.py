"""Questions without a text, and texts that tell too much or nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.authoring.lint.context import Reading
from rulewright.base.diagnostics import Report
from rulewright.model.declarations import Zone, canonical
from rulewright.model.statements import TextSlot, lines, log_of, names_of
from rulewright.syntax.tree import (
    Empty,
    EndGame,
    Exists,
    Expression,
    Extreme,
    Inside,
    Move,
    Node,
    NumberOf,
    Path,
    Quantified,
    Question,
    SetExpression,
    SomeOf,
    Total,
    Union,
)


def look(reading: Reading, report: Report) -> None:
    """Warn of choices without `ask`, and of slots about pieces that the reader may not see."""
    for line in reading.lines:
        if isinstance(line.tree, Question) and line.clause("ask") is None:
            hint = "Add 'ask: …' below it, indented; the sentence then ends with a colon."
            report.warning(line.scalar.place, "no-ask", "This choice has no text that says what is asked.", hint)
    for _, hook in reading.hooks:
        if hook.optional and hook.ask is None:
            message = "This choice has no text that says what is asked."
            report.warning(hook.place, "no-ask", message, "Add 'ask: …' beside 'do'.")
    for slot in reading.slots:
        _check(slot, reading, report)


def _check(slot: TextSlot, reading: Reading, report: Report) -> None:
    readers = "Everybody reads" if slot.logged else "Who is asked reads"
    zone = _zone(slot.tree, reading)
    if zone is not None and zone.seen_by == "nobody" and not reading.edition.memory and not _passed_on(slot):
        message = f"{readers} only of hidden pieces here: nobody may see what lies in '{zone.name}'."
        hint = f"Tell how many they are, {{number of {zone.name}}}, or move them to a zone that is seen first."
        report.warning(slot.scalar.place, "unreadable", message, hint)
        return
    blind = {"nobody", "owner"} if slot.logged and reading.edition.seats[1] > 1 else {"nobody"}
    for name in _told(slot.tree, reading, set()):
        found = reading.zones[name]
        if found.seen_by in blind and not _shown_next(slot, name):
            who = "nobody" if found.seen_by == "nobody" else "only its owner"
            message = f"{readers} here what the pieces in '{found.name}' show, which {who} may see."
            hint = (
                "Move them to a zone that all see first, or tell only how many they are. If your rule tells it, write"
                " '# meant: tells-hidden' behind the line."
            )
            report.warning(slot.scalar.place, "tells-hidden", message, hint)
            return


def _passed_on(slot: TextSlot) -> bool:
    """Whether what a line names is moved right after it: who sees it arrive reads which it is."""
    after = next((node for node in slot.after if log_of(node) is None), None)
    line = next(lines(after), None) if slot.logged and after is not None else None
    return line is not None and isinstance(line.tree, Move) and line.tree.pieces == slot.tree


def _zone(tree: Expression, reading: Reading) -> Zone | None:
    """Return the zone whose pieces a slot names: {deck}, {top 2 of deck}."""
    match tree:
        case SomeOf():
            return _zone(tree.things, reading)
        case Inside():
            return _zone(tree.place, reading)
        case Path():
            return reading.zones.get(canonical(tree.names[-1].text))
    return None


def _told(tree: Node, reading: Reading, open_: set[str]) -> Iterator[str]:
    """Yield the zones whose pieces' faces a number or truth is worked out from, over whatever terms."""
    for node in tree.walk():
        match node:
            case Total() | Extreme() | Quantified():
                yield from _zones_behind(node.things, reading)
            case NumberOf() | Exists() | Empty() if (picked := _picked(node)) is not None:
                yield from _zones_behind(picked, reading)
            case Path():
                name = canonical(node.names[-1].text)
                figure = reading.figures.get(name)
                if figure is not None and name not in open_:
                    for part in reading.trees_of(figure):
                        yield from _told(part, reading, open_ | {name})


def _picked(tree: Node) -> Expression | None:
    """Return the set from which the first members are picked by what they show."""
    return next((node.picked_from for node in tree.find(SetExpression) if node.picked_from is not None), None)


def _zones_behind(things: Expression, reading: Reading) -> list[str]:
    """Return the zones in the set that something is worked out from."""
    zones: set[str] = set()
    unread = names_of(things)
    while unread:
        name = unread.pop()
        if name in reading.zones:
            zones.add(name)
        elif name in reading.figures:
            parts = list(reading.trees_of(reading.figures[name]))
            if all(isinstance(part, Path | Union | Inside | SomeOf) for part in parts):  # a set of pieces
                unread |= names_of(*parts) - zones
    return sorted(zones)


def _shown_next(slot: TextSlot, zone: str) -> bool:
    """Whether the pieces are moved, or the game ends, right after the text: then it tells what is being shown."""
    return any(
        isinstance(line.tree, EndGame) or (isinstance(line.tree, Move) and zone in names_of(line.tree))
        for node in slot.after
        for line in lines(node)
    )
