"""The windows of a workbench: each has a connection, over which texts and news come and changes go.

What a window says, in JSON: `{type: open, file}`; `{type: push, file, version, updates}`, which is answered by
`updates` to all windows, or to it alone by those that it has missed; `{type: settle, file, mine}`.
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
from rulewright.i18n.languages import speech
from rulewright.i18n.localizer import Phrase, message_of
from rulewright.model import editions
from rulewright.server.web.protocol import language_of
from rulewright.syntax.source import LARGEST_FILE
from rulewright.workbench.core.bench import Bench, BenchMessage
from rulewright.workbench.core.shared_text import ChangeError, TextUpdate

_MOST_WAITING = 1000
"""Messages that a window has not taken; behind that it is closed, and comes again."""

_FileName = Annotated[str, Meta(max_length=200)]


class _AboutFile(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    file: _FileName


class _OpenFile(_AboutFile, frozen=True, tag="open"):
    pass


class _OneUpdate(Struct, frozen=True, forbid_unknown_fields=True):
    clientID: Annotated[str, Meta(max_length=40)]
    changes: list[Any]


class _Push(_AboutFile, frozen=True, kw_only=True, tag="push"):
    version: int
    updates: Annotated[list[_OneUpdate], Meta(max_length=10_000)]


class _Settle(_AboutFile, frozen=True, kw_only=True, tag="settle"):
    mine: bool


_read: Decoder[_OpenFile | _Push | _Settle] = Decoder(_OpenFile | _Push | _Settle)


class BenchWindow:
    """One connection."""

    def __init__(self, socket: WebSocket, bench: Bench) -> None:
        self._socket, self._bench = socket, bench
        self._language = language_of(socket.query_params.get("language", ""))
        self._waiting: asyncio.Queue[BenchMessage | None] = asyncio.Queue()
        self._tell: Callable[[BenchMessage], None] = self._put

    async def run(self) -> None:
        """From its opening to its end."""
        await self._socket.accept()
        loop = asyncio.get_running_loop()

        def hear(message: BenchMessage) -> None:
            if isinstance(text := message.get("text"), Phrase):
                message = {**message, "text": speech(self._language).say(text)}
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._put, message)

        self._tell = hear
        root = f"{self._bench.folder.path.as_uri()}/"
        self._put(
            {
                "type": "hello",
                "window": secrets.token_hex(8),
                "session": self._bench.session,
                "root": root,
                "largest": LARGEST_FILE,
            }
        )
        sending = asyncio.create_task(self._send())
        self._bench.enter(hear)
        try:
            while True:
                text = await self._socket.receive_text()
                await asyncio.to_thread(self._heard, text)
        except WebSocketDisconnect:
            pass
        finally:
            self._bench.leave(hear)
            sending.cancel()

    def _put(self, message: BenchMessage) -> None:
        self._waiting.put_nowait(message if self._waiting.qsize() < _MOST_WAITING else None)

    async def _send(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while (message := await self._waiting.get()) is not None:
                await self._socket.send_text(encode(message).decode())
            await self._socket.close()

    def _heard(self, text: str) -> None:
        try:
            said = _read.decode(text)
        except (DecodeError, RecursionError):
            return
        try:
            match said:
                case _OpenFile():
                    self._whole(said.file)
                case _Push():
                    self._push(said)
                case _Settle():
                    self._bench.settle(said.file, said.mine)
        except RulewrightError as error:
            why = message_of(error)
            self._tell({"type": "refused", "file": said.file, "text": speech(self._language).say(why)})

    def _push(self, said: _Push) -> None:
        updates = [TextUpdate(one.clientID, one.changes) for one in said.updates]
        try:
            missed = (
                []
                if self._bench.push(said.file, said.version, updates)
                else self._bench.missed(said.file, said.version)
            )
        except ChangeError:
            self._whole(said.file, spoiled=True)
            return
        if missed is None:
            self._whole(said.file)
            return
        if missed:
            told = [{"clientID": one.by, "changes": one.changes} for one in missed]
            self._tell({"type": "updates", "file": said.file, "version": said.version, "updates": told})
        if self._bench.is_saved(said.file):  # which may have been told while this window had no connection
            self._tell({"type": "saved", "file": said.file})

    def _whole(self, name: str, spoiled: bool = False) -> None:
        """A text as it is; of a shipped edition, which is called as no file is, to be read. spoiled: whether what the
        window has typed does not fit it."""
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

        def tell(text: str, version: int, conflict: bool) -> None:
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

        self._bench.tell_text(name, tell)
