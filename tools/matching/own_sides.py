"""Sides that answer here: our bots, and players in files.

A player in a file gets what its seat sees and may answer, never the game: see spec/MATCHES.md.
"""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Protocol

from matching.meter import Meter, think_by_processor_time
from rulewright.base.diagnostics import RulewrightError
from rulewright.game.choices import AnswerError
from rulewright.game.game import Game
from rulewright.players import Player, PlayerError, check_kind, is_policy, make_player


class MatchError(RulewrightError):
    """Error of a match: something that cannot be played, or a player in a file that fails."""


class OwnSide(Protocol):
    """Side that answers our decisions. meter: what it has used."""

    meter: Meter

    def begin(self, game: Game) -> None:
        """Begin a game."""

    def answer(self, game: Game, seat: int) -> list[str]:
        """Return the keys of its answer to the open decision of a seat."""


class BotSide:
    """Bot of a kind, made anew for each game. by_processor: whether its time is that of the processor."""

    def __init__(self, kind: str, *, by_processor: bool) -> None:
        self.kind, self.by_processor, self.meter = check_kind(kind), by_processor, Meter()
        self._player: Player | None = None
        self._answers: Counter[int] = Counter()
        self._seed = 0

    def begin(self, game: Game) -> None:
        """Make the player: its first preparations are no part of an answer."""
        with self.meter.measure(prepares=True):
            self._player, self._seed = make_player(self.kind, game.machine), game.seed
        if self.by_processor:
            think_by_processor_time()
        self._answers.clear()

    def answer(self, game: Game, seat: int) -> list[str]:
        """Return the keys of the bot's answer."""
        assert self._player is not None
        rng = Random(f"{self._seed} {seat} {self._answers[seat]}")
        self._answers[seat] += 1
        info_state, decision = game.known(seat)
        if self.by_processor:
            think_by_processor_time()  # modules that the last answer has loaded, too
        with self.meter.measure():
            items = self._player.choose(info_state, decision, rng)
        return game.offer(decision).keys(items)


class ScriptSide:
    """Player in a file: a function `choose(view, decision, log)`, or a class `Player` with such a method, which is
    made for each seat of each game as `Player(seat, names)`."""

    def __init__(self, path: Path) -> None:
        self.path, self.meter = path, Meter()
        self._content = _load(path)
        self._chooser: dict[int, Callable[..., Any]] = {}

    def begin(self, game: Game) -> None:
        """Forget the players of the game before."""
        self._chooser.clear()

    def answer(self, game: Game, seat: int) -> list[str]:
        """Return the keys of the script's answer. Raises MatchError if it fails."""
        view, decision = game.view(seat), game.decision(seat)
        log = tuple(line.text for line in game.log.lines(seat))
        with self.meter.measure():
            try:
                if seat not in self._chooser:
                    self._chooser[seat] = self._player(seat, game.names)
                result = self._chooser[seat](view, decision, log)
            except Exception as error:
                raise MatchError(f"{self.path.name} failed: {type(error).__name__}: {error}.") from error
        if isinstance(result, str):
            return [result]
        if not isinstance(result, Sequence) or not all(isinstance(key, str) for key in result):
            raise MatchError(f"{self.path.name} answered {result!r}: an answer is a key or a list of keys.")
        return list(result)

    def _player(self, seat: int, names: Sequence[str]) -> Callable[..., Any]:
        content = self._content
        chooser: Callable[..., Any]
        chooser = content.Player(seat, tuple(names)).choose if hasattr(content, "Player") else content.choose
        return chooser


def _load(path: Path) -> Any:
    """Return the module of a file that has a player. Raises MatchError."""
    if not path.is_file():
        raise MatchError(f"There is no file '{path}'.")
    spec = importlib.util.spec_from_file_location(f"player_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    content = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(content)
    except Exception as error:
        raise MatchError(f"{path.name} failed: {type(error).__name__}: {error}.") from error
    if not hasattr(content, "Player") and not hasattr(content, "choose"):
        raise MatchError(f"{path.name} has no player: write a function 'choose' or a class 'Player'.")
    return content


def own_side(name: str, *, by_processor: bool) -> OwnSide:
    """Return the side of a kind of bot, or of a file that ends in '.py'. Raises PlayerError, MatchError."""
    return ScriptSide(Path(name)) if name.endswith(".py") else BotSide(name, by_processor=by_processor)


def timed(kind: str, seconds: float) -> str:
    """Return a kind of bot with a time for each decision, where it has no budget of its own and can have one.

    Raises PlayerError for a kind that there is not.
    """
    if kind.endswith(".py"):
        return kind
    check_kind(kind)
    if "-" in kind or is_policy(kind):
        return kind
    with suppress(PlayerError):
        return check_kind(f"{kind}-{max(1, round(1000 * seconds))}ms")
    return kind


def give(game: Game, seat: int, keys: Sequence[str], side: OwnSide) -> None:
    """Answer in a game. Raises MatchError for an answer of a script that is not possible."""
    try:
        game.answer(seat, keys)
    except AnswerError as error:
        if not isinstance(side, ScriptSide):
            raise
        decision = game.decision(seat)
        question = decision.prompt if decision is not None else "nothing"
        text = f"{side.path.name} cannot answer {list(keys)} to '{question}' at seat {seat + 1}: {error}"
        raise MatchError(text) from error
