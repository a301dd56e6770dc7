"""Proposals at a table: a draw, or to take back what others have answered since. The others agree or refuse.

They are rows of the log, so they survive restarts and are alike for all servers. A proposal lapses as soon as somebody
who has not agreed answers, leaves or takes something back. Nothing that was hidden comes to light by one: what revealed
something is never taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from rulewright.base.records import record
from rulewright.game.early_ends import AGREED
from rulewright.game.game import Game
from rulewright.players.seating import Seat
from rulewright.server.storage.records import LoggedAnswer
from rulewright.server.tables.log_rows import AGREE, END, PROPOSE, REFUSE, UNDO

DRAW, TAKE_BACK, CALL_OFF = "draw", "undo", "abort"
"""Kinds of proposals; the last one needs nobody's agreement."""
PATIENCE = 10
"""Answers after which somebody may propose a draw again."""


@record
class TableProposal:
    """Open proposal. number: of its row; kind: DRAW or TAKE_BACK; since: public answers when a draw was proposed, or
    number of the first answer to take back; agreed: seats that want it, including the proposer."""

    number: int
    seat: int
    kind: str
    since: int
    agreed: frozenset[int]


@record
class PastProposal:
    """Proposal as everybody may read of it. reply: AGREE once it is carried out, or REFUSE, by the proposer if it was
    withdrawn; '' while it is open and if it has lapsed. replier: the seat that replied last."""

    seat: int
    kind: str
    reply: str = ""
    replier: int | None = None


@record
class Proposals:
    """State of proposals. open: the open one, or None; last: `since` of the last one of each seat and kind; past: all
    of them in order, the open one included."""

    open: TableProposal | None
    last: Mapping[tuple[int, str], int]
    past: tuple[PastProposal, ...] = ()

    def after(self, row: LoggedAnswer, number: int) -> Proposals:
        """Return the proposals after one more row; these stay as they are. number: of the row in the log, from 0."""
        change, _, rest = row.decision.partition(" ")
        if row.take is None and change == PROPOSE:
            kind, _, since = rest.partition(" ")
            proposal = TableProposal(number, row.seat, kind, int(since), frozenset([row.seat]))
            past = (*self.past, PastProposal(row.seat, kind))
            return Proposals(proposal, {**self.last, (row.seat, kind): proposal.since}, past)
        if self.open is None:
            return self
        past = (*self.past[:-1], self._replied(self.open, row, change, rest))
        agreed = self.open.agreed
        if row.take is None and change == AGREE:
            return Proposals(
                TableProposal(self.open.number, self.open.seat, self.open.kind, self.open.since, agreed | {row.seat}),
                self.last,
                past,
            )
        stays = row.take is not None and self.open.kind == DRAW and row.seat in agreed
        return self if stays else Proposals(None, self.last, past)

    def _replied(self, proposal: TableProposal, row: LoggedAnswer, change: str, rest: str) -> PastProposal:
        """Return the open proposal after one more row. change, rest: what the row does, if it is no answer."""
        last = self.past[-1]
        if row.take is None and change in (AGREE, REFUSE):
            reply = REFUSE if change == REFUSE else last.reply
            return PastProposal(last.seat, last.kind, reply, row.seat)
        carried_out = change == (END if proposal.kind == DRAW else UNDO) and row.seat == proposal.seat
        if row.take is None and carried_out and rest in (AGREED, str(proposal.since)):
            return PastProposal(last.seat, last.kind, AGREE, last.replier)
        return PastProposal(last.seat, last.kind)


def proposals_after(rows: Sequence[LoggedAnswer]) -> Proposals:
    """Return the proposals after all rows of a log."""
    proposals = Proposals(None, {})
    for number, row in enumerate(rows):
        proposals = proposals.after(row, number)
    return proposals


@record
class Proposer:
    """Seat that may propose something in a game."""

    game: Game
    seat: int
    proposals: Proposals

    def may_draw(self, seats: Sequence[Seat]) -> bool:
        """Return whether a draw may be proposed: not again before some answers. seats: of the table; a draw is for two
        sides."""
        players = [number for number, one in enumerate(seats) if one.role is None and number not in self.game.conceded]
        before = self.proposals.last.get((self.seat, DRAW))
        answers = self.game.pending.opened
        return len(players) == 2 and self.proposals.open is None and (before is None or answers >= before + PATIENCE)

    def undo_target(self) -> int | None:
        """Return the number, from 0, of the first answer of the turn that may be taken back by consent; None for none,
        or where no consent is needed. The same turn is asked for once."""
        game, pending = self.game, self.game.pending
        if game.can_undo(self.seat) or pending.at_once or pending.sealed or self.proposals.open is not None:
            return None
        answers = game.history.answers
        place = len(answers)
        while place and answers[place - 1].seat != self.seat:
            place -= 1
        while place and answers[place - 1].seat == self.seat:
            place -= 1
        turn = answers[place:]
        if not turn or turn[0].seat != self.seat or any(answered.revealing for answered in turn):
            return None
        return None if self.proposals.last.get((self.seat, TAKE_BACK)) == place else place


def is_beginning(game: Game, people: Sequence[bool]) -> bool:
    """Return whether fewer than two turns of people are over. people: whether each seat is a person's."""
    turns = [seat for seat, _ in groupby(answered.seat for answered in game.history.answers[: game.pending.opened])]
    return sum(people[seat] for seat in turns) < 2
