"""Store of what a workbench shares: versions of games, lines of play, and comments.

The workbench writes versions and lines; the public process reads them and adds comments: so all of it is in one SQLite
file.
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
from rulewright.server.edition_registry import MAX_OLD_EDITIONS, EditionRegistry, PlayableEdition, restore_rules
from rulewright.server.storage.records import PinnedEdition
from rulewright.workbench.play.game_start import GameStart

FILE = "shared.sqlite"
"""File of the store in its folder."""
MAX_LINES, MAX_COMMENTS = 200, 500
"""Maximum number of shared lines, and of comments on one of them."""
MAX_NAME_LENGTH, MAX_COMMENT_LENGTH = 40, 1000
"""Maximum numbers of characters of a commenter's name and of a comment."""
_PATIENCE = 10.0
"""Seconds to wait for another process's transaction."""
_PURPOSE = "remarks"
"""Purpose from which tokens are derived."""
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
"""Tables of the store; `at` is in seconds since 1970, tokens are stored as digests."""


class SharingError(RulewrightError):
    """Item that cannot be shared or commented; nothing has changed."""


@record
class SharedLine:
    """Shared line of play. edition: digest of its version; file, node: its origin, a node's number there; everything:
    whether hidden things are shown; answers: seat and keys."""

    id: int
    edition: str
    file: str
    node: int
    title: str
    everything: bool
    beginning: GameStart
    answers: Sequence[tuple[int, Sequence[str]]]

    def game(self, rules: Rules) -> Game:
        """Return the game at its end. Raises RulewrightError."""
        start = self.beginning.start(rules)
        game = start.game(start.state)
        for seat, keys in self.answers:
            game.answer(seat, keys)
        return game


@record
class GameComment:
    """Comment on a moment of a line, given by its number. step: the moment looked at, from 0; answers: number of
    answers given at that moment; time: seconds since 1970."""

    id: int
    line: int
    step: int
    answers: int
    name: str
    text: str
    time: float


class ShareStore:
    """Database of shared items, safe to use from several threads and processes. folder: of its file. All methods raise
    SharingError if the file cannot be used."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        with self._open() as store:
            store.executescript(_SCHEMA)
            store.execute("PRAGMA journal_mode = WAL")
            if store.execute("SELECT count(*) FROM secrets").fetchone()[0] == 0:
                store.execute("INSERT INTO secrets VALUES (?)", (secrets.token_urlsafe(32),))

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the database for a transaction. Raises SharingError."""
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
        """Share a version of a game, or note its present files if it is shared already; return its digest."""
        pinned, extra_files = offer.pinned, [str(path) for path in offer.rules.edition.files]
        row = (pinned.digest, pinned.name, json.dumps(pinned.bases), pinned.text, json.dumps(extra_files), time.time())
        with self._open() as store:
            store.execute(
                "INSERT INTO editions VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at, "
                "beside = excluded.beside",
                row,
            )
        return pinned.digest

    def edition(self, digest: str) -> PlayableEdition | None:
        """Return a shared version; None if missing. Raises EditionError if this version of Rulewright no longer reads
        it."""
        with self._open() as store:
            row = store.execute("SELECT name, bases, text, beside FROM editions WHERE digest = ?", (digest,)).fetchone()
        if row is None:
            return None
        pinned = PinnedEdition(digest, row[0], tuple(json.loads(row[1])), row[2])
        return PlayableEdition(restore_rules(pinned, [Path(path) for path in json.loads(row[3])]), pinned)

    # ── lines of play ──

    def put_line(
        self,
        offer: PlayableEdition,
        file: str,
        node: int,
        title: str,
        beginning: GameStart,
        answers: Sequence[tuple[int, Sequence[str]]],
        everything: bool,
    ) -> int:
        """Share a line of play, and its version of the game; return its number. Raises SharingError if there are too
        many.

        file, node, everything: as in `SharedLine`.
        """
        digest = self.put_edition(offer)
        start = [beginning.seats, beginning.roles, dict(beginning.options), beginning.seed, beginning.position]
        with self._open() as store:
            if store.execute("SELECT count(*) FROM lines").fetchone()[0] >= MAX_LINES:
                raise SharingError(
                    phrase("errors", "You show {count} games already. Stop showing one first.", count=MAX_LINES)
                )
            values = (digest, file, node, title, int(everything), json.dumps(start), json.dumps(answers), time.time())
            cursor = store.execute(
                "INSERT INTO lines (token, edition, file, node, title, everything, begun, answers, at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (secrets.token_bytes(32), *values),
            )
            number = int(cursor.lastrowid or 0)
            digest_of = tokens.digest(self._token(store, number))
            store.execute("UPDATE lines SET token = ? WHERE id = ?", (digest_of, number))
        return number

    def lines(self) -> list[SharedLine]:
        """List the shared lines, newest first."""
        with self._open() as store:
            return [_line_of_row(row) for row in store.execute(f"SELECT {_LINE} FROM lines ORDER BY id DESC")]

    def token(self, line: int) -> str:
        """Return the token that opens a line, for its link. line: its number; whether it exists is not checked."""
        with self._open() as store:
            return self._token(store, line)

    def _token(self, store: sqlite3.Connection, line: int) -> str:
        """Return the token of a line, derived from the store's secret: only its digest is stored."""
        secret = store.execute("SELECT secret FROM secrets").fetchone()[0]
        return tokens.derived(secret, f"{_PURPOSE} {line}")

    def line_of_token(self, token: str) -> SharedLine | None:
        """Return the line that a token opens; None for an unknown one."""
        if not token or len(token) > tokens.MAX_LENGTH:
            return None
        with self._open() as store:
            row = store.execute(f"SELECT {_LINE} FROM lines WHERE token = ?", (tokens.digest(token),)).fetchone()
        return None if row is None else _line_of_row(row)

    def remove_line(self, line: int) -> None:
        """Delete a line, by its number, with its comments; nothing happens if there is none."""
        with self._open() as store:
            store.execute("DELETE FROM remarks WHERE line = ?", (line,))
            store.execute("DELETE FROM lines WHERE id = ?", (line,))

    # ── remarks ──

    def add_comment(self, line: int, step: int, answers: int, name: str, text: str) -> int:
        """Clean and store a comment on a line that exists; return its number. step, answers: as in `GameComment`.
        Raises SharingError if the text is empty, or there are too many comments."""
        clean_text = clean_lines(text, MAX_COMMENT_LENGTH)
        if not clean_text:
            raise SharingError(phrase("errors", "Write something first."))
        with self._open() as store:
            if store.execute("SELECT count(*) FROM remarks WHERE line = ?", (line,)).fetchone()[0] >= MAX_COMMENTS:
                raise SharingError(phrase("errors", "There are as many remarks on this game as are kept."))
            cursor = store.execute(
                "INSERT INTO remarks (line, step, answers, name, text, at) VALUES (?, ?, ?, ?, ?, ?)",
                (line, step, answers, clean_lines(" ".join(name.split()), MAX_NAME_LENGTH), clean_text, time.time()),
            )
        return int(cursor.lastrowid or 0)

    def comments(self) -> list[GameComment]:
        """List all comments, newest last."""
        with self._open() as store:
            return [GameComment(*row) for row in store.execute(f"SELECT {_REMARK} FROM remarks ORDER BY id")]

    def remove_comment(self, comment: int) -> None:
        """Remove a comment by its number; nothing happens if there is none."""
        with self._open() as store:
            store.execute("DELETE FROM remarks WHERE id = ?", (comment,))


