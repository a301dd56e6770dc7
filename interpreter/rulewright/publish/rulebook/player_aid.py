"""The player aid on the back of a book: a round in a few words, then powers and scoring once more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulewright.publish.rulebook.model import Chapter, Flow, Paragraph, Reference, Rule

_AGAIN = "reference-"
_BRIEF = 125
"""How many characters a line of the aid may have: about two lines of a half column."""


def player_aid(
    flow: Chapter, course: Sequence[Chapter], powers: Chapter, scoring: Chapter, full: Sequence[str]
) -> Iterator[Reference]:
    """What one looks up while playing.

    full: the anchors of the rules that stand there whole, as what a phase says of itself does where the round is made
    of its steps. Of each other step of a round stands how it begins.
    """
    rules = {block.anchor: block for chapter in course for block in chapter.blocks if isinstance(block, Rule)}
    rules |= {phase.anchor: Rule(phase.anchor, phase.title, _opening(phase), phase.picture) for phase in course}
    steps = [to.anchor for block in flow.blocks if isinstance(block, Flow) for to in block.steps]
    told = [rules[phase.anchor] for phase in course if phase.anchor not in steps and rules[phase.anchor].text]
    told += [replace(rules[at], text=in_brief(rules[at].text)) for at in steps if at in rules and at not in full]
    told += [rules[at] for at in full if at in rules]
    parts = [(flow.title, told)]
    parts += [(part.title, [rule for rule in part.blocks if isinstance(rule, Rule)]) for part in (powers, scoring)]
    for title, listed in parts:
        if listed:
            yield Reference(title, tuple(replace(rule, anchor=_AGAIN + rule.anchor, rulings=()) for rule in listed))


def told_again(at: str) -> str:
    """The anchor of a rule that is told once more, by the anchor that it has there."""
    return at.removeprefix(_AGAIN)


def in_brief(text: str) -> str:
    """The first sentence of a text, and whatever follows as long as it stays short."""
    brief, *more = re.split(r"(?<=[.!?])\s", text)
    for sentence in more:
        if len(longer := f"{brief} {sentence}") > _BRIEF:
            break
        brief = longer
    return brief


def _opening(chapter: Chapter) -> str:
    """What a chapter says first."""
    return next((block.text for block in chapter.blocks if isinstance(block, Paragraph)), "")
