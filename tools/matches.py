"""Matches of two kinds of players: each deal is played with the seats exchanged, and who wins is told with an interval.

    python tools/matches.py wild-cards/2022 search random --games 200

`--seats` says who sits where: A and B are the two kinds, other names are roles; without it, A and B and the virtual
players that must join two.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))

from rulewright.base.diagnostics import RulewrightError
from rulewright.game import library
from rulewright.game.setup import check_options, check_seats
from rulewright.players import Player, player
from rulewright.runtime.knowledge import sight
from rulewright.runtime.machine import Machine
from rulewright.runtime.view import ranks
from rulewright.simulation.statistics import wilson


class Match:
    """Games of one edition; seats: for each, 'A', 'B' or a role; kinds: who A and B are."""

    def __init__(self, edition: str, kinds: dict[str, str], seats: list[str], options: dict[str, str]) -> None:
        rules = library.load(edition)
        roles = [None if seat in kinds else seat for seat in seats]
        check_seats(rules, [f"{n} {seat}" for n, seat in enumerate(seats)], roles)
        checked = check_options(rules, options)
        self.machine: Machine = rules.machine(len(seats))
        program = self.machine.program
        self.seats = seats
        self.roles = [-1 if role is None else program.roles.index(role) for role in roles]
        self.options = [o.choices.index(checked.get(o.name, o.choices[o.default])) for o in program.options]
        self.players: dict[str, Player] = {name: player(kind, self.machine) for name, kind in kinds.items()}
        self.chance = player("random", self.machine)

    def winner(self, seed: int, exchanged: bool) -> str:
        """'A', 'B', or '' where the best of each are equal."""
        seats = [{"A": "B", "B": "A"}.get(seat, seat) for seat in self.seats] if exchanged else self.seats
        machine, answers = self.machine, Counter[int]()
        s = machine.new(seed, self.roles, self.options)
        machine.run(s)
        while open_ := machine.asked(s):
            asked = open_[0]
            rng = Random(f"{seed} {asked.seat} {answers[asked.seat]}")
            thinker = self.players.get(seats[asked.seat], self.chance)
            machine.answer(s, asked, thinker.choose(sight(machine, s, asked.seat), asked, rng))
            machine.run(s)
            answers[asked.seat] += 1
        places = ranks(machine, s)
        best = {name: min(place for seat, place in places.items() if seats[seat] == name) for name in "AB"}
        return "" if best["A"] == best["B"] else min("AB", key=best.__getitem__)


def report(arguments: argparse.Namespace, results: Counter[str]) -> str:
    won, lost, even = results["A"], results["B"], results[""]
    if won + lost:
        low, high = wilson(won / (won + lost), won + lost)
        share = f"{100 * won / (won + lost):.0f} % | {100 * low:.0f}–{100 * high:.0f} %"
    else:
        share = "– | –"
    return f"| {arguments.edition} | {arguments.a} | {arguments.b} | {won} | {lost} | {even} | {share} |"


_matches: list[Match] = []  # of a process, one


def _begin(edition: str, kinds: dict[str, str], seats: list[str], options: dict[str, str]) -> None:
    _matches.append(Match(edition, kinds, seats, options))


def _play(game: tuple[int, bool]) -> str:
    return _matches[0].winner(*game)


def usual_seats(edition: str) -> list[str]:
    roles = library.load(edition).edition.roles.values()
    return ["A", "B", *(role.name for role in roles if role.joins.get(2))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edition")
    parser.add_argument("a", metavar="A", help="a kind of player: random, greedy, search, search-500, search-800ms")
    parser.add_argument("b", metavar="B")
    parser.add_argument("--games", type=int, default=100, help="an even number, since each deal is played twice")
    parser.add_argument("--seats", help="such as A,B,B,leo")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    try:
        seats = arguments.seats.split(",") if arguments.seats else usual_seats(arguments.edition)
        options = dict(option.partition("=")[::2] for option in arguments.option)
        if arguments.games < 1 or not {"A", "B"} <= set(seats):
            parser.error("there must be at least one game, and a seat for A and for B")
        setting = (arguments.edition, {"A": arguments.a, "B": arguments.b}, seats, options)
        Match(*setting)  # what is wrong is told at once
    except RulewrightError as error:
        parser.error(str(error))
    games = [(arguments.seed + n // 2, bool(n % 2)) for n in range(arguments.games)]
    results: Counter[str] = Counter()
    with multiprocessing.Pool(arguments.processes, _begin, setting) as pool:
        for result in pool.imap_unordered(_play, games):
            results[result] += 1
            print(f"\r{sum(results.values())} of {len(games)}  {report(arguments, results)}", end="", file=sys.stderr)
    print("\r\033[K", end="", file=sys.stderr)
    print("| edition | A | B | A wins | B wins | equal | A's share | 95 % interval |")
    print("|---|---|---|---|---|---|---|---|")
    print(report(arguments, results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
