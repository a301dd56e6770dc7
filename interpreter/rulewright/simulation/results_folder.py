"""Results of a simulation, read from its folder and checked; spec/SIMULATION.md describes the files.

Folders come from anywhere: nothing in them is trusted, executed or used as a path.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rulewright.i18n.localizer import phrase
from rulewright.simulation import folder as run
from rulewright.simulation.parquet_files import DamagedError, read_description
from rulewright.simulation.plan import Chunk, Plan
from rulewright.simulation.results import ChunkFile, ResultsError, SettingResults

_MAX_ROWS = 100_000_000
"""Maximum number of rows of a chunk's table of seats."""
_CHUNK = re.compile(r"(\d{1,9})-(\d{1,18})\.parquet", re.ASCII)
"""Name of a chunk's file: number of its setting, and of its first game."""


class ResultsFolder:
    """Results folder. settings: those with finished games, in the order of their numbers."""

    def __init__(self, folder: Path, plan: Plan, settings: Sequence[SettingResults]) -> None:
        self.folder, self.plan, self.settings = folder, plan, settings

    @property
    def games(self) -> int:
        """Number of all finished games."""
        return sum(setting.played for setting in self.settings)


def read(folder: Path) -> ResultsFolder:
    """Read and check the results in a folder. Raises ResultsError, FolderError and DamagedError if there are none, or
    damaged ones."""
    if not folder.is_dir():
        raise ResultsError(phrase("errors", "There is no folder '{path}'.", path=str(folder)))
    plan = run.read(folder)
    chunks: dict[int, list[ChunkFile]] = {number: [] for number in range(len(plan.settings))}
    for file in sorted(_files(folder)):
        match = _CHUNK.fullmatch(file)
        if match is None:
            continue
        setting, first = int(match[1]), int(match[2])
        if setting not in chunks:
            raise ResultsError(
                phrase(
                    "errors",
                    "'{path}' has games of a setting {number}, which its {file} does not know.",
                    path=str(folder),
                    number=str(setting),
                    file=run.PLAN,
                )
            )
        marks = {folder / table / file: read_description(folder / table / file, table) for table in run.TABLES}
        games = next(iter(marks.values())).get("games")
        if type(games) is not int or not 0 < games <= min(plan.per_chunk, _MAX_ROWS // len(plan.seats)):
            raise DamagedError(folder / run.TABLES[0] / file, f"it has not 1 to {plan.per_chunk:,} games")
        expected = Chunk(setting, first, games).mark(plan.identity)
        if foreign := [str(path) for path, description in marks.items() if description != expected]:
            raise ResultsError(phrase("errors", "'{path}' belongs to another run; take it away.", path=foreign[0]))
        chunks[setting].append(ChunkFile(first, file, games))
    settings = [
        SettingResults(folder, plan, number, sorted(chunk_files, key=lambda chunk: chunk.first))
        for number, chunk_files in chunks.items()
        if chunk_files
    ]
    if not settings:
        raise ResultsError(
            phrase(
                "errors",
                "No game in '{path}' is finished yet. The same '{command}' again goes on.",
                path=str(folder),
                command="rulewright simulate",
            )
        )
    for each in settings:
        each.check()
    return ResultsFolder(folder, plan, settings)


def _files(folder: Path) -> set[str]:
    """Return the names of complete chunks: those in all three tables."""
    try:
        return set.intersection(*({path.name for path in (folder / table).iterdir()} for table in run.TABLES))
    except FileNotFoundError:
        return set()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ResultsError(phrase("errors", "'{path}' cannot be read: {why}.", path=str(folder), why=reason)) from None
