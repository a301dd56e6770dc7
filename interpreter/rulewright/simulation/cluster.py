"""Chunks played on a Dask cluster: other machines, or other processes."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from itertools import islice
from typing import Any

import distributed

from rulewright import __version__
from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import phrase
from rulewright.simulation.chunk_player import Work
from rulewright.simulation.finished_chunks import FinishedChunk, PlayedChunk, play_chunk
from rulewright.simulation.plan import Chunk

SECONDS_TO_CONNECT = 10
"""Seconds in which the cluster's scheduler must answer."""
SECONDS_TO_LOOK = 1.0
"""Seconds between two looks for workers that have joined."""
WAITING_PER_THREAD = 2
"""Chunks that the cluster has for each of its threads."""
MAX_LOSSES = 3
"""Limit of losses, one after the other, without a chunk finished in between."""


class ClusterError(RulewrightError):
    """Raised for a cluster that does not exist, or cannot play."""


def play_chunks(work: Work, chunks: Sequence[Chunk], address: str) -> Iterator[PlayedChunk]:
    """Yield chunks as they are played, in any order; the first is asked for when the iteration begins. Workers that die
    are replaced by others. Raises ClusterError."""
    try:
        client = distributed.Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        message = phrase(
            "errors",
            "There is no Dask scheduler at '{address}' ({why}). Start one: {command}.",
            address=address,
            why=str(error),
            command="dask scheduler",
        )
        raise ClusterError(message) from None
    with client:
        _check(client)
        try:
            yield from _play_until_done(client, work, chunks)
        except distributed.scheduler.KilledWorker:
            raise ClusterError(
                phrase(
                    "errors",
                    "Workers of the cluster died again and again, perhaps for want of memory. What is finished is "
                    "kept; the same command goes on.",
                )
            ) from None
        except (CancelledError, distributed.comm.CommClosedError, TimeoutError) as error:
            raise ClusterError(
                phrase(
                    "errors",
                    "The cluster at '{address}' is lost ({why}). What is finished is kept; the same command goes on.",
                    address=address,
                    why=str(error),
                )
            ) from None


def _check(client: Any) -> None:
    """Check that there are workers, and that they have this version of Rulewright. Raises ClusterError."""
    if not client.scheduler_info(n_workers=-1)["workers"]:
        raise ClusterError(
            phrase(
                "errors",
                "The cluster has no workers. Start some, where Rulewright is installed: {command}.",
                command="dask worker ADDRESS",
            )
        )
    try:
        versions = client.run(_version)
    except Exception as error:  # whatever a worker without Rulewright answers
        raise ClusterError(
            phrase(
                "errors",
                "The cluster's workers cannot play ({why}). Rulewright has to be installed there too: {command}.",
                why=f"{type(error).__name__}: {error}",
                command="pip install 'rulewright[cluster]'",
            )
        ) from None
    for worker, version in versions.items():
        if version != __version__:
            raise ClusterError(
                phrase(
                    "errors",
                    "The worker {worker} has Rulewright {version}, and this is {here}.",
                    worker=str(worker),
                    version=str(version),
                    here=__version__,
                )
            )


def _version() -> str:
    """Return the version of Rulewright where this runs, in a worker."""
    return __version__


def _play_until_done(client: Any, work: Work, chunks: Sequence[Chunk]) -> Iterator[PlayedChunk]:
    """Play chunks, and send those that are lost with a worker once more. Raises CancelledError after MAX_LOSSES."""
    left = dict.fromkeys(chunks)
    losses = 0
    while left:
        lost = None
        for chunk, done, error in _once(client, work, list(left)):
            if done is not None:
                del left[chunk]
                losses = 0
                yield chunk, done
            else:
                lost = error
        losses += 1
        if lost is not None and losses == MAX_LOSSES:
            raise lost


def _once(
    client: Any, work: Work, chunks: Sequence[Chunk]
) -> Iterator[tuple[Chunk, FinishedChunk | None, Exception | None]]:
    """Yield every chunk with its result, or with the error if it was lost."""
    sent = client.scatter(work, broadcast=True, hash=False)
    left, places = iter(chunks), _Places(client)
    under_way: dict[str, Chunk] = {}

    def submitted() -> list[Any]:
        futures = []
        for chunk in islice(left, max(0, places.count - len(under_way))):
            futures.append(client.submit(play_chunk, sent, chunk, pure=False))
            under_way[futures[-1].key] = chunk
        return futures

    done = distributed.as_completed(submitted(), loop=client.loop, with_results=True)
    for future, result in done:
        chunk = under_way.pop(future.key)
        done.update(submitted())
        lost = isinstance(result, CancelledError)
        yield chunk, None if lost else result, result if lost else None


class _Places:
    """Number of chunks that a cluster should have at once: more when workers join."""

    def __init__(self, client: Any) -> None:
        self._client, self._looked, self._count = client, -math.inf, 1

    @property
    def count(self) -> int:
        """Number of chunks to hand out at once, by the threads that the cluster has now."""
        if time.monotonic() >= self._looked + SECONDS_TO_LOOK:  # it is a question to the scheduler
            self._count = max(1, WAITING_PER_THREAD * sum(self._client.nthreads().values()))
            self._looked = time.monotonic()
        return self._count
