"""Finished games of friends at the workbench's tables, to be added as lines of play.

Games in progress are not shown: the designer may play in them, and must not learn what is hidden.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.i18n.localizer import phrase
from rulewright.server.edition_registry import public_name
from rulewright.server.storage.database import BrokenLogError, StoreError
from rulewright.server.storage.open_store import FILE
from rulewright.server.storage.store import Store
from rulewright.server.tables.log_rows import replay
from rulewright.workbench.play.game_start import GameStart
from rulewright.workbench.play.play_tree import PlayNode, PlayTree
from rulewright.workbench.share.share_store import ShareStore, SharingError

MAX_GAMES, MAX_TABLES = 20, 200
"""Maximum number of games listed, and of tables looked at for them, newest first."""


@record
class FriendsGame:
    """Finished game. start: of its table, in ISO 8601; names: of the players."""

    id: int
    start: str
    names: tuple[str, ...]


class FriendsGames:
    """Finished games, safe to read from several threads. folder: of the tables."""

    def __init__(self, folder: Path, shared: ShareStore) -> None:
        self._folder, self._shared = folder, shared
        self._finished: dict[int, Game] = {}

    def list_games(self, file: str) -> list[FriendsGame]:
        """List finished games of any version of a file, newest first. Raises StoreError."""
        if not (self._folder / FILE).is_file():
            return []
        store = Store(self._folder / FILE)
        try:
            result: list[FriendsGame] = []
            for number, start in store.games(public_name(file), MAX_TABLES):
                if (game := self._finished_game(store, number)) is not None:
                    result.append(FriendsGame(number, start, tuple(game.names)))
                if len(result) == MAX_GAMES:
                    break
            return result
        finally:
            store.close()

    def _finished_game(self, store: Store, number: int) -> Game | None:
        """Return a finished game; None for another, a damaged one, or one whose rules this
        version cannot read. Raises StoreError."""
        if number not in self._finished:
            try:
                game = self._game(store, number)
            except RulewrightError as error:
                if isinstance(error, StoreError) and not isinstance(error, BrokenLogError):
                    raise
                return None
            if game is None or not game.over:
                return None
            self._finished[number] = game
        return self._finished[number]

    def _game(self, store: Store, number: int) -> Game | None:
        """Return a game's present state; None while seats are free, or if its edition is not shared any more. Raises
        RulewrightError."""
        record, people = store.record(number), store.people(number)
        seats = [replace(seat, name=people.get(place, seat.name)) for place, seat in enumerate(record.seats)]
        edition = self._shared.edition(record.edition)
        if edition is None or not all(seat.name for seat in seats):
            return None
        return replay(edition.rules, record, seats, store.answers(number)).game

    def import_game(self, number: int, tree: PlayTree) -> PlayNode:
        """Add a game that was listed to a tree as a line, as far as the tree's rules allow it; its title becomes the
        players' names. Return its last node. Raises SharingError, PlayLineError.
        """
        if number not in self._finished:
            raise SharingError(phrase("errors", "There is no such game."))
        game = self._finished[number]
        start = GameStart(tuple(game.names), tuple(game.roles), dict(game.options), game.seed)
        node = next((root for root in tree.roots if root.beginning == start), None) or tree.start_game(start)
        with suppress(RulewrightError):  # the rest does not fit the rules any more
            for seat, keys in game.history.answer_keys():
                node = tree.answer(node, seat, keys)
        tree.set_title(node.line()[0], ", ".join(game.names))
        tree.visit(node)
        return node
