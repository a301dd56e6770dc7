"""Warn of loops and games without an end, and of statements after an end."""

from __future__ import annotations

from rulewright.authoring.lint import messages
from rulewright.authoring.lint.context import LintContext
from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.base.wording import Wording
from rulewright.model.declarations import NUMBER, SEAT, canonical
from rulewright.model.edition import Edition
from rulewright.model.statements import SentenceLine, names_of, sentence_lines, top_statements
from rulewright.syntax.choice_nodes import RepeatChoosing
from rulewright.syntax.expression_nodes import Expression, Lookup, Path, PossessionOf
from rulewright.syntax.flow_nodes import Do, DoWhat, DropOut, EndGame, EndPhase, GoRound, RepeatWhile
from rulewright.syntax.source import MappingNode, Node
from rulewright.syntax.statement_nodes import Ending, Statement

END, PIECES = "end game", "move"
"""Effects of a body beside changes of counters. No counter has these names: both are words of the language."""

_FROM_A_STEP = (EndGame, EndPhase)
"""Statements in a step that end a loop around its call."""


def check(context: LintContext, report: Report) -> None:
    """Warn of loops that nothing inside can end, of games that never end, and of sentences after `end game` and the
    like."""
    effects = _Effects(context)
    for line in context.lines:
        if line.value is not None and (problem := _find_endless(line, line.value, effects)):
            report.warning(line.scalar.place, *problem)
        if line.after and isinstance(line.tree, Ending):
            hint = messages.PUT_BEFORE_OR_DELETE(sentence=line.tree.keyword())
            report.warning(_start_place(line.after[0]), messages.AFTER_END(ended=line.tree.ends), hint)
    if not any(isinstance(line.tree, EndGame) for line in context.lines):
        last = top_statements(context.edition.phases[-1].body)
        place = _start_place(last[-1]) if last else context.edition.phases[-1].body.place
        report.warning(place, messages.NO_END(), messages.SAY_WHEN_IT_ENDS(sentence=_how_to_end(context.edition)))


def _how_to_end(edition: Edition) -> str:
    """Return a sentence that ends the game, suited to the edition."""
    zones = [zone.name for zone in edition.zones.values() if not zone.of]
    counters = [
        one.name for one in edition.counters.values() if (one.of, one.holds, one.by, one.most) == (SEAT, NUMBER, "", 0)
    ]
    if zones:
        return f"if {'deck' if 'deck' in zones else zones[0]} is empty: end game"
    if counters:
        return f"if any seat has ({counters[0]} is at least 10): end game"
    return "if round is at least 10: end game"


def _start_place(node: Node) -> SourcePlace:
    """Return the place of a statement's first key, or of the statement if it has none."""
    return next(iter(node.keys.values())).place if isinstance(node, MappingNode) and node.keys else node.place


def _find_endless(loop: SentenceLine, body: Node, effects: _Effects) -> tuple[Wording, Wording] | None:
    """Return problem and hint for a loop that nothing inside can end; None for others."""
    match loop.tree:
        case RepeatWhile(condition=condition) if not effects.may_change(condition, body):
            return messages.ENDLESS_LOOP(), messages.CHANGE_OR_REPEAT_TIMES()
        case RepeatChoosing() if _always_offers(loop) and END not in effects.effects_of(body):
            return messages.ENDLESS_MENU(), messages.LIMIT_BRANCHES()
        case GoRound(until=until) if not any(isinstance(line.tree, DropOut) for line in sentence_lines(body)):
            if until is None and END not in effects.effects_of(body):
                return messages.NOBODY_DROPS_OUT(), messages.DROP_OUT_OR_UNTIL()
            if until is not None and not effects.differs_by_seat(until) and not effects.may_change(until, body):
                return messages.ENDLESS_ROUNDS(), messages.CHANGE_OR_DROP_OUT()
    return None


