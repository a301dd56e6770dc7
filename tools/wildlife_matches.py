"""Games of Wildlife with one bot against scripted people of three tempers, and how each side plays.

    python tools/wildlife_matches.py search-200 --seats 3 --games 30

A bot with a time limit thinks by the processor's time. It has each seat in turn; the others are people of
tools/matching/wildlife_people.py, of another temper at each seat. The table tells wins with an interval, points, and
for each game how often a side played, auctioned, bid and so on.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))

from matching.meter import think_by_processor_time
from matching.wildlife_people import HERDER, SETTLER, TRADER, Player
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.players import Player as Bot
from rulewright.players import learned_values, make_player
from rulewright.players.kinds import read_budget
from rulewright.players.search import SearchPlayer
from rulewright.runtime.view import ranks
from rulewright.simulation.statistics import wilson

EDITION = "wildlife/2002"
TEMPERS = (SETTLER, HERDER, TRADER)
BOT, PEOPLE = "bot", "people"


class Tally:
    """Counts of what both sides did, and results of the bot."""

    def __init__(self) -> None:
        self.deeds = Counter[tuple[str, str]]()
        self.points: dict[str, list[int]] = {BOT: [], PEOPLE: []}
        self.won, self.seconds, self.answers = 0.0, 0.0, 0

    def note(self, side: str, decision: str, keys: list[str]) -> None:
        """Note an answer."""
        if decision == "have a turn.action":
            self.deeds[side, keys[0] if keys else "end the turn"] += 1
        elif decision == "auction a card.amount":
            self.deeds[side, "bid" if keys else "pass"] += 1
            self.deeds[side, "food bid"] += int(keys[0]) if keys else 0
        elif decision == "buy the card.use" or decision.startswith("gain an ability"):
            self.deeds[side, decision.partition(".")[0]] += 1


def play(bot: Bot, seats: int, seed: int, own: int, tally: Tally) -> None:
    """Play a game with the bot at one seat."""
    game = Game.start(library.load(EDITION), [f"seat {seat}" for seat in range(seats)], {}, seed)
    machine = game.machine
    people = [Player(seat, game.names, TEMPERS[(seed + seat) % 3]) for seat in range(seats)]
    answers = 0
    while not game.over:
        seat = machine.open_decisions(game.state)[0].seat
        question = game.decision(seat)
        assert question is not None
        if seat == own:
            info_state, decision = game.known(own)
            start = time.process_time()
            items = bot.choose(info_state, decision, Random(f"{seed} {own} {answers}"))
            tally.seconds += time.process_time() - start
            answers += 1
            keys = game.offer(decision).keys(items)
        else:
            keys = people[seat].choose(game.view(seat), question, ())
        tally.note(BOT if seat == own else PEOPLE, question.id, keys)
        game.answer(seat, keys)
    tally.answers += answers
    places = ranks(machine, game.state)
    winners = [seat for seat, place in places.items() if place == 1]
    tally.won += (own in winners) / len(winners)
    line = machine.program.scoring[0]
    for seat in range(seats):
        points = machine.call(line.function, game.state, seat)[0][0]
        tally.points[BOT if seat == own else PEOPLE].append(points)
    print(f"deal {seed}, seat {own + 1}: place {places[own]}, {tally.points[BOT][-1]} points", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", help="such as search-200 or search-200ms")
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1, help="of the first deal")
    parser.add_argument("--value", type=Path, help="a learned value to try instead of the one that is used")
    arguments = parser.parse_args()
    machine = library.load(EDITION).machine(arguments.seats)
    if arguments.value is None:
        bot: Bot = make_player(arguments.kind, machine)
    else:
        bot = SearchPlayer(machine, read_budget(arguments.kind)[1], value=learned_values.read(arguments.value))
    think_by_processor_time()
    tally = Tally()
    for number in range(arguments.games):
        deal, own = divmod(number, arguments.seats)
        play(bot, arguments.seats, arguments.seed + deal, own, tally)
    low, high = wilson(tally.won / arguments.games, arguments.games)
    print(f"{arguments.kind} wins {tally.won:g} of {arguments.games} ({100 * low:.0f} to {100 * high:.0f} %)")
    print(f"{1000 * tally.seconds / max(1, tally.answers):.0f} ms of processor time an answer")
    names = sorted({name for _, name in tally.deeds})
    print("| a game | points | " + " | ".join(names) + " |")
    print("|---|---|" + "---|" * len(names))
    for side, number in ((BOT, arguments.games), (PEOPLE, arguments.games * (arguments.seats - 1))):
        figures = [f"{tally.deeds[side, name] / number:.1f}" for name in names]
        print(f"| {side} | {statistics.mean(tally.points[side]):.0f} | {' | '.join(figures)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
