"""What a run came to, in a few lines."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq

from rulewright.simulation import folder
from rulewright.simulation.rows import GAMES, SEATS

_CERTAINTY = 1.959964  # standard deviations on either side, of which 95 % of a normal distribution lie within


def summary(path: Path) -> str:
    """The run in a folder, by setting and seat. Raises FolderError."""
    plan = folder.read(path)
    games, seats = (pq.read_table(path / table) for table in (GAMES, SEATS))
    lines: list[str] = []
    for number, described in enumerate(plan.described):
        of = pc.field("setting") == number
        here, sitting = games.filter(of), seats.filter(of)
        if not here.num_rows:
            continue
        shared = pc.mean(pc.greater(here["winners"], 1)).as_py()
        head = f"{described}: " if described else ""
        lines.append(
            f"{head}{here.num_rows:,} games of {pc.mean(here['rounds']).as_py():.1f} rounds; "
            f"the lead changes {pc.mean(here['lead_changes']).as_py():.1f} times; {shared:.1%} end in a shared win"
        )
        for seat, player in enumerate(plan.seats, 1):
            own = sitting.filter(pc.field("seat") == seat)
            name = f"  seat {seat} ({player.role or player.player})"
            if own["total"].null_count:
                lines.append(f"{name}: not scored")
                continue
            won = pc.sum(own["won"]).as_py()
            low, high = wilson(won, own.num_rows)
            mean, error = pc.mean(own["total"]).as_py(), pc.stddev(own["total"]).as_py() / sqrt(own.num_rows)
            lines.append(
                f"{name}: wins {won / own.num_rows:.1%} ({low:.1%} to {high:.1%}), "
                f"{mean:.1f} points (± {_CERTAINTY * error:.1f})"
            )
    return "\n".join(lines)


def wilson(won: float, games: int) -> tuple[float, float]:
    """The share that is won, as an interval that holds it in 95 of 100 such runs.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
    """
    z = _CERTAINTY**2 / games
    share = won / games
    middle, half = share + z / 2, sqrt(z * (share * (1 - share) + z / 4))
    return (middle - half) / (1 + z), (middle + half) / (1 + z)
