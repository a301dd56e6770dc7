"""Results folders for tests: made from a few numbers, as spec/SIMULATION.md describes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rulewright.simulation.parquet_files import MARK
from rulewright.simulation.plan import Chunk, Plan

LINES = ("base", "bonus")
POWERS = ("wings", "claws")


def plan(settings: int = 1, **changed: Any) -> dict[str, Any]:
    """A run.json: four seats, the last a virtual player."""
    results = {
        "rulewright simulation": 1,
        "version": "0.1",
        "edition": {"name": "lake", "title": "The <b>Lake</b> & $x_1$", "hash": "abcdef0123456789"},
        "seats": [{"player": "random", "role": None}] * 3 + [{"player": "random", "role": "ghost"}],
        "settings": [{"limit": str(8 + 2 * number), "quick": "yes"} for number in range(settings)],
        "varied": ["limit"] if settings > 1 else [],
        "seed": 7,
        "games": 2000,
        "games per chunk": 200,
        "lines": [{"name": name, "title": name.capitalize()} for name in LINES],
        "measures": [{"name": "fish", "title": "Fish <left>"}],
        "powers": list(POWERS),
    }
    return results | changed


def write(folder: Path, lines: dict[str, Any], games: int | None = None, shift: float = 0.0, own: int = 0) -> Path:
    """A folder of results. shift: how many points setting 1 brings more than 0, and so on; own: luck of its own."""
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps(lines), encoding="utf-8")
    for number in range(len(lines["settings"])):
        for first in range(0, games or lines["games"], lines["games per chunk"]):
            count = min(lines["games per chunk"], (games or lines["games"]) - first)
            chunk(folder, lines, number, first, count, shift * number, own)
    return folder


def chunk(folder: Path, lines: dict[str, Any], setting: int, first: int, games: int, shift: float, own: int) -> None:
    """One chunk's three files: shuffles by game are the same for all settings, the rest is their own."""
    seats, scored = len(lines["seats"]), [not seat["role"] for seat in lines["seats"]]
    shared = np.random.default_rng([lines["seed"], first])
    alone = np.random.default_rng([lines["seed"], first, setting + 1, own])
    base = shared.poisson(20 + shift, (games, seats)) + alone.poisson(2, (games, seats))
    bonus = shared.poisson(5, (games, seats)) + np.array([1, *[0] * (seats - 1)])
    total = np.where(scored, base + bonus, -1)
    place = np.where(scored, 1 + (total[:, None, :] > total[:, :, None]).sum(axis=2), 0)
    winners = (place == 1).sum(axis=1)
    won = np.where(place == 1, 1 / np.maximum(winners, 1)[:, None], 0.0)
    ranked = -np.sort(-total, axis=1)
    margin = ranked[:, 0] - ranked[:, min(1, seats - 1)]
    game = np.arange(first, first + games)
    rounds = 8 + shared.integers(0, 3, games) + (alone.random(games) < 0.1 + 0.2 * setting)
    holdings = {name: shared.integers(0, 4, (games, seats)) for name in POWERS}
    tables = {
        "games": {
            "setting": pa.array([setting] * games, pa.int32()),
            "game": pa.array(game, pa.int64()),
            "seed": pa.array(game, pa.uint64()),
            "rounds": pa.array(rounds, pa.int32()),
            "decisions": pa.array(rounds * 5, pa.int32()),
            "lead_changes": pa.array(shared.poisson(2, games), pa.int32()),
            "margin": pa.array(margin, pa.int32(), mask=np.full(games, sum(scored) < 2)),
            "winners": pa.array(winners, pa.int8()),
            "tie_break": pa.array(shared.random(games) < 0.03),
        },
        "seats": {
            "setting": pa.array([setting] * games * seats, pa.int32()),
            "game": pa.array(np.repeat(game, seats), pa.int64()),
            "seat": pa.array(np.tile(np.arange(1, seats + 1), games), pa.int8()),
            "player": pa.array([seat["player"] for seat in lines["seats"]] * games),
            "role": pa.array([seat["role"] for seat in lines["seats"]] * games, pa.string()),
            "place": pa.array(place.ravel(), pa.int8()),
            "won": pa.array(won.ravel()),
            "total": _points(total, scored),
            "points: base": _points(base, scored),
            "points: bonus": _points(bonus, scored),
            "measure: fish": _points(shared.poisson(3, (games, seats)), scored),
            **{f"held: {name}": pa.array(values.ravel(), pa.int32()) for name, values in holdings.items()},
            "used: wings": pa.array((holdings["wings"] // 2).ravel(), pa.int32()),
        },
        "choices": choices(setting, alone, games, seats, won, total),
    }
    of = Chunk(setting, first, games)
    mark = {MARK: json.dumps(of.mark(Plan.from_json(json.dumps(lines)).identity)).encode()}
    for name, columns in tables.items():
        path = folder / name / f"{of.name}.parquet"
        path.parent.mkdir(exist_ok=True)
        pq.write_table(pa.table(columns).replace_schema_metadata(mark), path)


def choices(setting: int, rng: Any, games: int, seats: int, won: Any, total: Any) -> dict[str, Any]:
    """Every seat answers one decision of 15 answers once a game, and never gives the last."""
    rows: list[dict[str, Any]] = []
    for seat in range(seats):
        answer = np.minimum(rng.geometric(0.3, games) - 1, 13)
        for number in range(15):
            choice = answer == number
            row = {"setting": setting, "seat": seat + 1, "player": "random", "decision": "d/ask", "step": "ask"}
            row |= {"choice": f"option {number}", "offered": games, "chosen": int(choice.sum())}
            row |= {"games_offered": games, "games_chosen": int(choice.sum())}
            for name, values in (("won", won), ("points", total), ("squares", total**2)):
                row |= {f"{name}_offered": values[:, seat].sum(), f"{name}_chosen": values[choice, seat].sum()}
            rows.append(row)
    return {name: [row[name] for row in rows] for name in rows[0]}


def _points(values: Any, scored: Any) -> pa.Array:
    return pa.array(values.ravel(), pa.int32(), mask=np.broadcast_to(~np.array(scored), values.shape).ravel())


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
