"""Edits of case files as texts: a case is added or rewritten, everything else stays as written, comments included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from rulewright.base import files
from rulewright.base.diagnostics import Report, RulewrightError, SourcePlace
from rulewright.game.library import yaml_line
from rulewright.i18n.localizer import phrase
from rulewright.syntax import formatter, yaml_reader
from rulewright.syntax.formatter import concrete_syntax
from rulewright.syntax.formatter.concrete_syntax import Collection, Document, Node, WrittenEntry
from rulewright.syntax.source import MappingNode, Scalar

CASES, EXAMPLES = ".cases.yaml", ".examples.yaml"
"""Ends of the files of cases and of examples beside an edition."""


class CaseTextError(RulewrightError):
    """Change that a file of cases does not allow."""


def cases_beside(name: str) -> str:
    """Return the name of the file for an edition's cases: `mine.cases.yaml` for `mine.yaml`."""
    return f"{name.removesuffix('.yaml')}{CASES}"


def has_cases_of(name: str, text: str, edition: str) -> bool:
    """Return whether a file, by its name and text, holds cases of an edition's file: its examples do, and whatever
    names the edition under `edition`.
    """
    if not name.endswith((".yaml", ".yml")) or "cases:" not in text:
        return False
    if name == f"{edition.removesuffix('.yaml')}{EXAMPLES}":
        return True
    tree = yaml_reader.read(None, text, Report(), name)
    edition_node = tree.get("edition") if isinstance(tree, MappingNode) and "cases" in tree.entries else None
    if not isinstance(edition_node, Scalar):
        return False
    written_path, own = (
        files.to_nfc(_normal_path(path)) for path in (str(PurePosixPath(name).parent / edition_node.text), edition)
    )
    return written_path in (own, own.removesuffix(".yaml"))


def _normal_path(path: str) -> str:
    """Return a path without '.' and inner '..'."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def new_file(edition: str, seats: Sequence[Any], name: str, body: Mapping[str, Any]) -> str:
    """Return a new file with one case, for an edition's file beside it. seats: as a plain tree."""
    tree = {"edition": PurePosixPath(edition).name, "seats": list(seats), "cases": {name: body}}
    return formatter.format_document(
        concrete_syntax.read(f"# Cases of this game: what must come of what is done.\n{yaml_line(tree)}\n")
    )


def with_case(text: str, name: str, body: Mapping[str, Any], shown_as: str) -> str:
    """Return a file's text with a case appended. shown_as: name of the file, for messages. Raises EditionError if the
    file cannot be read, CaseTextError if it has a case of this name."""
    document = _document(text, shown_as)
    cases = _value(document, "cases")
    if not isinstance(cases, Collection):
        raise CaseTextError(phrase("errors", "'{file}' has no list of cases.", file=shown_as))
    if name in names(document):
        raise CaseTextError(phrase("errors", "There is a case '{name}' already.", name=name))
    entry = _entries({name: body})[0]
    entry.blank = bool(cases.entries)
    cases.entries.append(entry)
    cases.flow = False
    return formatter.format_document(document)


def replace_values(text: str, changes: Mapping[SourcePlace, Any], shown_as: str) -> str:
    """Return a file's text with other values. changes: place of each key -> new value, as a plain tree; shown_as: as
    for `with_case`. Raises EditionError, and CaseTextError if there is no such key."""
    document = _document(text, shown_as)
    entries = {
        entry.key.start: entry for _, entry in concrete_syntax.walk(document.root) if entry is not None and entry.key
    }
    for place, right in changes.items():
        entry = entries.get(concrete_syntax.TextSpot(place.line - 1, place.column - 1))
        if entry is None:
            raise CaseTextError(phrase("errors", "'{file}' has changed meanwhile.", file=shown_as))
        entry.value = _entries({"x": right})[0].value
    return formatter.format_document(document)


def names(document: Document) -> list[str]:
    """List the names of a file's cases."""
    cases = _value(document, "cases")
    return [entry.key.text for entry in cases.entries if entry.key] if isinstance(cases, Collection) else []


def names_in(text: str, shown_as: str) -> list[str]:
    """List the names of the cases in a text; none if it is empty. Raises EditionError."""
    return names(_document(text, shown_as)) if text.strip() else []


def seats_in(text: str, shown_as: str) -> list[Any] | None:
    """Return the seats that a file sets for its cases, as a plain tree; None if it sets none. Raises EditionError."""
    seats = _value(_document(text, shown_as), "seats")
    if not isinstance(seats, Collection):
        return None
    return [_seat(entry.value) for entry in seats.entries]


def _seat(node: Node) -> Any:
    """Return a seat as a plain tree: its name, or {name: role}."""
    if isinstance(node, Collection) and node.entries and node.entries[0].key:
        return {node.entries[0].key.text: getattr(node.entries[0].value, "text", "")}
    return getattr(node, "text", "")


def _document(text: str, shown_as: str) -> Document:
    """Parse a text into a document that can be changed. Raises EditionError."""
    formatter.format_file(None, shown_as, text)
    return concrete_syntax.read(files.with_unix_line_ends(text))


def _value(document: Document, key: str) -> Node | None:
    """Return the value of a document's top-level key."""
    return next((entry.value for entry in document.root.entries if entry.key and entry.key.text == key), None)


def _entries(tree: Mapping[str, Any]) -> list[WrittenEntry]:
    """Turn a plain tree into entries."""
    return concrete_syntax.read(yaml_line(tree)).root.entries
