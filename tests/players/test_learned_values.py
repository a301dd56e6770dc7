"""Learned values: what a position is worth at the end of a turn, and the rollouts that lead there."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright import cli
from rulewright.game import library
from rulewright.players import PlayerError, learned_values, make_player, value_training
from rulewright.players.evaluation import scored_program
from rulewright.players.learned_values import LearnedValue
from rulewright.players.value_training import PlayedGame, fit, is_better
from rulewright.program.features import features
from rulewright.runtime.information_state import information_state
from rulewright.runtime.machine import Machine
from rulewright.runtime.native import Fallback, executor

GARDEN = """\
rulewright: 1
title: Garden
players: 2 to 3
words: {plant: {rose: {}, reed: {}}}
pieces: {pot: {each: plant, copies: 20, starts in: shed, noun: "{plant}"}}
zones:
  shed: {seen by: all}
  bed: {of: seat, holds: pot, seen by: all}
counters:
  game: {price: 0, buyer: seat, round number: 0}
  seat: {gold: 0}
phases:
  work:
    do:
      - each seat: do have a turn
      - add 1 to round number
      - if round number is 30:
          - each seat: [add 3 * (number of bed where plant is rose) to gold]
          - end game
    steps:
      have a turn:
        do:
          - repeat 2 times:
              - choose one as deed:
                  ask: What do you do?
                  among:
                    rest: {do: []}
                    earn: {do: add 1 to gold}
                    sow: {do: [move first 1 of (pots in shed where plant is rose) to bed]}
                    sell: {do: do sell}
      sell:
        do:
          - set price to 0
          - set buyer to nobody
          - let seller be you
          - go round opponents until you are buyer:
              - choose number from price + 1 to price + 60 as amount: {ask: Bid?, none: Pass}
              - if amount is empty: drop out
                otherwise: [set price to amount, set buyer to you]
          - if buyer is not nobody:
              - as buyer: take price from gold
              - add price to gold
scoring: {gold: {points: gold}}
"""


def garden(seats: int = 3) -> Machine:
    return library.from_text(GARDEN, "garden").machine(seats)


def test_native_rollouts_stop_at_the_end_of_a_turn_and_tell_the_features() -> None:
    machine = garden()
    program = learned_values.learned_program(machine.program)
    assert [line.name for line in program.scoring] == ["gold", "over", "gold", "bed pot rose", "bed pot reed"]
    s = machine.new(4)
    machine.run(s)
    rows = []
    for one in (executor(program), Fallback(program, "")):
        for turn in (-1, 0, 1):
            one.load_state(one.pack(s), [1, 2, 3, 1])
            rows.append(one.play_on_often(7, 40, 20, turn=turn))
    assert rows[:3] == rows[3:]
    assert {row[1] for row in rows[0]} == {40}
    assert {row[1] for row in rows[2]} == {0}, "the first question is of another seat's turn"
    lengths = {row[1] for row in rows[1]}
    assert min(lengths) == 2 and 2 < max(lengths) < 40, "bids of others are part of the turn"


def test_in_rollouts_bids_rise_by_as_little_as_possible() -> None:
    machine = garden()
    s = machine.new(4)
    [decision] = machine.run(s)
    machine.answer(s, decision, [3])
    [bid] = machine.run(s)
    assert len(bid.candidates) == 60
    rollouts = executor(scored_program(machine.program))
    rollouts.load_state(rollouts.pack(s), [1, 2, 3, 1])
    [bid] = rollouts.resume()
    assert list(bid.candidates) == [1] and bid.least == 0
    rollouts.load_state(rollouts.pack(s), [1, 2, 3, 1])
    paid = {max(row[4::2]) for row in rollouts.play_on_often(1, 6, 40)}
    assert max(paid) <= 6, "no more than one for each answer"


FIELD = """\
rulewright: 1
title: Field
players: 2
words:
  team: {red: {}, blue: {}}
  part: {west: {}, middle: {}, east: {}}
boards:
  field:
    of: cell
    map: |
      wwmme
      wwmme
    legend: {w: {part: west}, m: {part: middle}, e: {part: east}}
