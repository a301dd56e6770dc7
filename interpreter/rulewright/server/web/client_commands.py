"""Commands of a device: what each message does at a table, and which links allow it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocketDisconnect

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import phrase
from rulewright.publish.labels import Labels
from rulewright.server import tokens
from rulewright.server.tables import fault_report, outcome_preview, rematch
from rulewright.server.tables.table import TableError
from rulewright.server.views import document, history
from rulewright.server.views.explanations import course_of, explain
from rulewright.server.web import protocol
from rulewright.server.web.connection import Connection
from rulewright.server.web.table_subscription import TableSubscription


class ClientCommands:
    """Commands of one device. on_change: called when its readers have to be shown something else."""

    def __init__(self, connection: Connection, on_change: Callable[[], object]) -> None:
        self.connection, self.tables, self.on_change = connection, connection.tables, on_change
        self._previews: dict[TableSubscription, outcome_preview.PreviewRequest] = {}
        self._previewing: asyncio.Task[None] | None = None

    async def run(self, message: protocol.ClientMessage, reader: TableSubscription) -> None:
        """Carry out a message. Raises RulewrightError; nothing has changed then."""
        command = _COMMANDS.get(type(message))
        if command is None:
            raise _not_allowed()
        await command(self, reader, message)

    def labels(self, reader: TableSubscription) -> Labels:
        """Return the game's labels in the device's language. Raises TableError before the game."""
        if reader.table.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        return Labels(reader.table.game, self.connection.language)

    def preview(self, reader: TableSubscription, request: outcome_preview.PreviewRequest) -> None:
        """Send what an answer leads to, as soon as that is known; of several requests of a reader, only the last
        counts."""
        self._previews[reader] = request
        if self._previewing is None or self._previewing.done():
            self._previewing = self.tables.task(self._send_previews())

    def cancel_previews(self, readers: Iterable[TableSubscription]) -> None:
        """Send no previews to readers who leave."""
        for reader in readers:
            self._previews.pop(reader, None)

    async def _send_previews(self) -> None:
        with suppress(WebSocketDisconnect):
            while self._previews:
                reader, request = self._previews.popitem()
                if reader.seat is None:
                    continue
                outcomes = await outcome_preview.preview_outcomes(reader.table, reader.seat, request)
                if outcomes is not None and request[0] == reader.table.question(reader.seat):
                    labels = self.labels(reader)
                    await self.connection.send(
                        outcome_preview.describe_outcomes(labels, reader.seat, request, outcomes, reader.index)
                    )


Command = Callable[[ClientCommands, TableSubscription, Any], Awaitable[None]]
SeatCommand = Callable[[ClientCommands, TableSubscription, int, Any], Awaitable[None]]

_COMMANDS: dict[type[protocol.Message], Command] = {}


def _any_link(message: type[protocol.Message]) -> Callable[[Command], Command]:
    """Register the command of a message that every link allows."""

    def register(work: Command) -> Command:
        _COMMANDS[message] = work
        return work

    return register


def _link(message: type[protocol.Message], *purposes: str) -> Callable[[Command], Command]:
    """Register the command of a message that only links for these purposes allow."""

    def register(work: Command) -> Command:
        async def command(commands: ClientCommands, reader: TableSubscription, message: Any) -> None:
            if reader.entrance.purpose not in purposes:
                raise _not_allowed()
            await work(commands, reader, message)

        _COMMANDS[message] = command
        return work

    return register


def _seat(message: type[protocol.Message]) -> Callable[[SeatCommand], SeatCommand]:
    """Register the command of a message that only a seat's link allows."""

    def register(work: SeatCommand) -> SeatCommand:
        async def command(commands: ClientCommands, reader: TableSubscription, message: Any) -> None:
            if reader.seat is None:
                raise _not_allowed()
            await work(commands, reader, reader.seat, message)

        _COMMANDS[message] = command
        return work

    return register


def _not_allowed() -> TableError:
    return TableError(phrase("errors", "This link does not allow that."))


# ── the device ──


@_any_link(protocol.Language)
async def _set_language(commands: ClientCommands, _: TableSubscription, message: protocol.Language) -> None:
    commands.connection.language = protocol.choose_language(message.language)
    commands.on_change()


@_any_link(protocol.Again)
async def _send_again(commands: ClientCommands, reader: TableSubscription, _: protocol.Again) -> None:
    reader.forget()
    commands.on_change()


# ── the game ──


@_seat(protocol.Answer)
async def _answer(commands: ClientCommands, reader: TableSubscription, seat: int, message: protocol.Answer) -> None:
    started = time.perf_counter()
    await reader.table.answer(seat, message.question, message.take)
    await commands.connection.send(document.Kept(message.question, reader.index))
    commands.tables.metrics.answered.add(time.perf_counter() - started)


@_seat(protocol.TryOut)
async def _preview(commands: ClientCommands, reader: TableSubscription, _: int, message: protocol.TryOut) -> None:
    """Preview an answer by a task of its own: another message may come meanwhile and must not wait."""
    commands.preview(reader, (message.question, message.take))


@_seat(protocol.Undo)
async def _undo(_: ClientCommands, reader: TableSubscription, seat: int, __: protocol.Undo) -> None:
    await reader.table.undo(seat)


