"""What is known of an edition before anything is compiled, and is the same for every number of seats: its pieces, which
steps do which, and which may ask somebody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product

from rulewright.base.diagnostics import Report
from rulewright.compiler.layout import Stock
from rulewright.compiler.typed_values import ReportedError
from rulewright.compiler.work_budget import MAX_CALL_DEPTH, too_deep
from rulewright.model import naming
from rulewright.model.bodies import log_of
from rulewright.model.declarations import ChangeSet, Edition, Hook, Step, canonical
from rulewright.syntax import sentences
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode
from rulewright.syntax.tree import Do, DoWhat, DropOut, EndPhase, EndStep, Give, Question, Statement

_LEVELS = ("option", "role", "power")


class EditionAnalysis:
    """stock: its pieces; sayings: what words and kinds of piece say; phases_end: whether a sentence ends a phase;
    changes: of each figure, what changes it and how ('add' or 'set'), in their order."""

    def __init__(self, edition: Edition, report: Report) -> None:
        """Reports steps that do themselves, over whatever other steps; raises Wrong for that, TooLarge where steps do
        steps too deep."""
        self._edition = edition
        self.stock = Stock(edition)
        self.naming = naming.rules(edition)
        self._steps = {canonical(name): step for name, step in edition.steps.items()}
        self._hooks: dict[str, list[tuple[ChangeSet, Hook]]] = {}
        for changes in sorted(edition.change_sets, key=lambda changes: _LEVELS.index(changes.level)):
            for hook in changes.hooks:
                self._hooks.setdefault(hook.step, []).append((changes, hook))
        self.changes: dict[str, list[tuple[ChangeSet, str, Scalar]]] = {}
        for level, operation in product(_LEVELS, ("add", "set")):
            for changes in edition.change_sets:
                for name, (found, text) in changes.changes.items() if changes.level == level else ():
                    if found == operation:
                        self.changes.setdefault(name, []).append((changes, operation, text))
        self._step_may_ask_cache: dict[str, bool] = {}
        self._may_ask_cache: dict[int, tuple[Node, bool]] = {}
        self._ends_step_cache: dict[int, tuple[Node, bool]] = {}
        self._call_depths: dict[str, int] = {}  # how deep steps do steps below each, all in all
        self.instructions = edition.sayings()
        every = [*edition.steps.values(), *self.instructions.values()]
        phases = [edition.setup, *edition.phases] if edition.setup else edition.phases
        bodies = [phase.body for phase in phases] + [body for step in every for body in self.bodies(step)]
        self._calls = Counter(step.name for body in bodies for step in self._called(body))
        self.ends_phases = any(_has_statement(body, EndPhase) for body in bodies)
        self._dispatches = sum(_is_dispatch(sentence) for body in bodies for sentence in _statement_heads(body))
        self._instructions_may_ask = False
        self._instructions_may_ask = any(self.step_may_ask(step) for step in self.instructions.values())
        self._step_may_ask_cache, self._may_ask_cache = {}, {}  # known with what sayings ask
        for step in every:
            self._check_recursion(step, [], report)

    @cached_property
    def global_names(self) -> tuple[str, ...]:
        """Every name that means something wherever it stands, or of whoever has it."""
        edition = self._edition
        tables = (edition.zones, edition.figures, edition.counters, edition.options, edition.kinds, edition.words)
        found = [name for table in tables for name in table]
        found += [word.name for words in edition.words.values() for word in words.words]
        return *found, "seats", "players", "virtual players", "opponents", "you", "nobody"

    @cached_property
    def global_names_singular(self) -> frozenset[str]:
        """The same, singular."""
        return frozenset(map(canonical, self.global_names))

    def step(self, name: str) -> Step | None:
        """The step that a sentence calls so."""
        return self._steps.get(canonical(name))

    def call_count(self, step: Step) -> int:
        """How often a step is done; of what something says, how often it may be."""
        return self._dispatches if step.name in self.instructions else self._calls[step.name]

    def hooks(self, step: Step, when: str = "") -> list[tuple[ChangeSet, Hook]]:
        """The hooks on a step, options' first, then roles', then powers'."""
        found = self._hooks.get(step.name, [])
        return [(changes, hook) for changes, hook in found if when in ("", hook.when)]

    def bodies(self, step: Step) -> list[Node]:
        """What a step does, with what its hooks do."""
        return [step.body, *(hook.body for _, hook in self.hooks(step))]

    def may_ask(self, node: Node) -> bool:
        """Whether anybody may be asked in a body or statement."""
        known = self._may_ask_cache.get(id(node))
        if known is None:
            known = self._may_ask_cache[id(node)] = node, self._body_may_ask(node)
        return known[1]

    def ends_step(self, node: Node) -> bool:
        """Whether a sentence of a body ends the step it stands in."""
        known = self._ends_step_cache.get(id(node))
        if known is None:
            known = self._ends_step_cache[id(node)] = node, _has_statement(node, EndStep, Give)
        return known[1]

    def may_drop_out(self, node: Node) -> bool:
        """Whether somebody may drop out in a body."""
        return _has_statement(node, DropOut)

    def step_may_ask(self, step: Step) -> bool:
        if step.name not in self._step_may_ask_cache:
            self._step_may_ask_cache[step.name] = False  # while we look: a circle is reported by itself
            optional = any(hook.optional for _, hook in self.hooks(step))
            self._step_may_ask_cache[step.name] = optional or any(self.may_ask(body) for body in self.bodies(step))
        return self._step_may_ask_cache[step.name]

    def _body_may_ask(self, node: Node) -> bool:
        return any(self._statement_may_ask(sentence) for sentence in _statement_heads(node))

    def _statement_may_ask(self, scalar: Scalar) -> bool:
        match _parse_or_none(scalar):
            case Do(step=name):
                step = self.step(name.text)
                return step is not None and self.step_may_ask(step)
            case DoWhat():
                return self._instructions_may_ask
            case tree:
                return isinstance(tree, Question)

    def _called(self, node: Node) -> list[Step]:
        """The steps that a body does, once for every time it says so."""
        trees = [_parse_or_none(sentence) for sentence in _statement_heads(node)]
        names = [tree.step.text for tree in trees if isinstance(tree, Do)]
        return [step for name in names if (step := self.step(name)) is not None]

    def path_to_step(self, step: Step, wanted: str, further: Mapping[str, Iterable[Step]]) -> list[str]:
        """The names of the steps from one to a wanted one, over those that steps do by name and `further` ones; empty
        if it is never come to."""
        ways, seen = [[step]], {step.name}
        while ways:
            way = ways.pop()
            if way[-1].name == wanted:
                return [each.called for each in way]
            below = [other for body in self.bodies(way[-1]) for other in self._called(body)]
            for other in (*below, *further.get(way[-1].name, ())):
                if other.name not in seen:
                    seen.add(other.name)
                    ways.append([*way, other])
        return []

    def _check_recursion(self, step: Step, above: list[str], report: Report) -> int:
        """How deep steps do steps from here on; that is bounded, and none of them is one of those above."""
        if step.name in above:
            chain = " → ".join([*above[above.index(step.name) :], step.name])
            hint = "Use 'repeat while' to do something again."
            report.error(step.place, "circular", f"This step does itself: {chain}.", hint)
            raise ReportedError
        if step.name not in self._call_depths:
            called = [below for body in self.bodies(step) for below in self._called(body)]
            if len(above) >= MAX_CALL_DEPTH:
                raise too_deep(step.name, step.place)
            heights = [self._check_recursion(other, [*above, step.name], report) for other in called]
            self._call_depths[step.name] = 1 + max(heights, default=0)
        if self._call_depths[step.name] > MAX_CALL_DEPTH:
            raise too_deep(step.name, step.place)
        return self._call_depths[step.name]


