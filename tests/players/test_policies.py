"""Trained players: their observations, their files, and the seats that they get."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("numpy", reason="needs numpy")

import numpy as np

from example_counts import few
from rulewright import cli, players
from rulewright.game import library
from rulewright.players import PlayerError
from rulewright.players.action_space import ActionSpace, PartialAnswer
from rulewright.players.observations import DecisionInput, Observations
from rulewright.players.policies import NO_LAST_ACTION, Policy
from rulewright.players.seating import PERSON, Seat, SeatingError, read_seats
from rulewright.players.session import Session
from rulewright.rl.environment_spec import Arena
from rulewright.runtime.information_state import determinize, information_state
from rulewright.runtime.view import view
from rulewright.simulation.planning import with_policies
from small_games.guessing import GUESS
from untrained_policies import untrained
from whole_games import Table, fork, positions, tables


@pytest.fixture
def guessing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game and a player that could play it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "guess.yaml").write_text(GUESS)
    rules = library.load("guess.yaml")
    untrained(rules.machine(2), plays=rules.play_digest).save("guess.safetensors")
    return tmp_path


# ── what they see ──


@pytest.mark.rotating(2)
@few(20)
@given(tables(), st.integers(0, 2**32))
def test_trained_players_observe_what_their_seat_sees(table: Table, seed: int) -> None:
    """An observation holds as much as the game's own view, but for the seat's last answer."""
    game, rng = table.start()
    previous = Observations(game.program, ActionSpace(game.program))
    for decision, _ in positions(game, rng):
        known, question = game.known(decision.seat)
        asking = DecisionInput(question, PartialAnswer(), NO_LAST_ACTION)
        vectors = [
            previous.vector(one, asking)
            for one in (game.view(decision.seat), view(game.machine, known, question.seat, derived=False))
        ]
        lines = [dict(zip(previous.names, one, strict=True)) for one in vectors]
        assert lines[0] == lines[1]


@pytest.mark.rotating(3)
@few(20)
@given(tables(), st.integers(0, 2**32))
def test_equal_views_and_chances_give_equal_answers_that_are_allowed(table: Table, seed: int) -> None:
    game, rng = table.start()
    machine = game.machine
    player = untrained(machine, seed).player(machine)
    for decision, _ in positions(game, rng):
        seat, answers = decision.seat, []
        second = determinize(machine, information_state(machine, game.state, seat), seat, random.Random(seed))
        [first, other] = [
            next(one for one in machine.open_decisions(state) if one.seat == seat) for state in (game.state, second)
        ]
        if first.candidates != other.candidates:  # worlds agree with what a seat sees, not with what it can conclude
            continue
        for state, question in ((game.state, first), (second, other)):
            choice = player.choose(information_state(machine, state, seat), question, random.Random(seed))
            order = [question.candidates.index(item) for item in choice]
            assert question.least <= len(choice) <= question.most and order == sorted(set(order))
            answers.append(sorted(fork(game, state).offer(question).keys(choice)))
        assert answers[0] == answers[1]


@pytest.mark.rotating(2)
def test_actions_have_the_probabilities_of_the_network() -> None:
    machine = library.from_text(GUESS).machine(2)
    policy = untrained(machine)
    s = machine.new(1)
    [question] = machine.run(s)
    known = information_state(machine, s, question.seat)
    previous, actions = Observations(machine.program, ActionSpace(machine.program)), ActionSpace(machine.program)
    vector = previous.vector(
        view(machine, known, question.seat), DecisionInput(question, PartialAnswer(), NO_LAST_ACTION)
    )
    mask = np.array([[name.startswith("number") for name in actions.names[:5]] + [False] * (len(actions) - 5)])
    expected = policy.chances(vector[None], mask)[0]
    chance, player = random.Random(1), policy.player(machine)
    pictures = [
        actions.names.index(f"number {player.choose(known, question, chance)[0] + 1} of those offered")
        for _ in range(2000)
    ]
    for action in map(int, np.flatnonzero(mask[0])):
        assert pictures.count(action) / 2000 == pytest.approx(expected[action], abs=0.04)


# ── their files ──


def test_a_policy_survives_its_file(guessing: Path) -> None:
    policy = untrained(library.load("guess.yaml").machine(2), 7)
    policy.save("it.safetensors")
    again = Policy.load("it.safetensors")
    assert again.digest == policy.digest != Policy.load("guess.safetensors").digest
    assert again.trained == policy.trained
    rows = np.random.default_rng(1).normal(size=(3, len(policy.trained.observations) + 2)).astype(np.float32)
    assert np.array_equal(again.values(rows), policy.values(rows)), "what it was not trained with stands behind"


def test_other_libraries_read_and_write_such_files(guessing: Path) -> None:
    theirs = pytest.importorskip("safetensors.numpy", reason="needs safetensors")
    result = theirs.load_file("guess.safetensors")
    policy = Policy.load("guess.safetensors")
    assert np.array_equal(result["0.weight"], policy.layers[0][0].T) and np.array_equal(
        result["2.bias"], policy.layers[1][1]
    )
    theirs.save_file(result, "theirs.safetensors", metadata=header("guess.safetensors")["__metadata__"])
    assert Policy.load("theirs.safetensors").digest == policy.digest


PARTS = ("weight", "bias")


def header(path: str) -> Any:
    content = Path(path).read_bytes()
    return json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])


def spoiled(path: str, change: Any) -> bytes:
    """A policy file with another header."""
    content, message = Path(path).read_bytes(), header(path)
    body = content[8 + int.from_bytes(content[:8], "little") :]
    change(message)
    text = json.dumps(message).encode()
    return len(text).to_bytes(8, "little") + text + body


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda it: it.pop("__metadata__"), "does not say what it was trained for"),
        (lambda it: it["__metadata__"].update({"rulewright policy": "99"}), "another version"),
        (lambda it: it["__metadata__"].pop("seats"), "damaged"),
        (lambda it: it["__metadata__"].update(seats="many"), "damaged"),
        (lambda it: it["__metadata__"].update(actions="[1]"), "damaged"),
        (lambda it: it["__metadata__"].update(actions="[" * 100_000), "damaged"),
        (lambda it: it["__metadata__"].update(actions="[]"), "values [0-9]+ actions, and there are 0"),
        (lambda it: it["__metadata__"].update(observations="[]"), "do not fit"),
        (lambda it: it.pop("2.bias"), "damaged"),
        (lambda it: it.update({"__import__": it["2.bias"]}), "damaged"),
        (lambda it: it["0.weight"].update(dtype="F64"), "damaged"),
        (lambda it: it["0.weight"].update(shape=[10**9, 10**9]), "damaged"),
        (lambda it: it["0.weight"].update(shape=[-1, 4]), "damaged"),
        (lambda it: it["0.weight"].update(shape=[True, 4]), "damaged"),
        (lambda it: it["0.weight"].update(data_offsets=[0, 10**12]), "damaged"),
        (lambda it: it["0.weight"].update(data_offsets=[-8, 10]), "damaged"),
        (lambda it: it.update({"0.weight": 3}), "damaged"),
        (lambda it: it.update({f"{n}.{part}": it[f"0.{part}"] for n in range(4, 40) for part in PARTS}), "damaged"),
    ],
)
def test_damaged_policy_files_are_refused_with_a_reason(change: Any, text: str, guessing: Path) -> None:
    Path("bad.safetensors").write_bytes(spoiled("guess.safetensors", change))
    with pytest.raises(PlayerError, match=text):
        Policy.load("bad.safetensors")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        (2).to_bytes(8, "little") + b"[]",
        b"PK\x03\x04",
        b"\x80\x04\x95" + b"." * 40,
        b"\xff" * 50,
        (10**15).to_bytes(8, "little") + b"{}",
    ],
)
def test_other_files_are_no_policies(content: bytes, guessing: Path) -> None:
    Path("bad.safetensors").write_bytes(content)
    with pytest.raises(PlayerError, match="holds no policy of Rulewright: "):
        Policy.load("bad.safetensors")


def test_weights_that_are_no_numbers_are_refused(guessing: Path) -> None:
    policy = Policy.load("guess.safetensors")
    policy.layers[0][0][0, 0] = np.nan
    policy.save("bad.safetensors")
    with pytest.raises(PlayerError, match="infinite"):
        Policy.load("bad.safetensors")
    with pytest.raises(PlayerError, match="This is no policy: its layers do not fit"):
        Policy(policy.trained, policy.layers[1:] * 2)


# ── their seats ──


@pytest.mark.parametrize("name", ["a policy.safetensors", "one, two.safetensors", "c:it.safetensors", "it.SAFETENSORS"])
def test_policy_files_may_have_any_name(name: str, guessing: Path) -> None:
    (guessing / "guess.safetensors").rename(guessing / name)
    edition = library.load("guess.yaml").edition
    first, second = read_seats(f"you, policy:{name}", edition)
    assert (first.player, second.player) == (PERSON, f"policy:{guessing / name}")
    name_, other = read_seats(f"Eva: policy:{guessing / name},greedy", edition)
    assert (name_.name, name_.player, other.player) == ("Eva", second.player, "greedy")


@pytest.mark.parametrize(
    ("seats", "text"),
    [
        ("you,policy", "write policy:FILE"),
        ("you,policy:", "write policy:FILE"),
        ("you,policy:guess.pickle", "ends in .safetensors"),
        ("you,Eva:policy", "write policy:FILE"),
        ("you,policy:gues.safetensors", "There is no file 'gues.safetensors'. Did you mean 'guess.safetensors'"),
        ("you,policy:guess.safetensors,policy:", "write policy:FILE"),
    ],
)
def test_unknown_trained_players_are_reported(seats: str, text: str, guessing: Path) -> None:
    with pytest.raises((PlayerError, SeatingError), match=text):
        read_seats(seats, library.load("guess.yaml").edition)


def test_a_player_of_another_game_gets_no_seat(guessing: Path) -> None:
    policy, machine = Policy.load("guess.safetensors"), library.load("guess.yaml").machine(2)
    other = library.from_text(GUESS.replace("players: 2", "players: 2 to 3")).machine(3)
    with pytest.raises(PlayerError, match="with 2 seats, virtual players among them, and here are 3"):
        policy.player(other)
    renamed = library.from_text(GUESS.replace("said", "told"))
    with pytest.raises(PlayerError, match=r"does not know 'told \+0'"):
        policy.player(renamed.machine(2))
    with pytest.raises(PlayerError, match=r"misses 'more \+0'"):
        more = GUESS.replace("seat: {", "seat: {more: 0, ")
        untrained(library.from_text(more).machine(2)).player(machine)


def test_a_player_of_other_rules_of_the_same_form_plays_with_a_warning(guessing: Path) -> None:
    policy, rules = Policy.load("guess.safetensors"), library.load("guess.yaml")
    assert policy.notice(rules.title, rules.play_digest) is None
    changed = library.from_text(GUESS.replace("by: long, no: 2", "by: long, no: 3"))
    policy.player(changed.machine(2))
    assert "expect less of it" in str(policy.notice(changed.title, changed.play_digest))


@pytest.mark.rotating(3)
def test_other_virtual_players_than_in_training_give_a_warning(tmp_path: Path) -> None:
    """Three people fill the seats of two people and a virtual player, and are no such player."""
    arena = Arena("wild-cards/2022", 2)
    policy = untrained(arena.machine, title=arena.rules.title, plays=arena.rules.play_digest)
    trained = replace(policy.trained, roles=arena.trained_for.roles)
    Policy(trained, policy.layers).save(tmp_path / "it.safetensors")
    again, rules = Policy.load(tmp_path / "it.safetensors"), arena.rules
    assert again.trained.roles == ("leo",)
    assert again.notice(rules.title, rules.play_digest, ["leo"]) is None
    assert "with other virtual players" in str(again.notice(rules.title, rules.play_digest, []))
    assert policy.notice(rules.title, rules.play_digest, []) is None, "an older file does not say"
    notices = with_policies(
        rules, [Seat(name, f"policy:{tmp_path / 'it.safetensors'}") for name in ("Ada", "Ben", "Cy")]
    )[2]
    assert ["with other virtual players" in str(notice) for notice in notices] == [True]


def test_a_game_with_a_trained_player_can_be_saved(guessing: Path) -> None:
    rules = library.load("guess.yaml")
    session = Session.start(rules, read_seats("you,policy:guess.safetensors", rules.edition), {"long": "yes"}, seed=3)
    session.save_to(guessing / "game.json")
    while question := session.next_decision():
        session.answer(question.seat, [question.choices[0].key], question.id)
        again = Session.load(guessing / "game.json")
        assert again.next_decision() == session.next_decision() and again.game.save() == session.game.save()
    assert session.game.over and players.max_tries(session.players[1])


def test_a_game_without_its_trained_player_is_refused(guessing: Path) -> None:
    rules = library.load("guess.yaml")
    session = Session.start(rules, read_seats("you,policy:guess.safetensors", rules.edition), seed=3)
    session.save_to(guessing / "begun.json")
    session.save_to(guessing / "over.json")
    while question := session.next_decision():
        session.answer(question.seat, [question.choices[0].key], question.id)
    (guessing / "guess.safetensors").unlink()
    with pytest.raises(PlayerError, match="There is no file"):
        Session.load(guessing / "begun.json")
    assert cli.main(["replay", "over.json"]) == 0


def test_commands_report_problems_of_policies(guessing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("broken.safetensors").write_bytes(b"nothing")
    for typed in ("play guess.yaml --seats", "simulate guess.yaml --games 10 --seats"):
        assert cli.main([*typed.split(), "policy:broken.safetensors,random"]) == 2
        assert "'" + str(guessing / "broken.safetensors") + "' holds no policy" in capsys.readouterr().err.replace(
            "\n", " "
        )


@pytest.mark.rotating(2)
def test_play_warns_of_a_player_of_other_rules(guessing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("other.yaml").write_text(GUESS.replace("no: 2", "no: 3"))
    lines = []
    for edition in ("guess.yaml", "other.yaml"):
        assert cli.main(["play", edition, "--seats", "policy:guess.safetensors,random", "--seed", "1"]) == 0
        lines.append("expect less of it" in capsys.readouterr().out)
    assert lines == [False, True]


def test_missing_numpy_is_reported(guessing: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "rulewright.players.policies", None)
    with pytest.raises(PlayerError, match="Trained players need numpy, not installed here: pip install numpy"):
        players.make_player("policy:guess.safetensors", library.load("guess.yaml").machine(2))
