"""A case at play: its game, and all that was told since it began."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import record
from rulewright.game.game import AnswerError, Game
from rulewright.game.library import Rules
from rulewright.runtime.state import State, from_json, to_json


@record
class StartingPoint:
    """What a case starts from. roles: of each seat; state: a position, or None for the real set-up."""

    rules: Rules
    seats: tuple[str, ...]
    roles: tuple[str | None, ...]
    options: dict[str, str]
    seed: int
    state: State | None

    def game(self, state: State | None) -> Game:
        return Game(self.rules, self.seats, self.roles, self.options, self.seed, state)


class CaseGame:
    """The game of a case. through_json: after every answer it is made again from its state as JSON."""

    def __init__(self, setting: StartingPoint, through_json: bool) -> None:
        self.setting, self.through_json = setting, through_json
        self._told: dict[int | None, list[str]] = {}
        self.game = setting.game(setting.state)
        self._renew()

    def answer(self, seat: int, keys: Sequence[str]) -> None:
        """Raises AnswerError where the answer is not allowed, RuleError where the rules fail."""
        self.game.answer(seat, keys)
        self._renew()

    def try_refused(self, seat: int, keys: Sequence[str]) -> str:
        """What is wrong where an answer should be refused and nothing change; '' if that is so."""
        before, told = self.game.state, self.log(None)
        try:
            self.game.answer(seat, keys)
        except AnswerError:
            changed = self.game.state != before or self.log(None) != told
            return "refused, but something changed" if changed else ""
        return "accepted"

    def log(self, reader: int | None) -> list[str]:
        """The lines told so far, as a seat (None: a spectator) may read them."""
        return [*self._told.get(reader, []), *(line.text for line in self.game.log(reader))]

    def _renew(self) -> None:
        if not self.through_json:
            return
        for reader in (None, *range(len(self.setting.seats))):
            self._told[reader] = self.log(reader)
        self.game = self.setting.game(from_json(to_json(self.game.state), self.game.program.layout))
