"""Something between servers and PostgreSQL, which lets through what tests want: all, nothing, or nothing any more."""

from __future__ import annotations

import shutil
import socket
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread

from databases import PostgresServer

_NAME = ".s.PGSQL.5432"


class UnsteadyPostgresql:
    """address: for servers; it leads to `real`, as long as nobody says otherwise."""

    def __init__(self, real: PostgresServer, address: str) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="rulewright-pg-"))
        self._real = real.folder
        self.address = address.replace(str(real.folder), str(self._folder))
        self._flowing, self._lock = Event(), Lock()
        self._flowing.set()
        self._ends: list[socket.socket] = []
        self._open, self._freezing = True, b""
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(self._folder / _NAME))
        self._listening.listen()
        Thread(target=self._take, daemon=True).start()

    def cut(self) -> None:
        """Remove the database."""
        with self._lock:
            self._open = False
            for one in self._ends:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def freeze(self, index: bytes = b"") -> None:
        """Silence the database from now on, or from a certain statement on."""
        self._freezing = index
        if not index:
            self._flowing.clear()

    def is_frozen(self) -> bool:
        """Return whether the database is silent now."""
        return not self._flowing.is_set()

    def let(self) -> None:
        """All is well."""
        self._open, self._freezing = True, b""
        self._flowing.set()

    def end(self) -> None:
        self.cut()
        self._flowing.set()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _take(self) -> None:
        with suppress(OSError):
            while True:
                first, _ = self._listening.accept()
                if not self._open:
                    first.close()
                    continue
                second = socket.socket(socket.AF_UNIX)
                second.connect(str(self._real / _NAME))
                with self._lock:
                    self._ends += (first, second)
                for one, other, up in ((first, second, True), (second, first, False)):
                    Thread(target=self._pump, args=(one, other, up), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket, up: bool) -> None:
        with suppress(OSError):
            while data := one.recv(65_536):
                if up and self._freezing and self._freezing in data:
                    self._flowing.clear()
                self._flowing.wait()
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def until(existing: Callable[[], bool]) -> None:
    """Try again, until something is so."""
    while not existing():
        continue
