"""A player learns by playing against itself, and is given a seat."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="needs native code")
pytest.importorskip("numpy", reason="needs numpy")

import numpy as np

from guessing import GUESS
from rulewright import cli
from rulewright.players.policies import Policy
from rulewright.rl import Batch, train
from rulewright.rl.network import Network
from rulewright.rl.training import won_against_chance


@pytest.fixture
def edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of a game, in the folder in which all happens."""
    monkeypatch.chdir(tmp_path)
    Path("guess.yaml").write_text(GUESS)
    return "guess.yaml"


def test_it_learns(edition: str) -> None:
    told: list[tuple[int, float]] = []
    policy = train(edition, decisions=10_000, games=32, hidden=16, told=lambda *heard: told.append(heard))
    batch = Batch(edition, 1)
    chance = Policy(policy.trained, [(weights * 0, added * 0) for weights, added in policy.layers])
    before, after = won_against_chance(batch, chance), won_against_chance(batch, policy)
    assert before < 0.5 and after > 0.55
    assert told[-1] == (10_240, after), "decisions come in whole rounds"


def test_the_same_seed_trains_the_same_player(edition: str) -> None:
    digests = [train(edition, decisions=3000, games=8, hidden=8, seed=seed).digest for seed in (5, 5, 6)]
    assert digests[0] == digests[1] != digests[2]


def test_virtual_players_and_options_come_along() -> None:
    policy = train("wild-cards/2022", 2, {"no bluffing": "yes"}, "score", decisions=600, hidden=8)
    assert policy.trained.seats == 3 and policy.trained.title.startswith("Wild Cards")


def test_a_network_learns_what_it_is_told() -> None:
    chance = np.random.default_rng(1)
    network = Network(3, 16, 2, chance)
    rows = chance.normal(size=(200, 3)).astype(np.float32)
    wanted = np.stack([np.abs(rows[:, 0]), rows[:, 1] * 2], 1)
    for _ in range(300):
        floors = network.forward(rows)
        network.learn(floors, (floors[-1] - wanted) / np.float32(len(rows)), 0.01)
    assert np.abs(network.forward(rows)[-1] - wanted).mean() < 0.1


def test_commands_train_a_player_and_play_with_it(edition: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["train", edition, "--decisions", "2560", "--out", "a player.safetensors"]) == 0
    out, told = capsys.readouterr()
    assert "Written: a player.safetensors" in out and "--seats 'you,policy:a player.safetensors'" in out
    assert "2,560 decisions: wins " in told
    assert cli.main(["train", edition, "--out", "a player.safetensors"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert cli.main(["train", edition, "--out", "a player.pkl"]) == 2
    assert "ends in .safetensors" in capsys.readouterr().err
    simulate = ["simulate", edition, "--seats", "policy:a player.safetensors,random", "--games", "6", "--quiet"]
    for processes in ("1", "2"):
        assert cli.main([*simulate, "--processes", processes, "--out", processes]) == 0
        assert "policy:a player " in capsys.readouterr().out
    tables = [sorted(Path(folder).glob("*/*.parquet")) for folder in "12"]
    assert tables[0] and [one.read_bytes() for one in tables[0]] == [one.read_bytes() for one in tables[1]]
