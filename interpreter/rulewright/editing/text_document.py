"""Rule file while it is written: its text, its errors, and the last edition that could be read.

A file is broken most of the time: then the section with the YAML error is read as it last was, in the same lines if it
fits there, and the others as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from rulewright.authoring.explanations import Explainer
from rulewright.base.diagnostics import Diagnostic, Report, SourcePlace
from rulewright.base.files import path_on_disk
from rulewright.editing import catalog_files
from rulewright.editing.case_names import CaseFacts
from rulewright.model import reader
from rulewright.model.edition import Edition
from rulewright.model.editions import UnknownEdition, is_path, shipped
from rulewright.model.references import Use, uses
from rulewright.model.symbols import Symbol, symbols
from rulewright.syntax import schema, schema_validation, yaml_reader
from rulewright.syntax.section_cache import SectionCache, use_section_cache
from rulewright.syntax.sentence_cache import use_sentence_cache
from rulewright.syntax.source import MAX_FILE_SIZE, MappingNode, Node, Scalar, extract_mapping

EditionFinder = Callable[[Path], "KnownEdition | None"]
"""Function that returns the edition in a file, None if it cannot be read."""

CATALOG = "catalog"
"""Kind of a file of translations, which has no schema."""
_MAX_EDITIONS_ON_DISK = 4
"""Number of editions in `_editions_on_disk`; the one read first goes."""
_editions_on_disk: dict[Path, tuple[str, KnownEdition | None]] = {}
"""Editions that files of cases name, by path, with the text of which each was read."""
_SECTION = re.compile(r"""(?m)^(["']?)([^\W\d_][\w ]*)\1:(?=\s|$)""")
"""Key at the beginning of a line, in quotes or without."""


@dataclass(frozen=True, slots=True)
class KnownEdition:
    """Edition with its declarations and all uses of names.

    - entries: its declarations
    - uses: of their names
    - lines: of the text that was open when it was read, whose broken section may be from an earlier one
    - explainer: explains its declarations
    - sentences: all sentences, also those in texts
    """

    edition: Edition
    entries: list[Symbol]
    uses: list[Use]
    lines: list[str]
    explainer: Explainer
    sentences: list[Scalar]


@dataclass
class OpenFile:
    """Rule file as it is written.

    - kind: name of its schema, or CATALOG
    - report: of the quick diagnostics
    - known: last edition that could be read, from this text or an earlier one, or the edition that a file of cases
      tests
    - last_readable_text: last text that an edition could be read from
    - facts: of that edition, for files of cases, once known
    - broken: place of the YAML error
    - section_cache: results of the sections of this text and the one before
    """

    path: Path
    text: str
    kind: str
    report: Report = field(default_factory=Report)
    known: KnownEdition | None = None
    last_readable_text: str = ""
    facts: CaseFacts | None = None
    broken: SourcePlace | None = None
    section_cache: SectionCache = field(default_factory=SectionCache, repr=False)

    @property
    def file(self) -> str:
        """Name in places: its whole path."""
        return str(self.path)

    @cached_property
    def lines(self) -> list[str]:
        """Lines of the text, without their ends; the last is '' after a final end of line."""
        return self.text.split("\n")

    @cached_property
    def indents(self) -> list[int | None]:
        """Indent of each line; None for one with no text, or a comment."""
        texts = [line.lstrip(" ") for line in self.lines]
        blank = [not text or text[0] == "#" or text.isspace() for text in texts]
        return [None if b else len(line) - len(t) for b, line, t in zip(blank, self.lines, texts, strict=True)]

    @cached_property
    def tree(self) -> Node | None:
        """Nodes of the text as far as they can be read; None if nothing can, and for a catalog."""
        if self.kind == CATALOG:
            return None
        with use_section_cache(self.section_cache, whole=False):
            return yaml_reader.read(None, self._readable_text(), Report(), self.file)

    def _readable_text(self) -> str:
        """Return the text without the case or section that has the YAML error."""
        if self.broken is None:
            return self.text
        return (_without_case if self.kind == schema.SCENARIOS else _without_section)(self.text, self.broken)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Quick diagnostics that are in this file, not in extended ones."""
        return [diagnostic for diagnostic in self.report.diagnostics if diagnostic.place.file == self.file]


def read(
    path: Path, text: str, before: OpenFile | None = None, edition_in_file: EditionFinder | None = None
) -> OpenFile:
    """Read a text into an open file with its quick diagnostics; `examine_text` returns slower ones. before: the same
    file with an earlier text, whose edition stays known if this one cannot be read; edition_in_file: finds the edition
    that a file of cases tests, by default on disk."""
    open_file = OpenFile(path, text, CATALOG if path.suffix == catalog_files.SUFFIX else kind_of(text))
    if before is not None:
        open_file.known, open_file.last_readable_text, open_file.facts = (
            before.known,
            before.last_readable_text,
            before.facts,
        )
        open_file.section_cache = before.section_cache
    if open_file.kind == CATALOG:
        catalog_files.check_translations(path, text, open_file.report)
        return open_file
    if open_file.kind == schema.SCENARIOS:
        _read_cases(open_file, edition_in_file or edition_on_disk)
        return open_file
    with use_sentence_cache(open_file.file), use_section_cache(open_file.section_cache):
        edition = _read_edition(path, text, open_file.report)
        if edition is None and (place := _broken_at(open_file.report)):
            open_file.broken = place
            (mended, before_lines), later = _with_last_section(text, place, open_file.last_readable_text), Report()
            edition = _read_edition(path, mended, later)
            _add_later_diagnostics(open_file, later, before_lines)
        elif edition is not None:
            open_file.last_readable_text = text
        if edition is not None:
            open_file.known = _index_edition(edition, open_file.lines)
    return open_file


def edition_on_disk(path: Path) -> KnownEdition | None:
    """Return the edition in a file, as it is on disk; None if it cannot be read."""
    content = text_at(path)
    if content is None:
        return None
    if path not in _editions_on_disk or _editions_on_disk[path][0] != content:
        while len(_editions_on_disk) >= _MAX_EDITIONS_ON_DISK:
            del _editions_on_disk[next(iter(_editions_on_disk))]
        _editions_on_disk[path] = content, read(path, content).known
    return _editions_on_disk[path][1]


def text_at(path: Path) -> str | None:
    """Return the text of a file on disk; None if it cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_SIZE + 1)
        return content.decode("utf-8-sig") if len(content) <= MAX_FILE_SIZE else None
    except (OSError, ValueError):
        return None


