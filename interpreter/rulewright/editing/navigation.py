"""Where a name of an edition is declared, where it is used, and how it is called otherwise everywhere at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rulewright.base.diagnostics import RulewrightError, SourcePlace
from rulewright.base.records import record
from rulewright.editing.sheets import KnownEdition, OpenFile
from rulewright.model.declarations import canonical
from rulewright.model.entries import Entry
from rulewright.model.references import CHANGES, HOOKS, STEPS, Use
from rulewright.syntax import nouns, sentences

_DONE = ("step", "phase")
_CHANGED = ("value", "term")
_NAME = re.compile(r"[^\W\d_]\w*( \w+)*")
_UNTOLD = frozenset(["score line", "setup", "ranking", "limit", "sides", "measure", "ruling"])
"""What no sentence names."""


class CannotRename(RulewrightError):
    """Why a name stays as it is."""


@record
class NamedSpot:
    """What stands at a place: the things that it can mean, and the stretch of text that names them."""

    entries: tuple[Entry, ...]
    place: SourcePlace


def at(sheet: OpenFile, line: int, column: int) -> NamedSpot | None:
    """What is named at a place, its line and column counted from 1; None where nothing is."""
    if sheet.known is None:
        return None
    known = sheet.known
    for entry in known.entries:
        if _holds(entry.place, sheet, line, column):
            return NamedSpot((entry,), entry.place)
    for use in known.uses:
        if _holds(use.place, sheet, line, column):
            found = tuple(meant(known, use))
            return NamedSpot(found, use.place) if found else None
    return None


def meant(known: KnownEdition, use: Use) -> Iterator[Entry]:
    """What a use can mean."""
    for entry in known.entries:
        if canonical(entry.name) == use.name and _fits(entry, use):
            yield entry


def references(known: KnownEdition, wanted: tuple[Entry, ...]) -> list[SourcePlace]:
    """Where things are named, their declarations not counted."""
    names = {canonical(entry.name) for entry in wanted}
    found = {
        use.place
        for use in known.uses
        if use.name in names and any(canonical(entry.name) == use.name and _fits(entry, use) for entry in wanted)
    }
    return sorted(found - {entry.place for entry in wanted})


def renamed(sheet: OpenFile, spot: NamedSpot, name: str) -> dict[SourcePlace, str]:
    """What stands where, if a thing is called otherwise. Raises CannotRename."""
    known = sheet.known
    name = " ".join(name.split())
    if known is None or not spot.entries:
        raise CannotRename("There is no name here.")
    (entry, *others) = spot.entries
    if others:
        told = " and ".join(f"the {other.kind} '{other.name}'" for other in spot.entries)
        raise CannotRename(f"'{entry.name}' names {told}. Put the cursor where the one that you mean is declared.")
    if not _NAME.fullmatch(name):
        raise CannotRename(f"'{name[:60]}' is no name. A name is made of words, and begins with a letter.")
    if word := sentences.reserved_in(name):
        other = sentences.unreserved(name)
        raise CannotRename(f"A name cannot contain '{word}', which is a word of the language. Say '{other}'.")
    if taken := next((e for e in known.entries if _clashes(e, entry, name)), None):
        raise CannotRename(f"There is a {taken.kind} '{taken.name}' already (line {taken.place.line}).")
    places = [entry.place, *references(known, (entry,))]
    lines = {file: _lines(sheet, file) for file in {place.file for place in places}}
    return {place: _in_number_of(_written(place, lines), entry.name, name) for place in places}


def _clashes(entry: Entry, own: Entry, name: str) -> bool:
    if entry.path == own.path or canonical(entry.name) != canonical(name):
        return False
    return entry.path[:-1] == own.path[:-1] or entry.kind not in _UNTOLD


def _in_number_of(written: str, old: str, new: str) -> str:
    """The new name, one or many as the old one was written."""
    same = " ".join(written.split()) == old
    return new if same or not written else nouns.plural(new) if written == nouns.plural(written) else new


def _lines(sheet: OpenFile, file: str) -> list[str]:
    """Of this file, or of one that it extends."""
    return sheet.lines if file == sheet.file else Path(file).read_text(encoding="utf-8").split("\n")


def _written(place: SourcePlace, lines: dict[str, list[str]]) -> str:
    found = lines.get(place.file, [])
    line = found[place.line - 1] if place.line <= len(found) else ""
    return line[place.column - 1 : place.column - 1 + place.length]


def _fits(entry: Entry, use: Use) -> bool:
    if entry.kind in _UNTOLD:
        return False
    if use.how in (STEPS, HOOKS):
        return entry.kind in _DONE
    if use.how == CHANGES:
        return entry.kind in _CHANGED
    return entry.kind not in _DONE and entry.kind != "choice"


def _holds(place: SourcePlace, sheet: OpenFile, line: int, column: int) -> bool:
    return (
        place.file == sheet.file
        and place.line == line
        and place.column <= column <= place.column + max(1, place.length)
    )
