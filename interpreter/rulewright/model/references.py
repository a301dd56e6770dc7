"""Who speaks of what: every place of an edition where a sentence, a text or a key names something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache, partial

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.model.declarations import Edition, canonical
from rulewright.model.symbols import kind_of
from rulewright.syntax import sentences
from rulewright.syntax.section_cache import reused
from rulewright.syntax.sentence_cache import remembering
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, part
from rulewright.syntax.tree import Do, HookKey, Name

NAMES, STEPS, CHANGES, HOOKS = "names", "does", "changes", "hooks"

# Keys whose text is for people; what stands in braces there is an expression.
_TOLD = ("text", "ask", "none", "log")
_SLOT, _SUBJECT = re.compile(r"\{([^{}]+)\}"), re.compile(r"\[([^\[\]{}|:]+):")
_ASKED = (*_TOLD, "ask more", "none more")  # below a decision
_NO_CASES = ("at most", "by", "is", "otherwise", "points")
_HOOK = re.compile(r"(may\s+)?(before|after|instead|whenever)\b")
_OF_SPACES = (("legend",), ("spaces",))
_CHANGING = ("powers", "roles", "options")
_DETAILS = {"words": 4, "pieces": 3, "boards": 5}
"""How many keys lead to what is told of a word, of a kind of piece and of a space."""


@record
class Use:
    """Something named.

    by: the path of whoever names it; how: NAMES, STEPS (`do` it), CHANGES or HOOKS; name: canonical; text: the
    sentence, or what a changed value becomes; within: the text that it stands in, begin: where there.
    """

    by: tuple[str, ...]
    how: str
    name: str
    text: str
    within: Scalar
    begin: int
    length: int

    @cached_property
    def place(self) -> SourcePlace:
        return self.within.place_at(self.begin, self.length)


def uses(edition: Edition, heard: list[Scalar] | None = None) -> list[Use]:
    """All that is named anywhere, in the order of the file. heard: gets every sentence, also of texts."""
    found: list[Use] = []
    with remembering(edition.file):
        for key, section in edition.tree.items():
            named, said = reused("uses", section, partial(_uses_below, key, section, ()))
            found += named
            if heard is not None:
                heard += said
    return found


def _uses_below(key: Scalar, value: Node, path: tuple[str, ...]) -> tuple[list[Use], list[Scalar]]:
    heard: list[Scalar] = []
    return list(_ReferenceReader(heard).entry(key, value, path)), heard


def told(text: Scalar, heard: list[Scalar] | None = None) -> Iterator[Use]:
    """What a text for people names within its braces."""
    return _ReferenceReader(heard).told(text, ())


@lru_cache(maxsize=10_000)
def _named(path: tuple[str, ...]) -> tuple[str, ...]:
    """The nearest thing with a name that a path leads to."""
    return next((path[:length] for length in range(len(path), 0, -1) if kind_of(path[:length])), path)


class _ReferenceReader:
    """Goes through a tree, and knows from the keys on its way which of the texts are sentences."""

    def __init__(self, heard: list[Scalar] | None = None) -> None:
        self.heard = heard

    def section(self, node: Node, path: tuple[str, ...]) -> Iterator[Use]:
        """What stands below a path of keys."""
        for key, value in node.items() if isinstance(node, MappingNode) else ():
            if isinstance(value, Scalar):
                yield from self.entry(key, value, path)
            else:
                named, heard = reused(f"uses {path} {key.text}", value, partial(_uses_below, key, value, path))
                if self.heard is not None:
                    self.heard += heard
                yield from named

    def entry(self, key: Scalar, value: Node, path: tuple[str, ...]) -> Iterator[Use]:
        """What an entry below a path of keys names."""
        here = (*path, key.text)
        if path and (path[0] in ("words", "pieces") or (path[0] == "boards" and path[2:] in _OF_SPACES)):
            yield from self.described(key, value, here)
        elif key.text in _TOLD and isinstance(value, Scalar):
            yield from self.told(value, path)
        elif key.text == "do" or (kind_of(here) == "step" and not isinstance(value, MappingNode)):
            yield from self.body(value, here if kind_of(here) == "step" else path)
        elif key.text == "change" and path[0] in _CHANGING:
            yield from self.changes(value, path)
        elif path and path[0] in _CHANGING and _HOOK.match(key.text):
            yield from self.hook(key, value, path)
        elif isinstance(value, MappingNode):
            yield from self.section(value, here)
        else:
            yield from self.clause(key, value, path, here)

    def described(self, key: Scalar, value: Node, here: tuple[str, ...]) -> Iterator[Use]:
        """What words and pieces name: word lists, words and zones, each alone."""
        if len(here) == _DETAILS[here[0]] and key.text in ("do", "text", "title"):
            whose = here[:-1]
            if key.text == "do":
                yield from self.body(value, whose)
            elif isinstance(value, Scalar):
                yield from self.told(value, whose)
            return
        if isinstance(value, MappingNode) and key.text != "copies":
            for inner, below in value.items():
                yield from self.described(inner, below, (*here, inner.text))
            return
        told = value.items if isinstance(value, SequenceNode) else [value]
        for item in told if key.text not in ("noun", "copies") else ():
            if isinstance(item, Scalar) and not item.absent:
                yield _whole(item, here)

    def clause(self, key: Scalar, value: Node, path: tuple[str, ...], here: tuple[str, ...]) -> Iterator[Use]:
        """A key with a text or a list, such as 'at most' or 'points'."""
        by = here if kind_of(here) else path
        if key.text in ("holds", "counting", "refills from") or (key.text == "of" and path[0] == "zones"):
            items = value.items if isinstance(value, SequenceNode) else [value]
            for item in items:
                if isinstance(item, Scalar):
                    yield _whole(item, by)
        elif not isinstance(value, Scalar) or not (path or key.text == "ranking"):
            return
        elif path[:1] == ("ranking",) or key.text == "ranking":
            yield from self.sentence(value, "keys", by)
        elif (path[0] in ("values", "terms") and key.text != "noun") or key.text in ("at most", "points"):
            yield from self.sentence(value, "value", by)
            if kind_of(path) and key.text not in _NO_CASES:  # a case: its key may be a word
                yield from self.sentence(key, "value", by)

    def changes(self, node: Node, path: tuple[str, ...]) -> Iterator[Use]:
        for key, value in node.items() if isinstance(node, MappingNode) else ():
            if isinstance(value, Scalar):
                yield Use(_named(path), CHANGES, canonical(key.text), value.text, key, 0, len(key.text))
                yield from self.sentence(value, "value", path)

    def hook(self, key: Scalar, value: Node, path: tuple[str, ...]) -> Iterator[Use]:
        yield from self.sentence(key, "hook", path)
        if isinstance(value, MappingNode) and ("do" in value.entries or "ask" in value.entries):
            yield from self.section(value, path)
        else:
            yield from self.body(value, path)

    def body(self, node: Node, by: tuple[str, ...]) -> Iterator[Use]:
        """Sentences, with what stands below them."""
        match node:
            case Scalar():
                yield from self.sentence(node, "statement", by)
            case SequenceNode():
                for item in node.items:
                    yield from self.body(item, by)
            case MappingNode():
                for key, value in node.items():
                    if key.text == "log" and isinstance(value, Scalar):
                        yield from self.told(value, by)
                    if key.text in ("log", "heading"):
                        continue
                    if key.text != "otherwise":
                        yield from self.sentence(key, "statement", by)
                    if re.match(r"(choose|may|repeat\s+choosing)\b", key.text):
                        yield from self.clauses(value, by)
                    else:
                        yield from self.body(value, by)

    def clauses(self, node: Node, by: tuple[str, ...]) -> Iterator[Use]:
        """ask, none, ask more, none more, none if, by place, do and among, below a decision; text, if, times and do,
        below a branch."""
        for key, value in node.items() if isinstance(node, MappingNode) else ():
            if key.text in _ASKED and isinstance(value, Scalar):
                yield from self.told(value, by)
            elif key.text == "do":
                yield from self.body(value, by)
            elif key.text in ("if", "times", "none if", "by place") and isinstance(value, Scalar):
                yield from self.sentence(value, "value", by)
            else:
                yield from self.clauses(value, by)

    def told(self, text: Scalar, by: tuple[str, ...]) -> Iterator[Use]:
        """A text for people, with its {slots}, and where forms name one of these: [price: …|…]."""
        found = list(_SLOT.finditer(text.text))
        slots = {" ".join(match[1].split()) for match in found}
        found += [match for match in _SUBJECT.finditer(text.text) if " ".join(match[1].split()) in slots]
        for match in found:
            yield from self.sentence(part(text, match.start(1), match[1]), "value", by)

    def sentence(self, text: Scalar, start: str, by: tuple[str, ...]) -> Iterator[Use]:
        if not text.text.strip():
            return
        if self.heard is not None:
            self.heard.append(text)
        written = re.sub(r"^(\s*)\+", r"\1 ", text.text)  # as in 'hand limit: +2'
        if (found := _names_in(written, start)) is None:
            return
        sentences.parse(written, start)  # so that it is remembered of this edition, too
        for how, name, begin, length in found:
            yield Use(_named(by), how, name, text.text, text, begin, length)


@lru_cache(maxsize=10_000)
def _names_in(text: str, start: str) -> tuple[tuple[str, str, int, int], ...] | None:
    """How a sentence speaks of what, and where in it that begins and how long it is; None if it cannot be read."""
    try:
        tree = sentences.parse(text, start)
    except sentences.SentenceError:
        return None
    step = tree.step if isinstance(tree, HookKey | Do) else None
    return tuple(
        (NAMES if name is not step else HOOKS if start == "hook" else STEPS, canonical(name.text), *_where(name))
        for name in tree.find(Name)
    )


def _where(name: Name) -> tuple[int, int]:
    """Return the offset of a name and its length."""
    assert name.span is not None
    return name.span.start, name.span.end - name.span.start


def _whole(text: Scalar, by: tuple[str, ...]) -> Use:
    """A text that is a name."""
    return Use(_named(by), NAMES, canonical(text.text), text.text, text, 0, len(text.text))
