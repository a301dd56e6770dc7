"""WebSocket connection of one window, for texts, changes and notifications.

Messages of a window, in JSON: `{type: open, file}`; `{type: push, file, version, updates}`, answered by
`updates` to all windows, or to it alone with the missed ones; `{type: settle, file, mine}`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any

from msgspec import DecodeError, Meta, Struct
from msgspec.json import Decoder, encode
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.languages import localizer_for
from rulewright.i18n.localizer import Phrase, message_of
from rulewright.model import editions
from rulewright.server.web.protocol import choose_language
from rulewright.syntax.source import MAX_FILE_SIZE
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.shared_text import ChangeError, TextUpdate
from rulewright.workbench.core.windows import BenchMessage

_MAX_UNSENT = 1000
"""Maximum number of unsent messages; beyond that the window is closed, and connects again."""

_FileName = Annotated[str, Meta(max_length=200)]


class _AboutFile(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """Message of a window about a file."""

    file: _FileName


class _OpenFile(_AboutFile, frozen=True, tag="open"):
    """Request for the text of a file."""


class _OneUpdate(Struct, frozen=True, forbid_unknown_fields=True):
    """Changes that one editor has made at once, in the form of the page's editor."""

    clientID: Annotated[str, Meta(max_length=40)]
    changes: list[Any]


class _Push(_AboutFile, frozen=True, kw_only=True, tag="push"):
    """Changes typed in a window. version: of the text that they refer to."""

    version: int
    updates: Annotated[list[_OneUpdate], Meta(max_length=10_000)]


class _Settle(_AboutFile, frozen=True, kw_only=True, tag="settle"):
    """End of a conflict. mine: whether the text of the workbench counts, not that on disk."""

    mine: bool


_read: Decoder[_OpenFile | _Push | _Settle] = Decoder(_OpenFile | _Push | _Settle)


class WindowConnection:
    """Connection of one window."""

    def __init__(self, socket: WebSocket, bench: Bench) -> None:
        self._socket, self._bench = socket, bench
        self._language = choose_language(socket.query_params.get("language", ""))
        self._waiting: asyncio.Queue[BenchMessage | None] = asyncio.Queue()
        self._tell: Callable[[BenchMessage], None] = self._put

    async def run(self) -> None:
        """Serve the window until it closes."""
        await self._socket.accept()
        loop = asyncio.get_running_loop()

        def on_message(message: BenchMessage) -> None:
            if isinstance(text := message.get("text"), Phrase):
                message = {**message, "text": localizer_for(self._language).say(text)}
            with suppress(RuntimeError):  # the event loop has ended
                loop.call_soon_threadsafe(self._put, message)

        self._tell = on_message
        root = f"{self._bench.folder.path.as_uri()}/"
        self._put(
            {
                "type": "hello",
                "window": secrets.token_hex(8),
                "session": self._bench.session,
                "root": root,
                "largest": MAX_FILE_SIZE,
            }
        )
        sending = asyncio.create_task(self._send())
        self._bench.windows.add(on_message)
        try:
            while True:
                text = await self._socket.receive_text()
                await asyncio.to_thread(self._on_message, text)
        except WebSocketDisconnect:
            pass
        finally:
            self._bench.windows.remove(on_message)
            sending.cancel()

    def _put(self, message: BenchMessage) -> None:
        """Put a message into the queue; if that is full, have the window closed."""
        self._waiting.put_nowait(message if self._waiting.qsize() < _MAX_UNSENT else None)

    async def _send(self) -> None:
        """Send what waits for this window, one message after the other; None closes it."""
        with suppress(WebSocketDisconnect, RuntimeError):
            while (message := await self._waiting.get()) is not None:
                await self._socket.send_text(encode(message).decode())
            await self._socket.close()

    def _on_message(self, text: str) -> None:
        """Obey a message of the window; ignore one that cannot be read."""
        try:
            message = _read.decode(text)
        except (DecodeError, RecursionError):
            return
        try:
            match message:
                case _OpenFile():
                    self._send_text(message.file)
                case _Push():
                    self._take_updates(message)
                case _Settle():
                    self._bench.resolve_conflict(message.file, message.mine)
        except RulewrightError as error:
            error_message = message_of(error)
            self._tell(
                {"type": "refused", "file": message.file, "text": localizer_for(self._language).say(error_message)}
            )

    def _take_updates(self, message: _Push) -> None:
        """Take changes that a window sends, or send it the ones that it has not seen."""
        updates = [TextUpdate(one.clientID, one.changes) for one in message.updates]
        try:
            missed = (
                []
                if self._bench.push(message.file, message.version, updates)
                else self._bench.updates_since(message.file, message.version)
            )
        except ChangeError:
            self._send_text(message.file, spoiled=True)
            return
        if missed is None:
            self._send_text(message.file)
            return
        if missed:
            update_fields = [{"clientID": one.author, "changes": one.changes} for one in missed]
            self._tell({"type": "updates", "file": message.file, "version": message.version, "updates": update_fields})
        if self._bench.is_saved(message.file):  # the notification may have been sent while this window was disconnected
            self._tell({"type": "saved", "file": message.file})

    def _send_text(self, name: str, spoiled: bool = False) -> None:
        """Send a whole text; of a shipped edition, for reading only. spoiled: whether the window's own changes do not
        fit it."""
        shipped = editions.available().get(name)
        if shipped is not None:
            text = shipped.read_text(encoding="utf-8")
            self._tell(
                {
                    "type": "text",
                    "file": name,
                    "uri": shipped.as_uri(),
                    "text": text,
                    "version": 0,
                    "fixed": True,
                    "saved": True,
                }
            )
            return
        edition = self._bench.edition_of(name)

        def send(text: str, version: int, conflict: bool) -> None:
            """Send the text with all that a window needs to edit it."""
            self._tell(
                {
                    "type": "text",
                    "file": name,
                    "uri": self._bench.folder.file(name).as_uri(),
                    "text": text,
                    "version": version,
                    "conflict": conflict,
                    "gone": conflict and not self._bench.folder.is_there(name),
                    "saved": self._bench.is_saved(name),
                    "edition": edition,
                    "spoiled": spoiled,
                }
            )

        self._bench.send_text(name, send)
