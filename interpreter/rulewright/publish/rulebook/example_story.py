"""Story of a case that is played: the lines of the log and explanations, and the moves of pieces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from rulewright.authoring.scenarios.case_game import CaseGame
from rulewright.authoring.scenarios.cases import Case, ScriptedAnswer
from rulewright.authoring.scenarios.checks import Expected, Topic
from rulewright.base.records import record
from rulewright.game.choices import Choice
from rulewright.game.decisions import Decision
from rulewright.game.ranking import counts_points
from rulewright.i18n.localizer import Argument, Localizer, Person, Phrase, Term, english, phrase
from rulewright.program.appearance import type_with_marks
from rulewright.program.state_layout import StateZone
from rulewright.publish.rulebook.model import ScoreTable
from rulewright.runtime.position import Spot
from rulewright.runtime.state import State
from rulewright.runtime.view import NARRATOR

SCORES = ("scoring", "ranking")
"""Sections of rules that compare all players."""


@record
class StoryLine:
    """Line of a story.

    - moment: number of answers before it
    - kind: pattern of its text, equal for log lines of the same text, '' for explanations
    - words: of the log, in English, else ''
    - subjects: people and things that it names, in English
    - number: of its sentence in the course, 0 for explanations, and until all lines are numbered
    """

    text: str
    moment: int
    kind: str = ""
    words: str = ""
    subjects: frozenset[str] = frozenset()
    number: int = 0

    def names(self, thing: str) -> bool:
        """Return whether the line names a person or thing, as an argument or in its words."""
        return thing in self.subjects or bool(re.search(rf"(?<!\w){re.escape(thing)}(?!\w)", self.words))


@record
class StoryMove:
    """Move of a piece by a seat's answer. moment: number of answers up to that one; piece: its number; name: with its
    counters before the answer."""

    moment: int
    seat: int
    piece: int
    name: str
    start: Spot
    goal: Spot


@record
class StoryExplanation:
    """Explanation after a number of lines. offered: possible choices then, if the explanation is about these."""

    lines: int
    subject: Topic
    offered: tuple[Choice, ...]


@record
class Story:
    """Story of a case. start_state, end_state: of the game before and after it; scores: None where none are shown."""

    lines: tuple[StoryLine, ...]
    moves: tuple[StoryMove, ...]
    explanations: tuple[StoryExplanation, ...]
    start_state: State
    end_state: State
    scores: ScoreTable | None


@dataclass
class _Answer:
    """Answer in a case.

    decision: in English; question: the same in the book's language; log_length: number of log lines before it; moves:
    of the pieces that it moved.
    """

    step: ScriptedAnswer
    decision: Decision | None
    question: Decision | None
    log_length: int
    moves: list[StoryMove] = field(default_factory=list)


def moved_pieces(table: CaseGame, before: State, moment: int, seat: int) -> Iterator[StoryMove]:
    """Yield a move for each piece whose zone has changed since a state. moment, seat: of the answer that moved them, as
    in `StoryMove`."""
    after, program = table.game.state, table.game.program
    arrivals: dict[int, Spot] = {}
    departures: list[tuple[int, StateZone]] = []
    for space in program.layout.zones:
        old, now = before[space.address], after[space.address]
        if old != now:
            before_pieces, after_pieces = set(old), set(now)
            arrivals |= dict.fromkeys(after_pieces - before_pieces, (space.name, space.owner))
            departures += [(piece, space) for piece in old if piece not in after_pieces]
    for piece, space in departures:
        if piece in arrivals:
            name = type_with_marks(program, program.appearance(before, piece)).name
            yield StoryMove(moment, seat, piece, name, (space.name, space.owner), arrivals[piece])


class StoryPlayer:
    """Player of one case, who records its story. answers: so far; texts: explanations, each with the number of log
    lines before it and its moment; explained: rules and choices that explanations are about, each with the number of
    `texts` before it."""

    def __init__(self, case: Case, localizer: Localizer) -> None:
        self.case, self.localizer = case, localizer
        self.table = CaseGame(case.setting, through_json=False)
        self.game = self.table.game
        self.names = case.setting.seats
        self.answers: list[_Answer] = []
        self.texts: list[tuple[int, int, str]] = []
        self.explained: list[tuple[int, Topic, tuple[Choice, ...]]] = []

    def play(self) -> Story:
        """Play the case; return its story."""
        start_state = self.game.state
        for step in self.case.told_steps(self.table):
            if isinstance(step, ScriptedAnswer):
                self.answer(step)
            elif step.tell is not None:
                self.explain(step, step.tell.text)
        lines, index = self.lines()
        explained = tuple(
            StoryExplanation(index[place], subject, offered) for place, subject, offered in self.explained
        )
        played = tuple(move for answer in self.answers for move in answer.moves)
        return Story(
            _number_lines(lines, frozenset(self.names)), played, explained, start_state, self.game.state, self.scores()
        )

    def text(self, key: str, text: str) -> str:
        """Return a text of the case, with the present figures."""
        return self.game.rule_texts.aside(f"{self.case.key}.{key}", " ".join(text.split()), self.localizer.language)

    def answer(self, step: ScriptedAnswer) -> None:
        """Give an answer of the case, and note the question and the pieces that it moved."""
        decision, question = self.game.decision(step.seat), self.game.decision(step.seat, self.localizer.language)
        answer = _Answer(step, decision, question, self.game.log.length)
        before = self.game.state
        self.table.answer(step.seat, step.keys)
        self.answers.append(answer)
        answer.moves = list(moved_pieces(self.table, before, len(self.answers), step.seat))

    def explain(self, step: Expected, text: str) -> None:
        """Note an explanation, with the choices that it is about, and where in the log it stands."""
        decisions = (self.game.decision(seat) for seat in step.subject.seats) if step.subject.offers else ()
        offered = tuple(choice for decision in decisions if decision is not None for choice in decision.choices)
        self.explained.append((len(self.texts), step.subject, offered))
        self.texts.append((self.log_position(step.subject), len(self.answers), self.text("tell", text)))

    def log_position(self, subject: Topic) -> int:
        """Return the number of log lines before an explanation: it comes directly after the lines that it is about, if
        any."""
        log_length, last = (
            self.game.log.length,
            max([self.answers[-1].log_length if self.answers else 0, *(index for index, _, _ in self.texts)]),
        )
        if not subject.log:
            return log_length
        indices = [index for index, line in enumerate(self.game.log.phrases(None)) if str(line) in subject.log]
        return max(last, max(indices, default=log_length - 1) + 1)

    # ── lines ──

    def lines(self) -> tuple[list[StoryLine], list[int]]:
        """Return all lines in order, and the number of lines before each explanation."""
        phrases = self.game.log.phrases(NARRATOR)
        logged = self.game.log.lines(NARRATOR, 0, self.localizer.language)
        opening = self.answers[0].log_length if self.answers else 0
        known_texts = {line.text for line in phrases[:opening]}  # told of a turn before anybody did anything
        result: list[StoryLine] = []
        places: list[int] = []
        texts, answered = list(self.texts), 0
        for index in range(len(logged) + 1):
            while answered < len(self.answers) and self.answers[answered].log_length == index:
                result += self.explanations(texts, index, answered, places, result)
                answered += 1
                if (reply := self.reply(answered, phrases)) is not None:
                    result.append(reply)
            result += self.explanations(texts, index, answered, places, result)
            if (
                index < len(logged)
                and index >= opening
                and not logged[index].phase
                and phrases[index].text not in known_texts
            ):
                line = phrases[index]
                if not logged[index].heading:
                    result.append(
                        StoryLine(logged[index].text, answered, line.text, str(line), frozenset(_names_in_line(line)))
                    )
                elif index + 1 < len(logged) and not logged[index + 1].heading:
                    title = self.localizer.with_colon(logged[index].text)
                    result.append(StoryLine(title, answered, line.text, str(line), frozenset(_names_in_line(line))))
        return result, places

    @staticmethod
    def explanations(
        texts: list[tuple[int, int, str]], index: int, moment: int, places: list[int], lines: list[StoryLine]
    ) -> list[StoryLine]:
        """Take the explanations at this point from `texts` and return them; add to `places` how many lines come before
        each."""
        message = []
        while texts and texts[0][0] == index and texts[0][1] == moment:
            places.append(len(lines))
            message.append(StoryLine(texts.pop(0)[2], moment))
        return message

    def reply(self, number: int, phrases: list[Phrase]) -> StoryLine | None:
        """Return a line for an answer, by its number from 1, that the log does not report, or None."""
        answer = self.answers[number - 1]
        if answer.decision is None or answer.question is None or self.is_reported(number, phrases):
            return None
        # an answer that is a sentence stands within one
        told_as = self.localizer.quote if answer.decision.kind == "branch" else str
        labels = {choice.key: told_as(choice.label.removesuffix(".")) for choice in answer.question.choices}
        player = Person(self.names[answer.step.seat])
        chosen_keys = [key for key in answer.step.keys if key not in ("yes", "no") or answer.decision.kind != "truth"]
        if not chosen_keys:
            yes = answer.decision.kind == "truth" and "yes" in answer.step.keys
            declined = self.localizer.quote(answer.question.none.removesuffix("."))
            if yes:
                message = phrase("rulebook", "{player} agreed.", player=player)
            elif answer.question.none:
                message = phrase("rulebook", "{player} chose {answer}.", player=player, answer=(declined,))
            else:
                message = phrase("rulebook", "{player} declined.", player=player)
            return StoryLine(self.localizer.say(message), number, message.text, str(message), frozenset({player.name}))
        counted = Counter(chosen_keys)
        answers = tuple(
            labels[key] if count == 1 else phrase("count", "{number} × {things}", number=count, things=labels[key])
            for key, count in counted.items()
        )
        message = phrase("rulebook", "{player} chose {answer}.", player=player, answer=answers)
        if (goal := self.goal(answer)) is not None:
            message = phrase("rulebook", "{player} chose {answer} ({zone}).", player=player, answer=answers, zone=goal)
        return StoryLine(
            self.localizer.say(message), number, message.text, "", frozenset({player.name, *self.chosen_names(answer)})
        )

    def goal(self, answer: _Answer) -> Term | None:
        """Return the zone that everything chosen goes to; None if there are several, or people do not see it."""
        names = set(self.chosen_names(answer))
        goals = {move.goal[0] for move in answer.moves if move.name in names}
        if len(goals) != 1 or not self.game.rules.edition.zones[min(goals)].shown:
            return None
        term = self.game.messages.terms.zone(min(goals))
        return term if isinstance(term, Term) else None

    def chosen_names(self, answer: _Answer) -> list[str]:
        """List the names of what an answer chose, in English."""
        decision = answer.decision
        if decision is None or decision.kind in ("truth", "branch"):
            return []
        return [
            choice.name or choice.piece or choice.word or choice.key
            for choice in decision.choices
            if choice.key in answer.step.keys
        ]

    def is_reported(self, number: int, phrases: list[Phrase]) -> bool:
        """Return whether the log reports an answer.

        That is a line that names the seat and all that was chosen; or for an answer that chooses nothing, any line
        before the next answer.
        """
        answer = self.answers[number - 1]
        decision, step = answer.decision, answer.step
        assert decision is not None
        if decision.kind == "truth" and "no" in step.keys:
            return False
        choices = [] if decision.kind in ("truth", "branch") else decision.choices
        numbered = (
            self.game.rules.edition.space_numbers
        )  # whose lines name no spaces, so that the board would be left out
        chosen_names = [
            (
                choice.piece or choice.word or choice.key,
                "" if choice.piece or choice.words in numbered else choice.label,
            )
            for choice in choices
            if choice.key in step.keys
        ]
        names = {(self.names[step.seat],), *chosen_names}
        until = self.report_end(number, alone=not chosen_names)
        if not step.keys and number < len(self.answers):
            until = self.answers[number].log_length
        candidates = phrases[answer.log_length if step.keys else 0 : until]
        return any(all(any(_mentions(line, name) for name in thing if name) for thing in names) for line in candidates)

    def report_end(self, number: int, alone: bool) -> int:
        """Return the number of log lines up to which an answer may be reported: until the seat makes one of the same
        choices again.

        number: of the answer, from 1; alone: only until another seat answers, as after a mere yes.
        """
        step = self.answers[number - 1].step
        for later in self.answers[number:]:
            repeats = later.step.seat == step.seat and set(later.step.keys) & set(step.keys)
            if (alone and later.step.seat != step.seat) or (not alone and repeats):
                return later.log_length
        return self.game.log.length

    # ── points ──

    def scores(self) -> ScoreTable | None:
        """Return the points of each seat: for the explained line, or for all lines with their total; where points do
        not count, the ranks. None before a game's end, unless a part of the scoring is explained."""
        section, _, explained = self.case.explains.partition(".")
        if section not in SCORES and not self.game.over:
            return None
        standings = sorted(self.game.standings(self.localizer.language), key=lambda row: row.seat)
        if not standings:
            return None
        game = self.game
        counted = counts_points(game.rules.edition, game.program, game.options)
        titles = [line.name for line in game.program.scoring] if counted else []
        shown_lines = [titles.index(explained)] if section == "scoring" and explained in titles else range(len(titles))
        number = self.localizer.number
        rows = tuple(
            (
                self.localizer.title(standings[0].lines[line][0]),
                *(number(result.lines[line][1]) for result in standings),
            )
            for line in shown_lines
        )
        players = tuple(self.localizer.isolate(self.names[result.seat]) for result in standings)
        is_complete = len(rows) == len(titles)
        if not titles:
            ranks = (self.localizer.place(result.rank) for result in standings)
            rows = ((self.localizer.say(phrase("score", "Rank")), *ranks),)
        total = self.localizer.say(phrase("rulebook", "Total"))
        return ScoreTable(
            players,
            rows,
            (total, *(number(result.total) for result in standings)) if is_complete and len(rows) > 1 else (),
            tuple(index for index, result in enumerate(standings) if result.rank == 1) if is_complete else (),
        )


