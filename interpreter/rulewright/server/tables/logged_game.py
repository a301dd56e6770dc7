"""A game as the log of its table has it: who sits there, who plays for whom, and what was answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players.seating import OPPONENT, PERSON, Seat
from rulewright.server.bots.trained_players import TrainedPlayers
from rulewright.server.storage.records import LoggedAnswer, Record
from rulewright.server.tables.log_rows import played, who_plays


class LoggedGame:
    """What there is at a table; `Table` says how that changes.

    people: who has sat down, by seat; game: once all seats are taken; rows: what was answered; kinds: who answers for
    each seat, PERSON or a kind of player; notices: what people should know of that; disturbed: seats, once for each
    answer of another that was taken back before their eyes; backward: how often something was taken back, or the log
    was another one; shortened: whether the log was restored from an older copy while somebody was here.
    """

    def __init__(self, record: Record, rules: Rules, trained: TrainedPlayers) -> None:
        self.record, self.rules, self._trained = record, rules, trained
        self.people: Mapping[int, str] = {}
        self.game: Game | None = None
        self.rows: list[LoggedAnswer] = []
        self.kinds = [seat.player for seat in record.seats]
        self.notices: list[Phrase] = []
        self.disturbed: list[int] = []
        self.backward = 0
        self.shortened = False
        self._given: Counter[int] = Counter()  # answers of each seat, those that were taken back counted, too

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats, with the names of those who have sat down; '' where one is open."""
        return tuple(replace(seat, name=self.people.get(n, seat.name)) for n, seat in enumerate(self.record.seats))

    @property
    def full(self) -> bool:
        """Whether everybody sits."""
        return all(seat.name for seat in self.seats)

    def question(self, seat: int) -> int:
        """The number of what a seat is asked: with it an answer says what it is meant for. Another one after each of
        the seat's own answers, and after every one that was taken back, unless that was sealed from this seat."""
        return self._given[seat] + self.disturbed.count(seat)

    def go_on(self, game: Game, row: LoggedAnswer, disturbed: Sequence[int]) -> None:
        """What the game is after one more row, and whom that disturbs."""
        self.game = game
        self.rows.append(row)
        self._given[row.seat] += 1
        self.disturbed += disturbed
        if row.take is None:
            self.backward += 1
            self._seat_players()

    def play_again(self) -> None:
        """Make the game from the log, in any thread; that takes as long as it is. Raises GameError."""
        found = played(self.rules, self.record, self.seats, self.rows)
        self.game, self.disturbed = found.game, found.disturbed
        self._given = Counter(row.seat for row in self.rows)
        self.backward += 1
        self._seat_players()

    def _seat_players(self) -> None:
        self.kinds, misfits = self.players(self.rows)
        self.notices = [phrase("errors", "{trouble} Another bot takes over.", trouble=why) for why in misfits]
        if self.shortened:
            self.notices.append(
                phrase("errors", "The server went back to an older copy of its tables: the last answers are lost.")
            )
        if self.game is not None:
            self.game.computers = frozenset(seat for seat, kind in enumerate(self.kinds) if kind != PERSON)

    def players(self, rows: Sequence[LoggedAnswer]) -> tuple[list[str], list[Phrase]]:
        """Who answers for each seat after these rows, and why others cannot."""
        trained, wanted = self._trained, who_plays(self.record.seats, rows)
        found = {kind: trained.misfit(kind, self.rules, len(wanted)) for kind in dict.fromkeys(wanted)}
        return [OPPONENT if found[kind] else kind for kind in wanted], [why for why in found.values() if why]

    def away(self, seat: int) -> bool:
        """Whether the computer plays for a person."""
        return self.record.seats[seat].player == PERSON and self.kinds[seat] != PERSON

    @property
    def deserted(self) -> bool:
        """Whether the computer plays for all people who have not given up."""
        gone = () if self.game is None else self.game.conceded
        people = [n for n, seat in enumerate(self.record.seats) if seat.player == PERSON and n not in gone]
        return bool(people) and all(map(self.away, people))

    def ends_without(self, seat: int) -> bool:
        """Whether the game ends where one more person gives up: nobody is left to play with."""
        gone = () if self.game is None else self.game.conceded
        left = [one for n, one in enumerate(self.record.seats) if one.role is None and n not in (seat, *gone)]
        return len(left) < 2 or all(one.player != PERSON for one in left)

    def usual_bot(self) -> str:
        """Who plays for people: such as plays here already, else the usual opponent."""
        found = zip(self.record.seats, self.kinds, strict=True)
        return next((kind for seat, kind in found if seat.player != PERSON and seat.role is None), OPPONENT)