def _always_offers(menu: SentenceLine) -> bool:
    """Return whether a repeated choice has no `none`, and a branch without `if` and `times`."""
    among = menu.clause("among")
    branches = list(among.entries.values()) if isinstance(among, MappingNode) else []
    limited = [isinstance(branch, MappingNode) and branch.entries.keys() & {"if", "times"} for branch in branches]
    return menu.clause("none") is None and not all(limited)


class _Effects:
    """Effects of bodies, including all steps that they call and hooks on these.

    steps: by canonical name; of_pieces: canonical names whose values moves of pieces may alter; of_seats: canonical
    names whose values may differ between seats.
    """

    def __init__(self, context: LintContext) -> None:
        edition = context.edition
        self.context = context
        self.steps = {canonical(name): step for name, step in edition.steps.items()}
        self._of_step: dict[str, set[str]] = {}
        self._of_sayings: set[str] | None = None
        powered = {canonical(name) for c in edition.change_sets if c.level == "power" for name in c.changes}
        kinds = {canonical(name) for kind in edition.kinds.values() for name in (kind.name, kind.noun.many)}
        places = {canonical(zone.of) for zone in edition.zones.values() if zone.of}
        self.of_pieces = {*context.zones, *kinds, *powered, *places, "owner", "card", "piece"}
        owners = {name: zone.of for name, zone in edition.zones.items()}
        owners |= {name: figure.of for name, figure in edition.figures.items()}
        owners |= {name: counter.of for name, counter in edition.counters.items()}
        self.of_seats = {"you", "seat", "opponent", "partner"} | {
            canonical(name) for name, owner_type in owners.items() if owner_type == SEAT
        }

    def may_change(self, condition: Expression, body: Node) -> bool:
        """Return whether a body can change what a condition reads, or end the game."""
        reads, done = self.context.dependencies(condition), self.effects_of(body)
        return END in done or bool(reads & done) or (PIECES in done and bool(reads & self.of_pieces))

    def differs_by_seat(self, condition: Expression) -> bool:
        """Return whether a condition can differ between seats."""
        return bool(self.context.dependencies(condition) & self.of_seats)

    def effects_of(self, body: Node, ending: tuple[type[Statement], ...] = (Ending,)) -> set[str]:
        """Return the effects of a body: END, PIECES, and names of counters that it changes. ending: statements that end
        the loop around it."""
        result: set[str] = set()
        for line in sentence_lines(body):
            sentence = line.tree
            if isinstance(sentence, Do):
                result |= self._of_named_step(canonical(sentence.step.text))
            elif isinstance(sentence, DoWhat):
                result |= self._say_effects()
            elif isinstance(sentence, ending):
                result.add(END)
            elif sentence.moves_pieces:
                result.add(PIECES)
            result.update(*map(_counter_names, sentence.changes))
        return result

    def _say_effects(self) -> set[str]:
        """Return the effects of all instructions of words and pieces."""
        if self._of_sayings is None:
            self._of_sayings = set()  # while they are looked through: none of them leads back to itself
            steps = self.context.edition.say_steps().values()
            self._of_sayings = set().union(*(self.effects_of(step.body) for step in steps))
        return self._of_sayings

    def _of_named_step(self, name: str) -> set[str]:
        """Return the effects of a step and of the sentences hooked to it; none for an unknown one."""
        step = self.steps.get(name)
        if step is None:
            return set()
        if name not in self._of_step:
            hooked = [hook.body for _, hook in self.context.hooks if hook.step == step.name]
            self._of_step[name] = set().union(*(self.effects_of(body, _FROM_A_STEP) for body in (step.body, *hooked)))
        return self._of_step[name]


def _counter_names(part: Expression) -> set[str]:
    """Return the canonical name of a counter, as in `ada's gold`; of whatever else says which, all names in it."""
    target = part.figure if isinstance(part, Lookup) else part
    return {canonical(target.names[-1].text)} if isinstance(target, Path | PossessionOf) else names_of(part)
