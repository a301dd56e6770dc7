"""Commands of a device: what each message does at a table, and which links allow it. A command raises RulewrightError
for what it refuses, which the sender is told; nothing has changed then."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from starlette.websockets import WebSocketDisconnect

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.publish.analysis_texts import reason
from rulewright.publish.game_record import game_record
from rulewright.publish.labels import Labels
from rulewright.server import tokens
from rulewright.server.tables import agreement, fault_report, outcome_preview, rematch
from rulewright.server.tables.answer_rows import SeatAnswer
from rulewright.server.tables.refusals import TableError
from rulewright.server.tables.table import Table
from rulewright.server.tables.table_analysis import TableAnalysis, analysis_of, check_alone, explain_computer
from rulewright.server.views import history, replies
from rulewright.server.views.analysis_view import analysis_message
from rulewright.server.views.explanations import course_of, explain
from rulewright.server.views.outcome import points_by_round
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
        if command is None or (command.purposes and reader.grant.purpose not in command.purposes):
            raise _not_allowed()
        await command.work(Request(self, reader), message)

    def labels(self, reader: TableSubscription) -> Labels:
        """Return the game's labels in the device's language. Raises TableError before the game."""
        if reader.table.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        return Labels(reader.table.game, self.connection.language)

    def preview(self, reader: TableSubscription, request: outcome_preview.PreviewRequest) -> None:
        """Send what the requested answers lead to, once that is worked out; of several waiting requests of a reader,
        only the last counts. The questions that mere picks lead to are sent before."""
        if request[1]:
            self._queue_preview(reader, request)
        else:
            self.tables.task(self._send_picks(reader, request))

    async def send_analysis(self, reader: TableSubscription, analysis: TableAnalysis, labels: Labels) -> None:
        """Send an analysis to a reader as it is made, until it has ended or somebody reads in another language."""
        with suppress(WebSocketDisconnect):
            async for rows, ended in analysis.batches():
                if labels.language != self.connection.language:
                    return
                message = await asyncio.to_thread(analysis_message, labels, rows, analysis.places, ended, reader.index)
                await self.connection.send(message)

    async def send_reasons(self, reader: TableSubscription, labels: Labels) -> None:
        """Send a reader the reasons of the computer's last answer."""
        with suppress(WebSocketDisconnect):
            judged = await explain_computer(reader.table, labels.game)
            if judged is None:
                await self.connection.refuse(
                    phrase("errors", "There is no move that could be explained."), reader.index
                )
                return
            answer, lines = await asyncio.to_thread(reason, labels, judged)
            title = labels.localizer.entry(labels.name(judged.seat), answer)
            await self.connection.send(replies.Explained("reasons", title, (), reader.index, lines))

    async def _send_picks(self, reader: TableSubscription, request: outcome_preview.PreviewRequest) -> None:
        """Send what would be asked after picks, and queue the preview of all else about the answers."""
        if reader.seat is None:
            return
        with suppress(WebSocketDisconnect):
            language = self.connection.language
            picks = await outcome_preview.preview_picks(reader.table, reader.seat, request, language, reader.index)
            if picks:
                await self.connection.send(picks)
            waiting = self._previews.get(reader)
            if waiting is None or waiting[0] < request[0]:  # what was asked for meanwhile counts
                self._queue_preview(reader, request)

    def _queue_preview(self, reader: TableSubscription, request: outcome_preview.PreviewRequest) -> None:
        """Let a preview wait for its turn."""
        self._previews[reader] = request
        if self._previewing is None or self._previewing.done():
            self._previewing = self.tables.task(self._send_previews())

    def cancel_previews(self, readers: Iterable[TableSubscription]) -> None:
        """Send no previews to readers who leave."""
        for reader in readers:
            self._previews.pop(reader, None)

    async def _send_previews(self) -> None:
        """Send the previews that readers of this device wait for, one after the other."""
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


@record
class Request:
    """Message of a device about one of its readers. commands: of that device."""

    commands: ClientCommands
    reader: TableSubscription

    @property
    def table(self) -> Table:
        """Table of the reader."""
        return self.reader.table

    @property
    def seat(self) -> int:
        """Seat of the reader. Raises TableError if its link is for none."""
        if self.reader.seat is None:
            raise _not_allowed()
        return self.reader.seat

    @property
    def labels(self) -> Labels:
        """Labels of the game. Raises TableError before the game."""
        return self.commands.labels(self.reader)

    async def reply(self, message: replies.ServerMessage) -> None:
        """Send a message to the device that asked, not to others."""
        await self.commands.connection.send(message)


