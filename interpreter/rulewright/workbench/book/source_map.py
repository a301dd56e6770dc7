"""Which lines of a rule file the passages of its book tell, and where a passage stands in the files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from rulewright.authoring.rule_index import Tellings
from rulewright.authoring.scenarios.examples import sources
from rulewright.base.diagnostics import EditionError
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.editing.document_symbols import OutlineItem, outline
from rulewright.editing.text_document import OpenFile
from rulewright.model.declarations import Edition
from rulewright.model.entries import entries, kind_of
from rulewright.publish.rulebook.contents import anchor
from rulewright.publish.rulebook.player_aid import told_again
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
"""Where a book tells of a section, if its chapter is called otherwise."""

_TOP = ("extends", "title", "edition", "series", "credits", "players", "seats", "minutes", "age", "text")
"""What stands above the first chapter."""

_FIGURES = ("values", "terms")
_UNTOLD = (*_FIGURES, "rulewright", "looks", "remove", "measures", "memory")
_NAMED = ("words", "boards", "pieces", "zones", "powers", "roles", "options", "scoring", "rulings")
_MOST_USERS = 3


@record
class Passage:
    """Lines of a file that a book tells. start, end: counted from 1, the end included; column: where they begin;
    anchors: of the passages that tell them, the nearest first, '' for the top of the book; exact: whether the first
    tells just them, and not what is around them."""

    start: int
    end: int
    column: int
    anchors: tuple[str, ...]
    exact: bool


@record
class PassagePlace:
    """Where something stands that a passage tells. file: as messages call it."""

    file: str
    line: int


def passages(path: Path, text: str, edition: Edition) -> list[Passage]:
    """What is told of the lines of a file, smaller stretches behind those around them. edition: what the file says, or
    said when it was sound; the text may be newer, and broken."""
    told = _Told(edition)
    return list(_below(outline(OpenFile(path, text, schema.EDITION)), (), told))


def declared(edition: Edition) -> dict[str, PassagePlace]:
    """Anchor -> where the rule is declared of which the passage tells, or where the example is written."""
    told = _Told(edition)
    found: dict[str, PassagePlace] = {}
    for entry in entries(edition):
        if (key := told.key(entry.path)) is not None:
            for at in (anchor(key), told_again(anchor(key))):
                found.setdefault(at, PassagePlace(entry.place.file, entry.place.line))
    with suppress(EditionError):  # what is wrong with a file of examples is told where these are played
        for example in sources(edition):
            place = example.name.place
            found.setdefault(anchor(f"example {example.name.text}"), PassagePlace(place.file, place.line))
    return found


def _below(items: Iterable[OutlineItem], path: tuple[str, ...], told: _Told) -> Iterator[Passage]:
    for item in items:
        here = (*path, item.name) if path or item.name != "change" else ()
        anchors, exact = told.anchors(here) if here else ((), False)
        if anchors:
            yield Passage(item.line, item.end, item.column, anchors, exact)
        yield from _below(item.below, here, told)


class _Told:
    """The rules of an edition, by the keys that lead to them."""

    def __init__(self, edition: Edition) -> None:
        self._tellings = Tellings(edition)
        self._steps = edition.steps

    def key(self, path: tuple[str, ...]) -> RuleKey | None:
        """The rule that stands at a path, if one can."""
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
            case (section, name) if section in _NAMED:
                return RuleKey.of(section, name)
        return None

    def anchors(self, path: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
        """Of what tells something, the nearest first; and whether that tells just this."""
        found: list[str] = []
        if path[0] in _FIGURES:
            users = self._tellings.users(path[2]) if kind_of(path) else ()
            found += list(dict.fromkeys(map(anchor, users)))[:_MOST_USERS]
        elif (key := self.key(path)) is not None:
            found += [anchor(key), *map(anchor, self._tellings.tellers(key)), anchor(self._tellings.section(key))]
        if path[0] not in _UNTOLD and (found or len(path) == 1):
            found.append("" if path[0] in _TOP else _CHAPTERS.get(path[0], path[0]))
        return tuple(dict.fromkeys(found)), path[0] not in _UNTOLD and self.key(path) is not None
