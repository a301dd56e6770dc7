"""Examples of an edition: its own cases for readers of the rulebook, then those of the editions that it extends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulewright.authoring.scenarios import cases, messages
from rulewright.authoring.scenarios.cases import Case
from rulewright.base import files
from rulewright.base.diagnostics import (
    Diagnostic,
    EditionError,
    Report,
    SourcePlace,
    did_you_mean,
)
from rulewright.base.records import record
from rulewright.base.wording import Wording
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.model.edition import Edition
from rulewright.model.editions import displayed_path, examples_of
from rulewright.syntax import schema, schema_validation, source, yaml_reader
from rulewright.syntax.source import Node, Scalar

MAX_NAME_LENGTH = 80
"""Maximum number of characters of an example's name in a message."""


@record
class Source:
    """Case as written. seats: those of its file, or None; last: last line of the case."""

    name: Scalar
    body: Node
    seats: Node | None
    last: int

    def holds(self, diagnostic: Diagnostic) -> bool:
        """Return whether a diagnostic lies in this case."""
        return (
            diagnostic.place.file == self.name.place.file and self.name.place.line <= diagnostic.place.line <= self.last
        )


@record
class Examples:
    """Examples that can be set up. left_out: for each other example, a sentence with the reason; printed: names of
    those in a book on paper; lessons: names of those that teach the game, in order, or None if the edition does not
    say."""

    rules: Rules
    cases: tuple[Case, ...]
    left_out: tuple[Wording, ...]
    printed: frozenset[str]
    lessons: tuple[str, ...] | None = None


def examples(rules: Rules, options: Mapping[str, str]) -> Examples:
    """Return the examples of an edition. options: those of the book; a case may have its own. Raises EditionError if a
    file is no file of cases."""
    trees = _files(rules.edition)
    sources = list(_example_sources(rules.edition, trees))
    read, wrong = with_texts(rules, sources)
    shown_cases: list[Case] = []
    left_out = [left_out_message(each.name.text, each.name.place, reason) for each, reason in wrong]
    for each in sources:
        if any(each is other for other, _ in wrong):
            continue
        report = Report()
        case = cases.case(read, each.name, each.body, each.seats, report, options)
        if case is not None and report.ok:
            shown_cases.append(case)
        else:
            left_out.append(left_out_message(each.name.text, each.name.place, report.errors[0].problem))
    names = [each.name.text for each in sources]
    dropped = {name.text for tree in trees for name in _names_listed(tree, "leave out") or ()}
    picked, learned = _names_for_use(trees, "print"), _names_for_use(trees, "lessons")
    for listed, template in ((picked, messages.NONE_TO_PRINT), (learned, messages.NONE_TO_LEARN_BY)):
        for name in listed or ():
            if name.text not in names and name.text not in dropped:
                reason = template(hint=did_you_mean(name.text, names))
                left_out.append(left_out_message(name.text, name.place, reason))
    printed = names if picked is None else [name.text for name in picked]
    lessons = None if learned is None else tuple(name.text for name in learned if name.text in names)
    return Examples(read, tuple(shown_cases), tuple(left_out), frozenset(printed), lessons)


def _names_for_use(trees: Sequence[source.MappingNode], key: str) -> list[Scalar] | None:
    """Return the names of the examples for a use, such as a book on paper, from the nearest edition that lists them;
    None without a list."""
    return next((node for tree in trees if (node := _names_listed(tree, key)) is not None), None)


def _names_listed(tree: source.MappingNode, key: str) -> list[Scalar] | None:
    """Return the names in the list below a key of a file; None if there is no list."""
    names = tree.get(key)
    return (
        [name for name in names.items if isinstance(name, Scalar)] if isinstance(names, source.SequenceNode) else None
    )


def left_out_message(name: str, place: SourcePlace, reason: Wording | str) -> Wording:
    """Return the message that an example is left out, for the author of a book."""
    short = name if len(name) <= MAX_NAME_LENGTH else name[: MAX_NAME_LENGTH - 1] + "…"
    return messages.LEFT_OUT(name=short, file=place.file, line=place.line, reason=reason)


