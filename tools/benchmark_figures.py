"""Response times of the statistics pane: `python tools/benchmark_figures.py [EDITION …]`.

A workbench is asked as its page asks it. Each line is how many games the figures rest on, seconds after the pane was
first shown, and seconds after an edit: that is with the pause in which somebody may go on typing, reading the rules,
and compiling them.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from name_arguments import edition_name
from rulewright.model.edition import Edition
from rulewright.model.editions import find
from rulewright.players.seating import usual_people
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.windows import BenchMessage
from rulewright.workbench.core.workspace import Workspace
from rulewright.workbench.statistics import number_values
from rulewright.workbench.statistics.statistics_watch import StatisticsWatch, WatchRequest

USUAL = ("wild-cards/2022", "classics/hearts")
FILE = "game.yaml"
LONGEST = 300.0


class Telling:
    """All that a workbench tells its windows."""

    def __init__(self, bench: Bench) -> None:
        self._messages: list[BenchMessage] = []
        self._came = threading.Condition()
        bench.windows.add(self._hear)

    def _hear(self, message: BenchMessage) -> None:
        with self._came:
            self._messages.append(message)
            self._came.notify_all()

    def wait(self, expected: Callable[[BenchMessage], bool]) -> BenchMessage:
        """Return the first message since the beginning that is expected, and wait for it if need be."""
        with self._came:
            self._came.wait_for(lambda: any(map(expected, self._messages)), LONGEST)
            return next(filter(expected, self._messages))


def measured(name: str) -> None:
    """Measure an edition, and print each time."""
    with tempfile.TemporaryDirectory() as folder:
        text = find(name)[1].read_text("utf-8")
        Path(folder, FILE).write_text(text, "utf-8")
        bench = Bench(Workspace(Path(folder)))
        bench.start()
        games, telling = StatisticsWatch(bench), Telling(bench)
        people = usual_people(games.edition(FILE))
        for kind in ("first shown", "after an edit"):
            began = time.perf_counter()
            if kind == "after an edit":
                bench.replace(FILE, changed(text, games.edition(FILE)))
                telling.wait(lambda message: message["type"] == "edited")
            key = games.watch(WatchRequest(FILE, people, (), "random", "", None))["key"]
            for count in (100, 1000, 10_000):
                result = telling.wait(partial(reached, key, count))
                print(f"{name}, {kind}: {result['games']:>6,} games {time.perf_counter() - began:6.2f} s")
        bench.close()


def reached(key: str, games: int, message: BenchMessage) -> bool:
    """Return whether a message tells figures of so many games, or the last ones, to who watches by a key."""
    known = message["type"] == "figures" and message["key"] == key
    return known and (int(str(message["games"])) >= games or bool(message["done"]))


def changed(text: str, edition: Edition) -> str:
    """Return the same game with its largest number one higher."""
    value = max(number_values.list_values(edition), key=lambda value: value.now)
    return number_values.set_number(text, edition, value.name, value.now + 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("editions", nargs="*", type=edition_name, metavar="EDITION")
    for name in parser.parse_args().editions or USUAL:
        measured(name)
