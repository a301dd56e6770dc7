"""Learned values: what a position is worth at the end of a turn, and the rollouts that lead there."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.game import library
from rulewright.players import PlayerError, learned_values, make_player
from rulewright.players.evaluation import scored_program
from rulewright.players.learned_values import LearnedValue
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


def first_deed(machine: Machine) -> str:
    s = machine.new(4)
    [decision] = machine.run(s)
    player = make_player("search-60", machine)
    [item] = player.choose(information_state(machine, s, 0), decision, random.Random(2))
    return machine.program.sites[decision.site].branches[item]


def test_search_goes_by_what_was_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = garden()

    def deed(weights: dict[str, float]) -> str:
        value = LearnedValue("Garden", machine.program.plays, weights)
        with monkeypatch.context() as patch:
            patch.setattr("rulewright.players.search.value_of", lambda program: value)
            return first_deed(machine)

    assert deed({"gold": 1.0}) in ("earn", "sell")
    assert deed({"gold": 1.0, "bed pot rose": 9.0}) == "sow"


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
