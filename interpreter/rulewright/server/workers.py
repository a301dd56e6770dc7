"""Several worker processes that serve at one address: started together, restarted when one dies, stopped together."""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.processes import defer_signals, end_with_parent, spawn_context, terminate_like_interrupt
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.server import prometheus, structured_log
from rulewright.server.limits import Limits
from rulewright.server.listening_socket import ServingError, browser_address, listen
from rulewright.server.network.table_routing import TableRouter, WorkerLinks
from rulewright.server.server import ServerSettings, check_settings, metrics_address, serve_on
from rulewright.server.storage.store import Store

MAX_WORKERS = 64
"""Limit of processes that serve together."""
_SHORT_LIFE_SECONDS = 5.0
"""Seconds: a worker that lived no longer is restarted after a pause."""
_PAUSE, _MAX_PAUSE = 0.5, 10.0
"""Seconds before a worker that died soon is restarted: at first, and at most."""
_STOP_SECONDS = 10.0
"""Seconds in which workers must stop before they are killed."""


@record
class _Worker:
    """Worker process. number: from 0; started: time of its start in seconds; pause: seconds before it is restarted
    if it dies soon."""

    number: int
    process: BaseProcess
    started: float
    pause: float


def serve(served: ServerSettings, on_start: Callable[[str], object], limits: Limits | None = None) -> None:
    """Check settings and store, then serve with several processes until interrupted. limits: of all of them together.
    Raises RulewrightError."""
    if not 1 <= served.workers <= MAX_WORKERS:
        raise ServingError(phrase("errors", "1 to {count} processes can serve together.", count=MAX_WORKERS))
    if isinstance(served.data, Path):
        raise ServingError(
            phrase(
                "errors",
                "Several processes need tables in PostgreSQL: write {option}. The file of tables that there is serves "
                "one.",
                option="--data postgresql://USER@HOST/NAME",
            )
        )
    check_settings(served)
    for number in range(served.workers) if served.metrics else ():  # a process that cannot show them ends, each time
        listen(*metrics_address(_worker_metrics(served.metrics, number)), "--metrics").close()
    Store(served.data).close()  # whatever is wrong is said once, and the tables are of this version
    whole, links = limits or Limits(), WorkerLinks.for_processes(served.workers)
    limits = whole.for_one_of(served.workers)
    if links is not None:  # they know of each other how many there are
        limits = replace(limits, connections=whole.connections)
    with listen(served.host, served.port) as listening, terminate_like_interrupt():

        def begin(number: int, pause: float) -> _Worker:
            return _start_worker(number, listening, served, limits, links, pause)

        workers: list[_Worker] = []
        try:
            for number in range(served.workers):
                with defer_signals():  # a process that is half begun would be waited for and never ended
                    workers.append(begin(number, _PAUSE))
            on_start(browser_address(listening))
            while True:
                _restart_dead(workers, begin)
        except KeyboardInterrupt:
            pass
        finally:
            _stop_all(workers)


def _start_worker(
    number: int,
    listening: socket.socket,
    served: ServerSettings,
    limits: Limits,
    links: WorkerLinks | None,
    pause: float,
) -> _Worker:
    """Start one worker process."""
    metrics = served.metrics and _worker_metrics(served.metrics, number)
    homes = None if links is None else TableRouter(links, number)
    arguments = (listening, replace(served, metrics=metrics), limits, homes, structured_log.is_written())
    process = spawn_context().Process(target=_run_worker, args=arguments, name=f"worker {number}")
    process.start()
    return _Worker(number, process, time.monotonic(), pause)


def _worker_metrics(address: str, number: int) -> str:
    """Return a worker's own metrics address: one port after the other."""
    with suppress(ValueError):  # it is told by whoever shows them
        host, port = prometheus.parse_address(address)
        return f"{f'[{host}]' if ':' in host else host}:{port + number}"
    return address


def _restart_dead(workers: list[_Worker], begin: Callable[[int, float], _Worker]) -> None:
    """Wait until a worker dies, and restart all that have, those that died soon after a pause. begin: starts a worker,
    by its number and its `pause`."""
    wait([worker.process.sentinel for worker in workers])
    for index, worker in enumerate(workers):
        if worker.process.is_alive():
            continue
        worker.process.join()
        structured_log.warning("worker died", worker=worker.number, code=worker.process.exitcode)
        is_short = time.monotonic() - worker.started < _SHORT_LIFE_SECONDS
        if is_short:
            time.sleep(worker.pause)
        pause = min(2 * worker.pause, _MAX_PAUSE) if is_short else _PAUSE
        with defer_signals():
            workers[index] = begin(worker.number, pause)


def _stop_all(workers: list[_Worker]) -> None:
    """Ask all workers to stop, and kill those that do not."""
    for worker in workers:
        worker.process.terminate()
    deadline = time.monotonic() + _STOP_SECONDS
    for worker in workers:
        worker.process.join(max(0.0, deadline - time.monotonic()))
        worker.process.kill()
        worker.process.join()


def _run_worker(
    listening: socket.socket, served: ServerSettings, limits: Limits, homes: TableRouter | None, is_logging: bool
) -> None:
    """Run a worker; the main function of its process."""
    end_with_parent()
    if is_logging:
        structured_log.write_to(sys.stdout)
    try:
        serve_on(listening, served, lambda _: None, limits, homes)
    except KeyboardInterrupt:  # it has ended by itself, as it should
        pass
    except RulewrightError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
