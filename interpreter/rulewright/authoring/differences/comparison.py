"""Two editions side by side, and the few sentences in which every section of a comparison tells how they differ."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from rulewright.authoring.differences.localized_edition import SpokenEdition
from rulewright.authoring.edition_texts import sentences, spaced
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.model.declarations import ChangeSet
from rulewright.syntax.source import Node

_LONG = 3
"""A text of so many sentences is long."""

_Name = TypeVar("_Name", bound=Hashable)
_Thing = TypeVar("_Thing")
_Sentences = Sequence[str]


@record
class Difference:
    """One difference, in a sentence. before, after: what the two editions say, where both are to be read; about: the
    dotted name of what is different."""

    sentence: str
    before: str = ""
    after: str = ""
    about: str = ""


class Pair:
    """The edition that was and the one that is now, each with its words, and what is said of both, in one language.

    Things are given by what they are called, as it begins a line.
    """

    def __init__(self, before: Rules, after: Rules, language: str) -> None:
        self.before, self.after = before.edition, after.edition
        self.old, self.new = SpokenEdition(before, language), SpokenEdition(after, language)
        self.seats = [number for number in self.after.seat_counts() if number in self.before.seat_counts()]
        self.say, self.quoted = self.new.say, self.new.speech.quoted

    def aspect(self, thing: str, aspect: str | Phrase) -> str:
        """A thing, and what of it is meant."""
        return self.new.speech.row([thing, self.say(aspect)])

    def things(
        self,
        under: str,
        both: tuple[Mapping[_Name, _Thing], Mapping[_Name, _Thing]],
        alone: Callable[[SpokenEdition, _Thing], tuple[str, ...]],
        changed: Callable[[_Thing, _Thing], Iterable[Difference]],
    ) -> Iterator[Difference]:
        """How things of both editions differ, by their names, which stand under another one. alone: what is said of one
        that only one edition has, as `is_new` takes it."""
        before, after = both
        for name, thing in missing(before, after):
            yield self.is_gone(f"{under}{name}", *alone(self.old, thing))
        for name, thing in missing(after, before):
            yield self.is_new(f"{under}{name}", *alone(self.new, thing))
        for name, old, new in common(before, after):
            yield from about(f"{under}{name}", changed(old, new))

    def is_new(self, about: str, thing: str, note: str = "", text: str = "") -> Difference:
        told = phrase("changes", "New: {thing}.", thing=self._noted(thing, note))
        return Difference(self.say(told), after=text, about=about)

    def is_gone(self, about: str, thing: str, note: str = "", text: str = "") -> Difference:
        told = phrase("changes", "Gone: {thing}.", thing=self._noted(thing, note))
        return Difference(self.say(told), before=text, about=about)

    def _noted(self, thing: str, note: str) -> str:
        return self.new.speech.noted(thing, note) if note else thing

    def are_new(self, thing: str, parts: Iterable[str], about: str = "") -> Iterator[Difference]:
        """Parts of a thing that both have; none at all is no difference."""
        if found := tuple(parts):
            told = phrase("changes", "{thing}: {parts} [is|are] new.", thing=thing, parts=found)
            yield Difference(self.say(told), about=about)

    def are_gone(self, thing: str, parts: Iterable[str], about: str = "") -> Iterator[Difference]:
        if found := tuple(parts):
            told = phrase("changes", "{thing}: {parts} [is|are] gone.", thing=thing, parts=found)
            yield Difference(self.say(told), about=about)

    def instead(self, thing: str, before: str, after: str) -> Iterator[Difference]:
        """What a thing is now and was before; nothing where that is the same."""
        if before != after:
            told = phrase("changes", "{thing}: {now} instead of {before}.", thing=thing, now=after, before=before)
            yield Difference(self.say(told))

    def renamed(self, before: str, after: str) -> Iterator[Difference]:
        if before != after:
            yield Difference(
                self.say(phrase("changes", "New name: {now} instead of {before}.", now=after, before=before))
            )

    def changed(self, thing: str, before: str = "", after: str = "") -> Difference:
        return Difference(self.say(phrase("changes", "Changed: {thing}.", thing=thing)), before, after)

    def rewritten(
        self,
        thing: str,
        keys: tuple[RuleKey, RuleKey],
        bodies: tuple[_Sentences, _Sentences],
        changes: tuple[ChangeSet | None, ChangeSet | None] = (None, None),
    ) -> Iterator[Difference]:
        """A rule whose text or whose sentences are others. bodies: the sentences that are played; changes: what holds
        where each text is read."""
        texts = self._told(keys, changes)
        before, after = bodies
        if before == after:
            if texts is not None:
                told = phrase("changes", "Reworded: {thing}.", thing=thing)
                yield Difference(self.say(told), *self._contrasted(*texts))
        elif texts is not None and all(texts):
            yield self.changed(thing, *self._contrasted(*texts))
        else:
            yield self.changed(thing, *_only(before, after))

    def _told(
        self, keys: tuple[RuleKey, RuleKey], changes: tuple[ChangeSet | None, ChangeSet | None]
    ) -> tuple[str, str] | None:
        """Two texts as people read them, or None where they say the same.

        A text whose figures alone differ says the same: that the figures differ is told where they are.
        """
        before, after = self.old.text(keys[0], changes[0]), self.new.text(keys[1], changes[1])
        if (before and before.text) == (after and after.text):
            return None
        texts = self.old.say(before or ""), self.new.say(after or "")
        return None if texts[0] == texts[1] else texts

    def _contrasted(self, before: str, after: str) -> tuple[str, str]:
        """Two texts with … for the sentences that both have, if they are long."""
        texts = [re.split(r"(?<=\w\w[.!?])\s+", text) for text in (before, after)]
        if min(map(len, texts)) < _LONG:
            return before, after
        kept: list[list[str]] = [[], []]
        for tag, *spans in difflib.SequenceMatcher(None, texts[0], texts[1]).get_opcodes():
            for side, (first, last) in enumerate((spans[:2], spans[2:])):
                kept[side] += ["…"] if tag == "equal" else texts[side][first:last]
        nothing = phrase("changes", "(nothing about this)")
        left, right = (" ".join(sentences) for sentences in kept)
        return self.say(nothing) if left == "…" else left, self.say(nothing) if right == "…" else right


def about(name: str, found: Iterable[Difference]) -> Iterator[Difference]:
    """Differences of a thing, by its dotted name; what is within it keeps its own."""
    return (difference if difference.about else replace(difference, about=name) for difference in found)


def missing(these: Mapping[_Name, _Thing], others: Mapping[_Name, _Thing]) -> list[tuple[_Name, _Thing]]:
    """What is among these and has no namesake among the others."""
    return [(name, thing) for name, thing in these.items() if name not in others]


def common(before: Mapping[_Name, _Thing], after: Mapping[_Name, _Thing]) -> list[tuple[_Name, _Thing, _Thing]]:
    """Name, before and after of all that is in both, in the order of `after`."""
    return [(name, before[name], thing) for name, thing in after.items() if name in before]


def are_reordered(before: Iterable[str], after: Iterable[str]) -> bool:
    """Whether the names that both have come in another order."""
    was, now = list(before), list(after)
    return [name for name in was if name in now] != [name for name in now if name in was]


def played(body: Node) -> list[str]:
    """The sentences of a body without what is only said to people."""
    return sentences(body, told=False)


def _only(before: _Sentences, after: _Sentences) -> tuple[str, str]:
    """The sentences that one side has and the other has not."""
    gone: list[str] = []
    come: list[str] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after).get_opcodes():
        if tag != "equal":
            gone += before[a:b]
            come += after[c:d]
    return _run_on(gone), _run_on(come)


def _run_on(lines: _Sentences) -> str:
    """Sentences in one paragraph."""
    return "; ".join(map(spaced, lines)).replace(":; ", ": ")
