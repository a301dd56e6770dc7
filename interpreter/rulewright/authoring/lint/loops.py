"""Loops and games without an end, and what stands behind one."""

from __future__ import annotations

from collections.abc import Container

from lark import Tree

from rulewright.authoring.lint.reading import Reading
from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.model.bodies import SentenceLine, items, lines, names_of
from rulewright.model.declarations import NUMBER, SEAT, Edition, canonical
from rulewright.syntax.sentences import Syntax
from rulewright.syntax.source import MappingNode, Node

END, PIECES = "end game", "move"
"""What a body may do, beside changing the counters it names. No counter is called so: both are the language's words."""

_MOVING = ("move", "swap", "fill", "shuffle", "roll", "choose", "choose_group", "choose_at_random")
_ENDING = {
    "end_game": ("the game has", "end game"),
    "end_phase": ("the phase has", "end phase"),
    "end_step": ("the step has", "end step"),
    "end_loop": ("the loop has", "end loop"),
    "give": ("the step has", "give"),
}
"""The sentences behind which nothing happens in their list: what has ended, and how they begin."""

_FROM_A_STEP = ("end_game", "end_phase")
"""Those that end the loop in which a step is done that says them."""

_COUNTED = {
    "add_to_end": 1,
    "add_to_beginning": 1,
    "sort": 0,
    "set": 0,
    "add": 1,
    "take": 1,
}  # where the counter stands


def look(reading: Reading, report: Report) -> None:
    """Warn of loops that nothing inside can end, of games that never end, and of sentences behind `end game` and its
    like."""
    deeds = _Deeds(reading)
    for line in reading.lines:
        if line.value is not None and (told := _endless(line, line.value, deeds)):
            report.warning(line.scalar.place, "endless-loop", *told)
        if line.after and (ended := _ENDING.get(str(line.tree.data))):
            hint = f"Put it before '{ended[1]}', or delete it."
            report.warning(_start(line.after[0]), "after-end", f"This never happens: {ended[0]} ended before.", hint)
    if not any(line.tree.data == "end_game" for line in reading.lines):
        last = items(reading.edition.phases[-1].body)
        place = _start(last[-1]) if last else reading.edition.phases[-1].body.place
        message = "After this the next round begins, and so for ever: no sentence ends the game."
        report.warning(place, "no-end", message, _how_to_end(reading.edition))


def _how_to_end(edition: Edition) -> str:
    """A sentence that may stand there, by what the edition has."""
    zones = [zone.name for zone in edition.zones.values() if not zone.of]
    counters = [
        one.name for one in edition.counters.values() if (one.of, one.holds, one.by, one.most) == (SEAT, NUMBER, "", 0)
    ]
    if zones:
        return f"Say when it ends, such as 'if {'deck' if 'deck' in zones else zones[0]} is empty: end game'."
    if counters:
        return f"Say when it ends, such as 'if any seat has ({counters[0]} is at least 10): end game'."
    return "Say when it ends, such as 'if round is at least 10: end game'."


def _start(node: Node) -> SourcePlace:
    return next(iter(node.keys.values())).place if isinstance(node, MappingNode) and node.keys else node.place


def _endless(loop: SentenceLine, body: Node, deeds: _Deeds) -> tuple[str, str] | None:
    """What to say of a loop that nothing inside can end, if it is one."""
    match loop.tree.data:
        case "repeat_while" if not deeds.may_change(loop.tree, body):
            message = "Nothing inside this loop can end it: what it asks for stays as it is."
            return message, "Change inside it what the condition asks for, or say 'repeat … times'."
        case "repeat_choosing" if _always_offers(loop) and END not in deeds.of(body):
            message = "This menu never ends: there is always something to choose, and nobody can decline."
            return message, "Say with 'none' what ends it, or limit every branch with 'times' or 'if'."
        case "go_round" if not any(line.tree.data == "drop_out" for line in lines(body)):
            until = loop.tree.children[2]
            if until is None and END not in deeds.of(body):
                return "These rounds never end: nobody drops out.", "Say 'drop out', or 'until' and a condition."
            if isinstance(until, Tree) and not deeds.by_seat(until) and not deeds.may_change(until, body):
                message = "Nothing inside these rounds can end them: what 'until' asks for stays as it is."
                return message, "Change inside them what it asks for, or say 'drop out'."
    return None


