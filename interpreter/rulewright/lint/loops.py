"""Loops and games without an end, and what stands behind one."""

from __future__ import annotations

from rulewright.declarations import canonical
from rulewright.diagnostics import Place, Report
from rulewright.lint.reading import Line, Reading, items, lines
from rulewright.source import Mapping, Node

_MOVING = ("move", "swap", "fill", "shuffle", "choose", "choose_at_random")
_COUNTED = {"set": 0, "add": 1, "take": 1}  # where the counter stands


def look(reading: Reading, report: Report) -> None:
    """Warn of `repeat while` whose condition nothing inside can change, of games that never end, and of sentences
    behind `end game`."""
    for line in reading.lines:
        if line.tree.data == "repeat_while" and line.value is not None and not _may_end(line, line.value, reading):
            message = "Nothing inside this loop can end it: what it asks for stays as it is."
            hint = "Change inside it what the condition asks for, or say 'repeat … times'."
            report.warning(line.scalar.place, "endless-loop", message, hint)
        if line.tree.data == "end_game" and line.after:
            hint = "Put it before 'end game', or delete it."
            report.warning(_start(line.after[0]), "after-end", "This never happens: the game has ended before.", hint)
    if not any(line.tree.data == "end_game" for line in reading.lines):
        last = items(reading.edition.phases[-1].body)
        place = _start(last[-1]) if last else reading.edition.phases[-1].body.place
        message = "After this the next round begins, and so for ever: no sentence ends the game."
        report.warning(place, "no-end", message, "Say when it ends, such as 'if deck is empty: end game'.")


def _start(node: Node) -> Place:
    return next(iter(node.keys.values())).place if isinstance(node, Mapping) and node.keys else node.place


def _may_end(loop: Line, body: Node, reading: Reading) -> bool:
    asked = reading.behind(loop.tree)
    edition = reading.edition
    things = {*reading.zones, "owner", "card", "piece", *map(canonical, edition.kinds)}
    things |= {canonical(kind.noun.many) for kind in edition.kinds.values()}
    powered = {canonical(name) for c in edition.change_sets if c.level == "power" for name in c.changes}
    of_pieces = bool(asked & (things | powered))
    for line in _done(body, reading):
        sentence = str(line.tree.data)
        if sentence == "end_game" or (sentence in _MOVING and of_pieces):
            return True
        if sentence in _COUNTED and _counter(line) in asked:
            return True
    return False


def _counter(line: Line) -> str:
    path = line.tree.children[_COUNTED[str(line.tree.data)]]
    return canonical(str(path if isinstance(path, str) else path.children[-1]))


def _done(body: Node, reading: Reading) -> list[Line]:
    """The sentences of a body and of all steps it does, with their hooks."""
    steps = {canonical(name): step for name, step in reading.edition.steps.items()}
    found: list[Line] = []
    todo, begun = [body], set[str]()
    while todo:
        for line in lines(todo.pop()):
            found.append(line)
            name = canonical(str(line.tree.children[0])) if line.tree.data == "do" else ""
            if name in steps and name not in begun:
                begun.add(name)
                hooked = [hook.body for _, hook in reading.hooks if hook.step == steps[name].name]
                todo += [steps[name].body, *hooked]
    return found
