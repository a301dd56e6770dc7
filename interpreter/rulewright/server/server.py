"""The server: how it is begun and ended."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread, current_thread, main_thread
from typing import cast

import uvicorn

from rulewright.base.processes import stopping
from rulewright.base.records import record
from rulewright.i18n.localizer import Either, phrase
from rulewright.server import prometheus, structured_log
from rulewright.server.application import configured
from rulewright.server.bots.bot_pool import Thinkers, share
from rulewright.server.bots.trained_players import TrainedPlayers
from rulewright.server.edition_registry import Offers, names_of
from rulewright.server.garbage_collection import look_at_the_young
from rulewright.server.limits import Limits
from rulewright.server.listening_socket import ServingError, address, listen, unserved
from rulewright.server.metrics import Measures
from rulewright.server.network.client_addresses import Callers, Hosts, is_name
from rulewright.server.network.http_connection import Door
from rulewright.server.network.table_routing import Homes
from rulewright.server.storage.open_store import opened
from rulewright.server.web import edition_list

_EXAMPLE = "games.example.org"


@record
class Served:
    """What is served and where. editions: more than those that come along, by file; names: by which others call this
    machine, besides its own; proxies: addresses or networks of those that stand in front, and say for whom they ask;
    policies: files of trained players that are offered too; metrics: where what is counted is shown, as HOST:PORT or
    PORT, or '' for nowhere; data: a folder, or the address of a PostgreSQL database; workers: how many
    processes serve here together."""

    host: str
    port: int
    data: Path | str
    editions: Sequence[str] = ()
    names: Sequence[str] = ()
    proxies: Sequence[str] = ()
    policies: Sequence[str] = ()
    metrics: str = ""
    workers: int = 1


def serve(served: Served, begun: Callable[[str], object], limits: Limits | None = None) -> None:
    """Serve until somebody stops it. begun: is told the address, once there is one. Raises RulewrightError."""
    with listen(served.host, served.port) as listening:
        serve_at(listening, served, begun, limits)


def check(served: Served) -> None:
    """Raises RulewrightError for what cannot be served."""
    names_of(list(served.editions))
    _names(served.names)
    _callers(served.proxies)
    TrainedPlayers.read(served.policies)


def serve_at(
    listening: socket.socket,
    served: Served,
    begun: Callable[[str], object],
    limits: Limits | None = None,
    homes: Homes | None = None,
) -> None:
    """As `serve`, where somebody listens already, perhaps others with it. homes: how those share the tables."""
    offers, trained = Offers(names_of(list(served.editions))), TrainedPlayers.read(served.policies)
    hosts, callers = Hosts([served.host, *_names(served.names)]), _callers(served.proxies)
    measures, where = Measures(), address(listening)
    with stopping(), opened(served.data, where) as store, measured(served.metrics, measures):
        thinkers = Thinkers(share(served.workers), trained)
        limits = limits or Limits()
        config = configured(store, offers, limits, hosts, callers, thinkers=thinkers, measures=measures, homes=homes)
        offers.being_read = True
        Thread(target=edition_list.prepare, args=(offers,), daemon=True).start()
        look_at_the_young()
        serving = _Serving(config, homes)
        with serving.ending():
            begun(where)
            serving.run(sockets=[listening])


class _Serving(uvicorn.Server):
    """Takes connections that others pass on, too."""

    def __init__(self, config: uvicorn.Config, homes: Homes | None) -> None:
        super().__init__(config)
        self._homes = homes

    @contextmanager
    def ending(self) -> Iterator[None]:
        """From now on whoever asks this process to end is heard as when it serves: nothing of it is interrupted."""
        if current_thread() is not main_thread():
            yield
            return
        asked = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) is not signal.SIG_IGN]
        before = {one: signal.signal(one, self.handle_exit) for one in asked}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._homes is not None:
            self._homes.open(self._arrived)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._homes is not None:
            self._homes.close()
        await super().shutdown(sockets)

    def _arrived(self, read: bytes) -> Door:
        speaks = cast(type[Door], self.config.http_protocol_class)
        guest = speaks(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
        guest.read = read
        return guest


@contextmanager
def measured(where: str, measures: Measures) -> Iterator[None]:
    """Show what is counted at an address, or, for '', nowhere. Raises ServingError."""
    if not where:
        yield
        return
    host, port = metrics_place(where)
    with ExitStack() as stack:
        try:
            structured_log.event("metrics", port=stack.enter_context(prometheus.shown(measures, host, port)))
        except (OSError, OverflowError, UnicodeError) as error:
            raise unserved(host, port, error, "--metrics") from None
        yield


def metrics_place(where: str) -> tuple[str, int]:
    """Host and port. Raises ServingError."""
    try:
        return prometheus.place(where)
    except ValueError:
        told = phrase(
            "errors",
            "'{place}' is no place for metrics: write {examples}.",
            place=where,
            examples=Either(("9100", "10.0.0.5:9100")),
        )
        raise ServingError(told) from None


def _names(given: Sequence[str]) -> Sequence[str]:
    """Raises ServingError for what is no name of a host."""
    for name in given:
        if not is_name(name):
            told = phrase(
                "errors", "'{name}' is no name of a host: write it alone, as {example}.", name=name, example=_EXAMPLE
            )
            raise ServingError(told)
    return given


def _callers(proxies: Sequence[str]) -> Callers:
    """Raises ServingError for what is no address."""
    for proxy in proxies:
        try:
            Callers([proxy])
        except ValueError:
            told = phrase(
                "errors",
                "'{address}' is neither an address nor a network: write {examples}.",
                address=proxy,
                examples=Either(("127.0.0.1", "10.0.0.0/8")),
            )
            raise ServingError(told) from None
    return Callers(proxies)
