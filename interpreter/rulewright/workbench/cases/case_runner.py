"""Runs of all cases of an edition, with the differences of those that fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from rulewright.authoring import scenarios
from rulewright.authoring.scenarios import Failure, cases
from rulewright.authoring.scenarios.cases import Case
from rulewright.authoring.scenarios.zone_expectations import ExpectedContents
from rulewright.base.diagnostics import Diagnostic, EditionError, Report
from rulewright.base.records import record
from rulewright.game.library import Rules
from rulewright.i18n.localizer import phrase
from rulewright.runtime.position import Spot
from rulewright.runtime.state import State
from rulewright.runtime.view import ZoneView, piece_names
from rulewright.syntax.source import Scalar
from rulewright.workbench.cases import case_texts
from rulewright.workbench.cases.case_texts import CaseTextError


class CaseDifference(Struct, omit_defaults=True):
    """Failed expectation. line: of the file; details: labels and values, such as 'expected' and 'actual'; can_update:
    whether the case can be updated to what comes out now."""

    title: str
    line: int
    details: list[tuple[str, str]]
    can_update: bool = False


class CaseRun(Struct, omit_defaults=True):
    """Result of a case. line: where it is written; answers: their number; differences: none if it passes."""

    name: str
    line: int
    answers: int
    differences: list[CaseDifference] = []


class FileRun(Struct, omit_defaults=True):
    """Results of a file's cases. error: why they cannot be run, and the line of that."""

    file: str
    cases: list[CaseRun]
    error: str = ""
    line: int = 0


@record
class CaseResult:
    """Result of a case, in no language yet. answers: their number."""

    case: Case
    answers: int
    failures: tuple[Failure, ...]


@record
class InvalidCase:
    """Case that the rules do not allow any more, with its first error."""

    name: Scalar
    error: Diagnostic


@record
class FileResult:
    """Results of a file's cases, in no language yet. problem: why none of them can be run, or ''."""

    file: str
    cases: tuple[CaseResult | InvalidCase, ...] = ()
    problem: Diagnostic | str = ""

    def translated(self, translate: Callable[[str], str]) -> FileRun:
        """Return them for a page. translate: brings templates of diagnostics into its language."""
        if isinstance(self.problem, Diagnostic):
            text = " ".join(filter(None, self.problem.message_and_hint(translate)))
            return FileRun(self.file, [], text, self.problem.place.line)
        return FileRun(self.file, [_translated_case(case, translate) for case in self.cases], self.problem)


def _translated_case(case: CaseResult | InvalidCase, translate: Callable[[str], str]) -> CaseRun:
    """Return the result of a case in the reader's language."""
    if isinstance(case, CaseResult):
        differences = [_difference(failure, translate) for failure in case.failures]
        return CaseRun(case.case.name, case.case.place.line, case.answers, differences)
    message, hint = case.error.message_and_hint(translate)
    difference = CaseDifference(message, case.error.place.line, [("", hint)])
    return CaseRun(case.name.text, case.name.place.line, 0, [difference])


def run(rules: Rules, texts: Mapping[str, str], stale: Callable[[], bool] = lambda: False) -> list[FileResult] | None:
    """Run all cases of some files, given by name. stale: called between two cases; if it returns True, stop and return
    None."""
    results: list[FileResult] = []
    for file, text in texts.items():
        try:
            read = cases.cases_in_text(text, file, rules)
        except EditionError as error:
            results.append(FileResult(file, problem=error.report.errors[0]))
            continue
        runs: list[CaseResult | InvalidCase] = []
        for name, case in read:
            if stale():
                return None
            runs.append(run_case(case) if isinstance(case, Case) else InvalidCase(name, case.errors[0]))
        results.append(FileResult(file, tuple(runs)))
    return results


def run_case(case: Case) -> CaseResult:
    """Run a case once. Where an answer is refused, only that is a failure: the others follow from it."""
    played = scenarios.play(case)
    refusals = [
        failure for failure in played.failures if failure.check is None
    ]  # every other expectation fails as a consequence
    return CaseResult(case, len(case.answers), tuple(refusals) or played.failures)


def _difference(failure: Failure, translate: Callable[[str], str]) -> CaseDifference:
    title, lines = failure.text.title.render(translate), failure.text.lines
    details = [(label.render(translate), text) for label, text in lines]
    return CaseDifference(title, failure.place.line, details, failure.check is not None)


def find_case(rules: Rules, file: str, text: str, name: str) -> Case:
    """Return one case of a file. Raises CaseTextError if it is missing, EditionError if it has errors or the file is
    none of cases."""
    read = cases.cases_in_text(text, file, rules)
    result = next((case for key, case in read if key.text == name), None)
    if isinstance(result, Report):
        raise EditionError(result)
    if result is None:
        raise CaseTextError(phrase("errors", "There is no case '{name}' any more.", name=name))
    return result


def differing_zones(failures: tuple[Failure, ...], state: State, case: Case) -> Iterator[tuple[Spot, ExpectedContents]]:
    """Yield the zones whose contents differ from the expectation, with that expectation."""
    program = case.setting.rules.machine(len(case.setting.seats)).program
    spaces = {(space.name, space.owner): space for space in program.layout.zones}
    for failure in failures:
        for spot, contents in failure.check.contents.items() if failure.check is not None else ():
            pieces = piece_names(program, state, spaces[spot])
            if contents.difference(ZoneView(spot[0], None, len(pieces), pieces, spaces[spot].pile)) is not None:
                yield spot, contents


def update_expectations(case: Case, text: str, file: str, translate: Callable[[str], str]) -> str:
    """Return the file's text with the case's expectations updated to the present results.

    translate: brings templates of diagnostics into the reader's language. Raises CaseTextError if an answer does not
    fit any more, or something other than an expectation fails.
    """
    for _ in range(len(case.steps) + 1):
        played = scenarios.play(case)
        if not played.failures:
            return text
        if played.table is None or any(failure.check is None for failure in played.failures):
            failure_text = " ".join(text for _, text in played.failures[0].text.lines)
            message = phrase(
                "errors",
                "{what} cannot be right as it is: {why}",
                what=played.failures[0].text.title.render(translate),
                why=failure_text,
            )
            raise CaseTextError(message)
        changes = {
            failure.place: failure.check.right(played.table) for failure in played.failures if failure.check is not None
        }
        text = case_texts.replace_values(text, changes, file)
        case = find_case(case.setting.rules, file, text, case.name)
    raise CaseTextError(phrase("errors", "This case cannot be written anew."))
