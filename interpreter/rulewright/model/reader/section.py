"""What every part of reading works with: the tree, the report, the edition that is being filled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rulewright.base.diagnostics import Report, few
from rulewright.model.declarations import SEAT, Edition, Noun, canonical
from rulewright.syntax import sentences, source
from rulewright.syntax.nouns import plural
from rulewright.syntax.source import Node, Scalar, SequenceNode
from rulewright.syntax.tree import AnyNode, Negative, Number
from rulewright.syntax.yaml_errors import short


class SectionReader:
    """Fills a part of an Edition."""

    def __init__(self, tree: source.MappingNode, report: Report, edition: Edition) -> None:
        self.tree, self.report, self.edition = tree, report, edition

    def span(self, node: Node | None) -> tuple[int, int]:
        assert isinstance(node, Scalar)
        syntax = self.parse(node, sentences.number_range)
        if syntax is None:
            self.edition.lost.meaning = True
            return (1, 1)
        if "." in node.text:
            self.report.error(node.place, "fraction", f"Expected whole numbers here, not '{node.text}'.")
            self.edition.lost.meaning = True
            return (1, 1)
        low, high = signed(syntax.low), signed(syntax.high or syntax.low)
        if low > high:
            self.report.error(
                node.place, "empty-span", f"A span goes from the smaller number to the larger: '{node.text}'."
            )
            self.edition.lost.meaning = True
            return (low, low)
        return (low, high)

    def parse(self, node: Scalar, parse: Callable[[str], AnyNode]) -> AnyNode | None:
        """Return the tree of a text, or None where it is none, which is reported."""
        try:
            return parse(node.text)
        except sentences.SentenceError as error:
            if not self.edition.lost.spoils(node.text, error.at, error.refused):
                self.report.error(node.place_at(error.at, error.length), "syntax", error.message, error.hint)
            return None

    def known(self, node: Scalar, table: Iterable[str], what: str) -> str:
        """The name in `table` that the node names, in one or many; else an error and ''."""
        if node.text in (names := list(table)):
            return node.text
        by_canonical = {canonical(name): name for name in names}
        found = by_canonical.get(canonical(node.text))
        if found is None and node.text not in self.edition.lost:
            message = f"There is no {what} called '{short(node.text)}'."
            hint = self.edition.missing(node.text, by_canonical.values()) or few(by_canonical.values())
            self.report.error(node.place, "unknown-name", message, hint)
        return found or ""

    def noun(self, owner: source.MappingNode | None, default: str) -> Noun:
        text = text_of(owner, "noun") or default
        one, _, many = (part.strip() for part in text.partition("|"))
        return Noun(one, many or plural(one), many or one)

    def flag(self, owner: source.MappingNode, key: str, default: bool) -> bool:
        text = text_of(owner, key)
        return default if not text else text == "yes"

    def parameters(self, owner: source.MappingNode) -> tuple[tuple[str, Scalar], ...]:
        return tuple((key.text, node) for key, node in items(owner.get("for")) if isinstance(node, Scalar))

    def kind_names(self, node: Node | None) -> frozenset[str]:
        listed = node.items if isinstance(node, SequenceNode) else [node] if node is not None else []
        found = [self.known(item, self.edition.kinds, "kind of piece") for item in listed if isinstance(item, Scalar)]
        return frozenset(found if all(found) else self.edition.kinds)

    def scoped(self, section: str) -> Iterator[tuple[str, Scalar, Node]]:
        """Whose it is ('', SEAT, a word list or a kind of piece), its name, and what is said of it."""
        for scope, entries in items(self.tree.get(section)):
            of = self.whose(scope, self.edition.kinds)
            for key, node in items(entries):
                if of is not None:
                    yield of, key, node
                else:
                    self.edition.lost.add(key.text)

    def whose(self, scope: Scalar, kinds: Iterable[str] = ()) -> str | None:
        """'' for the game's, SEAT, or the word list that is named, or one of some kinds of piece; None if there is none
        of that name."""
        if scope.text == "game":
            return ""
        if scope.text == SEAT:
            return SEAT
        if not kinds:
            return self.known(scope, self.edition.words, "word list") or None
        return self.known(scope, [*kinds, *self.edition.words], "word list or kind of piece") or None


def items(node: Node | None) -> Iterable[tuple[Scalar, Node]]:
    return node.items() if isinstance(node, source.MappingNode) else ()


def by_name(node: Node | None) -> Iterable[tuple[str, Node]]:
    return node.entries.items() if isinstance(node, source.MappingNode) else ()


def scalar(node: Node | None, key: str) -> Scalar | None:
    found = node.get(key) if isinstance(node, source.MappingNode) else None
    return found if isinstance(found, Scalar) and not found.absent else None


def text_of(node: Node | None, key: str) -> str:
    found = scalar(node, key)
    return found.text.strip() if found else ""


def plain(node: Node) -> str:
    return node.text if isinstance(node, Scalar) else ""


def needed(node: source.MappingNode, key: str) -> Scalar:
    return scalar(node, key) or Scalar("", node.place, True)


def needed_node(node: source.MappingNode, key: str) -> Node:
    return node.get(key) or SequenceNode([], node.place)


def signed(number: Number | Negative) -> int:
    """Return a whole number as it is written, with its sign."""
    return -int(number.digits) if isinstance(number, Negative) else int(number.digits)
