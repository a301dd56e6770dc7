"""All sentences of an edition, and the names in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from lark import Token, Tree

from rulewright.authoring.rule_index import Tellings
from rulewright.base.records import record
from rulewright.compiler.texts import slots_of
from rulewright.model.declarations import ChangeSet, Edition, Figure, Hook, Zone, canonical
from rulewright.syntax import sentences
from rulewright.syntax.sentences import Syntax
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, part

ASKING = ("choose", "choose_number", "choose_one", "repeat_choosing", "may")
"""Sentences that ask somebody."""

_NEXT = 3


@record
class SentenceLine:
    """A sentence of a body. node: what stands below it as well; after: the next few that follow it in its list."""

    scalar: Scalar
    tree: Syntax
    node: Node
    after: tuple[Node, ...] = ()

    def clause(self, name: str) -> Node | None:
        """What a clause such as `ask` says, if the sentence has clauses."""
        value = self.value
        return value.get(name) if isinstance(value, MappingNode) else None

    @property
    def value(self) -> Node | None:
        """What stands below the sentence."""
        return next(iter(self.node.entries.values())) if isinstance(self.node, MappingNode) else None


@record
class TextSlot:
    """An expression in a text, such as {price}. logged: told to everybody; after: the next few
    statements that follow in the text's list."""

    scalar: Scalar
    tree: Syntax
    logged: bool
    after: tuple[Node, ...] = ()


def parsed(scalar: Scalar, start: str) -> Syntax | None:
    """The tree of a text, or None where it is none: in what is never compiled."""
    try:
        return sentences.parse(scalar.text, start)
    except sentences.SentenceError:
        return None


def items(body: Node) -> list[Node]:
    """The statements of a body."""
    return body.items if isinstance(body, SequenceNode) else [body]


def lines(body: Node) -> Iterator[SentenceLine]:
    """Every sentence of a body, however deep; logs left out."""
    for statement, after in _statements(body):
        key = next(iter(statement.keys.values())) if isinstance(statement, MappingNode) else statement
        if isinstance(key, Scalar) and key.text != "log" and (tree := parsed(key, "statement")):
            yield SentenceLine(key, tree, statement, after)


def slots(body: Node) -> Iterator[TextSlot]:
    """The slots of the logs and questions of a body."""
    for statement, after in _statements(body):
        if not isinstance(statement, MappingNode):
            continue
        key, value = next(statement.items())
        if key.text == "log" and isinstance(value, Scalar):
            yield from slots_in(value, True, after)
        elif isinstance(value, MappingNode) and isinstance(ask := value.get("ask"), Scalar):
            yield from slots_in(ask, False, after)


def slots_in(text: Scalar | None, logged: bool = False, after: tuple[Node, ...] = ()) -> Iterator[TextSlot]:
    """The slots of a text."""
    if text is None:
        return
    for _, slot, offset in slots_of(text.text):
        if slot:
            scalar = part(text, offset, slot)
            if tree := parsed(scalar, "value"):
                yield TextSlot(scalar, tree, logged, after)


def conditions(body: Node) -> Iterator[Syntax]:
    """When and how often a choice offers its branches, when none of them need be chosen, and when places matter."""
    for statement, _ in _statements(body):
        value = next(iter(statement.entries.values()), None) if isinstance(statement, MappingNode) else None
        clauses = [value.get("none if"), value.get("by place")] if isinstance(value, MappingNode) else []
        for branch in _branches(statement):
            clauses += [branch.get("if"), branch.get("times")] if isinstance(branch, MappingNode) else []
        for found in clauses:
            if isinstance(found, Scalar) and (tree := parsed(found, "value")):
                yield tree


def _statements(body: Node) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """Every statement of a body, however deep, each with the next few that follow it."""
    listed = items(body)
    for number, statement in enumerate(listed):
        yield statement, tuple(listed[number + 1 : number + 1 + _NEXT])
        for inner in _inside(statement):
            yield from _statements(inner)


