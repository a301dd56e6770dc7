"""The editions of a server: those that are offered, and those that tables were begun with, as they were then."""

from __future__ import annotations

import multiprocessing
import signal
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock

from rulewright.base.diagnostics import EditionError
from rulewright.base.records import record
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.model.editions import UnknownEdition, available, is_path, shipped
from rulewright.server.store import Pinned

MOST_KEPT = 32


@record
class PlayableEdition:
    """An edition that can be played, and what tables keep of it."""

    rules: Rules
    pinned: Pinned


def offer(rules: Rules) -> PlayableEdition:
    return PlayableEdition(rules, Pinned.of(called(rules.name), rules.edition.bases, library.whole_text(rules)))


class Offers:
    """names: of the editions that are offered, by name or file. Each is loaded when it is first needed, in whatever
    thread: what takes long keeps nobody else waiting."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = {called(name): name for name in names}
        self._lock = Lock()
        self._loading = {name: Lock() for name in self._names}  # one need not wait for another
        self._loaded: dict[str, PlayableEdition | None] = {}
        self._kept: OrderedDict[str, Rules] = OrderedDict()

    def all(self) -> dict[str, PlayableEdition]:
        """Digest -> edition of all that can be played; those with errors are left out."""
        found = [self._offer(name) for name in self._names]
        return {offered.pinned.digest: offered for offered in found if offered is not None}

    def get(self, digest: str) -> PlayableEdition | None:
        """One that can be played; no more are loaded than it takes to find it."""
        loaded = [name for name in self._names if name in self._loaded]
        offers = map(self._offer, (*loaded, *(name for name in self._names if name not in loaded)))
        return next((offered for offered in offers if offered is not None and offered.pinned.digest == digest), None)

    def rules(self, pinned: Pinned) -> Rules:
        """The rules that a table was begun with. Raises EditionError where this version reads them no more."""
        offered = self._offer(pinned.name)
        if offered is not None and offered.pinned.digest == pinned.digest:
            return offered.rules
        with self._lock:
            if pinned.digest not in self._kept:
                self._kept[pinned.digest] = restored(pinned)
                if len(self._kept) > MOST_KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(pinned.digest)
            return self._kept[pinned.digest]

    def read_ahead(self, read: Callable[[str], PlayableEdition | None]) -> None:
        """Load what is offered before anybody needs it: in a process of its own, which takes no time from whoever is
        served meanwhile. read: `found` or something that does more."""
        spawning = multiprocessing.get_context("spawn")
        receiving, sending = spawning.Pipe(duplex=False)
        process = spawning.Process(target=_read_all, args=(read, [*self._names.values()], sending), daemon=True)
        process.start()
        sending.close()
        with receiving, suppress(EOFError):  # without that process everybody loads what they need
            for name in self._names:
                offered = receiving.recv()
                with self._loading[name]:
                    self._loaded.setdefault(name, offered)
        process.join()

    def _offer(self, name: str) -> PlayableEdition | None:
        """An edition that is offered, as others call it; None where there is none, or none without errors."""
        if name not in self._names:
            return None
        with self._loading[name]:
            if name not in self._loaded:
                self._loaded[name] = found(self._names[name])
            return self._loaded[name]


def found(name: str) -> PlayableEdition | None:
    """An edition by name or file; None where there is none, or none without errors."""
    try:
        return offer(library.load(name))
    except (EditionError, UnknownEdition):
        return None


def _read_all(read: Callable[[str], PlayableEdition | None], names: Sequence[str], sending: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    with suppress(BrokenPipeError):
        for name in names:
            sending.send(read(name))


def called(name: str) -> str:
    """What an edition is called: of a file, others learn its name and not where it lies."""
    return Path(name).name if is_path(name) else name


def restored(pinned: Pinned) -> Rules:
    """An edition from the text that was kept; its pictures only as far as they come with Rulewright."""
    there = available()
    bases = [name for name in pinned.bases if name in there]
    files = [there[name] for name in (pinned.name, *bases) if name in there]
    return library.from_text(pinned.text, pinned.name, bases, files)


def names_of(given: list[str]) -> list[str]:
    """What is given, names or files, then the editions that come along. Raises UnknownEdition, EditionError."""
    for name in given:
        if not _is_shipped(name):
            library.load(name)
    return [*(name for name in given if not _is_shipped(name)), *available()]


def _is_shipped(name: str) -> bool:
    try:
        return not is_path(name) and bool(shipped(name))
    except UnknownEdition:
        return False