def _not_allowed() -> TableError:
    """Return the error for a message that a link does not allow."""
    return TableError(phrase("errors", "This link does not allow that."))


# ── the device ──


async def _set_language(request: Request, message: protocol.Language) -> None:
    """Set the device's language, and send what is shown in it."""
    request.commands.connection.language = protocol.choose_language(message.language)
    request.commands.on_change()


async def _send_again(request: Request, _: protocol.Again) -> None:
    """Send the reader's whole document anew."""
    request.reader.reset()
    request.commands.on_change()


# ── the game ──


async def _give_answer(request: Request, message: protocol.Answer) -> None:
    """Give an answer to the table; reply once it is stored."""
    started = time.perf_counter()
    answer = SeatAnswer(message.question, message.take, message.back, message.next)
    await request.table.answer(request.seat, answer)
    await request.reply(replies.Kept(message.question, request.reader.index))
    request.commands.tables.metrics.answered.add(time.perf_counter() - started)


async def _preview_answer(request: Request, message: protocol.TryOut) -> None:
    """Preview an answer by a task of its own: another message may come meanwhile and must not wait."""
    request.commands.preview(request.reader, (message.question, message.take))


# ── the seats ──


async def _confirm_answer(request: Request, _: protocol.Stand) -> None:
    """Confirm the seat's last answer."""
    request.table.confirm_answer(request.seat)


async def _take_seat(request: Request, message: protocol.Sit) -> None:
    """Take a seat, or the one taken before with the same key, send its token, and close the connection: the page comes
    back with that token, as the invitation is used up."""
    reader = request.reader
    token = tokens.with_key(reader.token, message.key) if message.key else tokens.new(reader.token)
    reader.sitting = True
    try:
        await reader.table.sit(reader.grant.seat, message.name, token)
    except RulewrightError:
        reader.sitting = False
        request.commands.on_change()
        raise
    await request.reply(replies.SeatGiven(token, reader.index))
    await request.commands.connection.close()


async def _leave(request: Request, message: protocol.Leave) -> None:
    """Let a bot play for the sender's seat, or for another person's if a host asks."""
    if request.reader.grant.purpose == tokens.SEAT and message.seat != -1:
        raise _not_allowed()
    await request.table.leave(message.seat if request.reader.seat is None else request.reader.seat)


async def _replace(request: Request, message: protocol.Replace) -> None:
    """Give a person's seat a new link, for its host."""
    token = tokens.new(request.reader.token)
    await request.table.replace(message.seat, token)
    await request.reply(replies.Replaced(message.seat, token, request.reader.index))


async def _join_rematch(request: Request, _: protocol.Rematch) -> None:
    """Begin or join a rematch, and send its tokens."""
    reader = request.reader
    may_begin = reader.grant.purpose in (tokens.SEAT, tokens.HOST)
    joined = await rematch.join_rematch(request.commands.tables, reader.table, reader.seat, reader.token, may_begin)
    await request.reply(replies.Rematch(joined.seat, joined.host, reader.index))


# ── what is known of the game ──


async def _look_back(request: Request, message: protocol.LookBack) -> None:
    """Send a step of the game."""
    reader = request.reader
    await request.reply(history.past_state(request.labels, reader.seat, message.step, reader.index))


async def _review(request: Request, message: protocol.Review) -> None:
    """Send a decision of the finished game, with all that was offered."""
    await request.reply(history.review(request.labels, request.seat, message.number, request.reader.index))


async def _analyse(request: Request, _: protocol.Analyse) -> None:
    """Send the analysis of the finished game by a task of its own, as it is made. Raises AnalysisError before."""
    labels = request.labels
    analysis = analysis_of(request.table, labels.game)
    request.commands.tables.task(request.commands.send_analysis(request.reader, analysis, labels))


async def _explain_answer(request: Request, _: protocol.ReasonsOfMove) -> None:
    """Send the reasons of the computer's last answer by a task of its own, when they are found. Raises TableError where
    other people play, too: it would help one of them."""
    check_alone(request.table)
    request.commands.tables.task(request.commands.send_reasons(request.reader, request.labels))


