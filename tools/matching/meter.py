"""Processor time, wall time and memory of each side of a match.

Both sides think in one process, in turn. So a side's processor time is what the process used while it thought, with
all its threads; its memory is what the process grew by meanwhile, at the peak, with what it has kept from before.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STATUS, PEAK_RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
"""Files of Linux: the memory of a process, and where its peak is reset; elsewhere no memory is measured."""


class Meter:
    """Meter of one side. processor, wall: seconds of each answer; memory: KiB at most."""

    def __init__(self) -> None:
        self.processor: list[float] = []
        self.wall: list[float] = []
        self.memory = self._retained = 0

    @contextmanager
    def measure(self, *, prepares: bool = False) -> Iterator[None]:
        """Measure one answer, or only the memory of what prepares a game."""
        before = _memory("VmRSS")
        if before:
            PEAK_RESET.write_text("5", encoding="ascii")
        wall, processor = time.perf_counter(), time.process_time()
        yield
        if not prepares:
            self.processor.append(time.process_time() - processor)
            self.wall.append(time.perf_counter() - wall)
        if before:
            self.memory = max(self.memory, self._retained + _memory("VmHWM") - before)
            self._retained = max(0, self._retained + _memory("VmRSS") - before)


def _memory(name: str) -> int:
    """Return a line of the process's memory in KiB, 0 where there is none."""
    if not STATUS.exists():
        return 0
    match = re.search(rf"{name}:\s+([0-9]+)", STATUS.read_text(encoding="ascii"))
    return int(match[1]) if match else 0


def think_by_processor_time() -> None:
    """Let bots of this process measure their time by the processor instead of the clock, so that they get what was
    promised on a busy machine too."""
    for name, module in list(sys.modules.items()):
        if name.startswith("rulewright.") and getattr(module, "monotonic", None) is time.monotonic:
            module.monotonic = time.process_time  # type: ignore[attr-defined]
