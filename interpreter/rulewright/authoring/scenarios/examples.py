"""The examples of an edition: its own cases for readers of the rulebook, then those of the editions that it extends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulewright.authoring.scenarios import cases
from rulewright.authoring.scenarios.cases import Case
from rulewright.base import files
from rulewright.base.diagnostics import Diagnostic, EditionError, Report, SourcePlace, nearest, visible
from rulewright.base.records import record
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.model.declarations import Edition
from rulewright.model.editions import examples_of, full_path
from rulewright.syntax import schema, source, yaml_reader
from rulewright.syntax.source import Node, Scalar

LONGEST_NAME = 80


@record
class Source:
    """A case as it is written. seats: those of its file, or None; last: the last line of the case."""

    name: Scalar
    body: Node
    seats: Node | None
    last: int

    def holds(self, found: Diagnostic) -> bool:
        """Whether something was found here."""
        return found.place.file == self.name.place.file and self.name.place.line <= found.place.line <= self.last


@record
class Examples:
    """The examples that can be read and set up by the rules. left_out: for each of the others, a sentence that says
    why; printed: the names of those that a book on paper has; lessons: of those by which one learns the game, in that
    order, or None where the edition does not say."""

    rules: Rules
    cases: tuple[Case, ...]
    left_out: tuple[str, ...]
    printed: frozenset[str]
    lessons: tuple[str, ...] | None = None


def examples(rules: Rules, options: Mapping[str, str]) -> Examples:
    """The examples of an edition, read against its rules. options: those of the book; a case may have its own.

    Raises EditionError where a file is none of cases at all.
    """
    trees = _files(rules.edition)
    written = list(_sources(rules.edition, trees))
    read, wrong = with_texts(rules, written)
    told: list[Case] = []
    left_out = [leaving_out(each.name.text, each.name.place, why) for each, why in wrong]
    for each in written:
        if any(each is other for other, _ in wrong):
            continue
        report = Report()
        case = cases.case(read, each.name, each.body, each.seats, report, options)
        if case is not None and report.ok:
            told.append(case)
        else:
            left_out.append(leaving_out(each.name.text, each.name.place, report.errors[0].message))
    names = [each.name.text for each in written]
    dropped = {name.text for tree in trees for name in _listed(tree, "leave out") or ()}
    picked, learned = _picked(trees, "print"), _picked(trees, "lessons")
    for listed, purpose in ((picked, "to be printed"), (learned, "to be learned by")):
        for name in listed or ():
            if name.text not in names and name.text not in dropped:
                why = f"there is none of this name {purpose}. {nearest(name.text, names)}"
                left_out.append(leaving_out(name.text, name.place, why))
    printed = names if picked is None else [name.text for name in picked]
    lessons = None if learned is None else tuple(name.text for name in learned if name.text in names)
    return Examples(read, tuple(told), tuple(left_out), frozenset(printed), lessons)


def _picked(trees: Sequence[source.MappingNode], key: str) -> list[Scalar] | None:
    """The examples for some use, such as a book on paper, as the edition itself says, else the nearest that it extends;
    None where nothing is said."""
    return next((found for tree in trees if (found := _listed(tree, key)) is not None), None)


def _listed(tree: source.MappingNode, key: str) -> list[Scalar] | None:
    names = tree.get(key)
    return (
        [name for name in names.items if isinstance(name, Scalar)] if isinstance(names, source.SequenceNode) else None
    )


def leaving_out(name: str, place: SourcePlace, why: str) -> str:
    """What the maker of a book is told of an example that does not stand in it."""
    short = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    return visible(f"The example '{short}' ({place.file}, line {place.line}) is left out: {' '.join(why.split())}")


def with_texts(rules: Rules, written: Sequence[Source]) -> tuple[Rules, list[tuple[Source, str]]]:
    """The rules with the texts of all examples, without those examples whose texts are wrong here; these, with why."""
    wrong: list[tuple[Source, str]] = []
    while True:
        report = Report()
        sound = [each for each in written if not any(each is other for other, _ in wrong)]
        texts = [text for each in sound for text in cases.told(each.name.text, each.body)]
        read = library.with_texts(rules, texts, report)
        if report.ok:
            return read, wrong
        wrong += [(each, found.message) for each in sound for found in report.errors if each.holds(found)]


def sources(edition: Edition) -> Iterator[Source]:
    """What is written: of cases with the same name the nearest, and none that is left out on the way; of those of other
    editions, what this one has removed does not lie on the table.

    Raises EditionError.
    """
    yield from _sources(edition, _files(edition))


def _files(edition: Edition) -> list[source.MappingNode]:
    """The files of examples, the nearest first. Raises EditionError."""
    return [_read(file) for file in map(examples_of, edition.files) if file.is_file()]


def _sources(edition: Edition, trees: Sequence[source.MappingNode]) -> Iterator[Source]:
    seen: set[str] = set()
    for tree in trees:
        found = tree.get("cases")
        keys = list(found.keys.values()) if isinstance(found, source.MappingNode) else []
        for key, following in zip(keys, [*keys[1:], None], strict=True):
            assert isinstance(found, source.MappingNode)
            if key.text not in seen:
                last = following.place.line - 1 if following is not None else key.place.line + _MOST_LINES
                body = _without_removed(found.entries[key.text], edition, key.text)
                yield Source(key, body, tree.get("seats"), last)
        seen |= {key.text for key in keys}
        left_out = tree.get("leave out")
        if isinstance(left_out, source.SequenceNode):
            seen |= {name.text for name in left_out.items if isinstance(name, Scalar)}


_MOST_LINES = 1_000_000


def _without_removed(body: Node, edition: Edition, name: str) -> Node:
    """A case whose position does without what the edition has removed; but one that tells of it stays as it is, and so
    cannot be set up."""
    given = body.get("given") if isinstance(body, source.MappingNode) else None
    if not isinstance(body, source.MappingNode) or given is None:
        return body
    said = " ".join([name, *(text.text for _, text in cases.told(name, body))]).casefold()
    removed = {gone.casefold() for gone in edition.removed if gone.casefold() not in said}
    return replace(body, entries={**body.entries, "given": _pruned(given, removed)})


def _pruned(node: Node, removed: set[str]) -> Node:
    match node:
        case source.MappingNode(place, entries, keys):
            kept = {key: _pruned(inner, removed) for key, inner in entries.items() if key.casefold() not in removed}
            return source.MappingNode(place, kept, {key: keys[key] for key in kept})
        case source.SequenceNode(items=items):
            kept_items = [item for item in items if not (isinstance(item, Scalar) and item.text.casefold() in removed)]
            return replace(node, items=kept_items)
    return node


def _read(file: Path) -> source.MappingNode:
    report = Report()
    if files.leads_out(file, file.parent):
        report.error(
            SourcePlace(full_path(file), 1, 1, 1),
            "no-file",
            "This is a link that leads out of its folder. Put the examples themselves there.",
        )
        raise EditionError(report)
    tree = yaml_reader.read(file, None, report, full_path(file))
    if tree is None or not report.ok or not schema.validate(tree, report, schema.SCENARIOS):
        raise EditionError(report)
    assert isinstance(tree, source.MappingNode)
    return tree