def edition_file(open_file: OpenFile) -> Path | None:
    """Return the path of the edition that a file of cases names, which need not exist if it is a path there; None if it
    names none, or no shipped one."""
    name = open_file.tree.get("edition") if isinstance(open_file.tree, MappingNode) else None
    if not isinstance(name, Scalar) or name.absent:
        return None
    if is_path(name.text):
        return path_on_disk(open_file.path.parent / name.text)
    try:
        return shipped(name.text)[1]
    except UnknownEdition:
        return None


def without_broken_case(text: str, file: str) -> tuple[str, Report]:
    """Return a file of cases without the case with a YAML error (else the section with it), and the report of the
    error; without one the text as it is."""
    report = Report()
    yaml_reader.read(None, text, report, file)
    place = _broken_at(report)
    return _without_case(text, place) if place else text, report


def _read_cases(open_file: OpenFile, edition_in_file: EditionFinder) -> None:
    """Read a file of cases as far as possible, and the edition that it tests or contains."""
    rest, open_file.report = without_broken_case(open_file.text, open_file.file)
    open_file.broken = _broken_at(open_file.report)
    tree = yaml_reader.read(None, rest, Report(), open_file.file)
    if tree is not None and open_file.report.ok:
        schema_validation.validate(tree, open_file.report, open_file.kind)
    edition_node = tree.get("edition") if isinstance(tree, MappingNode) else None
    if isinstance(tree, MappingNode) and isinstance(edition_node, MappingNode):
        with use_sentence_cache(open_file.file):
            edition = _read_edition(open_file.path, extract_mapping(tree, edition_node, rest), Report())
        open_file.known = open_file.known if edition is None else _index_edition(edition, open_file.lines)
    elif (file := edition_file(open_file)) is not None:
        open_file.known = edition_in_file(file) or open_file.known


def _index_edition(edition: Edition, lines: list[str]) -> KnownEdition:
    """Return an edition with its symbols, uses of names and sentences."""
    texts: list[Scalar] = []
    name_uses = uses(edition, texts)
    return KnownEdition(edition, symbols(edition), name_uses, lines, Explainer(edition, name_uses), texts)


