"""Entry points of a server process: settings, start and stop."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread, current_thread, main_thread
from typing import cast

import uvicorn

from rulewright.base.processes import terminate_like_interrupt
from rulewright.base.records import record
from rulewright.i18n.localizer import Either, phrase
from rulewright.server import prometheus, structured_log
from rulewright.server.application import AppSettings, server_config
from rulewright.server.bots.bot_pool import BotPool, process_share
from rulewright.server.bots.trained_players import TrainedPlayers
from rulewright.server.edition_registry import EditionRegistry, offered_names
from rulewright.server.garbage_collection import tune_collector
from rulewright.server.limits import Limits
from rulewright.server.listening_socket import ServingError, browser_address, listen, listen_error
from rulewright.server.metrics import Metrics
from rulewright.server.network.client_addresses import ClientAddresses, HostNames, is_host_name
from rulewright.server.network.http_connection import HttpConnection
from rulewright.server.network.table_routing import TableRouter
from rulewright.server.storage.open_store import open_store
from rulewright.server.web import edition_list

_EXAMPLE = "games.example.org"
"""Host name that messages show."""


@record
class ServerSettings:
    """Settings of a server.

    - data: a folder, or the address of a PostgreSQL database
    - editions: files of editions offered besides the shipped ones
    - names: host names of this machine besides its own
    - proxies: addresses or networks of trusted reverse proxies
    - policies: files of trained players to offer
    - metrics: address of the Prometheus endpoint as HOST:PORT or PORT, '' for none
    - workers: processes that serve together
    """

    host: str
    port: int
    data: Path | str
    editions: Sequence[str] = ()
    names: Sequence[str] = ()
    proxies: Sequence[str] = ()
    policies: Sequence[str] = ()
    metrics: str = ""
    workers: int = 1


def serve(served: ServerSettings, on_start: Callable[[str], object], limits: Limits | None = None) -> None:
    """Serve until interrupted. on_start: receives the URL, once the server listens. Raises RulewrightError."""
    with listen(served.host, served.port) as listening:
        serve_on(listening, served, on_start, limits)


def check_settings(served: ServerSettings) -> None:
    """Check all that can be checked before starting. Raises RulewrightError."""
    offered_names(list(served.editions))
    _check_host_names(served.names)
    _client_addresses(served.proxies)
    TrainedPlayers.read(served.policies)


def serve_on(
    listening: socket.socket,
    served: ServerSettings,
    on_start: Callable[[str], object],
    limits: Limits | None = None,
    homes: TableRouter | None = None,
) -> None:
    """Serve on a socket that listens already, perhaps shared with other processes. homes: routes among those; else as
    `serve`."""
    offers, trained = EditionRegistry(offered_names(list(served.editions))), TrainedPlayers.read(served.policies)
    hosts, clients = HostNames([served.host, *_check_host_names(served.names)]), _client_addresses(served.proxies)
    metrics, address = Metrics(), browser_address(listening)
    with (
        terminate_like_interrupt(),
        open_store(served.data, address) as store,
        serve_metrics_at(served.metrics, metrics),
    ):
        bots = BotPool(process_share(served.workers), trained)
        settings = AppSettings(limits or Limits(), hosts, clients, bots=bots, metrics=metrics, router=homes)
        config = server_config(store, offers, settings)
        offers.being_read = True
        Thread(target=edition_list.preload, args=(offers,), daemon=True).start()
        tune_collector()
        serving = _UvicornServer(config, homes)
        with serving.ending():
            on_start(address)
            serving.run(sockets=[listening])


class _UvicornServer(uvicorn.Server):
    """uvicorn's server, which also takes over connections that other workers hand over."""

    def __init__(self, config: uvicorn.Config, homes: TableRouter | None) -> None:
        super().__init__(config)
        self._homes = homes

    @contextmanager
    def ending(self) -> Iterator[None]:
        """Handle signals as during serving, before it has started too, so that nothing is interrupted halfway."""
        if current_thread() is not main_thread():
            yield
            return
        signals = [one for one in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(one) is not signal.SIG_IGN]
        handlers = {one: signal.signal(one, self.handle_exit) for one in signals}
        try:
            yield
        finally:
            for one, handler in handlers.items():
                signal.signal(one, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._homes is not None:
            self._homes.open(self._make_protocol)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._homes is not None:
            self._homes.close()
        await super().shutdown(sockets)

    def _make_protocol(self, read: bytes) -> HttpConnection:
        """Make the protocol for a connection that another worker hands over. read: what that has read of it."""
        speaks = cast(type[HttpConnection], self.config.http_protocol_class)
        guest = speaks(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
        guest.read = read
        return guest


@contextmanager
def serve_metrics_at(address: str, measures: Metrics) -> Iterator[None]:
    """Export metrics at an address while the context is open; '' for nowhere. Raises ServingError."""
    if not address:
        yield
        return
    host, port = metrics_address(address)
    with ExitStack() as stack:
        try:
            structured_log.event("metrics", port=stack.enter_context(prometheus.serve_metrics(measures, host, port)))
        except (OSError, OverflowError, UnicodeError) as error:
            raise listen_error(host, port, error, "--metrics") from None
        yield


def metrics_address(address: str) -> tuple[str, int]:
    """Parse the address of the metrics endpoint into host and port. Raises ServingError."""
    try:
        return prometheus.parse_address(address)
    except ValueError:
        message = phrase(
            "errors",
            "'{place}' is no place for metrics: write {examples}.",
            place=address,
            examples=Either(("9100", "10.0.0.5:9100")),
        )
        raise ServingError(message) from None


def _check_host_names(names: Sequence[str]) -> Sequence[str]:
    """Return the names if all are host names. Raises ServingError."""
    for name in names:
        if not is_host_name(name):
            message = phrase(
                "errors", "'{name}' is no name of a host: write it alone, as {example}.", name=name, example=_EXAMPLE
            )
            raise ServingError(message)
    return names


def _client_addresses(proxies: Sequence[str]) -> ClientAddresses:
    """Parse the trusted proxies. Raises ServingError for anything that is neither address nor network."""
    for proxy in proxies:
        try:
            ClientAddresses([proxy])
        except ValueError:
            message = phrase(
                "errors",
                "'{address}' is neither an address nor a network: write {examples}.",
                address=proxy,
                examples=Either(("127.0.0.1", "10.0.0.0/8")),
            )
            raise ServingError(message) from None
    return ClientAddresses(proxies)
