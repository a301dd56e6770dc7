"""Rulings: numbered in the order of the rules that they are about, which name their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.publish.rulebook.model import BookBlock, Box, Chapter, Link, Rule, Rulings


def with_rulings(
    chapters: Sequence[Chapter], found: Sequence[tuple[str, Rule]]
) -> tuple[list[Chapter], tuple[Rulings, ...]]:
    """Chapters whose rules name the rulings on them, and these, if there are any. found: with the anchors of the rules
    that they are about, or ''."""
    places = {link.anchor: link for chapter in chapters for link in chapter.links()}
    order = {at: number for number, at in enumerate(places)}
    rulings, by_rule = list[Rule](), dict[str, list[Link]]()
    for number, (about, rule) in enumerate(sorted(found, key=lambda each: order.get(each[0], len(order))), 1):
        rulings.append(replace(rule, number=number, see=(places[about],) if about in places else ()))
        by_rule.setdefault(about, []).append(Link(rule.anchor, str(number)))

    def of_rule(rule: Rule) -> Rule:
        return replace(rule, rulings=tuple(by_rule.get(rule.anchor, ())))

    def numbered(block: BookBlock) -> BookBlock:
        match block:
            case Rule():
                return of_rule(block)
            case Box():
                inner = (of_rule(inner) if isinstance(inner, Rule) else inner for inner in block.blocks)
                return replace(block, blocks=tuple(inner), rulings=tuple(by_rule.get(block.anchor, ())))
        return block

    told = [replace(chapter, blocks=tuple(map(numbered, chapter.blocks))) for chapter in chapters]
    return told, (Rulings(tuple(rulings)),) if rulings else ()
