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
from time import monotonic
from typing import TextIO

from rulewright.base.diagnostics import readable
from rulewright.base.records import record
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Argument, Localizer, Phrase, english, phrase
from rulewright.players.seating import Seat
from rulewright.program.form import Program
from rulewright.simulation import folder, insight_texts, planning, results_folder, settings
from rulewright.simulation.chunk_player import Work
from rulewright.simulation.finished_chunks import PlayedChunk, RunGathering, play_chunk
from rulewright.simulation.folder import AnotherRunError, Folder
from rulewright.simulation.insight import InsightGames
from rulewright.simulation.plan import MAX_GAMES, Chunk, Plan, PlanError
from rulewright.simulation.progress import Progress
from rulewright.simulation.report_names import words_of
from rulewright.simulation.report_texts import ReportTexts
from rulewright.simulation.results_folder import ResultsFolder

USUAL_GAMES, USUAL_SEED = 1000, 1
"""Values of a run that does not say them."""
MAX_PROCESSES = 1000
"""Maximum number of processes that may be asked for."""
INTERRUPTED = 130
"""Exit status after Ctrl-C."""


@record
class RunRequest:
    """Parameters of a run; None stands for the usual value.

    - cluster: address of a Dask scheduler
    - played: files of saved games to count instead
    - own: whether to add the unchanged edition as a setting even if only one is asked for
    - localizer: language of the reader
    - out: folder of the run
    - quiet: nothing is told of the progress
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
    localizer: Localizer = field(default_factory=english)


@record
class SimulatedRun:
    """Run in its folder. status: exit status of the command, 0 if all games are there; program: of its first setting;
    gathering: samples of the games played now, if these are all."""

    path: Path
    status: int
    rules: Rules
    program: Program
    gathering: RunGathering

    @property
    def results(self) -> ResultsFolder:
        """Read and check the results, at each use. Raises ResultsError, FolderError, DamagedError."""
        folder = results_folder.read(self.path)
        self.gathering.preload(folder)
        return folder


def usual_processes() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _print(request: RunRequest, message: Argument, out: TextIO) -> None:
    """Print a message in the reader's language."""
    print(readable(request.localizer.say(message)), file=out)


def play(request: RunRequest) -> SimulatedRun:
    """Play the missing chunks of a run, save each, and tell the progress on stderr unless it is to be quiet. After
    Ctrl-C the status is INTERRUPTED; what is finished stays. Raises RulewrightError."""
    _check(request)
    rules = library.load(request.edition)
    work = (
        _work(request, rules, planning.seats(rules, request.seats))
        if not request.played
        else _saved_work(request, rules)
    )
    plan = work.plan
    path, plan = _choose_folder(request, rules, plan)
    if not plan.per_chunk:
        plan = replace(plan, per_chunk=work.games_per_chunk())
    work = replace(work, plan=plan)
    run_folder = Folder(path, plan)
    with run_folder.open():
        gathered = RunGathering()
        return SimulatedRun(
            path, _play_missing(request, work, run_folder, gathered), rules, work.tables[0].program, gathered
        )


def play_for_insight(request: RunRequest, minutes: float) -> list[str]:
    """Play for some minutes and return in sentences what players that think show of a game. Raises RulewrightError."""
    rules = library.load(request.edition)
    seats = planning.seats(rules, request.seats)
    all_settings = settings.settings(rules, request.options)
    if len(all_settings) > 1:
        raise PlanError(phrase("errors", "Insight is into one game: give each option one value."))
    setting = planning.compile_setting(rules, seats, all_settings[0])
    seed = USUAL_SEED if request.seed is None else request.seed
    games = InsightGames(setting, [seat.player for seat in seats], seed)
    with suppress(KeyboardInterrupt):
        games.play(monotonic() + 60 * minutes, request.games or MAX_GAMES)
    plan = planning.plan(rules, seats, all_settings, setting.program, seed, 1)
    words = words_of(plan, request.localizer, [rules], setting.program)
    return insight_texts.sentences(ReportTexts([], request.localizer), words, plan, games.insight())


def _choose_folder(request: RunRequest, rules: Rules, plan: Plan) -> tuple[Path, Plan]:
    """Return the folder of a run, and its plan as it can be carried out there.

    If nobody named a folder, a run that differs from the existing ones, such as one with changed rules, gets a folder
    of its own. Raises FolderError if the named one has another run.
    """
    if request.out is not None:
        return request.out, folder.fit_plan(request.out, plan)
    usual, number = f"{_file_name(rules.name)}-{plan.seed}", 1
    while True:
        path = Path("simulations") / (usual if number == 1 else f"{usual}-{number}")
        with suppress(AnotherRunError):
            return path, folder.fit_plan(path, plan)
        number += 1