_LINE = "id, edition, file, node, title, everything, begun, answers"
"""Columns of a line, in the order of `_line_of_row`."""
_REMARK = "id, line, step, answers, name, text, at"
"""Columns of a comment, in the order of `GameComment`'s fields."""


def _line_of_row(row: tuple[Any, ...]) -> SharedLine:
    """Return the line of a row with the columns `_LINE`."""
    seats, roles, options, seed, position = json.loads(row[6])
    option_choices: Mapping[str, str] = options
    beginning = GameStart(tuple(seats), tuple(roles), option_choices, seed, position)
    answers = [(int(seat), tuple(keys)) for seat, keys in json.loads(row[7])]
    return SharedLine(row[0], row[1], row[2], row[3], row[4], bool(row[5]), beginning, answers)


def clean_lines(text: str, max_length: int) -> str:
    """Clean a typed text: keep its lines but blank ones, join blanks, drop what cannot be shown, and cut it."""
    lines = ("".join(letter if letter.isprintable() else " " for letter in line) for line in text.splitlines())
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))[:max_length].strip()


class SharedOffers(EditionRegistry):
    """Shared versions, as the tables' server asks for them: by the digest, which only links tell. None is listed:
    whoever finds the address finds no game there."""

    def __init__(self, shared: ShareStore) -> None:
        super().__init__([])
        self._shared = shared
        self._offers: dict[str, PlayableEdition] = {}

    def get(self, digest: str) -> PlayableEdition | None:
        """Return an edition by its digest, compiled once and cached; None if it is not shared."""
        with self._lock:
            if digest not in self._offers:
                offer = self._shared.edition(digest)
                if offer is None:
                    return None
                self._offers[digest] = offer
                while len(self._offers) > MAX_OLD_EDITIONS:
                    del self._offers[next(iter(self._offers))]
            return self._offers[digest]

    def rules(self, pinned: PinnedEdition) -> Rules:
        """Return the rules of a pinned edition. Raises EditionError."""
        offer = self.get(pinned.digest)
        return super().rules(pinned) if offer is None else offer.rules
