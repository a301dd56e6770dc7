"""A player learns by playing against itself, and is given a seat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="needs native code")
pytest.importorskip("numpy", reason="needs numpy")

import numpy as np

from rulewright import cli
from rulewright.base.diagnostics import RulewrightError
from rulewright.players.policies import Policy
from rulewright.rl import Batch, checkpoints, train
from rulewright.rl.network import Network
from rulewright.rl.training import win_share
from small_games.guessing import GUESS


@pytest.fixture
def edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of a game, in the folder in which all happens."""
    monkeypatch.chdir(tmp_path)
    Path("guess.yaml").write_text(GUESS)
    return "guess.yaml"


@pytest.mark.rotating(2)
def test_training_improves_the_policy(edition: str) -> None:
    lines: list[tuple[int, float]] = []
    policy = train(edition, decisions=10_000, games=32, hidden=16, told=lambda *progress: lines.append(progress))
    batch = Batch(edition, 1)
    chance = Policy(policy.trained, [(weights * 0, added * 0) for weights, added in policy.layers])
    before, after = win_share(batch, chance), win_share(batch, policy)
    assert before < 0.5 and after > 0.55
    assert lines[-1] == (10_240, after), "decisions come in whole rounds"


@pytest.mark.rotating(3)
def test_the_same_seed_trains_the_same_player(edition: str) -> None:
    digests = [train(edition, decisions=3000, games=8, hidden=8, seed=seed).digest for seed in (5, 5, 6)]
    assert digests[0] == digests[1] != digests[2]


@pytest.mark.rotating(2)
def test_virtual_players_and_options_come_along() -> None:
    policy = train("wild-cards/2022", 2, {"no bluffing": "yes"}, "score", decisions=600, hidden=8)
    assert policy.trained.seats == 3 and policy.trained.title.startswith("Wild Cards")


class Stopped(Exception):
    """Raised in the place of the end of a process."""


@pytest.mark.rotating(6)
def test_a_stopped_training_resumes(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The policy and a checkpoint are saved after Ctrl-C and after a crash; training goes on from there."""
    monkeypatch.setattr("rulewright.rl.training.TEST_GAMES", 16)
    received: list[int] = []

    def stop(done: int, _: float) -> None:
        received.append(done)
        if len(received) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(edition, decisions=40_000, games=8, hidden=8, told=stop, keep="it.safetensors")
    half, checkpoint = Policy.load("it.safetensors").digest, Path("it.training.npz")
    assert received == [5120, 10_240] and checkpoint.exists()

    def note(done: int, _: float) -> None:
        received.append(done)

    done = train(edition, decisions=40_000, games=8, hidden=8, told=note, keep="it.safetensors", resume=True)
    assert received[2:] == [15_360, 20_480, 25_600, 30_720, 35_840, 39_936]
    assert Policy.load("it.safetensors").digest == done.digest != half
    assert not checkpoint.exists()

    def crash(done: int, _: float) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        train(edition, decisions=40_000, games=8, hidden=8, told=crash, keep="it.safetensors")
    assert checkpoint.exists() and Policy.load("it.safetensors")


def test_a_checkpoint_that_cannot_be_removed_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "it.training.npz"
    folder.mkdir()
    with pytest.raises(RulewrightError, match=r"it\.training\.npz"):
        checkpoints.remove(folder)


@pytest.mark.rotating(3)
@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda content: b"", "no training that can go on here"),
        (lambda content: content[:-50], "no training that can go on here"),
        (lambda content: b"PK" + b"x" * 1000, "no training that can go on here"),
        (lambda content: content, "of another training"),
    ],
    ids=["empty", "cut", "nonsense", "another seed"],
)
def test_a_checkpoint_that_does_not_fit_is_refused(edition: str, change: Callable[[bytes], bytes], text: str) -> None:
    def stop(*_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(edition, decisions=6000, games=8, hidden=8, told=stop, keep="it.safetensors")
    checkpoint = Path("it.training.npz")
    checkpoint.write_bytes(change(checkpoint.read_bytes()))
    with pytest.raises(RulewrightError, match=text):
        train(edition, decisions=6000, games=8, hidden=8, seed=2, keep="it.safetensors", resume=True)


@pytest.mark.rotating(2)
def test_the_command_says_how_a_training_goes_on(
    edition: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> float:
        raise KeyboardInterrupt

    command = ["train", edition, "--decisions", "400000", "--out", "it.safetensors"]
    with monkeypatch.context() as patch:
        patch.setattr("rulewright.rl.training.win_share", stop)
        for name, value in {"STEPS": 8, "PASSES": 1, "PARTS": 1, "REPORT_EVERY": 1}.items():
            patch.setattr(f"rulewright.rl.training.{name}", value)
        assert cli.main(command) == 130
        text = capsys.readouterr().err
        assert "kept in 'it.safetensors'" in text and "the same command with --resume" in text
        assert Policy.load("it.safetensors")
        assert cli.main(command) == 2
        assert "Go on with --resume, or delete it." in capsys.readouterr().err
        assert cli.main([*command, "--resume"]) == 130
    assert cli.main(["train", edition, "--out", "other.safetensors", "--resume"]) == 2
    assert "There is no file 'other.training.npz'" in capsys.readouterr().err


def test_a_network_fits_its_targets() -> None:
    chance = np.random.default_rng(1)
    network = Network(3, 16, 2, chance)
    rows = chance.normal(size=(200, 3)).astype(np.float32)
    expected = np.stack([np.abs(rows[:, 0]), rows[:, 1] * 2], 1)
    for _ in range(300):
        floors = network.forward(rows)
        network.learn(floors, (floors[-1] - expected) / np.float32(len(rows)), 0.01)
    assert np.abs(network.forward(rows)[-1] - expected).mean() < 0.1


@pytest.mark.rotating(2)
def test_commands_train_a_player_and_play_with_it(edition: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["train", edition, "--decisions", "2560", "--out", "a player.safetensors"]) == 0
    out, text = capsys.readouterr()
    assert "Written: a player.safetensors" in out and "--seats 'you,policy:a player.safetensors'" in out
    assert "2,560 decisions: wins " in text
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
