"""Trained players at tables in the browser: where they are offered, how they play, and what is said without them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from starlette.testclient import TestClient

pytest.importorskip("numpy", reason="needs numpy")

from game_servers import HOSTS, begin, local_player, offered, reading
from project_folders import GAMES
from rulewright import cli, players
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.players import PlayerError
from rulewright.players.policies import Policy
from rulewright.server.application import AppSettings, application
from rulewright.server.bots.bot_pool import BotPool
from rulewright.server.bots.trained_players import TrainedPlayers
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.edition_registry import load_edition as known
from rulewright.server.storage.store import Store
from rulewright.server.tables.log_rows import apply
from rulewright.server.web.edition_list import build_seats
from rulewright.server.web.protocol import WantedSeat
from small_games.guessing import GUESS
from untrained_policies import untrained

FOUR = str(GAMES / "four-in-a-row.yaml")
EVA = "policy:eva"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with a game for two or three, a player trained for two, and one trained for another game."""
    monkeypatch.chdir(tmp_path)
    Path("guess.yaml").write_text(GUESS.replace("players: 2", "players: 2 to 3"))
    rules, four = library.load("guess.yaml"), library.load(FOUR)
    untrained(rules.machine(2), plays=rules.play_digest).save("eva.safetensors")
    untrained(four.machine(2), title="Four", plays=four.play_digest).save("four.safetensors")
    return tmp_path


@contextmanager
def serving(*policies: str) -> Iterator[tuple[TestClient, Store]]:
    """A server with these trained players; it goes on with the tables of the one before."""
    store = Store(Path("tables.sqlite"))
    thinkers = BotPool(1, TrainedPlayers.read(policies))
    with TestClient(
        application(store, EditionRegistry(["guess.yaml"]), AppSettings(hosts=HOSTS, bots=thinkers))
    ) as client:
        yield client, store


def test_trained_players_are_offered_where_they_can_play(folder: Path) -> None:
    with serving("eva.safetensors", str(folder / "four.safetensors")) as (client, _):
        response = client.get(f"/editions/{offered(client)}")
        assert response.json()["trained"] == [{"player": EVA, "name": "eva", "seats": 2, "notice": ""}]
        assert str(folder) not in response.text and "safetensors" not in response.text
    Path("guess.yaml").write_text(Path("guess.yaml").read_text().replace("no: 2", "no: 3"))
    with serving("eva.safetensors") as (client, _):
        [one] = client.get(f"/editions/{offered(client)}").json()["trained"]
        assert "expect less of it" in one["notice"]


@pytest.mark.rotating(6)
def test_a_trained_player_answers_the_same_at_a_table(folder: Path) -> None:
    with serving("eva.safetensors") as (client, store):
        with reading(client, begin(client, local_player("Ann"), {"player": EVA})["seats"][0]) as ann:
            while not ann.look(lambda state: state["asked"] or state["over"])["over"]:
                ann.answer("1")
            ann.send(type="save")
            assert ann.until("save")["save"]["players"] == ["person", EVA]
            assert not ann.table.get("notices")
        record, rows = store.record(1), store.answers(1)
    game = Game.start(library.load("guess.yaml"), [s.name for s in record.seats], {}, record.seed)
    player, argument = Policy.load("eva.safetensors").player(game.machine), 0
    for row in rows:
        if row.seat == 1:
            sight, question = game.known(1)
            choice = player.choose(sight, question, Random(players.answer_seed(game, 1, argument)))
            assert list(row.take or ()) == list(game.offer(question).keys(choice))
            argument += 1
        apply(game, row)
    assert argument == 2 and record.seats[1].player == EVA


@pytest.mark.parametrize(("person", "name"), [("Ann", "eva"), ("Eva", "Ada")])
def test_a_trained_player_keeps_its_chosen_name(person: str, name: str, folder: Path) -> None:
    offer = known("guess.yaml")
    assert offer is not None
    expected = (WantedSeat(player="here", name=person), WantedSeat(player=EVA))
    seats = build_seats(expected, offer, TrainedPlayers.read(["eva.safetensors"]))
    assert [seat.name for seat in seats] == [person, name]


@pytest.mark.parametrize(
    ("others", "player", "text"),
    [
        (0, "policy:ada", "This server has no trained player 'ada'."),
        (0, "policy:eva.safetensors", "no trained player 'eva.safetensors'"),
        (0, "policy:../four", "no trained player '../four'"),
        (0, "policy:", "no trained player ''"),
        (0, "policy", "no trained player ''"),
        (0, "policy:four", "cannot play here: it has learned Four, and does not know"),
        (1, EVA, "it has learned Guess with 2 seats, virtual players among them, and here are 3"),
    ],
)
def test_missing_or_unfit_trained_players_get_no_seat(others: int, player: str, text: str, folder: Path) -> None:
    with serving("eva.safetensors", "four.safetensors") as (client, _):
        seats = [local_player("Ann"), *[{"player": "random"}] * others, {"player": player}]
        expected = {"edition": offered(client), "seats": seats, "options": {}}
        answer = client.post("/tables?language=en", json=expected)
        assert answer.status_code == 400 and text in answer.json()["text"]


@pytest.mark.rotating(10)
@pytest.mark.parametrize("left", [[], ["other/eva.safetensors"]])
def test_another_bot_replaces_a_missing_one_with_a_note(left: list[str], folder: Path) -> None:
    """The bot's file is gone, or another player has its name."""
    with serving("eva.safetensors") as (client, _):
        token = begin(client, local_player("Ann"), {"player": EVA})["seats"][0]
    Path("other").mkdir()
    Path("four.safetensors").rename("other/eva.safetensors")
    with serving(*left) as (client, _), reading(client, token) as ann:
        ann.question()
        [text] = ann.table["notices"]
        assert text.endswith(" Another bot takes over.")
        assert ("does not know" if left else "no trained player 'eva'") in text
        while not ann.look(lambda state: state["asked"] or state["over"])["over"]:
            ann.answer("1")
        assert not ann.state["trouble"]


def test_files_are_checked_before_anything_is_served(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.safetensors").write_bytes(b"nothing")
    for file, text in (
        ("bad.safetensors", "'bad.safetensors' holds no policy of Rulewright"),
        ("ev.safetensors", "There is no file 'ev.safetensors'. Did you mean 'eva.safetensors'?"),
        ("guess.yaml", "The name of a trained player's file ends in .safetensors: 'guess.yaml'."),
    ):
        assert cli.main(["serve", "--port", "0", "--data", "data", "--policy", file]) == 2
        assert text in " ".join(capsys.readouterr().err.split())


def test_names_of_trained_players_are_unique(folder: Path) -> None:
    with pytest.raises(PlayerError, match="Two files of trained players are called 'eva'"):
        TrainedPlayers.read(["eva.safetensors", str(folder / "eva.safetensors")])
    long = "e" * 101 + ".safetensors"
    Path("eva.safetensors").rename(long)
    with pytest.raises(PlayerError, match="must have 1 to 100 characters"):
        TrainedPlayers.read([long])
