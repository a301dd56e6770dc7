"""References in an edition: each place where a sentence, a text or a key uses a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache, partial

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.model.declarations import canonical
from rulewright.model.edition import Edition
from rulewright.model.symbols import kind_of
from rulewright.syntax import sentence_errors, sentences
from rulewright.syntax.flow_nodes import Do
from rulewright.syntax.part_nodes import HookKey
from rulewright.syntax.section_cache import cached
from rulewright.syntax.sentence_cache import use_sentence_cache
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, entries_of, text_part
from rulewright.syntax.tree import Name

NAMES, STEPS, CHANGES, HOOKS = "names", "does", "changes", "hooks"
"""Kinds of uses: of a name in an expression, of a step in a `do`, of a figure under `change`, of a step in a hook."""

_TEXT_KEYS = ("text", "ask", "none", "log")
"""Keys whose text is for people; what stands in braces there is an expression."""
_SLOT, _SUBJECT = re.compile(r"\{([^{}]+)\}"), re.compile(r"\[([^\[\]{}|:]+):")
"""Slot of a text; and the name by which a form in brackets agrees."""
_QUESTION_KEYS = (*_TEXT_KEYS, "ask more", "none more", "some", "all")
"""Keys of texts below a decision."""
_NO_CASES = ("at most", "by", "is", "otherwise", "points")
"""Keys below a value or term that are not cases of its `by`."""
_HOOK = re.compile(r"(may\s+)?(before|after|instead|whenever)\b")
"""Beginning of the key of a hook."""
_OF_SPACES = (("legend",), ("spaces",))
"""Keys of a board below which spaces have their details."""
_CHANGING = ("powers", "roles", "options")
"""Sections whose entries can change figures and have hooks."""
_DETAILS = {"words": 4, "pieces": 3, "boards": 5}
"""Number of keys that lead to the details of a word, of a kind of piece and of a space."""


@record
class Use:
    """Use of a name.

    - user: path of the declaration that uses it
    - kind: NAMES, STEPS (a `do`), CHANGES or HOOKS
    - name: canonical
    - text: the sentence, or the new text of a changed value
    - within: text that contains the name, at `begin`
    """

    user: tuple[str, ...]
    kind: str
    name: str
    text: str
    within: Scalar
    begin: int
    length: int

    @cached_property
    def place(self) -> SourcePlace:
        """Place of the name within its text."""
        return self.within.place_at(self.begin, self.length)


def uses(edition: Edition, collected: list[Scalar] | None = None) -> list[Use]:
    """Return all uses of names, in the order of the file. collected: gets every sentence, also of texts."""
    result: list[Use] = []
    with use_sentence_cache(edition.cached_as):
        for key, section in edition.tree.items():
            section_uses, section_sentences = cached("uses", section, partial(_uses_below, key, section, ()))
            result += section_uses
            if collected is not None:
                collected += section_sentences
    return result


def _uses_below(key: Scalar, value: Node, path: tuple[str, ...]) -> tuple[list[Use], list[Scalar]]:
    """Return the uses in an entry below a path, and its sentences."""
    collected: list[Scalar] = []
    return list(_ReferenceReader(collected).entry(key, value, path)), collected


def uses_in_text(text: Scalar, collected: list[Scalar] | None = None) -> Iterator[Use]:
    """Yield the uses of names in the slots of a text. collected: gets every sentence in them."""
    return _ReferenceReader(collected).text(text, ())


@lru_cache(maxsize=10_000)
def _nearest_symbol(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path of the nearest symbol that a path lies in."""
    return next((path[:length] for length in range(len(path), 0, -1) if kind_of(path[:length])), path)


