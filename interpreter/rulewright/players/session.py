"""Session: a game being played, the players of its seats, and the file that it is saved in."""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

from rulewright import __version__, players
from rulewright.base.diagnostics import EditionError, RulewrightError
from rulewright.game import library
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.game.library import Rules, UnknownEdition
from rulewright.game.messages import rules_failed
from rulewright.game.setup import GameError
from rulewright.i18n.languages import PSEUDO, languages
from rulewright.i18n.localizer import ENGLISH, Phrase, phrase
from rulewright.players import saves
from rulewright.players.saves import SaveError
from rulewright.players.seating import PERSON, RANDOM_BOT, Seat
from rulewright.program.state_layout import ANSWERS, ROUND
from rulewright.runtime.operations import RuleError

ANSWERS_PER_SAVE = 200
"""Bots' answers are saved once they are more than one in this many of all answers of the game."""


class SessionError(RulewrightError):
    """Error: a game that cannot begin, be resumed or go on here."""


class Session:
    """Game with its players. players: PERSON or a kind of bot for each seat; path: file that every answer is saved in,
    or None; file: of an edition given by its path, or None; save_error: why the last save failed, or ''; languages: of
    each seat; wait: called with seconds before a bot's answer where people look on, so that its thinking time does not
    reveal what it holds."""

    def __init__(self, game: Game, kinds: Sequence[str], path: Path | None = None, file: Path | None = None) -> None:
        """Create the session. Raises PlayerError for a trained player that would have to play on and cannot."""
        self.game, self.players, self.path, self.file = game, tuple(kinds), path, file
        self.languages = [ENGLISH] * len(self.players)
        for kind in () if game.over else filter(players.is_policy, self.players):
            players.table_player(kind, game.machine)
        game.computers = frozenset(seat for seat, kind in enumerate(self.players) if kind != PERSON)
        self.wait: Callable[[float], None] | None = None
        self._preparation: Thread | None = None
        self.save_error: Phrase | str = ""
        self._unsaved = 0  # answers
        self._answer_counts = Counter(seat for seat, _ in game.history.answer_keys())

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
        """Start a new game, not saved anywhere yet. language: of the seats without their own.

        Raises GameError where the edition does not allow it, PlayerError for a trained player that cannot play it, and
        SessionError where its rules stop.
        """
        roles = {seat.name: seat.role for seat in seats if seat.role is not None}
        game_seed = secrets.randbits(53) if seed is None else seed
        try:
            game = Game.start(rules, [seat.name for seat in seats], options, game_seed, roles)
        except RuleError as error:
            raise SessionError(rules_failed(game_seed, 0, 0, error)) from None
        session = cls(game, [seat.player for seat in seats], None, file)
        session.languages = [seat.language or language for seat in seats]
        return session

    @classmethod
    def load(cls, path: Path) -> Session:
        """Load the game of a save file, at the decision where it was left. Raises RulewrightError."""
        save = saves.read(path)
        file = save.get("file")
        game = Game.load(save, _rules(path, file, save) if isinstance(file, str) else None)
        session = cls(game, _players(path, save, game), path, Path(file) if isinstance(file, str) else None)
        saved_languages, valid_languages = save.get("languages"), [*languages(), PSEUDO]
        if isinstance(saved_languages, list) and len(saved_languages) == len(session.languages):
            session.languages = [one if one in valid_languages else ENGLISH for one in saved_languages]
        return session

    # ── playing ──

    @property
    def person_seats(self) -> tuple[int, ...]:
        """Seats of people."""
        return tuple(seat for seat, kind in enumerate(self.players) if kind == PERSON)

    def notices(self) -> list[Phrase]:
        """Return what people should know before they play.

        That is: the edition has changed since the game was saved, or trained players have learned other rules. Raises
        PlayerError.
        """
        rules, kinds = self.game.rules, dict.fromkeys(filter(players.is_policy, self.players))
        roles = [role for role in self.game.roles if role is not None]
        policies = [players.load_policy(players.policy_file(kind)) for kind in ([] if self.game.over else kinds)]
        notices = [
            changed_rules_notice(self.game),
            *(policy.notice(rules.title, rules.play_digest, roles) for policy in policies),
        ]
        return [notice for notice in notices if notice]

    def prepare(self) -> None:
        """Begin to make the bots of the table in a thread of their own: their native code takes a second or more, and
        people read meanwhile. Their first answer waits for it, and takes no longer than others."""
        kinds = {kind for kind in self.players if kind not in (PERSON, RANDOM_BOT)}
        if kinds and not self.game.over:
            self._preparation = Thread(target=self._make_players, args=(sorted(kinds),), daemon=True)
            self._preparation.start()

    def _make_players(self, kinds: Sequence[str]) -> None:
        """Make players of these kinds; what fails is told when they have to answer."""
        with suppress(RulewrightError):
            for kind in kinds:
                players.table_player(kind, self.game.machine)

    def play_bot(self) -> bool:
        """Let one bot answer; return False if no bot has a decision. Raises SessionError where the rules stop.

        Bots answer before people, who can take their own answers back together with the bots' replies. In a long game
        not every bot's answer is saved at once, as each save writes the whole game; but all are saved before the
        result is False.
        """
        pending = next((asked for asked in self.game.pending.ids if self.players[asked[0]] != PERSON), None)
        if pending is None:
            if self._unsaved:
                self.save()
            return False
        if self._preparation is not None:
            self._preparation.join()
            self._preparation = None
        seat, decision = pending
        kind, start_time = self.players[seat], monotonic()
        keys = players.choose(kind, self.game, seat, self._answer_counts[seat])
        if self.wait is not None:
            seconds = players.answer_time(players.table_kind(kind), self.game.machine.program)
            self.wait(max(0.0, start_time + seconds - monotonic()))
        self._give_answer(seat, keys, decision)
        if self._unsaved * ANSWERS_PER_SAVE > self._answer_counts.total():
            self.save()
        return True

    def next_decision(self, preferred: int | None = None) -> Decision | None:
        """Return the next decision of a person, preferably at seat `preferred`; None when the game is over.

        Bots answer first. Raises SessionError, also where nobody is asked although the game is not over.
        """
        while self.play_bot():
            continue
        decisions = self.game.decisions()
        if not decisions and not self.game.over:
            raise SessionError(phrase("errors", "The rules of this game wait for an answer, but ask nobody."))
        return next((d for d in decisions if d.seat == preferred), decisions[0] if decisions else None)

    def answer(self, seat: int, keys: Iterable[str], decision: str) -> None:
        """Answer a decision and save the game.

        Raises AnswerError, and SessionError where the rules stop; nothing has changed then.
        """
        self._give_answer(seat, keys, decision)
        self.save()

    def _give_answer(self, seat: int, keys: Iterable[str], decision: str) -> None:
        """Give the game an answer and count it. Raises AnswerError, and SessionError if the rules fail."""
        try:
            self.game.answer(seat, keys, decision)
        except RuleError as error:
            before = self.game.state
            message = rules_failed(self.game.seed, before[ROUND], before[ANSWERS] + 1, error)
            raise SessionError(message) from None
        self._answer_counts[seat] += 1
        self._unsaved += 1

    def answer_count(self, seat: int) -> int:
        """Return the number of answers that a seat has given."""
        return self._answer_counts[seat]

    def set_language(self, seat: int, language: str) -> None:
        """Set the language of a seat from now on, and save the game."""
        self.languages[seat] = language
        self.save()

    def undo(self, seat: int) -> None:
        """Take a seat's last answer back and save the game. Raises AnswerError where that is not allowed."""
        self.game.undo(seat)
        self._answer_counts = Counter(seat for seat, _ in self.game.history.answer_keys())
        self.save()

    # ── saving ──

    def save_to(self, path: Path) -> None:
        """Save the game to a file now, and after every answer from now on. Raises SaveError."""
        saves.write(path, self.save_data())
        self.path = path

    def save(self) -> None:
        """Save the game. If that fails the game goes on, and `save_error` gives the reason."""
        self.save_error = ""
        self._unsaved = 0
        if self.path is not None:
            try:
                saves.write(self.path, self.save_data())
            except SaveError as error:
                self.save_error = error.args[0]

    def save_data(self) -> dict[str, Any]:
        """Return the content of a save file: the game, and what is needed to resume it."""
        return {
            **self.game.save(),
            **({"file": os.fspath(self.file)} if self.file is not None else {}),
            "players": list(self.players),
            "languages": self.languages,
            "over": self.game.over,
            "version": __version__,
        }


