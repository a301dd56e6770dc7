"""Folder of a run: finished chunks are kept, and foreign files are refused."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulewright.base import files
from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.simulation.parquet_files import CHOICES, GAMES, SEATS, read_description
from rulewright.simulation.plan import MAX_FILE_SIZE, Chunk, Plan, PlanError

PLAN = "run.json"
"""File of a run's plan."""
TABLES = (GAMES, SEATS, CHOICES)
"""Names of the tables of a run; each chunk has a file of each."""


class FolderError(RulewrightError):
    """Raised for a folder that cannot be used, or holds something else."""


class AnotherRunError(FolderError):
    """Raised for a folder that holds another run."""


def read(path: Path) -> Plan:
    """Read the plan of the run in a folder. Raises FolderError."""
    file = path / PLAN
    try:
        content = files.read(file, MAX_FILE_SIZE + 1)
        if len(content) > MAX_FILE_SIZE:
            raise PlanError(phrase("errors", "it is too large"))
        return Plan.from_json(content.decode())
    except FileNotFoundError:
        slots = {"path": str(path), "file": PLAN}
        raise FolderError(phrase("errors", "There is no simulation in '{path}': it has no {file}.", **slots)) from None
    except UnicodeDecodeError:
        raise FolderError(_unusable(file, phrase("errors", "it is damaged"))) from None
    except PlanError as error:
        raise FolderError(_unusable(file, error.args[0])) from None
    except OSError as error:
        raise FolderError(_unreadable(file, error)) from None


def _unusable(path: Path, reason: Phrase) -> Phrase:
    """Return the message on a file that cannot be used."""
    return phrase("errors", "'{path}' cannot be used: {why}.", path=str(path), why=reason)


def _unreadable(path: Path, error: OSError) -> Phrase:
    """Return the message on a file that cannot be read."""
    return phrase("errors", "'{path}' cannot be read: {why}.", path=str(path), why=_reason(error))


def fit_plan(path: Path, plan: Plan) -> Plan:
    """Return the plan as a folder allows it: with the chunk size of an existing run, and with its name of the edition.
    Raises FolderError if the folder holds something else or a run of more games, AnotherRunError if it holds another
    run. Nothing is written."""
    if not os.path.lexists(path):
        return plan
    if not path.is_dir():
        raise FolderError(phrase("errors", "'{path}' is no folder.", path=str(path)))
    try:
        if not (path / PLAN).exists() and not all(files.is_draft(entry.name) for entry in path.iterdir()):
            raise FolderError(
                phrase(
                    "errors",
                    "'{path}' holds something else than a simulation. Choose another folder with --out.",
                    path=str(path),
                )
            )
    except OSError as error:
        raise FolderError(_unreadable(path, error)) from None
    if not (path / PLAN).exists():
        return plan
    existing = read(path)
    plan = replace(plan, edition=existing.edition, per_chunk=existing.per_chunk) if plan.hash == existing.hash else plan
    if differences := existing.differences(plan):
        raise AnotherRunError(
            phrase(
                "errors",
                "'{path}' holds another run; what differs: {differences}. Choose another folder with --out, or give "
                "the same as then to go on with it.",
                path=str(path),
                differences=tuple(differences),
            )
        )
    if plan.identity != existing.identity:
        raise FolderError(_unusable(path / PLAN, phrase("errors", "it is damaged")))
    if plan.games < existing.games:
        raise FolderError(
            phrase(
                "errors",
                "'{path}' is a run of {games} games already: give {option} or more, or choose another folder with "
                "--out.",
                path=str(path),
                games=existing.games,
                option=f"--games {existing.games}",
            )
        )
    return plan


class Folder:
    """Folder of a run while it is played, locked against other processes. Raises FolderError."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = path, plan

    @contextlib.contextmanager
    def open(self) -> Iterator[None]:
        """Create the folder if necessary, lock it for this context, and write the plan. Raises FolderError, also if
        another process has locked it."""
        with contextlib.ExitStack() as stack:
            with self._errors_of_writing(self.path):
                self.path.mkdir(parents=True, exist_ok=True)
            self._lock_until_closed(stack)
            text = json.dumps(self.plan.to_json(), ensure_ascii=False, indent=1)
            with self._errors_of_writing(self.path / PLAN):
                files.replace(self.path / PLAN, text.encode())
            with self._errors_of_writing(self.path):
                for table in TABLES:
                    (self.path / table).mkdir(exist_ok=True)
            yield

    def _lock_until_closed(self, stack: contextlib.ExitStack) -> None:
        """Lock the folder for this process until the stack closes. Raises FolderError."""
        try:
            stack.enter_context(files.lock(self.path))
        except BlockingIOError:
            message = phrase(
                "errors", "Another simulation is writing to '{path}'; wait until it is done.", path=str(self.path)
            )
            raise FolderError(message) from None

    def file(self, table: str, chunk: Chunk) -> Path:
        """Return the file of a chunk's table."""
        return self.path / table / f"{chunk.name}.parquet"

    def save(self, chunk: Chunk, tables: Mapping[str, bytes]) -> None:
        """Write the tables of a chunk, which is finished when all of them are there. tables: by name. Raises
        FolderError."""
        for table in TABLES:
            file = self.file(table, chunk)
            with self._errors_of_writing(file):
                files.replace(file, tables[table])

    def finished(self) -> set[Chunk]:
        """Return the chunks that need not be played: with all their games, in all tables. Raises FolderError for
        foreign files, DamagedError for damaged ones."""
        chunks = {chunk.name: chunk for chunk in self.plan.chunks()}
        marks: dict[Chunk, list[int]] = {}
        for table in TABLES:
            for file in sorted((self.path / table).glob("*.parquet")):
                chunk = chunks.get(file.stem)
                if chunk is None:
                    message = phrase("errors", "'{path}' does not belong to this run; take it away.", path=str(file))
                    raise FolderError(message)
                marks.setdefault(chunk, []).append(self._games(file, table, chunk))
        return {chunk for chunk, games in marks.items() if games == [chunk.games] * len(TABLES)}

    def _games(self, file: Path, table: str, chunk: Chunk) -> int:
        """Return the number of games in a chunk's file: fewer than planned, if the run has become longer. Raises
        FolderError, DamagedError."""
        description = read_description(file, table)
        games: Any = description.get("games")
        if description != {**chunk.mark(self.plan.identity), "games": games} or type(games) is not int:
            raise FolderError(phrase("errors", "'{path}' belongs to another run; take it away.", path=str(file)))
        return games

    @contextlib.contextmanager
    def _errors_of_writing(self, path: Path) -> Iterator[None]:
        """Turn errors of writing in this context into FolderError."""
        try:
            yield
        except (OSError, ValueError) as error:
            message = phrase("errors", "'{path}' cannot be written: {why}.", path=str(path), why=_reason(error))
            raise FolderError(message) from None


def _reason(error: Exception) -> str:
    """Return why a file cannot be used, in the system's words."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
