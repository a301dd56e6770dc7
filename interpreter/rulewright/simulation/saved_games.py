"""Saved games as a run of their own, with the same tables as simulations."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players import saves
from rulewright.players.seating import PERSON, Seat
from rulewright.program.state_layout import RANDOM, RANDOM_CELLS
from rulewright.runtime.game_statistics import StatisticsLayout
from rulewright.runtime.native.results import CountedGames
from rulewright.runtime.operations import OpenDecision
from rulewright.runtime.rng import seeded
from rulewright.runtime.state import State
from rulewright.simulation.chunk_player import CompiledSetting, Work
from rulewright.simulation.plan import Chunk, Plan
from rulewright.simulation.tally import Tally


class PlayedError(RulewrightError):
    """Raised for saved games that make no run."""


@dataclass
class PlayedGames(Work):
    """Run of games that are over; they are played again, answer by answer."""

    games: tuple[Game, ...] = ()

    def statistics_layout(self, setting: int) -> StatisticsLayout:
        """Return what the tables count, as `Work` does; made at each call."""
        return StatisticsLayout(self.tables[setting].program)

    def play(self, chunk: Chunk) -> CountedGames:
        """Replay the saved games of a chunk and count what happens in them. The plan's seeds and players do not matter:
        each game has its own."""
        tally, words = Tally(self.statistics_layout(chunk.setting)), array("i")
        for game in self.games[chunk.first : chunk.first + chunk.games]:
            state = list(self.tables[chunk.setting].initial_state)
            state[RANDOM : RANDOM + RANDOM_CELLS] = seeded(game.seed)
            replay = _Replay(game)
            words.extend(tally.play(state, replay.answer, replay.first))
        return CountedGames(words, tally.sums)

    @property
    def notice(self) -> Phrase | str:
        """No notice: nobody waits for these games."""
        return ""


def read(paths: Sequence[str], rules: Rules) -> tuple[Game, ...]:
    """Load the saved games of these files.

    Raises RulewrightError where one is invalid, is of other rules, is not over, or was not played at a table like that
    of the first.
    """
    if twice := [path for number, path in enumerate(paths) if path in paths[:number]]:
        raise PlayedError(phrase("errors", "'{name}' is given twice.", name=twice[0]))
    games: list[Game] = []
    for path in paths:
        game = Game.load(saves.read(Path(path)), rules)
        if game.rules_changed:
            message = phrase(
                "errors", "The game in '{path}' was played by other rules than the edition has now.", path=path
            )
            raise PlayedError(message)
        if not game.over:
            raise PlayedError(phrase("errors", "The game in '{path}' is not over.", path=path))
        if games and (game.roles, game.options) != (games[0].roles, games[0].options):
            message = phrase(
                "errors",
                "The game in '{path}' was played with other seats or options than the one in '{first}'. Give games of "
                "one table.",
                path=path,
                first=paths[0],
            )
            raise PlayedError(message)
        games.append(game)
    return tuple(games)


def seats(game: Game) -> list[Seat]:
    """Return the seats of a game; a save does not distinguish people from bots."""
    return [Seat(name, PERSON, role) for name, role in zip(game.names, game.roles, strict=True)]


def work(plan: Plan, table: CompiledSetting, games: Sequence[Game]) -> PlayedGames:
    """Return the run of these games. plan: of games at the same table."""
    seeds = tuple(game.seed % 2**64 for game in games)
    plan = replace(plan, seed=0, games=len(games), per_chunk=len(games), played=seeds)
    return PlayedGames(plan, (table,), games=tuple(games))


class _Replay:
    """Answers of a game in their order, while another is played in step with the counting."""

    def __init__(self, game: Game) -> None:
        roles = {name: role for name, role in zip(game.names, game.roles, strict=True) if role is not None}
        self._again = Game.start(game.rules, game.names, game.options, game.seed, roles)
        self._answers = deque(game.history.answer_keys())

    def first(self, open_: list[OpenDecision]) -> int:
        """Return the position of the open decision that was answered first: a limit may have come before the others."""
        return [question.seat for question in open_].index(self._answers[0][0])

    def answer(self, _: State, question: OpenDecision) -> Sequence[int]:
        """Return the next answer, as numbers of candidates, and give it in the other game too."""
        seat, keys = self._answers.popleft()
        answer_given = self._again.offer(question).candidates_for(keys)
        self._again.answer(seat, keys)
        return answer_given