def changed_rules_notice(game: Game) -> Phrase | None:
    """Return a notice that the edition of a saved game plays differently now, or None."""
    if not game.rules_changed:
        return None
    return phrase(
        "errors",
        "The edition of this game has changed since, or is gone. The game goes on by the rules that it was saved with.",
    )


def _rules(path: Path, file: str, save: Mapping[str, Any]) -> Rules | None:
    """Return the rules of the file that a save names; None if it is missing or broken and the save has its own rules.
    Raises SessionError if it has none."""
    has_rules = isinstance(save.get("edition"), dict) and bool(save["edition"].get("rules"))
    try:
        return library.load(file)
    except (UnknownEdition, EditionError) as error:
        if has_rules:
            return None
        raise _missing_rules(path, file, error) from None


def _missing_rules(path: Path, file: str, error: RulewrightError) -> SessionError:
    """Return the error for a saved game whose edition cannot be loaded."""
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
    """Return the players of a save; if it does not say, people play, and virtual players at random. Raises GameError,
    SessionError."""
    kinds = save.get("players", [RANDOM_BOT if role else PERSON for role in game.roles])
    if not isinstance(kinds, list) or len(kinds) != len(game.names):
        message = phrase("errors", "The saved game '{path}' is damaged: it does not say who plays.", path=str(path))
        raise GameError(message)
    for kind in kinds:
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
    return kinds
