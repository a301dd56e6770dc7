"""Log of a game: its lines as each seat may read them, in words or in parts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from rulewright.base.records import record
from rulewright.game.library import Rules
from rulewright.game.messages import LogPart, Messages
from rulewright.game.terms import localizer_of
from rulewright.i18n.localizer import ENGLISH, Localizer, Phrase
from rulewright.program.form import Program
from rulewright.runtime.machine import Events

_localizers: WeakKeyDictionary[Rules, dict[str, Localizer]] = WeakKeyDictionary()
"""Localizers of each edition by language: catalogs are slow to read, and all games of an edition share them."""


def localizer_of_rules(rules: Rules, language: str) -> Localizer:
    """Return a localizer with the texts of an edition."""
    by_language = _localizers.setdefault(rules, {})
    if language not in by_language:
        by_language[language] = localizer_of(rules.edition, language)
    return by_language[language]


@record
class PartedLine:
    """Log line in parts, which calls the reader 'you'. heading, round: as in LogLine; sentence: index of its text in
    the program, None if that names anything but seats and pieces; notation: its short form, or ''; actor: seat that
    acted then, None also without a notation."""

    parts: list[LogPart]
    heading: bool
    round: int
    sentence: int | None = None
    notation: str = ""
    actor: int | None = None


@record
class LogLine:
    """Log line. heading: whether it stands over the lines that follow; seat: first seat that it names, None for nobody
    or several at once; round: from 1, or 0 before the first phase; phase: whether it is the title of a phase, which is
    also a heading."""

    text: str
    heading: bool = False
    seat: int | None = None
    round: int = 0
    phase: bool = False


class GameLog:
    """Log of one game. Line numbers count from 0."""

    def __init__(self, rules: Rules, program: Program, messages: Messages, events: Events) -> None:
        self._rules, self._program, self._messages = rules, program, messages
        self._events = events
        self._titles = list(self._phase_titles(events, 0))  # numbers of the lines that are titles of phases

    @property
    def length(self) -> int:
        """Number of lines."""
        return len(self._events)

    @property
    def events(self) -> Events:
        """Copy of all events, hidden parts included. For tools, not for players."""
        return list(self._events)

    def extend(self, events: Events) -> None:
        """Append new events."""
        self._titles += self._phase_titles(events, len(self._events))
        self._events.extend(events)

    def cut(self, length: int) -> None:
        """Remove all lines from a number on."""
        del self._events[length:], self._titles[bisect_left(self._titles, length) :]

    def until(self, length: int) -> GameLog:
        """Return an independent log of the first `length` lines."""
        other = object.__new__(GameLog)
        other.__dict__.update(self.__dict__)
        other._events, other._titles = self._events[:length], self._titles[: bisect_left(self._titles, length)]
        return other

    def lines(self, seat: int | None, start: int = 0, language: str = ENGLISH) -> list[LogLine]:
        """Return the log from line `start` on, as a seat may read it."""
        say, texts = localizer_of_rules(self._rules, language).say, self._program.texts
        lines = []
        for line, (number, _, arguments) in enumerate(self._events[start:], start):
            words = say(self._messages.text(texts[number], arguments, seat))
            of_whom, text = self._first_seat(number, arguments), texts[number]
            lines.append(LogLine(words, text.heading, of_whom, self._round_of(line), text.of_phase))
        return lines

    def phrases(self, seat: int | None) -> list[Phrase]:
        """Return the whole log as a seat may read it, in no language yet."""
        entries = ((self._program.texts[number], arguments) for number, _, arguments in self._events)
        return [self._messages.text(text, arguments, seat) for text, arguments in entries]

    def parts(self, seat: int | None, start: int = 0, language: str = ENGLISH) -> list[list[LogPart]]:
        """Return the log from line `start` on in parts, with the seats and pieces that they name; it calls the reader
        'you'."""
        return [self.line(number, seat, language).parts for number in range(start, len(self._events))]

    def line(self, number: int, seat: int | None, language: str = ENGLISH) -> PartedLine:
        """Return one line in parts, as a seat may read it, whom it calls 'you'."""
        text, actor, arguments = self._events[number]
        text_form, localizer = self._program.texts[text], localizer_of_rules(self._rules, language)
        parts = self._messages.parts(text_form, arguments, seat, localizer)
        is_plain = {type_.base for type_ in text_form.types} <= {"seat", "piece"}
        line = PartedLine(parts, text_form.heading, self._round_of(number), text if is_plain else None)
        if not text_form.notation:
            return line
        return replace(line, notation=localizer.say(self._messages.notation(text_form, arguments, seat)), actor=actor)

    def version(self, number: int, seat: int | None) -> Hashable:
        """Return a key that is equal if a seat's version of a line in parts is."""
        text, _, arguments = self._events[number]
        return self._messages.visible_key(self._program.texts[text], arguments, seat)

    def is_same_for_all(self, number: int) -> bool:
        """Return whether a line in parts is the same for all readers."""
        text, _, arguments = self._events[number]
        return self._messages.is_same_for_all(self._program.texts[text], arguments)

    def mentions(self, seat: int, number: int, start: int, end: int) -> bool:
        """Return whether one of the lines from `start` to before `end` mentions both a seat and a number."""
        for text, _, arguments in self._events[start:end]:
            types = [type_.base for type_ in self._program.texts[text].types]
            typed_arguments = list(zip(types, map(list, arguments or ()), strict=False))
            if ("seat", [seat]) in typed_arguments and ("number", [number]) in typed_arguments:
                return True
        return False

    def _phase_titles(self, events: Events, start: int) -> Iterator[int]:
        """Yield the numbers of those lines that are titles of phases. start: number of the first line."""
        texts = self._program.texts
        return (line for line, (text, _, _) in enumerate(events, start) if texts[text].of_phase)

    def _round_of(self, line: int) -> int:
        """Return the round of a line: phases come in a fixed order, so that their titles count the rounds."""
        return -(-bisect_right(self._titles, line) // max(1, len(self._program.phases)))

    def _first_seat(self, text: int, arguments: Sequence[Any] | None) -> int | None:
        """Return the first seat that a text names; None for several or nobody."""
        types = self._program.texts[text].types
        seats = [items for type_, items in zip(types, arguments or (), strict=False) if type_.base == "seat"]
        return int(seats[0][0]) if seats and len(seats[0]) == 1 and seats[0][0] >= 0 else None
