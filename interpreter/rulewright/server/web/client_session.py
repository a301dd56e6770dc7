"""Session of a device at its tables: updates for its readers, and their requests, until it leaves.

Updates are made when they are sent: a slow device skips intermediate steps and holds nobody up.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from starlette.websockets import WebSocketDisconnect

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import Phrase, message_of, phrase
from rulewright.publish.labels import Labels
from rulewright.server import tokens
from rulewright.server.tables import fault_report, outcome_preview, rematch
from rulewright.server.tables.table import TableError
from rulewright.server.views import document, history
from rulewright.server.views.explanations import course_of, explain
from rulewright.server.web import protocol
from rulewright.server.web.connection import LATER, POLICY, UNKNOWN, Connection, seat_taken_message
from rulewright.server.web.protocol import (
    Again,
    Answer,
    Back,
    Concede,
    Explain,
    Fill,
    Gesture,
    Language,
    Leave,
    LookBack,
    ProtocolError,
    Rematch,
    Replace,
    ReportFault,
    Review,
    Save,
    Say,
    SetChat,
    Share,
    Sit,
    Stand,
    TryOut,
    Undo,
)
from rulewright.server.web.table_subscription import TableSubscription


class ClientSession:
    """Session of a device whose tokens were accepted. wanted: the latest preview request of each reader."""

    def __init__(self, connection: Connection, readers: list[TableSubscription]) -> None:
        self.connection = connection
        self.readers = {reader.index: reader for reader in readers}
        self.hall, self.tables = connection.hall, {reader.table for reader in readers}
        self._stale = False  # there may be something that is not shown
        self._showing: asyncio.Task[bool] | None = None  # has to wait for something
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.wanted: dict[int, outcome_preview.PreviewRequest] = {}  # by reader, whose outcomes are to be told
        self.trying: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Serve the device until it leaves."""
        for table in self.tables:
            table.listeners.add(self.news)
        if not all(map(self.hall.has, self.tables)):  # nobody would tell it what others do there
            for table in self.tables:
                table.unwatch(self.news)
            await self.connection.close(LATER)
            return
        sitting = [
            (reader.table.attendance, reader.seat) for reader in self.readers.values() if reader.seat is not None
        ]
        for attendance, seat in sitting:
            attendance.come(seat)
        self.news()
        hearing = self.hall.task(self.hear())
        try:
            done, _ = await asyncio.wait((self._ended, hearing), return_when=asyncio.FIRST_COMPLETED)
            for one in done:
                with suppress(WebSocketDisconnect):
                    one.result()
        finally:
            for attendance, seat in sitting:
                attendance.go(seat)
            for table in self.tables:
                table.unwatch(self.news)
            self.wanted.clear()
            self._ended.cancel()
            hearing.cancel()
            if self._showing is not None:
                self._showing.cancel()

    # ── what is shown ──

    def news(self) -> None:
        """Show changes as soon as there is time; the tables' listener."""
        if not self._stale:
            self._stale = True
            self.hall.spare_time.do(self._look)

    def _look(self) -> None:
        """Show changes at once, or by a task if something must be waited for."""
        if self._ended.done() or self._showing is not None:  # that looks again
            return
        try:
            text = None
            if not any(map(_reason_ended, self.readers.values())) and (text := self._tell()) is None:
                return
        except Exception as error:
            self._ended.set_exception(error)
            return
        self._showing = self.hall.task(self._show(text))
        self._showing.add_done_callback(self._shown)

    def _tell(self) -> bytes | None:
        """Send all changes, or return the text that could not be sent at once; None if nothing is left to send."""
        self._stale = False
        language = self.connection.language
        updates = tuple(update for reader in self.readers.values() for update in reader.updates(language))
        return self.connection.tell(document.Updates(updates)) if updates else None

    async def _show(self, text: bytes | None) -> bool:
        """Send a text and all later changes; return whether anybody is left who may see them."""
        while True:
            if text is not None:
                await self.connection.send_text(text)
            for reader in list(self.readers.values()):
                if (reason := _reason_ended(reader)) is not None:
                    await self.dismiss(reader, reason)
            if not self.readers:
                await self.connection.close(UNKNOWN)
                return False
            if not self._stale or (text := self._tell()) is None:
                return True

    def _shown(self, showing: asyncio.Task[bool]) -> None:
        """Finish the sending task, and start it again if there are changes."""
        self._showing = None
        if self._ended.done() or showing.cancelled():
            return
        if (error := showing.exception()) is not None:
            self._ended.set_exception(error)
        elif not showing.result():
            self._ended.set_result(None)
        elif self._stale:
            self._look()

    async def dismiss(self, reader: TableSubscription, reason: Phrase) -> None:
        """Refuse a reader whose token opens nothing any more."""
        del self.readers[reader.index]
        await self.connection.refuse(reason, reader.index, gone=True)

    # ── what is heard ──

    async def hear(self) -> None:
        """Receive and obey messages until too many of them were malformed."""
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
                await self.obey(message, reader)
                self.hall.measures.messages[kind, False] += 1
            except RulewrightError as error:
                self.hall.measures.messages[kind, True] += 1
                mistakes += isinstance(error, ProtocolError)
                table = reader.table if reader is not None else None
                await self.connection.refuse(message_of(error), 0 if reader is None else reader.index, table)
                if mistakes >= self.hall.limits.mistakes:
                    await self.connection.close(POLICY)
                    return

    async def obey(self, message: protocol.ClientMessage, reader: TableSubscription) -> None:
        """Carry out a message. Raises RulewrightError; nothing has changed then."""
        if reader.ended():
            raise TableError(_replaced_message())
        table, send = reader.table, self.connection.send
        match message:
            case Language():
                self.connection.language = protocol.choose_language(message.language)
                self.news()
            case Again():
                reader.forget()
                self.news()
            case Sit() if reader.entrance.purpose in (tokens.INVITE, tokens.GROUP):
                await self.sit(reader, message)
            case Answer() if reader.seat is not None:
                started = time.perf_counter()
                await table.answer(reader.seat, message.question, message.take)
                await send(document.Kept(message.question, reader.index))
                self.hall.measures.answered.add(time.perf_counter() - started)
            case TryOut() if reader.seat is not None:
                # An answer may come meanwhile and must not wait; of several requests, only the last counts.
                self.wanted[reader.index] = message.question, message.take
                if self.trying is None or self.trying.done():
                    self.trying = self.hall.task(self.try_out())
            case Undo() if reader.seat is not None:
                await table.undo(reader.seat)
            case Stand() if reader.seat is not None:
                table.stand(reader.seat)
            case Leave() if reader.seat is not None and message.seat == -1:
                await table.leave(reader.seat)
            case Leave() if reader.entrance.purpose == tokens.HOST:
                await table.leave(message.seat)
            case Back() if reader.seat is not None:
                await table.come_back(reader.seat)
            case Concede() if reader.seat is not None:
                await table.concede(reader.seat)
            case ReportFault():
                await send(
                    document.Reported(fault_report.report(table, self.labels(reader), reader.seat), reader.index)
                )
            case LookBack():
                await send(history.past_state(self.labels(reader), reader.seat, message.step, reader.index))
            case Review(number=number) if reader.seat is not None:
                await send(history.review(self.labels(reader), reader.seat, number, reader.index))
            case Explain(what=what, name=name):
                labels = self.labels(reader)
                lessons = await asyncio.to_thread(course_of, labels)
                await send(explain(labels, reader.seat, what, name, lessons, reader.index))
            case Say() if reader.seat is not None:
                await table.say(reader.seat, text=message.text)
            case Gesture() if reader.seat is not None:
                await table.say(reader.seat, gesture=message.name)
            case SetChat() if reader.entrance.purpose == tokens.HOST:
                await table.set_chat(message.on)
            case Share():
                await send(document.Shared(await self.share(reader), reader.index))
            case Fill() if reader.entrance.purpose == tokens.HOST:
                await table.fill()
            case Replace() if reader.entrance.purpose == tokens.HOST:
                token = tokens.new(reader.token)
                await table.replace(message.seat, token)
                await send(document.Replaced(message.seat, token, reader.index))
            case Rematch() if reader.entrance.purpose not in (tokens.REPLAY, tokens.INVITE):
                may_begin = reader.entrance.purpose in (tokens.SEAT, tokens.HOST)
                joined = await rematch.join_rematch(self.hall, table, reader.seat, reader.token, may_begin)
                await send(document.Rematch(joined.seat, joined.host, reader.index))
            case Save():
                await send(document.Saved(fault_report.save_file(table), reader.index))
            case _:
                raise TableError(phrase("errors", "This link does not allow that."))

    def labels(self, reader: TableSubscription) -> Labels:
        """Return the game's labels in the device's language. Raises TableError before the game."""
        if reader.table.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        return Labels(reader.table.game, self.connection.language)

    async def try_out(self) -> None:
        """Send previews of outcomes as long as any are requested."""
        with suppress(WebSocketDisconnect):
            while self.wanted:
                index, request = self.wanted.popitem()
                reader = self.readers.get(index)
                if reader is None or reader.seat is None:
                    continue
                outcomes = await outcome_preview.preview_outcomes(reader.table, reader.seat, request)
                if outcomes is not None and request[0] == reader.table.question(reader.seat):
                    await self.connection.send(
                        outcome_preview.describe_outcomes(self.labels(reader), reader.seat, request, outcomes, index)
                    )

    async def sit(self, reader: TableSubscription, request: Sit) -> None:
        """Take a seat, or the one taken before with the same key, and send its token; the invitation is then used up.

        Raises RulewrightError.
        """
        token = tokens.with_key(reader.token, request.key) if request.key else tokens.new(reader.token)
        reader.sitting = True
        try:
            await reader.table.sit(reader.entrance.seat, request.name, token)
        except RulewrightError:
            reader.sitting = False
            self.news()
            raise
        await self.connection.send(document.SeatGiven(token, reader.index))
        await self.connection.close()

    async def share(self, reader: TableSubscription) -> str:
        """Return a token for watching the finished game. Raises TableError, StoreError."""
        table = reader.table
        if table.game is None or not table.game.over:
            raise TableError(phrase("errors", "A game can be shown to others when it is over."))
        if reader.entrance.purpose == tokens.REPLAY:
            return reader.token
        token = tokens.replay(reader.token)
        await self.hall.kept(lambda store: store.share(table.record.id, token, tokens.REPLAY))
        return token


def _reason_ended(reader: TableSubscription) -> Phrase | None:
    """Return why a reader may not watch any more, or None."""
    if reader.table.lost:
        return _lost_message()
    if reader.ended():
        return _replaced_message()
    return seat_taken_message() if reader.used() else None


def _replaced_message() -> Phrase:
    return phrase("errors", "This seat has another link now. Whoever began the table has it.")


def _lost_message() -> Phrase:
    return phrase("errors", "This table is not kept any more: the server went back to an older copy of its tables.")
