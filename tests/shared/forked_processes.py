"""Processes that share the tests of a run: forked once all tests are collected, so that collecting is done once.

A plugin of pytest. `-n 3` forks three processes, `-n auto` one more than there are cores; where a system cannot fork,
one process runs all tests.
"""

from __future__ import annotations

import atexit
import os
import sys
import traceback
import warnings
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any

import pytest
from _pytest.capture import CaptureManager

PLUGIN = "forked processes"


def pytest_addoption(parser: pytest.Parser) -> None:
    add = parser.getgroup("processes")._addoption  # pytest keeps short options to itself
    add("-n", dest="processes", default="0", help="how many processes share the tests; auto: one more than cores")


def pytest_configure(config: pytest.Config) -> None:
    if processes := number_of_processes(config.option.processes):
        config.pluginmanager.register(SharedRun(processes), PLUGIN)


def number_of_processes(typed: str) -> int:
    """Return how many processes are forked; 0 for none."""
    if not hasattr(os, "fork"):
        return 0
    # Tests wait for browsers and servers a fifth of the time.
    return (os.cpu_count() or 1) + 1 if typed == "auto" else int(typed)


class Division:
    """Numbers of tests, divided among processes: neighbours stay together, since they use the same fixtures."""

    def __init__(self, tests: int, processes: int) -> None:
        bounds = [tests * process // processes for process in range(processes + 1)]
        self.rests = [deque(range(start, end)) for start, end in pairwise(bounds)]

    def next_for(self, process: int) -> int | None:
        """Return a process's next test; one without any takes over half of the longest rest."""
        own = self.rests[process]
        if not own:
            longest = max(self.rests, key=len)
            for _ in range((len(longest) + 1) // 2):
                own.appendleft(longest.pop())
        return own.popleft() if own else None

    def stop(self) -> None:
        for rest in self.rests:
            rest.clear()


@dataclass
class Worker:
    """A process, as the first one sees it. assigned: the numbers of tests that it has and that it has not reported."""

    number: int
    identifier: int
    connection: Connection
    assigned: deque[int | None] = field(default_factory=deque)


class SharedRun:
    """The first process, which runs no test: it hands them out, and passes reports on."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._workers: dict[Connection, Worker] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if session.testsfailed or session.config.option.collectonly or not session.items:
            return None
        vars(session.config)["_tmp_path_factory"].getbasetemp()  # of which each process has a part
        division = Division(len(session.items), self._processes)
        try:
            for number in range(self._processes):
                self._begin(session, division, number)
            while self._workers:
                for connection in wait(list(self._workers)):
                    assert isinstance(connection, Connection)
                    self._listen(session, division, self._workers[connection])
                if session.shouldfail or session.shouldstop:
                    division.stop()
        finally:
            for worker in self._workers.values():
                worker.connection.close()
                os.waitpid(worker.identifier, 0)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        return True

    def _begin(self, session: pytest.Session, division: Division, number: int) -> None:
        own, other = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        identifier = os.fork()
        if not identifier:
            for connection in (own, *self._workers):
                connection.close()
            run_tests(session, other, number)  # never returns
        other.close()
        worker = self._workers[own] = Worker(number, identifier, own)
        for _ in range(2):  # it always knows the one after, by which it sees which fixtures to keep
            self._give(division, worker)

    def _give(self, division: Division, worker: Worker) -> None:
        """Hand out one more test, or tell once that there is none."""
        if None not in worker.assigned:
            worker.assigned.append(division.next_for(worker.number))
            with suppress(BrokenPipeError):  # it has died: see `_end`
                worker.connection.send(worker.assigned[-1])

    def _listen(self, session: pytest.Session, division: Division, worker: Worker) -> None:
        try:
            events = worker.connection.recv()
        except (EOFError, ConnectionResetError):
            self._end(session, division, worker)
            return
        worker.assigned.popleft()
        for name, values in events:
            pass_on(session.config, name, values)
        self._give(division, worker)

    def _end(self, session: pytest.Session, division: Division, worker: Worker) -> None:
        """Bury a process; where it has died of a test, another one goes on behind that."""
        del self._workers[worker.connection]
        worker.connection.close()
        status = os.waitstatus_to_exitcode(os.waitpid(worker.identifier, 0)[1])
        rest = [number for number in worker.assigned if number is not None]
        if rest:
            item = session.items[rest[0]]
            text = f"the process of the test ended with status {status}"
            report = pytest.TestReport(item.nodeid, item.location, {}, "failed", text, "call")
            session.config.hook.pytest_runtest_logreport(report=report)
            if not (session.shouldfail or session.shouldstop):
                division.rests[worker.number].extendleft(reversed(rest[1:]))
                self._begin(session, division, worker.number)


def pass_on(config: pytest.Config, name: str, values: Mapping[str, Any]) -> None:
    """Tell the plugins of the first process what has happened in another."""
    if name == "report":
        report = config.hook.pytest_report_from_serializable(config=config, data=values)
        config.hook.pytest_runtest_logreport(report=report)
    else:
        config.hook.pytest_warning_recorded.call_historic(kwargs=dict(values))


class Events:
    """Events during a test, to be sent to the first process."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.events: list[tuple[str, dict[str, Any]]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self.events.append(("report", data))

    def pytest_warning_recorded(
        self,
        warning_message: warnings.WarningMessage,
        when: str,
        nodeid: str,
        location: tuple[str, int, str] | None,
    ) -> None:
        plain = warnings.WarningMessage(
            UserWarning(f"{warning_message.category.__name__}: {warning_message.message}"),
            UserWarning,
            warning_message.filename,
            warning_message.lineno,
        )  # others may hold what cannot be sent
        values = {"warning_message": plain, "when": when, "nodeid": nodeid, "location": location}
        self.events.append(("warning", values))


def run_tests(session: pytest.Session, connection: Connection, number: int) -> None:
    """Run the tests that come, and end the process."""
    status = 1
    try:
        events = settle(session.config, number)
        current = connection.recv()
        while current is not None:
            following = connection.recv()
            item, after = session.items[current], None if following is None else session.items[following]
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            connection.send(events.events)
            events.events = []
            current = following
        status = 0
    except (EOFError, BrokenPipeError, KeyboardInterrupt):  # the first process has ended or was interrupted
        vars(session)["_setupstate"].teardown_exact(None)
    except BaseException:
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)  # what follows the tests is the first process's


def settle(config: pytest.Config, number: int) -> Events:
    """Give a new process what it must not share: captured output, a folder, what it does in the end."""
    atexit._clear()
    capture = config.pluginmanager.getplugin("capturemanager")
    assert isinstance(capture, CaptureManager)
    capture.stop_global_capturing()
    capture.start_global_capturing()
    capture.suspend_global_capture()
    factory = vars(config)["_tmp_path_factory"]
    factory._basetemp = factory.mktemp(f"p{number}-")
    for name in ("terminalreporter", PLUGIN):
        config.pluginmanager.unregister(name=name)
    events = Events(config)
    config.pluginmanager.register(events)
    events.events.clear()  # warnings from before are told to whoever comes
    return events
