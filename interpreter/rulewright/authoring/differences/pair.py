"""Two editions side by side, and what every section of a comparison needs."""

from __future__ import annotations

import difflib
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from rulewright.authoring.wording import Wording, sentences, spaced
from rulewright.base.records import record
from rulewright.model.declarations import ChangeSet, Edition
from rulewright.syntax.source import Node, Scalar

_LONG = 3
"""A text of so many sentences is long."""

_NOTHING = "(nothing about this)"

_Name = TypeVar("_Name", bound=Hashable)
_Thing = TypeVar("_Thing")


@record
class Difference:
    """One difference, in a sentence. before, after: what the two editions say, where both are to be read; about: the
    dotted name of what is different."""

    sentence: str
    before: str = ""
    after: str = ""
    about: str = ""


class Pair:
    """The edition that was and the one that is now, each with its words."""

    def __init__(self, before: Edition, after: Edition) -> None:
        self.before, self.after = before, after
        self.old, self.new = Wording(before), Wording(after)
        self.seats = [number for number in after.seat_counts() if number in before.seat_counts()]

    def told(
        self, before: Scalar | None, after: Scalar | None, changes: Sequence[ChangeSet | None] = (None, None)
    ) -> tuple[str, str] | None:
        """Two texts as people read them, or None where they say the same. changes: what holds where each is read.

        A text whose figures alone differ says the same: that the figures differ is told where they are.
        """
        if _plain(before) == _plain(after):
            return None
        texts = self.old.text(before, changes[0]), self.new.text(after, changes[1])
        return None if texts[0] == texts[1] else texts

    def rewritten(
        self,
        name: str,
        texts: tuple[str, str] | None,
        bodies: tuple[Sequence[str], Sequence[str]],
    ) -> Iterator[Difference]:
        """Something whose text or whose sentences are others. bodies: the sentences that are played."""
        before, after = bodies
        if texts is not None and texts[0] and texts[1]:
            sentence = f"{name} is different:" if before != after else f"{name} is told differently:"
            yield Difference(sentence, *_contrasted(*texts))
        elif before != after:
            yield Difference(f"{name} is different:", *_changed(before, after))
        elif texts is not None:
            yield Difference(f"{name} is told differently:", *texts)


def about(name: str, found: Iterable[Difference]) -> Iterator[Difference]:
    """Differences of a thing, by its dotted name; what is within it keeps its own."""
    return (difference if difference.about else replace(difference, about=name) for difference in found)


def missing(these: Mapping[_Name, _Thing], others: Mapping[_Name, _Thing]) -> list[tuple[_Name, _Thing]]:
    """What is among these and has no namesake among the others."""
    return [(name, thing) for name, thing in these.items() if name not in others]


def common(before: Mapping[_Name, _Thing], after: Mapping[_Name, _Thing]) -> list[tuple[_Name, _Thing, _Thing]]:
    """Name, before and after of all that is in both, in the order of `after`."""
    return [(name, before[name], thing) for name, thing in after.items() if name in before]


def instead(sentence: str, before: str, after: str) -> Iterator[Difference]:
    """A sentence whose {} is what is now, instead of what was; nothing where that is the same."""
    if before != after:
        yield Difference(f"{sentence.replace('{}', f'{after} instead of {before}')}.")


def played(body: Node) -> list[str]:
    """The sentences of a body without what is only said to people."""
    return sentences(body, told=False)


def _plain(text: Scalar | None) -> str:
    return spaced(text.text) if text else ""


def _contrasted(before: str, after: str) -> tuple[str, str]:
    """Two texts with … for the sentences that both have, if they are long."""
    texts = [re.split(r"(?<=\w\w[.!?])\s+", text) for text in (before, after)]
    if min(map(len, texts)) < _LONG:
        return before, after
    kept: list[list[str]] = [[], []]
    for tag, *spans in difflib.SequenceMatcher(None, texts[0], texts[1]).get_opcodes():
        for side, (first, last) in enumerate((spans[:2], spans[2:])):
            kept[side] += ["…"] if tag == "equal" else texts[side][first:last]
    left, right = (" ".join(sentences) for sentences in kept)
    return _NOTHING if left == "…" else left, _NOTHING if right == "…" else right


def _changed(before: Sequence[str], after: Sequence[str]) -> tuple[str, str]:
    """The sentences that one side has and the other has not."""
    gone: list[str] = []
    come: list[str] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after).get_opcodes():
        if tag != "equal":
            gone += before[a:b]
            come += after[c:d]
    return _run_on(gone), _run_on(come)


def _run_on(lines: Sequence[str]) -> str:
    """Sentences in one paragraph."""
    return "; ".join(map(spaced, lines)).replace(":; ", ": ")
