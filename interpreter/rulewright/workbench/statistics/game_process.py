"""Handle of the process that plays games: started on first use, sent requests, ended when
idle for a while.

Editing must not slow down: it is one process, at low priority, and a new request stops the previous one.
If it does not react, because a game takes too long, it is replaced.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from rulewright.base.processes import block_interrupts, end_with_parent, spawn_context
from rulewright.workbench.core.exception_logging import log_exceptions
from rulewright.workbench.statistics.sample_requests import GamesRequest

REQUEST_TIMEOUT = 5.0
"""Seconds within which a running process must acknowledge a request."""

START_TIMEOUT = 60.0
"""Seconds within which a starting process must acknowledge a request."""

MAX_IDLE_SECONDS = 120.0
"""Seconds until an idle process is ended."""

GamesListener = Callable[[str, str, Mapping[str, Any] | None], None]
"""Listener that is called in a thread with (key, kind, data)."""


class GameProcess:
    """Handle of the process. on_message: called in a thread with (key, kind, data), as `game_player.serve` sends them;
    kind 'died' if the process ended unexpectedly. serving: main function of the process."""

    def __init__(self, on_message: GamesListener, serving: Callable[[Connection], None] | None = None) -> None:
        self._on_message, self._serving = on_message, serving or _serve
        self._lock = threading.Lock()
        self._changed, self._acknowledged = threading.Event(), threading.Event()
        self._next: GamesRequest | None = None
        self._process: BaseProcess | None = None
        self._abandoned: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def request(self, request: GamesRequest | None) -> None:
        """Request what to play from now on, instead of the previous request; None for nothing."""
        with self._lock:
            self._next = request
            self._changed.set()
            if self._thread is None and request is not None and not self._closed:
                self._thread = threading.Thread(target=self._run, name="workbench games", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the process and wait for its thread."""
        with self._lock:
            self._closed = True
            thread = self._thread
        self._changed.set()
        if thread is not None:
            thread.join(REQUEST_TIMEOUT)

    def _run(self) -> None:
        """Send the newest request to the process until closed or long idle."""
        while not self._closed:
            if not self._changed.wait(MAX_IDLE_SECONDS):
                with self._lock:
                    if self._next is None and not self._changed.is_set():
                        self._thread = None
                        break
                continue
            self._changed.clear()
            request = self._next
            with log_exceptions():
                if not self._closed and not self._send(request) and not self._closed:
                    self._send(request)  # to a new process
        self._end()

    def _send(self, request: GamesRequest | None) -> bool:
        """Send a request; return False if the process does not acknowledge it, and end it then. Without a process,
        start one; where that fails, report it as died and return True.
        """
        if self._process is not None and not self._process.is_alive():
            self._end()
        is_new = self._process is None
        if is_new:
            if request is None:
                return True
            try:
                self._start_process()
            except OSError:  # the system allows no further process
                self._on_message(request.key, "died", None)
                return True
        process, pipe = self._process, self._pipe
        assert process is not None and pipe is not None
        self._acknowledged.clear()
        # Ended by a timer, since sending blocks while the process does not listen.
        timer = threading.Timer(START_TIMEOUT if is_new else REQUEST_TIMEOUT, self._abandon, [process])
        timer.start()
        try:
            pipe.send_bytes(pickle.dumps(request))
            while not self._acknowledged.wait(0.05):
                if not process.is_alive() or self._closed:
                    break
        except OSError:
            pass
        finally:
            timer.cancel()
        if not self._acknowledged.is_set():
            self._end()
        return self._acknowledged.is_set()

    def _start_process(self) -> None:
        """Start the process and a thread that receives its messages."""
        # Spawned, not forked: the same on every system, and safe beside threads.
        context = spawn_context()
        self._pipe, worker_end = context.Pipe()
        self._process = context.Process(target=self._serving, args=(worker_end,), daemon=True, name="rulewright games")
        with block_interrupts():
            self._process.start()
        worker_end.close()
        threading.Thread(target=self._receive, args=(self._pipe, self._process), daemon=True).start()

    def _receive(self, pipe: Connection, process: BaseProcess) -> None:
        """Pass on the results of a process until its pipe closes; report it as died if something was still wanted."""
        last = ""
        with pipe, suppress(EOFError, OSError):
            while True:
                key, kind, data = pipe.recv()
                last = "" if kind == "rest" else key
                if kind == "taken":
                    self._acknowledged.set()
                else:
                    self._on_message(key, kind, data)
        if last and process is self._process and process is not self._abandoned and not self._closed:
            self._on_message(last, "died", None)

    def _abandon(self, process: BaseProcess) -> None:
        """Kill a process that does not react, without reporting it as died."""
        self._abandoned = process
        process.kill()

    def _end(self) -> None:
        """Kill the process, if there is one, and wait for its end."""
        process, self._process, self._pipe = self._process, None, None
        if process is not None:
            process.kill()
            process.join()


def _serve(pipe: Connection) -> None:
    from rulewright.workbench.statistics.game_player import serve  # noqa: PLC0415 - loaded in the worker process only

    end_with_parent()
    serve(pipe)
