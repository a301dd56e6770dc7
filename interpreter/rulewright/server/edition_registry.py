"""Registry of a server's editions: those offered for new tables, and earlier texts that tables began with."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock

from rulewright.base import cache
from rulewright.base.diagnostics import EditionError
from rulewright.base.processes import block_interrupts, end_by_parent_alone, spawn_context
from rulewright.base.records import record
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.model.editions import UnknownEdition, available, find, is_path, shipped
from rulewright.server.storage.records import PinnedEdition

MAX_OLD_EDITIONS = 32
"""Limit of editions cached that are not offered any more."""
_SERIES = re.compile(r"^series: *(.*?) *$", re.MULTILINE)
"""Line of an edition with its series, which the text is searched for without being read as YAML."""
_EXTENDS = re.compile(r"^extends: *(.*?) *$", re.MULTILINE)
"""Line that tells which edition another one extends."""


@record
class PlayableEdition:
    """Checked edition with the text that its tables keep."""

    rules: Rules
    pinned: PinnedEdition


def playable_edition(rules: Rules) -> PlayableEdition:
    """Pair checked rules with the text that tables will keep."""
    return PlayableEdition(rules, PinnedEdition.from_text(public_name(rules.name), rules.edition.bases, rules.text))


FilesSignature = tuple[tuple[str, int, int], ...]
"""State of some files: path, size and time of last change (ns) of each; it differs when a file has changed."""


@record
class FileError:
    """First error of an edition's file: its name, line (0: none) and message."""

    file: str
    line: int
    text: str


@record
class OfferedEdition:
    """Edition offered for new tables.

    is_named: named when the server started, not one of the shipped ones; changed: its file has changed since then;
    mistake: why the file's present content is not offered, but its last sound version is.
    """

    edition: PlayableEdition
    is_named: bool
    changed: bool = False
    mistake: FileError | None = None


