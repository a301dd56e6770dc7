"""Somebody with a link, at some device: what they have been shown, and what is new to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

from msgspec import structs

from rulewright.game.moments import PastStep
from rulewright.game.terms import Terms, speech_of
from rulewright.i18n.speech import Speech
from rulewright.players.seating import PERSON
from rulewright.publish.labels import Labels
from rulewright.server import glossary, seat_view, timing, tokens
from rulewright.server.document import ChatMessage, HostLinks, LogChange, Now, Sitting, TableDocument, Update, change
from rulewright.server.store import Entrance, LoggedAnswer
from rulewright.server.table import Table

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
        self._shown: TableDocument | None = None
        self._heard: list[LoggedAnswer] = []  # up to where the log has been told
        self._told: list[int] = []  # of each of its lines, a mark
        self._stepped = 0  # how many steps of the game have been told

    def updates(self, language: str) -> Iterable[Update]:
        """What is different from what was sent last: at each step of the game that has come since, and now."""
        labels = self._labels(language)
        document = self._document(labels, speech_of(self.table.rules.edition, language))
        if labels is None or document.now is None:
            yield from self._update(document)
            return
        rows, steps = list(self.table.rows), labels.game.steps()
        # What was taken back is not in the log any more; in another language all of it is told anew.
        shown = self._shown is not None and self._shown.now is not None and self._shown.language == labels.language
        goes_on = shown and self._only_added(rows)
        start, stepped = (len(self._told), self._stepped) if goes_on else (0, len(steps))
        self._heard, self._stepped = rows, len(steps)
        for number in range(max(stepped, len(steps) - MOST_STEPS), len(steps) - 1):
            past = Labels(labels.game.past(steps[number]), labels.language)
            then = structs.replace(document, now=seat_view.then(past, self.seat, number + 1))
            yield from self._update(then, self._log(past, start, steps))
        yield from self._update(document, self._log(labels, start, steps))

    def _update(self, document: TableDocument, log: LogChange | None = None) -> Iterable[Update]:
        """One update, if anything is different."""
        found = change(self._shown, document)
        if found or log is not None:
            self._shown = document
            self.number += 1
            yield Update(self.number, found, self.index, log)

    def _labels(self, language: str) -> Labels | None:
        return None if self.table.game is None else Labels(self.table.game, language)

    # ── the document ──

    def _document(self, labels: Labels | None, said: Speech) -> TableDocument:
        shows_game = labels is not None and not self.beside
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
            clock=timing.seconds(self.table.settings),
            notices=() if labels is None else tuple(map(labels.say, self.table.notices)),
            links=self._links(),
            inviter=self.table.record.host,
            silent=self.table.chat.off,
            messages=self._messages(),
            away={str(seat): since for seat, since in sorted(self.table.attendance.away.items())},
            rematch=None if self.table.rematch is None or self.replays else self.table.rematch.by,
            table=glossary.glossary(labels) if labels is not None and shows_game else None,
            now=self._now(labels) if labels is not None and shows_game else None,
        )

    def _now(self, labels: Labels) -> Now:
        question = 0 if self.seat is None else self.table.question(self.seat)
        now = seat_view.now(labels, self.seat, question, labels.say(self.table.trouble))
        held = self.table.hall.limits.hold if self.seat in self.table.bots.held else 0
        deadline = self.table.running()
        away = self.seat is not None and self.table.away(self.seat)
        return structs.replace(now, held=held, deadline=deadline, asked=None if away else now.asked)

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

    def _log(self, labels: Labels, start: int, steps: Sequence[PastStep]) -> LogChange | None:
        """What is different in the log from a line on; None if nothing is."""
        lines = seat_view.lines(labels, self.seat, start, steps)
        marks = [hash(line) for line in lines]
        pairs = zip(marks, self._told[start:], strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if start + same == len(self._told) and same == len(marks):
            return None
        self._told[start + same :] = marks[same:]
        return LogChange(start + same, lines[same:])

    def _only_added(self, rows: list[LoggedAnswer]) -> bool:
        """Whether nothing was taken back of what has been told."""
        heard = self._heard
        return rows[: len(heard)] == heard and all(row.take is not None for row in rows[len(heard) :])

    # ── whether it still opens something ──

    def ended(self) -> bool:
        """Whether the seat has another link now."""
        return tokens.digest(self.token) in self.table.ended

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
