"""Store of the lines of play of all editions, read on first use and written soon after each change."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote
from weakref import WeakKeyDictionary

from rulewright.i18n.file_errors import write_error
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.play import saved_lines
from rulewright.workbench.play.play_tree import PlayTree

FOLDER = "lines"
"""Folder of the lines of play, in the workbench's own folder."""
_SAVE_PAUSE = 0.5
"""Seconds from a change until it is written."""
_MAX_NAME_LENGTH = 150
"""Maximum characters of a file name: systems allow 255, and quoting turns a character of many scripts into nine."""


@dataclass
class _OpenLines:
    """Lines of an edition. tree: None until read; saving: timer of the pending write."""

    lock: threading.RLock = field(default_factory=threading.RLock)
    tree: PlayTree | None = None
    saving: threading.Timer | None = None


class LineStore:
    """Lines of play of a workbench. Several threads may use it; each edition's tree is locked for one at a time."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._lock = threading.Lock()
        self._opened: dict[str, _OpenLines] = {}
        bench.on_close(self._end)

    @contextmanager
    def tree(self, name: str) -> Iterator[PlayTree]:
        """Lock the lines of an edition's file, by its newest rules. Changes are stored, and announced to all windows as
        'played'.

        Raises BenchError if there are no rules yet.
        """
        rules = self._bench.rules(name)
        with self._lock:
            opened = self._opened.setdefault(name, _OpenLines())
        with opened.lock:
            if opened.tree is None:
                opened.tree = saved_lines.load(self._path(name), rules)
            tree = opened.tree
            tree.use(rules)
            before = tree.change_count
            try:
                yield tree
            finally:
                if tree.change_count != before:
                    self._save_soon(name, opened)

    def _save_soon(self, name: str, opened: _OpenLines) -> None:
        """Write the lines after a pause, once for all changes meanwhile; tell the windows at once."""
        if opened.saving is None:
            opened.saving = threading.Timer(_SAVE_PAUSE, self._save_lines, (name, opened))
            opened.saving.start()
        self._bench.windows.broadcast({"type": "played", "file": name})

    def _save_lines(self, name: str, opened: _OpenLines) -> None:
        """Save an edition's lines of play; tell the windows if that fails."""
        with opened.lock:
            opened.saving = None
            if opened.tree is not None:
                path = self._path(name)
                try:
                    saved_lines.save(opened.tree, path)
                except (OSError, ValueError) as error:
                    message = write_error(path.name, error)
                    self._bench.windows.broadcast({"type": "refused", "file": name, "text": message})

    def _end(self) -> None:
        """Write pending changes at once."""
        with self._lock:
            waiting = [(name, opened) for name, opened in self._opened.items() if opened.saving is not None]
        for name, opened in waiting:
            if (saving := opened.saving) is not None:
                saving.cancel()
                self._save_lines(name, opened)

    def _path(self, name: str) -> Path:
        """Return the file of an edition's lines."""
        file_name = quote(name, safe="")
        if len(file_name) > _MAX_NAME_LENGTH:
            file_name = f"{file_name[:_MAX_NAME_LENGTH]}-{blake2b(name.encode(), digest_size=16).hexdigest()}"
        return self._bench.folder.own / FOLDER / f"{file_name}.json"


_stores: WeakKeyDictionary[Bench, LineStore] = WeakKeyDictionary()
"""Line store of each workbench."""
_making = threading.Lock()
"""Lock while a store is looked up or made."""


def lines_of(bench: Bench) -> LineStore:
    """Return the line store of a workbench, shared by all panes."""
    with _making:
        if bench not in _stores:
            _stores[bench] = LineStore(bench)
        return _stores[bench]
