"""Chunks played in several processes on this machine.

A result lies in a file, and only its name goes through the pipe: where a process is killed while it writes a long
message to a pipe, the reader waits for the rest of it for ever.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.processes import block_interrupts, end_by_parent_alone, spawn_context
from rulewright.i18n.localizer import phrase
from rulewright.simulation.chunk_player import Work
from rulewright.simulation.finished_chunks import FinishedChunk, PlayedChunk, play_chunk
from rulewright.simulation.plan import Chunk

MAX_DEATHS = 3
"""Limit of deaths of workers, one after the other, without a chunk finished in between."""
WAITING_PER_PROCESS = 2
"""Chunks that wait for each process: enough to keep all busy, and few enough to hold in memory."""


class WorkersError(RulewrightError):
    """Raised for processes that end before they are done."""


def play_chunks(work: Work, chunks: Sequence[Chunk], processes: int) -> Iterator[PlayedChunk]:
    """Yield chunks as they are played, in any order; processes start when the iteration begins. Those that die are
    replaced. Raises WorkersError after MAX_DEATHS."""
    left = dict.fromkeys(chunks)
    deaths = 0
    while left:
        try:
            for chunk, done in _once(work, list(left), min(processes, len(left))):
                del left[chunk]
                deaths = 0
                yield chunk, done
        except BrokenProcessPool:
            deaths += 1
            if deaths == MAX_DEATHS:
                raise WorkersError(
                    phrase(
                        "errors",
                        "The processes that play died {count} times, perhaps for want of memory. What is finished is "
                        "kept; the same command with fewer --processes goes on.",
                        count=MAX_DEATHS,
                    )
                ) from None


def _once(work: Work, chunks: Sequence[Chunk], processes: int) -> Iterator[PlayedChunk]:
    """Play chunks in one pool. Raises BrokenProcessPool if a worker dies."""
    with TemporaryDirectory(prefix="rulewright-") as folder, _pool(work, folder, processes) as pool:
        left = iter(chunks)
        under_way: dict[Future[str], Chunk] = {}
        while True:
            for chunk in islice(left, processes * WAITING_PER_PROCESS - len(under_way)):
                with block_interrupts():
                    under_way[pool.submit(_play, chunk)] = chunk
            if not under_way:
                return
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                yield under_way.pop(future), _take_result(future.result())


@contextmanager
def _pool(work: Work, folder: str, processes: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of processes, which end afterwards; where an error leaves the context, they are terminated. folder:
    for results."""
    before = set(multiprocessing.active_children())
    # Processes are started afresh, not forked: the same on every system, and safe beside threads.
    context = spawn_context()
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_begin, initargs=(work, folder))
    try:
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_work: tuple[Work, str] | None = None
"""Work of this process and the folder for its results, if it is a worker."""


def _begin(work: Work, folder: str) -> None:
    """Set the work of a worker process."""
    global _work  # noqa: PLW0603 - what an initializer leaves behind has nowhere else to be
    _work = work, folder
    end_by_parent_alone()


def _play(chunk: Chunk) -> str:
    """Play a chunk of the work that this process has begun with; return the name of the file with the result."""
    assert _work is not None
    work, folder = _work
    with NamedTemporaryFile(dir=folder, delete=False) as file:
        pickle.dump(play_chunk(work, chunk), file)
    return file.name


def _take_result(name: str) -> FinishedChunk:
    """Read a worker's result, and remove its file."""
    file = Path(name)
    result: FinishedChunk = pickle.loads(file.read_bytes())
    file.unlink()
    return result
