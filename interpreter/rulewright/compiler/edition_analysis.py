"""Facts about an edition that hold for every number of seats: pieces, calls of steps, which may ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import product
from typing import NamedTuple

from rulewright.base.diagnostics import RelatedPlace, Report
from rulewright.compiler import messages
from rulewright.compiler.layout import Stock
from rulewright.compiler.typed_values import ReportedError
from rulewright.compiler.work_budget import MAX_CALL_DEPTH, too_deep
from rulewright.model import naming
from rulewright.model.declarations import ChangeSet, Figure, Hook, Step, canonical
from rulewright.model.edition import Edition
from rulewright.model.statements import log_text
from rulewright.syntax import sentence_errors, sentences
from rulewright.syntax.flow_nodes import Do, DoWhat, DropOut, EndGame, EndPhase, EndStep, Give
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode
from rulewright.syntax.statement_nodes import Question, Statement

_LEVELS = ("option", "role", "power")
"""Levels of change sets, in the order in which their changes are applied."""


class FigureChange(NamedTuple):
    """Change of a figure by a change set. operation: 'add' or 'set'; text: of the amount, with its plus, or of the new
    value."""

    change_set: ChangeSet
    operation: str
    text: Scalar


class EditionAnalysis:
    """Analysis of an edition's statements, made once before any of them is compiled.

    - stock: the edition's pieces
    - naming: rules for new names
    - instructions: those of words and kinds of piece, by name
    - ends_phases: whether a sentence ends a phase
    - changes: figure -> the changes to it, in the order in which they are applied
    """

    def __init__(self, edition: Edition, report: Report) -> None:
        """Report recursive steps. Raises ReportedError for these, TooLarge if calls are too deep."""
        self._edition = edition
        self.stock = Stock(edition)
        self.naming = naming.name_rules(edition)
        self._steps = {canonical(name): step for name, step in edition.steps.items()}
        self._hooks: dict[str, list[tuple[ChangeSet, Hook]]] = {}
        for changes in sorted(edition.change_sets, key=lambda changes: _LEVELS.index(changes.level)):
            for hook in changes.hooks:
                self._hooks.setdefault(hook.step, []).append((changes, hook))
        self.changes: dict[str, list[FigureChange]] = {}
        for level, operation in product(_LEVELS, ("add", "set")):
            for changes in edition.change_sets:
                for name, (sort, text) in changes.changes.items() if changes.level == level else ():
                    if sort == operation:
                        self.changes.setdefault(name, []).append(FigureChange(changes, operation, text))
        self._step_may_ask_cache: dict[str, bool] = {}
        self._may_ask_cache: dict[int, tuple[Node, bool]] = {}
        self._ends_step_cache: dict[int, tuple[Node, bool]] = {}
        self._call_depths: dict[str, int] = {}  # step -> depth of calls below it
        self.instructions = edition.say_steps()
        every = [*edition.steps.values(), *self.instructions.values()]
        phases = [edition.setup, *edition.phases] if edition.setup else edition.phases
        bodies = [phase.body for phase in phases] + [body for step in every for body in self.bodies(step)]
        self._calls = Counter(step.name for body in bodies for step in self._callees(body))
        self.ends_phases = any(_has_statement(body, EndPhase) for body in bodies)
        self._dispatches = sum(_is_dispatch(sentence) for body in bodies for sentence in _statement_heads(body))
        self._instructions_may_ask = False
        self._instructions_may_ask = any(self.step_may_ask(step) for step in self.instructions.values())
        self._step_may_ask_cache, self._may_ask_cache = (
            {},
            {},
        )  # computed again, now that it is known whether instructions ask
        for step in every:
            self._check_recursion(step, [], report)

    @cached_property
    def global_names(self) -> tuple[str, ...]:
        """Names that mean something everywhere, or with an owner."""
        edition = self._edition
        tables = (edition.zones, edition.figures, edition.counters, edition.options, edition.kinds, edition.words)
        names = [name for table in tables for name in table]
        names += [word.name for words in edition.words.values() for word in words.words]
        return *names, "seats", "players", "virtual players", "opponents", "you", "nobody"

    @cached_property
    def global_names_singular(self) -> frozenset[str]:
        """Global names in the singular."""
        return frozenset(map(canonical, self.global_names))

    def kinds_with(self, figure: Figure) -> frozenset[str]:
        """Return the kinds of piece that have a figure of this name."""
        return frozenset(one.of for one in (figure, *figure.others) if self._edition.is_of_pieces(one.of))

    def step(self, name: str) -> Step | None:
        """Return the step of a name, in the singular or plural; None if there is none."""
        return self._steps.get(canonical(name))

    def call_count(self, step: Step) -> int:
        """Return how many sentences call a step; for instructions, how many may."""
        return self._dispatches if step.name in self.instructions else self._calls[step.name]

    def hooks(self, step: Step, timing: str = "") -> list[tuple[ChangeSet, Hook]]:
        """Return the hooks on a step: of options, then roles, then powers. timing: 'before', 'after', 'instead of' or
        'whenever'; '' for all."""
        hooks = self._hooks.get(step.name, [])
        return [(changes, hook) for changes, hook in hooks if timing in ("", hook.when)]

    def bodies(self, step: Step) -> list[Node]:
        """Return the body of a step and the bodies of its hooks."""
        return [step.body, *(hook.body for _, hook in self.hooks(step))]

    def may_ask(self, node: Node) -> bool:
        """Whether somebody may be asked in a body or statement."""
        cached = self._may_ask_cache.get(id(node))
        if cached is None:
            cached = self._may_ask_cache[id(node)] = node, self._body_may_ask(node)
        return cached[1]

    def ends_step(self, node: Node) -> bool:
        """Whether a sentence of a body ends its step."""
        cached = self._ends_step_cache.get(id(node))
        if cached is None:
            cached = self._ends_step_cache[id(node)] = node, _has_statement(node, EndStep, Give)
        return cached[1]

    def may_end_game(self, node: Node) -> bool:
        """Whether a sentence of a body, or of a step that it does, ends the game; what words and pieces say is not
        looked at."""
        return _has_statement(node, EndGame) or any(
            self.may_end_game(body) for step in self._callees(node) for body in self.bodies(step)
        )

    def may_drop_out(self, node: Node) -> bool:
        """Whether somebody may drop out in a body."""
        return _has_statement(node, DropOut)

    def step_may_ask(self, step: Step) -> bool:
        """Whether somebody may be asked in a step or its hooks."""
        if step.name not in self._step_may_ask_cache:
            self._step_may_ask_cache[step.name] = False  # during recursion, which is reported separately
            optional = any(hook.optional for _, hook in self.hooks(step))
            self._step_may_ask_cache[step.name] = optional or any(self.may_ask(body) for body in self.bodies(step))
        return self._step_may_ask_cache[step.name]

    def _body_may_ask(self, node: Node) -> bool:
        """Return whether any sentence of a body, at any depth, may ask somebody."""
        return any(self._statement_may_ask(sentence) for sentence in _statement_heads(node))

    def _statement_may_ask(self, scalar: Scalar) -> bool:
        """Return whether a statement, or a step that it does, asks somebody something."""
        match _parse_or_none(scalar):
            case Do(step=name):
                step = self.step(name.text)
                return step is not None and self.step_may_ask(step)
            case DoWhat():
                return self._instructions_may_ask
            case tree:
                return isinstance(tree, Question)

    def _callees(self, node: Node) -> list[Step]:
        """Return the steps that a body calls, once for each call."""
        trees = [_parse_or_none(sentence) for sentence in _statement_heads(node)]
        names = [tree.step.text for tree in trees if isinstance(tree, Do)]
        return [step for name in names if (step := self.step(name)) is not None]

    def path_to_step(self, step: Step, target: str, further: Mapping[str, Iterable[Step]]) -> list[str]:
        """Return the names of steps on a path from a step to another, over calls and `further` edges; [] if there is
        none."""
        paths, visited = [[step]], {step.name}
        while paths:
            path = paths.pop()
            if path[-1].name == target:
                return [each.short_name for each in path]
            below = [other for body in self.bodies(path[-1]) for other in self._callees(body)]
            for other in (*below, *further.get(path[-1].name, ())):
                if other.name not in visited:
                    visited.add(other.name)
                    paths.append([*path, other])
        return []

    def _check_recursion(self, step: Step, above: list[str], report: Report) -> int:
        """Return the depth of calls below a step. Raises ReportedError for recursion, TooLarge beyond the limit."""
        if step.name in above:
            circle = above[above.index(step.name) :]
            steps = (self._edition.steps[name] for name in circle[1:] if name in self._edition.steps)
            related = tuple(RelatedPlace(other.place, messages.DECLARED_HERE(name=other.name)) for other in steps)
            problem = messages.STEP_CALLS_ITSELF(steps=" → ".join([*circle, step.name]))
            report.error(step.place, problem, messages.REPEAT_WHILE(), related=related)
            raise ReportedError
        if step.name not in self._call_depths:
            callees = [below for body in self.bodies(step) for below in self._callees(body)]
            if len(above) >= MAX_CALL_DEPTH:
                raise too_deep(step.name, step.place)
            heights = [self._check_recursion(other, [*above, step.name], report) for other in callees]
            self._call_depths[step.name] = 1 + max(heights, default=0)
        if self._call_depths[step.name] > MAX_CALL_DEPTH:
            raise too_deep(step.name, step.place)
        return self._call_depths[step.name]


def head_of(node: Node) -> Scalar | None:
    """Return the sentence of a statement, without its bodies; None for a list, and for an empty mapping."""
    if isinstance(node, MappingNode):
        return next(iter(node.keys.values()), None)
    return node if isinstance(node, Scalar) else None


def bodies_of(node: Node) -> list[Node]:
    """Return the bodies inside a statement: what its sentence and `otherwise` are followed by, or the `do` of a
    question or of each branch of a menu."""
    if not isinstance(node, MappingNode) or not node.entries:
        return []
    value = next(iter(node.entries.values()))
    bodies = [value, node.get("otherwise")]
    if isinstance(value, MappingNode):
        among = value.get("among")
        branches = list(among.entries.values()) if isinstance(among, MappingNode) else []
        bodies = [
            value.get("do"),
            *(b.get("do") if isinstance(b, MappingNode) and "do" in b.entries else b for b in branches),
        ]
    return [body for body in bodies if body is not None]


def _statement_heads(node: Node) -> Iterator[Scalar]:
    """Yield every sentence of a body, at any depth; not texts and conditions."""
    if isinstance(node, SequenceNode):
        for item in node.items:
            yield from _statement_heads(item)
    elif isinstance(node, Scalar):
        yield node
    elif node.keys:
        if log_text(node) is not None:
            return
        key, _ = next(node.items())
        yield key
        for body in bodies_of(node):
            yield from _statement_heads(body)


def _is_dispatch(scalar: Scalar) -> bool:
    """Whether a sentence is `do what … says`."""
    return isinstance(_parse_or_none(scalar), DoWhat)


def _has_statement(body: Node, *kinds: type[Statement]) -> bool:
    """Whether a body has, at any depth, a sentence of one of some kinds."""
    return any(isinstance(tree, kinds) for tree in map(_parse_or_none, _statement_heads(body)))


def _parse_or_none(scalar: Scalar) -> Statement | None:
    """Return the tree of a sentence, or None: errors are reported when it is compiled."""
    try:
        return sentences.statement(scalar.text)
    except sentence_errors.SentenceError:
        return None
