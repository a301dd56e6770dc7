"""Matches of two kinds of players: each deal is played with the seats exchanged, and who wins is told with an interval.

    python tools/matches.py wild-cards/2022 search random --games 200
    python tools/matches.py --all search-200 greedy --keep played.jsonl

`--all` plays every edition that comes along, at its smallest table of two or more, with the virtual players that must
join. One seat is A's, all others are B's, and each deal is played once from every seat. A's share is compared with what
is even: one by the number of seats. Who shares a win with others has a part of it. The number of games is fixed before,
for each edition in DEALS; the interval is Wilson's for the shares of the deals, since games of one deal are alike.

`--keep` writes down what was played, and goes on from there the next time.

    python tools/matches.py connect_four --against mcts --seconds 0.2 --pairs 50
    python tools/matches.py classics/hex --levels --pairs 20

`--against` plays with equal processor time a move against OpenSpiel's search (`mcts`), another kind of bot, or a player
in a file (`script.py`); `--levels` rates the levels against each other: spec/MATCHES.md.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "shared"))

from matching import against, levels
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.processes import spawn_context
from rulewright.game import library
from rulewright.game.setup import check_options, check_seats
from rulewright.model.editions import available
from rulewright.players import Player, make_player
from rulewright.runtime.information_state import information_state
from rulewright.runtime.machine import Machine
from rulewright.runtime.view import ranks
from rulewright.simulation.statistics import share, wilson

DEALS = {
    "classics/backgammon": 6,
    "classics/hearts": 4,
    "classics/liars-dice": 12,
    "classics/mancala": 12,
    "classics/oh-hell": 8,
    "classics/spades": 4,
    "classics/yacht": 60,
    "wildlife/2002": 5,
}
"""Deals of `--all`, other than USUAL_DEALS: fewer for long games, more where chance decides much."""
USUAL_DEALS = 6


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
        self.players: dict[str, Player] = {name: make_player(kind, self.machine) for name, kind in kinds.items()}
        self.chance = make_player("random", self.machine)

    def winner(self, seed: int, exchanged: bool) -> str:
        """Play a game; return 'A', 'B', or '' where the best of each are equal. exchanged: A and B swap seats."""
        seats = [{"A": "B", "B": "A"}.get(seat, seat) for seat in self.seats] if exchanged else self.seats
        places = self._places(seed, seats)
        best = {name: min(place for seat, place in places.items() if seats[seat] == name) for name in "AB"}
        return "" if best["A"] == best["B"] else min("AB", key=best.__getitem__)

    def share(self, deal: int) -> float:
        """Play a deal with A in every seat but those of roles, all others being B's; return A's part of the wins."""
        people = [seat for seat, role in enumerate(self.roles) if role < 0]
        parts = 0.0
        for own in people:
            seats = [("A" if seat == own else "B") if seat in people else name for seat, name in enumerate(self.seats)]
            places = self._places(deal, seats)
            best = min((places[seat] for seat in people if seat in places), default=None)
            first = [seat for seat in people if places.get(seat) == best]  # all, where a game has no result
            parts += (own in first) / len(first)
        return parts / len(people)

    def _places(self, seed: int, seats: list[str]) -> dict[int, int]:
        """Play one game; return the place of each seat that is scored. seats: 'A', 'B', or anything for chance."""
        machine, answers = self.machine, Counter[int]()
        s = machine.new(seed, self.roles, self.options)
        machine.run(s)
        while open_ := machine.open_decisions(s):
            question = open_[0]
            rng = Random(f"{seed} {question.seat} {answers[question.seat]}")
            thinker = self.players.get(seats[question.seat], self.chance)
            machine.answer(s, question, thinker.choose(information_state(machine, s, question.seat), question, rng))
            machine.run(s)
            answers[question.seat] += 1
        return ranks(machine, s)


def report(arguments: argparse.Namespace, results: Counter[str]) -> str:
    """Return the row of the table for two kinds, with A's share of the games that were not equal."""
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


Deal = tuple[str, str, str, int]
"""An edition, who A and B are, and the seed."""


