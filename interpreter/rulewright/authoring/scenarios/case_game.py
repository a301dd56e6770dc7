"""Game of a case, with its log since the beginning."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import record
from rulewright.game.choices import AnswerError
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.runtime.state import State, from_json, to_json


@record
class StartingPoint:
    """Beginning of a case. roles: of each seat; state: a position, or None for the set-up."""

    rules: Rules
    seats: tuple[str, ...]
    roles: tuple[str | None, ...]
    options: dict[str, str]
    seed: int
    state: State | None

    def game(self, state: State | None) -> Game:
        """Make a game of these players in a state; None for the set-up."""
        return Game(self.rules, self.seats, self.roles, self.options, self.seed, state)


class CaseGame:
    """Game of a case. through_json: whether it is restored from JSON at the beginning and after each answer."""

    def __init__(self, setting: StartingPoint, through_json: bool) -> None:
        self.setting, self.through_json = setting, through_json
        self._earlier_log: dict[int | None, list[str]] = {}
        self.game = setting.game(setting.state)
        self._reload()

    def answer(self, seat: int, keys: Sequence[str]) -> None:
        """Answer a decision. Raises AnswerError if that is not allowed, RuleError if the rules fail."""
        self.game.answer(seat, keys)
        self._reload()

    def try_refused(self, seat: int, keys: Sequence[str]) -> str:
        """Try an answer that should be refused and change nothing; return the problem, or ''. One that is accepted
        stays given."""
        before, log = self.game.state, self.log(None)
        try:
            self.game.answer(seat, keys)
        except AnswerError:
            changed = self.game.state != before or self.log(None) != log
            return "refused, but something changed" if changed else ""
        return "accepted"

    def log(self, reader: int | None) -> list[str]:
        """Return the log lines so far, as a seat (None: a spectator) may read them."""
        return [*self._earlier_log.get(reader, []), *(line.text for line in self.game.log.lines(reader))]

    def _reload(self) -> None:
        """Make `game` anew from JSON if the case is played so; keep the log up to here."""
        if not self.through_json:
            return
        for reader in (None, *range(len(self.setting.seats))):
            self._earlier_log[reader] = self.log(reader)
        self.game = self.setting.game(from_json(to_json(self.game.state), self.game.program.layout))
