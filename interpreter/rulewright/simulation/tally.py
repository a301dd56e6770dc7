"""Games played by the machine, counted as native code counts them."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from rulewright.program.state_layout import ANSWERS, LIMITED, ROUND
from rulewright.runtime.game_statistics import AHEAD, LEAD_CHANGES, OF_GAME, OFFERED, PICKED, WIN, StatisticsLayout
from rulewright.runtime.machine import Machine
from rulewright.runtime.native.results import GAME_WORDS, result_words, stopped_words
from rulewright.runtime.operations import Events, OpenDecision, RuleError
from rulewright.runtime.state import State

AnswerFunction = Callable[[State, OpenDecision], Sequence[int]]
"""Function that chooses among the candidates of an open decision. It gets the whole state, hidden parts too."""
ChoiceCounts = Counter[tuple[int, int, int]]
"""Number of occurrences in a game, by seat, OFFERED or PICKED, and number of the choice among all choices."""


class _RoundListener(list[Any]):
    """Event list that keeps nothing and calls a function where a round begins, as native code does."""

    def __init__(self, text: int, on_round: Callable[[], None]) -> None:
        super().__init__()
        self._text, self._on_round = text, on_round

    def append(self, event: Any) -> None:
        """Call the function if an event is the text with which a round begins."""
        if event[0] == self._text:
            self._on_round()


class Tally:
    """Player of one program's games with statistics. sums: of the choices in all games."""

    def __init__(self, counting: StatisticsLayout, machine: Machine | None = None) -> None:
        self._counting, self._program = counting, counting.program
        self._machine = machine or Machine(counting.program)
        key = f"phases.{self._program.phases[0][0]}.title"
        self._text = next(number for number, text in enumerate(self._program.texts) if text.key == key)
        self.sums = array("d", bytes(8 * counting.sums))

    def play(
        self, s: State, answer: AnswerFunction, first: Callable[[list[OpenDecision]], int] = lambda _: 0
    ) -> list[int]:
        """Play a new state to the end, which changes it, and return the words of its results and then its counts.

        first: returns the position of the open decision that is answered first. Raises RuleError; `stopped_game`
        returns the words then. What was chosen in a game without a result is not added to `sums`.
        """
        counting, machine, seats = self._counting, self._machine, range(self._program.layout.seats)
        counts = [0] * counting.size
        choice_counts: ChoiceCounts = Counter()
        events: Events = _RoundListener(self._text, lambda: self._count_round(s, counts))
        machine.run(s, events)
        while open_ := machine.open_decisions(s):
            question = open_[first(open_)]
            answer_given = answer(s, question)
            self._count_answer(s, question, answer_given, counts, choice_counts)
            machine.answer(s, question, answer_given)
            machine.run(s, events)
        result = result_words(machine, s)
        self._count_round(s, counts)
        for seat in seats:
            for place, function in enumerate(counting.measures, self._seat_start(seat) + counting.measures_offset):
                counts[place] = machine.call(function, s, seat)[0][0]
        if not s[LIMITED] or self._program.limit.scored:
            self._add(result, choice_counts)
        return result + counts

    def stopped_game(self, s: State) -> list[int]:
        """Return the words of a game that an error has stopped in this state."""
        results = GAME_WORDS + self._program.layout.seats * (1 + len(self._program.scoring))
        return stopped_words(s[ROUND], s[ANSWERS], results + self._counting.size)

    def _add(self, result: Sequence[int], choice_counts: ChoiceCounts) -> None:
        """Add one game to the sums."""
        width = 1 + len(self._program.scoring)
        of_seats = [result[start : start + width] for start in range(GAME_WORDS, len(result), width)]
        winners = sum(place == 1 for place, *_ in of_seats)
        for (seat, kind, choice), times in choice_counts.items():
            place, *points = of_seats[seat]
            total, won = sum(points), WIN // winners if place == 1 else 0
            index = self._counting.entry(seat, kind, choice)
            for number, more in enumerate((1, won, total, total * total, times), index):
                self.sums[number] += more

    def _seat_start(self, seat: int) -> int:
        """Return the index of a seat's first count."""
        return OF_GAME + seat * self._counting.seat_width

    def _count_answer(
        self,
        s: State,
        decision: OpenDecision,
        answer_given: Sequence[int],
        counts: list[int],
        choice_counts: ChoiceCounts,
    ) -> None:
        """Count what a decision offered, what was picked, and uses of a power."""
        counting, seat = self._counting, decision.seat
        question = counting.decision_of[decision.site]
        empty = len(question.choices) - 1
        for kind, items, least in (
            (OFFERED, decision.candidates, decision.least),
            (PICKED, answer_given, len(answer_given)),
        ):
            choices = {counting.choice(question, s, seat, item) for item in items}
            for choice in choices if least > 0 else {*choices, empty}:
                choice_counts[seat, kind, question.first + choice] += 1
        if (using := counting.power_use(question)) is not None:
            place, answers = using
            counts[self._seat_start(seat) + place] += len(choices.intersection(answers))

    def _count_round(self, s: State, counts: list[int]) -> None:
        """Count who leads and the holders of powers. Functions that raise an error are left out."""
        counting = self._counting
        keys: dict[int, int] = {}
        failed = False
        for seat in range(self._program.layout.seats):
            if counting.is_scored(s, seat):
                key = self._call(counting.leading, s, seat)
                if key is None:
                    failed = True
                else:
                    keys[seat] = counts[self._seat_start(seat)] = key
            for place, function in enumerate(counting.powers, self._seat_start(seat) + counting.powers_offset):
                counts[place] += self._call(function, s, seat) or 0
        best = [seat for seat, key in keys.items() if key == max(keys.values())]
        if failed or len(best) != 1:
            return
        if counts[AHEAD] not in (0, best[0] + 1):
            counts[LEAD_CHANGES] += 1
        counts[AHEAD] = best[0] + 1

    def _call(self, function: int, s: State, seat: int) -> int | None:
        """Return what a function gives for a seat; None where it fails."""
        try:
            return int(self._machine.call(function, s, seat)[0][0])
        except RuleError:
            return None