def examine_text(path: Path, text: str) -> Report:
    """Return everything that `check` reports about a text; for invalid YAML only its error. Takes long: it compiles."""
    from rulewright.authoring.lint import lint  # noqa: PLC0415 - it loads the compiler, which is not always needed

    report = Report()
    with use_sentence_cache(str(path)):
        edition = _read_edition(path, text, report)
        if edition is not None:
            lint(edition, report)
    return report


def errors_of_shape(path: Path, text: str) -> int:
    """Return the number of errors that keep a file from being read, before its sentences are checked."""
    report = Report()
    with use_sentence_cache(str(path)):
        _read_edition(path, text, report)
    return len(report.errors)


def sections(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the sections of a file: key, first line, and the line after the last, from 0."""
    starts = [(match[2], text.count("\n", 0, match.start())) for match in _SECTION.finditer(text)]
    yield from ((key, line, end) for (key, line), (_, end) in pairwise([*starts, ("", text.count("\n") + 1)]))


def kind_of(text: str) -> str:
    """Return the name of the schema by which a file is written."""
    keys = {key for key, _, _ in sections(text)}
    return schema.SCENARIOS if "cases" in keys else schema.VARIANT if "extends" in keys else schema.EDITION


def _read_edition(path: Path, text: str, report: Report) -> Edition | None:
    """Read an edition without compiling its sentences; None if its YAML or shape is too wrong."""
    return reader.read(path, report, path.stem, text=text, shown_as=str(path))


def _broken_at(report: Report) -> SourcePlace | None:
    """Return the place of the YAML error, if there is one."""
    return report.errors[0].place if report.errors else None


def _without_section(text: str, place: SourcePlace) -> str:
    """Return the text with the lines of the section at a place blanked."""
    lines = text.split("\n")
    for _, start, end in sections(text):
        if start < place.line <= end:
            lines[start:end] = [""] * (end - start)
    return "\n".join(lines)


def _without_case(text: str, place: SourcePlace) -> str:
    """Return the text without the case at a place, or without the section if it is no case."""
    lines = text.split("\n")
    for key, start, end in sections(text):
        if key != "cases" or not start + 1 < place.line <= end:
            continue
        indents = {number: len(line) - len(line.lstrip(" ")) for number, line in enumerate(lines) if line.strip()}
        own = min((indents[number] for number in range(start + 1, end) if number in indents), default=0)
        keys = [number for number in range(start + 1, end) if indents.get(number) == own]
        first = max((number for number in keys if number < place.line), default=start + 1)
        last = min((number for number in keys if number >= place.line), default=end)
        lines[first:last] = [""] * (last - first)
        return "\n".join(lines)
    return _without_section(text, place)


def _with_last_section(text: str, place: SourcePlace, known: str) -> tuple[str, range]:
    """Return the text with the broken section as it last was, and the lines, from 1, that are not of this text. The old
    section replaces the broken one where no other line moves by that; else it goes to the end."""
    lines, last = text.split("\n"), known.split("\n")
    key, start, end = next((part for part in sections(text) if part[1] < place.line <= part[2]), ("", 0, 0))
    last_lines = next((last[first:behind] for name, first, behind in sections(known) if name == key), [])
    if key and last_lines and len(last_lines) <= end - start:
        same = 0
        while same < len(last_lines) and last_lines[same] == lines[start + same]:
            same += 1
        lines[start:end] = [*last_lines[:same], *[""] * (end - start - len(last_lines)), *last_lines[same:]]
        return "\n".join(lines), range(start + 1, end + 1)
    rest = _without_section(text, place)
    return "\n".join([rest, *last_lines]), range(len(lines) + 1, len(lines) + 1 + len(last_lines))


def _add_later_diagnostics(open_file: OpenFile, later: Report, before: range) -> None:
    """Add the diagnostics of a text with an old section, except those in that section's lines, and those about missing
    entries; none before the file could be read once."""
    if not open_file.last_readable_text:
        return
    for diagnostic in later.diagnostics:
        if (
            diagnostic.place.line not in before
            and diagnostic.place.file == open_file.file
            and diagnostic.code != "missing-key"
        ):
            open_file.report.add(diagnostic)