def with_texts(rules: Rules, sources: Sequence[Source]) -> tuple[Rules, list[tuple[Source, Wording]]]:
    """Return the rules with the texts of all examples with valid texts, and the other examples with reasons."""
    wrong: list[tuple[Source, Wording]] = []
    while True:
        report = Report()
        sound = [each for each in sources if not any(each is other for other, _ in wrong)]
        texts = [text for each in sound for text in cases.texts_of(each.name.text, each.body)]
        read = library.with_texts(rules, texts, report)
        if report.ok:
            return read, wrong
        wrong += [(each, error.problem) for each in sound for error in report.errors if each.holds(error)]


def sources(edition: Edition) -> Iterator[Source]:
    """Yield the cases as written: for each name the nearest, unless left out on the way; cases of other editions lose
    removed things in their positions. Raises EditionError."""
    yield from _example_sources(edition, _files(edition))


def _files(edition: Edition) -> list[source.MappingNode]:
    """Read the files of examples, the nearest first. Raises EditionError."""
    return [_read(file) for file in map(examples_of, edition.files) if file.is_file()]


def _example_sources(edition: Edition, trees: Sequence[source.MappingNode]) -> Iterator[Source]:
    """Yield the cases of files for the rulebook, each once; names that a nearer file has or leaves out are skipped."""
    visited: set[str] = set()
    for tree in trees:
        section = tree.get("cases")
        keys = list(section.keys.values()) if isinstance(section, source.MappingNode) else []
        for key, following in zip(keys, [*keys[1:], None], strict=True):
            assert isinstance(section, source.MappingNode)
            if key.text not in visited:
                last = following.place.line - 1 if following is not None else key.place.line + _MAX_LINES
                body = _without_removed(section.entries[key.text], edition, key.text)
                yield Source(key, body, tree.get("seats"), last)
        visited |= {key.text for key in keys}
        left_out = tree.get("leave out")
        if isinstance(left_out, source.SequenceNode):
            visited |= {name.text for name in left_out.items if isinstance(name, Scalar)}


_MAX_LINES = 1_000_000
"""More lines than any file has: where the last case of a file ends is not looked up."""


def _without_removed(body: Node, edition: Edition, name: str) -> Node:
    """Return a case without removed things in its position. A case whose texts mention them stays as it is, and cannot
    be set up."""
    position = body.get("given") if isinstance(body, source.MappingNode) else None
    if not isinstance(body, source.MappingNode) or position is None:
        return body
    words = " ".join([name, *(text.text for _, text in cases.texts_of(name, body))]).casefold()
    removed = {gone.casefold() for gone in edition.removed if gone.casefold() not in words}
    return replace(body, entries={**body.entries, "given": _without_names(position, removed)})


def _without_names(node: Node, removed: set[str]) -> Node:
    """Return a tree without the keys and items that name something removed."""
    match node:
        case source.MappingNode(place, entries, keys):
            rest = {
                key: _without_names(inner, removed) for key, inner in entries.items() if key.casefold() not in removed
            }
            return source.MappingNode(place, rest, {key: keys[key] for key in rest})
        case source.SequenceNode(items=items):
            kept_items = [item for item in items if not (isinstance(item, Scalar) and item.text.casefold() in removed)]
            return replace(node, items=kept_items)
    return node


def _read(file: Path) -> source.MappingNode:
    """Return the tree of a file of examples. Raises EditionError."""
    report = Report()
    if files.is_outside(file, file.parent):
        report.error(
            SourcePlace(displayed_path(file), 1, 1, 1),
            messages.LINK_LEADS_OUT(),
        )
        raise EditionError(report)
    tree = yaml_reader.read(file, None, report, displayed_path(file))
    if tree is None or not report.ok or not schema_validation.validate(tree, report, schema.SCENARIOS):
        raise EditionError(report)
    assert isinstance(tree, source.MappingNode)
    return tree
