"""Editions as games of OpenSpiel: its own tests and algorithms run on them, and find what they find in its own."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel")

from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, ismcts  # noqa: E402 - it needs it

from example_counts import some_editions  # noqa: E402
from project_folders import ROOT  # noqa: E402
from rulewright.base.diagnostics import RulewrightError  # noqa: E402
from rulewright.rl import game_tree, openspiel  # noqa: E402

OPENSPIEL_TESTS = ROOT / "tests" / "openspiel"
BETS = {"kuhn_poker": 2.0, "leduc_poker": 13.0}


def poker(name: str) -> Any:
    most = BETS[name]
    return openspiel.game(str(OPENSPIEL_TESTS / f"{name}.yaml"), reward="score", zero_sum=True, least=-most, most=most)


def solved(game: Any, times: int) -> Any:
    solver = cfr.CFRSolver(game)
    for _ in range(times):
        solver.evaluate_and_update_policy()
    return solver.average_policy()


@pytest.mark.parametrize(
    ("name", "times"), [("kuhn_poker", 20), pytest.param("leduc_poker", 5, marks=[pytest.mark.long])]
)
def test_regret_is_minimised_as_in_openspiels_own_game(name: str, times: int) -> None:
    ours, theirs = poker(name), pyspiel.load_game(name)
    results = [exploitability.exploitability(game, solved(game, times)) for game in (ours, theirs)]
    assert results[0] == pytest.approx(results[1], abs=1e-9)


@pytest.mark.rotating(4)
def test_kuhn_poker_has_the_known_value() -> None:
    game = poker("kuhn_poker")
    policy = solved(game, 100)
    values = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    assert values[0] == pytest.approx(-1 / 18, abs=2e-3)


@pytest.mark.parametrize("name", some_editions("classics/four-in-a-row"))
def test_openspiels_simulations_run(name: str) -> None:
    pyspiel.random_sim_test(openspiel.game(name, samples=10, recall=1), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", ["kuhn_poker", "nim"])
def test_openspiels_simulations_run_with_saved_states(name: str) -> None:
    pyspiel.random_sim_test(
        openspiel.game(str(OPENSPIEL_TESTS / f"{name}.yaml")), num_sims=3, serialize=True, verbose=False
    )


def test_unbounded_rerolls_are_sampled() -> None:
    """Such a roll has no bound on its outcomes."""
    assert not openspiel.game("classics/backgammon").listed
    assert openspiel.game(str(OPENSPIEL_TESTS / "pig.yaml")).listed


def start_game(**parameters: Any) -> Any:
    state = openspiel.game("wild-cards/2022", 3, **parameters).new_initial_state()
    assert state.is_chance_node()
    state.apply_action(3)
    return state


@pytest.mark.parametrize("name", ["a,b", "a(b", "a)b", "a=b", "50%", "a%2Cb", "zwölf, drei", "12", "true", "-1.5"])
def test_any_path_is_a_parameter(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game's name holds its parameters; a comma, an equals sign or a bracket would end one there."""
    (tmp_path / name).write_bytes((OPENSPIEL_TESTS / "nim.yaml").read_bytes())
    monkeypatch.chdir(tmp_path)
    game = openspiel.game(f"./{name}" if name in ("12", "true", "-1.5") else name)
    assert str(pyspiel.load_game(str(game))) == str(game)
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    assert pickle.loads(pickle.dumps(state)).history() == state.history()


@pytest.mark.parametrize("options", ["no bluffing yes", "no bluffing: yes; clock", "no bluffing: yes; no bluffing: no"])
def test_options_that_cannot_be_read_are_refused(options: str) -> None:
    with pytest.raises(RulewrightError, match="Options are written 'name: choice; name: choice', not"):
        openspiel.game("wild-cards/2022", options=options)


def test_an_edition_whose_name_is_a_number() -> None:
    game = openspiel.game("2022", options="no bluffing: yes")
    assert str(pyspiel.load_game(str(game))) == str(game) and game.arena.rules.name == "wild-cards/2022"


def test_a_saved_state_keeps_the_information_states() -> None:
    state = start_game()
    for _ in range(12):
        state.apply_action(state.legal_actions()[-1] if not state.is_chance_node() else 7)
    game, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(state.get_game(), state))
    assert str(game) == str(state.get_game()) and str(again) == str(state)
    assert str(pickle.loads(pickle.dumps(state))) == str(state)
    assert again.legal_actions() == state.legal_actions()
    for _ in range(5):
        for one in (state, again):
            one.apply_action(one.legal_actions()[0])
        assert str(again) == str(state)


def test_hidden_state_is_resampled() -> None:
    state, rng = start_game(), np.random.RandomState(1)
    state.apply_action(state.legal_actions()[0])
    while state.current_player() == 0:
        state.apply_action(state.legal_actions()[0])
    known: set[str] = set()
    for _ in range(5):
        other = state.resample_from_infostate(1, rng.rand)
        assert other.current_player() == 1 and other.legal_actions() == state.legal_actions()
        assert other.information_state_string(1) == state.information_state_string(1)
        assert other.observation_tensor(1) == state.observation_tensor(1)
        known.add(other.information_state_string(2))
    assert len(known) == 5, "another hand each time"


def test_old_events_are_summarized() -> None:
    game = openspiel.game("classics/mancala")
    results = []
    for first in (0, 1):
        state = game.new_initial_state()
        state.apply_action(state.legal_actions()[first])
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        lines = state.node.history(0)
        results.append(game_tree._shorten(lines * 20))
        assert len(results[-1]) < len(lines * 20) and results[-1][-1] == lines[-1]
    assert results[0] != results[1]


class Level:
    """An evaluator to which all is the same."""

    def evaluate(self, state: Any) -> Any:
        return np.zeros(state.num_players())

    def prior(self, state: Any) -> list[tuple[int, float]]:
        return [(action, 1 / len(state.legal_actions())) for action in state.legal_actions()]


def test_openspiels_search_plays() -> None:
    bot = ismcts.ISMCTSBot(start_game().get_game(), Level(), 2.0, 4, random_state=np.random.RandomState(1))
    state = start_game()
    for _ in range(6):
        state.apply_action(bot.step(state) if not state.is_chance_node() else 5)
    assert not state.is_terminal()


def test_tensors_of_information_states_hold_the_history() -> None:
    game = poker("kuhn_poker")
    state = game.new_initial_state()
    state.apply_action(0)
    size = game.observation_tensor_size()
    assert game.information_state_tensor_size() == 16 * size
    for action in state.legal_actions()[:1]:
        before = state.observation_tensor(0)
        state.apply_action(action)
        assert state.information_state_tensor(0)[:size] == before
        assert state.information_state_tensor(0)[size : 2 * size] == state.observation_tensor(0)


def test_unknown_chance_outcomes_are_reported() -> None:
    with pytest.raises(RulewrightError, match="There is no kind of chance 'blind'"):
        openspiel.game("wild-cards/2022", chance="blind")
