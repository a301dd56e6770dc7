"""The door to a game: start, see, decide, answer, undo, score, save. Every front-end and player comes through here."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game import library
from rulewright.game.candidates import Choice, Offer
from rulewright.game.library import Rules
from rulewright.game.messages import Messages, at_the_limit
from rulewright.game.rule_texts import in_force, located
from rulewright.game.setup import GameError, check_options, check_seats
from rulewright.game.terms import speech_of
from rulewright.i18n.speech import ENGLISH, Phrase, Speech, meant, phrase
from rulewright.program.form import GAME_OVER, LIMITED, NOTHING, PC, RANDOM, RANDOM_CELLS, ROUND, RuleText, ScoreLine
from rulewright.runtime import view as views
from rulewright.runtime.knowledge import sight
from rulewright.runtime.machine import Events, OpenDecision
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

SAVE_FORMAT = 1
MOST_ANSWERS = 100_000


_spoken: WeakKeyDictionary[Rules, dict[str, Speech]] = WeakKeyDictionary()
"""The languages of each edition that have been read: catalogs take long, and all games of an edition share theirs."""


class AnswerError(RulewrightError):
    """An answer that is not offered; nothing has changed."""


@record
class Decision:
    """What one seat is asked. An answer is a list of keys, from `least` to `most` of them, each as often as its count.

    id: stable, from the names in the edition; prompt and none (what choosing nothing is called, or '') are for people;
    kind: 'piece', 'number', 'truth', 'seat', 'word' or 'branch'; step: whose rules apply now.
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


@record
class LogLine:
    """A line of the log; heading: whether it is the title of a phase that begins."""

    text: str
    heading: bool = False


@record
class Standing:
    """The result of one seat. lines: title and points; rank: 1 for the winner, shared by equals."""

    seat: int
    lines: tuple[tuple[str, int], ...]
    total: int
    rank: int


@record
class _Answered:
    """One answer, and what is needed to take it back."""

    seat: int
    decision: str
    keys: tuple[str, ...]
    before: State
    events: int
    revealing: bool


@record
class _Record:
    """What a save says, as far as it has the right shape."""

    edition: str
    hash: str
    names: list[str]
    roles: dict[str, str]
    options: dict[str, str]
    seed: int
    answers: list[Any]

    @classmethod
    def read(cls, save: Any) -> _Record:
        """Raises GameError."""
        if not isinstance(save, dict) or save.get("rulewright") != SAVE_FORMAT:
            raise GameError(phrase("errors", "This is not a saved game of Rulewright."))
        try:
            seats = save["seats"]
            record = cls(
                edition=save["edition"]["name"],
                hash=save["edition"]["hash"],
                names=[seat["name"] for seat in seats],
                roles={seat["name"]: seat["role"] for seat in seats if "role" in seat},
                options=dict(save["options"]),
                seed=save["seed"],
                answers=save["answers"],
            )
        except (KeyError, TypeError, ValueError):
            raise GameError(phrase("errors", "This saved game is incomplete or damaged.")) from None
        texts = [record.edition, record.hash, *record.names, *record.roles.values(), *record.options.values()]
        whole = all(isinstance(text, str) for text in [*texts, *record.options]) and type(record.seed) is int
        if not whole or not isinstance(record.answers, list) or len(record.answers) > MOST_ANSWERS:
            raise GameError(phrase("errors", "This saved game is incomplete or damaged."))
        return record


