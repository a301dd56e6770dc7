"""The process that plays games, as the workbench holds it: begun when first needed, told what is wanted, ended when
nobody has wanted anything for a while.

Whoever writes is not to notice it: it is one process, at low priority, and what is wanted next stops what was wanted
before. Where it does not heed that, because a game takes too long, another one takes its place.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from rulewright.base.processes import end_with_parent, spawn_context, unheard
from rulewright.workbench.core.exception_logging import log_exceptions
from rulewright.workbench.statistics.sample_requests import GamesWanted

PATIENCE = 5.0
"""Seconds in which a process that runs heeds what is wanted."""

BEGINNING = 60.0
"""The same of one that is only begun."""

IDLE = 120.0
"""Seconds for which a process is kept that nobody wants anything of."""

GamesHeard = Callable[[str, str, Mapping[str, Any] | None], None]


class GameProcess:
    """heard: is called with (key, kind, what came of it), as `game_player.serve` sends it, in a thread; kind 'died'
    where the process ended by itself. serving: what the process does."""

    def __init__(self, heard: GamesHeard, serving: Callable[[Connection], None] | None = None) -> None:
        self._heard, self._serving = heard, serving or _serve
        self._lock = threading.Lock()
        self._changed, self._taken = threading.Event(), threading.Event()
        self._next: GamesWanted | None = None
        self._process: BaseProcess | None = None
        self._given_up: BaseProcess | None = None
        self._line: Connection | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def want(self, wanted: GamesWanted | None) -> None:
        """What is to be played from now on, instead of all that was wanted before; None for nothing."""
        with self._lock:
            self._next = wanted
            self._changed.set()
            if self._thread is None and wanted is not None and not self._closed:
                self._thread = threading.Thread(target=self._drive, name="workbench games", daemon=True)
                self._thread.start()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            thread = self._thread
        self._changed.set()
        if thread is not None:
            thread.join(PATIENCE)

    def _drive(self) -> None:
        while not self._closed:
            if not self._changed.wait(IDLE):
                with self._lock:
                    if self._next is None and not self._changed.is_set():
                        self._thread = None
                        break
                continue
            self._changed.clear()
            wanted = self._next
            with log_exceptions():
                if not self._closed and not self._sent(wanted) and not self._closed:
                    self._sent(wanted)  # by another process
        self._end()

    def _sent(self, wanted: GamesWanted | None) -> bool:
        """Whether the process has taken what is wanted; it is ended where it has not."""
        if self._process is not None and not self._process.is_alive():
            self._end()
        fresh = self._process is None
        if fresh:
            if wanted is None:
                return True
            try:
                self._begin()
            except OSError:  # there can be no more processes
                self._heard(wanted.key, "died", None)
                return True
        process, line = self._process, self._line
        assert process is not None and line is not None
        self._taken.clear()
        # Ended from aside, as sending waits for a process that does not listen.
        timer = threading.Timer(BEGINNING if fresh else PATIENCE, self._give_up, [process])
        timer.start()
        try:
            line.send_bytes(pickle.dumps(wanted))
            while not self._taken.wait(0.05):
                if not process.is_alive() or self._closed:
                    break
        except OSError:
            pass
        finally:
            timer.cancel()
        if not self._taken.is_set():
            self._end()
        return self._taken.is_set()

    def _begin(self) -> None:
        # Begun afresh, not forked: the same on every system, and safe beside threads.
        context = spawn_context()
        self._line, there = context.Pipe()
        self._process = context.Process(target=self._serving, args=(there,), daemon=True, name="rulewright games")
        with unheard():
            self._process.start()
        there.close()
        threading.Thread(target=self._listen, args=(self._line, self._process), daemon=True).start()

    def _listen(self, line: Connection, process: BaseProcess) -> None:
        last = ""
        with line, suppress(EOFError, OSError):
            while True:
                key, kind, told = line.recv()
                last = "" if kind == "rest" else key
                if kind == "taken":
                    self._taken.set()
                else:
                    self._heard(key, kind, told)
        if last and process is self._process and process is not self._given_up and not self._closed:
            self._heard(last, "died", None)

    def _give_up(self, process: BaseProcess) -> None:
        self._given_up = process
        process.kill()

    def _end(self) -> None:
        process, self._process, self._line = self._process, None, None
        if process is not None:
            process.kill()
            process.join()


def _serve(line: Connection) -> None:
    from rulewright.workbench.statistics.game_player import serve  # noqa: PLC0415 - what plays games is loaded where it plays

    end_with_parent()
    serve(line)
