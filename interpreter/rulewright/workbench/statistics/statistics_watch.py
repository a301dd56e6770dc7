"""Windows that watch statistics, and hence which games are played: none while nobody watches.

A window renews its lease every few seconds. Statistics are of the newest playable text; those of earlier texts are
cached, so that undoing an edit shows them at once.
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
from rulewright.model.edition import Edition
from rulewright.model.editions import is_path
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.workspace import BenchError
from rulewright.workbench.statistics.game_process import GameProcess
from rulewright.workbench.statistics.sample_requests import CurveRequest, GamesRequest, SearchRequest, TableRequest

LEASE_SECONDS = 45.0
"""Seconds after which a silent window no longer counts."""

MIN_STABLE_SECONDS = 8.0
"""Seconds that a text must last to count as the one before an edit: typing a number passes through others."""

BASE, OPENED, BEFORE = "base", "opened", "before"
"""Sides of a comparison: the extended edition, the text as opened by the workbench, the text before the last edit."""

_MAX_CACHED_RESULTS = 32
"""Maximum number of requests whose messages are kept for windows which come back to them."""


@record
class WatchRequest:
    """Statistics that a window watches. people: without virtual players; player: kind of all players; against: BASE,
    OPENED, BEFORE, or '' for no comparison."""

    file: str
    people: int
    options: tuple[tuple[str, str], ...]
    player: str
    against: str
    curve: CurveRequest | None
    search: SearchRequest | None = None


@record
class _TextVersion:
    """Playable text. since: when it was first seen, by a monotonic clock."""

    edition: Edition
    since: float


class StatisticsWatch:
    """Statistics of the watched edition, safe to use from several threads."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._process = GameProcess(self._on_message)
        self._lock = threading.Lock()
        self._opened: dict[str, Edition] = {}
        self._now: dict[str, _TextVersion] = {}
        self._before: dict[str, Edition] = {}
        self._messages: dict[str, dict[str, Any]] = {}  # key -> kind -> latest message
        self._files: dict[str, str] = {}  # key -> file
        self._current_key = ""  # key of the games in progress
        self._lease: threading.Timer | None = None
        bench.add_listener(self.on_change)
        bench.on_close(self.close)

    def edition(self, file: str) -> Edition:
        """Return the newest playable rules of a file, and note them as a version. Raises BenchError."""
        return self._note_version(file, self._bench.rules(file).edition)

    def on_change(self, file: str) -> None:
        """Note a change of a text whose statistics were asked for."""
        if file in self._opened:
            with suppress(RulewrightError):
                self.edition(file)

    def comparison_choices(self, file: str) -> list[tuple[str, str]]:
        """List the possible sides of a comparison, each with the extended edition's title, or '' for an
        earlier text. Raises BenchError."""
        edition = self.edition(file)
        choices = [(BASE, base.full_title())] if (base := self._base(edition)) is not None else []
        if self._opened[file].hash != edition.hash:
            choices.append((OPENED, ""))
        if file in self._before and self._before[file].hash not in (edition.hash, self._opened[file].hash):
            choices.append((BEFORE, ""))
        return choices

    def watch(self, request: WatchRequest) -> dict[str, Any]:
        """Watch statistics: they are broadcast as 'figures', 'curve', 'search' and 'games failed', with a key; return
        it with what is cached. Games of what was watched before are stopped. Raises BenchError.
        """
        edition = self.edition(request.file)
        against = self._other_edition(request, edition)
        if request.curve is not None and request.curve.value not in edition.figures:
            raise BenchError(phrase("errors", "There is no number called '{name}'.", name=request.curve.value))
        table = TableRequest(",".join([request.player] * request.people), request.options)
        number = self._bench.compiled(request.file).number  # even a comment moves the places in the results
        parts = (
            request.file,
            number,
            edition.hash,
            table,
            "" if against is None else against.hash,
            request.curve,
            request.search,
        )
        key = sha256(repr(parts).encode()).hexdigest()[:16]
        with self._lock:
            known = self._messages.setdefault(key, {})
            self._files[key] = request.file
            while len(self._messages) > _MAX_CACHED_RESULTS:
                oldest_key = next(iter(self._messages))
                del self._messages[oldest_key], self._files[oldest_key]
            is_new = self._current_key != key and "rest" not in known
            if is_new:
                self._current_key = key
        if is_new:
            self._process.request(GamesRequest(key, edition, table, against, request.curve, request.search))
        elif self._current_key != key:
            self.unwatch()
        self._renew_lease()
        return {"key": key, **{kind: message for kind, message in known.items() if kind != "rest"}}

    def unwatch(self) -> None:
        """Stop the games in progress, whichever window watches them."""
        with self._lock:
            self._current_key = ""
        self._process.request(None)

    def close(self) -> None:
        """Cancel the lease, and close the process that plays the games."""
        if self._lease is not None:
            self._lease.cancel()
        self._process.close()

    def _renew_lease(self) -> None:
        """Stop the games later, unless the lease is renewed until then."""
        with self._lock:
            if self._lease is not None:
                self._lease.cancel()
            self._lease = threading.Timer(LEASE_SECONDS, self.unwatch)
            self._lease.daemon = True
            self._lease.start()

    def _on_message(self, key: str, kind: str, data: Mapping[str, Any] | None) -> None:
        """Cache a message of the process, and send it to the windows."""
        with self._lock:
            file, known = self._files.get(key), self._messages.get(key)
            if file is None or known is None:
                return
            if kind == "died":
                kind, data = "failed", {"text": "", "died": True}
            known[kind] = data
            if kind in ("rest", "failed") and self._current_key == key:
                self._current_key = ""
            if kind == "failed":
                known["rest"] = {}
        if kind != "rest":
            name = "games failed" if kind == "failed" else kind
            self._bench.windows.broadcast({"type": name, "file": file, "key": key, **(data or {})})

    def _note_version(self, file: str, edition: Edition) -> Edition:
        """Note a text's rules as its newest version, and those before as the version before an edit if they lasted;
        return the newest."""
        with self._lock:
            known, now = self._now.get(file), time.monotonic()
            self._opened.setdefault(file, edition)
            if known is None or known.edition.hash != edition.hash:
                if known is not None and now - known.since >= MIN_STABLE_SECONDS:
                    self._before[file] = known.edition
                self._now[file] = _TextVersion(edition, now)
        return edition

    def _other_edition(self, request: WatchRequest, edition: Edition) -> Edition | None:
        """Return the edition to compare with; None for none."""
        match request.against:
            case "base":
                return self._base(edition)
            case "opened":
                return self._opened.get(request.file)
            case "before":
                return self._before.get(request.file)
        return None

    def _base(self, edition: Edition) -> Edition | None:
        """Return the edition that another one extends."""
        if not edition.bases:
            return None
        with suppress(RulewrightError):
            name = edition.bases[0]
            path = edition.files[1] if is_path(name) else None
            file_name = self._bench.folder.name_of(path) if path is not None else None
            rules = self._bench.compiled(file_name).rules if file_name is not None else library.load(str(path or name))
            return rules.edition if rules is not None else None
        return None
