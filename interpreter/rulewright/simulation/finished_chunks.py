"""Finished chunks: their files, and the samples that a report needs of their games.

The samples are taken where a chunk is played, in parallel, while its tables are in memory.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.records import record
from rulewright.simulation import chunk_tables
from rulewright.simulation.chunk_player import Work
from rulewright.simulation.plan import Chunk
from rulewright.simulation.quantities import report_readers
from rulewright.simulation.results import InMemoryResults
from rulewright.simulation.results_folder import ResultsFolder
from rulewright.simulation.sample import Gathering, Sums


@record
class FinishedChunk:
    """Chunk that was played. files: its tables as files; gathered: the samples that a report needs of its games."""

    files: Mapping[str, bytes]
    gathered: Mapping[str, Gathering | Sums]


PlayedChunk = tuple[Chunk, FinishedChunk]
"""Chunk with its result."""


def play_chunk(work: Work, chunk: Chunk) -> FinishedChunk:
    """Play a chunk. The result depends on the plan and the chunk alone."""
    tables = chunk_tables.play_tables(work, chunk)
    results = InMemoryResults(work.plan, chunk.setting, [tables])
    return FinishedChunk(chunk_tables.to_files(work.plan, chunk, tables), results.gather(report_readers(results)))


class RunGathering:
    """Samples of a run that is played from its beginning.

    They are joined in the order of games, so that sums do not depend on the order in which chunks finish.
    """

    def __init__(self) -> None:
        self._whole: dict[int, dict[str, Gathering | Sums]] = {}
        self._next: dict[int, int] = {}  # of each setting, the first game that is not in yet
        self._early: dict[tuple[int, int], tuple[int, Mapping[str, Gathering | Sums]]] = {}

    def add(self, chunk: Chunk, gathered: Mapping[str, Gathering | Sums]) -> None:
        """Add a chunk's samples; those of chunks that come early wait for the ones before."""
        setting = chunk.setting
        self._early[setting, chunk.first] = chunk.first + chunk.games, gathered
        while (entry := self._early.pop((setting, self._next.get(setting, 0)), None)) is not None:
            self._next[setting], samples = entry
            self._join_samples(setting, samples)

    def _join_samples(self, setting: int, gathered: Mapping[str, Gathering | Sums]) -> None:
        """Join a chunk's samples to those of its setting."""
        whole = self._whole.setdefault(setting, dict(gathered))
        if whole.keys() != gathered.keys():  # where no game of a chunk has a result, less can be asked of it
            self._whole[setting] = {}
            return
        for key, samples in gathered.items():
            if samples is not whole[key]:
                whole[key].join(samples)

    def preload(self, results: ResultsFolder) -> None:
        """Give the samples to results that were read from the folder, for each setting if these are the same games."""
        for setting in results.settings:
            if self._next.get(setting.number) == setting.played:
                setting.preload(self._whole[setting.number])
