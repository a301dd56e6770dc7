"""Game facade: start, view, decide, answer, undo, score, save. All front ends and players use it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from rulewright.base.files import composed
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game import reveal_check, undo
from rulewright.game.choices import AnswerError, Choice, ChoiceGrouping
from rulewright.game.library import Rules
from rulewright.game.log import GameLog, LogLine, localizer_of_rules
from rulewright.game.messages import Messages
from rulewright.game.pending_decisions import PendingDecisions
from rulewright.game.position import CurrentPosition
from rulewright.game.ranking import Standing, behind, standings
from rulewright.game.rule_texts import in_force, located
from rulewright.game.saved_game import SAVE_FORMAT, SavedGame
from rulewright.game.saved_rules import rules_of
from rulewright.game.setup import GameError, check_options, check_seats
from rulewright.game.snapshots import OpenMoment, PastStep, WatchedRun
from rulewright.game.undo import Answered
from rulewright.i18n.localizer import ENGLISH, Localizer, Phrase, phrase
from rulewright.program.appearance import type_at
from rulewright.program.form import GAME_OVER, NOTHING, PC, PHASE, ROUND, RuleText, Site
from rulewright.runtime import view as views
from rulewright.runtime.information_state import is_known, sight, world
from rulewright.runtime.machine import Events, Machine, OpenDecision, RuleError
from rulewright.runtime.read_tracking import ReadState, cells
from rulewright.runtime.state import State, clone
from rulewright.runtime.view import View

__all__ = [
    "AnswerError",
    "Choice",
    "Decision",
    "Game",
    "GameError",
    "LogLine",
    "Standing",
    "check_options",
    "check_seats",
]


@record
class Decision:
    """Open decision of one seat. An answer is a list of keys, from `least` to `most` of them, each as often as its
    count.

    id: stable, from names in the edition; prompt and none (label of an empty answer, or '') are for people; kind:
    'piece', 'number', 'truth', 'seat', 'word' or 'branch'; step and phase: those whose rules apply; about: pieces named
    in the prompt, by their names in the edition; among: remaining seats of a `go round` with dropouts; named: last
    number that each of these has named there, as far as the public log shows, or None.
    """

    id: str
    seat: int
    kind: str
    step: str
    prompt: str
    none: str
    choices: tuple[Choice, ...]
    least: int
    most: int
    phase: str = ""
    about: tuple[str, ...] = ()
    among: tuple[int, ...] = ()
    named: tuple[int | None, ...] = ()


class Game:
    """One game, made by `start` or `load`. state: starting position instead of the set-up, for tests and tools;
    machine: runs the set-up, by default that of the rules.

    computers: seats played by the computer, as far as declared: their answers are undone together with the answer
    before. conceded: seats that have given up, the first one first; given_up: whether the game ended by that, without a
    result. rules_changed: whether the edition plays differently now than when this game was saved. log: what happened.
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
        self.given_up = self.rules_changed = False
        self._answers: list[Answered] = []
        self._stepped: tuple[Sequence[PastStep], int] = (), 0  # steps, and the number of answers covered by them
        self._acting: PendingDecisions | None = None  # at this position, on first use
        self._open_zones = frozenset(
            space.address
            for space in self.program.layout.spaces
            if space.seen_by == "all" and rules.edition.zones[space.name].shown
        )
        self._between = False  # whether this is a past snapshot, without open decisions
        self._state = self.machine.new(seed, numbers, choice_indices) if state is None else clone(state)
        self._beginning = clone(self._state)
        events: Events = []
        self._opening = self._run(self._state, events)
        self.log = GameLog(rules, self.program, self.messages, events)

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
        """Start a new game. seats: names at the table, clockwise; roles: name -> role, for virtual players.

        Raises GameError for numbers of players, names, roles and options that the edition does not allow.
        """
        seats = list(map(composed, seats))
        roles = {composed(name): role for name, role in (roles or {}).items()}
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
                game.answer(seat, keys if saved.in_order else game.as_offered(seat, keys), decision)
            except AnswerError:
                raise saved.misfit(number) from None
        game.conceded, game.given_up = saved.conceded, saved.given_up
        game.rules_changed = changed
        return game

    @property
    def notice(self) -> Phrase | None:
        """Return a notice for people who continue a saved game, or None."""
        if not self.rules_changed:
            return None
        return phrase(
            "errors",
            "The edition of this game has changed since, or is gone. "
            "The game goes on by the rules that it was saved with.",
        )

    def save(self) -> dict[str, Any]:
        """Return the whole game as JSON values; loading it continues at the same decision."""
        return {
            "rulewright": SAVE_FORMAT,
            "edition": {
                "name": self.rules.name,
                "hash": self.rules.hash,
                "plays": self.rules.plays,
                **({"extends": list(self.rules.edition.bases)} if self.rules.edition.bases else {}),
                "rules": self.rules.text,
            },
            "seats": [{"name": n, **({"role": r} if r else {})} for n, r in zip(self.names, self.roles, strict=True)],
            "options": self.options,
            "seed": self.seed,
            "in order": True,
            "answers": [{"seat": a.seat, "decision": a.decision, "take": list(a.keys)} for a in self._answers],
            **({"conceded": list(self.conceded), "given up": self.given_up} if self.conceded else {}),
        }

    def copy(self) -> Game:
        """Return an independent game in the same position."""
        other = self._shallow_copy()
        other.log, other._answers = self.log.until(self.log.length), list(self._answers)
        other._acting, other._stepped = self._acting, self._stepped
        return other

    def _shallow_copy(self) -> Game:
        """Return a shallow copy, to be changed next."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)  # five times faster than copy.copy
        other._acting, other._stepped = None, ((), 0)
        return other

    def observed(self) -> tuple[Game, ReadState]:
        """Return a game in the same position whose state records reads, for callers that cache derived values."""
        other = self._shallow_copy()
        other._state = state = ReadState(self._state)
        other._acting, other._stepped = self.pending, self._stepped
        return other, state

    # ── deciding ──

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.given_up or (bool(self._state[PC] == GAME_OVER) and not self._between)

    def concede(self, seat: int, ending: bool) -> None:
        """Let a seat give up. ending: whether the game ends by that; else somebody else answers for it, and it comes
        last.

        Raises AnswerError if it cannot.
        """
        if self.over or seat in self.conceded or not 0 <= seat < len(self.names):
            raise AnswerError(phrase("errors", "It is too late to concede."))
        self.conceded += (seat,)
        self.given_up, self._acting = ending, None

    def concessions(self) -> list[Phrase]:
        """Say who has conceded."""
        return [phrase("log", "{name} has conceded.", name=self.names[seat]) for seat in self.conceded]

    @property
    def pending(self) -> PendingDecisions:
        """Pending decisions, sealed answers and ready seats."""
        if self._acting is None:
            group = [] if self._between else self.machine.group(self._state)
            sealed = undo.unopened(self.machine, self._answers, self._state, group)
            asks = not (self.given_up or self._between)
            self._acting = PendingDecisions(
                self.machine, self._state, self._answers[len(self._answers) - sealed :], group, asks
            )
        return self._acting

    def _open_decision(self, seat: int) -> OpenDecision | None:
        """Return a seat's open decision, without the arguments of texts."""
        return next((decision for decision in self.pending.open if decision.seat == seat), None)

    @property
    def opened(self) -> int:
        """Number of answers that everybody knows to have been given; sealed ones do not count."""
        return len(self._answers) - len(self.pending.sealed)

    @property
    def state(self) -> State:
        """Copy of the state, hidden parts included. For tools, not for players."""
        return clone(self._state)

    def localizer(self, language: str = ENGLISH) -> Localizer:
        """Return a localizer with the texts of this game."""
        return localizer_of_rules(self.rules, language)

    def decisions(self, language: str = ENGLISH) -> list[Decision]:
        """Return all open decisions. Show each to its own seat only."""
        if self.given_up or self._between:
            return []
        return [self._decision(asked, language) for asked in self.machine.asked(self._state, [])]

    def decision(self, seat: int, language: str = ENGLISH) -> Decision | None:
        """Return a seat's open decision, or None."""
        if self.given_up or self._between:
            return None
        open_decisions = self.machine.asked(self._state, [], seat)
        return self._decision(open_decisions[0], language) if open_decisions else None

    def answer(self, seat: int, keys: Iterable[str], decision: str | None = None) -> None:
        """Answer a seat's decision; several items take effect in the order of their keys. decision: its id, to be sure
        that this one is meant.

        Raises AnswerError, with nothing changed.
        """
        open_decision = self._open_decision(seat)
        if open_decision is None:
            raise AnswerError(phrase("errors", "{name} is not asked anything now.", name=self._name(seat)))
        site = self.program.sites[open_decision.site]
        if decision is not None and decision != site.id:
            name = self._name(seat)
            message = phrase(
                "errors", "{name} is asked '{now}' now, not '{other}'.", name=name, now=site.id, other=decision
            )
            raise AnswerError(message)
        offer = self._choices(open_decision)
        keys = offer.whole([composed(str(key)) for key in keys])
        items = offer.chosen(keys)
        before, state = self._state, clone(self._state)
        self.machine.answer(state, open_decision, items)
        new: Events = []
        moments = self._run(state, new, self.log.length)
        pending = self.pending
        opening = pending.at_once and undo.opens(self.machine, seat, pending.seats, before, state, bool(new))
        shown = opening and any(answered.seat != seat for answered in pending.sealed)
        revealing = shown or undo.shows(self.machine, before, state)
        self._answers.append(Answered(seat, site.id, keys, before, self.log.length, opening, revealing, moments))
        self._state, self._acting = state, None
        self.log.extend(new)

    def _run(self, state: State, events: Events, before: int = 0) -> tuple[OpenMoment, ...]:
        """Run to the next decision, collecting `events`; return the snapshots on the way. before: length of the log."""
        watched = WatchedRun(self.program, state, before, self._open_zones)
        self.machine.run(state, watched)
        events.extend(watched)
        return tuple(watched.end())

    def known(self, seat: int) -> tuple[State, OpenDecision]:
        """Return the information state of a seat (see `information_state.sight`) and its open decision, for thinking
        players.

        Raises AnswerError if it has none.
        """
        decision = self._open_decision(seat)
        if decision is None:
            raise AnswerError(phrase("errors", "{name} is not asked anything now.", name=self._name(seat)))
        return sight(self.machine, self._state, seat), decision

    def keys(self, decision: OpenDecision, items: Iterable[int]) -> list[str]:
        """Return the keys of some candidates, in the order in which they are offered: of equal ones, the first
        count."""
        offer = self._choices(decision)
        keys = [offer.key(item) for item in items]
        if len(keys) < 2:
            return keys
        counts = {key: keys.count(key) for key in keys}
        ordered: list[str] = []
        for item in decision.candidates:
            if counts.get(key := offer.key(item)):
                ordered.append(key)
                counts[key] -= 1
        return ordered

    def answers(self) -> list[tuple[int, tuple[str, ...]]]:
        """Return all answers so far: seats and keys."""
        return [(answered.seat, answered.keys) for answered in self._answers]

    def chosen(self, decision: OpenDecision, keys: Sequence[str]) -> list[int]:
        """Return the candidates for keys, in order: of equal ones, the first. Raises AnswerError."""
        offer = self._choices(decision)
        return offer.chosen(offer.whole(keys))

    def as_offered(self, seat: int, keys: Sequence[str]) -> list[str]:
        """Sort the keys of a seat's answer in the order in which they are offered. Raises AnswerError."""
        decision = self._open_decision(seat)
        return list(keys) if decision is None else self.keys(decision, self.chosen(decision, keys))

    def _decision(self, decision: OpenDecision, language: str) -> Decision:
        site, say = self.program.sites[decision.site], self.localizer(language).say
        return Decision(
            id=site.id,
            seat=decision.seat,
            kind=site.element.base,
            step=site.step,
            prompt=say(self.messages.text(site.ask, decision.arguments, decision.seat)),
            none=say(self.messages.text(site.none, (), decision.seat)) if site.none else "",
            choices=self._choices(decision).choices(self.localizer(language)),
            least=decision.least,
            most=decision.most,
            phase=self.program.phases[self._state[PHASE]][0] if self._state[PHASE] >= 0 else "",
            about=self._about(decision),
            among=tuple(self._state[site.among]) if site.among >= 0 else (),
            named=self._named_numbers(site) if site.among >= 0 and site.element.base == "number" else (),
        )

    def _named_numbers(self, site: Site) -> tuple[int | None, ...]:
        """Return the last number that each remaining seat has named since the `go round` began."""
        numbers: dict[int, int] = {}
        remaining, end = self._state[site.among], self.log.length
        for answered in reversed(self._answers):
            if answered.decision != site.id or (not answered.keys and answered.seat in remaining):
                break  # more seats than now: an earlier round
            for key in answered.keys[:1]:
                if answered.seat not in numbers and self.log.mentions(answered.seat, int(key), answered.events, end):
                    numbers[answered.seat] = int(key)
            remaining, end = answered.before[site.among], answered.events
        return tuple(numbers.get(seat) for seat in self._state[site.among])

    def _about(self, decision: OpenDecision) -> tuple[str, ...]:
        """Return the visible pieces in a prompt, without repetitions."""
        site, space = self.program.sites[decision.site], self.messages.space
        pieces = (
            type_at(self.program, look).name
            for type_, items in zip(site.ask.types, decision.arguments, strict=False)
            if type_.base == "piece"
            for look, zone, *knowers in items
            if views.sees(space(zone), decision.seat) or (knowers and views.remembers(knowers[0], decision.seat))
        )
        return tuple(dict.fromkeys(pieces))

    def _choices(self, decision: OpenDecision) -> ChoiceGrouping:
        return ChoiceGrouping(self.messages, self.names, self._state, decision)

    def _name(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.names) else f"Seat {seat}"

    # ── undo ──

    def can_undo(self, seat: int) -> bool:
        """Whether a seat may take its last answer back, with later answers of `computers`: nothing hidden or random was
        revealed, and nobody else has acted, except under seal like this seat."""
        return self.undoable(seat) is not None

    def undoable(self, seat: int) -> int | None:
        """Return the number of the answer that a seat may undo, from 0; None for none."""
        if self.over or self._between or seat in self.computers:
            return None
        return self.pending.takers(self._answers, self.computers).get(seat)

    def may_end_undo(self, seat: int, other: int) -> bool:
        """Whether an answer of a seat may make another seat's undo impossible. This depends on what the other seat
        knows, not on the answer nor on what the first seat holds."""
        return reveal_check.may_show(self.machine, self._state, seat, other)

    def undo(self, seat: int) -> None:
        """Undo a seat's last answer. Raises AnswerError if that is not allowed."""
        number = self.undoable(seat)
        if number is None:
            raise not_undone()
        self.take_back(number)

    def undo_as_logged(self, seat: int, number: int | None) -> None:
        """Repeat an undo from a log. number: of the answer, if logged. Raises AnswerError if there is no such
        answer."""
        undone = undo.last(self._answers, len(self.pending.sealed), seat) if number is None else number
        if undone is None or not 0 <= undone < len(self._answers) or self._answers[undone].seat != seat:
            raise AnswerError(phrase("errors", "There is nothing to take back yet."))
        self.take_back(undone)

    def take_back(self, number: int) -> None:
        """Undo an answer, counted from 0, and all after it, except those that others sealed beside it."""
        sealed = number >= self.opened
        undone, *others = self._answers[number:]
        del self._answers[number:]
        self.log.cut(undone.events)
        self._state, self._acting = undone.before, None
        known, begin = self._stepped
        self._stepped = [step for step in known if step.answers <= number], min(begin, number + 1)
        for other in others if sealed else ():
            self.answer(other.seat, other.keys, other.decision)

    # ── history ──

    def steps(self) -> Sequence[PastStep]:
        """List the steps of the history: decisions before which the log had grown, the present last, and snapshots
        between them."""
        known, begin = self._stepped  # steps after earlier answers are cached
        if begin > len(self._answers):
            return known
        result = list(known)
        last_lines = next((step.lines for step in reversed(result) if step.moment is None), -1)
        for answers in range(begin, len(self._answers) + 1):
            lines = self._answers[answers].events if answers < len(self._answers) else self.log.length
            result += [PastStep(one.lines, answers, place) for place, one in enumerate(self._snapshots(answers))]
            if lines > last_lines:
                result.append(PastStep(lines, answers))
                last_lines = lines
        self._stepped = result, len(self._answers) + 1
        return result

    def rounds(self) -> dict[int, PastStep]:
        """Return the last step of each round."""
        return {self.state_at(step)[ROUND]: step for step in self.steps()}

    def past(self, step: PastStep) -> Game:
        """Return an independent game at one of the `steps`, without answers sealed after it."""
        other = self._shallow_copy()
        other.log, other._answers = self.log.until(step.lines), self._answers[: step.answers]
        other._state, other._between = self.state_at(step), step.moment is not None
        other.given_up = self.given_up and not other._between and step.answers == len(self._answers)
        return other

    def before(self, number: int) -> Game:
        """Return an independent game just before one of `answers`, counted from 0."""
        answered, other = self._answers[number], self._shallow_copy()
        other.log, other._answers = self.log.until(answered.events), self._answers[:number]
        other._state, other.given_up = answered.before, False
        return other

    @property
    def beginning(self) -> State:
        """Copy of the state before the set-up. For tools, not for players."""
        return clone(self._beginning)

    def amid(self, state: State) -> Game:
        """Return an independent game in a state between two decisions, without open ones: for tools."""
        other = self._shallow_copy()
        other._state, other._between, other.given_up = clone(state), True, False
        return other

    def elsewhere(self, state: State) -> Game:
        """Return an independent game that continues from another state with an open decision, keeping the log: for
        tools. It can be played on, but not saved."""
        other = self.copy()
        other._state, other._acting = clone(state), None
        return other

    def _snapshots(self, answers: int) -> tuple[OpenMoment, ...]:
        """Return the snapshots after the last of that many answers."""
        return self._answers[answers - 1].moments if answers else self._opening

    def state_at(self, step: PastStep) -> State:
        """Return the state of a step itself, which must not be changed."""
        if step.moment is not None:
            return self._snapshots(step.answers)[step.moment].state
        return self._answers[step.answers].before if step.answers < len(self._answers) else self._state

    # ── view ──

    def view(self, seat: int | None) -> View:
        """Return the view of a seat; None for a spectator."""
        return self.position.view(seat)

    @property
    def position(self) -> CurrentPosition:
        """Present position, for parts of the view."""
        return CurrentPosition(self.machine, self._state, self._between)

    def rule(self, key: str, seat: int, language: str = ENGLISH) -> str:
        """Return a rule in words, with the figures that hold for a seat (in the rule of a power, role or option, those
        that hold with it); '' if there is none.

        key: 'phases.NAME', 'steps.NAME', 'powers.NAME', 'roles.NAME', 'options.NAME', 'options.NAME.choices.CHOICE',
        'scoring.NAME', 'rulings.NAME', 'ranking', 'setup' or 'edition'.
        """
        place = RuleKey(key)
        rule = self.program.rules.get(place)
        if rule is None:
            return ""
        if not rule.text.slots:
            return self.localizer(language).say(self.messages.text(rule.text, (), seat))
        arguments = self._visible_figures(rule, seat) if place.section in ("phases", "steps") else None
        if arguments is None:
            state = in_force(self.rules.edition, self.program, self._possible_state(seat), place, seat)
            return self._with_figures(rule, state, seat, language)
        return self.localizer(language).say(self.messages.text(rule.text, arguments, seat))

    def _visible_figures(self, rule: RuleText, seat: int) -> list[list[Any]] | None:
        """Return the figures of a rule, if the seat knows all their inputs; else None."""
        tried = ReadState(self._state)
        try:
            arguments = located(self.program, tried, rule, self.machine.call(rule.function, tried, seat))
        except RuleError:
            return None
        if not is_known(self.machine, clone(self._state), seat, list(cells(tried.read))):
            return None
        if isinstance(self._state, ReadState):
            self._state.read |= tried.read
        return arguments

    def told(self, key: str, text: str, language: str = ENGLISH, reader: int | None = None) -> str:
        """Return a text added by `library.with_texts`, with the present figures for the first seat. reader: a seat that
        is shown no more than it may see; None for everything."""
        state = self._state if reader is None else self._possible_state(reader)
        return self._with_figures(self.program.asides[key, text], state, 0, language)

    def _possible_state(self, seat: int) -> State:
        """Return a state that a seat cannot exclude, for figures that may depend on hidden things."""
        if isinstance(self._state, ReadState):
            self._state.read |= self._state.all
        return world(self.machine, sight(self.machine, clone(self._state), seat), seat, Random(0))

    def _with_figures(self, rule: RuleText, state: State, seat: int, language: str) -> str:
        arguments = located(self.program, state, rule, self.machine.call(rule.function, state, seat))
        return self.localizer(language).say(self.messages.text(rule.text, arguments, seat))

    def standings(self, language: str = ENGLISH) -> list[Standing]:
        """Return the results so far (final when the game is over), best first; none of a game that ended without a
        result."""
        if self.given_up:
            return []
        result = standings(self.machine, self._state, self.messages, self.localizer(language).say)
        return behind(result, self.conceded)


def not_undone() -> AnswerError:
    return AnswerError(
        phrase("errors", "This cannot be taken back: somebody else has acted since, or something hidden came to light.")
    )
