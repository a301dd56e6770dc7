"""Worker process that plays games while the rules are edited: low priority, and it takes up a new request at once."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.library import Rules
from rulewright.model.edition import Edition
from rulewright.workbench.statistics import dashboard, goal_search, value_sweep
from rulewright.workbench.statistics.game_sample import MAX_GAMES, GameSample
from rulewright.workbench.statistics.sample_requests import GamesRequest, TableRequest

MILESTONES = (100, 300, 1000, 3000, MAX_GAMES)
"""Numbers of games after which statistics are sent."""

MAX_SECONDS = 10
"""Maximum processor time for one table; where games take long, fewer are played."""

SECONDS_BETWEEN = 3.0
"""Seconds after which statistics are sent, however few games are new."""

_MAX_CACHED_TABLES = 16
"""Limit of tables whose games are cached, for going back and forth."""
_NICENESS = 10
"""Steps of priority below interactive work."""


def serve(pipe: Connection) -> None:
    """Play what is requested, as pickled `GamesRequest`, and send (key, kind, data): 'taken' for a received request,
    'figures', 'curve', 'search', 'failed', 'rest' when nothing is left to do. Ends with the connection."""
    with suppress(AttributeError, OSError):
        os.nice(_NICENESS)
    playing = SamplePlayer()
    with suppress(EOFError, OSError):
        while True:
            request: GamesRequest | None = pickle.loads(pipe.recv_bytes())
            pipe.send(("" if request is None else request.key, "taken", None))
            for message in playing.play(request) if request is not None else ():
                if message is not None:
                    pipe.send(message)
                if pipe.poll():
                    break


class SamplePlayer:
    """Player of the requested samples; it keeps those of the latest tables."""

    def __init__(self) -> None:
        self._samples: dict[tuple[str, str, TableRequest], GameSample] = {}

    def play(self, request: GamesRequest) -> Iterator[tuple[str, str, Mapping[str, Any]] | None]:
        """Play for a request and yield its messages; None where another request may be taken up."""
        try:
            for data in self._play_sample(request):
                yield None if data is None else (request.key, "figures", data)
            if request.curve is not None:
                figure = request.edition.figures[request.curve.value]
                now = int(dict(request.table.setting).get(request.curve.value, figure.body.text))

                def trial(table: TableRequest) -> GameSample:
                    return self._sample(request.edition, table)

                for data in value_sweep.curve(request.curve, now, request.table, trial):
                    message = data and {**data, "value": request.curve.value, "now": now}
                    yield None if message is None else (request.key, "curve", message)
            if request.search is not None:
                for looked in goal_search.search(request.edition, request.table, request.search):
                    yield request.key, "search", looked
        except RulewrightError as error:
            yield request.key, "failed", {"text": str(error)}
        yield request.key, "rest", {}

    def _play_sample(self, request: GamesRequest) -> Iterator[Mapping[str, Any] | None]:
        """Play more and more games of both editions, and yield statistics now and then; None in between, so that a new
        request is seen."""
        trial = self._sample(request.edition, request.table)
        other, obstacle = None, ""
        if request.against is not None:
            try:
                other = self._sample(request.against, request.table)
            except RulewrightError as error:  # the other edition does not allow this table
                obstacle = str(error)
        for games in MILESTONES:
            last_sent = time.monotonic()
            for each in (trial, other):
                if each is None:
                    continue
                for _ in each.grow(games):
                    late = time.monotonic() > last_sent + SECONDS_BETWEEN
                    if each.seconds > MAX_SECONDS:
                        break
                    if late and each is trial:
                        last_sent = time.monotonic()
                        yield self._with_comparison(request, trial, None, obstacle)
                    else:
                        yield None
            done = games == MAX_GAMES or any(each and each.seconds > MAX_SECONDS for each in (trial, other))
            if not done and trial.games >= MILESTONES[MILESTONES.index(games) + 1]:
                continue  # games of the cache
            yield {**self._with_comparison(request, trial, other, obstacle), "done": done}
            if done:
                return

    def _with_comparison(
        self, request: GamesRequest, trial: GameSample, other: GameSample | None, obstacle: str
    ) -> Mapping[str, Any]:
        """Describe a sample, and how it differs from another one if there is any. obstacle: why there is none."""
        data = dashboard.sample_statistics(trial, request.edition.file)
        if other is not None and min(trial.games, other.games) > 1:
            data["against"] = dashboard.differences(other, trial)
        return {**data, "lacking": obstacle, "wanted": MAX_GAMES, "done": False}

    def _sample(self, edition: Edition, table: TableRequest) -> GameSample:
        """Return a table's sample, from the cache with places as in the newest text, or a new one. Raises
        RulewrightError.
        """
        key = edition.play_digest, edition.file, table
        trial = self._samples.pop(key, None)
        if trial is None or not trial.relocate(edition):
            trial = GameSample(Rules(edition), table)
        self._samples[key] = trial
        while len(self._samples) > _MAX_CACHED_TABLES:
            del self._samples[next(iter(self._samples))]
        return trial
