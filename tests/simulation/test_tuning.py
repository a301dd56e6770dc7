"""Tuning: what can be varied and optimized, honest search, and the files that it writes."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from rulewright.cli import main
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.i18n.localizer import english
from rulewright.simulation.plan import PlanError
from rulewright.simulation.statistics import Estimate
from rulewright.simulation.tuning import (
    configurations,
    measures,
    pareto_front,
    search_strategy,
    trade_offs,
    tuning,
    tuning_texts,
)
from rulewright.simulation.tuning.configurations import CandidateGames, CandidatePlayers
from rulewright.simulation.tuning.goals import Goal, goals
from rulewright.simulation.tuning.measures import GameMeasure
from rulewright.simulation.tuning.search_space import SearchSpace, own_numbers, search_space
from rulewright.simulation.tuning.tuning import Tuning, TuningRequest, prepare
from rulewright.simulation.tuning.tuning_page import tuning_page

LADDER = """
rulewright: 1
title: Ladder
players: 2 to 4
values:
  game:
    length: 5
    head start: 3
    divisor: 2
    bonus: {by: number of seats, 2: 1, otherwise: 4}
    tail: {is: 1, noun: last prize}
  seat: {reach: 6}
counters:
  game: {turns: 0}
  seat: {coins: 0}
setup:
  do:
    - each seat: add bonus to coins
    - each first 1 of seats: add head start to coins
    - set turns to 6 / divisor rounded down - 3
phases:
  climb:
    do:
      - each seat:
          - choose number from 1 to reach as steps: {ask: "How far?"}
          - add steps to coins
          - if turns is more than 9999: add tail to coins
      - add 1 to turns
      - if turns is at least length: end game
scoring: {coins: {points: coins}}
options:
  short:
    text: A shorter game.
    change: {length: 2}
measures:
  climbed: {text: How far up a player came by climbing., is: coins - head start}
