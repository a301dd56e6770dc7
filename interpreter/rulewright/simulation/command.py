"""Running of the command `simulate`: plan a run, play the missing chunks, and save them."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import TextIO

from rulewright.base.diagnostics import readable
from rulewright.base.records import record
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Argument, Phrase, Speech, english, phrase
from rulewright.players.seating import Seat
from rulewright.program.form import Program
from rulewright.simulation import folder, planning, results, settings
from rulewright.simulation.chunk_player import Work
from rulewright.simulation.finished_chunks import Done, RunGathering, finished
from rulewright.simulation.folder import AnotherRunError, Folder
from rulewright.simulation.plan import MOST_GAMES, Chunk, Plan, PlanError
from rulewright.simulation.progress import Progress
from rulewright.simulation.results import ResultsFolder

USUAL_GAMES, USUAL_SEED = 1000, 1
MOST_PROCESSES = 1000
INTERRUPTED = 130


@record
class Wanted:
    """Parameters of a run; None stands for the usual value.

    cluster: address of a Dask scheduler; played: files of games to count instead; own: add the unchanged edition as a
    setting in any case, not only if something has several values; speech: language of the reader.
    """

    edition: str
    games: int | None = None
    seats: str | None = None
    options: Sequence[str] = ()
    seed: int | None = None
    out: Path | None = None
    processes: int | None = None
    cluster: str | None = None
    played: Sequence[str] = ()
    quiet: bool = False
    own: bool = True
    speech: Speech = field(default_factory=english)


@record
class SimulatedRun:
    """Run in its folder.

    status: exit status of the command, 0 if all games are there; program: of its first setting; gathered: samples of
    the games that were played now, if those are all.
    """

    path: Path
    status: int
    rules: Rules
    program: Program
    gathered: RunGathering

    @property
    def results(self) -> ResultsFolder:
        """Read and check the results. Raises ResultsError."""
        found = results.read(self.path)
        self.gathered.tell(found)
        return found


def usual_processes() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _tell(wanted: Wanted, told: Argument, out: TextIO, indent: str = "") -> None:
    print(indent + readable(wanted.speech.say(told)), file=out)


def play(wanted: Wanted) -> SimulatedRun:
    """Play the missing chunks of a run. Raises RulewrightError."""
    _check(wanted)
    rules = library.load(wanted.edition)
    work = _work(wanted, rules, _seats(wanted, rules)) if not wanted.played else _saved(wanted, rules)
    plan = work.plan
    path, plan = _settled(wanted, rules, plan)
    if not plan.per_chunk:
        plan = replace(plan, per_chunk=work.games_per_chunk())
    work = replace(work, plan=plan)
    kept = Folder(path, plan)
    with kept.opened():
        gathered = RunGathering()
        return SimulatedRun(path, _play(wanted, work, kept, gathered), rules, work.tables[0].program, gathered)


def _settled(wanted: Wanted, rules: Rules, plan: Plan) -> tuple[Path, Plan]:
    """Return the folder of a run, and its plan as it can be carried out there.

    If nobody named a folder, a run that differs from the existing ones, such as one with changed rules, gets a folder
    of its own.
    """
    if wanted.out is not None:
        return wanted.out, folder.settled(wanted.out, plan)
    usual, number = f"{_file_name(rules.name)}-{plan.seed}", 1
    while True:
        path = Path("simulations") / (usual if number == 1 else f"{usual}-{number}")
        with suppress(AnotherRunError):
            return path, folder.settled(path, plan)
        number += 1


def _play(wanted: Wanted, work: Work, kept: Folder, gathered: RunGathering) -> int:
    plan, there = work.plan, kept.finished()
    missing = [chunk for chunk in plan.chunks() if chunk not in there]
    total, done = plan.games * len(plan.settings), sum(chunk.games for chunk in there)
    told = None if wanted.quiet else sys.stderr
    if told is not None:
        if work.notice:
            _tell(wanted, work.notice, told)
        if done:
            _tell(wanted, _already(kept.path, done, total), told)
    progress = Progress(total, done, told, wanted.speech)
    try:
        for chunk, found in _played(wanted, work, missing):
            kept.keep(chunk, found.files)
            if not there:
                gathered.add(chunk, found.gathered)
            done += chunk.games
            progress.add(chunk.games)
    except KeyboardInterrupt:
        progress.close()
        stopped = phrase(
            "simulation",
            "{program}: stopped. {done} of {total} games are kept in {path}; the same command goes on with them.",
            program="rulewright",
            done=done,
            total=total,
            path=shlex.quote(str(kept.path)),
        )
        _tell(wanted, stopped, sys.stderr)
        return INTERRUPTED
    finally:
        progress.close()
    assert done == total, f"{done} of {total} games were played"
    return 0


def _already(path: Path, done: int, total: int) -> Phrase:
    if done == total:
        return phrase("simulation", "'{path}' has all games already.", path=str(path))
    slots: dict[str, Argument] = {"path": str(path), "done": done, "total": total}
    return phrase("simulation", "'{path}' has {done} of {total} games already.", **slots)


def _played(wanted: Wanted, work: Work, chunks: Sequence[Chunk]) -> Iterator[Done]:
    processes = wanted.processes or usual_processes()
    if wanted.played or (wanted.cluster is None and (processes == 1 or len(chunks) < 2)):
        return ((chunk, finished(work, chunk)) for chunk in chunks)
    if wanted.cluster is None:
        from rulewright.simulation import workers  # noqa: PLC0415 - one process needs nothing of it

        return workers.played(work, chunks, processes)
    try:
        from rulewright.simulation import cluster  # noqa: PLC0415 - an extra that few have
    except ImportError:
        install = "pip install 'rulewright[cluster]'"
        raise PlanError(phrase("errors", "A cluster needs Dask: {command}.", command=install)) from None
    return cluster.played(work, chunks, wanted.cluster)


# ── planning ──


def _check(wanted: Wanted) -> None:
    numbers = (("--games", wanted.games, MOST_GAMES), ("--processes", wanted.processes, MOST_PROCESSES))
    for option, given, most in numbers:
        if given is not None and not 1 <= given <= most:
            slots: dict[str, Argument] = {"option": option, "most": most, "given": given}
            raise PlanError(phrase("errors", "{option} is a whole number from 1 to {most}, not {given}.", **slots))
    others: dict[str, object] = {"--games": wanted.games, "--seats": wanted.seats, "--option": wanted.options}
    others |= {"--seed": wanted.seed, "--processes": wanted.processes, "--cluster": wanted.cluster}
    if wanted.played and (idle := [option for option, value in others.items() if value not in (None, [], ())]):
        raise PlanError(
            phrase(
                "errors",
                "{option} is for editions that are simulated; the games in '{path}' are played already.",
                option=idle[0],
                path=wanted.played[0],
            )
        )
    if wanted.processes is not None and wanted.cluster is not None:
        raise PlanError(phrase("errors", "With --cluster the cluster's workers play: leave out --processes."))


def _seats(wanted: Wanted, rules: Rules) -> list[Seat]:
    return planning.seats(rules, wanted.seats)


def _work(wanted: Wanted, rules: Rules, seats: Sequence[Seat]) -> Work:
    """Return the plan, with its size of chunks still open (0), and all that is needed to play it."""
    asked: Sequence[Mapping[str, str]] = settings.settings(rules, wanted.options)
    chosen = settings.with_own(rules, asked) if wanted.own or len(asked) > 1 else asked
    seats, policies, notices = planning.with_policies(rules, seats)
    if not wanted.quiet:
        for notice in notices:
            _tell(wanted, notice, sys.stderr)
    settled = not policies  # they have learned a table of any options
    tables = [planning.table(rules, seats, setting, settled) for setting in chosen]
    plan = _plan(wanted, rules, seats, chosen, tables[0].program)
    own = settings.own_values(rules, chosen[0])
    return Work(replace(plan, own=own, own_asked=len(chosen) == len(asked)), tuple(tables), policies)


def _plan(
    wanted: Wanted, rules: Rules, seats: Sequence[Seat], chosen: Sequence[Mapping[str, str]], program: Program
) -> Plan:
    seed = USUAL_SEED if wanted.seed is None else wanted.seed
    return planning.plan(rules, seats, chosen, program, seed, wanted.games or USUAL_GAMES)


def _saved(wanted: Wanted, rules: Rules) -> Work:
    """Return the run of games that were played at a table. Raises RulewrightError."""
    from rulewright.simulation import saved_games  # noqa: PLC0415 - simulations need no games at tables

    games = saved_games.read(wanted.played, rules)
    seats, setting = saved_games.seats(games[0]), games[0].options
    # As at a table of people, where the answers were given.
    table = planning.table(rules, seats, setting, settled=False)
    return saved_games.work(_plan(wanted, rules, seats, [setting], table.program), table, games)


def _file_name(name: str) -> str:
    """Turn the name of an edition, or of its file, into a part of a file name."""
    return re.sub(r"[^\w-]+", "-", re.sub(r"\.ya?ml$", "", name)).strip("-")[-80:] or "run"
