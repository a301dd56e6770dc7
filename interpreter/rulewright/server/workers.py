"""Several processes that serve at one address: begun together, begun again when one has died, ended together."""

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
from rulewright.base.processes import end_with_parent, in_one_go, spawn_context, stopping
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.server import prometheus, structured_log
from rulewright.server.limits import Limits
from rulewright.server.listening_socket import ServingError, address, listen
from rulewright.server.network.table_routing import Homes, Street
from rulewright.server.server import Served, check, metrics_place, serve_at
from rulewright.server.storage.store import Store

MOST = 64
_SHORT = 5.0
"""Seconds: a process that lived no longer is not begun again at once."""
_PAUSE, _LONGEST_PAUSE = 0.5, 10.0
_ENDING = 10.0
"""Seconds within which processes must have ended."""


@record
class _Worker:
    """number: which of them, from 0; begun: when, in seconds; pause: until it is begun again if it dies soon."""

    number: int
    process: BaseProcess
    begun: float
    pause: float


def serve(served: Served, begun: Callable[[str], object], limits: Limits | None = None) -> None:
    """Serve until somebody stops it, in as many processes as are wanted. limits: of all of them. Raises
    RulewrightError."""
    if not 1 <= served.workers <= MOST:
        raise ServingError(phrase("errors", "1 to {count} processes can serve together.", count=MOST))
    if isinstance(served.data, Path):
        raise ServingError(
            phrase(
                "errors",
                "Several processes need tables in PostgreSQL: write {option}. The file of tables that there is serves "
                "one.",
                option="--data postgresql://USER@HOST/NAME",
            )
        )
    check(served)
    for number in range(served.workers) if served.metrics else ():  # a process that cannot show them ends, each time
        listen(*metrics_place(_beside(served.metrics, number)), "--metrics").close()
    Store(served.data).close()  # whatever is wrong is said once, and the tables are of this version
    whole, street = limits or Limits(), Street.of(served.workers)
    limits = whole.for_one_of(served.workers)
    if street is not None:  # they know of each other how many there are
        limits = replace(limits, connections=whole.connections)
    with listen(served.host, served.port) as listening, stopping():

        def begin(number: int, pause: float) -> _Worker:
            return _begin(number, listening, served, limits, street, pause)

        workers: list[_Worker] = []
        try:
            for number in range(served.workers):
                with in_one_go():  # a process that is half begun would be waited for and never ended
                    workers.append(begin(number, _PAUSE))
            begun(address(listening))
            while True:
                _begin_again(workers, begin)
        except KeyboardInterrupt:
            pass
        finally:
            _end(workers)


def _begin(
    number: int,
    listening: socket.socket,
    served: Served,
    limits: Limits,
    street: Street | None,
    pause: float,
) -> _Worker:
    place = served.metrics and _beside(served.metrics, number)
    homes = None if street is None else Homes(street, number)
    arguments = (listening, replace(served, metrics=place), limits, homes, structured_log.written())
    process = spawn_context().Process(target=_work, args=arguments, name=f"worker {number}")
    process.start()
    return _Worker(number, process, time.monotonic(), pause)


def _beside(place: str, number: int) -> str:
    """Each process shows its own figures, one port after the other."""
    with suppress(ValueError):  # it is told by whoever shows them
        host, port = prometheus.place(place)
        return f"{f'[{host}]' if ':' in host else host}:{port + number}"
    return place


def _begin_again(workers: list[_Worker], begin: Callable[[int, float], _Worker]) -> None:
    """Wait until some have died, and begin them again."""
    wait([worker.process.sentinel for worker in workers])
    for place, worker in enumerate(workers):
        if worker.process.is_alive():
            continue
        worker.process.join()
        structured_log.trouble("worker died", worker=worker.number, code=worker.process.exitcode)
        short = time.monotonic() - worker.begun < _SHORT
        if short:
            time.sleep(worker.pause)
        pause = min(2 * worker.pause, _LONGEST_PAUSE) if short else _PAUSE
        with in_one_go():
            workers[place] = begin(worker.number, pause)


def _end(workers: list[_Worker]) -> None:
    for worker in workers:
        worker.process.terminate()
    ending = time.monotonic() + _ENDING
    for worker in workers:
        worker.process.join(max(0.0, ending - time.monotonic()))
        worker.process.kill()
        worker.process.join()


def _work(listening: socket.socket, served: Served, limits: Limits, homes: Homes | None, written: bool) -> None:
    """One of the processes."""
    end_with_parent()
    if written:
        structured_log.write(sys.stdout)
    try:
        serve_at(listening, served, lambda _: None, limits, homes)
    except KeyboardInterrupt:  # it has ended by itself, as it should
        pass
    except RulewrightError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
