"""Player aid on the back of a book: a round in brief, then powers and scoring once more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulewright.publish.rulebook.model import Chapter, Flow, Paragraph, Reference, Rule

_PREFIX = "reference-"
"""Begin of anchors of the aid's copies of rules, so that an anchor is there once."""
_MAX_LENGTH = 125
"""Maximum length of a line in characters: about two lines of a half column."""


def player_aid(
    flow: Chapter, course: Sequence[Chapter], powers: Chapter, scoring: Chapter, full: Sequence[str]
) -> Iterator[Reference]:
    """Yield the rules that players look up during the game.

    full: anchors of the rules to include completely, such as the text of a phase where the round consists of its steps.
    Other steps of a round are shortened.
    """
    rules = {block.anchor: block for chapter in course for block in chapter.blocks if isinstance(block, Rule)}
    rules |= {phase.anchor: Rule(phase.anchor, phase.title, _opening(phase), phase.picture) for phase in course}
    steps = [step.anchor for block in flow.blocks if isinstance(block, Flow) for step in block.steps]
    round_rules = [rules[phase.anchor] for phase in course if phase.anchor not in steps and rules[phase.anchor].text]
    round_rules += [
        replace(rules[anchor], text=shorten_text(rules[anchor].text))
        for anchor in steps
        if anchor in rules and anchor not in full
    ]
    round_rules += [rules[anchor] for anchor in full if anchor in rules]
    parts = [(flow.title, round_rules)]
    parts += [(part.title, [rule for rule in part.blocks if isinstance(rule, Rule)]) for part in (powers, scoring)]
    for title, rules_ in parts:
        if rules_:
            yield Reference(title, tuple(replace(rule, anchor=_PREFIX + rule.anchor, rulings=()) for rule in rules_))


def original_anchor(anchor: str) -> str:
    """Return the anchor of a rule in the book, given its anchor in the player aid."""
    return anchor.removeprefix(_PREFIX)


def shorten_text(text: str) -> str:
    """Return the first sentence of a text, and more of it while it stays short."""
    brief, *more = re.split(r"(?<=[.!?])\s", text)
    for sentence in more:
        if len(longer := f"{brief} {sentence}") > _MAX_LENGTH:
            break
        brief = longer
    return brief


def _opening(chapter: Chapter) -> str:
    """Return the first paragraph of a chapter, or ''."""
    return next((block.text for block in chapter.blocks if isinstance(block, Paragraph)), "")
