"""Games of any edition between sides that play here."""

from __future__ import annotations

from random import Random

from matching.own_sides import OwnSide, give
from matching.scores import Ending
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.program.state_layout import ANSWERS

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal", "Ida", "Jo", "Kim", "Lou")


class OwnGames:
    """Games of an edition at its own table, with the virtual players that must join.

    seat_count: of the sides.
    """

    def __init__(self, edition: str, seat_count: int, options: dict[str, str]) -> None:
        self.rules, self.seat_count, self.options = library.load(edition), seat_count, options
        joining = [role.name for role in self.rules.edition.roles.values() if role.joins.get(seat_count)]
        self.roles = {f"{role} ": role for role in joining}

    def parties(self) -> list[int]:
        """Return the party of each seat, by number; partners have the same one."""
        game = self._start(0)
        sides = [game.program.side(game.state, seat) for seat in range(self.seat_count)]
        order = list(dict.fromkeys(sides))
        return [order.index(side) for side in sides]

    def _start(self, seed: int) -> Game:
        names = [*NAMES[: self.seat_count], *self.roles]
        return Game.start(self.rules, names, self.options, seed, self.roles)

    def play_match(self, seed: int, sides: list[OwnSide], opening: int) -> Ending:
        """Play a game; places count, the first being best. opening: answers that are drawn."""
        chance = Random(f"opening {seed}")
        game = self._start(seed)
        for side in {id(side): side for side in sides}.values():
            side.begin(game)
        while not game.over:
            decision = game.decisions()[0]
            seat = decision.seat
            if len(decision.choices) == 1 and decision.least == 1:
                game.answer(seat, [decision.choices[0].key])
            elif opening > 0 or seat >= self.seat_count:
                opening -= seat < self.seat_count
                info_state, open_ = game.known(seat)
                items = game.machine.random_answer(info_state, open_, chance.random)
                game.answer(seat, game.offer(open_).keys(items))
            else:
                give(game, seat, sides[seat].answer(game, seat), sides[seat])
        results = {standing.seat: standing for standing in game.standings()}  # none of a game without a result
        own = [results.get(seat) for seat in range(self.seat_count)]
        places = [-float(one.rank) if one else -float(len(game.names)) for one in own]
        return Ending(
            places,
            [float(one.total) if one else 0.0 for one in own],
            game.state[ANSWERS] >= game.program.limit.answers,
        )
