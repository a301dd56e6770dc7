"""The process that plays games while somebody writes: one, at low priority, that heeds at once what is wanted next."""

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
from rulewright.model.declarations import Edition
from rulewright.workbench.statistics import dashboard, goal_search, value_sweep
from rulewright.workbench.statistics.game_sample import MOST_GAMES, Trial
from rulewright.workbench.statistics.sample_requests import GamesWanted, TableWanted

MILESTONES = (100, 300, 1000, 3000, MOST_GAMES)
"""Numbers of games after which figures are told."""

SECONDS = 10
"""Of the processor's time, for one table; where games take long, there are fewer."""

SECONDS_BETWEEN = 3.0
"""After so long figures are told, however few games are new."""

_MOST_KEPT = 16  # tables whose games are kept, for who goes back and forth
_LOWER = 10  # in priority than what people wait for


def serve(line: Connection) -> None:
    """Plays what is wanted, as bytes of `GamesWanted`, and sends (key, kind, what came of it): 'taken' for what has
    arrived, 'figures', 'curve', 'search', 'failed', 'rest' when nothing is left to do. Ends with the line."""
    with suppress(AttributeError, OSError):
        os.nice(_LOWER)
    playing = Playing()
    with suppress(EOFError, OSError):
        while True:
            wanted: GamesWanted | None = pickle.loads(line.recv_bytes())
            line.send(("" if wanted is None else wanted.key, "taken", None))
            for told in playing.told(wanted) if wanted is not None else ():
                if told is not None:
                    line.send(told)
                if line.poll():
                    break


class Playing:
    """What has been played already, of the last few tables."""

    def __init__(self) -> None:
        self._trials: dict[tuple[str, str, TableWanted], Trial] = {}

    def told(self, wanted: GamesWanted) -> Iterator[tuple[str, str, Mapping[str, Any]] | None]:
        """All that is to be told, one after the other; None where others may be heeded."""
        try:
            for found in self._figures(wanted):
                yield None if found is None else (wanted.key, "figures", found)
            if wanted.curve is not None:
                figure = wanted.edition.figures[wanted.curve.value]
                now = int(dict(wanted.table.setting).get(wanted.curve.value, figure.body.text))

                def trial(table: TableWanted) -> Trial:
                    return self._trial(wanted.edition, table)

                for found in value_sweep.curve(wanted.curve, now, wanted.table, trial):
                    told = found and {**found, "value": wanted.curve.value, "now": now}
                    yield None if told is None else (wanted.key, "curve", told)
            if wanted.search is not None:
                for looked in goal_search.looked_for(wanted.edition, wanted.table, wanted.search):
                    yield wanted.key, "search", looked
        except RulewrightError as error:
            yield wanted.key, "failed", {"text": str(error)}
        yield wanted.key, "rest", {}

    def _figures(self, wanted: GamesWanted) -> Iterator[Mapping[str, Any] | None]:
        trial = self._trial(wanted.edition, wanted.table)
        other, lacking = None, ""
        if wanted.against is not None:
            try:
                other = self._trial(wanted.against, wanted.table)
            except RulewrightError as error:  # the other edition has no such table
                lacking = str(error)
        for games in MILESTONES:
            told = time.monotonic()
            for each in (trial, other):
                if each is None:
                    continue
                for _ in each.grow(games):
                    late = time.monotonic() > told + SECONDS_BETWEEN
                    if each.seconds > SECONDS:
                        break
                    if late and each is trial:
                        told = time.monotonic()
                        yield self._told(wanted, trial, None, lacking)
                    else:
                        yield None
            done = games == MOST_GAMES or any(each and each.seconds > SECONDS for each in (trial, other))
            if not done and trial.games >= MILESTONES[MILESTONES.index(games) + 1]:
                continue  # played already
            yield {**self._told(wanted, trial, other, lacking), "done": done}
            if done:
                return

    def _told(self, wanted: GamesWanted, trial: Trial, other: Trial | None, lacking: str) -> Mapping[str, Any]:
        told = dashboard.figures(trial, wanted.edition.file)
        if other is not None and min(trial.games, other.games) > 1:
            told["against"] = dashboard.differences(other, trial)
        return {**told, "lacking": lacking, "wanted": MOST_GAMES, "done": False}

    def _trial(self, edition: Edition, table: TableWanted) -> Trial:
        """The games of a table, with places as in the newest text. Raises RulewrightError."""
        key = edition.plays, edition.file, table
        trial = self._trials.pop(key, None)
        if trial is None or not trial.written_as(edition):
            trial = Trial(Rules(edition), table)
        self._trials[key] = trial
        while len(self._trials) > _MOST_KEPT:
            del self._trials[next(iter(self._trials))]
        return trial
