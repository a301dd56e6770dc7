"""Run files of cases: given position, answers, expectations (see `spec/SCENARIOS.md`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from rulewright.authoring.scenarios.case_game import CaseGame
from rulewright.authoring.scenarios.cases import Case, Editions, ScriptedAnswer, read
from rulewright.authoring.scenarios.checks import Check, Expected
from rulewright.authoring.scenarios.zone_expectations import format_list
from rulewright.base.diagnostics import EditionError, Report, RulewrightError, SourcePlace, escape_controls
from rulewright.base.records import record
from rulewright.game.choices import AnswerError
from rulewright.game.decisions import Decision
from rulewright.runtime.state import State

__all__ = ["Failure", "PlayedCase", "check", "describe", "play", "run"]

PASSED, FAILED, INVALID = 0, 1, 2


@record
class Failure:
    """Failure of a case.

    title: its subject; lines: (label, text), such as ('expected', '3'); check: the check that failed, or None for an
    answer.
    """

    place: SourcePlace
    title: str
    lines: tuple[tuple[str, str], ...]
    check: Check | None = None


@record
class PlayedCase:
    """Result of playing a case.

    failures: the first ones, all of one moment; states: one after each answer; table: the game at its end or at the
    failures, None if it could not begin.
    """

    failures: tuple[Failure, ...]
    states: tuple[State, ...]
    table: CaseGame | None


def run(paths: Sequence[str], out: TextIO, translate: Callable[[str], str] = str) -> int:
    """Run all cases of files, and of the .yaml files in folders; tell what fails, and how many passed.

    Every case is played twice: straight, and through JSON after every answer. Gives the exit status: 0 if all
    passed, 1 if any failed, 2 if a file is no file of cases or its edition has errors.
    """
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
                    print(_format_failure(case, failure), end="\n\n", file=out)
    print(f"{passed} passed, {failed} failed", file=out)
    return INVALID if invalid else FAILED if failed else PASSED


def _files(path: str) -> list[Path]:
    """Return the files of an argument: itself, or the .yaml files in a folder that are no editions."""
    if not Path(path).is_dir():
        return [Path(path)]
    return [file for file in sorted(Path(path).rglob("*.yaml")) if not _is_edition(file)]


def _is_edition(file: Path) -> bool:
    """Return whether a file has the key `rulewright`, which files of cases do not have."""
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
        lines = (("expected", "the same game"), ("actual", "another state"))
        failures = (Failure(case.place, "the game", lines),)
    again = "when the game is saved as JSON and made again after every answer"
    return [Failure(failure.place, f"{failure.title}, {again}", failure.lines) for failure in failures]


def play(case: Case, through_json: bool = False) -> PlayedCase:
    """Play a case up to where it fails."""
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
                        lines = (("expected", difference[0]), ("actual", difference[1]))
                        failures.append(Failure(check.place, check.title, lines, check))
                continue
            if failures:
                break
            failures += _answered(step, table)
            states.append(table.game.state)
            if failures:  # what is expected behind it would only follow from it
                break
    except RulewrightError as error:
        failures.append(Failure(place, "the rules", (("failed", str(error)),)))
    return PlayedCase(tuple(failures), tuple(states), table)


def _answered(step: ScriptedAnswer, table: CaseGame) -> list[Failure]:
    name, answer = table.setting.seats[step.seat], format_list(step.keys)
    before = table.game.decision(step.seat)
    if step.refused:
        wrong = table.try_refused(step.seat, step.keys)
        lines: tuple[tuple[str, str], ...] = (("expected", f"{answer} is refused"), ("actual", wrong))
        return [Failure(step.place, f"{name}’s answer", lines)] if wrong else []
    try:
        table.answer(step.seat, step.keys)
    except AnswerError as error:
        lines = (("answer", answer), ("refused", str(error)), ("offered", _offered(before, table)))
        return [Failure(step.place, f"{name}’s answer", lines)]
    return []


def _offered(decision: Decision | None, table: CaseGame) -> str:
    """Describe what a seat could have answered; if it has no decision, who has."""
    if decision is None:
        pending = [f"{table.setting.seats[other.seat]} ({other.id})" for other in table.game.decisions()]
        return "nothing" + (f"; asked: {format_list(pending)}" if pending else "; the game is over" * table.game.over)
    choices = [choice.key for choice in decision.choices for _ in range(choice.count)]
    many = str(decision.least) if decision.least == decision.most else f"{decision.least} to {decision.most}"
    return f"{many} of {format_list(choices)} ({decision.id})"


def _format_failure(case: Case, failure: Failure) -> str:
    headline, *lines = describe(failure).split("\n")
    place = failure.place
    output = [
        f"{place.file}:{place.line}: {escape_controls(case.name)}",
        f"    {headline}",
        *(f"      {line}" for line in lines),
    ]
    return "\n".join(output)


def describe(failure: Failure) -> str:
    """Format a failure: its title, then expected and actual values line by line."""
    width = max(len(label) for label, _ in failure.lines)
    output = [escape_controls(failure.title)]
    for label, text in failure.lines:
        for number, line in enumerate(text.split("\n")):
            output.append(f"{label if not number else '':<{width}}  {escape_controls(line)}")
    return "\n".join(output)
