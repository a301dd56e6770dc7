"""Runs files of cases: what is given, what is done, what must come of it (see `spec/SCENARIOS.md`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from rulewright.authoring.scenarios.case_game import CaseGame
from rulewright.authoring.scenarios.cases import Case, Editions, ScriptedAnswer, read
from rulewright.authoring.scenarios.expectations import Check, Expected
from rulewright.authoring.scenarios.zone_expectations import listed
from rulewright.base.diagnostics import EditionError, Report, RulewrightError, SourcePlace, visible
from rulewright.base.records import record
from rulewright.game.game import AnswerError, Decision
from rulewright.runtime.state import State

__all__ = ["Failure", "PlayedCase", "check", "described", "play", "run"]

PASSED, FAILED, INVALID = 0, 1, 2


@record
class Failure:
    """Where a case went wrong. lines: label and text, such as ('expected', '3'); check: what was expected, or None
    where an answer was refused, or was not."""

    place: SourcePlace
    what: str
    lines: tuple[tuple[str, str], ...]
    check: Check | None = None


@record
class PlayedCase:
    """A case that was played: its first failures, all of one moment; its states, one after every answer; the table at
    its end, or at that moment, None where the game could not begin."""

    failures: tuple[Failure, ...]
    states: tuple[State, ...]
    table: CaseGame | None


def run(paths: Sequence[str], out: TextIO) -> int:
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
            print(f"There is no .yaml file in '{visible(path)}'.", end="\n\n", file=out)
            invalid = True
        for file in files:
            cases = _read(file, editions, out)
            invalid = invalid or cases is None
            for case in cases or ():
                failures = check(case)
                passed, failed = passed + (not failures), failed + bool(failures)
                for failure in failures:
                    print(_told(case, failure), end="\n\n", file=out)
    print(f"{passed} passed, {failed} failed", file=out)
    return INVALID if invalid else FAILED if failed else PASSED


def _files(path: str) -> list[Path]:
    """The files that an argument stands for: itself, or what is in the folder and no edition."""
    if not Path(path).is_dir():
        return [Path(path)]
    return [file for file in sorted(Path(path).rglob("*.yaml")) if not _is_edition(file)]


def _is_edition(file: Path) -> bool:
    """Whether a file begins as editions do: with the version of the language, which files of cases do not have."""
    try:
        return re.search(r"(?m)^rulewright *:", file.read_text(encoding="utf-8-sig")) is not None
    except (OSError, UnicodeError):
        return False


def _read(file: Path, editions: Editions, out: TextIO) -> list[Case] | None:
    """The cases of a file, or None, having told what is wrong."""
    report = Report()
    try:
        cases = read(file, str(file), editions, report)
    except EditionError as error:
        print(error, end="\n\n", file=out)
        return None
    if report.ok:
        return cases
    print(report.render(), end="\n\n", file=out)
    return None


def check(case: Case) -> list[Failure]:
    """What fails when a case is played, straight or else through JSON."""
    straight = play(case)
    if straight.failures:
        return list(straight.failures)
    played = play(case, through_json=True)
    failures = played.failures
    if not failures and straight.states != played.states:
        lines = (("expected", "the same game"), ("actual", "another state"))
        failures = (Failure(case.place, "the game", lines),)
    again = "when the game is saved as JSON and made again after every answer"
    return [Failure(failure.place, f"{failure.what}, {again}", failure.lines) for failure in failures]


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
                        failures.append(Failure(check.place, check.what, lines, check))
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
    name, answer = table.setting.seats[step.seat], listed(step.keys)
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
    """What a seat could have answered; if it is not asked, who is."""
    if decision is None:
        asked = [f"{table.setting.seats[other.seat]} ({other.id})" for other in table.game.decisions()]
        return "nothing" + (f"; asked: {listed(asked)}" if asked else "; the game is over" * table.game.over)
    choices = [choice.key for choice in decision.choices for _ in range(choice.count)]
    many = str(decision.least) if decision.least == decision.most else f"{decision.least} to {decision.most}"
    return f"{many} of {listed(choices)} ({decision.id})"


def _told(case: Case, failure: Failure) -> str:
    what, *lines = described(failure).split("\n")
    place = failure.place
    told = [f"{place.file}:{place.line}: {visible(case.name)}", f"    {what}", *(f"      {line}" for line in lines)]
    return "\n".join(told)


def described(failure: Failure) -> str:
    """What is wrong, then line by line what was expected and what is."""
    width = max(len(label) for label, _ in failure.lines)
    told = [visible(failure.what)]
    for label, text in failure.lines:
        for number, line in enumerate(text.split("\n")):
            told.append(f"{label if not number else '':<{width}}  {visible(line)}")
    return "\n".join(told)
