"""The lines of play of all editions of a bench: each read when it is first asked for, and kept on disk soon after."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote
from weakref import WeakKeyDictionary

from rulewright.base.files import reason
from rulewright.i18n.localizer import phrase
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.workspace import no_edition
from rulewright.workbench.play import saved_lines
from rulewright.workbench.play.play_tree import PlayTree

FOLDER = "lines"
_PAUSE = 0.5
"""Seconds after a change before it is written."""
_LONGEST = 150
"""Letters of a file's name: systems take no more than 255, and letters of many scripts become nine each."""


@dataclass
class _OpenLines:
    lock: threading.RLock = field(default_factory=threading.RLock)
    tree: PlayTree | None = None
    saving: threading.Timer | None = None


class LineStore:
    """May be asked from several threads; each edition's tree is for one at a time."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._lock = threading.Lock()
        self._opened: dict[str, _OpenLines] = {}
        bench.on_close(self._end)

    @contextmanager
    def tree(self, name: str) -> Iterator[PlayTree]:
        """The lines of an edition's file, by its newest rules. What is done with them is kept, and told to all windows
        as 'played'.

        Raises BenchError where there are no rules yet.
        """
        compiled = self._bench.compiled(name)
        if compiled.rules is None:
            raise no_edition(name)
        with self._lock:
            opened = self._opened.setdefault(name, _OpenLines())
        with opened.lock:
            if opened.tree is None:
                opened.tree = saved_lines.load(self._path(name), compiled.rules)
            tree = opened.tree
            tree.use(compiled.rules)
            before = tree.changed
            try:
                yield tree
            finally:
                if tree.changed != before:
                    self._changed(name, opened)

    def _changed(self, name: str, opened: _OpenLines) -> None:
        if opened.saving is None:
            opened.saving = threading.Timer(_PAUSE, self._save, (name, opened))
            opened.saving.start()
        self._bench.broadcast({"type": "played", "file": name})

    def _save(self, name: str, opened: _OpenLines) -> None:
        with opened.lock:
            opened.saving = None
            if opened.tree is not None:
                path = self._path(name)
                try:
                    saved_lines.save(opened.tree, path)
                except (OSError, ValueError) as error:
                    why = phrase("errors", "'{path}' cannot be written: {why}.", path=path.name, why=reason(error))
                    self._bench.broadcast({"type": "refused", "file": name, "text": why})

    def _end(self) -> None:
        """Write at once what was to be written soon."""
        with self._lock:
            waiting = [(name, opened) for name, opened in self._opened.items() if opened.saving is not None]
        for name, opened in waiting:
            if (saving := opened.saving) is not None:
                saving.cancel()
                self._save(name, opened)

    def _path(self, name: str) -> Path:
        called = quote(name, safe="")
        if len(called) > _LONGEST:
            called = f"{called[:_LONGEST]}-{blake2b(name.encode(), digest_size=16).hexdigest()}"
        return self._bench.folder.own / FOLDER / f"{called}.json"


_stores: WeakKeyDictionary[Bench, LineStore] = WeakKeyDictionary()
_making = threading.Lock()


def lines_of(bench: Bench) -> LineStore:
    """The lines of a bench, which all panes share."""
    with _making:
        if bench not in _stores:
            _stores[bench] = LineStore(bench)
        return _stores[bench]