async def _send_scores(request: Request, _: protocol.Scores) -> None:
    """Send the points of each round; a thread of its own works them out, since a long game has many rounds."""
    reader, labels = request.reader, request.labels
    rounds = await asyncio.to_thread(points_by_round, labels, reader.seat)
    await request.reply(replies.RoundScores(len(labels.game.history.steps()), rounds, reader.index))


async def _send_moves(request: Request, _: protocol.WriteDown) -> None:
    """Send the moves of the game in its usual notation, or nothing if it has none; a thread of its own writes them,
    since a game may be long."""
    file = await asyncio.to_thread(game_record, request.labels.game, datetime.now(UTC).date())
    if file is not None:
        await request.reply(replies.WrittenDown(file.name, file.text, request.reader.index))


async def _explain(request: Request, message: protocol.Explain) -> None:
    """Send the rules about something on the table."""
    labels, reader = request.labels, request.reader
    lessons = await asyncio.to_thread(course_of, labels)
    await request.reply(explain(labels, reader.seat, message.what, message.name, lessons, reader.index))


async def _report_fault(request: Request, _: protocol.ReportFault) -> None:
    """Send a fault report."""
    report = fault_report.report(request.table, request.labels, request.reader.seat)
    await request.reply(replies.Reported(report, request.reader.index))


async def _save(request: Request, _: protocol.Save) -> None:
    """Send the game as a saved file."""
    await request.reply(replies.Saved(fault_report.save_file(request.table), request.reader.index))


async def _share_replay(request: Request, _: protocol.Share) -> None:
    """Store and send a token for watching the finished game. Raises TableError before its end."""
    table, token = request.table, request.reader.token
    if table.game is None or not table.game.over:
        raise TableError(phrase("errors", "A game can be shown to others when it is over."))
    if request.reader.grant.purpose != tokens.REPLAY:
        token = tokens.replay(token)
        await request.commands.tables.with_store(lambda store: store.share(table.record.id, token, tokens.REPLAY))
    await request.reply(replies.Shared(token, request.reader.index))


@record
class Command:
    """Work of a message. purposes: of the links that allow it, () for all; work that needs a seat is for seats only."""

    work: Callable[[Request, Any], Awaitable[None]]
    purposes: tuple[str, ...] = ()


_COMMANDS: Mapping[type[protocol.Message], Command] = {
    protocol.Language: Command(_set_language),
    protocol.Again: Command(_send_again),
    protocol.Answer: Command(_give_answer),
    protocol.TryOut: Command(_preview_answer, (tokens.SEAT,)),
    protocol.Undo: Command(lambda request, _: request.table.undo(request.seat)),
    protocol.Concede: Command(lambda request, _: request.table.concede(request.seat)),
    protocol.Propose: Command(lambda request, message: agreement.propose(request.table, request.seat, message.what)),
    protocol.Agree: Command(
        lambda request, message: agreement.respond(request.table, request.seat, message.number, message.agrees)
    ),
    protocol.Sit: Command(_take_seat, (tokens.INVITE, tokens.GROUP)),
    protocol.Stand: Command(_confirm_answer),
    protocol.Leave: Command(_leave, (tokens.SEAT, tokens.HOST)),
    protocol.Back: Command(lambda request, _: request.table.come_back(request.seat)),
    protocol.Fill: Command(lambda request, _: request.table.fill(), (tokens.HOST,)),
    protocol.Replace: Command(_replace, (tokens.HOST,)),
    protocol.Rematch: Command(_join_rematch, (tokens.SEAT, tokens.HOST, tokens.WATCH, tokens.GROUP)),
    protocol.LookBack: Command(_look_back),
    protocol.Review: Command(_review, (tokens.SEAT,)),
    protocol.Analyse: Command(_analyse, (tokens.SEAT,)),
    protocol.ReasonsOfMove: Command(_explain_answer, (tokens.SEAT,)),
    protocol.Scores: Command(_send_scores),
    protocol.WriteDown: Command(_send_moves),
    protocol.Explain: Command(_explain),
    protocol.ReportFault: Command(_report_fault),
    protocol.Save: Command(_save),
    protocol.Share: Command(_share_replay),
    protocol.Say: Command(lambda request, message: request.table.say(request.seat, text=message.text)),
    protocol.Gesture: Command(lambda request, message: request.table.say(request.seat, gesture=message.name)),
    protocol.SetChat: Command(lambda request, message: request.table.set_chat(message.on), (tokens.HOST,)),
}
