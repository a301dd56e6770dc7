"""Games that friends have played to their end become lines of play; others tell nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from game_servers import GUESSING
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.players import choose
from rulewright.players.seating import PERSON, Seat
from rulewright.server.edition_registry import PlayableEdition, playable_edition
from rulewright.server.storage.database import StoreError
from rulewright.server.storage.open_store import FILE
from rulewright.server.storage.records import LoggedAnswer
from rulewright.server.storage.store import Store
from rulewright.workbench.play.play_tree import PlayTree
from rulewright.workbench.share.friends_games import MAX_GAMES, FriendsGames
from rulewright.workbench.share.share_store import ShareStore, SharingError


@pytest.fixture
def edition(tmp_path: Path) -> PlayableEdition:
    path = tmp_path / "guessing.yaml"
    path.write_text(GUESSING, encoding="utf-8")
    return playable_edition(library.load(str(path)))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / FILE)
    yield store
    store.close()


def table(store: Store, edition: PlayableEdition, answers: int) -> int:
    """A table at which so many answers have been given, or all."""
    seats = [Seat("Nora", PERSON), Seat("", PERSON)]
    number = store.create(edition.pinned, edition.rules.hash, seats, {"quick": "yes"}, 5, {})
    store.sit(number, 1, "Timo", f"token {number}")
    game = Game.start(edition.rules, ["Nora", "Timo"], {"quick": "yes"}, 5)
    while not game.over and len(game.history.answers) < answers:
        decision = game.decisions()[0]
        keys = tuple(choose("random", game, decision.seat, 0))
        store.answer(number, len(game.history.answers), LoggedAnswer(decision.seat, decision.id, keys))
        game.answer(decision.seat, keys)
    return number


def test_a_game_that_is_over_becomes_a_line(tmp_path: Path, store: Store, edition: PlayableEdition) -> None:
    shared = ShareStore(tmp_path)
    shared.put_edition(edition)
    games, tree = FriendsGames(tmp_path, shared), PlayTree(edition.rules)
    number = table(store, edition, 99)
    [result] = games.list_games("folder/guessing.yaml")
    assert (result.id, result.names) == (number, ("Nora", "Timo"))
    node = games.import_game(number, tree)
    assert tree.game_at(node).over
    assert games.import_game(number, tree) is node
    assert tree.current is node and len(tree.roots) == 1
    assert not games.list_games("other.yaml")


def test_a_running_game_is_not_listed(tmp_path: Path, store: Store, edition: PlayableEdition) -> None:
    shared = ShareStore(tmp_path)
    shared.put_edition(edition)
    games = FriendsGames(tmp_path, shared)
    number = table(store, edition, 2)
    assert not games.list_games("guessing.yaml")
    with pytest.raises(SharingError):
        games.import_game(number, PlayTree(edition.rules))


def test_abandoned_tables_hide_no_finished_game(tmp_path: Path, store: Store, edition: PlayableEdition) -> None:
    shared = ShareStore(tmp_path)
    shared.put_edition(edition)
    number = table(store, edition, 99)
    for _ in range(MAX_GAMES + 1):
        table(store, edition, 0)
    assert [game.id for game in FriendsGames(tmp_path, shared).list_games("guessing.yaml")] == [number]


def test_a_failing_store_is_reported(
    tmp_path: Path, store: Store, edition: PlayableEdition, monkeypatch: pytest.MonkeyPatch
) -> None:
    table(store, edition, 99)

    def fail(self: Store, number: int) -> None:
        raise StoreError("The disk is gone.")

    monkeypatch.setattr(Store, "record", fail)
    with pytest.raises(StoreError, match="The disk is gone"):
        FriendsGames(tmp_path, ShareStore(tmp_path)).list_games("guessing.yaml")


def test_without_games_no_line_is_made(tmp_path: Path) -> None:
    assert not FriendsGames(tmp_path, ShareStore(tmp_path)).list_games("guessing.yaml")
    assert not (tmp_path / FILE).exists()