def head_of(node: Node) -> Scalar | None:
    """The sentence of a statement, without what is done inside."""
    if isinstance(node, MappingNode):
        return next(iter(node.keys.values()), None)
    return node if isinstance(node, Scalar) else None


def bodies_of(node: Node) -> list[Node]:
    """What is done inside a statement, on whatever condition."""
    if not isinstance(node, MappingNode) or not node.entries:
        return []
    value = next(iter(node.entries.values()))
    found = [value, node.get("otherwise")]
    if isinstance(value, MappingNode):
        among = value.get("among")
        branches = list(among.entries.values()) if isinstance(among, MappingNode) else []
        found = [
            value.get("do"),
            *(b.get("do") if isinstance(b, MappingNode) and "do" in b.entries else b for b in branches),
        ]
    return [body for body in found if body is not None]


def _statement_heads(node: Node) -> Iterator[Scalar]:
    """Every sentence of a body, however deep; texts and conditions left out."""
    if isinstance(node, SequenceNode):
        for item in node.items:
            yield from _statement_heads(item)
    elif isinstance(node, Scalar):
        yield node
    elif node.keys:
        if log_of(node) is not None:
            return
        key, _ = next(node.items())
        yield key
        for body in bodies_of(node):
            yield from _statement_heads(body)


def _is_dispatch(scalar: Scalar) -> bool:
    return isinstance(_parse_or_none(scalar), DoWhat)


def _has_statement(body: Node, *kinds: type[Statement]) -> bool:
    """Whether a sentence of a body, however deep, is of one of some kinds."""
    return any(isinstance(tree, kinds) for tree in map(_parse_or_none, _statement_heads(body)))


def _parse_or_none(scalar: Scalar) -> Statement | None:
    """A sentence's tree, or None: what is wrong with it is reported when it is compiled."""
    try:
        return sentences.statement(scalar.text)
    except sentences.SentenceError:
        return None
