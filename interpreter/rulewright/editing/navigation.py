"""Declarations and uses of an edition's names, and their renaming everywhere at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rulewright.authoring.lint import lookalikes
from rulewright.base.diagnostics import Report, RulewrightError, SourcePlace
from rulewright.base.records import record
from rulewright.editing import case_files, text_document
from rulewright.editing.case_files import NamedInCase
from rulewright.editing.text_document import KnownEdition, OpenFile
from rulewright.model import naming
from rulewright.model.declarations import canonical
from rulewright.model.references import CHANGES, HOOKS, STEPS, Use
from rulewright.model.symbols import Symbol
from rulewright.syntax import nouns, schema, yaml_reader
from rulewright.syntax.source import MappingNode

_DONE = ("step", "phase")
_CHANGED = ("value", "term")
_NAME = re.compile(r"[^\W\d_]\w*( \w+)*")
_UNTOLD = frozenset(["score line", "setup", "ranking", "limit", "sides", "measure", "ruling"])
"""Things that no sentence names."""
_UNSAID = frozenset(["board", "role", "choice"])
"""Things for people, which sentences do not name either."""


class CannotRename(RulewrightError):
    """Refusal to rename something."""


@record
class NamedSpot:
    """Name at a place: the things that it can mean, and the stretch of text."""

    entries: tuple[Symbol, ...]
    place: SourcePlace


def at(sheet: OpenFile, line: int, column: int) -> NamedSpot | None:
    """Return the name at a place, its line and column counted from 1; None where there is none."""
    if sheet.known is None:
        return None
    known = sheet.known
    for entry in known.entries:
        if _holds(entry.place, sheet, line, column):
            return NamedSpot((entry,), entry.place)
    if sheet.kind == schema.SCENARIOS:
        for name in case_files.names(sheet):
            if _holds(name.scalar.place, sheet, line, column):
                return NamedSpot(tuple(case_files.entries(sheet, name, known)), name.scalar.place)
    for use in (*known.uses, *(case_files.uses(sheet) if sheet.kind == schema.SCENARIOS else ())):
        if _holds(use.place, sheet, line, column):
            found = tuple(meant(known, use))
            return NamedSpot(found, use.place) if found else None
    return None


def meant(known: KnownEdition, use: Use) -> Iterator[Symbol]:
    """Return the things that a use can mean."""
    for entry in known.entries:
        if canonical(entry.name) == use.name and _fits(entry, use):
            yield entry


def references(known: KnownEdition, wanted: tuple[Symbol, ...], cases: Sequence[OpenFile] = ()) -> list[SourcePlace]:
    """Return the uses of things, in an edition and in files of cases of it, without their declarations."""
    names = {canonical(entry.name) for entry in wanted}
    told = [use for sheet in cases for use in case_files.uses(sheet)]
    found = {
        use.place
        for use in (*known.uses, *told)
        if use.name in names and any(canonical(entry.name) == use.name and _fits(entry, use) for entry in wanted)
    }
    for sheet in cases:
        for name in case_files.names(sheet):
            found.update(_named_there(name, wanted, sheet, known))
    return sorted(found - {entry.place for entry in wanted})


def _named_there(
    name: NamedInCase, wanted: tuple[Symbol, ...], sheet: OpenFile, known: KnownEdition
) -> Iterator[SourcePlace]:
    """Yield the places, in a name of a file of cases, of the things themselves: without the 'steps.' before one, and of
    a piece the words after which it is called."""
    text = name.scalar.text
    for entry in wanted:
        if name.kind == "piece":
            kind = known.edition.kinds.get((sheet.facts.pieces if sheet.facts else {}).get(text, ""))
            is_part = entry.kind == "word" and kind is not None and entry.path[1] in kind.attributes.values()
        else:
            is_part = entry.path in [meant.path for meant in case_files.entries(sheet, name, known)]
        if not is_part:
            continue
        parts = list(re.finditer(rf"(?<!\w){re.escape(entry.name)}(?!\w)", text))
        for part in parts if name.kind == "piece" else parts[:1] if name.kind == "decision" else parts[-1:]:
            yield name.scalar.place_at(part.start(), len(part[0]))


def renamed(sheet: OpenFile, spot: NamedSpot, name: str, cases: Sequence[OpenFile] = ()) -> dict[SourcePlace, str]:
    """Return the edits that rename a thing, also in files of cases. Raises CannotRename."""
    known = sheet.known
    name = " ".join(name.split())
    if known is None or not spot.entries:
        raise CannotRename("There is no name here.")
    if sheet.broken is not None:
        raise CannotRename(f"This file cannot be read whole. Mend line {sheet.broken.line} first.")
    (entry, *others) = spot.entries
    if others:
        told = " and ".join(f"the {other.kind} '{other.name}'" for other in spot.entries)
        raise CannotRename(f"'{entry.name}' names {told}. Put the cursor where the one that you mean is declared.")
    if not _NAME.fullmatch(name):
        raise CannotRename(f"'{name[:60]}' is no name. A name is made of words, and begins with a letter.")
    if refusal := _refusal(known, entry, name):
        raise CannotRename(" ".join(map(str, (refusal.problem, *refusal.hints))))
    if taken := next((e for e in known.entries if _clashes(e, entry, name)), None):
        raise CannotRename(f"There is {nouns.an(taken.kind)} '{taken.name}' already (line {taken.place.line}).")
    if other := next((e.name for e in known.entries if e != entry and lookalikes.is_taken_for(name, e.name)), None):
        raise CannotRename(f"'{name}' has letters of two scripts, or only looks like '{other}'. Type it anew.")
    places = [entry.place, *_declared_below(known, entry), *references(known, (entry,), cases)]
    open_ = {other.file: other.lines for other in (*cases, sheet)}
    lines = {file: open_.get(file) or _lines(file) for file in {place.file for place in places}}
    edits = {place: _in_number_of(_written(place, lines), entry.name, name) for place in places}
    return edits


def text_after(text: str, file: str, edits: Mapping[SourcePlace, str]) -> str:
    """Return the text of a file after those edits that are made in it."""
    lines = text.split("\n")
    own = [place for place in edits if place.file == file]
    for place in sorted(own, key=lambda each: (each.line, each.column), reverse=True):
        line, start = lines[place.line - 1], place.column - 1
        lines[place.line - 1] = line[:start] + edits[place] + line[start + place.length :]
    return "\n".join(lines)


def mistake(path: Path, before: str, after: str) -> str:
    """Tell what `check` finds wrong with an edition after a name has changed and not before; '' if nothing is."""
    errors = text_document.examined(path, after).errors
    if not errors:
        return ""
    former = text_document.examined(path, before).errors
    known = {(found.place.line, found.code) for found in former}
    fresh = [found for found in errors if (found.place.line, found.code) not in known]
    return fresh[0].message if len(errors) > len(former) and fresh else ""


def _refusal(known: KnownEdition, entry: Symbol, name: str) -> naming.NameRefusal | None:
    """Return why the thing cannot have a name, or ''; its own present names do not count."""
    if entry.kind in (*_UNTOLD, *_UNSAID):
        return None
    others = (other.name for other in known.entries if canonical(other.name) == canonical(entry.name))
    return naming.name_rules(known.edition, without=(entry.name, *others)).refusal(entry.kind, name)


def _declared_below(known: KnownEdition, entry: Symbol) -> Iterator[SourcePlace]:
    """Return the other declarations of a thing that a variant changes: in the files that it extends."""
    for file in known.edition.files[1:]:
        tree = yaml_reader.read(file, None, Report(), str(file))
        for above in ((), ("change",)):
            node, place = tree, None
            for key in (*above, *entry.path):
                place = node.keys[key].place if isinstance(node, MappingNode) and key in node.keys else None
                node = node.get(key) if isinstance(node, MappingNode) else None
            if place is not None and place != entry.place:
                yield place


def _clashes(entry: Symbol, own: Symbol, name: str) -> bool:
    if entry.path == own.path or canonical(entry.name) != canonical(name):
        return False
    return entry.path[:-1] == own.path[:-1] or entry.kind not in _UNTOLD


def _in_number_of(written: str, old: str, new: str) -> str:
    """The new name, one or many as the old one was written."""
    same = " ".join(written.split()) == old
    return new if same or not written else nouns.plural(new) if written == nouns.plural(written) else new


def _lines(file: str) -> list[str]:
    """Return the place of a file that is extended, or tested."""
    return Path(file).read_text(encoding="utf-8").split("\n")


def _written(place: SourcePlace, lines: dict[str, list[str]]) -> str:
    found = lines.get(place.file, [])
    line = found[place.line - 1] if place.line <= len(found) else ""
    return line[place.column - 1 : place.column - 1 + place.length]


def _fits(entry: Symbol, use: Use) -> bool:
    if entry.kind in _UNTOLD:
        return False
    if use.kind in (STEPS, HOOKS):
        return entry.kind in _DONE
    if use.kind == CHANGES:
        return entry.kind in _CHANGED
    return entry.kind not in _DONE and entry.kind != "choice"


def _holds(place: SourcePlace, sheet: OpenFile, line: int, column: int) -> bool:
    return (
        place.file == sheet.file
        and place.line == line
        and place.column <= column <= place.column + max(1, place.length)
    )
