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

_STEP_KINDS = ("step", "phase")
_FIGURE_KINDS = ("value", "term")
_NAME = re.compile(r"[^\W\d_]\w*( \w+)*")
"""Words that can be a name; whether it is free is checked elsewhere."""
_NEVER_NAMED = frozenset(["score line", "setup", "ranking", "limit", "sides", "measure", "ruling"])
"""Things that no sentence names."""
_FOR_PEOPLE = frozenset(["board", "role", "choice"])
"""Things for people, which sentences do not name either."""


class CannotRename(RulewrightError):
    """Raised where a rename is refused, with the reason in English."""


@record
class NamedSpot:
    """Name at a place. entries: declarations that it can mean; place: extent of the name."""

    entries: tuple[Symbol, ...]
    place: SourcePlace


def spot_at(open_file: OpenFile, line: int, column: int) -> NamedSpot | None:
    """Return the name at a place, line and column from 1; None if there is none."""
    if open_file.known is None:
        return None
    known = open_file.known
    for entry in known.entries:
        if _contains(entry.place, open_file, line, column):
            return NamedSpot((entry,), entry.place)
    if open_file.kind == schema.SCENARIOS:
        for name in case_files.names_of_edition(open_file):
            if _contains(name.scalar.place, open_file, line, column):
                return NamedSpot(tuple(case_files.declarations_of(open_file, name, known)), name.scalar.place)
    for use in (*known.uses, *(case_files.uses_in_texts(open_file) if open_file.kind == schema.SCENARIOS else ())):
        if _contains(use.place, open_file, line, column):
            senses = tuple(possible_symbols(known, use))
            return NamedSpot(senses, use.place) if senses else None
    return None


def possible_symbols(known: KnownEdition, use: Use) -> Iterator[Symbol]:
    """Yield the symbols that a use can mean."""
    for entry in known.entries:
        if canonical(entry.name) == use.name and _can_name(entry, use):
            yield entry


def references(known: KnownEdition, symbols: tuple[Symbol, ...], cases: Sequence[OpenFile] = ()) -> list[SourcePlace]:
    """Return the uses of declarations, in an edition and its files of cases, without the declarations."""
    names = {canonical(entry.name) for entry in symbols}
    uses_in_cases = [use for open_file in cases for use in case_files.uses_in_texts(open_file)]
    places = {
        use.place
        for use in (*known.uses, *uses_in_cases)
        if use.name in names and any(canonical(entry.name) == use.name and _can_name(entry, use) for entry in symbols)
    }
    for open_file in cases:
        for name in case_files.names_of_edition(open_file):
            places.update(_places_in_name(name, symbols, open_file, known))
    return sorted(places - {entry.place for entry in symbols})


def _places_in_name(
    name: NamedInCase, symbols: tuple[Symbol, ...], open_file: OpenFile, known: KnownEdition
) -> Iterator[SourcePlace]:
    """Yield the places of the declared names within a name of a file of cases: without the 'steps.' before one; of a
    piece, the words that name it."""
    text = name.scalar.text
    for entry in symbols:
        if name.kind == "piece":
            kind = known.edition.kinds.get((open_file.facts.pieces if open_file.facts else {}).get(text, ""))
            is_part = entry.kind == "word" and kind is not None and entry.path[1] in kind.attributes.values()
        else:
            is_part = entry.path in [entry_.path for entry_ in case_files.declarations_of(open_file, name, known)]
        if not is_part:
            continue
        parts = list(re.finditer(rf"(?<!\w){re.escape(entry.name)}(?!\w)", text))
        for part in parts if name.kind == "piece" else parts[:1] if name.kind == "decision" else parts[-1:]:
            yield name.scalar.place_at(part.start(), len(part[0]))


def rename_edits(
    open_file: OpenFile, spot: NamedSpot, name: str, cases: Sequence[OpenFile] = ()
) -> dict[SourcePlace, str]:
    """Return the edits that rename a thing, also in extended files and files of cases: the new text of each place,
    singular or plural as it was. Raises CannotRename, and OSError for a file that cannot be read."""
    known = open_file.known
    name = " ".join(name.split())
    if known is None or not spot.entries:
        raise CannotRename("There is no name here.")
    if open_file.broken is not None:
        raise CannotRename(f"This file cannot be read whole. Mend line {open_file.broken.line} first.")
    (entry, *others) = spot.entries
    if others:
        meanings = " and ".join(f"the {other.kind} '{other.name}'" for other in spot.entries)
        raise CannotRename(f"'{entry.name}' names {meanings}. Put the cursor where the one that you mean is declared.")
    if not _NAME.fullmatch(name):
        raise CannotRename(f"'{name[:60]}' is no name. A name is made of words, and begins with a letter.")
    if refusal := _name_refusal(known, entry, name):
        raise CannotRename(" ".join(map(str, (refusal.problem, *refusal.hints))))
    if clash := next((e for e in known.entries if _is_clash(e, entry, name)), None):
        raise CannotRename(
            f"There is {nouns.with_article(clash.kind)} '{clash.name}' already (line {clash.place.line})."
        )
    if other := next((e.name for e in known.entries if e != entry and lookalikes.is_taken_for(name, e.name)), None):
        raise CannotRename(f"'{name}' has letters of two scripts, or only looks like '{other}'. Type it anew.")
    places = [entry.place, *_declared_below(known, entry), *references(known, (entry,), cases)]
    open_ = {other.file: other.lines for other in (*cases, open_file)}
    lines = {file: open_.get(file) or _lines(file) for file in {place.file for place in places}}
    edits = {place: _inflect_like(_text_at(place, lines), entry.name, name) for place in places}
    return edits


