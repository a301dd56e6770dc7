"""A rule file while it is written: its text, what is wrong with it, and the last edition that could be read of it.

A file is broken most of the time. So the section in which YAML stumbles is read as it last was, and the others go on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from rulewright.authoring.explanations import Explainer
from rulewright.base.diagnostics import Diagnostic, Report, SourcePlace
from rulewright.model import reader
from rulewright.model.declarations import Edition
from rulewright.model.entries import Entry, entries
from rulewright.model.references import Use, uses
from rulewright.syntax import schema, yaml_reader
from rulewright.syntax.remembered import remembering
from rulewright.syntax.source import Node

_SECTION = re.compile(r"(?m)^([^\s#:][^:\n]*):")


@dataclass(frozen=True, slots=True)
class KnownEdition:
    """An edition, with all that it names and all that is named in it. lines: of the text that it was read of."""

    edition: Edition
    entries: list[Entry]
    uses: list[Use]
    lines: list[str]
    explainer: Explainer


@dataclass
class OpenFile:
    """file: as places call it; kind: the schema that describes it; known: the last edition that could be read, of this
    text or an earlier one; text_known: a text of which an edition could be read."""

    path: Path
    text: str
    kind: str
    report: Report = field(default_factory=Report)
    known: KnownEdition | None = None
    text_known: str = ""

    @property
    def file(self) -> str:
        return str(self.path)

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def tree(self) -> Node | None:
        """The nodes of the text as far as they can be read."""
        report = Report()
        found = yaml_reader.read(None, self.text, report, self.file)
        if found is None and (at := _broken_at(report)):
            found = yaml_reader.read(None, _without_section(self.text, at), Report(), self.file)
        return found

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What is wrong in this file."""
        return [found for found in self.report.diagnostics if found.place.file == self.file]


def read(path: Path, text: str, before: OpenFile | None = None) -> OpenFile:
    """A sheet of a text, with what can be told of it at once; what takes longer is told by `examined`.

    before: the sheet of this file as it was.
    """
    sheet = OpenFile(path, text, _kind(text))
    if before is not None:
        sheet.known, sheet.text_known = before.known, before.text_known
    if sheet.kind == schema.SCENARIOS:
        tree = yaml_reader.read(None, text, sheet.report, sheet.file)
        if tree is not None and sheet.report.ok:
            schema.validate(tree, sheet.report, sheet.kind)
        return sheet
    with remembering(sheet.file):
        edition = _edition(path, text, sheet.report)
        if edition is None and (at := _broken_at(sheet.report)):
            mended, later = _mended(text, at, sheet.text_known), Report()
            edition = _edition(path, mended, later)
            _take_over(sheet, later, at)
        elif edition is not None:
            sheet.text_known = text
        if edition is not None:
            found = entries(edition)
            sheet.known = KnownEdition(edition, found, uses(edition), sheet.lines, Explainer(edition))
    return sheet


def examined(path: Path, text: str) -> Report:
    """All that `check` says of a text; nothing where YAML already stumbles."""
    from rulewright.authoring.lint import lint  # noqa: PLC0415 - it loads the compiler, which is not always needed

    report = Report()
    if _kind(text) == schema.SCENARIOS:
        return report
    with remembering(str(path)):
        edition = _edition(path, text, report)
        if edition is not None:
            lint(edition, report)
    return report


def sections(text: str) -> Iterator[tuple[str, int, int]]:
    """The sections of a file: their keys, and from which line to which they go, counted from 0, the end left out."""
    starts = [(found[1], text.count("\n", 0, found.start())) for found in _SECTION.finditer(text)]
    yield from ((key, line, end) for (key, line), (_, end) in pairwise([*starts, ("", text.count("\n") + 1)]))


def _kind(text: str) -> str:
    keys = {key for key, _, _ in sections(text)}
    return schema.SCENARIOS if "cases" in keys else schema.VARIANT if "extends" in keys else schema.EDITION


def _edition(path: Path, text: str, report: Report) -> Edition | None:
    return reader.read(path, report, path.stem, text=text, shown_as=str(path))


def _broken_at(report: Report) -> SourcePlace | None:
    """Where YAML stumbles, if it does."""
    return report.errors[0].place if report.errors else None


def _without_section(text: str, at: SourcePlace) -> str:
    lines = text.split("\n")
    for _, start, end in sections(text):
        if start < at.line <= end:
            lines[start:end] = [""] * (end - start)
    return "\n".join(lines)


def _mended(text: str, at: SourcePlace, known: str) -> str:
    """The text with the section that is broken as it last was: below all others, where it moves none of them."""
    key = next((key for key, start, end in sections(text) if start < at.line <= end), "")
    lines = known.split("\n")
    kept = next(("\n".join(lines[start:end]) for name, start, end in sections(known) if name == key), "")
    return f"{_without_section(text, at)}\n{kept}"


def _take_over(sheet: OpenFile, later: Report, at: SourcePlace) -> None:
    """What else is wrong, but not in what stands there from before, nor for what it lacks."""
    if not sheet.text_known:
        return
    last = len(sheet.lines)
    for found in later.diagnostics:
        if found.place.line <= last and found.place.file == sheet.file and found.code != "missing-key":
            add = sheet.report.error if found.severity == "error" else sheet.report.warning
            add(found.place, found.code, found.message, found.hint)
