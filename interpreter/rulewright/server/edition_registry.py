"""The editions of a server: those that are offered, and those that tables were begun with, as they were then."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock

from rulewright.base import cache
from rulewright.base.diagnostics import EditionError
from rulewright.base.processes import end_by_parent_alone, spawn_context, unheard
from rulewright.base.records import record
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.model.editions import UnknownEdition, available, is_path, shipped
from rulewright.server.storage.records import Pinned

MOST_KEPT = 32


@record
class PlayableEdition:
    """An edition that can be played, and what tables keep of it."""

    rules: Rules
    pinned: Pinned


def offer(rules: Rules) -> PlayableEdition:
    return PlayableEdition(rules, Pinned.of(called(rules.name), rules.edition.bases, rules.text))


Signature = tuple[tuple[str, int, int], ...]
"""What files look like from outside: path, size and time of the last change; by it a changed one is noticed."""


@record
class Mistake:
    """What is wrong with a file: its name, the line, and a sentence."""

    file: str
    line: int
    text: str


@record
class Offered:
    """An edition as it is offered. given: whether it was named when the server began; changed: whether its file has
    changed since then; mistake: why what is in the file now is not offered, but what was there before."""

    edition: PlayableEdition
    given: bool
    changed: bool = False
    mistake: Mistake | None = None


class Offers:
    """names: of the editions that are offered, by name or file. Each is loaded when it is first needed, in whatever
    thread, and again when its file has changed: what takes long keeps nobody else waiting. While a file is wrong, what
    it was before is offered."""

    def __init__(self, names: Sequence[str]) -> None:
        self.being_read = False  # for the first time, before whoever comes needs them
        self._names = {called(name): name for name in names}
        self._lock = Lock()
        self._loading = {name: Lock() for name in self._names}  # one need not wait for another
        self._loaded: dict[str, Offered | None] = {}
        self._seen: dict[str, Signature] = {}
        self._kept: OrderedDict[str, Rules] = OrderedDict()

    def offered(self) -> list[Offered]:
        """All that can be played; those with errors from the beginning are left out."""
        found = [self._offer(name) for name in self._names]
        return [offered for offered in found if offered is not None]

    def all(self) -> dict[str, PlayableEdition]:
        """Digest -> edition of all that can be played."""
        return {offered.edition.pinned.digest: offered.edition for offered in self.offered()}

    def get(self, digest: str) -> PlayableEdition | None:
        """One that can be played; no more are loaded than it takes to find it."""
        loaded = [name for name in self._names if name in self._loaded]
        offers = map(self._offer, (*loaded, *(name for name in self._names if name not in loaded)))
        return next((one.edition for one in offers if one is not None and one.edition.pinned.digest == digest), None)

    def rules(self, pinned: Pinned) -> Rules:
        """The rules that a table was begun with. Raises EditionError where this version reads them no more."""
        offered = self._offer(pinned.name)
        if offered is not None and offered.edition.pinned.digest == pinned.digest:
            return offered.edition.rules
        with self._lock:
            if pinned.digest not in self._kept:
                beside = offered.edition.rules.edition.files if offered is not None else ()
                self._keep(pinned.digest, restored(pinned, beside))
            self._kept.move_to_end(pinned.digest)
            return self._kept[pinned.digest]

    def _keep(self, digest: str, rules: Rules) -> None:
        self._kept[digest] = rules
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    def read_ahead(self, read: Callable[[str], PlayableEdition | None]) -> None:
        """Load what is offered before anybody needs it: in a process of its own, which takes no time from whoever is
        served meanwhile. What was read so before lies in the cache, and is quickly there when it is needed. read:
        `found` or something that does more."""
        names, there = [*self._names.values()], available()
        paths = [Path(name).absolute() if is_path(name) else there.get(name) for name in names]
        done = cache.key("read ahead", read.__qualname__, names, [path and _seen(path) for path in paths])
        if cache.found(done):
            return
        spawning = spawn_context()
        receiving, sending = spawning.Pipe(duplex=False)
        process = spawning.Process(target=_read_all, args=(read, names, sending), daemon=True)
        with unheard():
            process.start()
        sending.close()
        with receiving, suppress(EOFError):  # without that process everybody loads what they need
            for name in self._names:
                read_there = receiving.recv()
                with self._loading[name]:
                    if name not in self._loaded:
                        self._begin(name, read_there)
            cache.keep(done, True)
        process.join()

    def _offer(self, name: str) -> Offered | None:
        """An edition that is offered, as others call it; None where there is none, or none without errors."""
        if name not in self._names:
            return None
        with self._loading[name]:
            if name not in self._loaded:
                self._begin(name, found(self._names[name]))
            elif (offered := self._loaded[name]) is not None and signature(offered.edition) != self._seen[name]:
                self._loaded[name] = self._again(name, offered)
            return self._loaded[name]

    def _begin(self, name: str, edition: PlayableEdition | None) -> None:
        if edition is not None:
            self._seen[name] = signature(edition)
        self._loaded[name] = None if edition is None else Offered(edition, given=is_path(self._names[name]))

    def _again(self, name: str, before: Offered) -> Offered:
        """An edition whose file has changed. What it was is kept, for tables that have begun with it."""
        self._seen[name] = signature(before.edition)
        try:
            edition = offer(library.load(self._names[name]))
        except EditionError as error:
            return replace(before, mistake=_mistake(error))
        except UnknownEdition as error:
            return replace(before, mistake=Mistake(name, 0, str(error).replace(self._names[name], name)))
        self._seen[name] = signature(edition)
        if edition.pinned.digest == before.edition.pinned.digest:
            return replace(before, mistake=None)
        with self._lock:
            self._keep(before.edition.pinned.digest, before.edition.rules)
        return replace(before, edition=edition, changed=True, mistake=None)


def signature(edition: PlayableEdition) -> Signature:
    """Of the files of an edition and of all that it extends."""
    return tuple(filter(None, map(_seen, edition.rules.edition.files)))


def _seen(file: Path) -> tuple[str, int, int] | None:
    """One of a signature; None where there is no such file."""
    try:
        status = file.stat()
    except OSError:
        return None
    return str(file), status.st_size, status.st_mtime_ns


def _mistake(error: EditionError) -> Mistake:
    """The first that is wrong."""
    found = error.report.errors[0]
    return Mistake(Path(found.place.file).name, found.place.line, " ".join(filter(None, (found.message, found.hint))))


def found(name: str) -> PlayableEdition | None:
    """An edition by name or file; None where there is none, or none without errors."""
    try:
        return offer(library.load(name))
    except (EditionError, UnknownEdition):
        return None


def _read_all(read: Callable[[str], PlayableEdition | None], names: Sequence[str], sending: Connection) -> None:
    end_by_parent_alone()
    with suppress(BrokenPipeError):
        for name in names:
            sending.send(read(name))


def called(name: str) -> str:
    """What an edition is called: of a file, others learn its name and not where it lies."""
    return Path(name).name if is_path(name) else name


def restored(pinned: Pinned, beside: Sequence[Path] = ()) -> Rules:
    """An edition from the text that was kept; its pictures only as far as they come with Rulewright, or lie beside
    files that are offered now."""
    return library.restored(pinned.text, pinned.name, pinned.bases, beside)


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
