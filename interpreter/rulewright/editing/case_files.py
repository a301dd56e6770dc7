"""File of cases while it is written: its errors, the meaning of its names, and results of its cases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.authoring.case_failures import FailureText
from rulewright.base.diagnostics import EditionError, RelatedPlace, Report, RulewrightError, SourcePlace
from rulewright.base.records import record
from rulewright.editing import messages
from rulewright.editing.case_names import CaseFacts, CaseWords, KeyPath
from rulewright.editing.text_document import KnownEdition, OpenFile, without_broken_case
from rulewright.model.references import Use, uses_in_text
from rulewright.model.symbols import Symbol
from rulewright.syntax import yaml_reader
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode

if TYPE_CHECKING:
    from rulewright.authoring.scenarios.cases import Editions

Unsaved = Mapping[Path, str]
"""Files whose text is newer in the editor than on disk."""
_TEXT_KEYS = ("text", "tell", "teach")
"""Keys of a case whose text may hold names in braces."""
_REQUIRED_KEYS = ("edition", "seats", "cases")
"""Keys of a file of cases that stay when all other cases are left out."""


@record
class CaseExamination:
    """Result of checking a file before any case runs. facts: of the edition, None if that has errors."""

    report: Report
    facts: CaseFacts | None = None


@record
class CaseOutcome:
    """Result of a case. failures: places with their texts; empty if it passes."""

    name: str
    failures: tuple[tuple[SourcePlace, FailureText], ...]


@record
class WrittenCase:
    """Case of a file: its name, and the name's place."""

    name: str
    place: SourcePlace


@record
class NamedInCase:
    """Name in a file of cases. kind: as in CaseWords."""

    scalar: Scalar
    kind: str


# ── what is known at once ──


def written_cases(open_file: OpenFile) -> list[WrittenCase]:
    """Return the cases of a file, in order."""
    cases = _below(open_file.tree, "cases")
    return [WrittenCase(key.text, key.place) for key in cases.keys.values()] if isinstance(cases, MappingNode) else []


def allowed_names(open_file: OpenFile, case: str = "") -> CaseWords | None:
    """Return the names that a case of a file may use, '' for the file's own entries; None as long as the edition is
    not known."""
    if open_file.known is None:
        return None
    body = _below(_below(open_file.tree, "cases"), case)
    seats = _seats(_below(body, "seats")) or _seats(_below(open_file.tree, "seats"))
    cases = tuple(written.name for written in written_cases(open_file))
    return CaseWords(open_file.known.edition, open_file.facts or CaseFacts(), seats, cases)


def names_of_edition(open_file: OpenFile) -> Iterator[NamedInCase]:
    """Yield all names of the edition in a file, except those within texts."""
    tree = open_file.tree
    for key, node in tree.items() if isinstance(tree, MappingNode) else ():
        if key.text == "cases" and isinstance(node, MappingNode):
            for name, body in node.items():
                if (known := allowed_names(open_file, name.text)) is not None:
                    yield from _names_below(body, ("cases", name.text), known)
        elif key.text != "edition" and (known := allowed_names(open_file)) is not None:
            yield from _names_below(node, (key.text,), known)


def declarations_of(open_file: OpenFile, name: NamedInCase, known: KnownEdition) -> list[Symbol]:
    """Return the declarations of the edition that a name means."""
    word_list = allowed_names(open_file)
    return word_list.entries(name.scalar.text, name.kind, known.entries) if word_list else []


def uses_in_texts(open_file: OpenFile, texts: list[Scalar] | None = None) -> Iterator[Use]:
    """Yield the names within braces in the texts of a file of cases, in no particular order. texts: receives the
    texts."""
    cases = _below(open_file.tree, "cases")
    waiting: list[Node] = [cases] if cases is not None else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, SequenceNode):
            waiting += node.items
        for key, value in node.items() if isinstance(node, MappingNode) else ():
            if key.text in _TEXT_KEYS and isinstance(value, Scalar):
                yield from uses_in_text(value, texts)
            waiting.append(value)


def _names_below(node: Node, path: KeyPath, known: CaseWords) -> Iterator[NamedInCase]:
    """Yield the names of the edition in a tree of cases, by the kinds that each place allows."""
    match node:
        case MappingNode():
            allowed = known.keys(path)
            for key, value in node.items():
                if (kind := allowed.get(key.text)) and kind != "key":
                    yield NamedInCase(key, kind)
                yield from _names_below(value, (*path, key.text), known)
        case SequenceNode():
            for item in node.items:
                yield from _names_below(item, (*path, ""), known)
        case Scalar():
            allowed = known.values(path) or known.values((*path, ""))
            if (kind := allowed.get(node.text)) and kind != "key":
                yield NamedInCase(node, kind)


def _below(node: Node | None, key: str) -> Node | None:
    """Return the value of a key; None where there is none, or no mapping."""
    return node.get(key) if isinstance(node, MappingNode) else None


def _seats(node: Node | None) -> tuple[str, ...]:
    """Return the names in a list of seats, without their roles; () without a list."""
    items = node.items if isinstance(node, SequenceNode) else ()
    name_nodes = (next(iter(item.keys.values()), None) if isinstance(item, MappingNode) else item for item in items)
    return tuple(name.text for name in name_nodes if isinstance(name, Scalar))


# ── what takes longer ──