class EditionRegistry:
    """Editions offered, by name or file, loaded when first needed and again after their files change.

    Any thread may call it; loading one edition keeps nobody waiting who needs another. While a file has errors, its
    last sound version stays on offer. names: of shipped editions, or paths. being_read: whether they are read for the
    first time, before somebody needs them. Lists need no more of a shipped edition than its file.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.being_read = False  # for the first time, before whoever comes needs them
        # In the order of lists, so that what is read first is shown first, and stays there.
        self._names = {public_name(name): name for name in sorted(names, key=_sort_key)}
        self._lock = Lock()
        self._loading = {name: Lock() for name in self._names}  # one need not wait for another
        self._loaded: dict[str, OfferedEdition | None] = {}
        self._signatures: dict[str, FilesSignature] = {}
        self._expected: dict[str, str] = {}
        self._cache: OrderedDict[str, Rules] = OrderedDict()

    def offered(self) -> list[OfferedEdition]:
        """List the editions that can be played, loading those that are not loaded; those with errors since the start
        are left out."""
        return [offered for name in self._names if (offered := self._offer(name)) is not None]

    def each(self) -> Iterator[OfferedEdition]:
        """Yield the offered editions one by one: shipped ones that are not loaded yet as far as their files tell,
        unchecked, and so quickly."""
        for name, path in self._names.items():
            offered = self._offer(name) if name in self._loaded or is_path(path) else _read_unchecked(path)
            if offered is not None:
                self._expected.setdefault(offered.edition.pinned.digest, name)
                yield offered

    def __len__(self) -> int:
        return len(self._names)

    def paths(self) -> list[str]:
        """List the editions as they were given: names of shipped ones, or paths."""
        return list(self._names.values())

    def expect(self, names: Mapping[str, str]) -> None:
        """Note which digests the editions should have, by public name, so that `get` need not load them all; load those
        that were named, whose files people change meanwhile."""
        self._expected = dict(names)
        for name, path in self._names.items():
            if is_path(path):
                self._offer(name)

    def all(self) -> dict[str, PlayableEdition]:
        """Map digests to the editions that can be played."""
        return {offered.edition.pinned.digest: offered.edition for offered in self.offered()}

    def get(self, digest: str) -> PlayableEdition | None:
        """Find an offered edition by its digest, loading no more editions than necessary; None if there is none."""
        expected = [self._expected[digest]] if digest in self._expected else []
        loaded = [name for name in self._names if name in self._loaded]
        offers = map(self._offer, dict.fromkeys((*expected, *loaded, *self._names)))
        return next((one.edition for one in offers if one is not None and one.edition.pinned.digest == digest), None)

    def rules(self, pinned: PinnedEdition) -> Rules:
        """Return the rules that a table began with. Raises EditionError if this version cannot read them any more."""
        offered = self._offer(pinned.name)
        if offered is not None and offered.edition.pinned.digest == pinned.digest:
            return offered.edition.rules
        with self._lock:
            if pinned.digest not in self._cache:
                picture_files = offered.edition.rules.edition.files if offered is not None else ()
                self._keep(pinned.digest, restore_rules(pinned, picture_files))
            self._cache.move_to_end(pinned.digest)
            return self._cache[pinned.digest]

    def _keep(self, digest: str, rules: Rules) -> None:
        """Cache rules that are not offered any more, by their digest."""
        self._cache[digest] = rules
        if len(self._cache) > MAX_OLD_EDITIONS:
            self._cache.popitem(last=False)

    def read_ahead(self, read: Callable[[str], PlayableEdition | None]) -> None:
        """Fill the disk cache with all offered editions, in a child process, so that later loading is quick; the small
        ones first, so that a large one holds up none of them.

        Blocks until it is done; meanwhile, requests are served. read: loads one edition by name, such as
        `load_edition`, or does more.
        """
        entries = {name: _read_ahead_entry(read, path) for name, path in self._names.items()}
        missing = sorted((name for name, entry in entries.items() if not cache.get(entry)), key=self._size)
        if not missing:
            return
        context = spawn_context()
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(
            target=_read_all, args=(read, [self._names[name] for name in missing], sender), daemon=True
        )
        with block_interrupts():
            process.start()
        sender.close()
        with receiver, suppress(EOFError):  # without that process everybody loads what they need
            for name in missing:
                edition = receiver.recv()
                with self._loading[name]:
                    if name not in self._loaded:
                        self._note_loaded(name, edition)
                cache.store(entries[name], True)
        process.join()

    def _size(self, name: str) -> int:
        """Return the length of an edition's text with that of the one it extends."""
        text = _text_of(self._names[name])
        extends = _EXTENDS.search(text)
        return len(text) + len(_text_of(extends[1]) if extends else "")

    def _offer(self, name: str) -> OfferedEdition | None:
        """Return an offered edition by its public name, loaded or reloaded; None if unknown or never sound."""
        if name not in self._names:
            return None
        with self._loading[name]:
            if name not in self._loaded:
                self._note_loaded(name, load_edition(self._names[name]))
            elif (offered := self._loaded[name]) is not None and files_signature(offered.edition) != self._signatures[
                name
            ]:
                self._loaded[name] = self._reload(name, offered)
            return self._loaded[name]

    def _note_loaded(self, name: str, edition: PlayableEdition | None) -> None:
        """Note an edition as loaded for the first time; None for one with errors."""
        if edition is not None:
            self._signatures[name] = files_signature(edition)
        self._loaded[name] = None if edition is None else OfferedEdition(edition, is_named=is_path(self._names[name]))

    def _reload(self, name: str, before: OfferedEdition) -> OfferedEdition:
        """Reload an edition whose file has changed; the version before is kept for tables that began with it."""
        self._signatures[name] = files_signature(before.edition)
        try:
            edition = playable_edition(library.load(self._names[name]))
        except EditionError as error:
            return replace(before, mistake=_first_error(error))
        except UnknownEdition as error:
            return replace(before, mistake=FileError(name, 0, str(error).replace(self._names[name], name)))
        self._signatures[name] = files_signature(edition)
        if edition.pinned.digest == before.edition.pinned.digest:
            return replace(before, mistake=None)
        with self._lock:
            self._keep(before.edition.pinned.digest, before.edition.rules)
        return replace(before, edition=edition, changed=True, mistake=None)


