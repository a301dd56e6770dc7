"""Base of the readers of sections, and access to nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rulewright.base.diagnostics import Report, shorten_name, there_are
from rulewright.base.wording import Wording
from rulewright.model import messages
from rulewright.model.declarations import SEAT, Noun, canonical
from rulewright.model.edition import Edition
from rulewright.syntax import sentence_errors, sentences, source
from rulewright.syntax.nouns import plural
from rulewright.syntax.number_nodes import Negative, Number
from rulewright.syntax.source import Node, Scalar, SequenceNode, entries_of, value_of
from rulewright.syntax.tree import AnyNode


class SectionReader:
    """Base of readers that fill parts of an Edition."""

    def __init__(self, tree: source.MappingNode, report: Report, edition: Edition) -> None:
        self.tree, self.report, self.edition = tree, report, edition

    def read_span(self, node: Node | None) -> tuple[int, int]:
        """Return a range of whole numbers such as `2 to 5`; report a wrong one and return one that serves."""
        assert isinstance(node, Scalar)
        syntax = self.parse(node, sentences.number_range)
        if syntax is None:
            self.edition.lost.meaning = True
            return (1, 1)
        if "." in node.text:
            self.report.error(node.place, messages.FRACTION_GIVEN(given=node.text))
            self.edition.lost.meaning = True
            return (1, 1)
        low, high = signed(syntax.low), signed(syntax.high or syntax.low)
        if low > high:
            self.report.error(node.place, messages.EMPTY_SPAN(given=node.text))
            self.edition.lost.meaning = True
            return (low, low)
        return (low, high)

    def parse(self, node: Scalar, parse: Callable[[str], AnyNode]) -> AnyNode | None:
        """Parse a text; report an error and return None if it cannot be parsed."""
        try:
            return parse(node.text)
        except sentence_errors.SentenceError as error:
            if not self.edition.lost.explains_error(node.text, error.offset):
                self.report.error(node.place_at(error.offset, error.length), error.problem, *error.hints)
            if error.reserved_word:
                self.edition.lost.refused.add(error.reserved_word)
            return None

    def resolve(self, node: Scalar, table: Iterable[str], sort: Wording) -> str:
        """Return the name in `table` that a node has, singular or plural; '' with an error if there is none.

        sort: of the names in `table`, for the error.
        """
        if node.text in (names := list(table)):
            return node.text
        by_canonical = {canonical(name): name for name in names}
        match = by_canonical.get(canonical(node.text))
        if match is None and node.text not in self.edition.lost:
            problem = messages.NO_SUCH_NAME(sort=sort, name=shorten_name(node.text))
            hints = self.edition.unknown_name_hints(node.text, by_canonical.values()) or there_are(
                by_canonical.values()
            )
            self.report.error(node.place, problem, *hints, related=self.edition.removed_at(node.text))
        return match or ""

    def noun(self, owner: source.MappingNode | None, default: str) -> Noun:
        """Return the noun that an entry declares, by default its name."""
        text = text_of(owner, "noun") or default
        one, _, many = (part.strip() for part in text.partition("|"))
        return Noun(one, many or plural(one), many or one)

    def flag(self, owner: source.MappingNode, key: str, default: bool) -> bool:
        """Return whether an entry says yes; `default` if it does not say."""
        text = text_of(owner, key)
        return default if not text else text == "yes"

    def read_parameters(self, owner: source.MappingNode) -> tuple[tuple[str, Scalar], ...]:
        """Return names and types of the parameters under `for`; () without any. What is no scalar is left out."""
        return tuple((key.text, node) for key, node in entries_of(owner.get("for")) if isinstance(node, Scalar))

    def kind_names(self, node: Node | None) -> frozenset[str]:
        """Return the kinds of piece that a node lists; all kinds if one is unknown."""
        listed = node.items if isinstance(node, SequenceNode) else [node] if node is not None else []
        names = [
            self.resolve(item, self.edition.kinds, messages.KIND_OF_PIECE())
            for item in listed
            if isinstance(item, Scalar)
        ]
        return frozenset(names if all(names) else self.edition.kinds)

    def scoped(self, section: str) -> Iterator[tuple[str, Scalar, Node]]:
        """Yield owner ('', SEAT, a word list or a kind of piece), name and node of each entry of a section."""
        for scope, entries in entries_of(self.tree.get(section)):
            of = self.owner_type(scope, self.edition.kinds)
            for key, node in entries_of(entries):
                if of is not None:
                    yield of, key, node
                else:
                    self.edition.lost.add(key.text)

    def owner_type(self, scope: Scalar, kinds: Iterable[str] = ()) -> str | None:
        """Return the owner that a key names: '' for the game, SEAT, a word list, or one of some kinds of piece; None,
        reported, if there is none of that name."""
        if scope.text == "game":
            return ""
        if scope.text == SEAT:
            return SEAT
        if not kinds:
            return self.resolve(scope, self.edition.words, messages.WORD_LIST()) or None
        return self.resolve(scope, [*kinds, *self.edition.words], messages.WORD_LIST_OR_KIND()) or None


def by_name(node: Node | None) -> Iterable[tuple[str, Node]]:
    """Return the entries of a mapping, with their keys as strings; none for any other node."""
    return node.entries.items() if isinstance(node, source.MappingNode) else ()


def scalar(node: Node | None, key: str) -> Scalar | None:
    """Return the text below a key, or None."""
    value = value_of(node, key)
    return value if isinstance(value, Scalar) and not value.absent else None


def text_of(node: Node | None, key: str) -> str:
    """Return the text below a key as a string, or ''."""
    value = scalar(node, key)
    return value.text.strip() if value else ""


def scalar_text(node: Node) -> str:
    """Return a scalar's text as it is; '' for a list or mapping."""
    return node.text if isinstance(node, Scalar) else ""


def required_text(node: source.MappingNode, key: str) -> Scalar:
    """Return the text below a key that the schema demands; an empty one, marked absent, in a broken file."""
    return scalar(node, key) or Scalar("", node.place, True)


def required_node(node: source.MappingNode, key: str) -> Node:
    """Return the node below a key that the schema demands; an empty list in a broken file."""
    return node.get(key) or SequenceNode([], node.place)


def signed(number: Number | Negative) -> int:
    """Return the value of a whole number node."""
    return -int(number.digits) if isinstance(number, Negative) else int(number.digits)
