"""The sentences of bodies, the slots of texts, and the names in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulewright.base.records import record
from rulewright.model.declarations import canonical
from rulewright.syntax import sentences
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, part
from rulewright.syntax.tree import AnyNode, Do, Expression, Name, Statement
from rulewright.syntax.tree import Node as SyntaxNode

_NEXT = 3


@record
class SentenceLine:
    """A sentence of a body. node: what stands below it as well; after: the next few that follow it in its list."""

    scalar: Scalar
    tree: Statement
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
    tree: Expression
    logged: bool
    after: tuple[Node, ...] = ()


def parsed(scalar: Scalar, parse: Callable[[str], AnyNode]) -> AnyNode | None:
    """Return the tree of a text, or None where it is none: in what is never compiled."""
    try:
        return parse(scalar.text)
    except sentences.SentenceError:
        return None


def log_of(statement: Node) -> Scalar | None:
    """The line of the log that a statement tells, if it does nothing but that."""
    told = statement.get("log") if isinstance(statement, MappingNode) else None
    return told if isinstance(told, Scalar) else None


def is_heading(statement: Node) -> bool:
    """Whether the line that a statement tells stands over those that follow it."""
    said = statement.get("heading") if isinstance(statement, MappingNode) else None
    return isinstance(said, Scalar) and said.text == "yes"


def items(body: Node) -> list[Node]:
    """The statements of a body."""
    return body.items if isinstance(body, SequenceNode) else [body]


def lines(body: Node) -> Iterator[SentenceLine]:
    """Every sentence of a body, however deep; logs left out."""
    for statement, after in _statements(body):
        key = next(iter(statement.keys.values())) if isinstance(statement, MappingNode) else statement
        if isinstance(key, Scalar) and log_of(statement) is None and (tree := parsed(key, sentences.statement)):
            yield SentenceLine(key, tree, statement, after)


def begin(body: Node, kind: type[Statement]) -> bool:
    """Return whether any sentence of a body is of a kind, which begins with the kind's word."""
    return any(
        isinstance(statement, Scalar)
        and statement.text.startswith(f"{kind.called()} ")
        and isinstance(parsed(statement, sentences.statement), kind)
        for statement, _ in _statements(body)
    )


def slots(body: Node) -> Iterator[TextSlot]:
    """The slots of the logs and questions of a body."""
    for statement, after in _statements(body):
        if not isinstance(statement, MappingNode):
            continue
        _, value = next(statement.items())
        if (line := log_of(statement)) is not None:
            yield from slots_in(line, True, after)
        elif isinstance(value, MappingNode):
            for ask in (value.get("ask"), value.get("ask more")):
                if isinstance(ask, Scalar):
                    yield from slots_in(ask, False, after)


def slots_in(text: Scalar | None, logged: bool = False, after: tuple[Node, ...] = ()) -> Iterator[TextSlot]:
    """The slots of a text."""
    if text is None:
        return
    for _, slot, offset in slots_of(text.text):
        if slot:
            scalar = part(text, offset, slot)
            if tree := parsed(scalar, sentences.value):
                yield TextSlot(scalar, tree, logged, after)


def conditions(body: Node) -> Iterator[Expression]:
    """When and how often a choice offers its branches, when none of them need be chosen, and when places matter."""
    for statement, _ in _statements(body):
        value = next(iter(statement.entries.values()), None) if isinstance(statement, MappingNode) else None
        clauses = [value.get("none if"), value.get("by place")] if isinstance(value, MappingNode) else []
        for branch in _branches(statement):
            clauses += [branch.get("if"), branch.get("times")] if isinstance(branch, MappingNode) else []
        for found in clauses:
            if isinstance(found, Scalar) and (tree := parsed(found, sentences.value)):
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
    if log_of(statement) is not None:
        return
    _, value = next(statement.items())
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


def names_of(*trees: SyntaxNode) -> set[str]:
    """Return the names in some trees, singular; what `do` calls is left out."""
    named: set[str] = set()
    for tree in trees:
        steps = {id(statement.step) for statement in tree.find(Do)}
        named |= {canonical(name.text) for name in tree.find(Name) if id(name) not in steps}
    return named


def slots_of(text: str) -> list[tuple[str, str, int]]:
    """A text as (literal, slot, the slot's offset), the last without a slot."""
    found, at = [], 0
    for match in re.finditer(r"\{([^{}]*)\}", text):
        found.append((text[at : match.start()], match[1], match.start(1)))
        at = match.end()
    return [*found, (text[at:], "", at)]