def _inside(statement: Node) -> Iterator[Node]:
    """The bodies that a statement has."""
    if not isinstance(statement, MappingNode) or not statement.keys:
        return
    key, value = next(statement.items())
    if key.text == "log":
        return
    if isinstance(value, MappingNode):
        branches = [
            b.get("do") if isinstance(b, MappingNode) and "do" in b.entries else b for b in _branches(statement)
        ]
        bodies = [value.get("do"), *branches]
    else:
        bodies = [None if isinstance(value, Scalar) and value.absent else value]
    yield from (body for body in [*bodies, statement.get("otherwise")] if body is not None)


def _branches(statement: Node) -> list[Node]:
    value = next(iter(statement.entries.values()), None) if isinstance(statement, MappingNode) else None
    among = value.get("among") if isinstance(value, MappingNode) else None
    return list(among.entries.values()) if isinstance(among, MappingNode) else []


def names_in(*trees: Tree[Token]) -> set[str]:
    """The names in some trees, singular; what `do` calls is left out."""
    found: set[str] = set()
    for tree in trees:
        for node in tree.iter_subtrees():
            named = node.children[1:] if node.data == "do" else node.children
            found |= {canonical(str(t)) for t in named if isinstance(t, Token) and t.type == "NAME"}
    return found


class Reading:
    """An edition with its sentences, and which names they name."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self._behind: dict[str, set[str]] = {}
        self.hooks: list[tuple[ChangeSet, Hook]] = [(c, hook) for c in edition.change_sets for hook in c.hooks]
        phases = [edition.setup, *edition.phases] if edition.setup else edition.phases
        self.bodies: list[Node] = [phase.body for phase in phases]
        self.bodies += [step.body for step in edition.steps.values()] + [hook.body for _, hook in self.hooks]
        self.lines = [line for body in self.bodies for line in lines(body)]
        self.slots = [slot for body in self.bodies for slot in slots(body)]
        self.figures = {canonical(name): figure for name, figure in edition.figures.items()}
        self.zones = {canonical(name): zone for name, zone in edition.zones.items()}
        self.counters = {canonical(name) for name in edition.counters}
        trees = list(self._trees())
        self.names = names_in(*trees)
        self.lies = any(True for tree in trees for _ in tree.find_data("inside"))  # 'in' finds words by attributes
        self.done = {canonical(str(line.tree.children[0])) for line in self.lines if line.tree.data == "do"}

    @cached_property
    def tellings(self) -> Tellings:
        """Which rules are told in words."""
        return Tellings(self.edition)

    def _trees(self) -> Iterator[Syntax]:
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
        yield from _parsed([line.points for line in edition.scoring], "value")
        yield from _parsed([measure.amount for measure in edition.measures], "value")
        yield from _parsed([edition.ranking] if edition.ranking else [], "keys")

    def trees_of(self, figure: Figure) -> Iterator[Syntax]:
        """What a figure is worked out from, with what change sets may make of it."""
        changed = [c.changes[figure.name][1] for c in self.edition.change_sets if figure.name in c.changes]
        yield from _parsed(figure.texts, "value")
        yield from _parsed([amount(scalar) for scalar in changed], "value")

    def limit(self, zone: Zone) -> Iterator[Syntax]:
        """How many pieces a zone takes."""
        yield from _parsed([zone.at_most] if zone.at_most else [], "value")

    def behind(self, tree: Syntax) -> set[str]:
        """All names that a tree depends on, over whatever figures and limits of zones."""
        found, todo = set[str](), names_in(tree)
        while todo:
            name = todo.pop()
            found.add(name)
            todo |= self._directly_behind(name) - found
        return found

    def _directly_behind(self, name: str) -> set[str]:
        if name not in self._behind:
            more = list(self.trees_of(self.figures[name])) if name in self.figures else []
            more += list(self.limit(self.zones[name])) if name in self.zones else []
            self._behind[name] = names_in(*more)
        return self._behind[name]


def amount(scalar: Scalar) -> Scalar:
    """What a change says, without the plus sign of an addition."""
    return Scalar(
        scalar.text.replace("+", " ", 1) if scalar.text.lstrip().startswith("+") else scalar.text, scalar.place
    )


def _parsed(scalars: Iterable[Scalar], start: str) -> Iterator[Syntax]:
    yield from (tree for scalar in scalars if (tree := parsed(scalar, start)))
