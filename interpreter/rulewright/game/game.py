"""The door to a game: start, see, decide, answer, undo, score, save. Every front-end and player comes through here."""

from __future__ import annotations

import secrets
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

from rulewright.base.files import composed
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game import reveal_check, undo
from rulewright.game.choices import AnswerError, Choice, ChoiceGrouping
from rulewright.game.library import Rules
from rulewright.game.messages import LogPart, Messages, at_the_limit
from rulewright.game.pending_decisions import Waiting
from rulewright.game.ranking import Standing, behind, standings
from rulewright.game.rule_texts import in_force, located
from rulewright.game.saved_game import SAVE_FORMAT, SavedGame
from rulewright.game.saved_rules import rules_of
from rulewright.game.setup import GameError, check_options, check_seats
from rulewright.game.snapshots import OpenMoment, PastStep, WatchedRun
from rulewright.game.terms import speech_of
from rulewright.game.undo import Answered
from rulewright.i18n.localizer import ENGLISH, Phrase, Speech, phrase
from rulewright.program.appearance import type_at
from rulewright.program.form import GAME_OVER, LIMITED, NOTHING, PC, PHASE, ROUND, Counter, RuleText, Site, StateZone
from rulewright.runtime import view as views
from rulewright.runtime.information_state import is_known, sight, world
from rulewright.runtime.machine import Events, Machine, OpenDecision, RuleError
from rulewright.runtime.read_tracking import ReadState, cells
from rulewright.runtime.state import State, clone
from rulewright.runtime.view import Counters, Held, ScoreView, View, ZoneView

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

_spoken: WeakKeyDictionary[Rules, dict[str, Speech]] = WeakKeyDictionary()
"""The languages of each edition that have been read: catalogs take long, and all games of an edition share theirs."""


