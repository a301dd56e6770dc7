"""Who looks at the figures of which edition, and hence which games are played: none where nobody looks.

A window says every few seconds that it still shows them. Figures of the newest text that can be played are shown; what
was known of a text before is kept, so that undoing shows it at once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.game import library
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import Edition
from rulewright.model.editions import is_path
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.workspace import BenchError, no_edition
from rulewright.workbench.statistics.game_process import GameProcess
from rulewright.workbench.statistics.sample_requests import CurveWanted, GamesWanted, SearchWanted, TableWanted

LEASE = 45.0
"""Seconds after which a window that says nothing no longer looks."""

STOOD = 8.0
"""Seconds that a text has to stand to be what there was before an edit: while a number is typed, others stand there."""

BASE, OPENED, BEFORE = "base", "opened", "before"
"""What can be compared with: what the edition extends, the text as it was when the workbench opened it, and the one
before the last edit."""

_MOST_KEPT = 32


@record
class LookedAt:
    """What a window looks at. people: without virtual players; player: a kind of player, for all of them; against:
    BASE, OPENED, BEFORE, or '' for nothing."""

    file: str
    people: int
    options: tuple[tuple[str, str], ...]
    player: str
    against: str
    curve: CurveWanted | None
    search: SearchWanted | None = None


@record
class _Stood:
    edition: Edition
    since: float


class WatchedGames:
    """May be asked from several threads."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._process = GameProcess(self._heard)
        self._lock = threading.Lock()
        self._opened: dict[str, Edition] = {}
        self._now: dict[str, _Stood] = {}
        self._before: dict[str, Edition] = {}
        self._told: dict[str, dict[str, Any]] = {}  # key -> kind -> what was told last
        self._files: dict[str, str] = {}  # key -> file
        self._wanted = ""  # the key of what is played
        self._lease: threading.Timer | None = None
        bench.add_listener(self.changed)
        bench.on_close(self.close)

    def edition(self, file: str) -> Edition:
        """The newest rules of a file that can be played. Raises BenchError."""
        rules = self._bench.compiled(file).rules
        if rules is None:
            raise no_edition(file)
        return self._seen(file, rules.edition)

    def changed(self, file: str) -> None:
        """A text has changed: remember what it came to."""
        if file in self._opened:
            with suppress(RulewrightError):
                self.edition(file)

    def against(self, file: str) -> list[tuple[str, str]]:
        """What an edition can be compared with now, and the title of another edition."""
        edition = self.edition(file)
        found = [(BASE, base.full_title())] if (base := self._base(edition)) is not None else []
        if self._opened[file].hash != edition.hash:
            found.append((OPENED, ""))
        if file in self._before and self._before[file].hash not in (edition.hash, self._opened[file].hash):
            found.append((BEFORE, ""))
        return found

    def look(self, at: LookedAt) -> dict[str, Any]:
        """A window looks at figures: they are told as 'figures', 'curve', 'search' and 'games failed', with the key
        that this gives, besides what is known already. Raises BenchError."""
        edition = self.edition(at.file)
        against = self._other(at, edition)
        if at.curve is not None and at.curve.value not in edition.figures:
            raise BenchError(phrase("errors", "There is no number called '{name}'.", name=at.curve.value))
        table = TableWanted(",".join([at.player] * at.people), at.options)
        number = self._bench.compiled(at.file).number  # a comment moves the places that are told
        parts = (at.file, number, edition.hash, table, "" if against is None else against.hash, at.curve, at.search)
        key = sha256(repr(parts).encode()).hexdigest()[:16]
        with self._lock:
            known = self._told.setdefault(key, {})
            self._files[key] = at.file
            while len(self._told) > _MOST_KEPT:
                gone = next(iter(self._told))
                del self._told[gone], self._files[gone]
            fresh = self._wanted != key and "rest" not in known
            if fresh:
                self._wanted = key
        if fresh:
            self._process.want(GamesWanted(key, edition, table, against, at.curve, at.search))
        elif self._wanted != key:
            self._stop()
        self._lease_anew()
        return {"key": key, **{kind: told for kind, told in known.items() if kind != "rest"}}

    def leave(self) -> None:
        """No window looks any more."""
        self._stop()

    def close(self) -> None:
        if self._lease is not None:
            self._lease.cancel()
        self._process.close()

    def _stop(self) -> None:
        with self._lock:
            self._wanted = ""
        self._process.want(None)

    def _lease_anew(self) -> None:
        with self._lock:
            if self._lease is not None:
                self._lease.cancel()
            self._lease = threading.Timer(LEASE, self.leave)
            self._lease.daemon = True
            self._lease.start()

    def _heard(self, key: str, kind: str, told: Mapping[str, Any] | None) -> None:
        with self._lock:
            file, known = self._files.get(key), self._told.get(key)
            if file is None or known is None:
                return
            if kind == "died":
                kind, told = "failed", {"text": "", "died": True}
            known[kind] = told
            if kind in ("rest", "failed") and self._wanted == key:
                self._wanted = ""
            if kind == "failed":
                known["rest"] = {}
        if kind != "rest":
            name = "games failed" if kind == "failed" else kind
            self._bench.broadcast({"type": name, "file": file, "key": key, **(told or {})})

    def _seen(self, file: str, edition: Edition) -> Edition:
        """Remembers what there was before."""
        with self._lock:
            known, now = self._now.get(file), time.monotonic()
            self._opened.setdefault(file, edition)
            if known is None or known.edition.hash != edition.hash:
                if known is not None and now - known.since >= STOOD:
                    self._before[file] = known.edition
                self._now[file] = _Stood(edition, now)
        return edition

    def _other(self, at: LookedAt, edition: Edition) -> Edition | None:
        match at.against:
            case "base":
                return self._base(edition)
            case "opened":
                return self._opened.get(at.file)
            case "before":
                return self._before.get(at.file)
        return None

    def _base(self, edition: Edition) -> Edition | None:
        """The edition that another one extends."""
        if not edition.bases:
            return None
        with suppress(RulewrightError):
            name = edition.bases[0]
            path = edition.files[1] if is_path(name) else None
            here = self._bench.folder.name_of(path) if path is not None else None
            rules = self._bench.compiled(here).rules if here is not None else library.load(str(path or name))
            return rules.edition if rules is not None else None
        return None
