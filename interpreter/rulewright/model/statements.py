"""Walks over the statements of `do` lists, the slots of texts, and the names in both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulewright.base.records import record
from rulewright.model.declarations import canonical
from rulewright.syntax import sentence_errors, sentences
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.flow_nodes import Do
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, text_part, value_of
from rulewright.syntax.statement_nodes import Statement
from rulewright.syntax.tree import AnyNode, Name
from rulewright.syntax.tree import Node as SyntaxNode

_NEXT = 3
"""Number of following statements that come with each statement."""


@record
class SentenceLine:
    """Statement of a `do` list. scalar: its sentence; tree: syntax tree of that; node: the statement with everything
    below it; after: the next few statements of its list."""

    scalar: Scalar
    tree: Statement
    node: Node
    after: tuple[Node, ...] = ()

    def clause(self, name: str) -> Node | None:
        """Return the value of a clause such as `ask`, or None without it."""
        value = self.value
        return value_of(value, name)

    @property
    def value(self) -> Node | None:
        """Body or clauses below the statement, or None."""
        return next(iter(self.node.entries.values())) if isinstance(self.node, MappingNode) else None


@record
class TextSlot:
    """Expression in a text, such as {price}.

    logged: whether the text goes to the log; after: the next few statements that follow in the text's list.
    """

    scalar: Scalar
    tree: Expression
    logged: bool
    after: tuple[Node, ...] = ()


def try_parse(scalar: Scalar, parse: Callable[[str], AnyNode]) -> AnyNode | None:
    """Return the syntax tree of a text, or None if it cannot be parsed."""
    try:
        return parse(scalar.text)
    except sentence_errors.SentenceError:
        return None


def log_text(statement: Node) -> Scalar | None:
    """Return the text of a `log` statement, or None for any other statement."""
    text = value_of(statement, "log")
    return text if isinstance(text, Scalar) else None


def is_heading(statement: Node) -> bool:
    """Return whether a `log` statement is a heading of the lines that follow it."""
    value = value_of(statement, "heading")
    return isinstance(value, Scalar) and value.text == "yes"


def notation_text(statement: Node) -> Scalar | None:
    """Return the notation of a `log` statement, or None without it."""
    text = value_of(statement, "notation")
    return text if isinstance(text, Scalar) else None


def top_statements(body: Node) -> list[Node]:
    """Return the top-level statements of a body, which may be a single one."""
    return body.items if isinstance(body, SequenceNode) else [body]


def sentence_lines(body: Node) -> Iterator[SentenceLine]:
    """Yield each statement of a body, also nested ones, except logs and unreadable sentences."""
    for statement, after in _statements(body):
        key = next(iter(statement.keys.values())) if isinstance(statement, MappingNode) else statement
        if isinstance(key, Scalar) and log_text(statement) is None and (tree := try_parse(key, sentences.statement)):
            yield SentenceLine(key, tree, statement, after)


def contains(body: Node, kind: type[Statement]) -> bool:
    """Return whether a body contains a statement of a kind with nothing below it, such as `Show`, at any depth."""
    return any(
        isinstance(statement, Scalar)
        and statement.text.startswith(f"{kind.keyword()} ")
        and isinstance(try_parse(statement, sentences.statement), kind)
        for statement, _ in _statements(body)
    )


def text_slots(body: Node) -> Iterator[TextSlot]:
    """Yield the slots in the logs and questions of a body."""
    for statement, after in _statements(body):
        if not isinstance(statement, MappingNode):
            continue
        _, value = next(statement.items())
        if (line := log_text(statement)) is not None:
            yield from slots_in_text(line, True, after)
            yield from slots_in_text(notation_text(statement), True, after)
        elif isinstance(value, MappingNode):
            for ask in (value.get("ask"), value.get("ask more")):
                if isinstance(ask, Scalar):
                    yield from slots_in_text(ask, False, after)


def slots_in_text(text: Scalar | None, logged: bool = False, after: tuple[Node, ...] = ()) -> Iterator[TextSlot]:
    """Yield the slots of a text that can be parsed. logged, after: of each, as in `TextSlot`."""
    if text is None:
        return
    for _, slot, offset in split_slots(text.text):
        if slot:
            scalar = text_part(text, offset, slot)
            if tree := try_parse(scalar, sentences.value):
                yield TextSlot(scalar, tree, logged, after)


def conditions(body: Node) -> Iterator[Expression]:
    """Yield the expressions of the clauses `if`, `times`, `none if` and `by place` in a body."""
    for statement, _ in _statements(body):
        value = next(iter(statement.entries.values()), None) if isinstance(statement, MappingNode) else None
        clauses = [value.get("none if"), value.get("by place")] if isinstance(value, MappingNode) else []
        for branch in _branches(statement):
            clauses += [branch.get("if"), branch.get("times")] if isinstance(branch, MappingNode) else []
        for clause in clauses:
            if isinstance(clause, Scalar) and (tree := try_parse(clause, sentences.value)):
                yield tree


def _statements(body: Node) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """Yield each statement of a body, nested ones too, with the next few of its list."""
    listed = top_statements(body)
    for number, statement in enumerate(listed):
        yield statement, tuple(listed[number + 1 : number + 1 + _NEXT])
        for inner in _inside(statement):
            yield from _statements(inner)


def _inside(statement: Node) -> Iterator[Node]:
    """Yield the bodies inside a statement: of clauses, branches and `otherwise`."""
    if not isinstance(statement, MappingNode) or not statement.keys:
        return
    if log_text(statement) is not None:
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
    """Return the branches of a menu, below `among`; [] for another statement."""
    value = next(iter(statement.entries.values()), None) if isinstance(statement, MappingNode) else None
    among = value_of(value, "among")
    return list(among.entries.values()) if isinstance(among, MappingNode) else []


def names_of(*trees: SyntaxNode) -> set[str]:
    """Return the canonical names in syntax trees, without the steps that `do` calls."""
    names: set[str] = set()
    for tree in trees:
        steps = {id(statement.step) for statement in tree.find(Do)}
        names |= {canonical(name.text) for name in tree.find(Name) if id(name) not in steps}
    return names


def split_slots(text: str) -> list[tuple[str, str, int]]:
    """Split a text into (literal, slot, offset of the slot); the last part has an empty slot."""
    parts, position = [], 0
    for match in re.finditer(r"\{([^{}]*)\}", text):
        parts.append((text[position : match.start()], match[1], match.start(1)))
        position = match.end()
    return [*parts, (text[position:], "", position)]
