"""Rulings: numbered in the order of their rules, which name these numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.publish.rulebook.model import BookBlock, Box, Chapter, Link, Rule, Rulings


def number_rulings(
    chapters: Sequence[Chapter], unnumbered: Sequence[tuple[str, Rule]]
) -> tuple[list[Chapter], tuple[Rulings, ...]]:
    """Return chapters whose rules name their rulings, and the rulings, if there are any.

    unnumbered: rulings with the anchors of their rules, or ''.
    """
    places = {link.anchor: link for chapter in chapters for link in chapter.links()}
    order = {anchor: number for number, anchor in enumerate(places)}
    rulings, by_rule = list[Rule](), dict[str, list[Link]]()
    for number, (about, rule) in enumerate(sorted(unnumbered, key=lambda each: order.get(each[0], len(order))), 1):
        rulings.append(replace(rule, number=number, see=(places[about],) if about in places else ()))
        by_rule.setdefault(about, []).append(Link(rule.anchor, str(number)))

    def of_rule(rule: Rule) -> Rule:
        return replace(rule, rulings=tuple(by_rule.get(rule.anchor, ())))

    def number_block(block: BookBlock) -> BookBlock:
        match block:
            case Rule():
                return of_rule(block)
            case Box():
                inner_blocks = (of_rule(inner) if isinstance(inner, Rule) else inner for inner in block.blocks)
                return replace(block, blocks=tuple(inner_blocks), rulings=tuple(by_rule.get(block.anchor, ())))
        return block

    chapters_ = [replace(chapter, blocks=tuple(map(number_block, chapter.blocks))) for chapter in chapters]
    return chapters_, (Rulings(tuple(rulings)),) if rulings else ()