class _ReferenceReader:
    """Walker over a tree that yields uses of names; keys tell which texts are sentences. collected: receives every
    sentence, or None. Parameter `user`: path of the declaration that the uses are counted for."""

    def __init__(self, collected: list[Scalar] | None = None) -> None:
        self.collected = collected

    def section(self, node: Node, path: tuple[str, ...]) -> Iterator[Use]:
        """Yield the uses below a path of keys."""
        for key, value in entries_of(node):
            if isinstance(value, Scalar):
                yield from self.entry(key, value, path)
            else:
                inner_uses, inner_sentences = cached(
                    f"uses {path} {key.text}", value, partial(_uses_below, key, value, path)
                )
                if self.collected is not None:
                    self.collected += inner_sentences
                yield from inner_uses

    def entry(self, key: Scalar, value: Node, path: tuple[str, ...]) -> Iterator[Use]:
        """Yield the uses in an entry below a path of keys."""
        full_path = (*path, key.text)
        if path and (path[0] in ("words", "pieces") or (path[0] == "boards" and path[2:] in _OF_SPACES)):
            yield from self.described(key, value, full_path)
        elif key.text in _TEXT_KEYS and isinstance(value, Scalar):
            yield from self.text(value, path)
        elif key.text == "do" or (kind_of(full_path) == "step" and not isinstance(value, MappingNode)):
            yield from self.body(value, full_path if kind_of(full_path) == "step" else path)
        elif key.text == "change" and path[0] in _CHANGING:
            yield from self.changes(value, path)
        elif path and path[0] in _CHANGING and _HOOK.match(key.text):
            yield from self.hook(key, value, path)
        elif isinstance(value, MappingNode):
            yield from self.section(value, full_path)
        else:
            yield from self.clause(key, value, path, full_path)

    def described(self, key: Scalar, value: Node, path: tuple[str, ...]) -> Iterator[Use]:
        """Yield the uses in an entry of words, pieces or spaces: word lists, words and zones."""
        if len(path) == _DETAILS[path[0]] and key.text in ("do", "text", "title"):
            owner = path[:-1]
            if key.text == "do":
                yield from self.body(value, owner)
            elif isinstance(value, Scalar):
                yield from self.text(value, owner)
            return
        if isinstance(value, MappingNode) and key.text != "copies":
            for inner, below in value.items():
                yield from self.described(inner, below, (*path, inner.text))
            return
        nodes = value.items if isinstance(value, SequenceNode) else [value]
        for item in nodes if key.text not in ("noun", "copies") else ():
            if isinstance(item, Scalar) and not item.absent:
                yield _name_use(item, path)

    def clause(self, key: Scalar, value: Node, path: tuple[str, ...], full_path: tuple[str, ...]) -> Iterator[Use]:
        """Yield the uses in an entry whose value is a text or a list, such as 'at most' or 'points'."""
        user = full_path if kind_of(full_path) else path
        if key.text in ("holds", "counting", "refills from") or (key.text == "of" and path[0] == "zones"):
            items = value.items if isinstance(value, SequenceNode) else [value]
            for item in items:
                if isinstance(item, Scalar):
                    yield _name_use(item, user)
        elif not isinstance(value, Scalar) or not (path or key.text == "ranking"):
            return
        elif path[:1] == ("ranking",) or key.text == "ranking":
            yield from self.sentence(value, "keys", user)
        elif (path[0] in ("values", "terms") and key.text != "noun") or key.text in ("at most", "points"):
            yield from self.sentence(value, "value", user)
            if kind_of(path) and key.text not in _NO_CASES:  # a case: its key may be a word
                yield from self.sentence(key, "value", user)

    def changes(self, node: Node, path: tuple[str, ...]) -> Iterator[Use]:
        """Yield the uses in a `change`: of the figures changed, and in their new values."""
        for key, value in entries_of(node):
            if isinstance(value, Scalar):
                yield Use(_nearest_symbol(path), CHANGES, canonical(key.text), value.text, key, 0, len(key.text))
                yield from self.sentence(value, "value", path)

    def hook(self, key: Scalar, value: Node, path: tuple[str, ...]) -> Iterator[Use]:
        """Yield the uses in a hook: in its key, and in what it does."""
        yield from self.sentence(key, "hook", path)
        if isinstance(value, MappingNode) and ("do" in value.entries or "ask" in value.entries):
            yield from self.section(value, path)
        else:
            yield from self.body(value, path)

    def body(self, node: Node, user: tuple[str, ...]) -> Iterator[Use]:
        """Yield the uses in statements and the bodies below them."""
        match node:
            case Scalar():
                yield from self.sentence(node, "statement", user)
            case SequenceNode():
                for item in node.items:
                    yield from self.body(item, user)
            case MappingNode():
                for key, value in node.items():
                    if key.text in ("log", "notation") and isinstance(value, Scalar):
                        yield from self.text(value, user)
                    if key.text in ("log", "heading", "notation"):
                        continue
                    if key.text != "otherwise":
                        yield from self.sentence(key, "statement", user)
                    if re.match(r"(choose|may|repeat\s+choosing)\b", key.text):
                        yield from self.clauses(value, user)
                    else:
                        yield from self.body(value, user)

    def clauses(self, node: Node, user: tuple[str, ...]) -> Iterator[Use]:
        """Yield the uses in the clauses of a decision, such as `ask` and `among`, and of its branches, such as `if`."""
        for key, value in entries_of(node):
            if key.text in _QUESTION_KEYS and isinstance(value, Scalar):
                yield from self.text(value, user)
            elif key.text == "do":
                yield from self.body(value, user)
            elif key.text in ("if", "times", "none if", "none at", "by place") and isinstance(value, Scalar):
                yield from self.sentence(value, "value", user)
            else:
                yield from self.clauses(value, user)

    def text(self, text: Scalar, user: tuple[str, ...]) -> Iterator[Use]:
        """Yield the uses in the {slots} of a text, and where plural forms name one: [price: …|…]."""
        matches = list(_SLOT.finditer(text.text))
        slots = {" ".join(match[1].split()) for match in matches}
        matches += [match for match in _SUBJECT.finditer(text.text) if " ".join(match[1].split()) in slots]
        for match in matches:
            yield from self.sentence(text_part(text, match.start(1), match[1]), "value", user)

    def sentence(self, text: Scalar, start: str, user: tuple[str, ...]) -> Iterator[Use]:
        """Yield the uses in a sentence, an expression or a hook's key, and collect the text. start: entry point of the
        grammar."""
        if not text.text.strip():
            return
        if self.collected is not None:
            self.collected.append(text)
        expression = re.sub(r"^(\s*)\+", r"\1 ", text.text)  # as in 'hand limit: +2'
        if (names := _names_in(expression, start)) is None:
            return
        sentences.parse(expression, start)  # so that it is remembered of this edition, too
        for kind, name, begin, length in names:
            yield Use(_nearest_symbol(user), kind, name, text.text, text, begin, length)


@lru_cache(maxsize=10_000)
def _names_in(text: str, start: str) -> tuple[tuple[str, str, int, int], ...] | None:
    """Return (kind of use, canonical name, offset, length) for each name in a sentence; None if it cannot be parsed."""
    try:
        tree = sentences.parse(text, start)
    except sentence_errors.SentenceError:
        return None
    step = tree.step if isinstance(tree, HookKey | Do) else None
    return tuple(
        (
            NAMES if name is not step else HOOKS if start == "hook" else STEPS,
            canonical(name.text),
            *_offset_and_length(name),
        )
        for name in tree.find(Name)
    )


def _offset_and_length(name: Name) -> tuple[int, int]:
    """Return the offset of a name and its length."""
    assert name.span is not None
    return name.span.start, name.span.end - name.span.start


def _name_use(text: Scalar, user: tuple[str, ...]) -> Use:
    """Return the use of a name in a text that consists of it."""
    return Use(_nearest_symbol(user), NAMES, canonical(text.text), text.text, text, 0, len(text.text))
