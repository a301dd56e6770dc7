"""Levels of players against each other, on one edition or the whole shelf: `tools/matches.py EDITION --levels`.

For two parties each level plays each deal against the one before it, with sides changed; for more, each deal is played
by levels that are drawn, from every seating. Partners have one level. Who is ahead of whom at the end makes the
ratings.
"""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

from matching.own_games import OwnGames
from matching.own_sides import MatchError, OwnSide, own_side, timed
from matching.ratings import Comparison, neighbours, ratings
from rulewright.game import library
from rulewright.model.editions import available
from rulewright.players import LEVELS
from rulewright.players.kinds import LEVEL_TRIES
from rulewright.players.level_player import JUDGEMENTS

TARGET_SHARE = (0.65, 0.75)
"""Share that a level is to have against the one below it."""


class LevelGames:
    """Games of an edition among levels, weakest first. parties: of each seat; limited: games that the limit of
    answers ended."""

    def __init__(self, edition: str, levels: list[str], arguments: Namespace) -> None:
        self.edition, self.levels, self.arguments = edition, levels, arguments
        people = library.load(edition).edition.people
        options = dict(option.partition("=")[::2] for option in arguments.option)
        self.games = OwnGames(edition, max(2, people[0]), options)
        self.parties = self.games.parties()
        by_processor = arguments.clock == "processor"
        self.sides: list[OwnSide] = [
            own_side(timed(level, arguments.seconds), by_processor=by_processor) for level in levels
        ]
        self.limited = 0
        played_as = [[*LEVEL_TRIES[level], repr(JUDGEMENTS.get(level))] for level in levels if level in LEVEL_TRIES]
        self.setting = [edition, options, arguments.seconds, arguments.opening, arguments.clock, played_as]

    def seatings(self, deal: int) -> list[list[int]]:
        """Return the levels of the parties in each game of a deal."""
        count, numbers = len(set(self.parties)), list(range(len(self.levels)))
        if count == 2:
            return [list(each) for pair in pairwise(numbers) for each in (pair, pair[::-1])]
        order = Random(f"levels {deal}").sample(numbers, len(numbers))
        start = [order[party % len(order)] for party in range(count)]
        return [start[turn:] + start[:turn] for turn in range(count)]

    def played(self) -> Iterator[Comparison]:
        """Play all games that are not kept yet; yield who was ahead of whom, by numbers of levels."""
        keep: Path | None = self.arguments.keep
        stored = self._stored(keep)
        for deal in range(self.arguments.seed, self.arguments.seed + self.arguments.pairs):
            for seating in self.seatings(deal):
                names = [self.levels[level] for level in seating]
                values = stored.get((deal, tuple(names)))
                if values is None:
                    sides = [self.sides[seating[party]] for party in self.parties]
                    end = self.games.play_match(deal, sides, self.arguments.opening)
                    values, self.limited = end.values, self.limited + end.limited
                    if keep is not None:
                        line = {"setting": self.setting, "deal": deal, "levels": names, "values": values}
                        with keep.open("a", encoding="utf-8") as file:
                            file.write(json.dumps(line) + "\n")
                yield from comparisons(deal, seating, self.parties, values)

    def _stored(self, keep: Path | None) -> dict[tuple[int, tuple[str, ...]], list[float]]:
        if keep is None or not keep.exists():
            return {}
        lines = [json.loads(line) for line in keep.read_text(encoding="utf-8").splitlines()]
        return {
            (line["deal"], tuple(line["levels"])): line["values"] for line in lines if line["setting"] == self.setting
        }


def comparisons(deal: int, seating: list[int], parties: list[int], values: list[float]) -> Iterator[Comparison]:
    """Yield the comparison of each two parties of different levels.

    seating: level of each party; parties: of each seat; values: of each seat, more being better.
    """
    of_party = dict(zip(parties, values, strict=True))
    for one, other in combinations(of_party, 2):
        mine, theirs = of_party[one], of_party[other]
        if seating[one] != seating[other]:
            yield deal, seating[one], seating[other], 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


def row(name: str, seats: str, results: list[Comparison], count: int) -> str:
    """Return the line of an edition, or of several together. count: of levels."""
    rated = ratings(results, count)
    shares = neighbours(results, count)
    figures = ["0", *(f"{each.value:.0f} ({each.low:.0f} to {each.high:.0f})" for each in rated[1:])]
    texts = [f"{100 * each.value:.0f} % ({100 * each.low:.0f}–{100 * each.high:.0f})" for each in shares]
    deals = len({deal for deal, *_ in results})
    return f"| {name} | {seats} | {deals} | {' | '.join(figures)} | {', '.join(texts)} |"


def run(arguments: Namespace) -> int:
    """Play the levels against each other, and print a table, a line as soon as an edition is done."""
    levels: list[str] = arguments.levels.split(",") if arguments.levels else list(LEVELS)
    if len(levels) < 2 or len(set(levels)) < len(levels):
        raise MatchError("--levels: give at least two kinds of bots, each once.")
    names = sorted(available()) if arguments.all else arguments.edition.split(",")
    together: list[Comparison] = []
    print(f"| edition | seats | deals | {' | '.join(f'`{level}`' for level in levels)} | each against the one before |")
    print(f"|---|---|---|{'---|' * len(levels)}---|", flush=True)
    for name in names:
        games, results = LevelGames(name, levels, arguments), list[Comparison]()
        if len(set(games.parties)) < 2:
            print(f"`{name}`: all play together, nobody is ahead.", file=sys.stderr)
            continue
        try:
            for result in games.played():
                results.append(result)
                print(f"\r{name}: {len(results)} comparisons", end="", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            print("\nStopped: this is what was played.", file=sys.stderr)
            if results:
                print(row(f"`{name}`", str(len(games.parties)), results, len(levels)))
            return 130
        print("\r\033[K", end="", file=sys.stderr)
        print(row(f"`{name}`", str(len(games.parties)), results, len(levels)), flush=True)
        first = len({deal for deal, *_ in together})
        numbers = {deal: first + number for number, deal in enumerate(dict.fromkeys(deal for deal, *_ in results))}
        together += [(numbers[deal], one, other, points) for deal, one, other, points in results]
        if games.limited:
            print(f"{name}: the limit of answers ended {games.limited} games.", file=sys.stderr)
    if len(names) > 1 and together:
        print(row("all of them", "", together, len(levels)))
    low, high = TARGET_SHARE
    print(f"\nWanted of each against the one before: {100 * low:.0f} to {100 * high:.0f} %.")
    return 0
