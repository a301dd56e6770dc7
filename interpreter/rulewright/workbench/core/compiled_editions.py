"""Rules of editions in a workbench, compiled from their newest texts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rulewright.base.diagnostics import EditionError, Report
from rulewright.base.records import record
from rulewright.game import library
from rulewright.game.library import Rules, UnknownEdition
from rulewright.server.edition_registry import PlayableEdition, playable_edition
from rulewright.workbench.core.version_history import Versions, VersionsError
from rulewright.workbench.core.workspace import Workspace, catalog_stem

_MAX_VERSIONS_TRIED = 12
"""Maximum number of versions searched for the last one without errors."""
_MAX_CACHED_OFFERS = 64
"""Maximum number of versions, of all editions together, that tables can still ask for."""


@record
class CompiledEdition:
    """Rules and report of an edition.

    - number: grows with each change of its text, or of one that it extends
    - rules: of the newest text without errors
    - current: whether that is the newest text
    - report: diagnostics of the newest text
    - offer: the same rules, as tables know them
    """

    number: int
    rules: Rules | None
    current: bool
    report: Report
    offer: PlayableEdition | None


class CompiledEditions:
    """Rules of all editions that were asked for, each compiled again when its text has changed.

    lock: of the texts; prepare: called with the lock and the name of a file, writes all texts and returns whether the
    file has the newest one.
    """

    def __init__(
        self, folder: Workspace, versions: Versions, lock: threading.RLock, prepare: Callable[[str], bool]
    ) -> None:
        self._folder, self._versions, self._lock, self._prepare = folder, versions, lock, prepare
        self._compiled: dict[str, CompiledEdition] = {}
        self._numbers: dict[str, int] = {}
        self._reading = threading.Lock()
        self._offers: dict[str, PlayableEdition] = {}

    def compiled(self, name: str) -> CompiledEdition:
        """Return rules and report of an edition's newest text; wait until it has been read. Raises BenchError."""
        while True:
            if (current := self._current(name)) is not None:
                return current
            with self._reading:
                if self._current(name) is None:
                    self._read_newest(name)

    def _current(self, name: str) -> CompiledEdition | None:
        """Return the edition if it was read from the newest text; else None."""
        with self._lock:
            known = self._compiled.get(name)
            return known if known is not None and known.number == self.number(name) else None

    def _read_newest(self, name: str) -> None:
        """Compile an edition's newest text and keep the result."""
        with self._lock:
            known, number = self._compiled.get(name), self.number(name)
        edition = self._read(name, number, known)
        with self._lock:
            self._compiled[name] = edition
            if edition.offer is not None:
                self._offers[edition.offer.pinned.digest] = edition.offer
                while len(self._offers) > _MAX_CACHED_OFFERS:
                    del self._offers[next(iter(self._offers))]

    def number(self, name: str) -> int:
        """Return the number of changes of a text, or of one that it extends."""
        return self._numbers.get(name, 0)

    def count_change(self, name: str) -> set[str]:
        """Count a change of a text, for itself and for all editions that extend it; a catalog counts for the edition
        beside it, too. Return the names of all these."""
        path, edition_stem = self._folder.file(name), catalog_stem(name)
        counted = {name}
        for other, known in self._compiled.items():
            files = known.rules.edition.files if known.rules is not None else ()
            is_beside = edition_stem != name and other.rpartition(".")[0] == edition_stem
            if is_beside or any(Path(file).resolve() == path for file in files):
                counted.add(other)
        for other in counted:
            self._numbers[other] = self.number(other) + 1
        return counted

    def offered(self, digest: str) -> PlayableEdition | None:
        """Return a current or recent version of an edition by the digest that tables use; None for an unknown one."""
        return self._offers.get(digest)

    def _read(self, name: str, number: int, before: CompiledEdition | None) -> CompiledEdition:
        """Compile an edition; if its text has errors, is in conflict or was deleted, keep the last rules without
        errors.
        """
        rules, known = (before.rules, before.offer) if before else (None, None)
        with self._lock:
            if not self._prepare(name):
                return CompiledEdition(number, rules, False, Report(), known)
        try:
            loaded = library.load(str(self._folder.file(name)))
        except EditionError as error:
            if before is None and (sound := self._last_sound(name)) is not None:
                rules, known = sound, playable_edition(sound)
            return CompiledEdition(number, rules, False, error.report, known)
        except UnknownEdition:  # the file was deleted
            return CompiledEdition(number, rules, False, Report(), known)
        return CompiledEdition(number, loaded, True, Report(), playable_edition(loaded))

    def _last_sound(self, name: str) -> Rules | None:
        """Return the rules of the last version without errors, when the workbench starts with a text that has some;
        None if there is none among the latest."""
        path = self._folder.file(name)
        with suppress(VersionsError):
            for version in self._versions.list_versions(name)[:_MAX_VERSIONS_TRIED]:
                text = self._versions.text(name, version.id)
                with suppress(EditionError):
                    return None if text is None else library.from_text(text, str(path), file=path)
        return None
