"""An edition's declarations: what there is, by name and with its place in the file.

Reads a schema-valid tree; says what the schema cannot: names that refer to nothing, counts that do not fit.
Sentences and expressions stay text here; `compiler` gives them meaning.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.model import conflicts, inheritance, naming
from rulewright.model.declarations import Edition
from rulewright.model.inheritance import Whole
from rulewright.model.reader.artwork import LookReader
from rulewright.model.reader.components import ComponentReader
from rulewright.model.reader.course import CourseReader
from rulewright.model.reader.section import items, plain, scalar, text_of
from rulewright.model.statements import begin
from rulewright.syntax import schema
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode
from rulewright.syntax.tree import Show

MOST_SEATS = 12
# Of how an edition is played, in its hash: another number with every change after which the same seed and the same
# answers come to another game, so that no saved game goes on as one that it was not.
PLAYED_BY = 2
_DRAWN = "map"  # where line breaks count
_ASIDE = ("looks", "minutes", "age", "rulings")  # which change no game, so that tables go on
_UNPLAYED = (*_ASIDE, "measures", "reconstructed")
_TOLD = dict.fromkeys(("zones", "counters", "values", "terms"), ("noun",))  # sentences know the nouns of pieces alone
_OF_TEXTS = ("heading",)  # what is said of a text
_OPTIONAL = ("none",)  # texts without which nobody may choose nothing
_CALM = ("if", "otherwise", "each", "as")  # sentences that change nothing but by what stands below them


def read(path: Path | None, report: Report, name: str, text: str | None = None, shown_as: str = "") -> Edition | None:
    """The edition in a file (or a text), or None if the file is too broken to speak of declarations.

    What is wrong goes to the report and is left out of the edition, which knows the names that are lost with it.
    """
    file = shown_as or str(path)
    whole = inheritance.read(path, text, report, file)
    return None if whole is None else _declared(whole, report, name, file)


def with_values(edition: Edition, values: Mapping[str, str], report: Report) -> Edition | None:
    """An edition with other numbers for some of its values, as a variant that changes only them would have it.

    values: name of a value that is a number -> that number. None if it does not fit; the report says why.
    """
    named: dict[tuple[str, ...], str] = {
        ("values", edition.figures[name].of or "game", name): number for name, number in values.items()
    }
    return with_changes(edition, named, report)


def with_changes(edition: Edition, changes: Mapping[tuple[str, ...], str], report: Report) -> Edition | None:
    """An edition of which some texts are others, as a variant that changes only them would have it.

    changes: the keys on the way to a text, one below the other -> what it becomes. None if it does not fit; the report
    says why.
    """
    place = edition.tree.place
    change: dict[str, Any] = {}
    for path, text in changes.items():
        below = change
        for key in path[:-1]:
            below = below.setdefault(key, {})
        below[path[-1]] = Scalar(text, _place_of(edition.tree, path))
    tree = inheritance.changed(edition.tree, _nested(change, place), report, edition.name)
    if tree is None:
        return None
    whole = Whole(tree, edition.bases, edition.files, edition.removed)
    return _declared(whole, report, edition.name, edition.file)


def _place_of(tree: MappingNode, path: tuple[str, ...]) -> SourcePlace:
    """Where what is changed stands, or the last there is on the way to it."""
    node: Node = tree
    for key in path:
        inner = node.get(key) if isinstance(node, MappingNode) else None
        if inner is None:
            break
        node = inner
    return node.place


def _nested(entries: dict[str, Any], place: SourcePlace) -> MappingNode:
    nodes = {key: _nested(inner, place) if isinstance(inner, dict) else inner for key, inner in entries.items()}
    return _tree(nodes, place)


def _tree(entries: dict[str, Any], place: SourcePlace) -> MappingNode:
    """Entries as a part of a tree that stands nowhere else."""
    return MappingNode(place, entries, {key: Scalar(key, place) for key in entries})


def _declared(whole: Whole, report: Report, name: str, file: str) -> Edition:
    tree = naming.joined(whole.tree)
    edition = Edition(name, file, _digests, tree, whole.bases, whole.removed, files=whole.files, lost=whole.lost)
    _EditionReader(tree, report, edition).read()
    return edition


def _digests(tree: MappingNode) -> tuple[str, str]:
    """Of all rules, and of what of them plays."""
    rules, plays = (
        _tree({key: node for key, node in tree.entries.items() if key not in aside}, tree.place)
        for aside in (_ASIDE, _UNPLAYED)
    )
    return _digest(_rules(rules, schema.load())), _digest(_played(plays, schema.load()))


def _digest(meaning: Any) -> str:
    canonical_json = json.dumps(meaning, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(f"{PLAYED_BY} {canonical_json}".encode()).hexdigest()[:16]


def _rules(node: Node, shape: dict[str, Any]) -> Any:
    """What a tree means for its hash: neither blanks nor the order of the language's own keys count."""
    match node:
        case Scalar():
            return None if node.absent else "".join(node.text.split())
        case SequenceNode():
            return [_rules(item, {}) for item in node.items]
    entries = [(key.text, inner, *schema.member(shape, key.text)) for key, inner in node.items()]
    own = sorted((entry for entry in entries if not entry[3]), key=lambda entry: entry[0])
    given = [entry for entry in entries if entry[3]]
    return {
        "".join(key.split()): _lines(inner) if key == _DRAWN else _rules(inner, within)
        for key, inner, within, _ in (*own, *given)
    }


