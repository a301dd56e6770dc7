"""Loops and games without an end, and what stands behind one."""

from __future__ import annotations

from rulewright.declarations import canonical
from rulewright.diagnostics import Place, Report
from rulewright.lint.reading import Line, Reading, items, lines
from rulewright.source import Mapping, Node

END, PIECES = "end game", "move"
"""What a body may do, beside changing the counters it names. No counter is called so: both are the language's words."""

_MOVING = ("move", "swap", "fill", "shuffle", "choose", "choose_at_random")
_COUNTED = {"set": 0, "add": 1, "take": 1}  # where the counter stands


def look(reading: Reading, report: Report) -> None:
    """Warn of `repeat while` whose condition nothing inside can change, of games that never end, and of sentences
    behind `end game`."""
    deeds = _Deeds(reading)
    for line in reading.lines:
        if line.tree.data == "repeat_while" and line.value is not None and not _may_end(line, line.value, deeds):
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


def _may_end(loop: Line, body: Node, deeds: _Deeds) -> bool:
    asked, done = deeds.reading.behind(loop.tree), deeds.of(body)
    return END in done or bool(asked & done) or (PIECES in done and bool(asked & deeds.of_pieces))


class _Deeds:
    """What bodies may do, over all the steps they do, with whatever hooks."""

    def __init__(self, reading: Reading) -> None:
        edition = reading.edition
        self.reading = reading
        self.steps = {canonical(name): step for name, step in edition.steps.items()}
        self._of_step: dict[str, set[str]] = {}
        powered = {canonical(name) for c in edition.change_sets if c.level == "power" for name in c.changes}
        kinds = {canonical(name) for kind in edition.kinds.values() for name in (kind.name, kind.noun.many)}
        self.of_pieces = {*reading.zones, *kinds, *powered, "owner", "card", "piece"}

    def of(self, body: Node) -> set[str]:
        found: set[str] = set()
        for line in lines(body):
            sentence = str(line.tree.data)
            if sentence == "do":
                found |= self._step(canonical(str(line.tree.children[0])))
            elif sentence == "end_game":
                found.add(END)
            elif sentence in _MOVING:
                found.add(PIECES)
            elif sentence in _COUNTED:
                found.add(_counter(line))
        return found

    def _step(self, name: str) -> set[str]:
        step = self.steps.get(name)
        if step is None:
            return set()
        if name not in self._of_step:
            hooked = [hook.body for _, hook in self.reading.hooks if hook.step == step.name]
            self._of_step[name] = set().union(*(self.of(body) for body in (step.body, *hooked)))
        return self._of_step[name]


def _counter(line: Line) -> str:
    path = line.tree.children[_COUNTED[str(line.tree.data)]]
    return canonical(str(path if isinstance(path, str) else path.children[-1]))
