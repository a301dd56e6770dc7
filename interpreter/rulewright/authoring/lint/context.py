"""All sentences of an edition, and the names in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from rulewright.authoring.rule_index import Tellings
from rulewright.model.declarations import ChangeSet, Edition, Figure, Hook, Zone, canonical
from rulewright.model.statements import conditions, lines, names_of, parsed, slots, slots_in
from rulewright.syntax import sentences
from rulewright.syntax.source import Node, Scalar
from rulewright.syntax.tree import AnyNode, Do, Expression, Inside
from rulewright.syntax.tree import Node as SyntaxNode


class Reading:
    """An edition with its sentences, and which names they name."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self._behind: dict[str, set[str]] = {}
        self.hooks: list[tuple[ChangeSet, Hook]] = [(c, hook) for c in edition.change_sets for hook in c.hooks]
        phases = [edition.setup, *edition.phases] if edition.setup else edition.phases
        self.bodies: list[Node] = [phase.body for phase in phases]
        self.bodies += [step.body for step in edition.steps.values()] + [hook.body for _, hook in self.hooks]
        self.bodies += [said.body for said in edition.sayings().values()]
        self.lines = [line for body in self.bodies for line in lines(body)]
        self.slots = [slot for body in self.bodies for slot in slots(body)]
        self.figures = {canonical(name): figure for name, figure in edition.figures.items()}
        self.zones = {canonical(name): zone for name, zone in edition.zones.items()}
        trees = list(self._trees())
        self.names = names_of(*trees)
        self.lies = any(True for tree in trees for _ in tree.find(Inside))  # 'in' finds words by attributes
        self.done = {canonical(line.tree.step.text) for line in self.lines if isinstance(line.tree, Do)}

    @cached_property
    def tellings(self) -> Tellings:
        """Which rules are told in words."""
        return Tellings(self.edition)

    def _trees(self) -> Iterator[SyntaxNode]:
        """Everything that names something."""
        edition = self.edition
        yield from (line.tree for line in self.lines)
        yield from (slot.tree for slot in self.slots)
        for body in self.bodies:
            yield from conditions(body)
        for _, hook in self.hooks:
            yield from (slot.tree for slot in slots_in(hook.ask))
            if hook.condition is not None:
                yield hook.condition
        for figure in edition.figures.values():
            yield from self.trees_of(figure)
        for zone in edition.zones.values():
            yield from self.limit(zone)
        texts = [*edition.told().values(), *(measure.text for measure in edition.measures)]
        yield from (slot.tree for text in texts for slot in slots_in(text))
        yield from _parsed([line.points for line in edition.scoring], sentences.value)
        yield from _parsed([measure.amount for measure in edition.measures], sentences.value)
        yield from _parsed([edition.ranking] if edition.ranking else [], sentences.keys)

    def trees_of(self, figure: Figure) -> Iterator[Expression]:
        """What a figure is worked out from, with what change sets may make of it."""
        changed = [c.changes[figure.name][1] for c in self.edition.change_sets if figure.name in c.changes]
        yield from _parsed(figure.texts, sentences.value)
        yield from _parsed([amount(scalar) for scalar in changed], sentences.value)

    def limit(self, zone: Zone) -> Iterator[Expression]:
        """How many pieces a zone takes."""
        yield from _parsed([zone.at_most] if zone.at_most else [], sentences.value)

    def behind(self, tree: SyntaxNode) -> set[str]:
        """All names that a tree depends on, over whatever figures and limits of zones."""
        found, todo = set[str](), names_of(tree)
        while todo:
            name = todo.pop()
            found.add(name)
            todo |= self._directly_behind(name) - found
        return found

    def _directly_behind(self, name: str) -> set[str]:
        if name not in self._behind:
            more = list(self.trees_of(self.figures[name])) if name in self.figures else []
            more += list(self.limit(self.zones[name])) if name in self.zones else []
            self._behind[name] = names_of(*more)
        return self._behind[name]


def amount(scalar: Scalar) -> Scalar:
    """What a change says, without the plus sign of an addition."""
    return Scalar(
        scalar.text.replace("+", " ", 1) if scalar.text.lstrip().startswith("+") else scalar.text, scalar.place
    )


def _parsed(scalars: Iterable[Scalar], parse: Callable[[str], AnyNode]) -> Iterator[AnyNode]:
    yield from (tree for scalar in scalars if (tree := parsed(scalar, parse)))
