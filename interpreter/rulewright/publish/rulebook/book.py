"""A whole rulebook: its contents, where one may read on, and what a variant has different."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rulewright.base.records import record
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.publish.rulebook.changes import CHANGED, GONE, NEW, StateChange, changes
from rulewright.publish.rulebook.contents import Contents, anchor
from rulewright.publish.rulebook.cross_references import related
from rulewright.publish.rulebook.model import (
    BookBlock,
    Box,
    Changes,
    Chapter,
    Gallery,
    Link,
    Reference,
    Rule,
    Rulebook,
    VariantChange,
)
from rulewright.publish.rulebook.player_aid import told_again
from rulewright.publish.typography import typeset

_CUT_OUT = ("sheet", "reference")
"""The chapters that come last, whatever else there is: their pages leave the book."""


def rulebook(contents: Contents, base: Contents | None = None) -> Rulebook:
    """The contents with links from rule to rule. base: what differs from it is marked, and listed at the end."""
    book = contents.rulebook()
    different = changes(contents, base) if base is not None else ()
    linked = _Linked(
        {link.anchor: link for chapter in book.chapters for link in chapter.links()},
        _marks(different, base),
        _related(contents),
    )
    chapters = list(map(linked.chapter, book.chapters))
    told = [_listed(change, linked.links) for change in different if change.before or change.now]
    if base is not None and told:
        listed = Changes(*_columns(contents, base), tuple(told))
        last = sum(chapter.anchor in _CUT_OUT for chapter in chapters)
        chapters.insert(len(chapters) - last, contents.chapter("changes", _title(contents, base), [listed]))
    made: Rulebook = typeset(replace(book, chapters=tuple(chapters)))
    return made


@record
class _Linked:
    """Puts links and marks to rules. links, marks, related: by anchors."""

    links: Mapping[str, Link]
    marks: Mapping[str, str]
    related: Mapping[str, Sequence[str]]

    def chapter(self, chapter: Chapter) -> Chapter:
        blocks = tuple(map(self.block, chapter.blocks))
        return replace(chapter, blocks=blocks, mark=self.marks.get(chapter.anchor, ""))

    def block(self, block: BookBlock) -> BookBlock:
        match block:
            case Reference(title, rules):
                again = (replace(rule, mark=self.marks.get(told_again(rule.anchor), "")) for rule in rules)
                return Reference(title, tuple(again))
            case Gallery():
                return replace(block, mark=self.marks.get(block.anchor, ""))
            case Rule():
                return self.rule(block)
            case Box():
                inner = tuple(self.rule(inner) if isinstance(inner, Rule) else inner for inner in block.blocks)
                see = self.read_on(block.anchor)
                return replace(block, blocks=inner, mark=self.marks.get(block.anchor, ""), see=see)
        return block

    def rule(self, rule: Rule) -> Rule:
        return replace(rule, mark=self.marks.get(rule.anchor, ""), see=self.read_on(rule.anchor))

    def read_on(self, at: str) -> tuple[Link, ...]:
        return tuple(self.links[to] for to in self.related.get(at, ()) if to in self.links)


def _related(contents: Contents) -> dict[str, list[str]]:
    return {anchor(key): list(map(anchor, keys)) for key, keys in related(contents.edition).items()}


def _marks(different: Sequence[StateChange], base: Contents | None) -> dict[str, str]:
    """By anchors. A kind of component of which some sort is new or gone is changed itself."""
    known = {f"pieces.{kind.name}" for kind in base.edition.kinds.values() if kind.rows} if base is not None else set()
    marks = {anchor(change.key): CHANGED if change.key in known else _mark(change) for change in different}
    return {at: mark for at, mark in marks.items() if mark != GONE}


def _mark(change: StateChange) -> str:
    return change.kind if change.kind in (NEW, GONE) else CHANGED


def _listed(change: StateChange, links: Mapping[str, Link]) -> VariantChange:
    """A change as the list tells it; only what is in the book is a link."""
    at = anchor(change.key)
    return VariantChange(_mark(change), Link(at if at in links else "", change.title), change.before, change.now)


def _title(contents: Contents, base: Contents) -> Phrase:
    if base.rules.name == contents.rules.name:
        return phrase("rulebook", "What is different from the usual game")
    return phrase("rulebook", "What is different from {edition}", edition=_name(base))


def _columns(contents: Contents, base: Contents) -> tuple[str, str]:
    if base.rules.name == contents.rules.name:
        return contents.say(phrase("rulebook", "As usual")), contents.say(phrase("rulebook", "In this game"))
    return _name(base), _name(contents)


def _name(contents: Contents) -> str:
    return f"{contents.say(Phrase('title', contents.edition.title))} {contents.edition.edition}".strip()
