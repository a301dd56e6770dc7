"""Context of lint rules: all statements of an edition and the names in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from rulewright.authoring.rule_index import RuleIndex
from rulewright.model.declarations import ChangeSet, Figure, Hook, Zone, canonical
from rulewright.model.edition import Edition
from rulewright.model.statements import conditions, names_of, sentence_lines, slots_in_text, text_slots, try_parse
from rulewright.syntax import sentences
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.flow_nodes import Do
from rulewright.syntax.set_nodes import Inside
from rulewright.syntax.source import Node, Scalar
from rulewright.syntax.tree import AnyNode
from rulewright.syntax.tree import Node as SyntaxNode


class LintContext:
    """Edition with its parsed statements and slots, and the names that they use.

    hooks: each with its change set; bodies: of the set-up, phases, steps, hooks and instructions; lines, slots: in
    these; figures, zones: by canonical name; names: canonical ones that any sentence or text uses; uses_in: whether any
    expression has 'in'; steps_done: canonical names of the steps that sentences do.
    """

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self._dependencies: dict[str, set[str]] = {}
        self.hooks: list[tuple[ChangeSet, Hook]] = [(c, hook) for c in edition.change_sets for hook in c.hooks]
        phases = [edition.setup, *edition.phases] if edition.setup else edition.phases
        self.bodies: list[Node] = [phase.body for phase in phases]
        self.bodies += [step.body for step in edition.steps.values()] + [hook.body for _, hook in self.hooks]
        self.bodies += [step.body for step in edition.say_steps().values()]
        self.lines = [line for body in self.bodies for line in sentence_lines(body)]
        self.slots = [slot for body in self.bodies for slot in text_slots(body)]
        self.figures = {canonical(name): figure for name, figure in edition.figures.items()}
        self.zones = {canonical(name): zone for name, zone in edition.zones.items()}
        trees = list(self._trees())
        self.names = names_of(*trees)
        self.uses_in = any(True for tree in trees for _ in tree.find(Inside))  # 'in' finds words by attributes
        self.steps_done = {canonical(line.tree.step.text) for line in self.lines if isinstance(line.tree, Do)}

    @cached_property
    def rule_index(self) -> RuleIndex:
        """Index of the rules with texts."""
        return RuleIndex(self.edition)

    def _trees(self) -> Iterator[SyntaxNode]:
        """Yield all syntax trees that can hold names; what cannot be parsed is left out."""
        edition = self.edition
        yield from (line.tree for line in self.lines)
        yield from (slot.tree for slot in self.slots)
        for body in self.bodies:
            yield from conditions(body)
        for _, hook in self.hooks:
            yield from (slot.tree for slot in slots_in_text(hook.ask))
            if hook.condition is not None:
                yield hook.condition
        for figure in edition.figures.values():
            yield from self.trees_of(figure)
        for zone in edition.zones.values():
            yield from self.limit(zone)
        texts = [*edition.rule_texts().values(), *(measure.text for measure in edition.measures)]
        yield from (slot.tree for text in texts for slot in slots_in_text(text))
        yield from _parsed([line.points for line in edition.scoring], sentences.value)
        yield from _parsed([measure.amount for measure in edition.measures], sentences.value)
        marked = [*edition.leading_seats.values(), *edition.apart_pieces.values()]
        marked += [term for terms in edition.marked_spaces.values() for term in terms.values()]
        marked += [edition.score_pad_worth] if edition.score_pad_worth is not None else []
        yield from _parsed(marked, sentences.value)
        yield from _parsed([edition.ranking] if edition.ranking else [], sentences.keys)

    def trees_of(self, figure: Figure) -> Iterator[Expression]:
        """Yield the expressions of a figure, and those that change sets give it."""
        changed = [c.changes[figure.name][1] for c in self.edition.change_sets if figure.name in c.changes]
        yield from _parsed(figure.texts, sentences.value)
        yield from _parsed([amount(scalar) for scalar in changed], sentences.value)

    def limit(self, zone: Zone) -> Iterator[Expression]:
        """Yield the expression of a zone's limit, if it has one."""
        yield from _parsed([zone.at_most] if zone.at_most else [], sentences.value)

    def dependencies(self, tree: SyntaxNode) -> set[str]:
        """Return all canonical names that a tree depends on, also through figures and limits of zones."""
        result, worklist = set[str](), names_of(tree)
        while worklist:
            name = worklist.pop()
            result.add(name)
            worklist |= self._direct_dependencies(name) - result
        return result

    def _direct_dependencies(self, name: str) -> set[str]:
        """Return the names in a figure's expressions or a zone's limit."""
        if name not in self._dependencies:
            more = list(self.trees_of(self.figures[name])) if name in self.figures else []
            more += list(self.limit(self.zones[name])) if name in self.zones else []
            self._dependencies[name] = names_of(*more)
        return self._dependencies[name]


def amount(scalar: Scalar) -> Scalar:
    """Return the expression of a change, with a blank for the plus sign of an addition, so that places remain."""
    return Scalar(
        scalar.text.replace("+", " ", 1) if scalar.text.lstrip().startswith("+") else scalar.text, scalar.place
    )


def _parsed(scalars: Iterable[Scalar], parse: Callable[[str], AnyNode]) -> Iterator[AnyNode]:
    """Yield the trees of the texts that can be parsed."""
    yield from (tree for scalar in scalars if (tree := try_parse(scalar, parse)))
