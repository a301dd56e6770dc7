"""Map between the lines of a rule file and the passages of its book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from rulewright.authoring.rule_index import RuleIndex
from rulewright.authoring.scenarios.examples import sources
from rulewright.base.diagnostics import EditionError
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.editing.document_symbols import OutlineItem, outline
from rulewright.editing.text_document import OpenFile
from rulewright.model.edition import Edition
from rulewright.model.symbols import kind_of, symbols
from rulewright.publish.rulebook.model import anchor
from rulewright.publish.rulebook.player_aid import original_anchor
from rulewright.syntax import schema

_CHAPTERS: Mapping[str, str] = {
    "words": "components",
    "boards": "components",
    "pieces": "components",
    "zones": "places",
    "counters": "places",
    "phases": "round",
    "round": "round",
    "ranking": "scoring",
    "limit": "scoring",
    "reconstructed": "origin",
}
"""Chapters whose anchor differs from the section's key."""

_TOP_KEYS = ("extends", "title", "edition", "series", "credits", "players", "seats", "minutes", "age", "text")
"""Keys shown above the first chapter."""

_FIGURES = ("values", "terms")
"""Sections whose entries are described where rules use them."""
_NOT_IN_BOOK = (*_FIGURES, "rulewright", "looks", "remove", "measures", "memory")
"""Sections without a passage of their own."""
_NAMED_SECTIONS = ("words", "boards", "pieces", "zones", "powers", "roles", "options", "scoring", "rulings")
"""Sections whose keys are names of rules."""
_MAX_USERS = 3
"""Maximum number of rules given as passages of a figure that they use."""


@record
class Passage:
    """Lines of a file that a book describes. start, end: counted from 1, the end included; column: of their first
    character; anchors: of the passages that describe them, nearest first, '' for the top of the book; exact: whether
    the first describes just them, not something around them."""

    start: int
    end: int
    column: int
    anchors: tuple[str, ...]
    exact: bool


@record
class PassagePlace:
    """Place that a passage describes. file: as messages name it."""

    file: str
    line: int


def passages(path: Path, text: str, edition: Edition) -> list[Passage]:
    """List the passages for the lines of a file, inner ones after outer ones. edition: of the file's last valid text;
    `text` may be newer and broken."""
    anchor_map = _AnchorMap(edition)
    return list(_passages_below(outline(OpenFile(path, text, schema.EDITION)), (), anchor_map))


def declarations(edition: Edition) -> dict[str, PassagePlace]:
    """Map each anchor to the first declaration of its rule, or to the place of its example, unless the file of examples
    has errors.
    """
    anchor_map = _AnchorMap(edition)
    places_by_anchor: dict[str, PassagePlace] = {}
    for entry in symbols(edition):
        if (key := anchor_map.key(entry.path)) is not None:
            for name in (anchor(key), original_anchor(anchor(key))):
                places_by_anchor.setdefault(name, PassagePlace(entry.place.file, entry.place.line))
    with suppress(EditionError):  # playing the examples reports errors of their file
        for example in sources(edition):
            place = example.name.place
            places_by_anchor.setdefault(anchor(f"example {example.name.text}"), PassagePlace(place.file, place.line))
    return places_by_anchor


def _passages_below(items: Iterable[OutlineItem], path: tuple[str, ...], anchor_map: _AnchorMap) -> Iterator[Passage]:
    """Yield the passages of items of an outline and of all below them. path: names of the items around them."""
    for item in items:
        item_path = (*path, item.name) if path or item.name != "change" else ()
        anchors, exact = anchor_map.anchors(item_path) if item_path else ((), False)
        if anchors:
            yield Passage(item.line, item.end, item.column, anchors, exact)
        yield from _passages_below(item.below, item_path, anchor_map)


class _AnchorMap:
    """Rules of an edition, and the anchors of their passages, by the path of keys that leads to them."""

    def __init__(self, edition: Edition) -> None:
        self._index = RuleIndex(edition)
        self._steps = edition.steps

    def key(self, path: tuple[str, ...]) -> RuleKey | None:
        """Return the rule at a path; None where there can be none."""
        match path:
            case ("setup" | "ranking" | "limit" as section,):
                return RuleKey(section)
            case ("words", words, word):
                return RuleKey.of("words", words, word=word)
            case ("setup", "steps", name) | ("phases", _, "steps", name):
                return RuleKey.of("steps", name)
            case ("phases", name):
                return RuleKey.of("steps" if name in self._steps else "phases", name)
            case ("options", name, "choices", choice):
                return RuleKey.of("options", name, choice)
            case ("counters", _, name):
                return RuleKey.of("counters", name)
            case ("looks", "cards", name):
                return RuleKey.of("pieces", name)
            case ("looks", "pieces" | "boards" | "zones" | "counters" as section, name):
                return RuleKey.of(section, name)
            case (section, name) if section in _NAMED_SECTIONS:
                return RuleKey.of(section, name)
        return None

    def anchors(self, path: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
        """Return the anchors that describe a path, nearest first, and whether the first describes just this."""
        result: list[str] = []
        if path[0] in _FIGURES:
            users = self._index.users(path[2]) if kind_of(path) else ()
            result += list(dict.fromkeys(map(anchor, users)))[:_MAX_USERS]
        elif (key := self.key(path)) is not None:
            result += [anchor(key), *map(anchor, self._index.explaining_rules(key)), anchor(self._index.section(key))]
        if path[0] not in _NOT_IN_BOOK and (result or len(path) == 1):
            result.append("" if path[0] in _TOP_KEYS else _CHAPTERS.get(path[0], path[0]))
        return tuple(dict.fromkeys(result)), path[0] not in _NOT_IN_BOOK and self.key(path) is not None