class Game:
    """One game. Use `start` or `load`; state: a position to begin from instead of the set-up, for tests and tools."""

    def __init__(
        self,
        rules: Rules,
        names: Sequence[str],
        roles: Sequence[str | None],
        options: Mapping[str, str],
        seed: int,
        state: State | None = None,
    ) -> None:
        self.rules, self.names, self.roles = rules, tuple(names), tuple(roles)
        self.options, self.seed = dict(options), seed
        self.machine = rules.machine(len(names))
        self.program = self.machine.program
        self.messages = Messages(self.program, rules.edition, self.names)
        self._speeches = _spoken.setdefault(rules, {})
        numbers = [NOTHING if role is None else self.program.roles.index(role) for role in roles]
        chosen = [
            option.choices.index(self.options.get(option.name, option.choices[option.default]))
            for option in self.program.options
        ]
        self._events: Events = []
        self._answers: list[_Answered] = []
        self._state = self.machine.new(seed, numbers, chosen) if state is None else clone(state)
        self.machine.run(self._state, self._events)

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
        by_seat = [(roles or {}).get(name) for name in seats]
        check_seats(rules, seats, by_seat)
        checked = check_options(rules, options or {})
        return cls(rules, seats, by_seat, checked, secrets.randbits(53) if seed is None else seed)

    @classmethod
    def load(cls, save: Any, rules: Rules | None = None) -> Game:
        """A saved game, played again up to where it was. rules: of its edition, if they are not found by its name.

        Raises GameError for what is no save, or a save of other rules.
        """
        record = _Record.read(save)
        rules = rules or library.load(record.edition)
        if rules.hash != record.hash:
            raise GameError(
                phrase(
                    "errors",
                    "This game was played by other rules: the edition '{edition}' or Rulewright has changed since. "
                    "Play it on with what it was saved with, or start a new game.",
                    edition=record.edition,
                )
            )
        game = cls.start(rules, record.names, record.options, record.seed, record.roles)
        for number, entry in enumerate(record.answers, 1):
            try:
                seat, keys, decision = entry["seat"], entry["take"], entry["decision"]
                if type(seat) is not int or not isinstance(keys, list):
                    raise TypeError
                game.answer(seat, [str(key) for key in keys], str(decision))
            except (AnswerError, KeyError, TypeError, ValueError):
                message = phrase(
                    "errors",
                    "This saved game is damaged: answer {number} of {count} does not fit the game.",
                    number=number,
                    count=len(record.answers),
                )
                raise GameError(message) from None
        return game

    def save(self) -> dict[str, Any]:
        """The whole game as JSON values: it can be loaded and goes on at the same decision."""
        return {
            "rulewright": SAVE_FORMAT,
            "edition": {"name": self.rules.name, "hash": self.rules.hash},
            "seats": [{"name": n, **({"role": r} if r else {})} for n, r in zip(self.names, self.roles, strict=True)],
            "options": self.options,
            "seed": self.seed,
            "answers": [{"seat": a.seat, "decision": a.decision, "take": list(a.keys)} for a in self._answers],
        }

    def copy(self) -> Game:
        """A game of its own in the same position: what is answered there changes nothing here."""
        other = copy.copy(self)
        other._events, other._answers = list(self._events), list(self._answers)
        return other

    # ── deciding ──

    @property
    def over(self) -> bool:
        return bool(self._state[PC] == GAME_OVER)

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
        return [self._decision(asked, language) for asked in self.machine.asked(self._state, [])]

    def decision(self, seat: int, language: str = ENGLISH) -> Decision | None:
        """What a seat is asked now."""
        asked = (asked for asked in self.machine.asked(self._state, []) if asked.seat == seat)
        return next((self._decision(found, language) for found in asked), None)

    def asked(self) -> list[tuple[int, str]]:
        """Which seats are asked something, each with its decision's id: quicker than all that people read of it."""
        return [(asked.seat, self.program.sites[asked.site].id) for asked in self.machine.asked(self._state)]

    def answer(self, seat: int, keys: Iterable[str], decision: str | None = None) -> None:
        """Answer a seat's decision. decision: its id, to be sure that this is the one meant.

        Raises AnswerError; nothing has changed then.
        """
        asked = next((a for a in self.machine.asked(self._state) if a.seat == seat), None)
        if asked is None:
            raise AnswerError(phrase("errors", "{name} is not asked anything now.", name=self._name(seat)))
        site = self.program.sites[asked.site]
        if decision is not None and decision != site.id:
            name = self._name(seat)
            told = phrase(
                "errors", "{name} is asked '{now}' now, not '{other}'.", name=name, now=site.id, other=decision
            )
            raise AnswerError(told)
        keys = tuple(keys)
        chosen = self.chosen(asked, keys)
        state, events = clone(self._state), self._events
        heard = len(events)
        self.machine.answer(state, asked, chosen)
        new: Events = []
        self.machine.run(state, new)
        self._answers.append(_Answered(seat, site.id, keys, self._state, heard, self._revealing(self._state, state)))
        self._state = state
        events.extend(new)

    def known(self, seat: int) -> tuple[State, OpenDecision]:
        """What a seat that is asked knows, as `knowledge.sight` gives it, and what it is asked: for players that think.

        Raises AnswerError where it is not asked.
        """
        asked = next((a for a in self.machine.asked(self._state) if a.seat == seat), None)
        if asked is None:
            raise AnswerError(phrase("errors", "{name} is not asked anything now.", name=self._name(seat)))
        return sight(self.machine, self._state, seat), asked

    def keys(self, asked: OpenDecision, chosen: Iterable[int]) -> list[str]:
        """The keys of some of a decision's candidates."""
        offer = self._offer(asked)
        return [offer.key(item) for item in chosen]

    def answers(self) -> list[tuple[int, tuple[str, ...]]]:
        """All answers so far: the seat, and the keys of what it took."""
        return [(answered.seat, answered.keys) for answered in self._answers]

    def chosen(self, asked: OpenDecision, keys: Sequence[str]) -> list[int]:
        """The candidates that the keys stand for: of equal ones, the first. Raises AnswerError."""
        offer = self._offer(asked)
        left = list(asked.candidates)
        chosen: list[int] = []
        for key in keys:
            item = next((item for item in left if offer.key(item) == key), None)
            if item is None:
                offered = dict.fromkeys(offer.key(item) for item in asked.candidates)
                if key in offered:
                    raise AnswerError(phrase("errors", "'{name}' cannot be chosen again.", name=key))
                hint = meant(key, list(offered))
                raise AnswerError(phrase("errors", "'{name}' cannot be chosen. {hint}", name=key, hint=hint))
            left.remove(item)
            chosen.append(item)
        if not asked.least <= len(chosen) <= asked.most:
            span = phrase("errors", "{least} to {most}", least=asked.least, most=asked.most)
            wanted = asked.least if asked.least == asked.most else span
            raise AnswerError(phrase("errors", "Choose {wanted}, not {given}.", wanted=wanted, given=len(chosen)))
        order = {item: place for place, item in enumerate(asked.candidates)}
        return sorted(chosen, key=order.__getitem__)

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
        )

    def _offer(self, asked: OpenDecision) -> Offer:
        return Offer(self.messages, self.names, self._state, asked)

    def _name(self, seat: int) -> str:
        return self.names[seat] if 0 <= seat < len(self.names) else f"Seat {seat}"

    # ── undoing ──

    def can_undo(self, seat: int) -> bool:
        """Whether a seat may take its last answer back: nothing hidden or random came to light, and nobody else has
        acted since, except under seal like this seat."""
        return self._last(seat) is not None

    def sealed(self, seat: int) -> bool:
        """Whether a seat's last answer is sealed: others are still awaited, and see nothing of it."""
        return any(answered.seat == seat for answered in self._sealed())

    def sealed_keys(self, seat: int) -> list[str]:
        """What a seat has taken in its sealed answers."""
        return [key for answered in self._sealed() if answered.seat == seat for key in answered.keys]

    def _sealed(self) -> list[_Answered]:
        return self._answers[len(self._answers) - self._unopened() :]

    def undo(self, seat: int) -> None:
        """Take a seat's last answer back. Raises AnswerError where that is not allowed."""
        number = self._last(seat)
        if number is None:
            raise AnswerError(
                phrase(
                    "errors",
                    "This cannot be taken back: somebody else has acted since, or something hidden came to light.",
                )
            )
        taken, *others = self._answers[number:]
        del self._answers[number:], self._events[taken.events :]
        self._state = taken.before
        for other in others:  # what they sealed stays so
            self.answer(other.seat, other.keys, other.decision)

    def _last(self, seat: int) -> int | None:
        """Which answer a seat could take back."""
        if not self._answers or self.over:
            return None
        for back in range(1, max(1, self._unopened()) + 1):
            if self._answers[-back].seat == seat:
                return None if self._answers[-back].revealing else len(self._answers) - back
        return None

    def _unopened(self) -> int:
        """How many of the last answers are sealed."""
        group = self.machine.group(self._state)
        if not group:
            return 0
        count, after, heard = 0, self._state, len(self._events)
        for answered in reversed(self._answers):
            before = answered.before
            if before[PC] != self._state[PC] or self.machine.group(before) != group:
                break
            alone = [asked.seat for asked in self.machine.asked(before)] == [answered.seat]
            if alone and not self._still_alone(answered, after, heard):
                break  # the last answer of an earlier round of the same
            count, after, heard = count + 1, before, answered.events
        return count

    def _still_alone(self, answered: _Answered, after: State, heard: int) -> bool:
        """Whether a seat that alone was awaited has answered, and is asked once more before the seals are broken: then
        nothing has happened. heard: how many lines the log had after that."""
        before, layout = answered.before, self.program.layout
        pieces = slice(layout.at, layout.at + layout.pieces)
        return (
            heard == answered.events
            and before[ROUND] == after[ROUND]
            and before[pieces] == after[pieces]
            and [asked.seat for asked in self.machine.asked(after)] == [answered.seat]
        )

    def _revealing(self, before: State, after: State) -> bool:
        """Whether chance was used, or anybody sees a piece that they did not see before."""
        if before[RANDOM : RANDOM + RANDOM_CELLS] != after[RANDOM : RANDOM + RANDOM_CELLS]:
            return True
        layout = self.program.layout
        for cell in range(layout.at, layout.at + layout.pieces):
            if before[cell] != after[cell]:
                was, now = self.messages.space(before[cell]), self.messages.space(after[cell])
                if any(views.sees(now, seat) and not views.sees(was, seat) for seat in range(layout.seats)):
                    return True
        return False

    # ── looking back ──

    def steps(self) -> list[int]:
        """Where one can look back to: how many lines the log had each time that it had grown, now at last."""
        return sorted({*(answered.events for answered in self._answers), len(self._events)})

    def rounds(self) -> dict[int, int]:
        """Of each round, its last step."""
        found: dict[int, int] = {}
        told = -1
        was = [(answered.events, answered.before) for answered in self._answers]
        for lines, state in (*was, (len(self._events), self._state)):
            if lines > told:
                told = found[state[ROUND]] = lines
        return found

    def past(self, lines: int) -> Game:
        """A game of its own as it was when the log had just grown to so many lines, one of `steps`: what was sealed
        after that is not in it."""
        heard = [*(answered.events for answered in self._answers), len(self._events)]
        number = heard.index(lines)
        other = copy.copy(self)
        other._events, other._answers = self._events[:lines], self._answers[:number]
        other._state = self._answers[number].before if number < len(self._answers) else self._state
        return other

    # ── seeing ──

    def view(self, seat: int | None) -> View:
        """What a seat may see; None for a spectator."""
        return views.view(self.machine, self._state, seat)

    def ready(self) -> frozenset[int]:
        """While seats decide at once, those that have done so for all to see. Who never was asked is not among them:
        that there was nothing to choose stays hidden."""
        found = {answered.seat for answered in self._sealed()}
        return frozenset(found - {asked.seat for asked in self.machine.asked(self._state)})

    @property
    def log_length(self) -> int:
        """How many lines the log has."""
        return len(self._events)

    def log(self, seat: int | None, start: int = 0, language: str = ENGLISH) -> list[LogLine]:
        """What has been told so far, from line `start` on, as a seat may read it."""
        say = self.speech(language).say
        return [LogLine(say(told), told.context.startswith("phases.")) for told in self.phrases(seat, start)]

    def phrases(self, seat: int | None, start: int = 0) -> list[Phrase]:
        """The same in no language yet."""
        told = ((self.program.texts[number], arguments) for number, _, arguments in self._events[start:])
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
        state = in_force(self.rules.edition, self.program, self._state, place, seat)
        return self._with_figures(rule, state, seat, language)

    def told(self, key: str, text: str, language: str = ENGLISH) -> str:
        """One of the texts that the rules were given besides (see `library.with_texts`), with the figures that hold now
        for the first seat."""
        return self._with_figures(self.program.asides[key, text], self._state, 0, language)

    def _with_figures(self, rule: RuleText, state: State, seat: int, language: str) -> str:
        arguments = located(self.program, state, rule, self.machine.call(rule.function, state, seat))
        return self.speech(language).say(self.messages.text(rule.text, arguments, seat))

    def standings(self, language: str = ENGLISH) -> list[Standing]:
        """The results so far (final when the game is over), best first; none of a game that ended without a result."""
        ranks = views.ranks(self.machine, self._state)
        found, say = [], self.speech(language).say

        def title(line: ScoreLine) -> str:
            return say(self.messages.text(line.title, (), None))

        for seat, rank in ranks.items():
            lines = tuple(
                (title(line), self.machine.call(line.function, self._state, seat)[0][0])
                for line in self.program.scoring
            )
            found.append(Standing(seat, lines, sum(points for _, points in lines), rank))
        return sorted(found, key=lambda standing: (standing.rank, standing.seat))
