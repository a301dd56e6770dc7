"""Read an edition's declarations from its tree.

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
from rulewright.model import conflicts, inheritance, messages, naming
from rulewright.model.edition import Edition
from rulewright.model.inheritance import MergedEdition
from rulewright.model.reader.artwork import ArtworkReader
from rulewright.model.reader.components import ComponentReader
from rulewright.model.reader.course import CourseReader
from rulewright.model.reader.section import scalar, scalar_text, text_of
from rulewright.model.statements import contains
from rulewright.syntax import schema
from rulewright.syntax.change_nodes import Show
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, entries_of, value_of

MAX_SEATS = 12
"""Maximum number of seats of an edition, virtual players included."""
PLAYED_BY = 2
"""Version of how editions are played, which is part of their hash. Another number with every change after which the
same seed and the same answers come to another game, so that no saved game goes on as one that it was not."""
_MAP_KEY = "map"
"""The key whose text has line breaks that count."""
_ASIDE = ("looks", "minutes", "age", "rulings")
"""Sections that change no game, so that tables go on."""
_UNPLAYED = (*_ASIDE, "measures", "reconstructed")
"""Keys that change nothing in a game, and so do not count in the hash of the rules."""
_PROSE_KEYS = dict.fromkeys(("zones", "counters", "values", "terms"), ("noun",))
"""Section -> keys of its entries that count as prose there. Sentences know the nouns of pieces alone."""
_OF_TEXTS = ("heading", "notation", "none at")
"""Keys that say something of a text."""
_OPTIONAL = ("none",)
"""Texts without which nobody may choose nothing."""
_CALM = ("if", "otherwise", "each", "as")
"""Beginnings of sentences that change nothing but by what stands below them."""


def read(path: Path | None, report: Report, name: str, text: str | None = None, shown_as: str = "") -> Edition | None:
    """Read the edition in a file or text; None if too little of it can be read.

    What is wrong goes to the report and is left out of the edition, which knows the names that are lost with it.
    """
    file = shown_as or str(path)
    whole = inheritance.read(path, text, report, file)
    return None if whole is None else _read_declarations(whole, report, name, file)


def with_values(edition: Edition, values: Mapping[str, str], report: Report) -> Edition | None:
    """Return an edition with other numbers for some of its values, like a variant. values: name of a value that is a
    number -> new number. None if one does not fit; the report says why."""
    changes: dict[tuple[str, ...], str] = {
        ("values", edition.figures[name].of or "game", name): number for name, number in values.items()
    }
    return with_changes(edition, changes, report)


def with_changes(edition: Edition, changes: Mapping[tuple[str, ...], str], report: Report) -> Edition | None:
    """Return an edition with some texts replaced, like a variant. changes: keys from the top to a text -> new text.
    None if one does not fit; the report says why."""
    place = edition.tree.place
    change: dict[str, Any] = {}
    for path, text in changes.items():
        below = change
        for key in path[:-1]:
            below = below.setdefault(key, {})
        below[path[-1]] = Scalar(text, _place_of(edition.tree, path))
    tree = inheritance.with_change(edition.tree, _nested(change, place), report, edition.name)
    if tree is None:
        return None
    whole = MergedEdition(tree, edition.bases, edition.files, edition.removed)
    return _read_declarations(whole, report, edition.name, edition.file)


def _place_of(tree: MappingNode, path: tuple[str, ...]) -> SourcePlace:
    """Return the place of the node at a path, or of the nearest one above it."""
    node: Node = tree
    for key in path:
        inner = value_of(node, key)
        if inner is None:
            break
        node = inner
    return node.place


def _nested(entries: dict[str, Any], place: SourcePlace) -> MappingNode:
    """Return dictionaries within each other as mapping nodes; their leaves are nodes already."""
    nodes = {key: _nested(inner, place) if isinstance(inner, dict) else inner for key, inner in entries.items()}
    return _tree(nodes, place)


def _tree(entries: dict[str, Any], place: SourcePlace) -> MappingNode:
    """Return a mapping node of entries that stand in no file."""
    return MappingNode(place, entries, {key: Scalar(key, place) for key in entries})


def _read_declarations(whole: MergedEdition, report: Report, name: str, file: str) -> Edition:
    """Return the edition of a merged tree."""
    tree = naming.join_names(whole.tree)
    edition = Edition(name, file, _digests, tree, whole.bases, whole.removed, files=whole.files, lost=whole.lost)
    _EditionReader(tree, report, edition).read()
    return edition


def _digests(tree: MappingNode) -> tuple[str, str]:
    """Return two digests: of all rules, and of those that affect play."""
    rules, plays = (
        _tree({key: node for key, node in tree.entries.items() if key not in aside}, tree.place)
        for aside in (_ASIDE, _UNPLAYED)
    )
    return _digest(_meaning(rules, schema.load())), _digest(_played_meaning(plays, schema.load()))


def _digest(meaning: Any) -> str:
    """Return a digest of a meaning, of 16 hexadecimal digits."""
    canonical_json = json.dumps(meaning, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(f"{PLAYED_BY} {canonical_json}".encode()).hexdigest()[:16]


def _meaning(node: Node, shape: dict[str, Any]) -> Any:
    """Return the meaning of a tree for its hash, without blanks and the order of the language's own keys."""
    match node:
        case Scalar():
            return None if node.absent else "".join(node.text.split())
        case SequenceNode():
            return [_meaning(item, {}) for item in node.items]
    entries = [(key.text, inner, *schema.member(shape, key.text)) for key, inner in node.items()]
    own = sorted((entry for entry in entries if not entry[3]), key=lambda entry: entry[0])
    by_name = [entry for entry in entries if entry[3]]
    return {
        "".join(key.split()): _lines(inner) if key == _MAP_KEY else _meaning(inner, within)
        for key, inner, within, _ in (*own, *by_name)
    }