def all_editions(arguments: argparse.Namespace) -> None:
    """Play deals of all editions, but those that are kept, and print a row of the table as soon as it is known."""
    stored = shares_kept(arguments.keep)
    table: dict[str, list[Deal]] = {}
    for name in sorted(available()):
        deals = -(-arguments.games // people_of(name)) if arguments.games else DEALS.get(name, USUAL_DEALS)
        seeds = range(arguments.seed, arguments.seed + max(2, deals))
        table[name] = [(name, arguments.a, arguments.b, seed) for seed in seeds]
    left = [deal for deals in table.values() for deal in deals if deal not in stored]
    print(f"| edition | seats | games | `{arguments.a}` wins | 95 % interval | even |")
    print("|---|---|---|---|---|---|", flush=True)
    with spawn_context().Pool(arguments.processes) as pool:
        result = pool.imap(share_of, left)
        for name, deals in table.items():
            for deal in deals:
                if deal not in stored:
                    stored[deal] = next(result)
                    if arguments.keep:
                        with arguments.keep.open("a", encoding="utf-8") as file:
                            file.write(json.dumps([*deal, stored[deal]]) + "\n")
            people, won = people_of(name), share(np.array([stored[deal] for deal in deals]))
            interval = f"{100 * won.low:.0f}–{100 * won.high:.0f} %"
            figures = [f"{100 * won.value:.0f} %", interval, f"{100 / people:.0f} %"]
            print(f"| `{name}` | {people} | {len(deals) * people} | {' | '.join(figures)} |", flush=True)


def shares_kept(file: Path | None) -> dict[Deal, float]:
    """Read A's shares of the deals that were played before."""
    if file is None or not file.exists():
        return {}
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {(edition, a, b, seed): part for edition, a, b, seed, part in lines}


def people_of(name: str) -> int:
    """Return the least number of people at an edition's table, but two at least."""
    return max(2, library.load(name).edition.people[0])


def share_of(deal: Deal) -> float:
    """Play a deal in one of the processes; return A's share."""
    name, a, b, seed = deal
    return smallest_table(name, a, b).share(seed)


@lru_cache
def smallest_table(name: str, a: str, b: str) -> Match:
    """Return the match of kinds A and B at an edition's smallest table, with the roles that must join it."""
    people, edition = people_of(name), library.load(name).edition
    joining = [role.name for role in edition.roles.values() if role.joins.get(people)]
    return Match(name, {"A": a, "B": b}, ["A", *"B" * (people - 1), *joining], {})


def usual_seats(edition: str) -> list[str]:
    """Return the seats of two people, with the roles that must join them."""
    roles = library.load(edition).edition.roles.values()
    return ["A", "B", *(role.name for role in roles if role.joins.get(2))]


def parsed() -> tuple[argparse.ArgumentParser, argparse.Namespace]:
    """Return the parser and the arguments of the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="EDITION A B", help="A, B: random, greedy, search, search-800ms …")
    parser.add_argument("--all", action="store_true", help="every edition that comes along; give no edition then")
    parser.add_argument("--games", type=int, help="an even number, since each deal is played twice; else 100, or DEALS")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="what was played, to go on from there")
    parser.add_argument("--seats", help="such as A,B,B,leo")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, help="else one for each processor, and one with --against")
    parser.add_argument("--against", metavar="B", help="mcts, a kind of bot, or a player in a file, script.py")
    parser.add_argument("--seconds", type=float, default=0.2, help="of --against: processor time of a move")
    parser.add_argument("--pairs", type=int, default=50, help="of --against: deals, each played from every seat")
    parser.add_argument("--opening", type=int, default=2, help="of --against: answers that are drawn at first")
    parser.add_argument("--clock", choices=("processor", "wall"), default="processor", help="by which bots here think")
    parser.add_argument("--append", type=Path, metavar="TABLE", help="of --against: file to which the result is added")
    parser.add_argument("--levels", nargs="?", const="", metavar="A,B,C", help="rate the levels, or these bots")
    parser.add_argument("--exploitability", action="store_true", help="of A, in Kuhn or Leduc poker")
    arguments = parser.parse_args()
    names = arguments.names
    if arguments.against is not None:
        if not 1 <= len(names) <= 2 or arguments.all or arguments.games is not None:
            parser.error("--against takes an edition, A if it is not 'search', and --pairs")
        if arguments.pairs < 1 or arguments.seconds <= 0 or arguments.opening < 0:
            parser.error("there must be at least one pair and some time")
        arguments.edition, arguments.a = names[0], names[1] if len(names) > 1 else "search"
        arguments.seats = arguments.seats and arguments.seats.replace(",", "").upper()
    elif arguments.levels is not None:
        if len(names) != 1 - arguments.all or arguments.pairs < 2 or arguments.games is not None:
            parser.error("--levels takes an edition or --all, and --pairs, at least 2")
        arguments.edition = names[0] if names else None
    elif arguments.exploitability:
        if len(names) != 2 or arguments.all:
            parser.error("--exploitability takes a game and A")
        arguments.edition, arguments.a = names
    elif len(names) != 3 - arguments.all:
        parser.error("give an edition or --all, and who A and B are")
    else:
        arguments.edition, (arguments.a, arguments.b) = None if arguments.all else names[0], names[-2:]
    if arguments.processes is None:
        arguments.processes = 1 if arguments.against is not None else os.cpu_count() or 1
    return parser, arguments


def main() -> int:
    parser, arguments = parsed()
    try:
        if arguments.against is not None:
            return against.run(arguments)
        if arguments.exploitability:
            from matching import exploitability  # noqa: PLC0415 - it needs OpenSpiel

            return exploitability.run(arguments)
        if arguments.levels is not None:
            return levels.run(arguments)
        if arguments.all:
            all_editions(arguments)
            return 0
        arguments.games = 100 if arguments.games is None else arguments.games
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
    with spawn_context().Pool(arguments.processes, _begin, setting) as pool:
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