@record
class Decision:
    """What one seat is asked. An answer is a list of keys, from `least` to `most` of them, each as often as its count.

    id: stable, from the names in the edition; prompt and none (what choosing nothing is called, or '') are for people;
    kind: 'piece', 'number', 'truth', 'seat', 'word' or 'branch'; step and phase: whose rules apply now;
    about: the pieces that the prompt names, by their names in the edition; among: the seats that go round while some
    drop out; named: of each of these the last number that it has named there, as far as the log tells that to all, or
    None.
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


@record
class PartedLine:
    """A line of the log in parts; heading, round: as a LogLine has them."""

    parts: list[LogPart]
    heading: bool
    round: int


@record
class LogLine:
    """A line of the log; heading: whether it stands over the lines that follow it; seat: of whom it tells first, None
    for nobody, or for several at once; round: in which, from 1, or 0 before the first phase; phase: whether it is the
    title of a phase that begins, which is a heading, too."""

    text: str
    heading: bool = False
    seat: int | None = None
    round: int = 0
    phase: bool = False


class Game:
    """One game. Use `start` or `load`; state: a position to begin from instead of the set-up, for tests and tools;
    machine: what runs the set-up, where that is not the rules' own.

    computers: the seats for which the computer answers, as far as anybody has said so: what they answer can be taken
    back along with what they answered to. conceded: the seats that have given up, the first one first; given_up:
    whether the game has ended by that, without a result. rules_changed: whether the edition plays differently now than
    this game, which was saved before.
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
        self._speeches = _spoken.setdefault(rules, {})
        numbers = [NOTHING if role is None else self.program.roles.index(role) for role in roles]
        chosen = [
            option.choices.index(self.options.get(option.name, option.choices[option.default]))
            for option in self.program.options
        ]
        self._events: Events = []
        self.computers: frozenset[int] = frozenset()
        self.conceded: tuple[int, ...] = ()
        self.given_up = self.rules_changed = False
        self._answers: list[Answered] = []
        self._stepped: tuple[Sequence[PastStep], int] = (), 0  # steps, and of how many answers those that follow
        self._acting: Waiting | None = None  # at this position, once anybody has asked
        self._titles: tuple[int, ...] = ()  # the lines of the log that are titles of phases
        self._open_zones = frozenset(
            space.address
            for space in self.program.layout.spaces
            if space.seen_by == "all" and rules.edition.zones[space.name].shown
        )
        self._between = False  # whether this is a moment of the past, at which nobody is asked
        self._state = self.machine.new(seed, numbers, chosen) if state is None else clone(state)
        self._beginning = clone(self._state)
        self._opening = self._run(self._state, self._events)
        self._titles = tuple(self._phase_titles(self._events, 0))

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
        """A new game. seats: the names at the table, clockwise; roles: name -> role, for virtual players.

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
        """A saved game, played again up to where it was. rules: of its edition, if they are not found by its name.

        Where these play differently now, the game goes on by the rules that it was saved with, and `notice` says so.
        Raises GameError for what is no save, or a save of other rules that does not carry them.
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
        """What people should know before they go on with a saved game, or None."""
        if not self.rules_changed:
            return None
        return phrase(
            "errors",
            "The edition of this game has changed since, or is gone. "
            "The game goes on by the rules that it was saved with.",
        )

    def save(self) -> dict[str, Any]:
        """The whole game as JSON values: it can be loaded and goes on at the same decision."""
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
        """A game of its own in the same position: what is answered there changes nothing here."""
        other = self._another()
        other._events, other._answers = list(self._events), list(self._answers)
        other._acting, other._stepped = self._acting, self._stepped
        return other

    def _another(self) -> Game:
        """The same game, of which something is changed next."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)  # in a fifth of the time that copy.copy takes
        other._acting, other._stepped = None, ((), 0)
        return other

    def observed(self) -> tuple[Game, ReadState]:
        """A game in the same position whose state tells what was read of it: for whoever keeps what is worked out."""
        other = self._another()
        other._state = state = ReadState(self._state)
        other._acting, other._stepped = self.waiting, self._stepped
        return other, state

    # ── deciding ──

    @property
    def over(self) -> bool:
        return self.given_up or (bool(self._state[PC] == GAME_OVER) and not self._between)

    def concede(self, seat: int, ending: bool) -> None:
        """A seat gives up. ending: whether the game ends by that; else somebody else answers for it, and it comes last.
        Raises AnswerError where it cannot."""
        if self.over or seat in self.conceded or not 0 <= seat < len(self.names):
            raise AnswerError(phrase("errors", "It is too late to concede."))
        self.conceded += (seat,)
        self.given_up, self._acting = ending, None

    def concessions(self) -> list[Phrase]:
        """Who has conceded, in words."""
        return [phrase("log", "{name} has conceded.", name=self.names[seat]) for seat in self.conceded]

    @property
    def waiting(self) -> Waiting:
        """Who is waited for, what is sealed."""
        if self._acting is None:
            group = [] if self._between else self.machine.group(self._state)
            sealed = undo.unopened(self.machine, self._answers, self._state, group)
            asks = not (self.given_up or self._between)
            self._acting = Waiting(self.machine, self._state, self._answers[len(self._answers) - sealed :], group, asks)
        return self._acting

    def _asked(self, seat: int) -> OpenDecision | None:
        """What a seat is asked, without what the texts tell."""
        return next((asked for asked in self.waiting.open if asked.seat == seat), None)

    def asked_seats(self) -> list[int]:
        """The seats that are asked something, as nobody may know while they decide at once."""
        return self.waiting.asked

    def expected(self, seat: int | None = None) -> tuple[int, ...]:
        """Who is waited for, as a seat or everybody may know: of those who decide at once all that are not ready."""
        return self.waiting.expected(seat)

    @property
    def opened(self) -> int:
        """How many answers everybody knows to have been given: what is sealed does not count."""
        return len(self._answers) - len(self.waiting.sealed)

    def limited(self) -> Phrase | None:
        """That the game is over because it came to its limit, in words; None where it did not."""
        return at_the_limit(self.program, self._state) if self._state[LIMITED] else None

    @property
    def state(self) -> State:
        """A copy of the state: plain integers, hidden ones included. For tools, not for players."""
        return clone(self._state)

    def speech(self, language: str = ENGLISH) -> Speech:
        """A language with the words of this game."""
        if language not in self._speeches:
            self._speeches[language] = speech_of(self.rules.edition, language)
        return self._speeches[language]

    def decisions(self, language: str = ENGLISH) -> list[Decision]:
        """All open decisions. Show each to its own seat only."""
        if self.given_up or self._between:
            return []
        return [self._decision(asked, language) for asked in self.machine.asked(self._state, [])]

    def decision(self, seat: int, language: str = ENGLISH) -> Decision | None:
        """What a seat is asked now."""
        if self.given_up or self._between:
            return None
        asked = self.machine.asked(self._state, [], seat)
        return self._decision(asked[0], language) if asked else None

    def asked(self) -> list[tuple[int, str]]:
        """Which seats are asked something, each with its decision's id: quicker than all that people read of it."""
        return [(asked.seat, self.program.sites[asked.site].id) for asked in self.waiting.open]

    def answer(self, seat: int, keys: Iterable[str], decision: str | None = None) -> None:
        """Answer a seat's decision; several things are taken in the order of their keys. decision: its id, to be sure
        that this is the one meant.

        Raises AnswerError; nothing has changed then.
        """
        asked = self._asked(seat)
        if asked is None:
            raise AnswerError(phrase("errors", "{name} is not asked anything now.", name=self._name(seat)))
        site = self.program.sites[asked.site]
        if decision is not None and decision != site.id:
            name = self._name(seat)
            told = phrase(
                "errors", "{name} is asked '{now}' now, not '{other}'.", name=name, now=site.id, other=decision
            )
            raise AnswerError(told)
        offer = self._offer(asked)
        keys = offer.whole([composed(str(key)) for key in keys])
        chosen = offer.chosen(keys)
        before, state = self._state, clone(self._state)
        self.machine.answer(state, asked, chosen)
        new: Events = []
        moments = self._run(state, new, len(self._events))
        waiting = self.waiting
        opening = bool(waiting.group) and undo.opens(self.machine, seat, waiting.asked, before, state, bool(new))
        shown = opening and any(answered.seat != seat for answered in waiting.sealed)
        revealing = shown or undo.shows(self.machine, before, state)
        self._answers.append(Answered(seat, site.id, keys, before, len(self._events), opening, revealing, moments))
        self._state, self._acting = state, None
        self._titles += tuple(self._phase_titles(new, len(self._events)))
        self._events.extend(new)

    def _run(self, state: State, told: Events, before: int = 0) -> tuple[OpenMoment, ...]:
        """Run on to the next decision; what is told goes to `told`. Gives the moments on the way. before: how many
        lines the log has."""
        watched = WatchedRun(self.program, state, before, self._open_zones)
        self.machine.run(state, watched)
        told.extend(watched)
        return tuple(watched.end())

    def known(self, seat: int) -> tuple[State, OpenDecision]:
        """What a seat that is asked knows, as `knowledge.sight` gives it, and what it is asked: for players that think.

        Raises AnswerError where it is not asked.
        """
        asked = self._asked(seat)
        if asked is None:
            raise AnswerError(phrase("errors", "{name} is not asked anything now.", name=self._name(seat)))
        return sight(self.machine, self._state, seat), asked

    def keys(self, asked: OpenDecision, chosen: Iterable[int]) -> list[str]:
        """The keys of some of a decision's candidates, in the order in which they are offered: of equal ones, the first
        are meant."""
        offer = self._offer(asked)
        found = [offer.key(item) for item in chosen]
        if len(found) < 2:
            return found
        wanted = {key: found.count(key) for key in found}
        ordered: list[str] = []
        for item in asked.candidates:
            if wanted.get(key := offer.key(item)):
                ordered.append(key)
                wanted[key] -= 1
        return ordered

    def answers(self) -> list[tuple[int, tuple[str, ...]]]:
        """All answers so far: the seat, and the keys of what it took."""
        return [(answered.seat, answered.keys) for answered in self._answers]

    def chosen(self, asked: OpenDecision, keys: Sequence[str]) -> list[int]:
        """The candidates that the keys stand for, in their order: of equal ones, the first. Raises AnswerError."""
        offer = self._offer(asked)
        return offer.chosen(offer.whole(keys))

    def as_offered(self, seat: int, keys: Sequence[str]) -> list[str]:
        """The keys of a seat's answer in the order in which they are offered. Raises AnswerError."""
        asked = self._asked(seat)
        return list(keys) if asked is None else self.keys(asked, self.chosen(asked, keys))

    def _decision(self, asked: OpenDecision, language: str) -> Decision:
        site, say = self.program.sites[asked.site], self.speech(language).say
        return Decision(
            id=site.id,
            seat=asked.seat,
            kind=site.element.base,
            step=site.step,
            prompt=say(self.messages.text(site.ask, asked.arguments, asked.seat)),
            none=say(self.messages.text(site.none, (), asked.seat)) if site.none else "",
            choices=self._offer(asked).choices(self.speech(language)),
            least=asked.least,
            most=asked.most,
            phase=self.program.phases[self._state[PHASE]][0] if self._state[PHASE] >= 0 else "",
            about=self._about(asked),
            among=tuple(self._state[site.among]) if site.among >= 0 else (),
            named=self._named(site) if site.among >= 0 and site.element.base == "number" else (),
        )

    def _named(self, site: Site) -> tuple[int | None, ...]:
        """What each of those who are still in has named last since they began to go round."""
        found: dict[int, int] = {}
        there, end = self._state[site.among], len(self._events)
        for answered in reversed(self._answers):
            if answered.decision != site.id or (not answered.keys and answered.seat in there):
                break  # whoever has passed is out: it was another round
            for key in answered.keys[:1]:
                if answered.seat not in found and self._is_told(answered.seat, int(key), answered.events, end):
                    found[answered.seat] = int(key)
            there, end = answered.before[site.among], answered.events
        return tuple(found.get(seat) for seat in self._state[site.among])

    def _is_told(self, seat: int, number: int, start: int, end: int) -> bool:
        """Whether one of these lines of the log tells of a seat and a number."""
        for text, _, arguments in self._events[start:end]:
            types = [type_.base for type_ in self.program.texts[text].types]
            told = list(zip(types, map(list, arguments or ()), strict=False))
            if ("seat", [seat]) in told and ("number", [number]) in told:
                return True
        return False

    def _about(self, asked: OpenDecision) -> tuple[str, ...]:
        """The pieces in a prompt that the seat sees, each once."""
        site, space = self.program.sites[asked.site], self.messages.space
        found = (
            type_at(self.program, look).name
            for type_, items in zip(site.ask.types, asked.arguments, strict=False)
            if type_.base == "piece"
            for look, zone, *knowers in items
            if views.sees(space(zone), asked.seat) or (knowers and views.remembers(knowers[0], asked.seat))
        )
        return tuple(dict.fromkeys(found))

    def _offer(self, asked: OpenDecision) -> ChoiceGrouping:
        return ChoiceGrouping(self.messages, self.names, self._state, asked)

    def _name(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.names) else f"Seat {seat}"

    # ── undoing ──

    def can_undo(self, seat: int) -> bool:
        """Whether a seat may take its last answer back, with what `computers` have answered since: nothing hidden or
        random came to light, and nobody else has acted, except under seal like this seat."""
        return self.undoable(seat) is not None

    def undoable(self, seat: int) -> int | None:
        """Which answer a seat may take back, counted from 0; None for none."""
        if self.over or self._between or seat in self.computers:
            return None
        return self.waiting.takers(self._answers, self.computers).get(seat)

    def may_end_undo(self, seat: int, other: int) -> bool:
        """Whether an answer of a seat may be one after which another one could not go back any more. It depends on
        what the other one knows, and neither on the answer nor on what the seat holds."""
        return reveal_check.may_show(self.machine, self._state, seat, other)

    def sealed(self, seat: int) -> bool:
        """Whether a seat's last answer is sealed: others are still awaited, and see nothing of it."""
        return any(answered.seat == seat for answered in self.waiting.sealed)

    def sealed_keys(self, seat: int) -> list[str]:
        """What a seat has taken in its sealed answers."""
        return self.waiting.keys(seat)

    @property
    def at_once(self) -> bool:
        """Whether seats decide at once now, under seal."""
        return bool(self.waiting.group)

    def undo(self, seat: int) -> None:
        """Take a seat's last answer back. Raises AnswerError where that is not allowed."""
        number = self.undoable(seat)
        if number is None:
            raise not_undone()
        self.take_back(number)

    def undo_as_logged(self, seat: int, number: int | None) -> None:
        """What was taken back once, to play it again. number: of the answer, where the log says it. Raises AnswerError
        where there is no such answer."""
        found = undo.last(self._answers, len(self.waiting.sealed), seat) if number is None else number
        if found is None or not 0 <= found < len(self._answers) or self._answers[found].seat != seat:
            raise AnswerError(phrase("errors", "There is nothing to take back yet."))
        self.take_back(found)

    def take_back(self, number: int) -> None:
        """Take an answer back, counted from 0, and all after it; only what others sealed beside it stays."""
        sealed = number >= self.opened
        taken, *others = self._answers[number:]
        del self._answers[number:], self._events[taken.events :]
        self._state, self._acting = taken.before, None
        known, begin = self._stepped
        self._titles = self._titles[: bisect_left(self._titles, taken.events)]
        self._stepped = [step for step in known if step.answers <= number], min(begin, number + 1)
        for other in others if sealed else ():
            self.answer(other.seat, other.keys, other.decision)

    # ── looking back ──

    def steps(self) -> Sequence[PastStep]:
        """What one can look back to: the decisions before which the log had grown, now at last, and the moments between
        them that people have to see."""
        known, begin = self._stepped  # what followed earlier answers stays
        if begin > len(self._answers):
            return known
        found = list(known)
        told = next((step.lines for step in reversed(found) if step.moment is None), -1)
        for answers in range(begin, len(self._answers) + 1):
            lines = self._answers[answers].events if answers < len(self._answers) else len(self._events)
            found += [PastStep(one.lines, answers, place) for place, one in enumerate(self._moments(answers))]
            if lines > told:
                found.append(PastStep(lines, answers))
                told = lines
        self._stepped = found, len(self._answers) + 1
        return found

    def rounds(self) -> dict[int, PastStep]:
        """Of each round, its last step."""
        return {self.state_at(step)[ROUND]: step for step in self.steps()}

    def past(self, step: PastStep) -> Game:
        """A game of its own as it was at one of the `steps`: what was sealed after that is not in it."""
        other = self._another()
        other._events, other._answers = self._events[: step.lines], self._answers[: step.answers]
        other._titles = self._titles[: bisect_left(self._titles, step.lines)]
        other._state, other._between = self.state_at(step), step.moment is not None
        other.given_up = self.given_up and not other._between and step.answers == len(self._answers)
        return other

    def before(self, number: int) -> Game:
        """A game of its own as it was when one of `answers` was given, counted from 0."""
        answered, other = self._answers[number], self._another()
        other._events, other._answers = self._events[: answered.events], self._answers[:number]
        other._titles = self._titles[: bisect_left(self._titles, answered.events)]
        other._state, other.given_up = answered.before, False
        return other

    @property
    def beginning(self) -> State:
        """A copy of the state before anything had happened. For tools, not for players."""
        return clone(self._beginning)

    def amid(self, state: State) -> Game:
        """A game of its own on the way from a decision to the next, where nobody is asked: for tools. state: as it is
        there."""
        other = self._another()
        other._state, other._between, other.given_up = clone(state), True, False
        return other

    def elsewhere(self, state: State) -> Game:
        """A game of its own that goes on from another state in which somebody is asked, with the log that there is: for
        tools. It can be played on, and not be saved."""
        other = self.copy()
        other._state, other._acting = clone(state), None
        return other

    def _moments(self, answers: int) -> tuple[OpenMoment, ...]:
        """Those that followed the last of so many answers."""
        return self._answers[answers - 1].moments if answers else self._opening

    def state_at(self, step: PastStep) -> State:
        """The state itself, which must not be changed."""
        if step.moment is not None:
            return self._moments(step.answers)[step.moment].state
        return self._answers[step.answers].before if step.answers < len(self._answers) else self._state

    # ── seeing ──

    def view(self, seat: int | None) -> View:
        """What a seat may see; None for a spectator."""
        return views.view(self.machine, self._state, seat, running=self._between)

    @property
    def round(self) -> int:
        found: int = self._state[ROUND]
        return found

    @property
    def phase(self) -> str:
        """The name of the phase, '' during set-up."""
        return views.phase_of(self.program, self._state)

    @property
    def ended(self) -> bool:
        """Whether the rules have come to the end."""
        return bool(self._state[PC] == GAME_OVER)

    # What `view` has, each for itself: whoever keeps it works out again only what has changed.

    def zone(self, space: StateZone, seat: int | None) -> ZoneView:
        """A zone as a seat, or a spectator, sees it."""
        return views.zone_view(self.program, self._state, space, seat)

    def is_told_apart(self, space: StateZone, seat: int | None) -> bool:
        """Whether a zone may look different to a seat than to a spectator."""
        if seat is None or views.sees(space, None):
            return False
        return views.sees(space, seat) or self.program.layout.memory >= 0

    def word_of(self, space: StateZone) -> str:
        """The word whose zone it is, or ''."""
        return self.program.words[space.of][space.owner] if space.of in self.program.words else ""

    def counters(self) -> Counters:
        return {one.name: self.counter(one) for one in self.program.layout.counters}

    def counter(self, counter: Counter) -> Held | tuple[Held, ...] | Mapping[str, Held]:
        return views.held_in(self.program, self._state, counter)

    def has_power(self, name: str, seat: int) -> bool:
        return bool(self.machine.call(self.program.powers[name].function, self._state, seat)[0][0])

    def is_scored(self, seat: int) -> bool:
        return views.role_of(self.program, self._state, seat) not in self.program.unscored_roles

    def score(self, seat: int, seen_by: int | None, ended: bool) -> ScoreView:
        """The points of a seat that is scored, as another one, or a spectator, sees them. ended: whether everybody sees
        all of them."""
        found = views.scores(self.machine, self._state, seat, seen_by, None, ended)
        assert found is not None
        return found

    def ready(self) -> frozenset[int]:
        """While seats decide at once, those that have done so for all to see. Who never was asked is not among them:
        that there was nothing to choose stays hidden."""
        return self.waiting.ready

    @property
    def log_length(self) -> int:
        """How many lines the log has."""
        return len(self._events)

    @property
    def events(self) -> Events:
        """A copy of all that was told, hidden things included. For tools, not for players."""
        return list(self._events)

    def log(self, seat: int | None, start: int = 0, language: str = ENGLISH) -> list[LogLine]:
        """What has been told so far, from line `start` on, as a seat may read it."""
        say, texts = self.speech(language).say, self.program.texts
        found = []
        for line, (number, _, arguments) in enumerate(self._events[start:], start):
            told = say(self.messages.text(texts[number], arguments, seat))
            of_whom, text = self._of_whom(number, arguments), texts[number]
            found.append(LogLine(told, text.heading, of_whom, self._round(line), text.of_phase))
        return found

    def _phase_titles(self, events: Events, start: int) -> Iterator[int]:
        """Of some lines, the first of which has a number, those that are titles of phases."""
        texts = self.program.texts
        return (line for line, (text, _, _) in enumerate(events, start) if texts[text].of_phase)

    def _round(self, line: int) -> int:
        """In which round a line was told: phases come round in their order, so that their titles count the rounds."""
        return -(-bisect_right(self._titles, line) // max(1, len(self.program.phases)))

    def log_parts(self, seat: int | None, start: int = 0, language: str = ENGLISH) -> list[list[LogPart]]:
        """The same lines in parts, which tell what is named in them."""
        return [self.line(number, seat, language).parts for number in range(start, len(self._events))]

    def line(self, number: int, seat: int | None, language: str = ENGLISH) -> PartedLine:
        """One line of the log in parts, as a seat may read it."""
        text, _, arguments = self._events[number]
        told = self.program.texts[text]
        parts = self.messages.parts(told, arguments, seat, self.speech(language))
        return PartedLine(parts, told.heading, self._round(number))

    def seen_of_line(self, number: int, seat: int | None) -> Hashable:
        """All that makes a line of the log another one for a seat than for others."""
        text, _, arguments = self._events[number]
        return self.messages.seen(self.program.texts[text], arguments, seat)

    def read_alike(self, number: int) -> bool:
        """Whether all read a line of the log alike."""
        text, _, arguments = self._events[number]
        return self.messages.seen_alike(self.program.texts[text], arguments)

    def _of_whom(self, text: int, arguments: Sequence[Any] | None) -> int | None:
        """The first seat that a text names; None where that is several or nobody."""
        types = self.program.texts[text].types
        named = [items for type_, items in zip(types, arguments or (), strict=False) if type_.base == "seat"]
        return int(named[0][0]) if named and len(named[0]) == 1 and named[0][0] >= 0 else None

    def phrases(self, seat: int | None) -> list[Phrase]:
        """The whole log, in no language yet."""
        told = ((self.program.texts[number], arguments) for number, _, arguments in self._events)
        return [self.messages.text(text, arguments, seat) for text, arguments in told]

    def rule(self, key: str, seat: int, language: str = ENGLISH) -> str:
        """A rule in words, with the figures that hold for a seat, and in the rule of a power, role or option those that
        hold with it; '' if there is none.

        key: 'phases.NAME', 'steps.NAME', 'powers.NAME', 'roles.NAME', 'options.NAME', 'options.NAME.choices.CHOICE',
        'scoring.NAME', 'rulings.NAME', 'ranking', 'setup' or 'edition'.
        """
        place = RuleKey(key)
        rule = self.program.rules.get(place)
        if rule is None:
            return ""
        if not rule.text.slots:
            return self.speech(language).say(self.messages.text(rule.text, (), seat))
        arguments = self._figures_seen(rule, seat) if place.section in ("phases", "steps") else None
        if arguments is None:
            state = in_force(self.rules.edition, self.program, self._imagined(seat), place, seat)
            return self._with_figures(rule, state, seat, language)
        return self.speech(language).say(self.messages.text(rule.text, arguments, seat))

    def _figures_seen(self, rule: RuleText, seat: int) -> list[list[Any]] | None:
        """The figures of a rule, if all that they are made of is known to a seat; else None."""
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
        """One of the texts that the rules were given besides (see `library.with_texts`), with the figures that hold now
        for the first seat. reader: a seat that is told no more than it may see; None for whoever may see all."""
        state = self._state if reader is None else self._imagined(reader)
        return self._with_figures(self.program.asides[key, text], state, 0, language)

    def _imagined(self, seat: int) -> State:
        """A state that a seat cannot exclude: for figures that may be of what lies hidden."""
        if isinstance(self._state, ReadState):
            self._state.read |= self._state.all
        return world(self.machine, sight(self.machine, clone(self._state), seat), seat, Random(0))

    def _with_figures(self, rule: RuleText, state: State, seat: int, language: str) -> str:
        arguments = located(self.program, state, rule, self.machine.call(rule.function, state, seat))
        return self.speech(language).say(self.messages.text(rule.text, arguments, seat))

    def standings(self, language: str = ENGLISH) -> list[Standing]:
        """The results so far (final when the game is over), best first; none of a game that ended without a result."""
        if self.given_up:
            return []
        found = standings(self.machine, self._state, self.messages, self.speech(language).say)
        return behind(found, self.conceded)


def not_undone() -> AnswerError:
    return AnswerError(
        phrase("errors", "This cannot be taken back: somebody else has acted since, or something hidden came to light.")
    )
