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
"""After so long what is new is kept."""


class RememberedGames:
    """What is known of a table's candidates."""

    def __init__(self, table: CandidateTable) -> None:
        ways = [each.path for each in table.space.varied]
        seats = [(seat.player, seat.role) for seat in table.seated]
        measured = sorted((name, measure.key) for name, measure in table.measures.items())
        played = table.rules.hash, seats, table.seed, table.games, table.unended
        self._key = cache.key("tuning", ways, measured, *played)
        self._names = set(table.measures)
        self._games = table.games
        found = cache.get(self._key)
        self._kept: dict[Candidate, tuple[object, ...]] = found if isinstance(found, dict) else {}
        self._since, self._new = time.monotonic(), False

    def playing(self, play: PlayAll) -> PlayAll:
        """Plays candidates, except for those that are known."""

        def known_or_played(candidates: list[Candidate] | tuple[Candidate, ...]) -> Iterator[CandidateGames]:
            known = {candidate: found for candidate in candidates if (found := self._known(candidate)) is not None}
            played = play([candidate for candidate in candidates if candidate not in known])
            for candidate in candidates:
                if candidate in known:
                    yield known[candidate]
                    continue
                found = next(played)
                self._add(found)
                yield found

        return known_or_played  # type: ignore[return-value]

    def close(self) -> None:
        if self._new:
            cache.store(self._key, self._kept)
            self._since, self._new = time.monotonic(), False

    def _known(self, candidate: Candidate) -> CandidateGames | None:
        match self._kept.get(candidate):
            case (int() as unended, Phrase() | str() as why, dict() as values) if why or values.keys() == self._names:
                arrays = {name: np.frombuffer(data) for name, data in values.items()}
                if all(len(array) == self._games for array in arrays.values()):
                    return CandidateGames(candidate, arrays, unended, why)
        return None

    def _add(self, played: CandidateGames) -> None:
        if played.late:
            return
        values = {name: array.tobytes() for name, array in played.values.items()}
        self._kept[played.candidate] = (played.unended, played.why, values)
        self._new = True
        if time.monotonic() > self._since + SECONDS:
            self.close()
