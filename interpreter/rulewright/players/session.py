"""A game that is being played: who answers for which seat, and the file in which it survives."""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from rulewright import __version__, players
from rulewright.base.diagnostics import EditionError, RulewrightError
from rulewright.game import library
from rulewright.game.game import Decision, Game, GameError
from rulewright.game.library import Rules, UnknownEdition
from rulewright.game.messages import cut_short
from rulewright.i18n.languages import PSEUDO, languages
from rulewright.i18n.localizer import ENGLISH, Phrase, phrase
from rulewright.players import saves
from rulewright.players.saves import SaveError
from rulewright.players.seating import AT_CHANCE, PERSON, Seat
from rulewright.program.form import ANSWERS, ROUND
from rulewright.runtime.operations import RuleError

SAVED_TOGETHER = 200  # of so many answers, one of a player that is no person may wait to be saved with the next


class SessionError(RulewrightError):
    """A saved game that cannot go on here."""


class Session:
    """A game with its players.

    players: for each seat PERSON or a kind of player; path: the file that every answer is saved in, or
    None; file: of an edition that was given by its path, or None; trouble: why the last save failed, or ''; languages:
    in which each seat reads; rest: waits so many seconds, where somebody looks on: how long the computer takes for an
    answer then says nothing of what it holds.
    """

    def __init__(self, game: Game, kinds: Sequence[str], path: Path | None = None, file: Path | None = None) -> None:
        """Raises PlayerError for a trained player that is to play on, and cannot."""
        self.game, self.players, self.path, self.file = game, tuple(kinds), path, file
        self.languages = [ENGLISH] * len(self.players)
        for kind in () if game.over else filter(players.is_policy, self.players):
            players.at_table(kind, game.machine)
        game.computers = frozenset(seat for seat, kind in enumerate(self.players) if kind != PERSON)
        self.rest: Callable[[float], None] | None = None
        self.trouble: Phrase | str = ""
        self._unsaved = 0  # answers
        self._answered = Counter(seat for seat, _ in game.answers())

    @classmethod
    def start(
        cls,
        rules: Rules,
        seats: Sequence[Seat],
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
        file: Path | None = None,
        language: str = ENGLISH,
    ) -> Session:
        """A new game, not saved anywhere yet. language: of the seats that have none of their own.

        Raises GameError where the edition does not allow it, PlayerError for a trained player that cannot play it, and
        SessionError where its rules stop.
        """
        roles = {seat.name: seat.role for seat in seats if seat.role is not None}
        known = secrets.randbits(53) if seed is None else seed
        try:
            game = Game.start(rules, [seat.name for seat in seats], options, known, roles)
        except RuleError as error:
            raise SessionError(cut_short(known, 0, 0, error)) from None
        session = cls(game, [seat.player for seat in seats], None, file)
        session.languages = [seat.language or language for seat in seats]
        return session

    @classmethod
    def load(cls, path: Path) -> Session:
        """The game in a save file, at the decision where it was left. Raises RulewrightError."""
        save = saves.read(path)
        file = save.get("file")
        game = Game.load(save, _rules(path, file, save) if isinstance(file, str) else None)
        session = cls(game, _players(path, save, game), path, Path(file) if isinstance(file, str) else None)
        told, known = save.get("languages"), [*languages(), PSEUDO]
        if isinstance(told, list) and len(told) == len(session.languages):
            session.languages = [one if one in known else ENGLISH for one in told]
        return session

    # ── playing ──

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of persons."""
        return tuple(seat for seat, kind in enumerate(self.players) if kind == PERSON)

    def notices(self) -> list[Phrase]:
        """What people should know: that the edition has changed since the game was saved, or that trained players here
        have learned other rules. Raises PlayerError."""
        rules, kinds = self.game.rules, dict.fromkeys(filter(players.is_policy, self.players))
        roles = [role for role in self.game.roles if role is not None]
        policies = [players.policy_in(players.policy_file(kind)) for kind in ([] if self.game.over else kinds)]
        told = [self.game.notice, *(policy.notice(rules.title, rules.plays, roles) for policy in policies)]
        return [notice for notice in told if notice]

    def step(self) -> bool:
        """Let one player that is no person answer; False where none is asked. Raises SessionError where the rules stop.

        They come before the persons, who can take theirs back together with what these have answered to it. Of a long
        game not every such answer is saved at once, as the whole game is written each time; but all are before False.
        """
        asked = next((asked for asked in self.game.asked() if self.players[asked[0]] != PERSON), None)
        if asked is None:
            if self._unsaved:
                self.save()
            return False
        seat, decision = asked
        kind, began = self.players[seat], monotonic()
        keys = players.choose(kind, self.game, seat, self._answered[seat])
        if self.rest is not None:
            self.rest(max(0.0, began + players.answer_time(players.at_a_table(kind)) - monotonic()))
        self._answer(seat, keys, decision)
        if self._unsaved * SAVED_TOGETHER > self._answered.total():
            self.save()
        return True

    def asked(self, rather: int | None = None) -> Decision | None:
        """What a person is asked now, of several rather the one at seat `rather`; None when the game is over.

        Whoever is no person answers first.
        """
        while self.step():
            continue
        decisions = self.game.decisions()
        if not decisions and not self.game.over:
            raise SessionError(phrase("errors", "The rules of this game wait for an answer, but ask nobody."))
        return next((d for d in decisions if d.seat == rather), decisions[0] if decisions else None)

    def answer(self, seat: int, keys: Iterable[str], decision: str) -> None:
        """Answer a decision and save the game. Raises AnswerError, and SessionError where the rules stop; nothing has
        changed then."""
        self._answer(seat, keys, decision)
        self.save()

    def _answer(self, seat: int, keys: Iterable[str], decision: str) -> None:
        try:
            self.game.answer(seat, keys, decision)
        except RuleError as error:
            before = self.game.state
            told = cut_short(self.game.seed, before[ROUND], before[ANSWERS] + 1, error)
            raise SessionError(told) from None
        self._answered[seat] += 1
        self._unsaved += 1

    def answers(self, seat: int) -> int:
        """How many answers a seat has given."""
        return self._answered[seat]

    def speak(self, seat: int, language: str) -> None:
        """Another language for a seat, from now on."""
        self.languages[seat] = language
        self.save()

    def undo(self, seat: int) -> None:
        """Take a seat's last answer back and save the game. Raises AnswerError where that is not allowed."""
        self.game.undo(seat)
        self._answered = Counter(seat for seat, _ in self.game.answers())
        self.save()

    # ── saving ──

    def keep_in(self, path: Path) -> None:
        """Save the game in a file now, and after every answer from now on. Raises SaveError."""
        saves.write(path, self.data())
        self.path = path

    def save(self) -> None:
        """Save the game. Where that fails it goes on, and `trouble` says why."""
        self.trouble = ""
        self._unsaved = 0
        if self.path is not None:
            try:
                saves.write(self.path, self.data())
            except SaveError as error:
                self.trouble = error.args[0]

    def data(self) -> dict[str, Any]:
        """The content of a save file: the game, and what it takes to go on with it."""
        return {
            **self.game.save(),
            **({"file": os.fspath(self.file)} if self.file is not None else {}),
            "players": list(self.players),
            "languages": self.languages,
            "over": self.game.over,
            "version": __version__,
        }


