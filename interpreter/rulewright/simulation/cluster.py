"""Chunks played on a Dask cluster: other machines, or other processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import distributed

from rulewright import __version__
from rulewright.diagnostics import RulewrightError
from rulewright.simulation import rows
from rulewright.simulation.plan import Chunk
from rulewright.simulation.playing import Work
from rulewright.simulation.workers import Done

SECONDS_TO_CONNECT = 10
WAITING_PER_THREAD = 2


class ClusterError(RulewrightError):
    """A cluster that is not there, or cannot play."""


def played(work: Work, chunks: Sequence[Chunk], address: str) -> Iterator[Done]:
    """Plays chunks, in any order. Workers that die are replaced by others. Raises PlayError, ClusterError."""
    try:
        client = distributed.Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        told = f"There is no Dask scheduler at '{address}' ({error}). Start one: dask scheduler."
        raise ClusterError(told) from None
    with client:
        _check(client)
        try:
            yield from _played(client, work, chunks)
        except distributed.scheduler.KilledWorker:
            raise ClusterError(
                "Workers of the cluster died again and again, perhaps for want of memory. What is finished is kept; "
                "the same command goes on."
            ) from None
        except (distributed.client.FutureCancelledError, distributed.comm.CommClosedError, TimeoutError) as error:
            raise ClusterError(
                f"The cluster at '{address}' is lost ({error}). What is finished is kept; the same command goes on."
            ) from None


def _check(client: Any) -> None:
    """That there are workers, and that they have this Rulewright."""
    if not client.scheduler_info(n_workers=-1)["workers"]:
        raise ClusterError(
            "The cluster has no workers. Start some, where Rulewright is installed: dask worker ADDRESS."
        )
    try:
        found = client.run(_version)
    except Exception as error:  # whatever a worker without Rulewright answers
        raise ClusterError(
            f"The cluster's workers cannot play ({type(error).__name__}: {error}). Rulewright has to be installed "
            "there too: pip install 'rulewright[cluster]'."
        ) from None
    for worker, version in found.items():
        if version != __version__:
            raise ClusterError(f"The worker {worker} has Rulewright {version}, and this is {__version__}.")


def _version() -> str:
    return __version__


def _played(client: Any, work: Work, chunks: Sequence[Chunk]) -> Iterator[Done]:
    sent = client.scatter(work, broadcast=True, hash=False)
    left, most = iter(chunks), WAITING_PER_THREAD * sum(client.nthreads().values())

    def submitted(count: int) -> list[Any]:
        return [client.submit(_play, sent, chunk, pure=False) for chunk in islice(left, count)]

    done = distributed.as_completed(submitted(most), loop=client.loop, with_results=True)
    for _, found in done:
        done.update(submitted(1))
        yield found


def _play(work: Work, chunk: Chunk) -> tuple[Chunk, Mapping[str, bytes]]:
    return chunk, rows.files(work, chunk)
