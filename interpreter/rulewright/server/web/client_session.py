"""A device at its tables: what its readers are shown, and what they may do, until somebody leaves.

What is sent is made when it is sent: a slow device misses steps between, and holds nobody up.
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
from rulewright.server.views.explanations import explained, learned
from rulewright.server.web import protocol
from rulewright.server.web.connection import LATER, POLICY, UNKNOWN, Connection, seat_taken
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
from rulewright.server.web.table_subscription import TableReader


class Device:
    """A connection that has shown what it may do."""

    def __init__(self, connection: Connection, readers: list[TableReader]) -> None:
        self.connection = connection
        self.readers = {reader.index: reader for reader in readers}
        self.hall, self.tables = connection.hall, {reader.table for reader in readers}
        self._stale = False  # there may be something that is not shown
        self._showing: asyncio.Task[bool] | None = None  # has to wait for something
        self._ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.wanted: dict[int, outcome_preview.TryWanted] = {}  # by reader, whose outcomes are to be told
        self.trying: asyncio.Task[None] | None = None

    async def run(self) -> None:
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
        """There may be something new: it is shown as soon as there is time."""
        if not self._stale:
            self._stale = True
            self.hall.spare_time.do(self._look)

    def _look(self) -> None:
        """Show what is new: at once, unless something has to be waited for, since that takes a task of its own."""
        if self._ended.done() or self._showing is not None:  # that looks again
            return
        try:
            text = None
            if not any(map(_opens_nothing, self.readers.values())) and (text := self._tell()) is None:
                return
        except Exception as error:
            self._ended.set_exception(error)
            return
        self._showing = self.hall.task(self._show(text))
        self._showing.add_done_callback(self._shown)

    def _tell(self) -> bytes | None:
        """Tell what is new; or else what is to be sent."""
        self._stale = False
        language = self.connection.language
        found = tuple(update for reader in self.readers.values() for update in reader.updates(language))
        return self.connection.tell(document.Updates(found)) if found else None

    async def _show(self, text: bytes | None) -> bool:
        """Send a text, and show all that is new meanwhile. Whether anybody is left who may see it."""
        while True:
            if text is not None:
                await self.connection.send_text(text)
            for reader in list(self.readers.values()):
                if (told := _opens_nothing(reader)) is not None:
                    await self.dismiss(reader, told)
            if not self.readers:
                await self.connection.close(UNKNOWN)
                return False
            if not self._stale or (text := self._tell()) is None:
                return True

    def _shown(self, showing: asyncio.Task[bool]) -> None:
        self._showing = None
        if self._ended.done() or showing.cancelled():
            return
        if (error := showing.exception()) is not None:
            self._ended.set_exception(error)
        elif not showing.result():
            self._ended.set_result(None)
        elif self._stale:
            self._look()

    async def dismiss(self, reader: TableReader, told: Phrase) -> None:
        del self.readers[reader.index]
        await self.connection.refuse(told, reader.index, gone=True)

    # ── what is heard ──

    async def hear(self) -> None:
        mistakes = 0
        while True:
            reader: TableReader | None = None
            kind = ""
            try:
                message = await self.connection.receive()
                kind = str(message.__struct_config__.tag)
                reader = self.readers.get(message.by)
                if reader is None:
                    raise protocol.not_understood()
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

    async def obey(self, message: protocol.ClientMessage, reader: TableReader) -> None:
        """Raises RulewrightError; nothing has changed then."""
        if reader.ended():
            raise TableError(_replaced())
        table, send = reader.table, self.connection.send
        match message:
            case Language():
                self.connection.language = protocol.language_of(message.language)
                self.news()
            case Again():
                reader.forget()
                self.news()
            case Sit() if reader.entrance.purpose in (tokens.INVITE, tokens.GROUP):
                await self.sit(reader, message)
            case Answer() if reader.seat is not None:
                begun = time.perf_counter()
                await table.answer(reader.seat, message.question, message.take)
                await send(document.Kept(message.question, reader.index))
                self.hall.measures.answered.add(time.perf_counter() - begun)
            case TryOut() if reader.seat is not None:
                # The answer may come meanwhile: it waits for none of this, and of several only the last is wanted.
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
                await send(history.look(self.labels(reader), reader.seat, message.step, reader.index))
            case Review(number=number) if reader.seat is not None:
                await send(history.review(self.labels(reader), reader.seat, number, reader.index))
            case Explain(what=what, name=name):
                labels = self.labels(reader)
                lessons = await asyncio.to_thread(learned, labels)
                await send(explained(labels, reader.seat, what, name, lessons, reader.index))
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
                begins = reader.entrance.purpose in (tokens.SEAT, tokens.HOST)
                joined = await rematch.again(self.hall, table, reader.seat, reader.token, begins)
                await send(document.Rematch(joined.seat, joined.host, reader.index))
            case Save():
                await send(document.Saved(fault_report.saved(table), reader.index))
            case _:
                raise TableError(phrase("errors", "This link does not allow that."))

    def labels(self, reader: TableReader) -> Labels:
        """Raises TableError."""
        if reader.table.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        return Labels(reader.table.game, self.connection.language)

    async def try_out(self) -> None:
        """Tell what answers lead to, as long as anything is wanted."""
        with suppress(WebSocketDisconnect):
            while self.wanted:
                index, wanted = self.wanted.popitem()
                reader = self.readers.get(index)
                if reader is None or reader.seat is None:
                    continue
                found = await outcome_preview.tried(reader.table, reader.seat, wanted)
                if found is not None and wanted[0] == reader.table.question(reader.seat):
                    await self.connection.send(
                        outcome_preview.told(self.labels(reader), reader.seat, wanted, found, index)
                    )

    async def sit(self, reader: TableReader, wanted: Sit) -> None:
        """Take a seat, or the one that was taken with the same key before, and tell how it is played; an invitation to
        this seat then opens nothing more.

        Raises RulewrightError.
        """
        token = tokens.with_key(reader.token, wanted.key) if wanted.key else tokens.new(reader.token)
        reader.sitting = True
        try:
            await reader.table.sit(reader.entrance.seat, wanted.name, token)
        except RulewrightError:
            reader.sitting = False
            self.news()
            raise
        await self.connection.send(document.SeatGiven(token, reader.index))
        await self.connection.close()

    async def share(self, reader: TableReader) -> str:
        """A token to see the game with, once there is nothing to spoil. Raises TableError, StoreError."""
        table = reader.table
        if table.game is None or not table.game.over:
            raise TableError(phrase("errors", "A game can be shown to others when it is over."))
        if reader.entrance.purpose == tokens.REPLAY:
            return reader.token
        token = tokens.replay(reader.token)
        await self.hall.kept(lambda store: store.share(table.record.id, token, tokens.REPLAY))
        return token


def _opens_nothing(reader: TableReader) -> Phrase | None:
    """Why a reader may not look any more."""
    if reader.table.lost:
        return _lost()
    if reader.ended():
        return _replaced()
    return seat_taken() if reader.used() else None


def _replaced() -> Phrase:
    return phrase("errors", "This seat has another link now. Whoever began the table has it.")


def _lost() -> Phrase:
    return phrase("errors", "This table is not kept any more: the server went back to an older copy of its tables.")
