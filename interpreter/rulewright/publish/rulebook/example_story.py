"""A case, played: what was told on the way, line by line, and which pieces went where meanwhile."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from rulewright.authoring.scenarios.cases import Case, ScriptedAnswer
from rulewright.authoring.scenarios.expectations import Expected, Topic
from rulewright.authoring.scenarios.table import CaseGame
from rulewright.base.records import record
from rulewright.game.game import Choice, Decision
from rulewright.i18n.localizer import Argument, Person, Phrase, Speech, Term, english, phrase
from rulewright.program.appearance import type_at
from rulewright.program.form import StateZone
from rulewright.publish.rulebook.model import ScoreTable
from rulewright.runtime.position import Spot
from rulewright.runtime.state import State
from rulewright.runtime.view import NARRATOR

SCORES = ("scoring", "ranking")
"""Sections of rules that compare everybody."""


@record
class Told:
    """A line. moment: after how many answers; kind: equal for lines of the same words, '' for what explains; words: of
    the log, in English, else ''; named: the people and things that it names, in English; number: of its sentence in the
    course, 0 for what explains."""

    text: str
    moment: int
    kind: str = ""
    words: str = ""
    named: frozenset[str] = frozenset()
    number: int = 0

    def names(self, thing: str) -> bool:
        """Whether it names a piece, as an argument or by its own words."""
        return thing in self.named or bool(re.search(rf"(?<!\w){re.escape(thing)}(?!\w)", self.words))


@record
class Move:
    """A piece that changed its place by an answer of a seat. name: as it was seen before."""

    moment: int
    seat: int
    piece: int
    name: str
    start: Spot
    goal: Spot


@record
class Remark:
    """What is explained behind so many lines. offered: what could be chosen then, where that is what is told."""

    lines: int
    subject: Topic
    offered: tuple[Choice, ...]


@record
class Story:
    """What became of a case. begins, ends: states."""

    lines: tuple[Told, ...]
    moves: tuple[Move, ...]
    explained: tuple[Remark, ...]
    begins: State
    ends: State
    scores: ScoreTable | None


@dataclass
class _Answer:
    """An answer as it was given. asked: in English; question: in the language of the book; heard: how many lines there
    were."""

    step: ScriptedAnswer
    asked: Decision | None
    question: Decision | None
    heard: int
    moves: list[Move] = field(default_factory=list)


def moves(table: CaseGame, before: State, moment: int, seat: int) -> Iterator[Move]:
    """What lies elsewhere now."""
    after, program = table.game.state, table.game.program
    came: dict[int, Spot] = {}
    left: list[tuple[int, StateZone]] = []
    for space in program.layout.spaces:
        was, now = before[space.address], after[space.address]
        if was != now:
            here, there = set(was), set(now)
            came |= dict.fromkeys(there - here, (space.name, space.owner))
            left += [(piece, space) for piece in was if piece not in there]
    for piece, space in left:
        if piece in came:
            name = type_at(program, program.look(before, piece)).name
            yield Move(moment, seat, piece, name, (space.name, space.owner), came[piece])


class Telling:
    """One case, told while it is played."""

    def __init__(self, case: Case, speech: Speech) -> None:
        self.case, self.speech = case, speech
        self.table = CaseGame(case.setting, through_json=False)
        self.game = self.table.game
        self.names = case.setting.seats
        self.answers: list[_Answer] = []
        self.said: list[tuple[int, int, str]] = []  # behind how many lines of the log, at what moment, what
        self.explained: list[tuple[int, Topic, tuple[Choice, ...]]] = []

    def story(self) -> Story:
        """Plays it."""
        begins = self.game.state
        for step in self.case.steps:
            if isinstance(step, Expected):
                if step.tell is not None and all(check.difference(self.table) is None for check in step.checks):
                    self.explain(step, step.tell.text)
            elif not step.refused:
                self.answer(step)
        lines, at = self.lines()
        explained = tuple(Remark(at[place], subject, offered) for place, subject, offered in self.explained)
        played = tuple(move for answer in self.answers for move in answer.moves)
        return Story(_numbered(lines, frozenset(self.names)), played, explained, begins, self.game.state, self.scores())

    def told(self, what: str, text: str) -> str:
        """A text of the case, with the figures that hold now."""
        return self.game.told(f"{self.case.key}.{what}", " ".join(text.split()), self.speech.language)

    def answer(self, step: ScriptedAnswer) -> None:
        asked, question = self.game.decision(step.seat), self.game.decision(step.seat, self.speech.language)
        given = _Answer(step, asked, question, self.game.log_length)
        before = self.game.state
        self.table.answer(step.seat, step.keys)
        self.answers.append(given)
        given.moves = list(moves(self.table, before, len(self.answers), step.seat))

    def explain(self, step: Expected, text: str) -> None:
        found = (self.game.decision(seat) for seat in step.subject.seats) if step.subject.offers else ()
        offered = tuple(choice for asked in found if asked is not None for choice in asked.choices)
        self.explained.append((len(self.said), step.subject, offered))
        self.said.append((self.behind(step.subject), len(self.answers), self.told("tell", text)))

    def behind(self, subject: Topic) -> int:
        """Behind how many lines of the log something is said: where it is about some of them, at once."""
        heard, last = (
            self.game.log_length,
            max([self.answers[-1].heard if self.answers else 0, *(at for at, _, _ in self.said)]),
        )
        if not subject.log:
            return heard
        about = [at for at, line in enumerate(self.game.phrases(None)) if str(line) in subject.log]
        return max(last, max(about, default=heard - 1) + 1)

    # ── lines ──

    def lines(self) -> tuple[list[Told], list[int]]:
        """All that was told, in order; and behind how many lines each explanation stands."""
        phrases = self.game.phrases(NARRATOR)
        logged = self.game.log(NARRATOR, 0, self.speech.language)
        opening = self.answers[0].heard if self.answers else 0
        known = {line.text for line in phrases[:opening]}  # told of a turn before anybody did anything
        found: list[Told] = []
        places: list[int] = []
        said, answered = list(self.said), 0
        for at in range(len(logged) + 1):
            while answered < len(self.answers) and self.answers[answered].heard == at:
                found += self.explanations(said, at, answered, places, found)
                answered += 1
                if (reply := self.reply(answered, phrases)) is not None:
                    found.append(reply)
            found += self.explanations(said, at, answered, places, found)
            if at < len(logged) and at >= opening and not logged[at].phase and phrases[at].text not in known:
                line = phrases[at]
                if not logged[at].heading:
                    found.append(Told(logged[at].text, answered, line.text, str(line), frozenset(_named(line))))
                elif at + 1 < len(logged) and not logged[at + 1].heading:
                    title = self.speech.headed(logged[at].text)
                    found.append(Told(title, answered, line.text, str(line), frozenset(_named(line))))
        return found, places

    @staticmethod
    def explanations(
        said: list[tuple[int, int, str]], at: int, moment: int, places: list[int], found: list[Told]
    ) -> list[Told]:
        """What is said now."""
        told = []
        while said and said[0][0] == at and said[0][1] == moment:
            places.append(len(found))
            told.append(Told(said.pop(0)[2], moment))
        return told

    def reply(self, number: int, phrases: list[Phrase]) -> Told | None:
        """A line for an answer that leaves no other trace."""
        given = self.answers[number - 1]
        if given.asked is None or given.question is None or self.is_told(number, phrases):
            return None
        # an answer that is a sentence stands within one
        told_as = self.speech.quoted if given.asked.kind == "branch" else str
        labels = {choice.key: told_as(choice.label.removesuffix(".")) for choice in given.question.choices}
        player = Person(self.names[given.step.seat])
        chosen = [key for key in given.step.keys if key not in ("yes", "no") or given.asked.kind != "truth"]
        if not chosen:
            yes = given.asked.kind == "truth" and "yes" in given.step.keys
            none = self.speech.quoted(given.question.none.removesuffix("."))
            if yes:
                told = phrase("rulebook", "{player} agreed.", player=player)
            elif given.question.none:
                told = phrase("rulebook", "{player} chose {answer}.", player=player, answer=(none,))
            else:
                told = phrase("rulebook", "{player} declined.", player=player)
            return Told(self.speech.say(told), number, told.text, str(told), frozenset({player.name}))
        counted = Counter(chosen)
        answers = tuple(
            labels[key] if count == 1 else phrase("count", "{number} × {things}", number=count, things=labels[key])
            for key, count in counted.items()
        )
        told = phrase("rulebook", "{player} chose {answer}.", player=player, answer=answers)
        if (goal := self.goal(given)) is not None:
            told = phrase("rulebook", "{player} chose {answer} ({zone}).", player=player, answer=answers, zone=goal)
        return Told(self.speech.say(told), number, told.text, "", frozenset({player.name, *self.chosen(given)}))

    def goal(self, given: _Answer) -> Term | None:
        """Where all that was chosen goes, if that is a place that people see."""
        names = set(self.chosen(given))
        goals = {move.goal[0] for move in given.moves if move.name in names}
        if len(goals) != 1 or not self.game.rules.edition.zones[min(goals)].shown:
            return None
        found = self.game.messages.terms.zone(min(goals))
        return found if isinstance(found, Term) else None

    def chosen(self, given: _Answer) -> list[str]:
        """What an answer names, in English."""
        asked = given.asked
        if asked is None or asked.kind in ("truth", "branch"):
            return []
        return [
            choice.name or choice.piece or choice.word or choice.key
            for choice in asked.choices
            if choice.key in given.step.keys
        ]

    def is_told(self, number: int, phrases: list[Phrase]) -> bool:
        """Whether the log tells of an answer: in a line that names who gave it and all that was chosen; of one that
        takes nothing, in any before somebody answers again."""
        given = self.answers[number - 1]
        asked, step = given.asked, given.step
        assert asked is not None
        if asked.kind == "truth" and "no" in step.keys:
            return False
        chosen = [] if asked.kind in ("truth", "branch") else asked.choices
        named = [choice.piece or choice.word or choice.key for choice in chosen if choice.key in step.keys]
        wanted = {self.names[step.seat], *named}
        until = self.until(number, alone=not named)
        if not step.keys and number < len(self.answers):
            until = self.answers[number].heard
        ahead = phrases[given.heard if step.keys else 0 : until]
        return any(all(_tells(line, thing) for thing in wanted) for line in ahead)

    def until(self, number: int, alone: bool) -> int:
        """Up to which line an answer may be told: until the same seat chooses some of the same again. alone: only until
        another seat answers, as after a mere yes."""
        step = self.answers[number - 1].step
        for later in self.answers[number:]:
            again = later.step.seat == step.seat and set(later.step.keys) & set(step.keys)
            if (alone and later.step.seat != step.seat) or (not alone and again):
                return later.heard
        return self.game.log_length

    # ── points ──

    def scores(self) -> ScoreTable | None:
        """The points of each seat: of the line that is explained, or of all with their total."""
        section, _, explained = self.case.explains.partition(".")
        if section not in SCORES and not self.game.over:
            return None
        standings = sorted(self.game.standings(self.speech.language), key=lambda found: found.seat)
        if not standings:
            return None
        titles = [line.name for line in self.game.program.scoring]
        shown = [titles.index(explained)] if section == "scoring" and explained in titles else range(len(titles))
        number = self.speech.number
        rows = tuple(
            (self.speech.title(standings[0].lines[line][0]), *(number(found.lines[line][1]) for found in standings))
            for line in shown
        )
        players = tuple(self.speech.isolated(self.names[found.seat]) for found in standings)
        whole = len(rows) == len(titles)
        if not titles:
            ranks = (self.speech.place(found.rank) for found in standings)
            rows = ((self.speech.say(phrase("score", "Rank")), *ranks),)
        total = self.speech.say(phrase("rulebook", "Total"))
        return ScoreTable(
            players,
            rows,
            (total, *(number(found.total) for found in standings)) if whole and len(rows) > 1 else (),
            tuple(at for at, found in enumerate(standings) if found.rank == 1) if whole else (),
        )


MOST_LETTERS = 150
"""In one sentence of a course, or several that are told as one."""


def _numbered(lines: Iterable[Told], people: frozenset[str]) -> tuple[Told, ...]:
    """With numbers: what happens to one by an answer, or alike to several, is one thing."""
    found: list[Told] = []
    number, letters, about = 0, 0, frozenset[str]()
    for line in lines:
        if not line.kind:
            found.append(line)
            continue
        last = found[-1] if found and found[-1].kind else None
        who = line.named & people
        letters += len(line.text)
        alike = last is not None and last.kind == line.kind
        goes_on = last is not None and last.moment == line.moment and bool(about & who)
        if letters > MOST_LETTERS or not (alike or goes_on):
            number, letters, about = number + 1, len(line.text), who
        elif about != who and alike:
            about = frozenset()  # of several; only what is alike belongs to it
        found.append(replace(line, number=number))
    return tuple(found)


def _tells(line: Phrase, thing: str) -> bool:
    return thing in _named(line) or (len(thing) > 2 and thing in str(line))


def _named(line: Phrase) -> Iterator[str]:
    """The people and things that a line names, in English."""
    for _, argument in line.slots:
        yield from _names_in(argument)


def _names_in(argument: Argument) -> Iterator[str]:
    for item in argument if isinstance(argument, tuple) else (argument,):
        match item:
            case Person(name, _):
                yield name
            case Term():
                yield english().say(replace(item, count=1))
            case str() | int():
                yield str(item)
