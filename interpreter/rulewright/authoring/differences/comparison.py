"""Comparison of two editions, and the sentences in which its sections describe differences."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from rulewright.authoring.differences.localized_edition import LocalizedEdition
from rulewright.authoring.edition_texts import body_lines, one_line
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.model.declarations import ChangeSet
from rulewright.syntax.source import Node

_LONG = 3
"""Sentences from which a text is long."""

_Name = TypeVar("_Name", bound=Hashable)
_Thing = TypeVar("_Thing")
_Sentences = Sequence[str]
"""Statements of a body, a line each."""


@record
class Difference:
    """Difference, in a sentence. before, after: both texts, for a reader to compare, or ''; about: dotted name of the
    declaration, '' until it is known."""

    sentence: str
    before: str = ""
    after: str = ""
    about: str = ""


class EditionComparison:
    """Old and new edition in a language, and sentences about their differences, in the language of the new one.

    before, after: the editions; old, new: their names and texts; seats: numbers of seats that both allow. Parameter
    `thing`: title of a declaration, as it begins a line.
    """

    def __init__(self, before: Rules, after: Rules, language: str) -> None:
        self.before, self.after = before.edition, after.edition
        self.old, self.new = LocalizedEdition(before, language), LocalizedEdition(after, language)
        self.seats = [number for number in self.after.seat_counts() if number in self.before.seat_counts()]
        self.say, self.quoted = self.new.say, self.new.localizer.quote

    def aspect(self, thing: str, aspect: str | Phrase) -> str:
        """Join the title of a thing and an aspect of it."""
        return self.new.localizer.join_items([thing, self.say(aspect)])

    def things(
        self,
        under: str,
        both: tuple[Mapping[_Name, _Thing], Mapping[_Name, _Thing]],
        alone: Callable[[LocalizedEdition, _Thing], tuple[str, ...]],
        changed: Callable[[_Thing, _Thing], Iterable[Difference]],
    ) -> Iterator[Difference]:
        """Yield the differences of declarations, matched by name. under: prefix of their dotted names; alone: returns
        arguments of `new_difference` for a declaration of one edition only; changed: compares two of one name."""
        before, after = both
        for name, thing in missing(before, after):
            yield self.gone_difference(f"{under}{name}", *alone(self.old, thing))
        for name, thing in missing(after, before):
            yield self.new_difference(f"{under}{name}", *alone(self.new, thing))
        for name, old, new in common(before, after):
            yield from about(f"{under}{name}", changed(old, new))

    def new_difference(self, about: str, thing: str, note: str = "", text: str = "") -> Difference:
        """Return the difference for something new. about: its dotted name; note: about it, in brackets; text: of its
        rule."""
        sentence = phrase("changes", "New: {thing}.", thing=self._noted(thing, note))
        return Difference(self.say(sentence), after=text, about=about)

    def gone_difference(self, about: str, thing: str, note: str = "", text: str = "") -> Difference:
        """Return the difference for something that is gone; parameters as for `new_difference`."""
        sentence = phrase("changes", "Gone: {thing}.", thing=self._noted(thing, note))
        return Difference(self.say(sentence), before=text, about=about)

    def _noted(self, thing: str, note: str) -> str:
        """Return a title with a note in brackets, if there is one."""
        return self.new.localizer.with_note(thing, note) if note else thing

    def new_differences(self, thing: str, parts: Iterable[str], about: str = "") -> Iterator[Difference]:
        """Yield a difference for the new parts of a thing, unless there are none."""
        if names := tuple(parts):
            sentence = phrase("changes", "{thing}: {parts} [is|are] new.", thing=thing, parts=names)
            yield Difference(self.say(sentence), about=about)

    def gone_differences(self, thing: str, parts: Iterable[str], about: str = "") -> Iterator[Difference]:
        """Yield a difference for the parts of a thing that are gone, unless there are none."""
        if names := tuple(parts):
            sentence = phrase("changes", "{thing}: {parts} [is|are] gone.", thing=thing, parts=names)
            yield Difference(self.say(sentence), about=about)

    def instead(self, thing: str, before: str, after: str) -> Iterator[Difference]:
        """Yield the difference 'AFTER instead of BEFORE', unless both are equal."""
        if before != after:
            sentence = phrase("changes", "{thing}: {now} instead of {before}.", thing=thing, now=after, before=before)
            yield Difference(self.say(sentence))

    def renamed(self, before: str, after: str) -> Iterator[Difference]:
        """Yield the difference between two names, unless they are equal."""
        if before != after:
            yield Difference(
                self.say(phrase("changes", "New name: {now} instead of {before}.", now=after, before=before))
            )

    def changed(self, thing: str, before: str = "", after: str = "") -> Difference:
        """Return the difference 'Changed', with what it was and is, for a reader to compare."""
        return Difference(self.say(phrase("changes", "Changed: {thing}.", thing=thing)), before, after)

    def rewritten(
        self,
        thing: str,
        keys: tuple[RuleKey, RuleKey],
        bodies: tuple[_Sentences, _Sentences],
        changes: tuple[ChangeSet | None, ChangeSet | None] = (None, None),
    ) -> Iterator[Difference]:
        """Yield at most one difference in text and statements of a rule: 'Reworded' where only the text differs,
        'Changed' with both texts where these differ, too, else with the statements.

        keys: of the rule before and after; bodies: its statements without texts; changes: change sets for the figures
        in each text.
        """
        texts = self._reworded_texts(keys, changes)
        before, after = bodies
        if before == after:
            if texts is not None:
                sentence = phrase("changes", "Reworded: {thing}.", thing=thing)
                yield Difference(self.say(sentence), *self._contrasted(*texts))
        elif texts is not None and all(texts):
            yield self.changed(thing, *self._contrasted(*texts))
        else:
            yield self.changed(thing, *_only(before, after))

    def _reworded_texts(
        self, keys: tuple[RuleKey, RuleKey], changes: tuple[ChangeSet | None, ChangeSet | None]
    ) -> tuple[str, str] | None:
        """Return the two texts of a rule as people read them; None if they are equal apart from figures, whose changes
        are described elsewhere."""
        before, after = self.old.text(keys[0], changes[0]), self.new.text(keys[1], changes[1])
        if (before and before.text) == (after and after.text):
            return None
        texts = self.old.say(before or ""), self.new.say(after or "")
        return None if texts[0] == texts[1] else texts

    def _contrasted(self, before: str, after: str) -> tuple[str, str]:
        """Shorten two texts if both are long: … replaces sentences that both have; a text of nothing else is '(nothing
        about this)'."""
        texts = [re.split(r"(?<=\w\w[.!?])\s+", text) for text in (before, after)]
        if min(map(len, texts)) < _LONG:
            return before, after
        result: list[list[str]] = [[], []]
        for tag, *spans in difflib.SequenceMatcher(None, texts[0], texts[1]).get_opcodes():
            for side, (first, last) in enumerate((spans[:2], spans[2:])):
                result[side] += ["…"] if tag == "equal" else texts[side][first:last]
        nothing = phrase("changes", "(nothing about this)")
        left, right = (" ".join(sentences) for sentences in result)
        return self.say(nothing) if left == "…" else left, self.say(nothing) if right == "…" else right


