"""Somebody with a link, at some device: what they have been shown, and what is new to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from operator import eq
from typing import Any

from msgspec import Raw

from rulewright.game.snapshots import PastStep
from rulewright.game.terms import Terms, speech_of
from rulewright.i18n.localizer import Speech
from rulewright.players.seating import PERSON
from rulewright.publish.labels import Labels
from rulewright.server import tokens
from rulewright.server.storage.records import Entrance
from rulewright.server.tables.table import Table
from rulewright.server.views import seat_view, table_metadata
from rulewright.server.views.document import ChatMessage, HostLinks, Now, Sitting, TableDocument, Update, change
from rulewright.server.views.view_cache import TableMoment

MOST_STEPS = 40
"""Steps that a reader who is behind is told one by one; of more, the last of them."""


class TableReader:
    """number: of the last change that was sent; each reader has numbers of its own, as a shared one would tell how
    often somebody seals. beside: the device has a seat at this table as well, which shows what this one would."""

    def __init__(self, index: int, token: str, entrance: Entrance, table: Table) -> None:
        self.index, self.token, self.entrance, self.table = index, token, entrance, table
        self.seat = entrance.seat if entrance.purpose == tokens.SEAT else None
        self.replays = entrance.purpose == tokens.REPLAY
        self.sitting = False  # the invitation is being used here
        self.beside = False
        self.forget()

    def forget(self) -> None:
        """Begin anew: the next update is the whole."""
        self.number = 0
        self._shown: TableDocument | None = None  # without the game
        self._shown_at: tuple[int, str, bool] | None = None  # of which table that was
        self._now: Now | None = None  # what everybody was shown
        self._own_now: Mapping[str, Any] = {}  # what this reader was shown otherwise
        self._heard = 0, 0  # up to which row, and after how many that took something back, the log has been told
        self._told: list[int] = []  # of each of its lines, a mark
        self._stepped = 0  # how many steps of the game have been told

    def updates(self, language: str) -> Sequence[Update]:
        """What is different from what was sent last: at each step of the game that has come since, and now."""
        game, found = self.table.game, self._company(language)
        if game is None or self.beside:
            self._now = None
            return self._update(found, {}, None)
        stage, steps = self.table.stage, game.steps()
        # What was taken back is not in the log any more; in another language all of it is told anew.
        shown = self._now is not None and "language" not in found
        goes_on = shown and self._heard[1] == self.table.backward
        start, stepped = (len(self._told), self._stepped) if goes_on else (0, len(steps))
        self._heard, self._stepped = (len(self.table.rows), self.table.backward), len(steps)
        told: list[Update] = []
        for number in range(max(stepped, len(steps) - MOST_STEPS), len(steps) - 1):
            past = stage.past(game, steps[number])
            now = self._then(past, language, number + 1)
            told += self._moment(found, past, now, language, start, steps, acts=False)
            found, start = {}, len(self._told)
        scene = stage.now(game)
        return told + self._moment(found, scene, self._seen(scene, language), language, start, steps)

    def _moment(
        self,
        found: dict[str, Any],
        scene: TableMoment,
        now: Now,
        language: str,
        start: int,
        steps: Sequence[PastStep],
        acts: bool = True,
    ) -> list[Update]:
        """What is told of a moment of the game. found: what else is different; now: what everybody is shown; start: the
        line from which on the log may be another one; acts: whether the seat may do something then."""
        if (told := scene.since(self._now, now)) is not None:
            found = {**found, "now": told}
        self._now = now
        own = {} if self.seat is None else self._own(self.seat, scene, language, now, acts)
        return self._update(found, own, self._log(scene, language, start, steps))

    def _update(self, found: dict[str, Any], own: Mapping[str, Any], log: Raw | None) -> list[Update]:
        """One update, if anything is different."""
        if own is not self._own_now:
            if mine := change(self._own_now, own):
                found = {**found, "own": mine if own else None}
            self._own_now = own
        if not found and log is None:
            return []
        self.number += 1
        return [Update(self.number, found, self.index, log)]

    @staticmethod
    def _then(past: TableMoment, language: str, steps: int) -> Now:
        """What a step of the past showed to everybody."""
        return past.shown(("then", language), lambda: seat_view.seen(past.labels(language), None, past, steps=steps))

    def _seen(self, scene: TableMoment, language: str) -> Now:
        """What the game shows everybody now."""
        trouble, deadline = self.table.trouble, self.table.clock.running(self.table.game, self.table.kinds)

        def made() -> Now:
            labels = scene.labels(language)
            return seat_view.now(labels, None, 0, labels.say(trouble), scene, deadline)

        return scene.shown(("now", language, trouble, deadline), made)

    def _own(self, seat: int, scene: TableMoment, language: str, now: Now, acts: bool) -> Mapping[str, Any]:
        """What the reader's seat is shown otherwise."""
        table = self.table
        held = table.hall.limits.hold if acts and seat in table.bots.held else 0
        question = None if table.away(seat) else table.question(seat)
        return seat_view.own(scene.labels(language), seat, question, now, scene, acts, held)

    # ── the document ──

    def _company(self, language: str) -> dict[str, Any]:
        """What is different in the document, but for the game itself."""
        game = self.table.game
        at = self.table.told, language, game is not None
        if at == self._shown_at:
            return {}
        before, labels = self._shown, None if game is None else self.table.stage.now(game).labels(language)
        self._shown = self._document(labels, speech_of(self.table.rules.edition, language))
        self._shown_at = at
        return change(before, self._shown)

    def _document(self, labels: Labels | None, said: Speech) -> TableDocument:
        said = said if labels is None else labels.speech
        return TableDocument(
            you=self.entrance.purpose,
            seat=self.entrance.seat,
            language=said.language,
            direction="rtl" if said.right_to_left else "ltr",
            edition=self.table.pinned.digest,
            title=said.say(Terms(self.table.rules.edition).title()),
            seats=tuple(self._sitting()),
            begun=labels is not None,
            chosen=dict(self.table.record.options),
            clock=self.table.clock.each,
            notices=() if labels is None else tuple(map(labels.say, self.table.notices)),
            links=self._links(),
            inviter=self.table.record.host,
            silent=self.table.chat.off,
            messages=self._messages(),
            away={str(seat): since for seat, since in sorted(self.table.attendance.away.items())},
            rematch=None if self.table.rematch is None or self.replays else self.table.rematch.by,
            table=table_metadata.glossary(labels) if labels is not None and not self.beside else None,
        )

    def _sitting(self) -> Iterable[Sitting]:
        conceded = () if self.table.game is None else self.table.game.conceded
        for number, seat in enumerate(self.table.seats):
            kind = "role" if seat.role else "person" if seat.player == PERSON else "bot"
            player = seat.player if kind == "bot" else ""
            awaited = "" if seat.name else self.table.awaited.get(number, "")
            yield Sitting(seat.name, kind, player, awaited, self.table.away(number), number in conceded)

    def _links(self) -> HostLinks | None:
        """For the host: the tokens of what can still be given away."""
        if self.entrance.purpose != tokens.HOST:
            return None
        seats = enumerate(self.table.seats)
        open_ = {str(number): tokens.invite(self.token, number) for number, seat in seats if not seat.name}
        return HostLinks(open_, tokens.watch(self.token), tokens.group(self.token) if open_ else "")

    def _messages(self) -> Mapping[str, ChatMessage]:
        """What those who sit here have said; a replay is for anybody, and has none of it."""
        return {} if self.table.chat.off or self.beside or self.replays else dict(self.table.chat.messages)

    # ── the log ──

    def _log(self, scene: TableMoment, language: str, start: int, steps: Sequence[PastStep]) -> Raw | None:
        """What is different in the log from a line on; None if nothing is."""
        known = self._told[start:]
        if not known and start == scene.game.log_length:
            return None
        told = scene.log(language, self.seat, start, steps)
        if known:
            same = sum(takewhile(bool, map(eq, told.marks, known)))
            if same == len(known) == len(told.marks):
                return None
            start += same
            told = scene.log(language, self.seat, start, steps)
        self._told[start:] = told.marks
        return told.change

    # ── whether it still opens something ──

    def ended(self) -> bool:
        """Whether the seat has another link now."""
        return bool(self.table.ended) and tokens.digest(self.token) in self.table.ended

    def used(self) -> bool:
        """Whether this is an invitation with which somebody has sat down, in another connection."""
        seat = self.entrance.seat
        if self.entrance.purpose != tokens.INVITE or seat is None or self.sitting:
            return False
        return bool(self.table.seats[seat].name)


def beside_seats(readers: Iterable[TableReader]) -> None:
    """Note which readers of a device are hosts that have a seat there: what they see is not sent twice. Where several
    people sit at the device, it is: that is shown while one passes it to another."""
    found = list(readers)
    seated = Counter(reader.table.record.id for reader in found if reader.seat is not None)
    for reader in found:
        reader.beside = reader.entrance.purpose == tokens.HOST and seated[reader.table.record.id] == 1
