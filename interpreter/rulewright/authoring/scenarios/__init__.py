"""Run files of cases: given position, answers, expectations (see `spec/SCENARIOS.md`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from rulewright.authoring.case_failures import FailureText
from rulewright.authoring.scenarios import messages
from rulewright.authoring.scenarios.case_game import CaseGame
from rulewright.authoring.scenarios.cases import Case, Editions, ScriptedAnswer, read
from rulewright.authoring.scenarios.checks import Check, Expected
from rulewright.authoring.scenarios.zone_expectations import format_list
from rulewright.base.diagnostics import EditionError, Report, RulewrightError, SourcePlace, escape_controls
from rulewright.base.records import record
from rulewright.base.wording import Wording
from rulewright.game.choices import AnswerError
from rulewright.game.decisions import Decision
from rulewright.runtime.state import State

__all__ = ["Failure", "PlayedCase", "check", "play", "run"]

PASSED, FAILED, INVALID = 0, 1, 2
"""Exit statuses of `run`."""


@record
class Failure:
    """Failure of a case. check: the check that failed; None for an answer, and where the rules fail."""

    place: SourcePlace
    text: FailureText
    check: Check | None = None


@record
class PlayedCase:
    """Result of playing a case. failures: the first ones, all at one moment; states: one after each answer, also one
    that had to be refused; table: the game at its end or at the failures, None if it could not begin."""

    failures: tuple[Failure, ...]
    states: tuple[State, ...]
    table: CaseGame | None


def run(paths: Sequence[str], out: TextIO, translate: Callable[[str], str] = str) -> int:
    """Run all cases of files, and of the .yaml files in folders; print failures and totals. Every case is played twice:
    straight, and through JSON after every answer. Return the exit status: 0 if all passed, 1 if any failed, 2 if a file
    is no file of cases or its edition has errors."""
    editions = Editions()
    passed = failed = 0
    invalid = False
    for path in paths:
        files = _files(path)
        if not files:
            print(f"There is no .yaml file in '{escape_controls(path)}'.", end="\n\n", file=out)
            invalid = True
        for file in files:
            cases = _read(file, editions, out, translate)
            invalid = invalid or cases is None
            for case in cases or ():
                failures = check(case)
                passed, failed = passed + (not failures), failed + bool(failures)
                for failure in failures:
                    print(_format_failure(case, failure, translate), end="\n\n", file=out)
    print(f"{passed} passed, {failed} failed", file=out)
    return INVALID if invalid else FAILED if failed else PASSED


def _files(path: str) -> list[Path]:
    """Return the files of an argument: itself, or the .yaml files in a folder that are no editions."""
    if not Path(path).is_dir():
        return [Path(path)]
    return [file for file in sorted(Path(path).rglob("*.yaml")) if not _is_edition(file)]


def _is_edition(file: Path) -> bool:
    """Return whether a file has the key `rulewright`, as editions do."""
    try:
        return re.search(r"(?m)^rulewright *:", file.read_text(encoding="utf-8-sig")) is not None
    except (OSError, UnicodeError):
        return False


def _read(file: Path, editions: Editions, out: TextIO, translate: Callable[[str], str]) -> list[Case] | None:
    """Return the cases of a file; None if it has errors, which are printed."""
    report = Report()
    try:
        cases = read(file, str(file), editions, report)
    except EditionError as error:
        print(error.report.render(translate), end="\n\n", file=out)
        return None
    if report.ok:
        return cases
    print(report.render(translate), end="\n\n", file=out)
    return None


def check(case: Case) -> list[Failure]:
    """Play a case straight, then through JSON, and return its failures."""
    straight = play(case)
    if straight.failures:
        return list(straight.failures)
    played = play(case, through_json=True)
    failures = played.failures
    if not failures and straight.states != played.states:
        lines = (messages.EXPECTED(), "the same game"), (messages.ACTUAL(), "another state")
        failures = (Failure(case.place, FailureText(messages.THE_GAME(), lines)),)
    return [
        Failure(one.place, FailureText(messages.AFTER_JSON(title=one.text.title), one.text.lines)) for one in failures
    ]


def play(case: Case, through_json: bool = False) -> PlayedCase:
    """Play a case until its first failures. through_json: whether the game is saved as JSON and made again after every
    answer."""
    failures: list[Failure] = []
    states: list[State] = []
    table, place = None, case.place
    try:
        table = CaseGame(case.setting, through_json)
        for step in case.steps:
            place = step.place
            if isinstance(step, Expected):
                for check in step.checks:
                    difference = check.difference(table)
                    if difference is not None:
                        lines = (messages.EXPECTED(), difference[0]), (messages.ACTUAL(), difference[1])
                        failures.append(Failure(check.place, FailureText(check.title, lines), check))
                continue
            if failures:
                break
            failures += _give_answer(step, table)
            states.append(table.game.state)
            if failures:  # what is expected behind it would only follow from it
                break
    except RulewrightError as error:
        failures.append(Failure(place, FailureText(messages.THE_RULES(), ((messages.FAILED(), str(error)),))))
    return PlayedCase(tuple(failures), tuple(states), table)


def _give_answer(step: ScriptedAnswer, table: CaseGame) -> list[Failure]:
    """Give an answer of a case; return its failure, if it is refused or should have been."""
    answer = format_list(step.keys)
    title = messages.SEAT_ANSWER(seat=table.setting.seats[step.seat])
    before = table.game.decision(step.seat)
    if step.refused:
        wrong = table.try_refused(step.seat, step.keys)
        lines: tuple[tuple[Wording, str], ...]
        lines = (messages.EXPECTED(), f"{answer} is refused"), (messages.ACTUAL(), wrong)
        return [Failure(step.place, FailureText(title, lines))] if wrong else []
    try:
        table.answer(step.seat, step.keys)
    except AnswerError as error:
        lines = (
            (messages.ANSWER(), answer),
            (messages.REFUSED(), str(error)),
            (messages.OFFERED(), _describe_offer(before, table)),
        )
        return [Failure(step.place, FailureText(title, lines))]
    return []


def _describe_offer(decision: Decision | None, table: CaseGame) -> str:
    """Describe what a seat could have answered; if it has no decision, which seats have one."""
    if decision is None:
        pending = [f"{table.setting.seats[other.seat]} ({other.id})" for other in table.game.decisions()]
        return "nothing" + (f"; asked: {format_list(pending)}" if pending else "; the game is over" * table.game.over)
    choices = [choice.key for choice in decision.choices for _ in range(choice.count)]
    many = str(decision.least) if decision.least == decision.most else f"{decision.least} to {decision.most}"
    return f"{many} of {format_list(choices)} ({decision.id})"


def _format_failure(case: Case, failure: Failure, translate: Callable[[str], str]) -> str:
    """Format a failure with its place, in lines without an end."""
    headline, *lines = failure.text.render(translate).split("\n")
    place = failure.place
    output = [
        f"{place.file}:{place.line}: {escape_controls(case.name)}",
        f"    {headline}",
        *(f"      {line}" for line in lines),
    ]
    return "\n".join(output)