def _sort_key(name: str) -> tuple[str, bool, list[tuple[int, str]]]:
    """Return by what an edition is sorted in lists, without reading all of its file: its series, or that of the one it
    extends; whether it is a shipped one that extends another one; and then its name, by its numbers."""
    by_number = [(int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", name)]
    text = _text_of(name)
    extends = _EXTENDS.search(text)
    series = _SERIES.search(text) or (extends and _SERIES.search(_text_of(extends[1])))
    is_extension = not is_path(name) and extends is not None
    return series[1] if series else "", is_extension, by_number if is_extension else []


def _text_of(name: str) -> str:
    """Return the text of an edition's file; '' if it cannot be read."""
    try:
        return find(name)[1].read_text(encoding="utf-8")
    except (OSError, UnicodeError, UnknownEdition):
        return ""


def _read_ahead_entry(read: Callable[[str], PlayableEdition | None], edition: str) -> str:
    """Return the key of the note that an edition, given by name or path, has been read ahead as its file is."""
    path = Path(edition).absolute() if is_path(edition) else available().get(edition)
    return cache.key("read ahead", read.__qualname__, edition, path and _file_signature(path))


def files_signature(edition: PlayableEdition) -> FilesSignature:
    """Return the state of an edition's files and of all that it extends."""
    return signature_of(edition.rules.edition.files)


def signature_of(files: Iterable[Path]) -> FilesSignature:
    """Return the state of those files and folders that there are."""
    return tuple(filter(None, map(_file_signature, files)))


def _file_signature(file: Path) -> tuple[str, int, int] | None:
    """Return path, size and time of change of a file; None if it cannot be read."""
    try:
        status = file.stat()
    except OSError:
        return None
    return str(file), status.st_size, status.st_mtime_ns


def _first_error(error: EditionError) -> FileError:
    """Describe the first error of a report."""
    first = error.report.errors[0]
    return FileError(Path(first.place.file).name, first.place.line, " ".join(filter(None, (first.message, first.hint))))


def load_edition(name: str) -> PlayableEdition | None:
    """Load an edition by name or file; None if there is none, or it has errors."""
    return _playable(library.load, name)


def _read_unchecked(name: str) -> OfferedEdition | None:
    """Read a shipped edition without checking it; None if it cannot be read."""
    edition = _playable(library.read_unchecked, name)
    return None if edition is None else OfferedEdition(edition, is_named=False)


def _playable(load: Callable[[str], Rules], name: str) -> PlayableEdition | None:
    """Return an edition as `load` reads it; None if there is none, or it has errors."""
    try:
        return playable_edition(load(name))
    except (EditionError, UnknownEdition):
        return None


def _read_all(read: Callable[[str], PlayableEdition | None], names: Sequence[str], sender: Connection) -> None:
    """Read editions and send each; the main function of a child process. read: as for `read_ahead`."""
    end_by_parent_alone()
    with suppress(BrokenPipeError):
        for name in names:
            sender.send(read(name))


def public_name(name: str) -> str:
    """Return the name of an edition that others may learn: a file's name without its folder."""
    return Path(name).name if is_path(name) else name


def restore_rules(pinned: PinnedEdition, picture_files: Sequence[Path] = ()) -> Rules:
    """Check an edition again from the text that a table kept.

    Its pictures are those shipped with Rulewright, or beside the given files. Raises EditionError.
    """
    return library.from_saved_text(pinned.text, pinned.name, pinned.bases, picture_files)


def offered_names(names: list[str]) -> list[str]:
    """Return those of the names that are no shipped editions, after loading each as a check, then the names of all
    shipped ones. Raises UnknownEdition, EditionError."""
    for name in names:
        if not _is_shipped(name):
            library.load(name)
    return [*(name for name in names if not _is_shipped(name)), *available()]


def _is_shipped(name: str) -> bool:
    """Return whether a name is that of a shipped edition."""
    try:
        return not is_path(name) and bool(shipped(name))
    except UnknownEdition:
        return False
