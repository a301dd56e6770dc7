"""Parse sentences and expressions into syntax trees, by the grammar in `spec/sentences.lark`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache as cached

from lark import Token
from lark import Tree as ParseTree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

from rulewright.base.records import record
from rulewright.syntax import (  # noqa: F401 - the modules of nodes register their classes
    change_nodes,
    choice_nodes,
    condition_nodes,
    flow_nodes,
    messages,
    set_nodes,
    tree,
)
from rulewright.syntax.expression_nodes import Expression, SetExpression
from rulewright.syntax.part_nodes import HookKey, Keys, NumberRange
from rulewright.syntax.sentence_cache import cache_readings
from rulewright.syntax.sentence_errors import SentenceError, explain
from rulewright.syntax.sentence_grammar import accepted, grammar, parser, spellings, without_joints
from rulewright.syntax.statement_nodes import Statement
from rulewright.syntax.tree import Node, Span

MAX_SENTENCE_LENGTH = 1000
"""Maximum number of characters of a sentence."""
MAX_PARENTHESES = 40
"""Maximum number of opening parentheses in a sentence, nested or not."""
_OPERANDS = ("NAME", "INT", "RPAR", "ROUNDED", "YES")
"""Terminals after which a minus subtracts."""


@cache_readings(tree.to_data, tree.from_data)
def _read(text: str, start: str) -> Node:
    """Parse a text by a rule of the grammar. Raises Lark's errors."""
    return _node(parser().parse(text, start=start))


_READ_AS: dict[str, Callable[[str], object]] = {
    "MAY": bool,
    "COMPARE": lambda words: words.partition(" ")[2],
    "ROUNDED": lambda words: words.partition(" ")[2],
}
"""Conversions of terminals whose value in the tree is neither their words nor whether these deny something."""


def _node(parsed: ParseTree[Token]) -> Node:
    """Return the node of what Lark has parsed, whose meta data it has only for rules that are not empty."""
    parts = [
        _node(part) if isinstance(part, ParseTree) else None if part is None else _leaf(part)
        for part in parsed.children
        if not (isinstance(part, Token) and part.type == "POSSESSIVE")
    ]
    span = None if parsed.meta.empty else Span(parsed.meta.start_pos, parsed.meta.end_pos)
    return tree.make(str(parsed.data), parts, span)


def _leaf(token: Token) -> object:
    """Return the value of a token: a name with its place, what `_READ_AS` makes of it, whether it denies something
    if it can, or its text with single blanks."""
    words = " ".join(without_joints(token).split())
    if token.type == "NAME":
        start = token.start_pos or 0
        return tree.Name(words).with_span(Span(start, start + len(token)))
    if token.type in _READ_AS:
        return _READ_AS[token.type](words)
    return "not" in words.split() if _can_deny(token.type) else words


@cached
def _can_deny(terminal: str) -> bool:
    """Return whether one of a terminal's phrases denies something, as `is not among` does."""
    return any("not" in phrase.split() for phrase in spellings().get(terminal, ()))


def parse(text: str, start: str) -> Node:
    """Parse `text` as `start` (one of STARTS).

    Raises SentenceError where it is none, with what was expected and the nearest keyword.
    """
    if len(text) > MAX_SENTENCE_LENGTH:
        raise SentenceError(messages.LONG_SENTENCE(most=MAX_SENTENCE_LENGTH), 0, 20)
    if text.count("(") > MAX_PARENTHESES:
        raise SentenceError(messages.MANY_PARENTHESES(most=MAX_PARENTHESES), 0, 20)
    try:
        return _read(text, start)
    except (UnexpectedCharacters, UnexpectedToken, UnexpectedEOF) as error:
        raise explain(text, start, error) from None


def statement(text: str) -> Statement:
    """Parse an item of a `do` list. Raises SentenceError."""
    node = parse(text, "statement")
    assert isinstance(node, Statement)
    return node


def value(text: str) -> Expression:
    """Parse an expression. Raises SentenceError."""
    node = parse(text, "value")
    assert isinstance(node, Expression)
    return node


def keys(text: str) -> Keys:
    """Parse an order. Raises SentenceError."""
    node = parse(text, "keys")
    assert isinstance(node, Keys)
    return node


def hook(text: str) -> HookKey:
    """Parse a key of a change set. Raises SentenceError."""
    node = parse(text, "hook")
    assert isinstance(node, HookKey)
    return node


def number_range(text: str) -> NumberRange:
    """Parse a range of whole numbers. Raises SentenceError."""
    node = parse(text, "span")
    assert isinstance(node, NumberRange)
    return node


def _parentheses(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of matching parentheses, inner ones before those around them."""
    opened: list[int] = []
    for offset, character in enumerate(text):
        if character == "(":
            opened.append(offset)
        elif character == ")" and opened:
            yield opened.pop(), offset


@record
class Continuations:
    """Possible continuations of a sentence's beginning. words: phrases of the language, sorted; name_can_follow:
    whether a name can; parts: rules of the grammar that can begin here, as `counter`."""

    words: tuple[str, ...]
    name_can_follow: bool
    parts: frozenset[str]


def continuations(beginning: str, start: str) -> Continuations | None:
    """Return what can follow the beginning of a sentence, which ends with a whole word; None if it begins none. start:
    one of STARTS."""
    interactive = parser().parse_interactive(beginning, start=start)
    try:
        interactive.exhaust_lexer()
        terminals = accepted(interactive)
    except (UnexpectedCharacters, UnexpectedToken, UnexpectedEOF):
        return None
    words = {phrase for name in terminals for phrase in grammar().spellings.get(name, ()) if name != "POSSESSIVE"}
    state = interactive.parser_state
    table: Mapping[str, object] = state.parse_conf.parse_table.states[state.state_stack[-1]]
    parts = frozenset(name for name in table if name.islower())
    return Continuations(tuple(sorted(words)), "NAME" in terminals, parts)


@cache_readings(str, str)
def canonical_spelling(text: str, start: str) -> str:
    """Return the canonical spelling of a text: one space between words, none inside parentheses, and no parentheses
    around a set that means the same without.

    What cannot be read stays as it is; so does the + of a figure that is added to. start: one of STARTS.
    """
    words = " ".join(text.split())
    sign = "+" if words.startswith("+") else ""
    words = words.removeprefix("+")
    try:
        meaning = parse(words, start)
        spelling = sign + _with_spacing(_without_parentheses(words, start, meaning), start)
        same = parse(spelling.removeprefix(sign), start) == meaning
    except SentenceError:
        return text
    return spelling if same else text


def _without_parentheses(text: str, start: str, meaning: Node) -> str:
    """Return a text without needless parentheses around sets. meaning: its tree, which stays the same."""
    for opening, end in _parentheses(text):
        without = f"{text[:opening]} {text[opening + 1 : end]} {text[end + 1 :]}"
        with suppress(SentenceError):
            inside = parse(text[opening + 1 : end], "value")
            if isinstance(inside, SetExpression) and inside.bare and parse(without, start) == meaning:
                return _without_parentheses(without, start, meaning)
    return text


def _with_spacing(text: str, start: str) -> str:
    """Return a sentence that can be read with canonical blanks between its tokens."""
    result = ""
    before = ""
    sign = False
    for token in parser().parse_interactive(text, start=start).iter_parse():
        close = sign or before in ("", "LPAR") or token.type in ("RPAR", "COMMA", "POSSESSIVE")
        result += token if close else f" {token}"
        sign = token.type == "MINUS" and before not in _OPERANDS
        before = token.type
    return result
