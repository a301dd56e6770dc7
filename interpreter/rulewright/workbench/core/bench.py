"""Workbench state: the current text of each file, in whichever window it is typed, and the rules read from it.

A text is shared by all windows and written to its file after a pause in typing, but never over what another
program has written there meanwhile: then the user decides. Each state of a text is stored in the history at once.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from rulewright.game.library import Rules
from rulewright.server.edition_registry import PlayableEdition
from rulewright.workbench.core import version_history
from rulewright.workbench.core.compiled_editions import CompiledEdition, CompiledEditions
from rulewright.workbench.core.exception_logging import log_exceptions
from rulewright.workbench.core.shared_text import SharedText, TextUpdate
from rulewright.workbench.core.text_merge import merge
from rulewright.workbench.core.version_history import Versions, VersionsError
from rulewright.workbench.core.windows import Windows
from rulewright.workbench.core.workspace import BenchError, Workspace, edition_names, is_edition, no_edition

SAVE_PAUSE = 0.4
"""Seconds without a change before a text is written to its file and read."""
_MAX_SAVE_PAUSE = 2.0
"""Seconds after which it is written although typing goes on."""
DISK_CHECK_INTERVAL = 0.4
"""Seconds between two checks whether another program has changed the files."""
_OWN_AUTHOR = "workbench"
"""Author of changes that no window has made."""


@dataclass
class _Document:
    """Open file. disk: its content when the text here was last the same, None if there was no file; conflict: whether
    another program has written it since, and the user has not yet chosen a text."""

    shared: SharedText
    disk: str | None
    signature: tuple[int, int] | None
    conflict: bool = False


class Bench:
    """State of one workbench, safe to use from several threads. session: random, by which windows notice a restart;
    name: of a file, as the folder has it."""

    def __init__(self, folder: Workspace) -> None:
        self.folder = folder
        self.session = secrets.token_hex(8)
        self.versions, self.windows = Versions(folder.own), Windows()
        self._lock = threading.RLock()
        self._documents: dict[str, _Document] = {}
        self._editions = CompiledEditions(folder, self.versions, self._lock, self._prepare_reading)
        self._listeners: list[Callable[[str], None]] = []
        self._closing: list[Callable[[], None]] = []
        self._stale: set[str] = set()  # to be written
        self._unread: set[str] = set()  # written, to be read
        self._unwritten: dict[str, str] = {}  # name -> error; writing is tried again
        self._history_error = ""  # error of the history
        self._waking = threading.Condition(self._lock)
        self._ended = False
        self._names: list[str] = folder.names()
        self._threads = [
            threading.Thread(target=work, name=f"workbench {work.__name__}", daemon=True)
            for work in (self._write_loop, self._read_loop, self._watch_loop)
        ]

    def start(self) -> None:
        """Start the background threads."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop the background threads, write the texts that are not written yet, and call what `on_close` has added."""
        with self._lock:
            self._ended = True
            self._waking.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(5)
        for name in list(self._documents):
            self._try_to_save(name)
        for work in self._closing:
            with log_exceptions():
                work()
        self.versions.close()

    # ── listeners ──

    def add_listener(self, listener: Callable[[str], None]) -> None:
        """Add a listener. It is called with the name of a file soon after its text has changed, in a thread of the
        workbench."""
        self._listeners.append(listener)

    def on_close(self, work: Callable[[], None]) -> None:
        """Add a function to call when the workbench ends."""
        self._closing.append(work)

    # ── texts ──

    def text(self, name: str) -> str:
        """Return the newest text of a file, as typed. Raises BenchError if there is none."""
        return self._document(name).shared.text

    def names(self) -> list[str]:
        """List the files that can be edited: those of the folder, and open ones that another program has deleted."""
        with self._lock:
            deleted = {name for name, document in self._documents.items() if document.conflict}
        return sorted({*self.folder.names(), *deleted})

    def is_there(self, name: str) -> bool:
        """Return whether there is such a file, on disk or open. Raises BenchError for an invalid name."""
        with self._lock:
            return name in self._documents or self.folder.is_there(name)

    def theirs(self, name: str) -> str:
        """Read a file anew, as another program has written it; '' without a file. Raises BenchError."""
        with self._lock:
            return self._on_disk(name) or ""

    def text_for_window(self, name: str) -> tuple[str, int, bool]:
        """Return a text for a window, its version, and whether it is in conflict. Raises BenchError."""
        with self._lock:
            document = self._document(name)
            return document.shared.text, document.shared.version, document.conflict

    def send_text(self, name: str, send: Callable[[str, int, bool], None]) -> None:
        """Send a text to a window, with no change between reading and sending it. send: takes what `text_for_window`
        returns. Raises BenchError."""
        with self._lock:
            send(*self.text_for_window(name))

    def is_saved(self, name: str) -> bool:
        """Return whether the file has the current text, as far as is known; not in a conflict. Raises BenchError."""
        with self._lock:
            document = self._document(name)
            return not document.conflict and document.shared.text == document.disk

    def push(self, name: str, version: int, updates: Sequence[TextUpdate]) -> bool:
        """Apply changes of a window made to a version; return False if that is not the newest. Raises BenchError, and
        ChangeError for changes that do not fit."""
        with self._lock:
            document = self._document(name)
            if not document.shared.push(version, updates):
                return False
            if not updates:
                return True
            self._broadcast_updates(name, version, updates)
            self._record_change(name, version_history.TYPED)
            return True

    def updates_since(self, name: str, version: int) -> list[TextUpdate] | None:
        """Return the updates after a version; None if the window needs the whole text. Raises BenchError."""
        return self._document(name).shared.since(version)

    def replace(self, name: str, text: str, reason: str = version_history.PANE) -> None:
        """Replace a text in all windows and in the history; a new file is written at once. Raises BenchError."""
        with self._lock:
            if name not in self._documents and not self.folder.is_there(name):
                self.folder.file(name)
                self._documents[name] = _Document(SharedText(text), None, None)
                self._record_change(name, reason)
                self._save(name)
                self._check_names()
                return
            document = self._document(name)
            version = document.shared.version
            update = document.shared.replace(text, _OWN_AUTHOR)
            if update is not None:
                self._broadcast_updates(name, version, [update])
                self._record_change(name, reason)

    def resolve_conflict(self, name: str, mine: bool) -> None:
        """Keep the text typed here (`mine`, or if the file was deleted) or the one on disk; the other one stays in the
        history. Raises BenchError."""
        with self._lock:
            document = self._document(name)
            if not document.conflict:
                return
            disk_text = self._on_disk(name)
            if disk_text is not None:
                self.versions.store(name, disk_text, version_history.DISK)
            self.versions.store(name, document.shared.text, version_history.TYPED)
            document.conflict = False
            document.disk, document.signature = disk_text, self.folder.signature(name)
            if mine or disk_text is None:
                self._try_to_save(name)
            else:
                self._note_written(name, disk_text)
                self.replace(name, disk_text, version_history.DISK)
            self.windows.broadcast({"type": "settled", "file": name})
            self._record_change(name, version_history.TYPED)

    def edition_of(self, name: str) -> str | None:
        """Return the edition that a file belongs to: itself, or the one beside which examples, cases or a catalog lie;
        None if there is none."""
        for candidate in edition_names(name):
            with suppress(BenchError):
                if self.is_there(candidate) and is_edition(self.text(candidate)):
                    return candidate
        return None

    # ── rules ──

    def compiled(self, name: str) -> CompiledEdition:
        """Return rules and report of an edition's newest text; wait until it has been read. Raises BenchError."""
        self._document(name)
        return self._editions.compiled(name)

    def rules(self, name: str) -> Rules:
        """Return the latest rules of an edition without errors. Raises BenchError if it has never had any."""
        rules = self.compiled(name).rules
        if rules is None:
            raise no_edition(name)
        return rules

    def offer(self, name: str) -> PlayableEdition:
        """Return the latest version of an edition without errors, as tables know it. Raises BenchError if it has never
        had any."""
        offer = self.compiled(name).offer
        if offer is None:
            raise no_edition(name)
        return offer

    def offered(self, digest: str) -> PlayableEdition | None:
        """Return a current or recent version of an edition by the digest that tables use; None for any other."""
        return self._editions.offered(digest)

    def _prepare_reading(self, name: str) -> bool:
        """Write all texts, since editions are read from files with those that they extend; return whether the file of
        this one has its text. Raises BenchError."""
        for other in [*self._documents]:
            if other != name:
                self._try_to_save(other)
        self._save(name)
        return not self._documents[name].conflict

    # ── background work ──

    def _document(self, name: str) -> _Document:
        """Return a document, opened on first use; takes the lock. Raises BenchError."""
        with self._lock:
            if name not in self._documents:
                self._documents[name] = self._open_document(name)
            return self._documents[name]

    def _open_document(self, name: str) -> _Document:
        """Open a file, with text typed and not written when the workbench ended: merged, or else in conflict."""
        signature, disk_text = self.folder.signature(name), self.folder.read(name)
        typed = self.versions.unwritten(name, disk_text)
        if typed is None:
            self._store_version(name, disk_text, version_history.OPENED)
            self._note_written(name, disk_text)
            return _Document(SharedText(disk_text), disk_text, signature)
        if self.versions.is_as_written(name, disk_text):
            self._stale.add(name)
            self._waking.notify_all()
            return _Document(SharedText(typed), disk_text, signature)
        before = self.versions.as_written(name)
        self.versions.store(name, disk_text, version_history.DISK)
        self.versions.store(name, typed, version_history.TYPED)
        text = None if before is None else merge(before, typed, disk_text)
        if text is None:
            return _Document(SharedText(typed), disk_text, signature, conflict=True)
        self._note_written(name, disk_text)
        self._store_version(name, text, version_history.MERGED)
        self._stale.add(name)
        self._waking.notify_all()
        return _Document(SharedText(text), disk_text, signature)

    def _broadcast_updates(self, name: str, version: int, updates: Sequence[TextUpdate]) -> None:
        messages = [{"clientID": update.author, "changes": update.changes} for update in updates]
        self.windows.broadcast({"type": "updates", "file": name, "version": version, "updates": messages})

    def _record_change(self, name: str, reason: str) -> None:
        """Record a change of a text, and have it written and read soon."""
        self._store_version(name, self._documents[name].shared.text, reason)
        self._count_change(name)
        self._stale.add(name)
        self._waking.notify_all()

    def _store_version(self, name: str, text: str, reason: str) -> None:
        """Store a version. If the history cannot be used, report that and go on: files are written all the same."""
        try:
            self.versions.store(name, text, reason)
        except VersionsError as error:
            if str(error) != self._history_error:
                self._history_error = str(error)
                self._report_refusal(name, error)
        else:
            self._history_error = ""

    def _note_written(self, name: str, text: str) -> None:
        """Note in the history what has been written; without a history, nothing."""
        with suppress(VersionsError):
            self.versions.note_written(name, text)

    def _report_refusal(self, name: str, error: BenchError) -> None:
        """Tell windows why a text cannot be written or stored."""
        self.windows.broadcast({"type": "refused", "file": name, "text": error.args[0]})

    def _count_change(self, name: str) -> None:
        """Count a change of a text for all editions that extend it; a catalog counts for the edition beside it."""
        self._stale |= self._editions.count_change(name)

    def _write_loop(self) -> None:
        """Write changed texts after each pause in typing; then they can be read."""
        while True:
            with self._lock:
                while not self._stale and not self._ended:
                    self._waking.wait()
                if self._ended:
                    return
                until = time.monotonic() + _MAX_SAVE_PAUSE
                while self._waking.wait(SAVE_PAUSE) and not self._ended and time.monotonic() < until:
                    continue  # wait for a pause in typing
                names, self._stale = sorted(self._stale), set()
                for name in names:
                    self._try_to_save(name)
                self._unread |= set(names)
                self._waking.notify_all()

    def _read_loop(self) -> None:
        """Read written texts and notify listeners; this may take long, and nothing else waits for it."""
        while True:
            with self._lock:
                while not self._unread and not self._ended:
                    self._waking.wait()
                if self._ended:
                    return
                names, self._unread = sorted(self._unread), set()
            for name in names:
                with log_exceptions():
                    self._announce_change(name)

    def _announce_change(self, name: str) -> None:
        """Compile the edition of a changed text, if it is one, and tell windows and listeners."""
        message = {"type": "edited", "file": name, "number": self._editions.number(name), "ok": True}
        if self.edition_of(name) == name:
            with suppress(BenchError):
                edition = self.compiled(name)
                message |= {"number": edition.number, "ok": edition.current}
        self.windows.broadcast(message)
        for listener in self._listeners:
            with log_exceptions():
                listener(name)

    def _try_to_save(self, name: str) -> None:
        """Write a text; report an error once, and try again until it succeeds or fails otherwise."""
        with log_exceptions():
            try:
                self._save(name)
            except BenchError as error:
                if self._unwritten.get(name) != str(error):
                    self._report_refusal(name, error)
                self._unwritten[name] = str(error)
            else:
                self._unwritten.pop(name, None)

    def _save(self, name: str) -> None:
        """Write a text to its file, unless another program has changed it: then merge, or ask the user."""
        document = self._documents[name]
        if document.conflict or document.shared.text == document.disk:
            return
        disk_text = self._on_disk(name)
        if disk_text not in (document.disk, document.shared.text) and not self._merge(name, document, disk_text):
            self._report_conflict(name, document, disk_text)
            return
        self.folder.write(name, document.shared.text)
        document.disk, document.signature = document.shared.text, self.folder.signature(name)
        self._note_written(name, document.shared.text)
        self.windows.broadcast({"type": "saved", "file": name})

    def _on_disk(self, name: str) -> str | None:
        """Return the text on disk; None if there is no such file. Raises BenchError."""
        return self.folder.read(name) if self.folder.is_there(name) else None

    def _watch_loop(self) -> None:
        """Take over what other programs write, as soon as they are done, unless unwritten changes conflict."""
        signatures: dict[str, tuple[int, int] | None] = {}
        while True:
            with self._lock:
                if self._ended:
                    return
                for name in list(self._unwritten):
                    self._try_to_save(name)
                with log_exceptions():
                    self._check_files(signatures)
                self._waking.wait(DISK_CHECK_INTERVAL)

    def _check_files(self, signatures: dict[str, tuple[int, int] | None]) -> None:
        """Check all open files. signatures: of the last check; while one changes, its writer is not done."""
        for name, document in list(self._documents.items()):
            now = self.folder.signature(name)
            if now != document.signature and now == signatures.get(name, document.signature):
                with suppress(BenchError):
                    self._take_over(name, document)
            signatures[name] = now
        self._check_names()

    def _take_over(self, name: str, document: _Document) -> None:
        """Take over a file that another program has written: merge it with what is typed here, or report a conflict."""
        document.signature = self.folder.signature(name)
        disk_text = self._on_disk(name)
        if disk_text == document.disk:
            return
        if disk_text is None or document.shared.text != document.disk:
            if not self._merge(name, document, disk_text):
                self._report_conflict(name, document, disk_text)
            return
        document.disk = disk_text
        self._note_written(name, disk_text)
        self.replace(name, disk_text, version_history.DISK)
        self.windows.broadcast({"type": "taken over", "file": name})

    def _merge(self, name: str, document: _Document, disk_text: str | None) -> bool:
        """Merge another program's text with the one typed here, if they change different lines; return whether that
        worked. disk_text: None if the file was deleted."""
        if disk_text is None or document.disk is None:
            return False
        text = merge(document.disk, document.shared.text, disk_text)
        if text is None:
            return False
        try:
            self.versions.store(name, document.shared.text, version_history.TYPED)
            self.versions.store(name, disk_text, version_history.DISK)
        except VersionsError:
            return False
        document.disk, document.signature = disk_text, self.folder.signature(name)
        self._note_written(name, disk_text)
        self.replace(name, text, version_history.MERGED)
        self.windows.broadcast({"type": "merged", "file": name})
        return True

    def _report_conflict(self, name: str, document: _Document, disk_text: str | None) -> None:
        """Mark a conflict, and ask for a choice. disk_text: of another program; None if the file was deleted."""
        document.conflict = True
        self.windows.broadcast({"type": "conflict", "file": name, "gone": disk_text is None, "theirs": disk_text or ""})

    def _check_names(self) -> None:
        """Tell windows if files have come or gone since the last look."""
        names = self.folder.names()
        if names != self._names:
            self._names = names
            self.windows.broadcast({"type": "files"})
