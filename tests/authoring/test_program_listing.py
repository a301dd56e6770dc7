"""`rulewright explain --program`: every instruction, and every sentence beside its first one."""

from __future__ import annotations

from pathlib import Path

import pytest

from project_folders import GAMES
from rulewright import cli
from rulewright.authoring import program_listing
from rulewright.authoring.program_listing import ListingError
from rulewright.base.diagnostics import Report
from rulewright.compiler import compile_edition, compile_with_sources
from rulewright.game import library
from rulewright.model.edition import Edition

EDITIONS = sorted(GAMES.glob("*.yaml"))


def edition(name: str) -> Edition:
    return library.load(str(GAMES / f"{name}.yaml")).edition


def test_a_sentence_stands_beside_its_first_instruction() -> None:
    lines = list(program_listing.lines(edition("goofspiel"), 2))
    dealt = next(number for number, line in enumerate(lines) if "move top 1 of diamond pile to prize" in line)
    assert lines[dealt].split() == [
        *("copy", "r12,", "1", "goofspiel.yaml:32:"),
        *("move", "top", "1", "of", "diamond", "pile", "to", "prize"),
    ]
    assert lines[dealt + 1] == "  deal diamond pile, prize, r12, 0, -1"


def test_code_after_a_body_belongs_to_the_sentence_outside() -> None:
    program, sentences = compile_with_sources(edition("goofspiel"), 2)
    numbers = {sentence.text: number for number, sentence in enumerate(sentences) if sentence is not None}  # the last
    assert program.code[numbers["each seat"]] == ("end",)
    assert numbers["each seat"] > numbers["move bid to used"]


@pytest.mark.rotating(3)
@pytest.mark.parametrize("path", EDITIONS, ids=lambda path: path.stem)
def test_every_instruction_is_listed(path: Path) -> None:
    rules = library.load(str(path)).edition
    seats = rules.seat_counts()[0]
    program, sentences = compile_with_sources(rules, seats)
    assert program.code == compile_edition(rules, seats, Report()).code
    assert len(sentences) == len(program.code) == len(list(program_listing.lines(rules, seats)))


def test_a_single_step_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", str(GAMES / "goofspiel.yaml"), "turn", "up", "a", "prize", "--program", "3"]) == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert first.startswith("block ") and first.endswith(", turn up a prize")
    assert others and not any(line.startswith("block ") for line in others)


def test_unknown_names_and_seat_counts_are_refused() -> None:
    with pytest.raises(ListingError, match=r"called 'bidd'\. Did you mean 'bid'\?"):
        program_listing.lines(edition("goofspiel"), 2, "bidd")
    with pytest.raises(ListingError, match="programs for 2, 3 seats, not for 4"):
        program_listing.lines(edition("goofspiel"), 4)
