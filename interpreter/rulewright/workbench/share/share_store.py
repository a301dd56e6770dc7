"""What a workbench shows to others: versions of games, lines of play, and what people have remarked on those.

The workbench writes games and lines, the process that others reach reads them and adds remarks: so all of it lies in
one SQLite file, of which others see what is shown to them alone.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.i18n.localizer import phrase
from rulewright.server import tokens
from rulewright.server.edition_registry import MOST_KEPT, Offers, PlayableEdition, restored
from rulewright.server.storage.records import Pinned
from rulewright.workbench.play.game_start import GameBeginning

FILE = "shared.sqlite"
MOST_LINES, MOST_REMARKS = 200, 500
"""Lines of play that are kept, and remarks on one of them."""
LONGEST_NAME, LONGEST_REMARK = 40, 1000
_PATIENCE = 10.0
_PURPOSE = "remarks"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS secrets (secret TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS editions (
    digest TEXT PRIMARY KEY, name TEXT NOT NULL, bases TEXT NOT NULL, text TEXT NOT NULL, beside TEXT NOT NULL,
    at REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS lines (
    id INTEGER PRIMARY KEY AUTOINCREMENT, token BLOB NOT NULL UNIQUE, edition TEXT NOT NULL REFERENCES editions,
    file TEXT NOT NULL, node INTEGER NOT NULL, title TEXT NOT NULL, everything INTEGER NOT NULL, begun TEXT NOT NULL,
    answers TEXT NOT NULL, at REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS remarks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, line INTEGER NOT NULL REFERENCES lines, step INTEGER NOT NULL,
    answers INTEGER NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, at REAL NOT NULL
) STRICT;
"""


class SharingError(RulewrightError):
    """Something that cannot be shown, or remarked; nothing has changed."""


@record
class SharedLine:
    """A line of play that others may look at. file, node: where the designer finds it; everything: whether they see all
    that is hidden; answers: seat and keys."""

    id: int
    edition: str
    file: str
    node: int
    title: str
    everything: bool
    beginning: GameBeginning
    answers: Sequence[tuple[int, Sequence[str]]]

    def game(self, rules: Rules) -> Game:
        """The game at its end. Raises RulewrightError."""
        start = self.beginning.start(rules)
        game = start.game(start.state)
        for seat, keys in self.answers:
            game.answer(seat, keys)
        return game


@record
class GameRemark:
    """What somebody has said of a moment. step: which one they looked at, from 0; answers: how many had been given
    then; at: seconds since 1970."""

    id: int
    line: int
    step: int
    answers: int
    name: str
    text: str
    at: float


