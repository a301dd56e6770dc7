"""Analysis of finished games: verdicts, equal tries, and nothing that a seat could not know."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import rulewright
from project_folders import TESTS
from rulewright import cli
from rulewright.game.early_ends import CALLED_OFF
from rulewright.game.game import Game
from rulewright.players import analysis, answer_values
from rulewright.players.analysis import BEST, BLUNDER, CLOSE, ERRORS, GOOD, INACCURACY, MISTAKE
from rulewright.players.answer_values import ValueEstimate
from rulewright.publish.analysis_texts import reason
from rulewright.publish.labels import Labels

LINES = TESTS / "openspiel" / "tic_tac_toe.yaml"
MISSED_BLOCK = ("b2", "a1", "a2", "b1", "c2")
"""X threatens the middle row; O builds a row of its own instead of blocking it."""


def played(edition: str, answers: Sequence[str], seed: int = 1) -> Game:
    game = Game.start(rulewright.load(edition), ["Ada", "Ben"], seed=seed)
    for key in answers:
        game.answer(game.decisions()[0].seat, [key])
    return game


def test_a_missed_block_is_a_blunder() -> None:
    judged = list(analysis.analyse(played(str(LINES), MISSED_BLOCK)))
    assert [one.number for one in judged] == [0, 1, 2, 3, 4]
    missed, won = judged[3], judged[4]
    assert (missed.verdict, missed.best.keys) == (BLUNDER, ("c2",))
    assert missed.played.value == ValueEstimate(0.0, 0.0)  # proved
    assert missed.cost.mean - missed.cost.margin > 0.2
    assert missed.line[0].seat == 0
    assert (won.verdict, won.played.value, won.line) == (BEST, ValueEstimate(1.0, 0.0), ())


@pytest.mark.rotating(2)
def test_an_open_column_of_three_is_a_blunder() -> None:
    answers = ("d6", "c6", "d5", "c5", "d4", "a6", "d3")  # the row nearest the edge fills first
    game = Game.start(rulewright.load("classics/four-in-a-row"), ["Ada", "Ben"], seed=1)
    for key in answers:
        decision = game.decisions()[0]
        [own] = [choice.key for choice in decision.choices if choice.key[0] == key[0]]
        game.answer(decision.seat, [own])
    assert game.over
    judged = {one.number: one for one in analysis.analyse(game)}
    assert judged[5].verdict == BLUNDER and judged[5].best.keys[0][0] == "d"
    assert judged[6].verdict == BEST


@pytest.mark.rotating(3)
@pytest.mark.parametrize("opening", ["a1", "b1", "a2", "b2", "c2", "b3"])
def test_no_opening_of_an_even_game_is_an_error(opening: str) -> None:
    """All openings are draws, but few tries see less of what an edge leads to than of a corner."""
    game = played(str(LINES), [opening])
    game.end_early(CALLED_OFF)
    [judged] = analysis.analyse(game)
    assert judged.verdict not in ERRORS
    assert judged.best.value.mean == max(one.value.mean for one in (judged.played, judged.best, *judged.others))


@pytest.mark.rotating(3)
def test_openings_that_mirror_each_other_are_alike() -> None:
    for opening in ("d3", "c4", "f5", "e6"):
        game = played("classics/reversi", [opening])
        game.end_early(CALLED_OFF)
        assert next(analysis.analyse(game)).verdict not in ERRORS


@pytest.mark.parametrize(
    ("cost", "margin", "verdict"),
    [
        (0.0, 0.0, BEST),
        (0.01, 0.005, GOOD),
        (0.05, 0.01, INACCURACY),
        (0.12, 0.05, MISTAKE),
        (0.2, 0.05, BLUNDER),
        (0.3, 0.3, CLOSE),
        (-0.1, 0.01, BEST),
    ],
)
def test_verdicts(cost: float, margin: float, verdict: str) -> None:
    assert analysis.verdict_on(ValueEstimate(cost, margin)) == verdict


def test_intervals_are_of_student() -> None:
    assert ValueEstimate.of([0.5, 0.5, 0.5]) == ValueEstimate(0.5, 0.0)
    estimate = ValueEstimate.of([0.3, 0.5, 0.4])
    assert estimate.mean == pytest.approx(0.4)
    assert estimate.margin == pytest.approx(4.30 * 0.1 / 3**0.5)


@pytest.mark.parametrize("edition", ["tic_tac_toe", "goofspiel"])
@pytest.mark.parametrize("until", [0.0, float("inf")])
def test_all_answers_are_tried_equally_often(edition: str, until: float) -> None:
    game = Game.start(rulewright.load(str(TESTS / "openspiel" / f"{edition}.yaml")), ["Ada", "Ben"], seed=3)
    info_state, decision = game.known(game.decisions()[0].seat)
    judge = answer_values.AnswerJudge(game.machine, info_state, decision, "seed", 24)
    values = judge.values([[item] for item in decision.candidates[:3]], until)
    assert {len(of_answer) for of_answer in values} == {
        answer_values.MIN_BATCHES if until == 0.0 else answer_values.BATCHES
    }
    assert all(0 <= value <= 1 for of_answer in values for value in of_answer)
    assert judge.values([[item] for item in decision.candidates[:3]], until) == values


def test_a_game_that_goes_on_is_not_analysed() -> None:
    game = played(str(LINES), MISSED_BLOCK[:-1])
    with pytest.raises(analysis.AnalysisError):
        list(analysis.analyse(game))
    with pytest.raises(analysis.AnalysisError):
        analysis.judge(game, 0)


@pytest.mark.rotating(2)
def test_the_last_answer_is_explained_while_the_game_goes_on() -> None:
    game = played(str(LINES), MISSED_BLOCK[:-1])
    judged = analysis.explain_last(game, {1})
    answer, lines = reason(Labels(game), judged)
    assert (judged.number, answer) == (3, "b1")
    assert lines[0][1].startswith("c2 would be better: ") and lines[0][1].endswith(" instead of 0%.")
    assert lines[1][0] == "What may follow" and lines[1][1].startswith("c2 · ")


@pytest.mark.rotating(2)
def test_a_forced_block_is_explained_by_what_else_loses() -> None:
    game = played(str(LINES), ("b2", "a1", "a2", "c2"))
    judged = analysis.explain_last(game, {1})
    _, lines = reason(Labels(game), judged)
    assert judged.verdict == BEST and lines[0][1].startswith("With c2 the chance to win is ")
    assert lines[0][1].endswith(" 0%.")


def test_nothing_is_explained_where_anything_is_hidden_or_nothing_was_chosen() -> None:
    hidden = Game.start(rulewright.load(str(TESTS / "openspiel" / "goofspiel.yaml")), ["Ada", "Ben"], seed=1)
    for _ in range(2):
        decision = hidden.decisions()[0]
        hidden.answer(decision.seat, [decision.choices[0].key])
    for game in (hidden, played(str(LINES), ("b2",))):
        with pytest.raises(analysis.AnalysisError):
            analysis.explain_last(game, {1})


# ── the command ──


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(played(str(LINES), MISSED_BLOCK).save()), encoding="utf-8")
    return path


def test_the_command_says_what_was_better(save: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["analyse", str(save), "--lang", "en"]) == 0
    text = capsys.readouterr().out
    assert " ?? 4. Ben, blunder\n    b1 instead of c2: −" in text
    assert "What may follow: c2 · " in text and "In the game: b1 · c2." in text
    assert "Ben: " in text.splitlines()[-1] and "Blunders 1" in text


@pytest.mark.rotating(2)
def test_the_command_gives_programs_the_same(save: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["analyse", str(save), "--format", "json", "--tries", "600", "--seconds", "60"]) == 0
    content = json.loads(capsys.readouterr().out)
    row = content["decisions"][3]
    assert content["names"] == ["Ada", "Ben"]
    assert (row["verdict"], row["played"]["take"], row["best"]["take"]) == (BLUNDER, ["b1"], ["c2"])


def test_the_command_refuses_what_it_cannot_judge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(played(str(LINES), MISSED_BLOCK[:-1]).save()), encoding="utf-8")
    assert cli.main(["analyse", str(path)]) != 0
    assert f"The game in '{path}' is not over." in capsys.readouterr().err
    assert cli.main(["analyse", str(tmp_path / "none.json")]) != 0
    assert "none.json" in capsys.readouterr().err
