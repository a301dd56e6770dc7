"""Loops and games without an end, and what stands behind one."""

from __future__ import annotations

from rulewright.authoring.lint.context import Reading
from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.model.declarations import NUMBER, SEAT, Edition, canonical
from rulewright.model.statements import SentenceLine, items, lines, names_of
from rulewright.syntax.source import MappingNode, Node
from rulewright.syntax.tree import (
    Change,
    Do,
    DoWhat,
    DropOut,
    EndGame,
    Ending,
    EndPhase,
    Expression,
    GoRound,
    Lookup,
    Path,
    PossessionOf,
    RepeatChoosing,
    RepeatWhile,
    Statement,
    Swap,
    TakeOut,
)

END, PIECES = "end game", "move"
"""What a body may do, beside changing the counters it names. No counter is called so: both are the language's words."""

_FROM_A_STEP = (EndGame, EndPhase)
"""The sentences that end the loop in which a step is done that says them."""


def look(reading: Reading, report: Report) -> None:
    """Warn of loops that nothing inside can end, of games that never end, and of sentences behind `end game` and its
    like."""
    deeds = _Deeds(reading)
    for line in reading.lines:
        if line.value is not None and (told := _endless(line, line.value, deeds)):
            report.warning(line.scalar.place, "endless-loop", *told)
        if line.after and isinstance(line.tree, Ending):
            hint = f"Put it before '{line.tree.called()}', or delete it."
            message = f"This never happens: the {line.tree.ends} has ended before."
            report.warning(_start(line.after[0]), "after-end", message, hint)
    if not any(isinstance(line.tree, EndGame) for line in reading.lines):
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
    match loop.tree:
        case RepeatWhile(condition=condition) if not deeds.may_change(condition, body):
            message = "Nothing inside this loop can end it: what it asks for stays as it is."
            return message, "Change inside it what the condition asks for, or say 'repeat … times'."
        case RepeatChoosing() if _always_offers(loop) and END not in deeds.of(body):
            message = "This menu never ends: there is always something to choose, and nobody can decline."
            return message, "Say with 'none' what ends it, or limit every branch with 'times' or 'if'."
        case GoRound(until=until) if not any(isinstance(line.tree, DropOut) for line in lines(body)):
            if until is None and END not in deeds.of(body):
                return "These rounds never end: nobody drops out.", "Say 'drop out', or 'until' and a condition."
            if until is not None and not deeds.by_seat(until) and not deeds.may_change(until, body):
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

    def may_change(self, condition: Expression, body: Node) -> bool:
        """Whether a body can change what a condition asks for, or ends the game."""
        asked, done = self.reading.behind(condition), self.of(body)
        return END in done or bool(asked & done) or (PIECES in done and bool(asked & self.of_pieces))

    def by_seat(self, condition: Expression) -> bool:
        """Whether a condition can hold for one seat and not for another."""
        return bool(self.reading.behind(condition) & self.of_seats)

    def of(self, body: Node, ending: tuple[type[Statement], ...] = (Ending,)) -> set[str]:
        """ending: the sentences that end the loop which a body stands in."""
        found: set[str] = set()
        for line in lines(body):
            sentence = line.tree
            if isinstance(sentence, Do):
                found |= self._step(canonical(sentence.step.text))
            elif isinstance(sentence, DoWhat):
                found |= self._sayings()
            elif isinstance(sentence, ending):
                found.add(END)
            elif sentence.moves_pieces:
                found.add(PIECES)
                found |= {_last(sentence.one), _last(sentence.other)} if isinstance(sentence, Swap) else set()
            elif isinstance(sentence, TakeOut):
                found |= names_of(sentence)
            elif isinstance(sentence, Change):
                found.add(_last(sentence.changed))
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


def _last(counter: Expression) -> str:
    """Return the name behind which a counter stands, singular; '' where there is none."""
    named = counter.figure if isinstance(counter, Lookup) else counter
    return canonical(named.names[-1].text) if isinstance(named, Path | PossessionOf) else ""
