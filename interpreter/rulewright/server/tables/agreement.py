"""Agreements at a table: what somebody proposes, and how the others respond.

The computer's players agree to take something back, since that costs them nothing, and never to a draw.
"""

from __future__ import annotations

from rulewright.game.early_ends import AGREED, CALLED_OFF
from rulewright.game.game import Game
from rulewright.i18n.localizer import phrase
from rulewright.players.seating import PERSON
from rulewright.server.storage.records import LoggedAnswer
from rulewright.server.tables import log_rows
from rulewright.server.tables.proposals import CALL_OFF, DRAW, Proposer, TableProposal
from rulewright.server.tables.refusals import TableError
from rulewright.server.tables.table import Table


async def propose(table: Table, seat: int, kind: str) -> None:
    """Propose something for a seat, or call the game off. kind: DRAW, TAKE_BACK or CALL_OFF. Raises TableError,
    StoreError."""
    await table.run_exclusively(lambda: _add_proposal(table, seat, kind))


async def respond(table: Table, seat: int, number: int, agrees: bool) -> None:
    """Agree to a proposal, refuse it, or withdraw one's own. number: of the proposal. Raises TableError if it is not
    open any more, StoreError."""
    await table.run_exclusively(lambda: _add_response(table, seat, number, agrees))


async def _add_proposal(table: Table, seat: int, kind: str) -> None:
    """Log a proposal of a seat, or end the game if it is called off. Raises TableError."""
    game = table.require_player(seat).game
    if game is None or kind not in table.possible_proposals(seat):
        raise TableError(phrase("errors", "This cannot be proposed now."))
    if kind == CALL_OFF:
        await table.add(log_rows.end(seat, CALLED_OFF))
        return
    since = game.pending.opened if kind == DRAW else Proposer(game, seat, table.proposals).undo_target()
    row = LoggedAnswer(seat, f"{log_rows.PROPOSE} {kind} {since}", None)
    proposal = table.proposals.after(row, len(table.rows)).open
    assert proposal is not None
    await table.add(row, *_replies(table, game, proposal))


def _replies(table: Table, game: Game, proposal: TableProposal) -> list[LoggedAnswer]:
    """Return the rows that follow a proposal at once: the computer's refusal of a draw, or what is agreed if nobody
    else is asked."""
    others = [n for n in range(len(table.kinds)) if n not in (proposal.seat, *game.conceded)]
    bots = [n for n in others if table.kinds[n] != PERSON and table.record.seats[n].role is None]
    if proposal.kind == DRAW and bots:
        return [LoggedAnswer(bots[0], log_rows.REFUSE, None)]
    return [] if any(table.kinds[n] == PERSON for n in others) else [_carried_out(proposal)]


async def _add_response(table: Table, seat: int, number: int, agrees: bool) -> None:
    """Log agreement, refusal or withdrawal, and what an agreement of all brings about. Raises TableError."""
    proposal, voters = table.proposals.open, table.asked_to_agree()
    withdraws = proposal is not None and proposal.seat == seat and not agrees
    if proposal is None or proposal.number != number or not (seat in voters or withdraws):
        raise TableError(phrase("errors", "This is not proposed any more."))
    row = LoggedAnswer(seat, log_rows.AGREE if agrees else log_rows.REFUSE, None)
    await table.add(row, *[_carried_out(proposal)] * (agrees and voters == {seat}))


def _carried_out(proposal: TableProposal) -> LoggedAnswer:
    """Return the row that carries out an accepted proposal."""
    if proposal.kind == DRAW:
        return log_rows.end(proposal.seat, AGREED)
    return log_rows.undo(proposal.seat, proposal.since)
