"""Games that the machine plays, counted as native code counts them."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from rulewright.program.form import ANSWERS, LIMITED, ROUND
from rulewright.runtime.game_statistics import AHEAD, CHOSEN, LEAD_CHANGES, OF_GAME, OFFERED, WIN, Counting
from rulewright.runtime.machine import Machine
from rulewright.runtime.native.results import GAME_WORDS, reckoned, stopped_words
from rulewright.runtime.operations import Events, OpenDecision, RuleError
from rulewright.runtime.state import State

AnswerFunction = Callable[[State, OpenDecision], Sequence[int]]
"""Chooses among the candidates of an open decision. The state is the whole one: to be looked at with care."""
Met = Counter[tuple[int, int, int]]
"""How often something came in a game: of a seat, OFFERED or CHOSEN, by its number among all choices."""


class _Ear(list[Any]):
    """Hears what is told; looks at the game where a round begins, as native code does, and keeps nothing."""

    def __init__(self, text: int, looks: Callable[[], None]) -> None:
        super().__init__()
        self._text, self._looks = text, looks

    def append(self, event: Any) -> None:
        if event[0] == self._text:
            self._looks()


class Tally:
    """Plays games of one program and counts what happens in them. sums: of the choices in all of them."""

    def __init__(self, counting: Counting, machine: Machine | None = None) -> None:
        self._counting, self._program = counting, counting.program
        self._machine = machine or Machine(counting.program)
        key = f"phases.{self._program.phases[0][0]}.title"
        self._text = next(number for number, text in enumerate(self._program.texts) if text.key == key)
        self.sums = array("d", bytes(8 * counting.sums))

    def played(
        self, s: State, answer: AnswerFunction, first: Callable[[list[OpenDecision]], int] = lambda _: 0
    ) -> list[int]:
        """Plays a new state to the end: the words of its results and then its counts. Raises RuleError; `stopped` gives
        the words then.

        first: which of several open decisions is answered first, by its place among them.
        """
        counting, machine, seats = self._counting, self._machine, range(self._program.layout.seats)
        counts = [0] * counting.size
        met: Met = Counter()
        ear: Events = _Ear(self._text, lambda: self._look(s, counts))
        machine.run(s, ear)
        while open_ := machine.asked(s):
            asked = open_[first(open_)]
            chosen = answer(s, asked)
            self._note(s, asked, chosen, counts, met)
            machine.answer(s, asked, chosen)
            machine.run(s, ear)
        result = reckoned(machine, s)
        self._look(s, counts)
        for seat in seats:
            for place, function in enumerate(counting.measures, self._of(seat) + counting.measured):
                counts[place] = machine.call(function, s, seat)[0][0]
        if not s[LIMITED] or self._program.limit.scored:
            self._add(result, met)
        return result + counts

    def stopped(self, s: State) -> list[int]:
        """The words of a game that an error has stopped in this state."""
        results = GAME_WORDS + self._program.layout.seats * (1 + len(self._program.scoring))
        return stopped_words(s[ROUND], s[ANSWERS], results + self._counting.size)

    def _add(self, result: Sequence[int], met: Met) -> None:
        """To the sums, what one game comes to."""
        width = 1 + len(self._program.scoring)
        of_seats = [result[at : at + width] for at in range(GAME_WORDS, len(result), width)]
        winners = sum(place == 1 for place, *_ in of_seats)
        for (seat, what, choice), times in met.items():
            place, *points = of_seats[seat]
            total, won = sum(points), WIN // winners if place == 1 else 0
            at = self._counting.entry(seat, what, choice)
            for number, more in enumerate((1, won, total, total * total, times), at):
                self.sums[number] += more

    def _of(self, seat: int) -> int:
        """Where a seat's counts begin."""
        return OF_GAME + seat * self._counting.of_seat

    def _note(self, s: State, asked: OpenDecision, chosen: Sequence[int], counts: list[int], met: Met) -> None:
        counting, seat = self._counting, asked.seat
        question = counting.question_of[asked.site]
        empty = len(question.choices) - 1
        for what, items, least in ((OFFERED, asked.candidates, asked.least), (CHOSEN, chosen, len(chosen))):
            found = {counting.choice(question, s, seat, item) for item in items}
            for choice in found if least > 0 else {*found, empty}:
                met[seat, what, question.first + choice] += 1
        if (using := counting.using(question)) is not None:
            place, answers = using
            counts[self._of(seat) + place] += len(found.intersection(answers))

    def _look(self, s: State, counts: list[int]) -> None:
        """Who leads, and who has which power. What cannot be worked out now leaves things as they were."""
        counting = self._counting
        keys: dict[int, int] = {}
        failed = False
        for seat in range(self._program.layout.seats):
            if counting.scored(s, seat):
                key = self._called(counting.leading, s, seat)
                if key is None:
                    failed = True
                else:
                    keys[seat] = counts[self._of(seat)] = key
            for place, function in enumerate(counting.powers, self._of(seat) + counting.held):
                counts[place] += self._called(function, s, seat) or 0
        best = [seat for seat, key in keys.items() if key == max(keys.values())]
        if failed or len(best) != 1:
            return
        if counts[AHEAD] not in (0, best[0] + 1):
            counts[LEAD_CHANGES] += 1
        counts[AHEAD] = best[0] + 1

    def _called(self, function: int, s: State, seat: int) -> int | None:
        try:
            return int(self._machine.call(function, s, seat)[0][0])
        except RuleError:
            return None
