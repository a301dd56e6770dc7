"""Server of tables for friends, in a process of its own, for the versions of games that a workbench shares.

The workbench itself stays local. The server ends with it, in whatever way it ends; the games are stored.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock, Thread
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import uvicorn

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.processes import block_interrupts, spawn_context
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.server import tokens
from rulewright.server.application import AppSettings, server_config
from rulewright.server.listening_socket import browser_address, listen
from rulewright.server.network.client_addresses import HostNames
from rulewright.server.storage.open_store import FILE, lock_folder
from rulewright.server.storage.store import Store
from rulewright.workbench.share.comment_api import CommentApi
from rulewright.workbench.share.share_store import SharedOffers, ShareStore, SharingError

LOOPBACK, ALL_INTERFACES = "127.0.0.1", "0.0.0.0"
"""Addresses to serve at: for this computer alone, and for all networks that it is in."""
START_TIMEOUT = 60.0
"""Seconds within which the server must have started."""
_STARTED, _REFUSED, _COMMENT, _END = "begun", "refused", "remark", "end"
"""Messages between the processes: started, with the address; not started, with the reason; a comment; end."""


@record
class FriendTable:
    """Links of a new table: the designer's own seat, the invitation ('' without friends), the spectator's view."""

    mine: str
    invite: str
    watch: str


class FriendsServer:
    """Handle of the server, if it runs. folder: of its data; on_news: called in a thread after a comment, and when the
    server has ended unexpectedly; address: '' while it does not run; everywhere: whether the network reaches it.
    """

    def __init__(self, folder: Path, on_news: Callable[[], object]) -> None:
        self._folder, self._on_news = folder, on_news
        self._lock = Lock()
        self._process: Any = None
        self._pipe: Connection | None = None
        self.address = ""
        self.everywhere = False

    def start(self, everywhere: bool) -> str:
        """Start the server, for the local network or for this computer alone, and end one that runs for the other;
        return its address. Raises SharingError.
        """
        with self._lock:
            if self.address and everywhere == self.everywhere:
                return self.address
            self._end_process()
            spawning = spawn_context()
            own_end, server_end = spawning.Pipe()
            host = ALL_INTERFACES if everywhere else LOOPBACK
            self._process = spawning.Process(target=host_tables, args=(host, str(self._folder), server_end))
            with block_interrupts():
                self._process.start()
            server_end.close()
            self._pipe = own_end
            try:
                kind, content = own_end.recv() if own_end.poll(START_TIMEOUT) else (_REFUSED, "")
            except EOFError:
                kind, content = _REFUSED, ""
            if kind != _STARTED:
                self._end_process()
                raise SharingError(content or phrase("errors", "The tables for friends could not be opened."))
            self.address, self.everywhere = content, everywhere
            Thread(target=self._listen, args=(own_end,), daemon=True).start()
            return self.address

    def stop(self) -> None:
        """Stop the server."""
        with self._lock:
            self._end_process()

    def _end_process(self) -> None:
        """End the server's process, by force if it does not end in time."""
        if self._pipe is not None:
            with suppress(OSError):
                self._pipe.send(_END)  # closing it here would not wake the listening thread
        if self._process is not None:
            self._process.join(5)
            if self._process.is_alive():
                self._process.kill()
                self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process, self._pipe, self.address = None, None, ""

    def _listen(self, pipe: Connection) -> None:
        """Receive messages of the server until it ends."""
        with suppress(EOFError, OSError):
            while True:
                pipe.recv()
                self._on_news()
        if pipe is self._pipe:  # it has ended unexpectedly
            self.stop()
            self._on_news()

    def table(self, edition: str, name: str, friends: int, computers: int, player: str) -> FriendTable:
        """Start a table at the server, which must run. edition: digest of a shared version; name: of the designer, who
        gets a seat; player: kind of the computers. Raises SharingError."""
        seats = [{"player": "here", "name": name}, *[{"player": "friend"}] * friends, *[{"player": player}] * computers]
        links = self._request("tables", {"edition": edition, "seats": seats, "options": {}})
        host, mine = str(links["host"]), [str(token) for token in links["seats"]]
        return FriendTable(
            f"{self.address}table#{','.join([*mine, host])}",
            f"{self.address}table#{tokens.group(host)}" if friends else "",
            f"{self.address}table#{tokens.watch(host)}",
        )

    def _request(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send a request to the server; return what it answers. Raises SharingError."""
        port = self.address.rpartition(":")[2]
        headers = {"content-type": "application/json"}
        try:
            with urlopen(
                Request(f"http://{LOOPBACK}:{port}{path}", json.dumps(body).encode(), headers), timeout=START_TIMEOUT
            ) as answer:
                return json.load(answer)
        except HTTPError as error:
            raise SharingError(str(json.load(error).get("text", ""))) from None
        except (URLError, OSError, ValueError):
            raise SharingError(
                phrase("errors", "The tables for friends do not answer. Close them and open them again.")
            ) from None


def host_tables(host: str, folder: str, pipe: Connection) -> None:
    """Main function of the server's process: serve, send the address and news, end with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the workbench, which ends this process
    try:
        with ExitStack() as stack:
            listening = stack.enter_context(listen(host, 0))
            stack.enter_context(lock_folder(Path(folder), browser_address(listening)))
            shared = ShareStore(Path(folder))
            offers = SharedOffers(shared)
            desk = CommentApi(shared, offers, lambda: pipe.send((_COMMENT, "")))
            store = Store(Path(folder) / FILE)
            settings = AppSettings(hosts=HostNames([host]), routes=desk.routes())
            server = uvicorn.Server(server_config(store, offers, settings))
            Thread(target=_stop_with_parent, args=(pipe, server), daemon=True).start()
            pipe.send((_STARTED, browser_address(listening)))
            server.run(sockets=[listening])
    except RulewrightError as error:
        pipe.send((_REFUSED, str(error)))


def _stop_with_parent(pipe: Connection, server: uvicorn.Server) -> None:
    """Stop the server once the process that began it has ended, or says so."""
    with suppress(EOFError, OSError):
        pipe.recv()
    server.should_exit = True
