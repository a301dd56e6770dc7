"""Background thread that runs cases after every change; an outdated run is stopped."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from weakref import WeakKeyDictionary

from rulewright.base.diagnostics import RulewrightError
from rulewright.workbench.cases import case_runner, case_texts
from rulewright.workbench.cases.case_runner import FileResult
from rulewright.workbench.core.bench import Bench

_log = logging.getLogger("rulewright.workbench")


@dataclass
class WatchedCases:
    """Results of an edition's cases. requested: number of requested runs; done: number of the run that `files` shows;
    files: latest results."""

    requested: int = 1
    done: int = 0
    files: list[FileResult] = field(default_factory=list)


class CaseWatch:
    """Runner of cases, safe to use from several threads. Windows receive 'cases' when all have been run."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._waking = threading.Condition()
        self._watched: dict[str, WatchedCases] = {}
        self._thread: threading.Thread | None = None
        bench.add_listener(self._on_change)

    def results(self, edition: str) -> tuple[list[FileResult], bool]:
        """Return the latest results of an edition's cases without waiting, and whether they are of the newest rules.
        From now on they are run after every change.
        """
        with self._waking:
            known = self._watched.setdefault(edition, WatchedCases())
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="workbench cases", daemon=True)
                self._thread.start()
            self._waking.notify_all()
            return known.files, known.done == known.requested

    def _on_change(self, name: str) -> None:
        """Ask for a new run of the cases that a changed file belongs to; of all cases, if it belongs to no edition."""
        edition = self._bench.edition_of(name)
        with self._waking:
            for watched, known in self._watched.items():
                if edition in (watched, None):  # a file of cases without an edition beside it
                    known.requested += 1
            self._waking.notify_all()

    def _run(self) -> None:
        """Run the cases that are asked for, edition by edition, without end."""
        while True:
            with self._waking:
                while (edition := self._next()) is None:
                    self._waking.wait()
                known = self._watched[edition]
                number = known.requested
            files = self._run_cases(edition, partial(_is_stale, known, number))
            if files is None:
                continue
            with self._waking:
                known.done, known.files = number, files
            self._bench.windows.broadcast({"type": "cases", "file": edition})

    def _next(self) -> str | None:
        """Return an edition whose cases must be run again, or None."""
        return next((name for name, known in self._watched.items() if known.done != known.requested), None)

    def _run_cases(self, edition: str, stale: Callable[[], bool]) -> list[FileResult] | None:
        """Run the cases of an edition; an unexpected error becomes a result, so that the thread goes on. None if they
        became stale on the way."""
        try:
            return case_runner.run(self._bench.rules(edition), texts(self._bench, edition), stale)
        except RulewrightError:
            return []
        except Exception as error:  # keep the thread running
            _log.exception("The cases of a file could not be run.")
            return [FileResult(edition, problem=f"{type(error).__name__}: {error}")]


def _is_stale(known: WatchedCases, number: int) -> bool:
    """Return whether a run, by its number, was overtaken by a later request."""
    return known.requested != number


def texts(bench: Bench, edition: str) -> dict[str, str]:
    """Return the files with cases of an edition, by name: its own cases, its examples, and others that name it. Those
    that cannot be read are left out.
    """
    result = {}
    for name in bench.folder.names():
        with suppress(RulewrightError):
            if name != edition and case_texts.has_cases_of(name, text := bench.text(name), edition):
                result[name] = text
    return result


_watches: WeakKeyDictionary[Bench, CaseWatch] = WeakKeyDictionary()
"""Case runner of each workbench."""


def cases_of(bench: Bench) -> CaseWatch:
    """Return the case runner of a workbench."""
    if bench not in _watches:
        _watches[bench] = CaseWatch(bench)
    return _watches[bench]