def _played(node: Node, shape: dict[str, Any], told: tuple[str, ...] = ()) -> Any:
    """What a tree means for saved games: its meaning without what only tells, and without what does nothing then.

    told: keys of the language's own whose values no sentence knows.
    """
    match node:
        case Scalar():
            return None if node.absent else "".join(node.text.split())
        case SequenceNode():
            items = (_played(item, schema.item(shape), told) for item in node.items)
            return [item for item in items if not _does_nothing(item)]
    own: dict[str, Any] = {}
    given: dict[str, Any] = {}
    for key, inner in node.items():
        name, (within, is_given) = "".join(key.text.split()), schema.member(shape, key.text)
        if is_given:
            given[name] = _played(inner, within, told)
        elif key.text == _DRAWN:
            own[name] = _lines(inner)
        elif schema.is_text(within):
            own |= {name: None} if key.text in _OPTIONAL else {}
        elif key.text not in (*told, *_OF_TEXTS):
            own[name] = _played(inner, within, _TOLD.get(key.text, told))
    return {**dict(sorted(own.items())), **given}


def _does_nothing(statement: Any) -> bool:
    """Whether this was there only for what was told in it. Chance counts, even where nothing follows from it."""
    return isinstance(statement, dict) and all(
        not body and key.startswith(_CALM) and "random" not in key for key, body in statement.items()
    )


def _lines(node: Node) -> list[str]:
    """What is drawn, blanks and line breaks included."""
    return [line.rstrip() for line in node.text.rstrip().split("\n")] if isinstance(node, Scalar) else []


class _EditionReader(ComponentReader, CourseReader, LookReader):
    """Fills an Edition, section by section: what refers comes after what is referred to."""

    def read(self) -> None:
        edition, tree = self.edition, self.tree
        edition.title = text_of(tree, "title")
        edition.edition = text_of(tree, "edition")
        edition.series = text_of(tree, "series")
        edition.credits = text_of(tree, "credits")
        edition.text = scalar(tree, "text")
        edition.reconstructed = {key.text: plain(node) for key, node in items(tree.get("reconstructed"))}
        edition.people = self.span(tree.get("players"))
        edition.minutes = self.span(tree.get("minutes")) if tree.get("minutes") else None
        edition.age = int(text_of(tree, "age")) if text_of(tree, "age") else None
        edition.seats = self.span(tree.get("seats")) if tree.get("seats") else edition.people
        self.words()
        self.kinds()
        self.zones()
        self.figures()
        self.sides()
        self.counters()
        self.phases()
        self.powers()
        self.roles()
        self.options()
        edition.memory = text_of(tree, "memory") == "yes" or self.shows()
        edition.change_sets = conflicts.ranked(edition.change_sets, self.report, edition.lost)
        self.scores()
        self.rulings()
        self.looks()
        self.seats()
        self.names()

    def shows(self) -> bool:
        """Whether anything is shown to somebody, which they then know."""
        edition = self.edition
        phases = [edition.setup, *edition.phases] if edition.setup else edition.phases
        bodies = [*(phase.body for phase in phases), *(step.body for step in edition.steps.values())]
        bodies += [hook.body for changes in edition.change_sets for hook in changes.hooks]
        bodies += [step.body for step in edition.sayings().values()]
        return any(begin(body, Show) for body in bodies)

    def seats(self) -> None:
        edition = self.edition
        key = self.tree.keys.get("seats") or self.tree.keys["players"]
        if not 1 <= edition.seats[0] <= edition.seats[1] <= MOST_SEATS:
            self.report.error(key.place, "seats", f"A game has 1 to {MOST_SEATS} seats.")
            edition.seats, edition.lost.meaning = (1, 2), True