def _rules(path: Path, file: str, save: Mapping[str, Any]) -> Rules | None:
    """The rules that a save names by their file; None where that is gone or broken, and the save carries its own."""
    carried = isinstance(save.get("edition"), dict) and bool(save["edition"].get("rules"))
    try:
        return library.load(file)
    except (UnknownEdition, EditionError) as error:
        if carried:
            return None
        raise _without_rules(path, file, error) from None


def _without_rules(path: Path, file: str, error: RulewrightError) -> SessionError:
    """That the edition of a saved game cannot be loaded."""
    if isinstance(error, UnknownEdition):
        return SessionError(
            phrase(
                "errors",
                "The game in '{path}' needs the edition '{file}', but that file is not there.",
                path=str(path),
                file=file,
            )
        )
    return SessionError(
        phrase(
            "errors",
            "The edition of the game in '{path}' has errors now:\n\n{errors}",
            path=str(path),
            errors=str(error),
        )
    )


def _players(path: Path, save: Mapping[str, Any], game: Game) -> list[str]:
    """Who answers for each seat; in a save that does not say, persons do, except for virtual players."""
    found = save.get("players", [AT_CHANCE if role else PERSON for role in game.roles])
    if not isinstance(found, list) or len(found) != len(game.names):
        told = phrase("errors", "The saved game '{path}' is damaged: it does not say who plays.", path=str(path))
        raise GameError(told)
    for kind in found:
        try:
            if kind != PERSON:
                players.check_kind(str(kind))
        except players.PlayerError:
            raise SessionError(
                phrase(
                    "errors",
                    "The game in '{path}' has a kind of player that this version does not know: '{kind}'.",
                    path=str(path),
                    kind=str(kind),
                )
            ) from None
    return found