def _always_offers(menu: SentenceLine) -> bool:
    among = menu.clause("among")
    branches = list(among.entries.values()) if isinstance(among, MappingNode) else []
    limited = [isinstance(branch, MappingNode) and branch.entries.keys() & {"if", "times"} for branch in branches]
    return menu.clause("none") is None and not all(limited)


class _Deeds:
    """What bodies may do, over all the steps they do, with whatever hooks."""

    def __init__(self, reading: Reading) -> None:
        edition = reading.edition
        self.reading = reading
        self.steps = {canonical(name): step for name, step in edition.steps.items()}
        self._of_step: dict[str, set[str]] = {}
        self._of_sayings: set[str] | None = None
        powered = {canonical(name) for c in edition.change_sets if c.level == "power" for name in c.changes}
        kinds = {canonical(name) for kind in edition.kinds.values() for name in (kind.name, kind.noun.many)}
        places = {canonical(zone.of) for zone in edition.zones.values() if zone.of}
        self.of_pieces = {*reading.zones, *kinds, *powered, *places, "owner", "card", "piece"}
        owners = {name: zone.of for name, zone in edition.zones.items()}
        owners |= {name: figure.of for name, figure in edition.figures.items()}
        owners |= {name: counter.of for name, counter in edition.counters.items()}
        self.of_seats = {"you", "seat", "opponent", "partner"} | {
            canonical(name) for name, of in owners.items() if of == SEAT
        }

    def may_change(self, condition: Syntax, body: Node) -> bool:
        """Whether a body can change what a condition asks for, or ends the game."""
        asked, done = self.reading.behind(condition), self.of(body)
        return END in done or bool(asked & done) or (PIECES in done and bool(asked & self.of_pieces))

    def by_seat(self, condition: Syntax) -> bool:
        """Whether a condition can hold for one seat and not for another."""
        return bool(self.reading.behind(condition) & self.of_seats)

    def of(self, body: Node, ending: Container[str] = _ENDING) -> set[str]:
        """ending: the sentences that end the loop which a body stands in."""
        found: set[str] = set()
        for line in lines(body):
            sentence = str(line.tree.data)
            if sentence == "do":
                found |= self._step(canonical(str(line.tree.children[0])))
            elif sentence == "do_what":
                found |= self._sayings()
            elif sentence in ending:
                found.add(END)
            elif sentence in _MOVING:
                found.add(PIECES)
                found |= {_last(path) for path in line.tree.children} if sentence == "swap" else set()
            elif sentence == "take_out":
                found |= names_of(line.tree)
            elif sentence in _COUNTED:
                found.add(_counter(line))
        return found

    def _sayings(self) -> set[str]:
        """What is done by anything that something says."""
        if self._of_sayings is None:
            self._of_sayings = set()  # while they are looked through: none of them leads back to itself
            said = self.reading.edition.sayings().values()
            self._of_sayings = set().union(*(self.of(step.body) for step in said))
        return self._of_sayings

    def _step(self, name: str) -> set[str]:
        step = self.steps.get(name)
        if step is None:
            return set()
        if name not in self._of_step:
            hooked = [hook.body for _, hook in self.reading.hooks if hook.step == step.name]
            self._of_step[name] = set().union(*(self.of(body, _FROM_A_STEP) for body in (step.body, *hooked)))
        return self._of_step[name]


def _counter(line: SentenceLine) -> str:
    return _last(line.tree.children[_COUNTED[str(line.tree.data)]])


def _last(path: Syntax | str | None) -> str:
    return canonical(str(path.children[-1] if isinstance(path, Tree) else path))