def text_after(text: str, file: str, edits: Mapping[SourcePlace, str]) -> str:
    """Return the text of a file after the edits in it."""
    lines = text.split("\n")
    own = [place for place in edits if place.file == file]
    for place in sorted(own, key=lambda each: (each.line, each.column), reverse=True):
        line, start = lines[place.line - 1], place.column - 1
        lines[place.line - 1] = line[:start] + edits[place] + line[start + place.length :]
    return "\n".join(lines)


def new_error(path: Path, before: str, after: str) -> str:
    """Return an error that `check` reports after a rename and not before, if there are more errors than before; else
    ''."""
    errors = text_document.examine_text(path, after).errors
    if not errors:
        return ""
    former = text_document.examine_text(path, before).errors
    known = {(diagnostic.place.line, diagnostic.code) for diagnostic in former}
    new_errors = [diagnostic for diagnostic in errors if (diagnostic.place.line, diagnostic.code) not in known]
    return new_errors[0].message if len(errors) > len(former) and new_errors else ""


def _name_refusal(known: KnownEdition, entry: Symbol, name: str) -> naming.NameRefusal | None:
    """Return why a declaration cannot have a name, or None; its own present names do not count."""
    if entry.kind in (*_NEVER_NAMED, *_FOR_PEOPLE):
        return None
    others = (other.name for other in known.entries if canonical(other.name) == canonical(entry.name))
    return naming.name_rules(known.edition, without=(entry.name, *others)).refusal(entry.kind, name)


def _declared_below(known: KnownEdition, entry: Symbol) -> Iterator[SourcePlace]:
    """Yield the base's declarations of something that a variant changes."""
    for file in known.edition.files[1:]:
        tree = yaml_reader.read(file, None, Report(), str(file))
        for above in ((), ("change",)):
            node, place = tree, None
            for key in (*above, *entry.path):
                place = node.keys[key].place if isinstance(node, MappingNode) and key in node.keys else None
                node = node.get(key) if isinstance(node, MappingNode) else None
            if place is not None and place != entry.place:
                yield place


def _is_clash(entry: Symbol, own: Symbol, name: str) -> bool:
    """Return whether another declaration has the name, beside the one to rename or where sentences name it."""
    if entry.path == own.path or canonical(entry.name) != canonical(name):
        return False
    return entry.path[:-1] == own.path[:-1] or entry.kind not in _NEVER_NAMED


def _inflect_like(old_text: str, old: str, new: str) -> str:
    """Return the new name in the singular or plural, like the old one was written."""
    same = " ".join(old_text.split()) == old
    return new if same or not old_text else nouns.plural(new) if old_text == nouns.plural(old_text) else new


def _lines(file: str) -> list[str]:
    """Return the lines of an extended or tested file. Raises OSError."""
    return Path(file).read_text(encoding="utf-8").split("\n")


def _text_at(place: SourcePlace, lines: dict[str, list[str]]) -> str:
    """Return the text at a place, '' beyond the end. lines: by file."""
    file_lines = lines.get(place.file, [])
    line = file_lines[place.line - 1] if place.line <= len(file_lines) else ""
    return line[place.column - 1 : place.column - 1 + place.length]


def _can_name(entry: Symbol, use: Use) -> bool:
    """Return whether a use can mean a symbol, by the kinds of both."""
    if entry.kind in _NEVER_NAMED:
        return False
    if use.kind in (STEPS, HOOKS):
        return entry.kind in _STEP_KINDS
    if use.kind == CHANGES:
        return entry.kind in _FIGURE_KINDS
    return entry.kind not in _STEP_KINDS and entry.kind != "choice"


def _contains(place: SourcePlace, open_file: OpenFile, line: int, column: int) -> bool:
    """Return whether a place holds a position in a file."""
    return (
        place.file == open_file.file
        and place.line == line
        and place.column <= column <= place.column + max(1, place.length)
    )