"""
"""Two seats answer once a round, so that a game has 2 × length decisions; the first seat has a head start."""


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ladder.yaml").write_text(LADDER, encoding="utf-8")


@cache
def ladder() -> Rules:
    return library.from_text(LADDER)


def tuning_request(vary: Sequence[str], toward: Sequence[str], **more: Any) -> TuningRequest:
    return TuningRequest(vary, toward, **{"games": 60, "processes": 1, "seats": "random,random", **more})


def searched(vary: Sequence[str], toward: Sequence[str], rules: Rules | None = None, **more: Any) -> Tuning:
    result = prepare(rules or ladder(), tuning_request(vary, toward, **more))
    for _ in (*result.search(), *result.check()):
        pass
    return result


# ── what is varied ──


def space(rules: Rules, *arguments: str, seats: int = 2) -> SearchSpace:
    return search_space(rules, seats, arguments)


@pytest.mark.parametrize(
    "argument, path, now, tried",
    [
        ("head start=0..3", "values game head~start", "3", "0 1 2 3"),
        ("head-start=0..9 by 4", "values game head~start", "3", "0 4 8"),
        ("seat.reach=2,6,4", "values seat reach", "6", "2 4 6"),
        ("values.seat.reach=2 .. 3, 9", "values seat reach", "6", "2 3 9"),
        ("length=-2..0", "values game length", "5", "-2 -1 0"),
        ("length=0.5..1.5 by 0.5", "values game length", "5", "0.5 1 1.5"),
        ("tail=1..2", "values game tail is", "1", "1 2"),
        ("bonus=0..1", "values game bonus 2", "1", "0 1"),
        ("bonus.otherwise=3..5", "values game bonus otherwise", "4", "3 4 5"),
        ("short.length=2..3", "options short change length", "2", "2 3"),
        ("coins=1..2", "counters seat coins", "0", "1 2"),
        ("short=yes,no", "options short default", "no", "yes no"),
        ("length=4, (head start), head start + 1", "values game length", "5", "4 (head~start) head~start~+~1"),
    ],
)
def test_variables_are_chosen_by_name(argument: str, path: str, now: str, tried: str) -> None:
    [result] = space(ladder(), argument).varied
    assert [part.replace(" ", "~") for part in result.path] == path.split()
    assert (result.now, [text.replace(" ", "~") for text in result.tried]) == (now, tried.split())


def test_table_by_number_of_seats_is_varied_for_this_table() -> None:
    assert space(ladder(), "bonus=1..2", seats=2).varied[0].path[-1] == "2"
    assert space(ladder(), "bonus=1..2", seats=3).varied[0].path[-1] == "otherwise"


@pytest.mark.parametrize(
    "arguments, text",
    [
        ([], "Say what to vary"),
        (["head start"], "does not say what is tried"),
        (["=3"], "does not say what is tried"),
        (["headstart=1..2"], "Did you mean 'head start'?"),
        (["nothing=1..2"], "Values: length, head start, divisor, bonus, tail, reach. Options: short."),
        (["reach=9..3"], "The least comes first"),
        (["reach=1..9 by 0"], "steps are more than 0"),
        (["reach=1..99999"], "at most 1,000 are tried"),
        (["reach=1..2.123"], "two behind the point"),
        (["reach=1,,2"], "A value is missing"),
        (["reach=1,1"], "the same value twice"),
        (["reach=1,2", "seat.reach=3"], "given twice"),
        (["coins=red"], "'coins' is a number"),
        (["short=maybe"], "It can be: no, yes"),
        (["reach=1..2"] * 21, "At most 20"),
    ],
)
def test_values_that_cannot_vary_are_refused(arguments: list[str], text: str) -> None:
    with pytest.raises(PlanError) as caught:
        search_space(ladder(), 2, arguments)
    assert text in str(caught.value)


def test_an_ambiguous_variable_is_refused() -> None:
    rules = library.load("wildlife/2002")
    with pytest.raises(PlanError, match="say which entry"):
        space(rules, "called scorings=0..1")
    assert space(rules, "called scorings.7=0..1").varied[0].path[-1] == "7"
    rules = library.load("wild-cards/2022")
    assert space(rules, "refill size=6..8").varied[0].path[0] == "values"  # rather than what a power makes of it
    assert space(rules, "squirrel.refill size=9,11").varied[0].path[0] == "powers"


def test_configurations_play_like_a_variant() -> None:
    result = space(ladder(), "length=-2..4", "tail=1..2", "short=yes,no")
    changes = result.changes(("-2", "1", "yes"))
    assert changes == {("values", "game", "length"): "0 - 2", ("options", "short", "default"): "yes"}
    changed = library.with_changes(ladder(), changes).edition
    assert changed.figures["length"].body.text == "0 - 2"
    assert changed.options["short"].choices[changed.options["short"].default] == "yes"
    assert dict(own_numbers(changed, 2))["length"] == "-2"


# ── what is wanted ──


@cache
def known() -> list[GameMeasure]:
    return list(prepare(ladder(), tuning_request(["reach=1"], ["points=high"])).measures)


@pytest.mark.parametrize(
    "argument, name, toward, least, most",
    [
        ("spread of seat wins", "spread of seat wins", "low", -np.inf, np.inf),
        ("length=45", "decisions", "span", 45, 45),
        ("Length = 45 decisions", "decisions", "span", 45, 45),
        ("rounds=8..12", "rounds", "span", 8, 12),
        ("rounds=8 to 12", "rounds", "span", 8, 12),
        ("rounds = at most 12", "rounds", "span", -np.inf, 12),
        ("rounds>=3", "rounds", "span", 3, np.inf),
        ("lead changes", "lead changes", "high", -np.inf, np.inf),
        ("lead-changes low", "lead changes", "low", -np.inf, np.inf),
        ("high points", "points", "high", -np.inf, np.inf),
        ("shared wins=10%", "shared wins", "span", 0.1, 0.1),
        ("wins of seat 1=50", "wins of seat 1", "span", 0.5, 0.5),
        ("climbed=12.5", "climbed", "span", 12.5, 12.5),
        ("points for coins=high", "points for coins", "high", -np.inf, np.inf),
        ("closeness", "margin", "low", -np.inf, np.inf),
    ],
)
def test_goals_are_read(argument: str, name: str, toward: str, least: float, most: float) -> None:
    [goal] = goals([argument], known())
    assert (goal.name, goal.toward, goal.least, goal.most) == (name, toward, least, most)


@pytest.mark.parametrize(
    "arguments, text",
    [
        ([], "spread of seat wins, decisions (length), rounds"),
        (["lengt=45"], "Did you mean 'length'?"),
        (["length"], "Say where 'length' is to come to: 'length=45'"),
        (["length=45 minutes"], "Nobody knows how many minutes"),
        (["length=9 rounds"], "rounds=9"),
        (["length=9 coins"], "not counted in 'coins'"),
        (["length=9..3"], "cannot come to '9..3'"),
        (["length=soon"], "Write a number, a span"),
        (["length=4", "decisions=5"], "'decisions' is given twice"),
        (["rounds=3"] * 7, "At most 6 goals"),
    ],
)
def test_impossible_goals_are_refused(arguments: list[str], text: str) -> None:
    with pytest.raises(PlanError) as caught:
        goals(arguments, known())
    assert text in str(caught.value)


def test_a_goal_measures_the_distance_of_a_figure() -> None:
    measure = GameMeasure("rounds", "rounds", "Rounds")
    span = Goal(measure, "span", 8, 12)
    assert [span.off_by(figure) for figure in (5, 8, 10, 15)] == [3, 0, 0, 3]
    assert [Goal(measure, toward).off_by(3) for toward in ("low", "high")] == [3, -3]
    values = np.array([4.0, 6.0, np.nan])
    for goal in (span, Goal(measure, "low"), Goal(measure, "high"), Goal(measure, "span", most=2)):
        assert np.nanmean(goal.losses(values)) == goal.off_by(5)


def test_greatest_difference_has_an_interval_for_all_of_them() -> None:
    """The spread that chance gives four equal seats lies in the interval in 19 of 20 runs or more."""
    rng, missed = np.random.default_rng(4), 0
    goal = Goal(GameMeasure("spread", "spread", "Spread", share=True, among=6), "low")
    for _ in range(200):
        won = np.eye(4)[rng.integers(0, 4, 400)]
        means = won.mean(axis=0)
        estimate = goal.estimate(won[:, means.argmax()] - won[:, means.argmin()])
        missed += estimate.low > 0
    assert missed <= 10


# ── the search ──


@pytest.mark.rotating(4)
def test_a_small_space_is_searched_exhaustively() -> None:
    result = searched(["length=3..9", "head start=0,3"], ["length=14", "wins of seat 1=50"], games=400)
    assert result.ended == "all" and len(result.tried) == result.planned == 13
    assert result.proposed().candidate == ("7", "0")
    assert dict(result.space.pairs(result.proposed().candidate)) == {"length": "7", "head start": "0"}
    lines = list(tuning_texts.proposal(result, english()))
    assert lines[0].startswith("Length, in decisions: 14 instead of 10. Surely nearer to the goal, by 4.")
    assert "fresh games (seed 2); in the search it had: Length, in decisions: 14; Wins of seat 1:" in lines[-1]


def test_configurations_share_shuffles_and_confirmation_games_do_not() -> None:
    result = searched(["tail=1..3"], ["points=high"])  # which no game comes to
    values = [each.values["points"] for each in (result.base, *result.tried)]
    assert all(np.array_equal(values[0], other) for other in values)
    [goal] = result.goals
    assert [each.judgement for each in pareto_front.verdicts(result.goals, result.base, result.tried[0])] == ["same"]
    assert result.proposed() is result.base and not list(tuning_texts.proposal(result, english()))
    new = result.checked[result.space.now].values[goal.name]
    assert len(new) == 120 and not np.array_equal(new[:60], values[0])


@pytest.mark.rotating(4)
def test_an_unhelpful_change_is_left_out() -> None:
    result = searched(["length=3,5,7", "tail=1..3"], ["length=14"])
    assert result.proposed().candidate == ("7", "1")
    result = searched(["length=2..9", "tail=1..9"], ["length=14"], trials=8)
    assert result.space.changes(result.proposed().candidate).keys() <= {("values", "game", "length")}


@pytest.mark.rotating(2)
def test_impossible_values_have_a_reason() -> None:
    result = searched(["divisor=0,1,2,3", "length=5,9000,(2 + 2)"], ["points=high"], games=20)
    reasons = {each.candidate: str(each.problem) for each in result.tried if not each.sound}
    assert all(
        "nobody can divide by 0" in why or "0" in why for candidate, why in reasons.items() if candidate[0] == "0"
    )
    assert {candidate[0] for candidate in reasons} >= {"0"}
    assert reasons["2", "9000"] == "No game ends."
    assert result.proposed().sound
    page = tuning_page(result, english())
    assert "What cannot be played" in page and "No game ends." in page


def test_a_value_that_does_not_compile_does_not_end_the_search() -> None:
    result = searched(["length=5,5 + red,(5"], ["points=high"], games=20)
    assert len(result.tried) == 2 and all(
        each.problem and "Traceback" not in str(each.problem) for each in result.tried
    )
    assert result.proposed() is result.base


def test_games_without_a_result_count_against_a_configuration() -> None:
    text = LADDER.replace("title: Ladder", "title: Ladder\nlimit: {answers: 30}")
    far = "turns is at least length and (first 1 of seats)'s coins is at least 25"
    result = searched(["reach=1,2"], ["points=high"], library.from_text(text.replace("turns is at least length", far)))
    reasons = {each.candidate: str(each.problem) for each in result.tried}
    assert reasons["1",] == "No game ends." and "of 60 games come to no result." in reasons["2",]


@pytest.mark.rotating(4)
@pytest.mark.parametrize("seats", ["random,random", "greedy,random"])
def test_a_slow_configuration_is_abandoned(seats: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The clock of the processor stands still while the edition's own values are played, and then runs fast."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("time.process_time", lambda: 0.0)
    result = prepare(ladder(), tuning_request(["length=3..5"], ["length=14"], games=40, seats=seats))
    clock = iter(range(0, 10_000_000, 20))
    monkeypatch.setattr("time.process_time", lambda: float(next(clock)))
    list(result.search())
    assert [str(each.problem) for each in result.tried] == [
        "Its games take too long: 40 of them more than 30 seconds."
    ] * 2
    assert result.proposed() is result.base and "Its games take too long" in tuning_page(result, english())
    monkeypatch.setattr("time.process_time", lambda: 0.0)
    again = prepare(ladder(), tuning_request(["length=3..5"], ["length=14"], games=40, seats=seats))
    assert all(each.sound for each in again.search()), "a slow moment is not remembered"


@pytest.mark.rotating(3)
def test_a_sampler_chooses_in_large_spaces_by_the_seed() -> None:
    arguments = (["length=1..30", "reach=1..30", "head start=0..30"], ["length=14", "margin"])
    one, other, third = (searched(*arguments, trials=8, games=20, seed=seed) for seed in (1, 1, 2))
    tried = [[each.candidate for each in found.tried] for found in (one, other, third)]
    assert tried[0] == tried[1] != tried[2]
    assert one.ended == "trials" and len(tried[0]) >= 8 and len(set(tried[0])) == len(tried[0])
    assert one.space.now not in tried[0]


@pytest.mark.rotating(12)
def test_many_processes_find_the_same_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "_WORTH_PROCESSES", 0.0)
    monkeypatch.setenv("RULEWRIGHT_CACHE", "off")
    arguments = (["length=3..5", "divisor=0,2"], ["length=8", "margin"])
    one, many = searched(*arguments), searched(*arguments, processes=2)
    assert [each.candidate for each in one.tried] == [each.candidate for each in many.tried]
    for first, second in zip(one.tried, many.tried, strict=True):
        assert str(first.problem) == str(second.problem)
        assert all(np.array_equal(first.values[name], second.values[name]) for name in first.values)


@pytest.mark.rotating(6)
def test_a_configuration_that_kills_its_process_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    table = prepare(ladder(), tuning_request(["length=3..5"], ["margin"])).table
    with CandidatePlayers(table, 2) as players:
        monkeypatch.setattr(configurations, "_play", dies)
        results = list(players.play([("3",), ("4",)]))
    assert [str(each.problem) for each in results] == ["A game needs too much memory, or never ends."] * 2


def dies(_: object) -> CandidateGames:
    os._exit(1)  # as the system ends what takes too much memory


@pytest.mark.rotating(2)
def test_a_search_resumes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    first = prepare(ladder(), tuning_request(["length=3..9"], ["length=14"]))
    search = first.search()
    known = [next(search).candidate for _ in range(3)]
    del search  # as Ctrl-C leaves it
    played: list[object] = []
    play = configurations.CandidateTable.play

    def noted(self: configurations.CandidateTable, candidate: tuple[str, ...]) -> CandidateGames:
        played.append(candidate)
        return play(self, candidate)

    monkeypatch.setattr(configurations.CandidateTable, "play", noted)
    again = prepare(ladder(), tuning_request(["length=3..9"], ["length=14"]))
    everything = [each.candidate for each in again.search()]
    assert everything[:3] == known and len(everything) == 6
    assert not set(known) & set(played[1:])  # the first are the edition's own values
    assert again.proposed().candidate == ("7",)


# ── which are best ──


def games_of(*figures: float, candidate: str = "x") -> CandidateGames:
    """Ten games for each goal, with that figure."""
    return CandidateGames((candidate,), {str(at): np.full(10, figure) for at, figure in enumerate(figures)})


def test_the_front_holds_undominated_configurations() -> None:
    """Compare with the definition."""
    rng = random.Random(3)
    two = [Goal(GameMeasure(name, name, name), "low") for name in ("0", "1")]
    for _ in range(30):
        points = [(rng.randrange(5), rng.randrange(5)) for _ in range(8)]
        played = [games_of(*point, candidate=str(at)) for at, point in enumerate(points)]
        front = {each.candidate[0] for each in pareto_front.front(two, played)}
        beaten = {
            str(at)
            for at, (x, y) in enumerate(points)
            if any(a <= x and b <= y and (a, b) != (x, y) for a, b in points)
        }
        assert front == {str(at) for at in range(8)} - beaten


def test_the_compromise_is_near_the_best_of_every_goal() -> None:
    two = [Goal(GameMeasure(name, name, name), "low") for name in ("0", "1")]
    played = [games_of(*point, candidate=name) for point, name in [((0, 10), "a"), ((2, 2), "b"), ((10, 0), "c")]]
    order = pareto_front.order_by_compromise(two, played, played[0], {each.candidate: 1 for each in played})
    assert order[0].candidate == ("b",)
    assert pareto_front.order_by_compromise(two, [CandidateGames(("d",), problem="broken")], played[0], {}) == []


def test_verdicts_use_paired_differences() -> None:
    rng = np.random.default_rng(1)
    random_ = rng.normal(0, 10, 200)
    goal = Goal(GameMeasure("0", "0", "Points"), "high")
    base = CandidateGames(("a",), {"0": random_})
    for key, says in ((0.5, "better"), (-0.5, "worse")):
        [verdict] = pareto_front.verdicts(
            [goal], base, CandidateGames(("b",), {"0": random_ + key + rng.normal(0, 1, 200)})
        )
        assert verdict.judgement == says and verdict.nearer.paired
    [verdict] = pareto_front.verdicts([goal], base, CandidateGames(("b",), {"0": rng.normal(0, 10, 200)}))
    assert verdict.judgement == "unclear"


# ── the command ──

TUNE = ["tune", "ladder.yaml", "--players", "2", "--games", "40", "--processes", "1", "--lang", "en", "--quiet"]


@pytest.mark.rotating(10)
def test_command_leaves_a_variant_and_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    argv = [*TUNE, "--vary", "length=3..9", "--vary", "bonus=0..1", "--vary", "short=yes,no", "--toward", "length=14"]
    assert main(argv) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "All 28 combinations were tried." in out
    assert "Length 7 instead of 5, bonus 1 as it is and short no as it is" in out
    assert "The variant: ladder-tuned.yaml" in out and "The page, with all trade-offs: ladder-tuned.html" in out
    text = Path("ladder-tuned.yaml").read_text(encoding="utf-8")
    assert text.endswith("change:\n  values:\n    game:\n      length: 7 # instead of 5\n")
    assert main(["check", "--strict", "ladder-tuned.yaml"]) == 0
    assert main(["format", "--check", "ladder-tuned.yaml"]) == 0
    result = library.load("ladder-tuned.yaml").edition
    assert result.figures["length"].body.text == "7"


@pytest.mark.rotating(10)
def test_every_kind_of_change_stands_in_the_variant(capsys: pytest.CaptureFixture[str]) -> None:
    vary = ["head start=-2", "tail=2", "bonus=3", "short=yes", "coins=1", "short.length=3"]
    argv = [*TUNE, *(word for text in vary for word in ("--vary", text)), "--toward", "length=6"]
    assert main(argv) == 0
    assert main(["check", "ladder-tuned.yaml"]) == 0
    result = searched(vary, ["length=6"], library.load("ladder.yaml"), games=40)
    stored = result.space.changes(result.proposed().candidate)
    assert (
        stored
        and library.load("ladder-tuned.yaml").play_digest == library.with_changes(result.rules, stored).play_digest
    )


def test_nothing_is_overwritten_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    argv = [*TUNE, "--vary", "length=7", "--toward", "length=14"]
    Path("ladder-tuned.yaml").write_text("mine", encoding="utf-8")
    assert main(argv) == 2
    assert "'ladder-tuned.yaml' is there already" in capsys.readouterr().err
    assert Path("ladder-tuned.yaml").read_text(encoding="utf-8") == "mine"
    assert main([*argv, "--overwrite"]) == 0 and "length: 7" in Path("ladder-tuned.yaml").read_text(encoding="utf-8")
    Path("other.html").write_text("mine", encoding="utf-8")
    assert main([*argv, "--out", "other.yaml"]) == 2
    assert not Path("other.yaml").exists() and Path("other.html").read_text(encoding="utf-8") == "mine"


def test_the_best_own_values_stay(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TUNE, "--vary", "length=3..7", "--toward", "length=10"]) == 0
    assert "No other values come nearer to the goal than the edition's own." in " ".join(
        capsys.readouterr().out.split()
    )
    assert Path("ladder-tuned.html").exists() and not Path("ladder-tuned.yaml").exists()


@pytest.mark.parametrize("times, checked", [(1, True), (2, False)])
def test_ctrl_c_keeps_the_results(
    times: int, checked: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play, stops = configurations.CandidateTable.play, iter([None, None, None, *[KeyboardInterrupt] * times])

    def stopped(self: configurations.CandidateTable, candidate: tuple[str, ...]) -> CandidateGames:
        if (stop := next(stops, None)) is not None:
            raise stop
        return play(self, candidate)

    monkeypatch.setattr(configurations.CandidateTable, "play", stopped)
    monkeypatch.setenv("RULEWRIGHT_CACHE", "off")
    assert main([*TUNE[:-1], "--vary", "length=6..8", "--toward", "length=14"]) == 130
    output = capsys.readouterr()
    assert (
        "You stopped the search after 2 of 3 combinations." in output.out and "Stopped. The best so far" in output.err
    )
    assert ("fresh games (seed 2)" in " ".join(output.out.split())) == checked
    assert ("was not checked on fresh games" in " ".join(output.out.split())) != checked
    assert Path("ladder-tuned.yaml").exists() and Path("ladder-tuned.html").exists()


def test_the_time_limit_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    clock: Iterator[float] = iter(range(0, 10_000, 10))
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    result = searched(["length=6..12"], ["length=14"], seconds=15)
    assert result.ended == "time" and 0 < len(result.tried) < result.planned
    assert "The time was up" in tuning_texts.progress_note(result, english())


@pytest.mark.parametrize(
    "more, text",
    [
        (["--vary", "length=1..2"], "Say what to look for"),
        (["--toward", "rounds=3"], "Say what to vary"),
        (["--games", "1"], "play at least 2"),
        (["--trials", "0"], "--trials is a whole number from 1"),
        (["--players", "9"], "is for 2 to 4 players, not for 9"),
        (["--seats", "random,random"], "leave out --players"),
        (["--out", "found.txt"], "ends in .yaml"),
    ],
)
def test_impossible_command_lines_are_refused(more: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    full = ["--vary", "length=1..2", "--toward", "rounds=3"]
    argv = [*TUNE, *(more if more[0] in ("--vary", "--toward") else [*full, *more])]
    assert main(argv) == 2
    assert text in capsys.readouterr().err


@pytest.mark.rotating(2)
def test_without_optuna_large_spaces_are_sampled_at_random(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(search_strategy, "find_spec", lambda name: None)
    many = ["--vary", "length=1..20", "--vary", "reach=1..20", "--toward", "length=14"]
    assert main([*TUNE, *many, "--trials", "5"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "5 of 400 combinations were tried. They were drawn at random" in text
    assert "pip install 'rulewright[tune]'" in text
    assert main([*TUNE, "--vary", "length=6..8", "--toward", "length=14", "--overwrite"]) == 0
    assert "drawn at random" not in capsys.readouterr().out


# ── the page ──


class Closed(HTMLParser):
    """Notes tags, and whether each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tried_names: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tried_names.append(tag)
        if tag not in ("meta", "line", "circle", "rect", "polygon"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("line", "circle", "rect", "polygon"):
            assert self.open.pop() == tag


@pytest.mark.rotating(5)
def test_the_page_is_self_contained_and_labelled() -> None:
    result = searched(["length=3..9", "head start=0,3"], ["length=14", "wins of seat 1=50"], games=100)
    page = tuning_page(result, english(), "a: <b>\nc: &")
    parser = Closed()
    parser.feed(page)
    assert not parser.open and "script" not in parser.tried_names
    assert "http" not in page.replace("http-equiv", "") and "default-src 'none'" in page
    assert "a: &lt;b&gt;\nc: &amp;" in page
    for words in ("Length 7 instead of 5", "In the search", "In fresh games", "Against no. 0 there", "0 (as it is)"):
        assert words in page, words
    assert page.count('<svg class="dots" viewBox="0 0 640') == 1
    assert tuning_page(result, english()) == tuning_page(result, english())


@pytest.mark.rotating(2)
def test_page_of_one_goal_shows_what_each_value_brings() -> None:
    result = searched(["length=3..5", "short=yes,no"], ["length=14"])
    page = tuning_page(result, english())
    assert "What each value brings" in page and page.count('viewBox="0 0 640') == 2
    assert "Short" in page and ">yes<" in page


def test_the_chart_stays_inside_its_frame_and_escapes_texts() -> None:
    def one(x: float, y: float, kind: str = "other", label: str = "") -> trade_offs.TradeOffDot:
        return trade_offs.TradeOffDot(Estimate(x, x - 1, x + 1, 9), Estimate(y, y - 1, y + 1, 9), kind, label)

    number: Callable[[float, int], str] = lambda value, places: f"{value:.{places}f}"  # noqa: E731
    across = trade_offs.PictureAxis("<x>", number, -np.inf, 2.0)
    up = trade_offs.PictureAxis("y", number, names=["a", "b"])
    svg = trade_offs.dots("<t>", "&", across, up, [one(1, 0, "chosen", "1"), one(1, 1, "now", "0"), one(5, 0)])
    tree = ElementTree.fromstring(svg)
    texts = ["".join(node.itertext()) for node in tree]
    assert "<t>" in texts and "<x>" in texts
    for node in tree.iter():
        for name in ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy"):
            if name in node.attrib and node.tag != "rect":
                assert 0 <= float(node.attrib[name]) <= 640
    same = trade_offs.dots("t", "", across, across, [one(1, 1), one(1, 1)])
    assert ElementTree.fromstring(same) is not None


def test_goals_measure_what_a_simulation_reports() -> None:
    """Each measure has a name of its own, and a goal measures what the report shows."""
    names = [each.name for each in known()]
    assert len(set(names)) == len(names) and {"climbed", "wins of seat 2", "shared wins", "points for coins"} <= set(
        names
    )
    result = prepare(
        ladder(), tuning_request(["reach=1"], ["spread of seat wins", "climbed=high", "wins of seat 2=high"])
    )
    won = result.table.play_games({}, 60).seat("won")
    spread, climbed, second = (result.base.values[goal.name] for goal in result.goals)
    assert spread.mean() == pytest.approx(abs(won[:, 0].mean() - won[:, 1].mean()))
    assert np.array_equal(second, won[:, 1])
    assert np.array_equal(climbed, result.table.play_games({}, 60).seat("measure: climbed").mean(axis=1))


def test_unsupported_values_are_not_proposed(capsys: pytest.CaptureFixture[str]) -> None:
    """Values that look best by chance alone are reported, and no variant is written."""
    tune = ["tune", "ladder.yaml", "--vary", "length=4..6", "--toward", "wins of seat 2=high", "--games", "20"]
    assert main([*tune, "--seats", "random,random", "--processes", "1", "--quiet", "--out", "found.yaml"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "looks best, but 40 games cannot show that it is nearer to any goal than the edition's own values" in text
    assert not Path("found.yaml").exists() and Path("found.html").exists()


def test_a_spread_of_two_seats_is_never_below_nothing() -> None:
    won = np.array([[1.0, 0.0]] * 21 + [[0.0, 1.0]] * 19)
    measure = GameMeasure(measures.SPREAD, measures.SPREAD, "Spread", share=True)
    estimate = Goal(measure, "low").estimate(won[:, 0] - won[:, 1])
    assert estimate.value == pytest.approx(0.05) and estimate.low == 0 and estimate.high > 0.3
