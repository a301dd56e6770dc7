"""Game of a table, as its log has it: seats, who plays for whom, and answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from rulewright.game.draws import can_be_drawn
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players.seating import OPPONENT, PERSON, Seat
from rulewright.server.bots.trained_players import TrainedPlayers
from rulewright.server.storage.records import LoggedAnswer, TableRecord
from rulewright.server.tables.log_rows import is_about_proposal, replay, seat_kinds
from rulewright.server.tables.proposals import (
    CALL_OFF,
    DRAW,
    TAKE_BACK,
    Proposals,
    Proposer,
    is_beginning,
    proposals_after,
)


class LoggedGame:
    """State of a table; `Table` changes it.

    people: names of those who have sat down, by seat; game: once all seats are taken; rows: of the log; kinds: who
    answers for each seat, PERSON or a kind of player; notices: what people should know about that; disturbed: seats,
    once for each undo of another in their sight; backward: number of undos and of reloads; shortened: the log was
    restored from an older copy while somebody was here.
    """

    def __init__(self, record: TableRecord, rules: Rules, trained: TrainedPlayers) -> None:
        self.record, self.rules, self._trained = record, rules, trained
        self.people: Mapping[int, str] = {}
        self.game: Game | None = None
        self.rows: list[LoggedAnswer] = []
        self.kinds = [seat.player for seat in record.seats]
        self.notices: list[Phrase] = []
        self.disturbed: list[int] = []
        self.backward = 0
        self.shortened = False
        self.proposals = Proposals(None, {})
        self._answer_counts: Counter[int] = Counter()  # answers of each seat, those that were taken back counted, too

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats with the names of those who have sat down; '' where one is open."""
        return tuple(replace(seat, name=self.people.get(n, seat.name)) for n, seat in enumerate(self.record.seats))

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return all(seat.name for seat in self.seats)

    def question(self, seat: int) -> int:
        """Return the number of a seat's present decision, which an answer must quote.

        It changes after each of the seat's own answers and after each undo, unless what was undone was sealed from this
        seat.
        """
        return self._answer_counts[seat] + self.disturbed.count(seat)

    def advance(self, game: Game, row: LoggedAnswer, disturbed: Sequence[int]) -> None:
        """Add a row to the log, with all that follows from it here. game: with the row applied; disturbed: seats that
        the row disturbed."""
        self.game = game
        self.proposals = self.proposals.after(row, len(self.rows))
        self.rows.append(row)
        self.disturbed += disturbed
        if is_about_proposal(row):
            return
        self._answer_counts[row.seat] += 1
        if row.take is None:
            self.backward += 1
            self._seat_players()

    def rebuild_game(self) -> None:
        """Rebuild the game from the log, in any thread; takes time in proportion to its length. Raises GameError."""
        result = replay(self.rules, self.record, self.seats, self.rows)
        self.game, self.disturbed = result.game, result.disturbed
        self._answer_counts = Counter(row.seat for row in self.rows if not is_about_proposal(row))
        self.proposals = proposals_after(self.rows)
        self.backward += 1
        self._seat_players()

    def _seat_players(self) -> None:
        """Set who answers for each seat, and the notices about it."""
        self.kinds, misfits = self.players(self.rows)
        self.notices = [phrase("errors", "{trouble} Another bot takes over.", trouble=reason) for reason in misfits]
        if self.shortened:
            self.notices.append(
                phrase("errors", "The server went back to an older copy of its tables: the last answers are lost.")
            )
        if self.game is not None:
            self.game.computers = frozenset(seat for seat, kind in enumerate(self.kinds) if kind != PERSON)

    def players(self, rows: Sequence[LoggedAnswer]) -> tuple[list[str], list[Phrase]]:
        """Return who answers for each seat after these rows, and why trained players cannot."""
        trained, kinds = self._trained, seat_kinds(self.record.seats, rows)
        misfits = {kind: trained.misfit(kind, self.rules, len(kinds)) for kind in dict.fromkeys(kinds)}
        return [OPPONENT if misfits[kind] else kind for kind in kinds], [why for why in misfits.values() if why]

    def is_away(self, seat: int) -> bool:
        """Return whether the computer plays for a person."""
        return self.record.seats[seat].player == PERSON and self.kinds[seat] != PERSON

    @property
    def deserted(self) -> bool:
        """Whether the computer plays for all people who have not conceded."""
        conceded = () if self.game is None else self.game.conceded
        people = [n for n, seat in enumerate(self.record.seats) if seat.player == PERSON and n not in conceded]
        return bool(people) and all(map(self.is_away, people))

    def ends_without(self, seat: int) -> bool:
        """Return whether the game ends if one more person concedes, because nobody is left to play with."""
        conceded = () if self.game is None else self.game.conceded
        others = [one for n, one in enumerate(self.record.seats) if one.role is None and n not in (seat, *conceded)]
        return len(others) < 2 or all(one.player != PERSON for one in others)

    def possible_proposals(self, seat: int) -> tuple[str, ...]:
        """Return what a person may do at the table besides answering: propose a draw, propose to take something back,
        or call the game off."""
        if self.game is None or self.game.over or self.kinds[seat] != PERSON or seat in self.game.conceded:
            return ()
        own = Proposer(self.game, seat, self.proposals)
        may_draw = own.may_draw(self.record.seats) and self._can_be_drawn  # the rules are looked at last
        begins = is_beginning(self.game, [one.player == PERSON for one in self.record.seats])
        may_undo = own.undo_target() is not None
        return (*[DRAW] * may_draw, *[TAKE_BACK] * may_undo, *[CALL_OFF] * begins)

    def asked_to_agree(self) -> frozenset[int]:
        """Return the seats of people who have not agreed to the open proposal yet."""
        proposal = self.proposals.open
        if proposal is None or self.game is None:
            return frozenset()
        people = (seat for seat, kind in enumerate(self.kinds) if kind == PERSON)
        return frozenset(people) - proposal.agreed - set(self.game.conceded)

    @cached_property
    def _can_be_drawn(self) -> bool:
        """Whether a draw can be agreed in this edition."""
        return can_be_drawn(self.rules.edition)

    def usual_bot(self) -> str:
        """Return the kind of bot that stands in for people: one that plays here already, else the default."""
        pairs = zip(self.record.seats, self.kinds, strict=True)
        return next((kind for seat, kind in pairs if seat.player != PERSON and seat.role is None), OPPONENT)