def about(name: str, differences: Iterable[Difference]) -> Iterator[Difference]:
    """Yield the differences; those without a dotted name get this one."""
    return (difference if difference.about else replace(difference, about=name) for difference in differences)


def missing(things: Mapping[_Name, _Thing], others: Mapping[_Name, _Thing]) -> list[tuple[_Name, _Thing]]:
    """Return the entries whose name the others lack."""
    return [(name, thing) for name, thing in things.items() if name not in others]


def common(before: Mapping[_Name, _Thing], after: Mapping[_Name, _Thing]) -> list[tuple[_Name, _Thing, _Thing]]:
    """Return (name, before, after) of entries that both have, in the order of `after`."""
    return [(name, before[name], thing) for name, thing in after.items() if name in before]


def are_reordered(before: Iterable[str], after: Iterable[str]) -> bool:
    """Return whether the names that both have come in another order."""
    was, now = list(before), list(after)
    return [name for name in was if name in now] != [name for name in now if name in was]


def played(body: Node) -> list[str]:
    """Return the statements of a body without texts for people."""
    return body_lines(body, with_texts=False)


def _only(before: _Sentences, after: _Sentences) -> tuple[str, str]:
    """Return the statements that only one side has, for each side."""
    removed: list[str] = []
    added: list[str] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after).get_opcodes():
        if tag != "equal":
            removed += before[a:b]
            added += after[c:d]
    return _run_on(removed), _run_on(added)


def _run_on(lines: _Sentences) -> str:
    """Join statements into a paragraph."""
    return "; ".join(map(one_line, lines)).replace(":; ", ": ")
