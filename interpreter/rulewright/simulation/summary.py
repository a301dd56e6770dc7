"""What a run came to, in a few lines."""

from __future__ import annotations

from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq

from rulewright.simulation import folder
from rulewright.simulation.rows import GAMES, SEATS
from rulewright.simulation.statistics import mean, share


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
            won, points = share(own["won"].to_numpy()), mean(own["total"].to_numpy())
            lines.append(
                f"{name}: wins {won.value:.1%} ({won.low:.1%} to {won.high:.1%}), "
                f"{points.value:.1f} points (± {points.high - points.value:.1f})"
            )
    return "\n".join(lines)