class SharedGames:
    """folder: where the file lies. May be asked from several threads and processes."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        with self._open() as store:
            store.executescript(_SCHEMA)
            store.execute("PRAGMA journal_mode = WAL")
            if store.execute("SELECT count(*) FROM secrets").fetchone()[0] == 0:
                store.execute("INSERT INTO secrets VALUES (?)", (secrets.token_urlsafe(32),))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Raises SharingError."""
        try:
            store = sqlite3.connect(self._path, timeout=_PATIENCE)
            try:
                with store:
                    yield store
            finally:
                store.close()
        except (sqlite3.Error, OSError, OverflowError) as error:
            raise SharingError(
                phrase(
                    "errors", "What is shared cannot be kept in '{path}': {why}.", path=str(self._path), why=str(error)
                )
            ) from None

    # ── versions ──

    def put_edition(self, offer: PlayableEdition) -> str:
        """Let others have a version of a game; by which name they ask for it."""
        pinned, beside = offer.pinned, [str(path) for path in offer.rules.edition.files]
        row = (pinned.digest, pinned.name, json.dumps(pinned.bases), pinned.text, json.dumps(beside), time.time())
        with self._open() as store:
            store.execute(
                "INSERT INTO editions VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at, "
                "beside = excluded.beside",
                row,
            )
        return pinned.digest

    def edition(self, digest: str) -> PlayableEdition | None:
        """A version that was put there. Raises EditionError where this Rulewright reads it no more."""
        with self._open() as store:
            row = store.execute("SELECT name, bases, text, beside FROM editions WHERE digest = ?", (digest,)).fetchone()
        if row is None:
            return None
        pinned = Pinned(digest, row[0], tuple(json.loads(row[1])), row[2])
        return PlayableEdition(restored(pinned, [Path(path) for path in json.loads(row[3])]), pinned)

    # ── lines of play ──

    def put_line(
        self,
        offer: PlayableEdition,
        file: str,
        node: int,
        title: str,
        beginning: GameBeginning,
        answers: Sequence[tuple[int, Sequence[str]]],
        everything: bool,
    ) -> int:
        """Show a line of play; its number. Raises SharingError."""
        digest = self.put_edition(offer)
        begun = [beginning.seats, beginning.roles, dict(beginning.options), beginning.seed, beginning.given]
        with self._open() as store:
            if store.execute("SELECT count(*) FROM lines").fetchone()[0] >= MOST_LINES:
                raise SharingError(
                    phrase("errors", "You show {count} games already. Stop showing one first.", count=MOST_LINES)
                )
            told = (digest, file, node, title, int(everything), json.dumps(begun), json.dumps(answers), time.time())
            made = store.execute(
                "INSERT INTO lines (token, edition, file, node, title, everything, begun, answers, at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (secrets.token_bytes(32), *told),
            )
            number = int(made.lastrowid or 0)
            digest_of = tokens.digest(self._token(store, number))
            store.execute("UPDATE lines SET token = ? WHERE id = ?", (digest_of, number))
        return number

    def lines(self) -> list[SharedLine]:
        with self._open() as store:
            return [_line(row) for row in store.execute(f"SELECT {_LINE} FROM lines ORDER BY id DESC")]

    def token(self, line: int) -> str:
        """What opens a line, for whoever has its link."""
        with self._open() as store:
            return self._token(store, line)

    def _token(self, store: sqlite3.Connection, line: int) -> str:
        secret = store.execute("SELECT secret FROM secrets").fetchone()[0]
        return tokens.derived(secret, f"{_PURPOSE} {line}")

    def opened(self, token: str) -> SharedLine | None:
        """The line that a token opens."""
        if not token or len(token) > tokens.LONGEST:
            return None
        with self._open() as store:
            row = store.execute(f"SELECT {_LINE} FROM lines WHERE token = ?", (tokens.digest(token),)).fetchone()
        return None if row is None else _line(row)

    def remove_line(self, line: int) -> None:
        """Show it no more; what was remarked on it goes, too."""
        with self._open() as store:
            store.execute("DELETE FROM remarks WHERE line = ?", (line,))
            store.execute("DELETE FROM lines WHERE id = ?", (line,))

    # ── remarks ──

    def add_remark(self, line: int, step: int, answers: int, name: str, text: str) -> int:
        """Keep what somebody says; its number. Raises SharingError."""
        told = said(text, LONGEST_REMARK)
        if not told:
            raise SharingError(phrase("errors", "Write something first."))
        with self._open() as store:
            if store.execute("SELECT count(*) FROM remarks WHERE line = ?", (line,)).fetchone()[0] >= MOST_REMARKS:
                raise SharingError(phrase("errors", "There are as many remarks on this game as are kept."))
            made = store.execute(
                "INSERT INTO remarks (line, step, answers, name, text, at) VALUES (?, ?, ?, ?, ?, ?)",
                (line, step, answers, said(" ".join(name.split()), LONGEST_NAME), told, time.time()),
            )
        return int(made.lastrowid or 0)

    def remarks(self) -> list[GameRemark]:
        """All, the newest last."""
        with self._open() as store:
            return [GameRemark(*row) for row in store.execute(f"SELECT {_REMARK} FROM remarks ORDER BY id")]

    def remove_remark(self, remark: int) -> None:
        with self._open() as store:
            store.execute("DELETE FROM remarks WHERE id = ?", (remark,))


_LINE = "id, edition, file, node, title, everything, begun, answers"
_REMARK = "id, line, step, answers, name, text, at"


def _line(row: tuple[Any, ...]) -> SharedLine:
    seats, roles, options, seed, given = json.loads(row[6])
    chosen: Mapping[str, str] = options
    beginning = GameBeginning(tuple(seats), tuple(roles), chosen, seed, given)
    answers = [(int(seat), tuple(keys)) for seat, keys in json.loads(row[7])]
    return SharedLine(row[0], row[1], row[2], row[3], row[4], bool(row[5]), beginning, answers)


def said(text: str, longest: int) -> str:
    """What somebody has typed, in lines, without what is not simply shown."""
    lines = ("".join(letter if letter.isprintable() else " " for letter in line) for line in text.splitlines())
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))[:longest].strip()


class SharedOffers(Offers):
    """The versions that a workbench lets others have, as tables ask for them: by what only links tell. None is listed:
    whoever finds the address finds no game there."""

    def __init__(self, shared: SharedGames) -> None:
        super().__init__([])
        self._shared = shared
        self._made: dict[str, PlayableEdition] = {}

    def get(self, digest: str) -> PlayableEdition | None:
        with self._lock:
            if digest not in self._made:
                made = self._shared.edition(digest)
                if made is None:
                    return None
                self._made[digest] = made
                while len(self._made) > MOST_KEPT:
                    del self._made[next(iter(self._made))]
            return self._made[digest]

    def rules(self, pinned: Pinned) -> Rules:
        """Raises EditionError."""
        found = self.get(pinned.digest)
        return super().rules(pinned) if found is None else found.rules
