"""Tables for friends: a server in a process of its own, for the versions of games that a workbench lets others have.

The workbench stays this computer's own. The server ends with it, however that ends; what was played there is kept.
"""

from __future__ import annotations

import json
import signal
import socket
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
from rulewright.base.processes import spawn_context, unheard
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.server import tokens
from rulewright.server.application import configured
from rulewright.server.limits import Limits
from rulewright.server.listening_socket import address, listen
from rulewright.server.network.client_addresses import Callers, Hosts
from rulewright.server.storage.open_store import FILE, alone
from rulewright.server.storage.store import Store
from rulewright.workbench.share.comment_api import RemarkDesk
from rulewright.workbench.share.share_store import SharedGames, SharedOffers, SharingError

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
PATIENCE = 60.0
"""Seconds within which the server must be there."""
_BEGUN, _REFUSED, _REMARK, _END = "begun", "refused", "remark", "end"


@record
class FriendTable:
    """Links of a new table, each behind the server's address: the designer's own seat, and what friends open."""

    mine: str
    invite: str
    watch: str


class Friends:
    """The server for others, if there is one. folder: where it keeps all; heard: is called when somebody has remarked
    something, or the server has ended, in a thread of its own."""

    def __init__(self, folder: Path, heard: Callable[[], object]) -> None:
        self._folder, self._heard = folder, heard
        self._lock = Lock()
        self._process: Any = None
        self._pipe: Connection | None = None
        self.address = ""
        self.everywhere = False

    def begin(self, everywhere: bool) -> str:
        """Be there for others: of this network, or of this computer alone. Gives the address. Raises SharingError."""
        with self._lock:
            if self.address and everywhere == self.everywhere:
                return self.address
            self._end()
            spawning = spawn_context()
            here, there = spawning.Pipe()
            host = EVERYWHERE if everywhere else HERE
            self._process = spawning.Process(target=host_tables, args=(host, str(self._folder), there))
            with unheard():
                self._process.start()
            there.close()
            self._pipe = here
            try:
                what, told = here.recv() if here.poll(PATIENCE) else (_REFUSED, "")
            except EOFError:
                what, told = _REFUSED, ""
            if what != _BEGUN:
                self._end()
                raise SharingError(told or phrase("errors", "The tables for friends could not be opened."))
            self.address, self.everywhere = told, everywhere
            Thread(target=self._listen, args=(here,), daemon=True).start()
            return self.address

    def end(self) -> None:
        """Be there no more."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._pipe is not None:
            with suppress(OSError):
                self._pipe.send(_END)  # what is closed here stays open for the thread that listens
        if self._process is not None:
            self._process.join(5)
            if self._process.is_alive():
                self._process.kill()
                self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process, self._pipe, self.address = None, None, ""

    def _listen(self, pipe: Connection) -> None:
        """Hear what the server tells, until it ends."""
        with suppress(EOFError, OSError):
            while True:
                pipe.recv()
                self._heard()
        if pipe is self._pipe:  # it has ended by itself
            self.end()
            self._heard()

    def table(self, edition: str, name: str, friends: int, computers: int, player: str) -> FriendTable:
        """A new table. edition: the digest of a shared version; name: the designer's, who sits there. Raises
        SharingError."""
        seats = [{"player": "here", "name": name}, *[{"player": "friend"}] * friends, *[{"player": player}] * computers]
        found = self._ask("tables", {"edition": edition, "seats": seats, "options": {}})
        host, mine = str(found["host"]), [str(token) for token in found["seats"]]
        return FriendTable(
            f"{self.address}table#{','.join([*mine, host])}",
            f"{self.address}table#{tokens.group(host)}" if friends else "",
            f"{self.address}table#{tokens.watch(host)}",
        )

    def _ask(self, path: str, body: Mapping[str, Any]) -> Any:
        """Raises SharingError."""
        port = self.address.rpartition(":")[2]
        headers = {"content-type": "application/json"}
        try:
            with urlopen(
                Request(f"http://{HERE}:{port}{path}", json.dumps(body).encode(), headers), timeout=PATIENCE
            ) as got:
                return json.load(got)
        except HTTPError as error:
            raise SharingError(str(json.load(error).get("text", ""))) from None
        except (URLError, OSError, ValueError):
            raise SharingError(
                phrase("errors", "The tables for friends do not answer. Close them and open them again.")
            ) from None


def host_tables(host: str, folder: str, telling: Connection) -> None:
    """What the process does: it serves, tells the address and what happens, and ends when nobody listens any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the workbench, which ends this
    try:
        with ExitStack() as stack:
            listening = stack.enter_context(_listening(host))
            stack.enter_context(alone(Path(folder), address(listening)))
            shared = SharedGames(Path(folder))
            offers = SharedOffers(shared)
            desk = RemarkDesk(shared, offers, lambda: telling.send((_REMARK, "")))
            store = Store(Path(folder) / FILE)
            server = uvicorn.Server(configured(store, offers, Limits(), Hosts([host]), Callers(), beside=desk.routes()))
            Thread(target=_until_left, args=(telling, server), daemon=True).start()
            telling.send((_BEGUN, address(listening)))
            server.run(sockets=[listening])
    except RulewrightError as error:
        telling.send((_REFUSED, str(error)))


def _listening(host: str) -> socket.socket:
    return listen(host, 0)


def _until_left(telling: Connection, server: uvicorn.Server) -> None:
    with suppress(EOFError, OSError):
        telling.recv()
    server.should_exit = True