@_seat(protocol.Concede)
async def _concede(_: ClientCommands, reader: TableSubscription, seat: int, __: protocol.Concede) -> None:
    await reader.table.concede(seat)


# ── the seats ──


@_link(protocol.Sit, tokens.INVITE, tokens.GROUP)
async def _sit(commands: ClientCommands, reader: TableSubscription, message: protocol.Sit) -> None:
    """Take a seat, or the one taken before with the same key, and send its token; the invitation is then used up."""
    token = tokens.with_key(reader.token, message.key) if message.key else tokens.new(reader.token)
    reader.sitting = True
    try:
        await reader.table.sit(reader.entrance.seat, message.name, token)
    except RulewrightError:
        reader.sitting = False
        commands.on_change()
        raise
    await commands.connection.send(document.SeatGiven(token, reader.index))
    await commands.connection.close()


@_seat(protocol.Stand)
async def _stand(_: ClientCommands, reader: TableSubscription, seat: int, __: protocol.Stand) -> None:
    reader.table.stand(seat)


@_any_link(protocol.Leave)
async def _leave(_: ClientCommands, reader: TableSubscription, message: protocol.Leave) -> None:
    """Leave the own seat, or free another one for its host."""
    if reader.seat is not None and message.seat == -1:
        await reader.table.leave(reader.seat)
    elif reader.entrance.purpose == tokens.HOST:
        await reader.table.leave(message.seat)
    else:
        raise _not_allowed()


@_seat(protocol.Back)
async def _come_back(_: ClientCommands, reader: TableSubscription, seat: int, __: protocol.Back) -> None:
    await reader.table.come_back(seat)


@_link(protocol.Fill, tokens.HOST)
async def _fill(_: ClientCommands, reader: TableSubscription, __: protocol.Fill) -> None:
    await reader.table.fill()


@_link(protocol.Replace, tokens.HOST)
async def _replace(commands: ClientCommands, reader: TableSubscription, message: protocol.Replace) -> None:
    token = tokens.new(reader.token)
    await reader.table.replace(message.seat, token)
    await commands.connection.send(document.Replaced(message.seat, token, reader.index))


@_link(protocol.Rematch, tokens.SEAT, tokens.HOST, tokens.WATCH, tokens.GROUP)
async def _rematch(commands: ClientCommands, reader: TableSubscription, _: protocol.Rematch) -> None:
    may_begin = reader.entrance.purpose in (tokens.SEAT, tokens.HOST)
    joined = await rematch.join_rematch(commands.tables, reader.table, reader.seat, reader.token, may_begin)
    await commands.connection.send(document.Rematch(joined.seat, joined.host, reader.index))


# ── what is known of the game ──


@_any_link(protocol.LookBack)
async def _look_back(commands: ClientCommands, reader: TableSubscription, message: protocol.LookBack) -> None:
    past = history.past_state(commands.labels(reader), reader.seat, message.step, reader.index)
    await commands.connection.send(past)


@_seat(protocol.Review)
async def _review(commands: ClientCommands, reader: TableSubscription, seat: int, message: protocol.Review) -> None:
    await commands.connection.send(history.review(commands.labels(reader), seat, message.number, reader.index))


@_any_link(protocol.Explain)
async def _explain(commands: ClientCommands, reader: TableSubscription, message: protocol.Explain) -> None:
    labels = commands.labels(reader)
    lessons = await asyncio.to_thread(course_of, labels)
    await commands.connection.send(explain(labels, reader.seat, message.what, message.name, lessons, reader.index))


@_any_link(protocol.ReportFault)
async def _report_fault(commands: ClientCommands, reader: TableSubscription, _: protocol.ReportFault) -> None:
    report = fault_report.report(reader.table, commands.labels(reader), reader.seat)
    await commands.connection.send(document.Reported(report, reader.index))


@_any_link(protocol.Save)
async def _save(commands: ClientCommands, reader: TableSubscription, _: protocol.Save) -> None:
    await commands.connection.send(document.Saved(fault_report.save_file(reader.table), reader.index))


@_any_link(protocol.Share)
async def _share(commands: ClientCommands, reader: TableSubscription, _: protocol.Share) -> None:
    """Send a token for watching the finished game."""
    table, token = reader.table, reader.token
    if table.game is None or not table.game.over:
        raise TableError(phrase("errors", "A game can be shown to others when it is over."))
    if reader.entrance.purpose != tokens.REPLAY:
        token = tokens.replay(reader.token)
        await commands.tables.with_store(lambda store: store.share(table.record.id, token, tokens.REPLAY))
    await commands.connection.send(document.Shared(token, reader.index))


# ── chat ──


@_seat(protocol.Say)
async def _say(_: ClientCommands, reader: TableSubscription, seat: int, message: protocol.Say) -> None:
    await reader.table.say(seat, text=message.text)


@_seat(protocol.Gesture)
async def _gesture(_: ClientCommands, reader: TableSubscription, seat: int, message: protocol.Gesture) -> None:
    await reader.table.say(seat, gesture=message.name)


@_link(protocol.SetChat, tokens.HOST)
async def _set_chat(_: ClientCommands, reader: TableSubscription, message: protocol.SetChat) -> None:
    await reader.table.set_chat(message.on)