def examine_cases(path: Path, text: str, unsaved: Unsaved) -> CaseExamination:
    """Check a file of cases; return its diagnostics and the facts of its edition."""
    from rulewright.authoring.scenarios.cases import read  # noqa: PLC0415 - it loads the compiler

    file = str(path)
    rest, report = without_broken_case(text, file)
    later = Report() if not report.ok else report
    try:
        cases = read(path, file, _cached_editions(path, unsaved), later, rest)
    except EditionError as error:
        _report_edition_errors(error, file, rest, report)
        return CaseExamination(report)
    except RulewrightError:
        return CaseExamination(report)
    if later is not report:
        for item in later.diagnostics:
            if item.code not in ("missing-key", "nothing-here", "wrong-shape"):
                report.add(item)
    facts = None
    for case in cases[:1]:
        program = case.setting.rules.machine(len(case.setting.seats)).program
        pieces = {type_.name: type_.kind for type_ in program.types}
        facts = CaseFacts(pieces, tuple(site.id for site in program.sites), tuple(map(str, program.rules)))
    return CaseExamination(report, facts)


def _report_edition_errors(error: EditionError, file: str, text: str, report: Report) -> None:
    """Report errors of the edition: where they are if in this file, else all at the edition's name."""
    own = [one for one in error.report.diagnostics if one.place.file == file]
    for diagnostic in own:
        report.add(diagnostic)
    if not own and (match := re.search(r"(?m)^edition *: *(.+?)\s*$", text)):
        place = SourcePlace(
            file, text.count("\n", 0, match.start(1)) + 1, match.start(1) - match.start() + 1, len(match[1])
        )
        first = error.report.errors[0]
        problem = messages.WRONG_EDITION(mistake=first.problem, file=Path(first.place.file).name, line=first.place.line)
        report.error(place, problem, related=(RelatedPlace(first.place, first.problem),))


def run_case(path: Path, text: str, name: str, unsaved: Unsaved) -> CaseOutcome | None:
    """Play one case; return None if no readable case has that name."""
    from rulewright.authoring import scenarios  # noqa: PLC0415 - it loads the compiler
    from rulewright.authoring.scenarios.cases import read  # noqa: PLC0415

    report = Report()
    try:
        cases = read(
            path, str(path), _cached_editions(path, unsaved), report, keep_one_case(text, name), with_texts=False
        )
    except RulewrightError:
        return None
    case = next((case for case in cases if case.name == name), None)
    if case is None or not report.ok:
        return None
    failures = [(failure.place, failure.text) for failure in scenarios.check(case)]
    return CaseOutcome(name, tuple(failures))


def choices_at_end(path: Path, cut_text: str, name: str, unsaved: Unsaved) -> dict[str, list[str]]:
    """Return the choices of each seat at the end of a case: name of the seat -> keys; {} if it cannot be played."""
    from rulewright.authoring.scenarios.case_game import CaseGame  # noqa: PLC0415
    from rulewright.authoring.scenarios.cases import read  # noqa: PLC0415

    try:
        cases = read(path, str(path), _cached_editions(path, unsaved), Report(), cut_text, with_texts=False)
        (case,) = (case for case in cases if case.name == name)
        table = CaseGame(case.setting, through_json=False)
        for answer in case.answers:
            table.answer(answer.seat, answer.keys)
    except (RulewrightError, ValueError):
        return {}
    return {
        case.setting.seats[asked.seat]: list(dict.fromkeys(choice.key for choice in asked.choices))
        for asked in table.game.decisions()
    }


def cut_before_step(text: str, name: str, line: int) -> str:
    """Return a file with one of its cases only, up to but without the step that contains a line, from 1; an expectation
    that means nothing stands in its place. Without such a case, all cases stay, but the text ends there too."""
    before = text.split("\n")[:line]
    while before and not before[-1].lstrip(" ").startswith("- "):
        before.pop()
    dashed = before.pop() if before else ""
    item = dashed[: len(dashed) - len(dashed.lstrip(" "))] + "- expect: {over: no}"
    return keep_one_case("\n".join([*before, item]), name)


_last_editions: list[tuple[object, Editions]] = []
"""The editions of the last time, with what they were made of."""


def _cached_editions(path: Path, unsaved: Unsaved) -> Editions:
    """Return the editions loaded last time if no file in the folder or in the editor has changed since; else empty
    ones, which load them anew."""
    from rulewright.authoring.scenarios.cases import Editions  # noqa: PLC0415

    made_of: object = dict(unsaved)
    with suppress(OSError):
        files = {file: file.stat().st_mtime_ns for file in path.parent.glob("*.yaml")}
        made_of = files, dict(unsaved)
    if not _last_editions or _last_editions[0][0] != made_of:
        _last_editions[:] = [(made_of, Editions(unsaved))]
    return _last_editions[0][1]


def keep_one_case(text: str, name: str) -> str:
    """Return a file with one of its cases and what that needs; every line stays where it was. A file without such a
    case stays whole."""
    tree = yaml_reader.read(None, text, Report(), "")
    cases = _below(tree, "cases")
    if not isinstance(tree, MappingNode) or not isinstance(cases, MappingNode) or name not in cases.keys:
        return text
    keys = [*tree.keys.values(), *cases.keys.values()]
    starts = sorted(key.place.line for key in keys)
    kept_lines: set[int] = set()
    for key in keys:
        if key.text in _REQUIRED_KEYS or key is cases.keys[name]:
            end = next((line for line in starts if line > key.place.line), text.count("\n") + 2)
            kept_lines.update(range(key.place.line, end))
    return "\n".join(line if number in kept_lines else "" for number, line in enumerate(text.split("\n"), 1))
