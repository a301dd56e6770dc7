"""Subscription of one token at some device to its table: what it was shown, and what is new to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from operator import eq
from typing import Any

from msgspec import Raw

from rulewright.game.snapshots import PastStep
from rulewright.game.terms import Terms, localizer_of
from rulewright.i18n.localizer import Localizer
from rulewright.players.seating import PERSON
from rulewright.publish.labels import Labels
from rulewright.server import tokens
from rulewright.server.storage.records import TokenGrant
from rulewright.server.tables.table import Table
from rulewright.server.views import seat_view, table_metadata
from rulewright.server.views.document import (
    ChatMessage,
    HostLinks,
    Now,
    PastProposal,
    ProposalNow,
    Sitting,
    TableDocument,
    Update,
)
from rulewright.server.views.merge_patches import merge_patch_between
from rulewright.server.views.view_cache import TableSnapshot

MAX_STEPS = 40
"""Steps that a reader who is behind is shown one by one; of more, the last ones."""


class TableSubscription:
    """Reader with one token.

    number: of the last update; each reader counts alone, as a common count would reveal how often somebody seals.
    is_duplicate: the device has a seat at this table too, which shows what this reader would. replays: the link is for
    watching a finished game; sitting: its invitation is being used just now.
    """

    def __init__(self, index: int, token: str, grant: TokenGrant, table: Table) -> None:
        self.index, self.token, self.grant, self.table = index, token, grant, table
        self.seat = grant.seat if grant.purpose == tokens.SEAT else None
        self.replays = grant.purpose == tokens.REPLAY
        self.sitting = False  # the invitation is being used here
        self.is_duplicate = False
        self.reset()

    def reset(self) -> None:
        """Start again: the next update has the whole document."""
        self.number = 0
        self._last_document: TableDocument | None = None  # without the game
        self._document_state: tuple[int, str, bool] | None = None  # of which table that was
        self._now: Now | None = None  # what everybody was shown
        self._own_now: Mapping[str, Any] = {}  # what this reader was shown otherwise
        self._log_position = 0, 0  # up to which row, and after how many that took something back, the log has been told
        self._line_marks: list[int] = []  # of each of its lines, a mark
        self._steps_sent = 0  # how many steps of the game have been told

    def updates(self, language: str) -> Sequence[Update]:
        """Return what is new since the last call, which counts as sent: an update for each step of the game since then,
        the last MAX_STEPS at most, and one for now; none if nothing has changed."""
        game, changes = self.table.game, self._document_changes(language)
        if game is None or self.is_duplicate:
            self._now = None
            return self._update(changes, {}, None)
        stage, steps = self.table.views, game.history.steps()
        # What was taken back is not in the log any more; in another language all of it is told anew.
        was_shown = self._now is not None and "language" not in changes
        goes_on = was_shown and self._log_position[1] == self.table.backward
        start, stepped = (len(self._line_marks), self._steps_sent) if goes_on else (0, len(steps))
        self._log_position, self._steps_sent = (len(self.table.rows), self.table.backward), len(steps)
        updates: list[Update] = []
        for number in range(max(stepped, len(steps) - MAX_STEPS), len(steps) - 1):
            past = stage.past(game, steps[number])
            now = self._past_view(past, language, number + 1)
            updates += self._snapshot_updates(changes, past, now, language, start, steps, acts=False)
            changes, start = {}, len(self._line_marks)
        scene = stage.now(game)
        return updates + self._snapshot_updates(
            changes, scene, self._public_view(scene, language), language, start, steps
        )

    def _snapshot_updates(
        self,
        changes: dict[str, Any],
        scene: TableSnapshot,
        now: Now,
        language: str,
        start: int,
        steps: Sequence[PastStep],
        acts: bool = True,
    ) -> list[Update]:
        """Return the updates for one snapshot, one or none, which count as sent.

        changes: other changes of the document; now: what everybody is shown; start: first line of the log that may
        differ; acts: the seat may do something then.
        """
        if (patch := scene.since(self._now, now)) is not None:
            changes = {**changes, "now": patch}
        self._now = now
        own = {} if self.seat is None else self._own(self.seat, scene, language, now, acts)
        return self._update(changes, own, self._log(scene, language, start, steps))

    def _update(self, changes: dict[str, Any], own: Mapping[str, Any], log: Raw | None) -> list[Update]:
        """Return one update if anything has changed, which then counts as sent; else none."""
        if own is not self._own_now:
            if patch := merge_patch_between(self._own_now, own):
                changes = {**changes, "own": patch if own else None}
            self._own_now = own
        if not changes and log is None:
            return []
        self.number += 1
        return [Update(self.number, changes, self.index, log)]

    @staticmethod
    def _past_view(past: TableSnapshot, language: str, steps: int) -> Now:
        """Return what a past step shows to everybody."""
        labels = past.labels(language)

        def build() -> Now:
            moves = seat_view.last_moves(labels, None, past)
            return seat_view.table_state(labels, None, past, steps=steps, moves=moves)

        return past.shared(("then", language), build)

    def _public_view(self, scene: TableSnapshot, language: str) -> Now:
        """Return what the game shows to everybody now."""
        error, deadline = self.table.error, self.table.clock.visible_deadline(self.table.game, self.table.kinds)
        proposal = self._proposal()
        past = tuple(PastProposal(one.seat, one.kind, one.reply, one.replier) for one in self.table.proposals.past)

        def build() -> Now:
            labels = scene.labels(language)
            return seat_view.now(labels, None, 0, labels.say(error), scene, deadline, proposal, past)

        return scene.shared(("now", language, error, deadline, proposal, past), build)

    def _proposal(self) -> ProposalNow | None:
        """Return what somebody proposes now."""
        one = self.table.proposals.open
        if one is None:
            return None
        return ProposalNow(one.number, one.seat, one.kind, tuple(sorted(self.table.asked_to_agree())))

    def _own(self, seat: int, scene: TableSnapshot, language: str, now: Now, acts: bool) -> Mapping[str, Any]:
        """Return the fields that only the reader's seat is shown, or shown differently. acts: as for
        `_snapshot_updates`."""
        table = self.table
        hold_seconds = table.tables.limits.hold if acts and seat in table.bots.undo_seats else 0
        question = None if table.is_away(seat) else table.question(seat)
        may = table.possible_proposals(seat) if acts else ()
        return seat_view.own(scene.labels(language), seat, question, now, scene, acts, hold_seconds, may)

    # ── the document ──

    def _document_changes(self, language: str) -> dict[str, Any]:
        """Return what has changed in the document outside the game: seats, attendance, chat. It counts as sent."""
        game = self.table.game
        shown_state = self.table.changes, language, game is not None
        if shown_state == self._document_state:
            return {}
        before, labels = self._last_document, None if game is None else self.table.views.now(game).labels(language)
        self._last_document = self._build_document(labels, localizer_of(self.table.rules.edition, language))
        self._document_state = shown_state
        return merge_patch_between(before, self._last_document)

    def _build_document(self, labels: Labels | None, localizer: Localizer) -> TableDocument:
        """Return the whole document that the page should have now."""
        localizer = localizer if labels is None else labels.localizer
        return TableDocument(
            you=self.grant.purpose,
            seat=self.grant.seat,
            language=localizer.language,
            direction="rtl" if localizer.right_to_left else "ltr",
            edition=self.table.pinned.digest,
            title=localizer.say(Terms(self.table.rules.edition).title()),
            seats=tuple(self._seat_rows()),
            begun=labels is not None,
            chosen=dict(self.table.record.options),
            clock=self.table.clock.each,
            notices=() if labels is None else tuple(map(labels.say, self.table.notices)),
            links=self._links(),
            inviter=self.table.record.host,
            silent=self.table.chat.disabled,
            messages=self._messages(),
            away={str(seat): since for seat, since in sorted(self.table.attendance.away.items())},
            rematch=None if self.table.rematch is None or self.replays else self.table.rematch.by,
            table=table_metadata.table_metadata(labels) if labels is not None and not self.is_duplicate else None,
        )

    def _seat_rows(self) -> Iterable[Sitting]:
        """Yield what the document says of each seat."""
        conceded = () if self.table.game is None else self.table.game.conceded
        for number, seat in enumerate(self.table.seats):
            kind = "role" if seat.role else "person" if seat.player == PERSON else "bot"
            player = seat.player if kind == "bot" else ""
            awaited = "" if seat.name else self.table.awaited.get(number, "")
            yield Sitting(seat.name, kind, player, awaited, self.table.is_away(number), number in conceded)

    def _links(self) -> HostLinks | None:
        """Return the tokens that a host can still give away."""
        if self.grant.purpose != tokens.HOST:
            return None
        seats = enumerate(self.table.seats)
        open_ = {str(number): tokens.invite(self.token, number) for number, seat in seats if not seat.name}
        return HostLinks(open_, tokens.watch(self.token), tokens.group(self.token) if open_ else "")

    def _messages(self) -> Mapping[str, ChatMessage]:
        """Return the chat messages; none in a replay, which is for anybody."""
        return {} if self.table.chat.disabled or self.is_duplicate or self.replays else dict(self.table.chat.messages)

    # ── the log ──

    def _log(self, scene: TableSnapshot, language: str, start: int, steps: Sequence[PastStep]) -> Raw | None:
        """Return what has changed in the log from a line on, which then counts as sent; None if nothing has."""
        known = self._line_marks[start:]
        if not known and start == scene.game.log.length:
            return None
        update = scene.log(language, self.seat, start, steps)
        if known:
            same = sum(takewhile(bool, map(eq, update.marks, known)))
            if same == len(known) == len(update.marks):
                return None
            start += same
            update = scene.log(language, self.seat, start, steps)
        self._line_marks[start:] = update.marks
        return update.change

    # ── whether it still opens something ──

    def is_replaced(self) -> bool:
        """Return whether the seat has another token now."""
        return bool(self.table.ended) and tokens.digest(self.token) in self.table.ended

    def is_used(self) -> bool:
        """Return whether this is an invitation that another connection has used."""
        seat = self.grant.seat
        if self.grant.purpose != tokens.INVITE or seat is None or self.sitting:
            return False
        return bool(self.table.seats[seat].name)


def mark_duplicates(readers: Iterable[TableSubscription]) -> None:
    """Mark hosts whose own seat is at the same device, so that its view is not sent twice.

    With several people at the device, it is sent to all: it shows while the device changes hands.
    """
    subscriptions = list(readers)
    seated = Counter(reader.table.record.id for reader in subscriptions if reader.seat is not None)
    for reader in subscriptions:
        reader.is_duplicate = reader.grant.purpose == tokens.HOST and seated[reader.table.record.id] == 1