def _play_missing(request: RunRequest, work: Work, run_folder: Folder, gathered: RunGathering) -> int:
    """Play the chunks that the folder does not have yet, save each, and tell the progress; return the exit status.
    gathered: gets the samples of the games, if the folder had none."""
    plan, finished_chunks = work.plan, run_folder.finished()
    missing = [chunk for chunk in plan.chunks() if chunk not in finished_chunks]
    total, done = plan.games * len(plan.settings), sum(chunk.games for chunk in finished_chunks)
    progress_out = None if request.quiet else sys.stderr
    if progress_out is not None:
        if work.notice:
            _print(request, work.notice, progress_out)
        if done:
            _print(request, _already_played(run_folder.path, done, total), progress_out)
    progress = Progress(total, done, progress_out, request.localizer)
    try:
        for chunk, result in _play_chunks(request, work, missing):
            run_folder.save(chunk, result.files)
            if not finished_chunks:
                gathered.add(chunk, result.gathered)
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
            path=shlex.quote(str(run_folder.path)),
        )
        _print(request, stopped, sys.stderr)
        return INTERRUPTED
    finally:
        progress.close()
    assert done == total, f"{done} of {total} games were played"
    return 0


def _already_played(path: Path, done: int, total: int) -> Phrase:
    """Return a note on how many games a folder has already."""
    if done == total:
        return phrase("simulation", "'{path}' has all games already.", path=str(path))
    slots: dict[str, Argument] = {"path": str(path), "done": done, "total": total}
    return phrase("simulation", "'{path}' has {done} of {total} games already.", **slots)


def _play_chunks(request: RunRequest, work: Work, chunks: Sequence[Chunk]) -> Iterator[PlayedChunk]:
    """Yield chunks as they are played: in this process, in several, or on a cluster. Raises PlanError without Dask,
    WorkersError, ClusterError."""
    processes = request.processes or usual_processes()
    if request.played or (request.cluster is None and (processes == 1 or len(chunks) < 2)):
        return ((chunk, play_chunk(work, chunk)) for chunk in chunks)
    if request.cluster is None:
        from rulewright.simulation import workers  # noqa: PLC0415 - one process needs nothing of it

        return workers.play_chunks(work, chunks, processes)
    try:
        from rulewright.simulation import cluster  # noqa: PLC0415 - an extra that few have
    except ImportError:
        install = "pip install 'rulewright[cluster]'"
        raise PlanError(phrase("errors", "A cluster needs Dask: {command}.", command=install)) from None
    return cluster.play_chunks(work, chunks, request.cluster)


# ── planning ──


def _check(request: RunRequest) -> None:
    """Raise PlanError for parameters that are impossible or contradict each other."""
    numbers = (("--games", request.games, MAX_GAMES), ("--processes", request.processes, MAX_PROCESSES))
    for option, value, most in numbers:
        if value is not None and not 1 <= value <= most:
            slots: dict[str, Argument] = {"option": option, "most": most, "given": value}
            raise PlanError(phrase("errors", "{option} is a whole number from 1 to {most}, not {given}.", **slots))
    others: dict[str, object] = {"--games": request.games, "--seats": request.seats, "--option": request.options}
    others |= {"--seed": request.seed, "--processes": request.processes, "--cluster": request.cluster}
    if request.played and (
        idle := [option for option, option_value in others.items() if option_value not in (None, [], ())]
    ):
        raise PlanError(
            phrase(
                "errors",
                "{option} is for editions that are simulated; the games in '{path}' are played already.",
                option=idle[0],
                path=request.played[0],
            )
        )
    if request.processes is not None and request.cluster is not None:
        raise PlanError(phrase("errors", "With --cluster the cluster's workers play: leave out --processes."))


def _work(request: RunRequest, rules: Rules, seats: Sequence[Seat]) -> Work:
    """Return the plan, with its size of chunks still open (0), and all that is needed to play it; print notices about
    trained players on stderr. Raises RulewrightError."""
    requested: Sequence[Mapping[str, str]] = settings.settings(rules, request.options)
    all_settings = settings.with_own(rules, requested) if request.own or len(requested) > 1 else requested
    seats, policies, notices = planning.with_policies(rules, seats)
    if not request.quiet:
        for notice in notices:
            _print(request, notice, sys.stderr)
    settled = not policies  # they have learned a table of any options
    tables = [planning.compile_setting(rules, seats, setting, settled) for setting in all_settings]
    plan = _make_plan(request, rules, seats, all_settings, tables[0].program)
    own = settings.own_values(rules, all_settings[0])
    return Work(replace(plan, own=own, own_asked=len(all_settings) == len(requested)), tuple(tables), policies)


def _make_plan(
    request: RunRequest,
    rules: Rules,
    seats: Sequence[Seat],
    all_settings: Sequence[Mapping[str, str]],
    program: Program,
) -> Plan:
    """Return the plan of a request, with usual values for what it leaves open."""
    seed = USUAL_SEED if request.seed is None else request.seed
    return planning.plan(rules, seats, all_settings, program, seed, request.games or USUAL_GAMES)


def _saved_work(request: RunRequest, rules: Rules) -> Work:
    """Return the run of games that were played at a table. Raises RulewrightError."""
    from rulewright.simulation import saved_games  # noqa: PLC0415 - simulations need no games at tables

    games = saved_games.read(request.played, rules)
    seats, setting = saved_games.seats(games[0]), games[0].options
    # As at a table of people, where the answers were given.
    table = planning.compile_setting(rules, seats, setting, settled=False)
    return saved_games.work(_make_plan(request, rules, seats, [setting], table.program), table, games)


def _file_name(name: str) -> str:
    """Turn the name of an edition, or of its file, into a part of a file name."""
    return re.sub(r"[^\w-]+", "-", re.sub(r"\.ya?ml$", "", name)).strip("-")[-80:] or "run"
