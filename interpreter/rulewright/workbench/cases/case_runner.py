"""All cases of an edition, run: which are as they should be, and what is otherwise in the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from rulewright.authoring import scenarios
from rulewright.authoring.scenarios import Failure, cases
from rulewright.authoring.scenarios.cases import Case, ScriptedAnswer
from rulewright.authoring.scenarios.contents import ExpectedContents
from rulewright.base.diagnostics import EditionError, Report
from rulewright.game.library import Rules
from rulewright.i18n.localizer import phrase
from rulewright.runtime.position import Spot
from rulewright.runtime.state import State
from rulewright.runtime.view import ZoneView, piece_names
from rulewright.syntax.source import Scalar
from rulewright.workbench.cases import case_texts
from rulewright.workbench.cases.case_texts import CaseTextError


class CaseDifference(Struct, omit_defaults=True):
    """One thing that is otherwise. told: labels with what stands behind them, such as 'expected' and 'actual'; line: of
    the file; mends: whether the file could say what comes out now."""

    what: str
    line: int
    told: list[tuple[str, str]]
    mends: bool = False


class CaseRun(Struct, omit_defaults=True):
    """A case that was run. line: where it stands; answers: how many it gives; differences: none where all is right."""

    name: str
    line: int
    answers: int
    differences: list[CaseDifference] = []


class FileRun(Struct, omit_defaults=True):
    """The cases of a file; trouble: why they cannot be run, with the line where that is."""

    file: str
    cases: list[CaseRun]
    trouble: str = ""
    line: int = 0


def run(rules: Rules, texts: Mapping[str, str], stale: Callable[[], bool] = lambda: False) -> list[FileRun] | None:
    """Run all cases of some files, by their names. stale: asked between two cases; where it says yes, nothing is
    given."""
    found = []
    for file, text in texts.items():
        read = _read(rules, file, text)
        if isinstance(read, FileRun):
            found.append(read)
            continue
        runs = FileRun(file, [])
        for name, case in read:
            if stale():
                return None
            runs.cases.append(ran(case) if isinstance(case, Case) else _unread(name, case))
        found.append(runs)
    return found


def _read(rules: Rules, file: str, text: str) -> list[tuple[Scalar, Case | Report]] | FileRun:
    """The cases of a file, each with what is wrong with it if it cannot be run, or why there are none at all."""
    try:
        return cases.each_of_text(text, file, rules)
    except EditionError as error:
        wrong = error.report.errors[0]
        return FileRun(file, [], _told(error.report), wrong.place.line)


def _told(report: Report) -> str:
    return " ".join(filter(None, (report.errors[0].message, report.errors[0].hint)))


def ran(case: Case) -> CaseRun:
    """A case, run once."""
    played = scenarios.play(case)
    answers = sum(isinstance(step, ScriptedAnswer) and not step.refused for step in case.steps)
    refused = [failure for failure in played.failures if failure.check is None]  # then nothing else can be as expected
    found = [_difference(failure) for failure in refused or played.failures]
    return CaseRun(case.name, case.place.line, answers, found)


def _unread(name: Scalar, report: Report) -> CaseRun:
    """A case that the rules do not allow any more."""
    line = report.errors[0].place.line
    return CaseRun(
        name.text, name.place.line, 0, [CaseDifference(report.errors[0].message, line, [("", report.errors[0].hint)])]
    )


def _difference(failure: Failure) -> CaseDifference:
    return CaseDifference(failure.what, failure.place.line, list(failure.lines), failure.check is not None)


def named(rules: Rules, file: str, text: str, name: str) -> Case:
    """One case of a file. Raises CaseTextError where it is not there, or cannot be read."""
    read = _read(rules, file, text)
    if isinstance(read, FileRun):
        raise CaseTextError(read.trouble)
    found = next((case for key, case in read if key.text == name), None)
    if isinstance(found, Report):
        raise CaseTextError(_told(found))
    if found is None:
        raise CaseTextError(phrase("errors", "There is no case '{name}' any more.", name=name))
    return found


def differing(failures: tuple[Failure, ...], state: State, case: Case) -> Iterator[tuple[Spot, ExpectedContents]]:
    """The zones that are not as they were expected to be, with what was expected of each."""
    program = case.setting.rules.machine(len(case.setting.seats)).program
    spaces = {(space.name, space.owner): space for space in program.layout.spaces}
    for failure in failures:
        for spot, contents in failure.check.contents.items() if failure.check is not None else ():
            pieces = piece_names(program, state, spaces[spot])
            if contents.difference(ZoneView(spot[0], None, len(pieces), pieces, spaces[spot].pile)) is not None:
                yield spot, contents


def mended(case: Case, text: str, file: str) -> str:
    """The file as it is right once what comes out now is what should. Raises CaseTextError where an answer does not fit
    any more, or something else than an expectation fails."""
    for _ in range(len(case.steps) + 1):
        played = scenarios.play(case)
        if not played.failures:
            return text
        if played.table is None or any(failure.check is None for failure in played.failures):
            what = " ".join(text for _, text in played.failures[0].lines)
            told = phrase("errors", "{what} cannot be right as it is: {why}", what=played.failures[0].what, why=what)
            raise CaseTextError(told)
        changes = {
            failure.place: failure.check.right(played.table) for failure in played.failures if failure.check is not None
        }
        text = case_texts.rewritten(text, changes, file)
        case = named(case.setting.rules, file, text, case.name)
    raise CaseTextError(phrase("errors", "This case cannot be written anew."))
