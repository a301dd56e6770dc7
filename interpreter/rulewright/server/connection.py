"""One connection: a token, a language, and what that seat is shown, until somebody leaves.

What is sent is made when it is sent: a slow device misses steps between, and holds nobody up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import takewhile
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.game import Game
from rulewright.game.terms import Terms, speech_of
from rulewright.i18n.languages import speech
from rulewright.i18n.speech import Argument, Phrase, phrase
from rulewright.players.seating import PERSON
from rulewright.publish import explaining
from rulewright.publish.chronicle import winners
from rulewright.publish.labels import Labels
from rulewright.publish.rulebook.contents import anchor
from rulewright.server import glossary, history, protocol, seat_view, tokens
from rulewright.server.limits import Bucket, Limits
from rulewright.server.protocol import (
    Answer,
    Explain,
    Hello,
    Language,
    LookAt,
    ProtocolError,
    Replace,
    Save,
    Share,
    Sit,
    Undo,
)
from rulewright.server.store import Entrance, LoggedAnswer, as_json
from rulewright.server.tables import Table, TableError, Tables, taken

POLICY, UNKNOWN, BUSY = 1008, 4404, 4429
"""Why a connection ends: it broke the rules; its token opens nothing; there are too many."""


class Connection:
    """language: in which its reader is told everything; token: that opened it; greeted: is called when a token has
    come."""

    def __init__(
        self, socket: WebSocket, tables: Tables, limits: Limits, greeted: Callable[[], object] = lambda: None
    ) -> None:
        self._socket, self._tables, self._limits, self._came = socket, tables, limits, greeted
        self._greeting = asyncio.timeout(limits.greeting)
        self._given_up = False
        self._bucket = Bucket(limits.burst, limits.each_second)
        self._sending = asyncio.Lock()
        self.language, self.token = protocol.language_of(""), ""

    async def run(self) -> None:
        """From the first message to the last."""
        await self._socket.accept()
        with suppress(WebSocketDisconnect):
            opened = await self._greeted()
            if opened is None:
                return
            entrance, table = opened
            if len(table.listeners) >= self._limits.per_table:
                await self.end(BUSY, phrase("errors", "Too many devices look at this table."))
                return
            await _Seated(self, self._socket, entrance, table).run()

    def give_up(self) -> None:
        """Wait for the token no longer: others want the place."""
        self._given_up = True
        with suppress(RuntimeError):  # it is not waited for yet
            self._greeting.reschedule(asyncio.get_running_loop().time())

    async def _greeted(self) -> tuple[Entrance, Table] | None:
        """What the token opens that must come first."""
        if self._given_up:
            return None
        try:
            async with self._greeting:
                message = await self.receive()
                if not isinstance(message, Hello):
                    raise protocol.not_understood()
                self.language = message.language
                self._came()
            opened = await self._tables.entrance(message.token)
        except TimeoutError:
            if not self._given_up:
                await self._socket.close(POLICY)
            return None
        except RulewrightError as error:
            await self.end(POLICY, _told(error))
            return None
        if opened is None:
            await self.end(UNKNOWN, phrase("errors", "This link leads nowhere."))
            return None
        entrance, table = opened
        if entrance.purpose == tokens.INVITE and entrance.seat is not None and table.seats[entrance.seat].name:
            await self.end(UNKNOWN, taken().args[0])
            return None
        self.token = message.token
        return opened

    async def receive(self) -> protocol.ClientMessage:
        """The next message. Raises ProtocolError, WebSocketDisconnect."""
        received = await self._socket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received.get("code") or 1000)
        if not self._bucket.take():
            await self.end(POLICY, phrase("errors", "Those were too many messages in too little time."))
            raise WebSocketDisconnect(POLICY)
        text = received.get("text") or ""
        if len(text) > self._limits.message:
            await self.end(POLICY, phrase("errors", "This message is too long."))
            raise WebSocketDisconnect(POLICY)
        return protocol.read(text)

    async def send(self, message: dict[str, Any]) -> None:
        async with self._sending:
            try:
                await self._socket.send_text(as_json(message))
            except RuntimeError:  # it is closed already
                raise WebSocketDisconnect from None

    async def refuse(self, told: Argument, table: Table | None = None) -> None:
        game = table.game if table is not None else None
        said = game.speech(self.language) if game is not None else speech(self.language)
        await self.send({"type": "refused", "text": said.say(told)})

    async def end(self, code: int, told: Argument) -> None:
        """Say why, and close."""
        with suppress(RuntimeError):
            await self.refuse(told)
            await self._socket.close(code)


class _Seated:
    """A connection that has shown what it may do."""

    def __init__(self, connection: Connection, socket: WebSocket, entrance: Entrance, table: Table) -> None:
        self.connection, self.socket, self.entrance, self.table = connection, socket, entrance, table
        self.limits = table.hall.limits
        self.news = asyncio.Event()
        self.seat = entrance.seat if entrance.purpose == tokens.SEAT else None
        self.described = ""  # the language in which the table has been described
        self.sitting = False  # the invitation is being used here
        self.heard: list[LoggedAnswer] = []  # up to where the log has been told
        self.told: list[int] = []  # of each of its lines, a mark
        self.sent = 0  # of the last state, a mark; 0 where another one must be sent

    async def run(self) -> None:
        self.table.listeners.add(self.news)
        self.news.set()
        showing = self.table.hall.task(self.show())
        hearing = self.table.hall.task(self.hear())
        try:
            done, _ = await asyncio.wait((showing, hearing), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                with suppress(WebSocketDisconnect):
                    task.result()
        finally:
            self.table.listeners.discard(self.news)
            for task in (showing, hearing):
                task.cancel()

    # ── what is shown ──

    async def show(self) -> None:
        while True:
            await self.news.wait()
            self.news.clear()
            if self.ended():
                await self.connection.end(UNKNOWN, replaced())
                return
            if self.used():
                await self.connection.end(UNKNOWN, taken().args[0])
                return
            if self.table.game is None:
                await self.connection.send(self.lobby())
                continue
            labels = Labels(self.table.game, self.connection.language)
            if labels.language != self.described:
                self.described, self.told, self.sent = labels.language, [], 0
                await self.connection.send(self.description(labels))
                labels = Labels(self.table.game, labels.language)
            if (message := self.changed(labels)) is not None:
                await self.connection.send(message)

    def changed(self, labels: Labels) -> dict[str, Any] | None:
        """What is different from what was sent last; None if nothing is. How often something is sent would tell of
        what somebody seals."""
        rows = list(self.table.rows)
        # What was taken back is not in the log any more.
        start = len(self.told) if self.unchanged(rows) else 0
        self.heard = rows
        message = self.shown(labels, start)
        lines = message["log"]["lines"]
        marks = [hash(as_json(line)) for line in lines]
        pairs = zip(marks, self.told[start:], strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        state = hash(as_json({**message, "log": None}))
        if state == self.sent and start + same == len(self.told) and same == len(marks):
            return None
        self.sent, self.told[start + same :] = state, marks[same:]
        return {**message, "log": {"start": start + same, "lines": lines[same:]}}

    def unchanged(self, rows: list[LoggedAnswer]) -> bool:
        """Whether nothing was taken back of what has been told."""
        return rows[: len(self.heard)] == self.heard and all(row.take is not None for row in rows[len(self.heard) :])

    def lobby(self) -> dict[str, Any]:
        """Before the game: who sits here, who is awaited; for the host, the links."""
        edition = self.table.rules.edition
        said = speech_of(edition, self.connection.language)
        message = {
            "type": "lobby",
            "you": self.entrance.purpose,
            "seat": self.entrance.seat,
            "language": said.language,
            "direction": "rtl" if said.right_to_left else "ltr",
            "title": said.say(Terms(edition).title()),
            "edition": self.table.pinned.digest,
            "seats": self.seats(),
        }
        return message | self.links()

    def seats(self) -> list[dict[str, Any]]:
        return [
            {
                "name": seat.name,
                "kind": "role" if seat.role else "person" if seat.player == PERSON else "bot",
                "player": "" if seat.role or seat.player == PERSON else seat.player,
            }
            for seat in self.table.seats
        ]

    def links(self) -> dict[str, Any]:
        """For the host: the tokens of what can still be given away."""
        if self.entrance.purpose != tokens.HOST:
            return {}
        host = self.connection.token
        seats = enumerate(self.table.seats)
        open_ = {str(number): tokens.invite(host, number) for number, seat in seats if not seat.name}
        return {"invites": open_, "watch": tokens.watch(host)}

    def description(self, labels: Labels) -> dict[str, Any]:
        said = labels.speech
        message = {
            "type": "table",
            "you": self.entrance.purpose,
            "seat": self.seat,
            "language": said.language,
            "direction": "rtl" if said.right_to_left else "ltr",
            "edition": self.table.pinned.digest,
            "chosen": dict(self.table.record.options),
            "seats": self.seats(),
            **glossary.glossary(labels),
        }
        return message | self.links()

    def shown(self, labels: Labels, start: int) -> dict[str, Any]:
        trouble = self.table.trouble
        return {"type": "state", **state(labels, self.seat, self.question(), start, labels.say(trouble))}

    def ended(self) -> bool:
        """Whether the seat has another link now."""
        return tokens.digest(self.connection.token) in self.table.ended

    def used(self) -> bool:
        """Whether this is an invitation with which somebody has sat down, in another connection."""
        seat = self.entrance.seat
        if self.entrance.purpose != tokens.INVITE or seat is None or self.sitting:
            return False
        return bool(self.table.seats[seat].name)

    def question(self) -> int:
        return 0 if self.seat is None else self.table.question(self.seat)

    # ── what is heard ──

    async def hear(self) -> None:
        mistakes = 0
        while True:
            try:
                await self.obey(await self.connection.receive())
            except RulewrightError as error:
                mistakes += isinstance(error, ProtocolError)
                await self.connection.refuse(_told(error), self.table)
                self.sent = 0  # whoever erred may have looked at something old
                self.news.set()
                if mistakes >= self.limits.mistakes:
                    await self.socket.close(POLICY)
                    return

    async def obey(self, message: protocol.ClientMessage) -> None:
        """Raises RulewrightError; nothing has changed then."""
        if self.ended():
            raise TableError(replaced())
        match message:
            case Language(language):
                self.connection.language = language
                self.news.set()
            case Sit(name) if self.entrance.purpose == tokens.INVITE and self.entrance.seat is not None:
                await self.sit(self.entrance.seat, name)
            case Answer(question, take) if self.seat is not None:
                await self.table.answer(self.seat, question, take)
                await self.connection.send({"type": "kept", "question": question})
            case Undo() if self.seat is not None:
                await self.table.undo(self.seat)
            case LookAt(step):
                await self.connection.send(self.past(step))
            case Explain(what, name):
                if self.table.game is None:
                    raise TableError(phrase("errors", "The game has not begun."))
                labels = Labels(self.table.game, self.connection.language)
                await self.connection.send({"type": "explained", **explained(labels, self.seat, what, name)})
            case Share():
                await self.connection.send({"type": "shared", "token": await self.share()})
            case Replace(seat) if self.entrance.purpose == tokens.HOST:
                token = await self.table.replace(seat)
                await self.connection.send({"type": "replaced", "seat": seat, "token": token})
            case Save():
                await self.connection.send({"type": "save", "save": saved(self.table)})
            case _:
                raise TableError(phrase("errors", "This link does not allow that."))

    async def sit(self, seat: int, name: str) -> None:
        """Take a seat, and tell how it is played; the invitation then opens nothing more. Raises RulewrightError."""
        self.sitting = True
        try:
            token = await self.table.sit(seat, name)
        except RulewrightError:
            self.sitting = False
            self.news.set()
            raise
        await self.connection.send({"type": "seated", "token": token})
        await self.socket.close()

    def past(self, step: int) -> dict[str, Any]:
        """A step of the game, to look back at. Raises RulewrightError."""
        if self.table.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        labels = Labels(self.table.game, self.connection.language)
        return {"type": "past", "step": step, "state": history.look(labels, self.seat, step)}

    async def share(self) -> str:
        """A token to watch with, once there is nothing to spoil. Raises TableError, StoreError."""
        if self.table.game is None or not self.table.game.over:
            raise TableError(phrase("errors", "A game can be shown to others when it is over."))
        if self.entrance.purpose == tokens.WATCH:
            return self.connection.token
        token = tokens.watch(self.connection.token)
        await self.table.hall.kept(lambda store: store.share(self.table.record.id, token))
        return token


def state(labels: Labels, seat: int | None, question: int, start: int, trouble: str = "") -> dict[str, Any]:
    """All that a seat, or a spectator, is told of a game now. start: the first line of the log that is."""
    lines = labels.game.log(seat, start, labels.language)
    return {
        **seat_view.seen(labels, seat),
        "asked": None if seat is None else seat_view.asked(labels, seat, question),
        "sealed": [] if seat is None else seat_view.sealed(labels, seat),
        "steps": len(labels.game.steps()),
        "result": result(labels),
        "curve": history.curve(labels.game, seat) if labels.game.over else [],
        "log": {"start": start, "lines": [{"text": line.text, "heading": line.heading} for line in lines]},
        "trouble": trouble,
    }


def explained(labels: Labels, seat: int | None, what: str, name: str) -> dict[str, Any]:
    """What the edition tells of something on the table."""
    told = explaining.tell(labels, explaining.rules_of(labels, what, name), seat)
    return {
        "what": what,
        "name": name,
        "told": [
            {
                "title": telling.title,
                "text": telling.text,
                "passage": anchor(telling.key),
                "rulings": [{"title": title, "text": text} for title, text in telling.rulings],
            }
            for telling in told
        ],
    }


def result(labels: Labels) -> str:
    """Who has won, or why nobody has, in words; '' while the game lasts."""
    standings, limited = labels.game.standings() if labels.game.over else [], labels.game.limited()
    told = [] if limited is None else [labels.say(limited)]
    if standings:
        told.append(winners(standings, labels.names(one.seat for one in standings), labels.speech))
    return " ".join(told)


def saved(table: Table) -> dict[str, Any]:
    """A game as a save file, which holds all that was hidden. Raises TableError while it lasts."""
    game: Game | None = table.game
    if game is None or not game.over:
        raise TableError(phrase("errors", "A game can be saved from here when it is over: the file tells all secrets."))
    save = game.save()
    save["edition"]["name"] = table.pinned.name
    return {**save, "players": [seat.player for seat in table.record.seats], "over": True}


def replaced() -> Phrase:
    return phrase("errors", "This seat has another link now. Whoever began the table has it.")


def _told(error: RulewrightError) -> Phrase | str:
    return error.args[0] if error.args and isinstance(error.args[0], Phrase) else str(error)
