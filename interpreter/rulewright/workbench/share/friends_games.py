"""Games that friends have played at the workbench's tables, once they are over: they become lines of play.

While a game lasts, its designer plays at it, too, and learns nothing here that their seat does not know.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.i18n.localizer import phrase
from rulewright.server.edition_registry import called
from rulewright.server.storage.open_store import FILE
from rulewright.server.storage.store import Store
from rulewright.server.tables.log_rows import played
from rulewright.workbench.play.game_start import GameBeginning
from rulewright.workbench.play.play_tree import PlayNode, PlayTree
from rulewright.workbench.share.share_store import SharedGames, SharingError

MOST = 20
"""Tables that are looked at, the last ones."""


@record
class FriendsGame:
    """A game that is over. at: when its table began, as ISO 8601 has it; names: who played."""

    id: int
    at: str
    names: tuple[str, ...]


class FriendsGames:
    """folder: where the tables are kept. May be asked from several threads."""

    def __init__(self, folder: Path, shared: SharedGames) -> None:
        self._folder, self._shared = folder, shared
        self._over: dict[int, Game] = {}

    def listed(self, file: str) -> list[FriendsGame]:
        """Those of any version of a file that are over, the newest first. Raises StoreError."""
        if not (self._folder / FILE).is_file():
            return []
        store = Store(self._folder / FILE)
        try:
            found = []
            for number, at in store.games(called(file), MOST):
                with suppress(RulewrightError):  # its rules are not read any more
                    if number not in self._over and (game := self._game(store, number)) is not None and game.over:
                        self._over[number] = game
                if number in self._over:
                    found.append(FriendsGame(number, at, tuple(self._over[number].names)))
            return found
        finally:
            store.close()

    def _game(self, store: Store, number: int) -> Game | None:
        """A game as it is now, if all sit. Raises RulewrightError."""
        kept, people = store.record(number), store.people(number)
        seats = [replace(seat, name=people.get(place, seat.name)) for place, seat in enumerate(kept.seats)]
        edition = self._shared.edition(kept.edition)
        if edition is None or not all(seat.name for seat in seats):
            return None
        return played(edition.rules, kept, seats, store.answers(number)).game

    def take(self, number: int, tree: PlayTree) -> PlayNode:
        """Make one a line of a tree, as far as the tree's rules allow it. Raises SharingError, LostLine."""
        if number not in self._over:
            raise SharingError(phrase("errors", "There is no such game."))
        game = self._over[number]
        begun = GameBeginning(tuple(game.names), tuple(game.roles), dict(game.options), game.seed)
        node = next((root for root in tree.roots if root.beginning == begun), None) or tree.begin(begun)
        with suppress(RulewrightError):  # what follows does not fit the rules any more
            for seat, keys in game.answers():
                node = tree.answer(node, seat, keys)
        tree.entitle(node.line()[0], ", ".join(game.names))
        tree.go(node)
        return node
