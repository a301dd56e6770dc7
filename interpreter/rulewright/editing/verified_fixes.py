"""Verified fixes: only those that leave a file with fewer errors are offered.

Verification reads the file once for each fix; so it runs in pauses of typing, within a time limit.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulewright.base.diagnostics import DID_YOU_MEAN, DID_YOU_MEAN_FOR, Diagnostic, Fix, Report
from rulewright.base.records import record
from rulewright.base.wording import Hint
from rulewright.editing import messages, text_document
from rulewright.editing.edits import text_after_fix
from rulewright.editing.fixes import fixes
from rulewright.syntax import schema, yaml_reader

BUDGET = 1.5
"""Seconds for verification by the full check; as many more for the fast one."""

_QUESTIONS = (DID_YOU_MEAN, DID_YOU_MEAN_FOR)
"""Hints that ask for a fix by name."""

MAX_ROUNDS = 50
"""Maximum number of rounds of sure fixes: a fix can bring to light what it hid."""


@record
class Soundness:
    """Numbers of errors and warnings of a file. broken: line and column of a YAML error, or None."""

    broken: tuple[int, int] | None
    errors: int
    warnings: int


def soundness(path: Path, text: str, whole: bool = True) -> Soundness:
    """Check a text. whole: whether to run the full check of editions, or the fast one only."""
    yaml_report = Report()
    kind = text_document.CATALOG if path.suffix == ".po" else text_document.kind_of(text)
    if kind != text_document.CATALOG:
        yaml_reader.read(None, text, yaml_report, str(path))
    whole = whole and kind not in (text_document.CATALOG, schema.SCENARIOS)
    report = text_document.examine_text(path, text) if whole else text_document.read(path, text).report
    own = [diagnostic for diagnostic in report.diagnostics if diagnostic.place.file == str(path)]
    errors = sum(diagnostic.severity == "error" for diagnostic in own)
    broken = (yaml_report.errors[0].place.line, yaml_report.errors[0].place.column) if yaml_report.errors else None
    return Soundness(broken, errors, len(own) - errors)


def is_mended(before: Soundness, after: Soundness) -> bool:
    """Return whether a fix leaves fewer errors, or as many and fewer warnings. A YAML error hides others: then the file
    must become readable, to its end or further than before, without new errors."""
    if before.broken is not None:
        further = after.broken is None or after.broken > before.broken
        return further and after.errors <= before.errors
    if after.broken is not None:
        return False
    return (after.errors, after.warnings) < (before.errors, before.warnings)


def verify_fixes(
    path: Path, text: str, diagnostics: Sequence[Diagnostic], seconds: float | None = BUDGET, revealing: bool = False
) -> list[list[Fix]]:  # plain records, for another process
    """Return the verified fixes for each diagnostic.

    seconds: limit for the full check of all; the fast check then goes on as long again, and lets pass what changes no
    number; None for no limit. revealing: count also a fix that leaves fewer errors that hide others, whatever it shows.
    """
    lines, whole, until = text.split("\n"), True, None if seconds is None else time.monotonic() + seconds
    before, shape_errors = (
        soundness(path, text),
        text_document.errors_of_shape(path, text) if revealing else 0,
    )
    result: list[list[Fix]] = [[] for _ in diagnostics]
    for number, fix in _candidates(diagnostics, lines):
        if until is not None and seconds is not None and time.monotonic() > until:
            if not whole:
                break
            whole, until, before = False, until + seconds, soundness(path, text, whole=False)
        after_text = text_after_fix(fix, lines)
        after = soundness(path, after_text, whole)
        readable = before.broken is None and after.broken is None
        reveals = shape_errors > 0 and readable and text_document.errors_of_shape(path, after_text) < shape_errors
        if is_mended(before, after) or reveals or (not whole and after == before):
            result[number].append(fix)
    return result


def _candidates(diagnostics: Sequence[Diagnostic], lines: Sequence[str]) -> Iterator[tuple[int, Fix]]:
    """Yield the likeliest fix of each diagnostic, then the others."""
    offered = [(number, list(fixes(item, lines))) for number, item in enumerate(diagnostics)]
    yield from ((number, each[0]) for number, each in offered if each)
    yield from ((number, fix) for number, each in offered for fix in each[1:])


def apply_sure_fixes(path: Path, text: str) -> tuple[str, list[tuple[Diagnostic, Fix]]]:
    """Apply every sure fix, round by round as long as the errors get fewer. A fix is sure if it is verified, deletes
    nothing, and is asked for by name, or is the only one of an error or of a warning with an exact hint. Return the
    text, and each diagnostic with its fix, in order."""
    done: list[tuple[Diagnostic, Fix]] = []
    for _ in range(MAX_ROUNDS):
        sure = _sure_fixes(path, text)
        after = text
        for _, fix in reversed(sure):  # from the end, so that places before stay
            after = text_after_fix(fix, after.split("\n"))
        if (
            len(sure) > 1
            and not text_document.errors_of_shape(path, text)
            and not is_mended(soundness(path, text), soundness(path, after))
        ):
            sure = sure[:1]
            after = text_after_fix(sure[0][1], text.split("\n"))
        if not sure:
            break
        text = after
        done += sure
    return text, done


def _sure_fixes(path: Path, text: str) -> list[tuple[Diagnostic, Fix]]:
    """Return the sure fixes that do not overlap, in the order of the file."""
    diagnostics = (
        text_document.examine_text(path, text).diagnostics or text_document.read(path, text).report.diagnostics
    )
    own = [one for one in diagnostics if one.place.file == str(path)]
    sure: list[tuple[Diagnostic, Fix]] = []
    every = verify_fixes(path, text, own, None, revealing=True)  # until all are tried: what is written must be sure
    for diagnostic, fixes_ in zip(own, every, strict=True):
        names = [hint.text_of("name") for hint in diagnostic.hints if hint.template in _QUESTIONS]
        candidates = [fix for fix in fixes_ if fix.new in names]
        exact = any(isinstance(hint.template, Hint) and hint.template.exact for hint in diagnostic.hints)
        if not candidates and (exact or diagnostic.severity == "error"):
            candidates = fixes_
        if len(candidates) == 1 and candidates[0].title.template not in messages.DELETING:
            sure.append((diagnostic, candidates[0]))
    sure.sort(key=lambda pair: pair[1].start)
    separate = sure[:1]
    for diagnostic, fix in sure[1:]:
        if separate[-1][1].end <= fix.start:
            separate.append((diagnostic, fix))
    return separate
