"""Use of processor and memory by servers: for tools that measure them, on Linux."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

_TICK = os.sysconf("SC_CLK_TCK")


class Processes:
    """A process of this machine and all that it has begun."""

    def __init__(self, process: int) -> None:
        self._process = process

    def _all(self) -> list[int]:
        """Return the numbers of the process and of all that run below it."""
        children: dict[int, list[int]] = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                children.setdefault(int(_stat(path)[1]), []).append(int(path.parent.name))
        results = [self._process]
        for process in results:
            results += children.get(process, [])
        return results

    def workers(self) -> list[int]:
        """Return those that Python's multiprocessing has started."""
        results = []
        for process in self._all():
            with suppress(OSError):
                if b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes():
                    results.append(process)
        return results

    def used(self) -> float:
        """Return the seconds of a processor that they have used, also those that have ended and were waited for."""
        total = 0.0
        for process in self._all():
            with suppress(OSError):
                total += sum(map(int, _stat(Path(f"/proc/{process}/stat"))[11:15])) / _TICK
        return total

    def memory(self) -> int:
        """Return their memory in bytes; what several share is divided among them."""
        total = 0
        for process in self._all():
            with suppress(OSError):
                text = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8")
                total += sum(1024 * int(size) for size in re.findall(r"(?m)^Pss:\s+(\d+)", text))
        return total


def _stat(path: Path) -> list[str]:
    """Return the fields of a process behind its name, which may hold anything."""
    return path.read_text(encoding="utf-8").rpartition(")")[2].split()


class Watched:
    """A server that runs already, by its metrics. address: '' where nothing is known of it."""

    def __init__(self, address: str) -> None:
        self._address = address

    def _value(self, name: str) -> float:
        """Fetch a metric; 0 where there is none."""
        if not self._address:
            return 0.0
        with urlopen(self._address) as answer:
            match = re.search(rf"(?m)^{name} (\S+)", answer.read().decode())
        return float(match[1]) if match else 0.0

    def used(self) -> float:
        return self._value("process_cpu_seconds_total")

    def memory(self) -> int:
        return int(self._value("process_resident_memory_bytes"))
