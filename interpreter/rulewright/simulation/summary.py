"""What a run came to, in a few lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq

from rulewright.languages.speech import Argument, Figure, Phrase, phrase
from rulewright.simulation import folder
from rulewright.simulation.quantities import decimals
from rulewright.simulation.rows import GAMES, SEATS
from rulewright.simulation.statistics import mean, share

_INDENT = "  "


def summary(path: Path) -> Iterator[tuple[str, Phrase]]:
    """The run in a folder, by setting and seat, in lines, each after its indent. Raises FolderError."""
    plan = folder.read(path)
    games, seats = (pq.read_table(path / table) for table in (GAMES, SEATS))
    for number, described in enumerate(plan.described):
        of = pc.field("setting") == number
        here, sitting = games.filter(of), seats.filter(of)
        if not here.num_rows:
            continue
        shared = pc.mean(pc.greater(here["winners"], 1)).as_py()
        yield (
            "",
            phrase(
                "simulation",
                "{setting} {games} [game|games] of {rounds} rounds; the lead changes {changes} times; {shared} end in "
                "a shared win",
                setting=f"{described}:" if described else "",
                games=here.num_rows,
                rounds=Figure(pc.mean(here["rounds"]).as_py()),
                changes=Figure(pc.mean(here["lead_changes"]).as_py()),
                shared=Figure(shared, percent=True),
            ),
        )
        for seat, player in enumerate(plan.seats, 1):
            own = sitting.filter(pc.field("seat") == seat)
            who: dict[str, Argument] = {"seat": seat, "player": player.role or player.player}
            if own["total"].null_count:
                yield _INDENT, phrase("simulation", "seat {seat} ({player}): not scored", **who)
                continue
            won, points = share(own["won"].to_numpy()), mean(own["total"].to_numpy())
            of_won, of_points = max(1, decimals(won, shares=True)), max(1, decimals(points))
            yield (
                _INDENT,
                phrase(
                    "simulation",
                    "seat {seat} ({player}): wins {won} ({low} to {high}), {points} points (± {more})",
                    **who,
                    won=Figure(won.value, of_won, percent=True),
                    low=Figure(won.low, of_won, percent=True),
                    high=Figure(won.high, of_won, percent=True),
                    points=Figure(points.value, of_points),
                    more=Figure(points.high - points.value, of_points),
                ),
            )
