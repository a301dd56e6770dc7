"""Read counters, and the sides that seats play."""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.base.diagnostics import RelatedPlace, did_you_mean
from rulewright.model import messages, naming
from rulewright.model.declarations import (
    FRACTION,
    NUMBER,
    NUMBERS,
    SEAT,
    CounterDeclaration,
    Noun,
    canonical,
)
from rulewright.model.reader.section import scalar, text_of
from rulewright.model.reader.words import WordReader
from rulewright.program.state_layout import NOTHING
from rulewright.program.value_types import parse_hundredths
from rulewright.syntax import source
from rulewright.syntax.nouns import article, plural
from rulewright.syntax.source import Node, Scalar, entries_of


class CounterReader(WordReader):
    """Reader of the sections of counters and sides."""

    def read_sides(self) -> None:
        """Read `sides`, the word that each seat plays: a counter of the seats, named like its word list."""
        side_list = scalar(self.tree, "sides")
        if side_list is None:
            return
        words = self.resolve(side_list, self.edition.words, messages.WORD_LIST())
        if not words:
            self.edition.lost.meaning = True
            return
        self.edition.sides = words
        noun = Noun(words, plural(words), words)
        counter = CounterDeclaration(words, side_list.place, SEAT, words, 0, noun, side=True)
        self.edition.counters[words] = counter

    def read_counters(self) -> None:
        """Read all counters: of one value, of a value for each word, or of a list."""
        for of, key, node in self.scoped("counters"):
            owner = node if isinstance(node, source.MappingNode) else None
            told_for = scalar(owner, "for") if owner else None
            word_list = self.resolve(told_for, self.edition.words, messages.WORD_LIST()) if told_for else ""
            if told_for and not word_list:
                self.drop_name(key)
                continue
            start = owner.get("starts at") or Scalar("0", key.place) if owner else node
            starts: tuple[int, ...] = ()
            listed = scalar(owner, "list of")
            if word_list:
                content, starts = self.contents_by_word(word_list, start)
            elif listed is not None:
                content = self.list_content(listed)
            else:
                content = self.single_content(start)
            if content is None:
                self.drop_name(key)
                continue
            holds, first = content
            is_shown = owner is None or self.flag(owner, "shown", True)
            noun = self.noun(owner, key.text)
            text = scalar(owner, "text") if owner else None
            most = int(text_of(owner, "at most") or "0") if listed is not None else 0
            counter = CounterDeclaration(
                key.text, key.place, of, holds, first, noun, is_shown, text, by=word_list, starts=starts, most=most
            )
            if most and self.edition.is_of_pieces(of):
                self.report.error(key.place, messages.NO_LISTS_OF_PIECES(), messages.KEEP_FOR_WORDS())
                self.drop_name(key)
                continue
            if self.edition.is_of_pieces(of):
                if word_list:
                    self.report.error(key.place, messages.ONE_THING_FOR_PIECE(), messages.LEAVE_OUT_FOR())
                    counter = replace(counter, by="", starts=())
                counter = self.join_piece_counter(counter)
            self.edition.counters[key.text] = counter

    def drop_name(self, key: Scalar) -> None:
        """Record the name of a dropped entry."""
        self.edition.lost.add(key.text)

    def join_piece_counter(self, counter: CounterDeclaration) -> CounterDeclaration:
        """Return a counter of pieces, joined with that of the same name of other kinds; report counters that do not
        fit."""
        kind = self.edition.kinds[counter.of]
        if canonical(counter.name) in map(canonical, kind.attributes):
            problem = messages.ATTRIBUTE_HAS_NAME(kind=article(kind.name), name=counter.name)
            self.report.error(counter.place, problem, messages.RENAME_ONE())
        earlier = self.edition.counters.get(counter.name)
        if earlier is None or not earlier.marks:
            return replace(counter, marks={counter.of: counter.start})
        if earlier.holds != counter.holds:
            problem = messages.HOLDS_OTHER_THINGS(
                name=counter.name, kind=article(counter.of), other=article(earlier.of)
            )
            related = RelatedPlace(earlier.place, messages.DECLARED_HERE(name=earlier.name))
            self.report.error(counter.place, problem, messages.RENAME_ONE(), related=(related,))
        return replace(earlier, marks={**earlier.marks, counter.of: counter.start})

    def list_content(self, listed: Scalar) -> tuple[str, int] | None:
        """Return (type, initial value) of a counter that is an empty list; None, reported, if unknown."""
        type_name = listed.text
        if canonical(type_name) in (NUMBER, SEAT):
            return canonical(type_name), NOTHING
        words = self.resolve(listed, [NUMBER, SEAT, *self.edition.words], messages.NUMBER_SEAT_OR_WORD_LIST())
        return (words, NOTHING) if words else None

    def contents_by_word(self, words: str, start: Node) -> tuple[tuple[str, int] | None, tuple[int, ...]]:
        """Return (type, default) of a counter that has a value for each word of a list, and its initial values, by
        word. start: one for all, which is then the default, or one for some words; the others begin with 0, no or
        nothing. The first is None for what is wrong, which is reported."""
        names = [word.name for word in self.edition.words[words].words]
        if isinstance(start, Scalar):
            content = self.single_content(start)
            return content, () if content is None else (content[1],) * len(names)
        starts: dict[str, int] = {}
        holds = ""
        for key, value in entries_of(start):
            content, word = self.single_content(value), self.resolve(key, names, messages.WORD_OF(list=words))
            if not word or content is None:
                return None, ()
            if holds and content[0] != holds:
                self.report.error(value.place, messages.SAME_TYPE_FOR_ALL())
                return None, ()
            holds, starts[word] = content
        holds = holds or NUMBER
        nothing = 0 if holds in (*NUMBERS, "truth") else NOTHING
        return (holds, nothing), tuple(starts.get(name, nothing) for name in names)

    def single_content(self, start: Node) -> tuple[str, int] | None:
        """Return type and initial value of a counter: `5`, `no`, `red`; or its type alone: `colour`, `seat`.

        None, reported, if it is none of these.
        """
        if not isinstance(start, Scalar):
            self.report.error(start.place, messages.SAYS_FOR_WHICH_WORDS())
            return None
        lists, text = self.edition.words, start.text
        if re.fullmatch(r"-?\d{1,9}", text):
            return NUMBER, int(text)
        if re.fullmatch(r"-?\d{1,7}\.\d{1,2}", text):
            return FRACTION, parse_hundredths(text)
        if text in ("yes", "no"):
            return "truth", int(text == "yes")
        if text == "seat" or text in lists:
            return text, NOTHING
        matches = [
            (words.name, index)
            for words in lists.values()
            for index, word in enumerate(words.words)
            if word.name == text
        ]
        if len(matches) == 1:
            return matches[0]
        if text in self.edition.lost:
            return None
        if matches:
            several = {home: [word.name for word in lists[home].words] for home, _ in matches}
            naming.report_ambiguous(self.report, start.place, text, several)
            return None
        hints = did_you_mean(text, [*lists, *(word.name for words in lists.values() for word in words.words)])
        is_fraction = re.fullmatch(r"-?\d+\.\d+", text)
        usual = messages.TOO_FINE() if is_fraction else messages.SAY_WHAT_IT_HOLDS()
        self.report.error(start.place, messages.COUNTER_STARTS_AT(given=text), *(hints or (usual,)))
        return None
