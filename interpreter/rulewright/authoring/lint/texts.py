"""Questions without a text, and texts that tell too much or nothing."""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token, Tree

from rulewright.authoring.lint.reading import ASKING, Reading
from rulewright.base.diagnostics import Report
from rulewright.model.bodies import TextSlot, lines, log_of, names_of
from rulewright.model.declarations import Zone, canonical
from rulewright.syntax.sentences import Syntax

_WORKED_OUT = ("total", "extreme", "quantified")  # from what the pieces show
_PICKED = ("where", "best", "best_where")  # by what the pieces show


def look(reading: Reading, report: Report) -> None:
    """Warn of choices without `ask`, and of slots about pieces that the reader may not see."""
    for line in reading.lines:
        if line.tree.data in ASKING and line.clause("ask") is None:
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
    return line is not None and line.tree.data == "move" and line.tree.children[0] == slot.tree


def _zone(tree: Tree[Token], reading: Reading) -> Zone | None:
    """The zone whose pieces a slot names: {deck}, {top 2 of deck}."""
    if tree.data == "some_of" and isinstance(tree.children[2], Tree):
        return _zone(tree.children[2], reading)
    if tree.data == "inside" and isinstance(tree.children[1], Tree):
        return _zone(tree.children[1], reading)
    if tree.data != "path":
        return None
    return reading.zones.get(canonical(str(tree.children[-1])))


def _told(tree: Syntax, reading: Reading, open_: set[str]) -> Iterator[str]:
    """The zones whose pieces' faces a number or truth is worked out from, over whatever terms."""
    for node in tree.iter_subtrees():
        worked_out = node.data in _WORKED_OUT
        counted = node.data in ("number_of", "exists", "empty") and any(
            inner.data in _PICKED for inner in node.iter_subtrees()
        )
        if worked_out or counted:
            yield from _zones_behind(node, reading)
        elif node.data == "path":
            name = canonical(str(node.children[-1]))
            figure = reading.figures.get(name)
            if figure is not None and name not in open_:
                for part in reading.trees_of(figure):
                    yield from _told(part, reading, open_ | {name})


def _zones_behind(node: Tree[Token], reading: Reading) -> list[str]:
    """The zones in the set that something is worked out from: the part behind 'of', 'among' or before 'where'."""
    last = node.children[-1]
    if node.data == "quantified":
        last = node.children[1]
    elif node.data in ("number_of", "exists", "empty"):
        last = next(inner for inner in node.iter_subtrees() if inner.data in _PICKED).children[0]
    found: set[str] = set()
    todo = names_of(last) if isinstance(last, Tree) else set()
    while todo:
        name = todo.pop()
        if name in reading.zones:
            found.add(name)
        elif name in reading.figures:
            parts = list(reading.trees_of(reading.figures[name]))
            if all(part.data in ("path", "union", "inside", "some_of") for part in parts):  # a set of pieces
                todo |= names_of(*parts) - found
    return sorted(found)


def _shown_next(slot: TextSlot, zone: str) -> bool:
    """Whether the pieces are moved, or the game ends, right after the text: then it tells what is being shown."""
    return any(
        line.tree.data == "end_game" or (line.tree.data == "move" and zone in names_of(line.tree))
        for node in slot.after
        for line in lines(node)
    )