pieces: {disc: {each: team, copies: 8, starts in: box, noun: "{team} disc"}}
zones:
  box: {seen by: all}
  ground: {of: cell, holds: disc, seen by: all, at most: 1}
counters:
  game: {placed: 0}
  seat: {own team: {starts at: team}, joined: 0}
setup:
  do:
    - each seat:
        - if you is first 1 of seats: set own team to red
          otherwise: set own team to blue
phases:
  play:
    do:
      - each seat:
          - choose 1 from cells where ground is empty as spot: {ask: Where?}
          - move first 1 of (discs in box where team is own team) to spot's ground
          - let mine be cells of (discs in cells where team is own team)
          - set joined to number of mine connected to spot
      - add 1 to placed
      - if placed is 5: end game
scoring: {joined: {points: joined}}
"""


def test_features_of_a_board_tell_groups_and_regions_that_a_seat_leads() -> None:
    machine = library.from_text(FIELD, "field").machine(2)
    spaces = machine.program.words["cell"]
    s = machine.new(1)
    # red leads the west and the east, blue the middle, where it has its only group
    for space in ("a1", "c1", "a2", "c2", "e1", "d2", "b2"):
        [decision] = machine.run(s)
        machine.answer(s, decision, [spaces.index(space)])
    machine.run(s)
    results = []
    for one in (
        executor(learned_values.learned_program(machine.program)),
        Fallback(learned_values.learned_program(machine.program), ""),
    ):
        one.load_state(one.pack(s), [1, 2, 3, 1])
        results.append(one.play_on_often(1, 0, 1)[0])
    assert results[0] == results[1]
    rows = learned_values.FeatureRows(machine.program)
    assert rows.names == ["points: joined", "joined", "ground team", "ground team group", "ground team part"]
    assert rows.features(results[0]) == [[3, 3, 4, 3, 2], [3, 3, 3, 3, 1]]
    assert rows.places(results[0]) == [1, 1] and not rows.is_over(results[0])


def first_deed(machine: Machine) -> str:
    s = machine.new(4)
    [decision] = machine.run(s)
    player = make_player("search-60", machine)
    [item] = player.choose(information_state(machine, s, 0), decision, random.Random(2))
    return machine.program.sites[decision.site].branches[item]


def first_deed_of(value: LearnedValue, monkeypatch: pytest.MonkeyPatch) -> str:
    with monkeypatch.context() as patch:
        patch.setattr("rulewright.players.learned_values.value_of", lambda program: value)
        return first_deed(garden())


def test_search_goes_by_what_was_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    assert first_deed_of(LearnedValue("", "", {"gold": 1.0}), monkeypatch) in ("earn", "sell")
    assert first_deed_of(LearnedValue("", "", {"gold": 1.0, "bed pot rose": 9.0}), monkeypatch) == "sow"


def change_digest(content: dict[str, object]) -> None:
    content["plays"] = "another edition"


def change_version(content: dict[str, object]) -> None:
    content["rulewright value"] = 99


def change_weight(content: dict[str, object]) -> None:
    content["weights"] = {"gold": float("nan")}


def remove_weights(content: dict[str, object]) -> None:
    del content["weights"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (change_version, "another version of Rulewright has written it"),
        (change_weight, "it is damaged"),
        (remove_weights, "it is damaged"),
    ],
)
def test_values_that_cannot_be_used_are_refused_by_name(
    tmp_path: Path, change: Callable[[dict[str, object]], None], reason: str
) -> None:
    path = tmp_path / "garden.json"
    value = LearnedValue("Garden", "abc", {"gold": 1.5})
    learned_values.write(path, value)
    assert learned_values.read(path) == value
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(PlayerError, match=f"garden.json.* holds no learned value of Rulewright: {reason}"):
        learned_values.read(path)


def test_a_value_of_other_rules_is_not_used(tmp_path: Path) -> None:
    program = garden().program
    assert learned_values.fits(program, LearnedValue("Garden", program.plays, {"gold": 1.0}))
    assert not learned_values.fits(program, LearnedValue("Garden", "other", {"gold": 1.0}))
    assert not learned_values.fits(program, LearnedValue("Garden", program.plays, {"silver": 1.0}))


def test_values_that_come_along_are_of_the_editions_of_today() -> None:
    shipped = list((Path(__file__).parents[2] / "editions" / "values").glob("*.json"))
    assert shipped
    for path in shipped:
        rules = library.load(path.stem.replace("-", "/", 1))
        program = rules.machine(max(2, rules.edition.people[0])).program
        assert learned_values.fits(program, learned_values.read(path)), f"learn {path.name} anew"
        assert len(features(program)) > 1


# ── learning ──


def test_ridge_regression_finds_weights_and_is_drawn_to_an_anchor() -> None:
    rng = random.Random(1)
    games = []
    for _ in range(30):
        positions = [[[rng.gauss(0, 1), rng.gauss(0, 1), 0.0] for _ in range(2)] for _ in range(4)]
        games += [
            PlayedGame([[features, [-one for one in features]]], (2 * features[0] - features[1],) * 2)
            for [features, _] in positions
        ]
    one_sided = [PlayedGame([[position[0]] for position in game.positions], game.leads[:1]) for game in games]
    assert fit(one_sided, None) == pytest.approx([2, -1, 0], abs=0.1)
    assert fit(one_sided, [2.0, -1.0, 7.0]) == pytest.approx([2, -1, 7])


@pytest.mark.parametrize(
    ("results", "better", "games"),
    [([1.0] * 60, True, 11), ([0.0] * 60, False, 9), ([0.5] * 60, False, 60), ([1.0] * 5, False, 5)],
    ids=["wins", "loses", "even", "out of time"],
)
def test_a_value_is_kept_only_if_a_sequential_test_finds_it_better(
    results: list[float], better: bool, games: int
) -> None:
    left = iter(results)
    assert is_better(left) == better
    assert len(results) - len(list(left)) == games


def test_four_wins_in_a_row_show_that_a_value_is_of_use() -> None:
    few, enough = iter([1.0] * 3), iter([1.0] * 9)
    assert not is_better(few, value_training.USEFUL, value_training.USEFUL_LIKELIER)
    assert is_better(enough, value_training.USEFUL, value_training.USEFUL_LIKELIER)
    assert len(list(enough)) == 5


@pytest.mark.rotating(3)
def test_what_brings_points_later_is_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "garden.yaml"
    path.write_text(GARDEN, encoding="utf-8")
    monkeypatch.setattr(value_training, "FIRST_GAMES", 30)
    trainer = value_training.ValueTrainer(library.load(str(path)), 2, random.Random(1), math.inf)
    assert trainer.begin(math.inf)
    weights = trainer.value().weights
    gold = weights["points: gold"] + weights["gold"]
    assert 2 < weights["bed pot rose"] / gold < 4.5, "a rose brings three points in the end"
    assert first_deed_of(trainer.value(), monkeypatch) == "sow"


@pytest.mark.rotating(3)
@pytest.mark.parametrize("useful", [1.0, 0.0])
def test_a_designer_lets_search_learn(
    useful: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "garden.yaml", tmp_path / "garden.json"
    path.write_text(GARDEN, encoding="utf-8")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(value_training, "FIRST_GAMES", 8)
    clock = [0.0]

    def advance(self: value_training.ValueTrainer) -> bool:
        clock[0] += 61.0
        return False

    monkeypatch.setattr(value_training.ValueTrainer, "advance", advance)
    monkeypatch.setattr(value_training, "search_duels", lambda *_: iter([useful] * 10))
    monkeypatch.setattr(value_training, "monotonic", lambda: clock[0])
    code = cli.main(["train", str(path), "--minutes", "1", "--out", str(out), "--lang", "en"])
    output = capsys.readouterr()
    if not useful:
        assert code == 2 and "Nothing can be learned from Garden" in output.err
        assert learned_values.value_of(library.load(str(path)).machine(2).program) is None
        return
    assert code == 0
    assert "Round 1: plays no better" in output.err and "--seats you,search" in output.out
    value = learned_values.value_of(library.load(str(path)).machine(2).program)
    assert value is not None and value.weights["bed pot rose"] > 0
    assert learned_values.read(out).weights == pytest.approx(value.weights, abs=1e-4)