MAX_LETTERS = 150
"""Limit of letters in one sentence of a course, or in several that share a number."""


def _number_lines(lines: Iterable[StoryLine], people: frozenset[str]) -> tuple[StoryLine, ...]:
    """Number the lines: consequences of one answer for a seat, or equal lines about several, share a number."""
    result: list[StoryLine] = []
    number, letters, about = 0, 0, frozenset[str]()
    for line in lines:
        if not line.kind:
            result.append(line)
            continue
        last = result[-1] if result and result[-1].kind else None
        people_named = line.subjects & people
        letters += len(line.text)
        same_kind = last is not None and last.kind == line.kind
        continues = last is not None and last.moment == line.moment and bool(about & people_named)
        if letters > MAX_LETTERS or not (same_kind or continues):
            number, letters, about = number + 1, len(line.text), people_named
        elif about != people_named and same_kind:
            about = frozenset()  # of several; only what is alike belongs to it
        result.append(replace(line, number=number))
    return tuple(result)


def _mentions(line: Phrase, thing: str) -> bool:
    """Return whether a line names a thing or has it in its words."""
    names = {name.lower() for name in _names_in_line(line)}  # spaces of a map may have capital letters
    return thing.lower() in names or (len(thing) > 2 and thing in str(line))


def _names_in_line(line: Phrase) -> Iterator[str]:
    """Yield the people and things that a line names, in English."""
    for _, argument in line.slots:
        yield from _names_in(argument)


def _names_in(argument: Argument) -> Iterator[str]:
    """Yield the people and things that a line's argument names."""
    for item in argument if isinstance(argument, tuple) else (argument,):
        match item:
            case Person(name, _):
                yield name
            case Term():
                yield english().say(replace(item, count=1))
            case str() | int():
                yield str(item)
