"""Connection of one device: its tokens, which come first, its language, and messages both ways."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from msgspec.json import Encoder
from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.languages import localizer_for
from rulewright.i18n.localizer import Argument, Phrase, message_of, phrase
from rulewright.server import tokens
from rulewright.server.limits import Bucket, Limits
from rulewright.server.network.websocket_connection import SCOPE_KEY, WebSocketConnection
from rulewright.server.storage.database import BrokenLogError, StoreError
from rulewright.server.tables.refusals import seat_taken_error
from rulewright.server.tables.table import Table
from rulewright.server.tables.table_registry import TableRegistry
from rulewright.server.views import replies
from rulewright.server.views.replies import ServerMessage
from rulewright.server.web import protocol
from rulewright.server.web.protocol import (
    Hello,
)
from rulewright.server.web.table_subscription import TableSubscription, mark_duplicates

POLICY, LATER, UNKNOWN, BUSY = 1008, 1013, 4404, 4429
"""Codes of closing: a broken rule; the log is away for now; no token opens anything; too many connections."""

_encoder = Encoder()


class Connection:
    """Websocket of one device. language: of its readers; came: called when its first message has come, before the
    tokens in it are looked up."""

    def __init__(
        self, socket: WebSocket, tables: TableRegistry, limits: Limits, came: Callable[[], object] = lambda: None
    ) -> None:
        self._socket, self.tables, self._limits, self._came = socket, tables, limits, came
        self._greeting = asyncio.timeout(limits.greeting)
        self._given_up = False
        self._bucket = Bucket(limits.burst, limits.each_second)
        self._sending = asyncio.Lock()
        self._page: WebSocketConnection | None = socket.scope.get("extensions", {}).get(SCOPE_KEY)
        self.language = protocol.choose_language("")

    def give_up(self) -> None:
        """Stop waiting for tokens: others need the place."""
        self._given_up = True
        with suppress(RuntimeError):  # it is not waited for yet
            self._greeting.reschedule(asyncio.get_running_loop().time())

    async def receive_tokens(self) -> list[TableSubscription] | None:
        """Accept the websocket, receive the tokens, which must come first, and return what they open; unknown ones are
        refused.

        None if the connection has ended. Raises WebSocketDisconnect.
        """
        await self._socket.accept()
        if self._given_up:
            return None
        try:
            async with self._greeting:
                hello = await self.receive()
                if not isinstance(hello, Hello):
                    raise protocol.unreadable_error()
                self.language = protocol.choose_language(hello.language)
                self._came()
            opened = [await self._reader(index, token) for index, token in enumerate(hello.tokens)]
        except TimeoutError:
            if not self._given_up:
                await self.close(POLICY)
            return None
        except RulewrightError as error:
            later = isinstance(error, StoreError) and not isinstance(error, BrokenLogError)
            await self.refuse_and_close(LATER if later else POLICY, message_of(error))
            return None
        readers = [reader for reader in opened if isinstance(reader, TableSubscription)]
        for index, reader in enumerate(opened):
            if not isinstance(reader, TableSubscription):
                await self.refuse(reader, index, is_gone=True)
        if not readers:
            await self.close(UNKNOWN)
            return None
        if any(len(reader.table.listeners) >= self._limits.per_table for reader in readers):
            await self.refuse_and_close(BUSY, phrase("errors", "Too many devices look at this table."))
            return None
        mark_duplicates(readers)
        return readers

    async def _reader(self, index: int, token: str) -> TableSubscription | Phrase:
        """Subscribe to the table of a token, or return why it opens nothing. Raises RulewrightError."""
        access = await self.tables.open_token(token)
        if access is None:
            return phrase("errors", "This link leads nowhere.")
        grant, table = access
        if grant.purpose == tokens.INVITE and grant.seat is not None and table.seats[grant.seat].name:
            return seat_taken_message()
        return TableSubscription(index, token, grant, table)

    async def receive(self) -> protocol.ClientMessage:
        """Return the next message. Raises ProtocolError, WebSocketDisconnect."""
        received = await self._socket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received.get("code") or 1000)
        if not self._bucket.take():
            await self.refuse_and_close(POLICY, phrase("errors", "Those were too many messages in too little time."))
            raise WebSocketDisconnect(POLICY)
        text = received.get("text") or ""
        if len(text) > self._limits.message:
            await self.refuse_and_close(POLICY, phrase("errors", "This message is too long."))
            raise WebSocketDisconnect(POLICY)
        return protocol.parse_message(text)

    async def send(self, message: ServerMessage) -> None:
        """Send a message. Raises WebSocketDisconnect."""
        if (text := self.tell(message)) is not None:
            await self.send_text(text)

    def tell(self, message: ServerMessage) -> bytes | None:
        """Send a message if that need not wait; else return its text, which is not sent."""
        text = _encoder.encode(message)
        self.tables.metrics.sent += 1
        self.tables.metrics.sent_bytes += len(text)
        at_once = not self._sending.locked() and self._page is not None and self._page.tell(text)
        return None if at_once else text

    async def send_text(self, text: bytes) -> None:
        """Send a text. Raises WebSocketDisconnect."""
        async with self._sending:
            try:
                await self._socket.send_text(text.decode())
            except RuntimeError:  # it is closed already
                raise WebSocketDisconnect from None

    async def refuse(
        self, reason: Argument, reader: int = 0, table: Table | None = None, is_gone: bool = False
    ) -> None:
        """Send a refusal in the device's language. reader: index of the token that it is for; table: whose edition may
        have texts in the reason; is_gone: whether the token opens nothing any more. Raises WebSocketDisconnect."""
        game = table.game if table is not None else None
        localizer = game.localizer(self.language) if game is not None else localizer_for(self.language)
        await self.send(replies.Refusal(localizer.say(reason), reader, is_gone))

    async def refuse_and_close(self, code: int, reason: Argument) -> None:
        """Refuse and close."""
        with suppress(RuntimeError):
            await self.refuse(reason, is_gone=code == UNKNOWN)
            await self.close(code)

    async def close(self, code: int = 1000) -> None:
        """Close the websocket. code: why, as pages understand it."""
        await self._socket.close(code)


def seat_taken_message() -> Phrase:
    """Return the message that a seat is taken."""
    message = seat_taken_error().args[0]
    assert isinstance(message, Phrase)
    return message
