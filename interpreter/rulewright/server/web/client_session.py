"""Session of a device at its tables: updates for its readers, and their requests, until it leaves.

Updates are made when they are sent: a slow device skips intermediate steps and holds nobody up.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocketDisconnect

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import Phrase, message_of, phrase
from rulewright.server.tables.refusals import TableError
from rulewright.server.views import replies
from rulewright.server.web import protocol
from rulewright.server.web.client_commands import ClientCommands
from rulewright.server.web.connection import LATER, POLICY, UNKNOWN, Connection, seat_taken_message
from rulewright.server.web.protocol import ProtocolError
from rulewright.server.web.table_subscription import TableSubscription


class ClientSession:
    """Session of a device whose tokens were accepted."""

    def __init__(self, connection: Connection, readers: list[TableSubscription]) -> None:
        self.connection = connection
        self.readers = {reader.index: reader for reader in readers}
        self.tables, self._watched = connection.tables, {reader.table for reader in readers}
        self._stale = False  # there may be something that is not shown
        self._send_task: asyncio.Task[bool] | None = None  # has to wait for something
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._commands = ClientCommands(connection, self.on_change)

    async def run(self) -> None:
        """Serve the device until it leaves: its seats count as present, and it gets what changes at their tables.
        Closes the connection if a table is not in memory any more."""
        for table in self._watched:
            table.listeners.add(self.on_change)
        if not all(map(self.tables.is_registered, self._watched)):  # nobody would tell it what others do there
            for table in self._watched:
                table.unwatch(self.on_change)
            await self.connection.close(LATER)
            return
        sitting = [
            (reader.table.attendance, reader.seat) for reader in self.readers.values() if reader.seat is not None
        ]
        for attendance, seat in sitting:
            attendance.come(seat)
        self.on_change()
        hearing = self.tables.task(self.receive_messages())
        try:
            done, _ = await asyncio.wait((self._ended, hearing), return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                with suppress(WebSocketDisconnect):
                    one.result()
        finally:
            for attendance, seat in sitting:
                attendance.go(seat)
            for table in self._watched:
                table.unwatch(self.on_change)
            self._commands.cancel_previews(self.readers.values())
            self._ended.cancel()
            hearing.cancel()
            if self._send_task is not None:
                self._send_task.cancel()

    # ── what is shown ──

    def on_change(self) -> None:
        """Show changes as soon as possible; tables call it as their listener."""
        if not self._stale:
            self._stale = True
            self.tables.spare_time.add(self._show_changes)

    def _show_changes(self) -> None:
        """Show changes at once, or by a task if sending must wait or a reader may not watch any more."""
        if self._ended.done() or self._send_task is not None:  # that looks again
            return
        try:
            text = None
            if not any(map(_reason_ended, self.readers.values())) and (text := self._send_updates()) is None:
                return
        except Exception as error:
            self._ended.set_exception(error)
            return
        self._send_task = self.tables.task(self._send_all(text))
        self._send_task.add_done_callback(self._on_sent)

    def _send_updates(self) -> bytes | None:
        """Send all changes, or return the text that could not be sent at once; None if nothing is left to send."""
        self._stale = False
        language = self.connection.language
        updates = tuple(update for reader in self.readers.values() for update in reader.updates(language))
        return self.connection.tell(replies.Updates(updates)) if updates else None

    async def _send_all(self, text: bytes | None) -> bool:
        """Send a text and all later changes, and dismiss readers who may not watch any more; return whether anybody is
        left, and close the connection if not."""
        while True:
            if text is not None:
                await self.connection.send_text(text)
            for reader in list(self.readers.values()):
                if (reason := _reason_ended(reader)) is not None:
                    await self.dismiss(reader, reason)
            if not self.readers:
                await self.connection.close(UNKNOWN)
                return False
            if not self._stale or (text := self._send_updates()) is None:
                return True

    def _on_sent(self, task: asyncio.Task[bool]) -> None:
        """Finish the sending task, and start it again if there are changes."""
        self._send_task = None
        if self._ended.done() or task.cancelled():
            return
        if (error := task.exception()) is not None:
            self._ended.set_exception(error)
        elif not task.result():
            self._ended.set_result(None)
        elif self._stale:
            self._show_changes()

    async def dismiss(self, reader: TableSubscription, reason: Phrase) -> None:
        """Refuse a reader whose token opens nothing any more."""
        del self.readers[reader.index]
        self._commands.cancel_previews([reader])
        await self.connection.refuse(reason, reader.index, is_gone=True)

    # ── what is heard ──

    async def receive_messages(self) -> None:
        """Receive and carry out messages until the device leaves, or too many were malformed."""
        mistakes = 0
        while True:
            reader: TableSubscription | None = None
            kind = ""
            try:
                message = await self.connection.receive()
                kind = str(message.__struct_config__.tag)
                reader = self.readers.get(message.by)
                if reader is None:
                    raise protocol.unreadable_error()
                if reader.is_replaced():
                    raise TableError(_replaced_message())
                await self._commands.run(message, reader)
                self.tables.metrics.messages[kind, False] += 1
            except RulewrightError as error:
                self.tables.metrics.messages[kind, True] += 1
                mistakes += isinstance(error, ProtocolError)
                table = reader.table if reader is not None else None
                await self.connection.refuse(message_of(error), 0 if reader is None else reader.index, table)
                if mistakes >= self.tables.limits.mistakes:
                    await self.connection.close(POLICY)
                    return


def _reason_ended(reader: TableSubscription) -> Phrase | None:
    """Return why a reader may not watch any more, or None."""
    if reader.table.lost:
        return _lost_message()
    if reader.is_replaced():
        return _replaced_message()
    return seat_taken_message() if reader.is_used() else None


def _replaced_message() -> Phrase:
    """Return the message that a seat has another link now."""
    return phrase("errors", "This seat has another link now. Whoever began the table has it.")


def _lost_message() -> Phrase:
    """Return the message that the log has a table no more."""
    return phrase("errors", "This table is not kept any more: the server went back to an older copy of its tables.")
