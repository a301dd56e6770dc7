"""Game facade: start, view, decide, answer, undo, score, save. All front ends and players use it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulewright.base.files import to_nfc
from rulewright.game import undo
from rulewright.game.choices import AnswerError, ChoiceGrouping
from rulewright.game.decisions import Decision, decision_in_words
from rulewright.game.early_ends import AGREED, CALLED_OFF, CONCEDED, early_end_to_json
from rulewright.game.history import GameHistory
from rulewright.game.library import Rules
from rulewright.game.log import GameLog, localizer_of_rules
from rulewright.game.messages import Messages
from rulewright.game.pending_decisions import PendingDecisions
from rulewright.game.position import CurrentPosition
from rulewright.game.ranking import SeatResult, counts_points, draw_results, move_conceded_to_end, standings
from rulewright.game.rule_texts import CurrentRuleTexts
from rulewright.game.saved_game import SAVE_FORMAT, SavedGame
from rulewright.game.saved_rules import rules_of
from rulewright.game.setup import check_options, check_seats
from rulewright.game.snapshots import WatchedRun
from rulewright.game.undo import Answered
from rulewright.i18n.localizer import ENGLISH, Localizer, phrase
from rulewright.program.state_layout import GAME_OVER, NOTHING, PC
from rulewright.runtime import view as views
from rulewright.runtime.information_state import information_state
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.read_tracking import ReadState
from rulewright.runtime.state import State, clone
from rulewright.runtime.view import View


class Game:
    """One game, made by `start` or `load`. state: starting position instead of the set-up, for tests and tools;
    machine: runs the set-up, by default that of the rules.

    computers: seats declared to be played by the computer; their answers are undone together with the answer before.
    conceded: seats that gave up, in order; late: those of them whose time ran out; cut_off: reason why the game ended
    before its rules ended it, or ''. rules_changed: whether the edition plays differently now than when this game was
    saved. log: lines so far; history: log, answers and states to go back to.
    """

    def __init__(
        self,
        rules: Rules,
        names: Sequence[str],
        roles: Sequence[str | None],
        options: Mapping[str, str],
        seed: int,
        state: State | None = None,
        machine: Machine | None = None,
    ) -> None:
        self.rules, self.names, self.roles = rules, tuple(names), tuple(roles)
        self.options, self.seed = dict(options), seed
        self.machine = machine or rules.machine(len(names))
        self.program = self.machine.program
        self.messages = Messages(self.program, rules.edition, self.names)
        numbers = [NOTHING if role is None else self.program.roles.index(role) for role in roles]
        choice_indices = [
            option.choices.index(self.options.get(option.name, option.choices[option.default]))
            for option in self.program.options
        ]
        self.computers: frozenset[int] = frozenset()
        self.conceded: tuple[int, ...] = ()
        self.late: frozenset[int] = frozenset()
        self.cut_off, self.rules_changed = "", False
        self._pending: PendingDecisions | None = None  # at this position, on first use
        self._open_zones = frozenset(
            space.address
            for space in self.program.layout.zones
            if space.seen_by == "all" and rules.edition.zones[space.name].shown
        )
        present = self.machine.new(seed, numbers, choice_indices) if state is None else clone(state)
        beginning = clone(present)
        opening = self._run(present)
        self.log = GameLog(rules, self.program, self.messages, list(opening))
        self.history = GameHistory(beginning, tuple(opening.end()), present, self.log)

    # ── starting and loading ──

    @classmethod
    def start(
        cls,
        rules: Rules,
        seats: Sequence[str],
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
        roles: Mapping[str, str] | None = None,
    ) -> Game:
        """Start a new game, up to its first decision. seats: names at the table, clockwise; seed: None for one by
        chance; roles: name -> role, for virtual players.

        Raises GameError for numbers of players, names, roles and options that the edition does not allow.
        """
        seats = list(map(to_nfc, seats))
        roles = {to_nfc(name): role for name, role in (roles or {}).items()}
        by_seat = [roles.get(name) for name in seats]
        check_seats(rules, seats, by_seat)
        checked = check_options(rules, options or {})
        return cls(rules, seats, by_seat, checked, secrets.randbits(53) if seed is None else seed)

    @classmethod
    def load(cls, save: Any, rules: Rules | None = None) -> Game:
        """Load a saved game by replaying it. rules: of its edition, if they cannot be found by its name.

        If these play differently now, the game goes on by the rules that it was saved with, and `notice` says so.
        Raises GameError for an invalid save, or a save of other rules that does not contain them.
        """
        saved = SavedGame.read(save)
        rules, changed = rules_of(saved, rules)
        game = cls.start(rules, saved.names, saved.options, saved.seed, saved.roles)
        for number in range(len(saved.answers)):
            seat, keys, decision = saved.answer(number)
            try:
                game.answer(seat, keys if saved.in_order else game._sort_as_offered(seat, keys), decision)
            except AnswerError:
                raise saved.misfit(number) from None
        game.conceded, game.late, game.cut_off = saved.conceded, saved.late, saved.cut_off
        game.rules_changed = changed
        return game

    def save(self) -> dict[str, Any]:
        """Return the whole game as JSON values; loading it continues at the same decision."""
        return {
            "rulewright": SAVE_FORMAT,
            "edition": {
                "name": self.rules.name,
                "hash": self.rules.hash,
                "plays": self.rules.play_digest,
                **({"extends": list(self.rules.edition.bases)} if self.rules.edition.bases else {}),
                "rules": self.rules.text,
            },
            "seats": [{"name": n, **({"role": r} if r else {})} for n, r in zip(self.names, self.roles, strict=True)],
            "options": self.options,
            "seed": self.seed,
            "in order": True,
            "answers": [{"seat": a.seat, "decision": a.decision, "take": list(a.keys)} for a in self.history.answers],
            **early_end_to_json(self.conceded, self.late, self.cut_off),
        }

    # ── other positions ──

    def copy(self) -> Game:
        """Return an independent game in the same position."""
        other = self.with_history(self.history.copy())
        other._pending = self._pending
        return other

    def with_history(self, history: GameHistory) -> Game:
        """Return an independent game at the present position of another history of this game. It has not been ended
        early, unless that history has all answers. If the history never happened, the game can be played on, but not
        saved."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)  # five times faster than copy.copy
        other.history, other.log, other._pending = history, history.log, None
        if history.between or len(history.answers) != len(self.history.answers):
            other.cut_off = ""
        return other

    def observed(self) -> tuple[Game, ReadState]:
        """Return a game in the same position whose state records reads, for callers that cache derived values."""
        state = ReadState(self.history.present)
        other = self.with_history(self.history.with_present(state))
        other._pending = self.pending
        return other, state

    # ── deciding ──

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.cut_off) or (bool(self.history.present[PC] == GAME_OVER) and not self.history.between)

    def concede(self, seat: int, ending: bool, late: bool = False) -> None:
        """Let a seat give up. ending: whether the game ends by that; else somebody else answers for it, and it comes
        last; late: its time has run out.

        Raises AnswerError if it cannot.
        """
        if self.over or seat in self.conceded or not 0 <= seat < len(self.names):
            raise AnswerError(phrase("errors", "It is too late to concede."))
        self.conceded += (seat,)
        self.late |= {seat} if late else frozenset()
        self.cut_off, self._pending = CONCEDED if ending else "", None

    def end_early(self, reason: str) -> None:
        """End the game before its rules end it. reason: AGREED on a draw, or CALLED_OFF. Raises AnswerError if it is
        over."""
        if self.over or reason not in (AGREED, CALLED_OFF):
            raise AnswerError(phrase("errors", "It is too late for that."))
        self.cut_off, self._pending = reason, None

    @property
    def pending(self) -> PendingDecisions:
        """Pending decisions, sealed answers and ready seats."""
        if self._pending is None:
            self._pending = PendingDecisions(self.machine, self.history, not self.cut_off)
        return self._pending

    @property
    def state(self) -> State:
        """Copy of the state, hidden parts included. For tools, not for players."""
        return clone(self.history.present)

    def localizer(self, language: str = ENGLISH) -> Localizer:
        """Return a localizer with the texts of this game."""
        return localizer_of_rules(self.rules, language)

    def decisions(self, language: str = ENGLISH) -> list[Decision]:
        """Return all open decisions. Show each to its own seat only."""
        if self.cut_off or self.history.between:
            return []
        return [self._decision(asked, language) for asked in self.machine.open_decisions(self.history.present, [])]

    def decision(self, seat: int, language: str = ENGLISH) -> Decision | None:
        """Return a seat's open decision, or None."""
        if self.cut_off or self.history.between:
            return None
        open_decisions = self.machine.open_decisions(self.history.present, [], seat)
        return self._decision(open_decisions[0], language) if open_decisions else None

    def answer(self, seat: int, keys: Iterable[str], decision: str | None = None) -> None:
        """Answer a seat's decision and run to the next one; several items take effect in the order of their keys.
        decision: its id, to be sure that this one is meant.

        Raises AnswerError, with nothing changed.
        """
        open_decision = self._open_decision(seat)
        site = self.program.sites[open_decision.site]
        if decision is not None and decision != site.id:
            name = self._name(seat)
            message = phrase(
                "errors", "{name} is asked '{now}' now, not '{other}'.", name=name, now=site.id, other=decision
            )
            raise AnswerError(message)
        offer = self.offer(open_decision)
        keys = offer.complete_keys([to_nfc(str(key)) for key in keys])
        items = offer.candidates_for(keys)
        before = self.history.present
        state = clone(before)
        self.machine.answer(state, open_decision, items)
        new = self._run(state, self.log.length)
        moments = tuple(new.end())
        pending = self.pending
        opening = pending.at_once and undo.opens_seals(self.machine, seat, pending.seats, before, state, bool(new))
        shows_sealed = opening and any(answered.seat != seat for answered in pending.sealed)
        is_wager = open_decision.site in self.program.wagers  # a word that is given
        revealing = shows_sealed or is_wager or undo.does_reveal(self.machine, before, state)
        answered = Answered(seat, site.id, keys, before, self.log.length, opening, revealing, moments)
        self.history.add(answered, state, list(new), new.line_states)
        self._pending = None

    def _run(self, state: State, before: int = 0) -> WatchedRun:
        """Run a state, which changes, to the next decision; return the events, with snapshots on the way. before:
        length of the log."""
        watched = WatchedRun(self.program, state, before, self._open_zones)
        self.machine.run(state, watched)
        return watched

    def known(self, seat: int) -> tuple[State, OpenDecision]:
        """Return the information state of a seat (see `information_state`) and its open decision, for thinking
        players.

        Raises AnswerError if it has none.
        """
        decision = self._open_decision(seat)
        return information_state(self.machine, self.history.present, seat), decision

    def _open_decision(self, seat: int) -> OpenDecision:
        """Return a seat's open decision, without the arguments of texts. Raises AnswerError if it has none."""
        decision = next((decision for decision in self.pending.open if decision.seat == seat), None)
        if decision is None:
            raise AnswerError(phrase("errors", "{name} is not asked anything now.", name=self._name(seat)))
        return decision

    def offer(self, decision: OpenDecision) -> ChoiceGrouping:
        """Return the candidates of an open decision, grouped, with their keys."""
        return ChoiceGrouping(self.messages, self.names, self.history.present, decision)

    def _sort_as_offered(self, seat: int, keys: Sequence[str]) -> list[str]:
        """Sort the keys of a seat's answer in the order in which they are offered. Raises AnswerError."""
        offer = self.offer(self._open_decision(seat))
        return offer.keys(offer.candidates_for(offer.complete_keys(keys)))

    def _decision(self, decision: OpenDecision, language: str) -> Decision:
        offer, localizer = self.offer(decision), self.localizer(language)
        return decision_in_words(decision, offer, self.messages, self.history, localizer)

    def _name(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.names) else f"Seat {seat}"

    # ── undo ──

    def can_undo(self, seat: int) -> bool:
        """Return whether a seat may take its last answer back, with later answers of `computers`: nothing hidden or
        random was revealed, and nobody else has acted, except under seal like this seat."""
        return self.undoable_answer(seat) is not None

    def undoable_answer(self, seat: int) -> int | None:
        """Return the number of the answer that a seat may undo, from 0; None for none."""
        if self.over or self.history.between or seat in self.computers:
            return None
        return self.pending.undoable_answers(self.computers).get(seat)

    def undo(self, seat: int) -> None:
        """Undo a seat's last answer. Raises AnswerError if that is not allowed."""
        number = self.undoable_answer(seat)
        if number is None:
            raise undo_error()
        self.take_back(seat, number)

    def take_back(self, seat: int, number: int | None) -> None:
        """Undo an answer, counted from 0, and all after it, whether or not the seat may; those that others sealed
        beside it are given again. number: None in logs that do not tell it.

        Raises AnswerError if it is not the seat's answer.
        """
        answers, opened = self.history.answers, self.pending.opened
        undone = undo.last_answer_of(answers, len(answers) - opened, seat) if number is None else number
        if undone is None or not 0 <= undone < len(answers) or answers[undone].seat != seat:
            raise AnswerError(phrase("errors", "There is nothing to take back yet."))
        others = self.history.cut(undone)[1:]
        self._pending = None
        for other in others if undone >= opened else ():
            self.answer(other.seat, other.keys, other.decision)

    # ── view ──

    def view(self, seat: int | None) -> View:
        """Return the view of a seat; None for a spectator."""
        return views.view(self.machine, self.history.present, seat, running=self.history.between)

    @property
    def position(self) -> CurrentPosition:
        """Present position, for parts of the view."""
        return CurrentPosition(self.machine, self.history.present)

    @property
    def rule_texts(self) -> CurrentRuleTexts:
        """Rules in words, with the figures that hold now."""
        return CurrentRuleTexts(self.rules, self.machine, self.messages, self.history.present)

    def standings(self, language: str = ENGLISH) -> list[SeatResult]:
        """Return the results so far (final when the game is over), best first; none of a game that ended without a
        result."""
        if self.cut_off == CALLED_OFF:
            return []
        if self.cut_off:
            results = move_conceded_to_end(draw_results(self.machine, self.history.present), self.conceded)
            stayed = [one.seat for one in results if one.seat not in self.conceded]
            sides = {self.program.side(self.history.present, seat) for seat in stayed}
            return results if self.cut_off == AGREED or len(sides) == 1 else []
        result = standings(
            self.machine, self.history.present, self.messages, localizer_of_rules(self.rules, language).say
        )
        if not counts_points(self.rules.edition, self.program, self.options):
            result = [replace(one, lines=(), total=0, ties=()) for one in result]
        return move_conceded_to_end(result, self.conceded)


def undo_error() -> AnswerError:
    """Return the error for an answer that cannot be undone."""
    return AnswerError(
        phrase("errors", "This cannot be taken back: somebody else has acted since, or something hidden came to light.")
    )
