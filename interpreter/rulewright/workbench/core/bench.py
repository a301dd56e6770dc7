"""The workbench itself: what each file says now, in whichever window it is typed, and the rules that are read of it.

A text is shared by all windows, written to its file when nobody types for a moment, and never over what another
program has written there meanwhile: then somebody is asked. Whatever it says is kept in the history at once.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rulewright.base.diagnostics import EditionError, Report
from rulewright.base.records import record
from rulewright.game import library
from rulewright.game.library import Rules, UnknownEdition
from rulewright.server.edition_registry import PlayableEdition, offer
from rulewright.workbench.core import version_history
from rulewright.workbench.core.exception_logging import surviving
from rulewright.workbench.core.shared_text import SharedText, TextUpdate
from rulewright.workbench.core.text_merge import merged
from rulewright.workbench.core.version_history import Versions, VersionsError
from rulewright.workbench.core.workspace import BenchError, Workspace

PAUSE = 0.4
"""Seconds without a change before a text is written to its file and read."""
_LONGEST_PAUSE = 2.0
"""Seconds after which that happens although somebody goes on typing."""
LOOK = 0.4
"""Seconds between two looks at the files, whether another program has changed them."""
_MOST_TRIED = 12
"""Versions of which the last sound one is sought."""

_MOST_OFFERS = 64
_OURS = "workbench"
_EDITION = re.compile(r"(?m)^(rulewright|extends) *:")
_BESIDE = re.compile(r"\.(examples|cases)(?=\.ya?ml$)")
_CATALOG = re.compile(r"\.\w+\.po$")

BenchMessage = Mapping[str, object]


@record
class Compiled:
    """What is known of an edition. number: grows with each change of its text, or of one that it extends; rules: of the
    newest text without errors; current: whether that is the newest text; report: what is wrong with that; offer: the
    same rules, as tables know them."""

    number: int
    rules: Rules | None
    current: bool
    report: Report
    offer: PlayableEdition | None


@dataclass
class _Document:
    """A file that is open. disk: what it said when it was last read or written, None where it was not there; conflict:
    whether another program has written it since, and nobody has said which text is to stay."""

    shared: SharedText
    disk: str | None
    signature: tuple[int, int] | None
    conflict: bool = False


class Bench:
    """May be asked from several threads. session: by which windows know that another workbench has begun."""

    def __init__(self, folder: Workspace) -> None:
        self.folder = folder
        self.session = secrets.token_hex(8)
        self.versions = Versions(folder.own)
        self._lock = threading.RLock()
        self._documents: dict[str, _Document] = {}
        self._compiled: dict[str, Compiled] = {}
        self._numbers: dict[str, int] = {}
        self._reading = threading.Lock()
        self._offers: dict[str, PlayableEdition] = {}
        self._listeners: list[Callable[[str], None]] = []
        self._closing: list[Callable[[], None]] = []
        self._windows: list[Callable[[BenchMessage], None]] = []
        self._stale: set[str] = set()  # not written yet
        self._unread: set[str] = set()  # written, and not read yet
        self._unwritten: dict[str, str] = {}  # could not be written, and why; it is tried again
        self._unkept = ""  # why the history cannot be used
        self._waking = threading.Condition(self._lock)
        self._ended = False
        self._names: list[str] = folder.names()
        self._threads = [
            threading.Thread(target=work, name=f"workbench {work.__name__}", daemon=True)
            for work in (self._settle, self._tell_readers, self._watch)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Write what is not written yet."""
        with self._lock:
            self._ended = True
            self._waking.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(5)
        for name in list(self._documents):
            self._try_to_save(name)
        for work in self._closing:
            with surviving():
                work()
        self.versions.close()

    # ── windows and listeners ──

    def listen(self, heard: Callable[[str], None]) -> None:
        """heard: is told the name of a file soon after its text has changed, in a thread of the workbench."""
        self._listeners.append(heard)

    def closing(self, work: Callable[[], None]) -> None:
        """work: is called when the workbench ends."""
        self._closing.append(work)

    def enter(self, window: Callable[[BenchMessage], None]) -> None:
        """A window has been opened. window: takes what is told; called from any thread."""
        with self._lock:
            self._windows.append(window)

    def leave(self, window: Callable[[BenchMessage], None]) -> None:
        with self._lock:
            if window in self._windows:
                self._windows.remove(window)

    @property
    def watched(self) -> bool:
        """Whether any window is open."""
        return bool(self._windows)

    def tell(self, message: BenchMessage) -> None:
        """To all windows."""
        with self._lock:
            windows = list(self._windows)
        for window in windows:
            window(message)

    # ── texts ──

    def text(self, name: str) -> str:
        """The newest text of a file, as it is typed. Raises BenchError where there is none."""
        return self._document(name).shared.text

    def names(self) -> list[str]:
        """All files that can be edited: those of the folder, and those that another program has deleted while they are
        open here."""
        with self._lock:
            gone = {name for name, document in self._documents.items() if document.conflict}
        return sorted({*self.folder.names(), *gone})

    def is_there(self, name: str) -> bool:
        """Whether there is such a file, on disk or typed."""
        with self._lock:
            return name in self._documents or self.folder.is_there(name)

    def theirs(self, name: str) -> str:
        """What another program has written, where somebody has to say which text stays; '' where it has deleted the
        file. Raises BenchError."""
        with self._lock:
            return self._on_disk(name) or ""

    def opened(self, name: str) -> tuple[str, int, bool]:
        """A text for a window, its version, and whether somebody has to say which text stays. Raises BenchError."""
        with self._lock:
            document = self._document(name)
            return document.shared.text, document.shared.version, document.conflict

    def tell_text(self, name: str, tell: Callable[[str, int, bool], None]) -> None:
        """Tell a text to a window: between what it says and being told comes no change of it. tell: takes what
        `opened` gives. Raises BenchError."""
        with self._lock:
            tell(*self.opened(name))

    def is_saved(self, name: str) -> bool:
        """Whether the file says what the text says, as far as is known. Raises BenchError."""
        with self._lock:
            document = self._document(name)
            return not document.conflict and document.shared.text == document.disk

    def push(self, name: str, version: int, updates: Sequence[TextUpdate]) -> bool:
        """Changes of a window that has seen a version; False where that is not the newest. Raises BenchError, and
        ChangeError for what does not fit."""
        with self._lock:
            document = self._document(name)
            if not document.shared.push(version, updates):
                return False
            if not updates:
                return True
            self._told(name, version, updates)
            self._typed(name, version_history.TYPED)
            return True

    def missed(self, name: str, version: int) -> list[TextUpdate] | None:
        """What a window has not seen yet; None where it needs the whole text. Raises BenchError."""
        return self._document(name).shared.since(version)

    def replace(self, name: str, text: str, why: str = version_history.MADE) -> None:
        """A new text for a file, or a new file, in all windows and in the history. Raises BenchError."""
        with self._lock:
            if name not in self._documents and not self.folder.is_there(name):
                self.folder.file(name)
                self._documents[name] = _Document(SharedText(text), None, None)
                self._typed(name, why)
                self._save(name)
                self._look_for_files()
                return
            document = self._document(name)
            version = document.shared.version
            update = document.shared.replace(text, _OURS)
            if update is not None:
                self._told(name, version, [update])
                self._typed(name, why)

    def settle(self, name: str, mine: bool) -> None:
        """Somebody has said which text stays: the one that is typed here, or the one on disk. The other is in the
        history. Raises BenchError."""
        with self._lock:
            document = self._document(name)
            if not document.conflict:
                return
            there = self._on_disk(name)
            if there is not None:
                self.versions.keep(name, there, version_history.DISK)
            self.versions.keep(name, document.shared.text, version_history.TYPED)
            document.conflict = False
            document.disk, document.signature = there, self.folder.signature(name)
            if mine or there is None:
                self._try_to_save(name)
            else:
                self._wrote(name, there)
                self.replace(name, there, version_history.DISK)
            self.tell({"type": "settled", "file": name})
            self._typed(name, version_history.TYPED)

    def edition_of(self, name: str) -> str | None:
        """The edition that a file belongs to: itself, or the one beside which examples, cases or a catalog lie; None
        where there is none."""
        base = _CATALOG.sub(".yaml", _BESIDE.sub("", name))
        if not base.endswith((".yaml", ".yml")):
            return None
        for found in (base, base.removesuffix(".yaml") + ".yml"):
            with suppress(BenchError):
                if self.is_there(found) and _EDITION.search(self.text(found)):
                    return found
        return None

    # ── rules ──

    def compiled(self, name: str) -> Compiled:
        """What is known of an edition's newest text; it waits until that has been read. Raises BenchError."""
        while True:
            with self._lock:
                self._document(name)
                number, known = self._numbers.get(name, 0), self._compiled.get(name)
                if known is not None and known.number == number:
                    return known
            with self._reading:
                with self._lock:
                    known = self._compiled.get(name)
                    number = self._numbers.get(name, 0)
                if known is None or known.number != number:
                    found = self._read(name, number, known)
                    with self._lock:
                        self._compiled[name] = found
                        if found.offer is not None:
                            self._offers[found.offer.pinned.digest] = found.offer
                            while len(self._offers) > _MOST_OFFERS:
                                del self._offers[next(iter(self._offers))]

    def offered(self, digest: str) -> PlayableEdition | None:
        """An edition as it is or was lately, by what tables know of it."""
        return self._offers.get(digest)

    def _read(self, name: str, number: int, before: Compiled | None) -> Compiled:
        rules, known = (before.rules, before.offer) if before else (None, None)
        with self._lock:
            for other in [*self._documents]:  # what it extends is read from its file
                if other != name:
                    self._try_to_save(other)
            self._save(name)
            if self._documents[name].conflict:
                return Compiled(number, rules, False, Report(), known)
        try:
            made = library.load(str(self.folder.file(name)))
        except EditionError as error:
            if before is None and (sound := self._last_sound(name)) is not None:
                rules, known = sound, offer(sound)
            return Compiled(number, rules, False, error.report, known)
        except UnknownEdition:  # its file has gone
            return Compiled(number, rules, False, Report(), known)
        return Compiled(number, made, True, Report(), offer(made))

    def _last_sound(self, name: str) -> Rules | None:
        """The rules as they last were without errors, where the workbench begins with a text that has some."""
        path = self.folder.file(name)
        with suppress(VersionsError):
            for version in self.versions.listed(name)[:_MOST_TRIED]:
                text = self.versions.text(name, version.id)
                with suppress(EditionError):
                    return None if text is None else library.from_text(text, str(path), at=path)
        return None

    # ── what goes on by itself ──

    def _document(self, name: str) -> _Document:
        with self._lock:
            if name not in self._documents:
                self._documents[name] = self._opened(name)
            return self._documents[name]

    def _opened(self, name: str) -> _Document:
        """A file as it is; what was typed and never written, since the workbench ended too soon, is there again."""
        signature, there = self.folder.signature(name), self.folder.read(name)
        typed = self.versions.unwritten(name, there)
        if typed is None:
            self._keep(name, there, version_history.OPENED)
            self._wrote(name, there)
            return _Document(SharedText(there), there, signature)
        if self.versions.is_as_written(name, there):
            self._stale.add(name)
            self._waking.notify_all()
            return _Document(SharedText(typed), there, signature)
        before = self.versions.as_written(name)
        self.versions.keep(name, there, version_history.DISK)
        self.versions.keep(name, typed, version_history.TYPED)
        found = None if before is None else merged(before, typed, there)
        if found is None:
            return _Document(SharedText(typed), there, signature, conflict=True)
        self._wrote(name, there)
        self._keep(name, found, version_history.MERGED)
        self._stale.add(name)
        self._waking.notify_all()
        return _Document(SharedText(found), there, signature)

    def _told(self, name: str, version: int, updates: Sequence[TextUpdate]) -> None:
        told = [{"clientID": update.by, "changes": update.changes} for update in updates]
        self.tell({"type": "updates", "file": name, "version": version, "updates": told})

    def _typed(self, name: str, why: str) -> None:
        """A text has changed: keep it, and see to it that it is written and read soon."""
        self._keep(name, self._documents[name].shared.text, why)
        self._count(name)
        self._stale.add(name)
        self._waking.notify_all()

    def _keep(self, name: str, text: str, why: str) -> None:
        """Where the history cannot be used, that is told, and work goes on: files are written all the same."""
        try:
            self.versions.keep(name, text, why)
        except VersionsError as error:
            if str(error) != self._unkept:
                self._unkept = str(error)
                self._refused(name, error)
        else:
            self._unkept = ""

    def _wrote(self, name: str, text: str) -> None:
        with suppress(VersionsError):
            self.versions.wrote(name, text)

    def _refused(self, name: str, error: BenchError) -> None:
        self.tell({"type": "refused", "file": name, "text": error.args[0]})

    def _count(self, name: str) -> None:
        """A text has changed, and with it all that extends it; with a catalog, what the edition beside it says."""
        path, spoken = self.folder.file(name), _CATALOG.sub("", name)
        for other, known in [(name, None), *self._compiled.items()]:
            of = known.rules.edition.files if known is not None and known.rules is not None else ()
            beside = spoken != name and other.rpartition(".")[0] == spoken
            if other == name or beside or any(Path(file).resolve() == path for file in of):
                self._numbers[other] = self._numbers.get(other, 0) + 1
                self._stale.add(other)

    def _settle(self) -> None:
        """Write what has changed, whenever nobody types for a moment; then it can be read."""
        while True:
            with self._lock:
                while not self._stale and not self._ended:
                    self._waking.wait()
                if self._ended:
                    return
                until = time.monotonic() + _LONGEST_PAUSE
                while self._waking.wait(PAUSE) and not self._ended and time.monotonic() < until:
                    continue  # somebody goes on typing
                names, self._stale = sorted(self._stale), set()
                for name in names:
                    self._try_to_save(name)
                self._unread |= set(names)
                self._waking.notify_all()

    def _tell_readers(self) -> None:
        """Read what has been written, and tell whoever listens; that may take long, and nothing else waits for it."""
        while True:
            with self._lock:
                while not self._unread and not self._ended:
                    self._waking.wait()
                if self._ended:
                    return
                names, self._unread = sorted(self._unread), set()
            for name in names:
                with surviving():
                    self._announce(name)

    def _announce(self, name: str) -> None:
        told = {"type": "edited", "file": name, "number": self._numbers.get(name, 0), "ok": True}
        if self.edition_of(name) == name:
            with suppress(BenchError):
                found = self.compiled(name)
                told |= {"number": found.number, "ok": found.current}
        self.tell(told)
        for heard in self._listeners:
            with surviving():
                heard(name)

    def _try_to_save(self, name: str) -> None:
        """What cannot be written is told once, and tried again, until it can or says something else."""
        with surviving():
            try:
                self._save(name)
            except BenchError as error:
                if self._unwritten.get(name) != str(error):
                    self._refused(name, error)
                self._unwritten[name] = str(error)
            else:
                self._unwritten.pop(name, None)

    def _save(self, name: str) -> None:
        """Write a text to its file, unless another program has: then somebody is asked."""
        document = self._documents[name]
        if document.conflict or document.shared.text == document.disk:
            return
        there = self._on_disk(name)
        if there not in (document.disk, document.shared.text) and not self._merge(name, document, there):
            self._ask(name, document, there)
            return
        self.folder.write(name, document.shared.text)
        document.disk, document.signature = document.shared.text, self.folder.signature(name)
        self._wrote(name, document.shared.text)
        self.tell({"type": "saved", "file": name})

    def _on_disk(self, name: str) -> str | None:
        return self.folder.read(name) if self.folder.is_there(name) else None

    def _watch(self) -> None:
        """Take over what other programs write, as soon as they have done so: where nothing is typed here that is not
        written."""
        seen: dict[str, tuple[int, int] | None] = {}
        while True:
            with self._lock:
                if self._ended:
                    return
                for name in list(self._unwritten):
                    self._try_to_save(name)
                with surviving():
                    self._look(seen)
                self._waking.wait(LOOK)

    def _look(self, seen: dict[str, tuple[int, int] | None]) -> None:
        """seen: what the files looked like the last time; while one changes, nobody has finished writing it."""
        for name, document in list(self._documents.items()):
            now = self.folder.signature(name)
            if now != document.signature and now == seen.get(name, document.signature):
                with suppress(BenchError):
                    self._take_over(name, document)
            seen[name] = now
        self._look_for_files()

    def _take_over(self, name: str, document: _Document) -> None:
        document.signature = self.folder.signature(name)
        there = self._on_disk(name)
        if there == document.disk:
            return
        if there is None or document.shared.text != document.disk:
            if not self._merge(name, document, there):
                self._ask(name, document, there)
            return
        document.disk = there
        self._wrote(name, there)
        self.replace(name, there, version_history.DISK)
        self.tell({"type": "taken over", "file": name})

    def _merge(self, name: str, document: _Document, there: str | None) -> bool:
        """Take over what another program has written beside what is typed here; whether that can be: they change
        different lines, and both are kept."""
        if there is None or document.disk is None:
            return False
        found = merged(document.disk, document.shared.text, there)
        if found is None:
            return False
        try:
            self.versions.keep(name, document.shared.text, version_history.TYPED)
            self.versions.keep(name, there, version_history.DISK)
        except VersionsError:
            return False
        document.disk, document.signature = there, self.folder.signature(name)
        self._wrote(name, there)
        self.replace(name, found, version_history.MERGED)
        self.tell({"type": "merged", "file": name})
        return True

    def _ask(self, name: str, document: _Document, there: str | None) -> None:
        """Let somebody say which text stays. there: what another program has written; None where the file has gone."""
        document.conflict = True
        self.tell({"type": "conflict", "file": name, "gone": there is None, "theirs": there or ""})

    def _look_for_files(self) -> None:
        names = self.folder.names()
        if names != self._names:
            self._names = names
            self.tell({"type": "files"})
