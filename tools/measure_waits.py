"""Waits from an answer of a person to their next question, against computers at the usual pace.

    python tools/measure_waits.py [GAME…] [--answers N] [--hold SECONDS]

Each game of the shelf, such as `classics/hearts`, is played by chance in a time of its own: nothing is drawn, and
nothing is really waited for. The waits consist of the time that the computer's players take (`players.answer_time`,
for the level `medium`), of that for which one of their answers is held back so that the person can take theirs back
(`Limits.hold`), and of that for which the page shows what has happened (`pace.js`, whose figures stand here, too).
What computers do while the person thinks is no wait, nor is the way to the server and back.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from name_arguments import edition_name
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.reveal_check import may_reveal
from rulewright.model.editions import available
from rulewright.players import answer_time, share_in_row, table_kind
from rulewright.server.limits import Limits

LINE, MOST_LINES, OWN, ROW = 0.25, 3, 0.25, 1.5
"""Seconds for a line at the usual pace; lines that are waited for in one step; the most seconds for a step that tells
only what the person has done; seconds for all that waits to be shown."""
SEED, MOST_SEATS = 7, 4


@dataclass
class Wait:
    """Seconds from an answer to the next question, and what they consist of."""

    thinking: float
    holding: float
    display: float

    @property
    def all(self) -> float:
        """Whole wait."""
        return self.thinking + self.holding + self.display


@dataclass
class Event:
    """Step of the game: when the page hears of it, in seconds since the answer, and for how long it is shown."""

    time: float
    long: float


def waits(name: str, answers: int, hold: float) -> Iterator[Wait]:
    """Play a game and yield the waits of seat 0."""
    rules, rng = library.load(name), random.Random(SEED)
    least, most = rules.edition.people
    seats = max(least, min(MOST_SEATS, most))
    game = Game.start(rules, [f"{seat}" for seat in range(seats)], seed=SEED)
    game.computers = frozenset(range(1, seats))
    count = 0
    while not game.over and count < answers:
        if 0 in game.pending.seats:
            _let_computers_seal(game, rng)
        if 0 not in game.pending.seats:
            _answer(game, next(iter(game.pending.seats)), rng)
            continue
        steps = len(game.history.steps())
        _answer(game, 0, rng)
        count += 1
        yield _next_question(game, rng, steps, hold)


def _next_question(game: Game, rng: random.Random, steps: int, hold: float) -> Wait:
    """Let the computers answer until the person is asked, or the game is over; return the wait. steps: number of those
    shown before the person's answer."""
    thinking, holding, events = 0.0, 0.0, list(_events(game, steps, 0.0))
    begin = len(game.history.steps())
    while not game.over and 0 not in game.pending.seats:
        seat, before = min(game.pending.seats), len(game.history.steps())
        thinking += answer_time(table_kind("medium", share_in_row(before - begin)), game.machine.program)
        now = thinking + holding
        if now < hold and not game.machine.simultaneous_seats(game.state) and game.can_undo(0):
            holding += (hold - now) * may_reveal(game.machine, game.state, seat, 0)
        _answer(game, seat, rng)
        events += _events(game, before, thinking + holding)
    return Wait(thinking, holding, _shown_at(events) - thinking - holding)


def _shown_at(events: Sequence[Event]) -> float:
    """Return when the page shows the last event, as the class Pace of pace.js does."""
    speed, now = 1.0, 0.0
    for number, event in enumerate(events):
        now = max(now, event.time)
        if number + 1 == len(events):
            break
        come = [one.long for one in events[number + 1 :] if one.time <= now]
        speed = max(speed, (event.long + sum(come)) / ROW) if come else 1.0
        now += event.long / speed
    return now


def _events(game: Game, steps: int, time: float) -> Iterator[Event]:
    """Yield the steps since some number of them."""
    all_ = game.history.steps()
    start = all_[steps - 1].lines if steps else 0
    for step in all_[steps:]:
        lines = [game.log.line(number, 0, "en") for number in range(start, step.lines)]
        plain = [line for line in lines if not line.heading]
        own = bool(plain) and all(line.parts and line.parts[0].seat == 0 for line in plain)
        yield Event(time, min(LINE * min(MOST_LINES, len(plain)), OWN if own else float("inf")))
        start = step.lines


def _let_computers_seal(game: Game, rng: random.Random) -> None:
    """Let the computers answer that are asked together with the person."""
    while others := [seat for seat in game.pending.seats if seat and 0 in game.pending.seats]:
        _answer(game, others[0], rng)


def _answer(game: Game, seat: int, rng: random.Random) -> None:
    """Answer a seat's question at random."""
    decision = game.decision(seat)
    assert decision is not None
    keys = [choice.key for choice in decision.choices for _ in range(choice.count)]
    game.answer(seat, rng.sample(keys, rng.randint(decision.least, min(decision.most, len(keys)))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", type=edition_name, metavar="GAME")
    parser.add_argument("--answers", type=int, default=40)
    parser.add_argument("--hold", type=float, default=Limits().hold)
    arguments = parser.parse_args()
    games = arguments.games or sorted({"wild-cards/2022", "wildlife/2002", *_classics()})
    print(f"{'seconds':28} {'median':>7} {'longest':>8} {'all':>7}   of which thinking, held back, shown")
    for name in games:
        all_ = list(waits(name, arguments.answers, arguments.hold))
        parts = [sum(getattr(one, part) for one in all_) for part in ("thinking", "holding", "display")]
        median, longest = statistics.median(one.all for one in all_), max(one.all for one in all_)
        print(
            f"{name:28} {median:7.1f} {longest:8.1f} {sum(parts):7.0f}   "
            f"{parts[0]:.0f}, {parts[1]:.0f}, {parts[2]:.0f} after {len(all_)} answers",
            flush=True,
        )


def _classics() -> Iterator[str]:
    return (name for name in available() if name.startswith("classics/"))


if __name__ == "__main__":
    main()
