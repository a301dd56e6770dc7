"""Games of candidates in the user's cache, so that the same search goes on where it was stopped."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from rulewright.base import cache
from rulewright.i18n.localizer import Phrase
from rulewright.simulation.tuning.configurations import CandidateGames, CandidateTable
from rulewright.simulation.tuning.search_space import Candidate
from rulewright.simulation.tuning.search_strategy import PlayAll

SECONDS = 10.0
"""Interval after which new games are saved."""


class GameCache:
    """Cached games of a table's candidates, read from the user's cache at once. Another edition, other seats, seeds or
    numbers of games have an entry of their own."""

    def __init__(self, table: CandidateTable) -> None:
        paths = [each.path for each in table.space.varied]
        seats = [(seat.player, seat.role) for seat in table.seated]
        measured = sorted((name, measure.key) for name, measure in table.measures.items())
        played = table.rules.hash, seats, table.seed, table.games, table.unended
        self._key = cache.key("tuning", paths, measured, *played)
        self._names = set(table.measures)
        self._games = table.games
        entry = cache.get(self._key)
        self._entries: dict[Candidate, tuple[object, ...]] = entry if isinstance(entry, dict) else {}
        self._since, self._new = time.monotonic(), False

    def wrap(self, play: PlayAll) -> PlayAll:
        """Return a function that plays candidates and yields their games in order, those in the cache without playing;
        new ones are added to it."""

        def play_unknown(candidates: list[Candidate] | tuple[Candidate, ...]) -> Iterator[CandidateGames]:
            """Play candidates in their order, those in the cache not."""
            known = {
                candidate: games for candidate in candidates if (games := self._cached_games(candidate)) is not None
            }
            played = play([candidate for candidate in candidates if candidate not in known])
            for candidate in candidates:
                if candidate in known:
                    yield known[candidate]
                    continue
                games = next(played)
                self._add_games(games)
                yield games

        return play_unknown  # type: ignore[return-value]

    def close(self) -> None:
        """Write new games to the cache, if there are any."""
        if self._new:
            cache.store(self._key, self._entries)
            self._since, self._new = time.monotonic(), False

    def _cached_games(self, candidate: Candidate) -> CandidateGames | None:
        """Return the cached games of a candidate; None if there are none, or they are of other measures or another
        number."""
        match self._entries.get(candidate):
            case (int() as unended, Phrase() | str() as problem, dict() as values) if (
                problem or values.keys() == self._names
            ):
                arrays = {name: np.frombuffer(data) for name, data in values.items()}
                if all(len(array) == self._games for array in arrays.values()):
                    return CandidateGames(candidate, arrays, unended, problem)
        return None

    def _add_games(self, played: CandidateGames) -> None:
        """Add the games of a candidate, unless it was late, and write the cache if the last time was a while ago."""
        if played.late:
            return
        values = {name: array.tobytes() for name, array in played.values.items()}
        self._entries[played.candidate] = (played.unended, played.problem, values)
        self._new = True
        if time.monotonic() > self._since + SECONDS:
            self.close()
