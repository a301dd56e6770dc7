"""Complete rulebook: its contents, cross-references, and the differences of a variant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rulewright.base.records import record
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.publish.rulebook.changes import CHANGED, NEW, REMOVED, VariantDifference, changes
from rulewright.publish.rulebook.cross_references import related_rules
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
    anchor,
)
from rulewright.publish.rulebook.player_aid import original_anchor
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from rulewright.publish.typography import typeset

_LAST_CHAPTERS = ("sheet", "reference")
"""Chapters that always come last: their pages are cut out of the book."""


def rulebook(builder: RulebookBuilder, base: RulebookBuilder | None = None) -> Rulebook:
    """Make the builder's rulebook, with links from rule to rule, in typographic signs. base: mark and list what differs
    from it; None for no marks."""
    book = builder.rulebook()
    differences = changes(builder, base) if base is not None else ()
    linker = _Linker(
        {link.anchor: link for chapter in book.chapters for link in chapter.links()},
        _marks(differences, base),
        _related_anchors(builder),
    )
    chapters = list(map(linker.chapter, book.chapters))
    entries = [_list_entry(change, linker.links) for change in differences if change.before or change.now]
    if base is not None and entries:
        change_list = Changes(*_columns(builder, base), tuple(entries))
        last = sum(chapter.anchor in _LAST_CHAPTERS for chapter in chapters)
        chapters.insert(len(chapters) - last, builder.chapter("changes", _title(builder, base), [change_list]))
    result: Rulebook = typeset(replace(book, chapters=tuple(chapters)))
    return result


@record
class _Linker:
    """Linker that adds links and marks to rules. links, marks, related: by anchor."""

    links: Mapping[str, Link]
    marks: Mapping[str, str]
    related: Mapping[str, Sequence[str]]

    def chapter(self, chapter: Chapter) -> Chapter:
        """Return a chapter with the marks and links of all its blocks."""
        blocks = tuple(map(self.block, chapter.blocks))
        return replace(chapter, blocks=blocks, mark=self.marks.get(chapter.anchor, ""))

    def block(self, block: BookBlock) -> BookBlock:
        """Return a block with the marks of changes and links to related rules."""
        match block:
            case Reference(title, rules):
                marked = (replace(rule, mark=self.marks.get(original_anchor(rule.anchor), "")) for rule in rules)
                return Reference(title, tuple(marked))
            case Gallery():
                return replace(block, mark=self.marks.get(block.anchor, ""))
            case Rule():
                return self.rule(block)
            case Box():
                inner = tuple(self.rule(inner) if isinstance(inner, Rule) else inner for inner in block.blocks)
                see = self.related_links(block.anchor)
                return replace(block, blocks=inner, mark=self.marks.get(block.anchor, ""), see=see)
        return block

    def rule(self, rule: Rule) -> Rule:
        """Return a rule with its mark and links."""
        return replace(rule, mark=self.marks.get(rule.anchor, ""), see=self.related_links(rule.anchor))

    def related_links(self, anchor_: str) -> tuple[Link, ...]:
        """Return the links to the rules that a rule leads to, of those in the book."""
        return tuple(self.links[to] for to in self.related.get(anchor_, ()) if to in self.links)


def _related_anchors(builder: RulebookBuilder) -> dict[str, list[str]]:
    """Map the anchor of each rule to those of the rules that it leads to."""
    return {anchor(key): list(map(anchor, keys)) for key, keys in related_rules(builder.edition).items()}


def _marks(differences: Sequence[VariantDifference], base: RulebookBuilder | None) -> dict[str, str]:
    """Return the marks by anchor, none for what is gone. A kind of component that the base has is marked as changed,
    also where a sort of it is new or gone."""
    known = {f"pieces.{kind.name}" for kind in base.edition.kinds.values() if kind.rows} if base is not None else set()
    marks = {anchor(change.key): CHANGED if change.key in known else _mark(change) for change in differences}
    return {anchor_: mark for anchor_, mark in marks.items() if mark != REMOVED}


def _mark(change: VariantDifference) -> str:
    """Return the mark of a change: NEW, REMOVED or CHANGED."""
    return change.kind if change.kind in (NEW, REMOVED) else CHANGED


def _list_entry(change: VariantDifference, links: Mapping[str, Link]) -> VariantChange:
    """Return the entry of a change in the list; only what is in the book is a link."""
    anchor_ = anchor(change.key)
    return VariantChange(
        _mark(change), Link(anchor_ if anchor_ in links else "", change.title), change.before, change.now
    )


def _title(builder: RulebookBuilder, base: RulebookBuilder) -> Phrase:
    """Return the title of the chapter on differences."""
    if base.rules.name == builder.rules.name:
        return phrase("rulebook", "What is different from the usual game")
    return phrase("rulebook", "What is different from {edition}", edition=_name(base))


def _columns(builder: RulebookBuilder, base: RulebookBuilder) -> tuple[str, str]:
    """Return the titles of the columns of texts before and now."""
    if base.rules.name == builder.rules.name:
        return builder.say(phrase("rulebook", "As usual")), builder.say(phrase("rulebook", "In this game"))
    return _name(base), _name(builder)


def _name(builder: RulebookBuilder) -> str:
    """Return the title of a game, with which edition of it this is."""
    return f"{builder.say(Phrase('title', builder.edition.title))} {builder.edition.edition}".strip()