def _played_meaning(node: Node, shape: dict[str, Any], ignored_keys: tuple[str, ...] = ()) -> Any:
    """Return the meaning of a tree for saved games: without texts, and without statements that then do nothing.

    ignored_keys: those of the language whose values no sentence knows.
    """
    match node:
        case Scalar():
            return None if node.absent else "".join(node.text.split())
        case SequenceNode():
            items = (_played_meaning(item, schema.item(shape), ignored_keys) for item in node.items)
            return [item for item in items if not _does_nothing(item)]
    own: dict[str, Any] = {}
    by_name: dict[str, Any] = {}
    for key, inner in node.items():
        name, (within, is_given) = "".join(key.text.split()), schema.member(shape, key.text)
        if is_given:
            by_name[name] = _played_meaning(inner, within, ignored_keys)
        elif key.text == _MAP_KEY:
            own[name] = _lines(inner)
        elif schema.is_text(within):
            own |= {name: None} if key.text in _OPTIONAL else {}
        elif key.text not in (*ignored_keys, *_OF_TEXTS):
            own[name] = _played_meaning(inner, within, _PROSE_KEYS.get(key.text, ignored_keys))
    return {**dict(sorted(own.items())), **by_name}


def _does_nothing(statement: Any) -> bool:
    """Return whether a statement without its texts does nothing. One with chance always counts."""
    return isinstance(statement, dict) and all(
        not body and key.startswith(_CALM) and "random" not in key for key, body in statement.items()
    )


def _lines(node: Node) -> list[str]:
    """Return the lines of a drawn map, with their blanks."""
    return [line.rstrip() for line in node.text.rstrip().split("\n")] if isinstance(node, Scalar) else []


class _EditionReader(ComponentReader, CourseReader, ArtworkReader):
    """Fill an Edition section by section, so that names are declared before they are used."""

    def read(self) -> None:
        """Read all of the edition's tree, in an order in which names are known before they are used."""
        edition, tree = self.edition, self.tree
        edition.title = text_of(tree, "title")
        edition.edition = text_of(tree, "edition")
        edition.series = text_of(tree, "series")
        edition.credits = text_of(tree, "credits")
        edition.text = scalar(tree, "text")
        edition.reconstructed = {key.text: scalar_text(node) for key, node in entries_of(tree.get("reconstructed"))}
        edition.people = self.read_span(tree.get("players"))
        edition.minutes = self.read_span(tree.get("minutes")) if tree.get("minutes") else None
        edition.age = int(text_of(tree, "age")) if text_of(tree, "age") else None
        edition.seats = self.read_span(tree.get("seats")) if tree.get("seats") else edition.people
        self.read_words()
        self.read_kinds()
        self.read_zones()
        self.read_figures()
        self.read_sides()
        self.read_counters()
        self.read_phases()
        self.read_powers()
        self.read_roles()
        self.read_options()
        edition.memory = text_of(tree, "memory") == "yes" or self.has_show_statement()
        edition.change_sets = conflicts.rank_change_sets(edition.change_sets, self.report, edition.lost)
        self.read_scores()
        self.read_rulings()
        self.read_looks()
        self.check_seats()
        self.check_names()

    def has_show_statement(self) -> bool:
        """Return whether any statement shows pieces to seats."""
        edition = self.edition
        phases = [edition.setup, *edition.phases] if edition.setup else edition.phases
        bodies = [*(phase.body for phase in phases), *(step.body for step in edition.steps.values())]
        bodies += [hook.body for changes in edition.change_sets for hook in changes.hooks]
        bodies += [step.body for step in edition.say_steps().values()]
        return any(contains(body, Show) for body in bodies)

    def check_seats(self) -> None:
        """Report a range of numbers of seats that cannot be, and go on with one or two seats."""
        edition = self.edition
        key = self.tree.keys.get("seats") or self.tree.keys["players"]
        if not 1 <= edition.seats[0] <= edition.seats[1] <= MAX_SEATS:
            self.report.error(key.place, messages.WRONG_SEATS(most=MAX_SEATS))
            edition.seats, edition.lost.meaning = (1, 2), True
