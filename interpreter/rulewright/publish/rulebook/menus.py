"""Menus in a book: the branches of 'choose one', where the rules mention fewer than half of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.authoring.edition_texts import body_lines
from rulewright.authoring.rule_index import RuleIndex
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.i18n.localizer import Phrase
from rulewright.model.edition import Edition
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode

_MENU = re.compile(r"(?:choose|repeat choosing) one(?: as (.+))?")
"""Sentence of a menu, with the name of its decision."""
_MIN_LETTERS = 4
"""Minimum length of words that are compared."""


@record
class Menu:
    """Menu: its question, or None where that depends on the game; and the possible answers."""

    ask: Phrase | None
    branches: tuple[Phrase, ...]


class Menus:
    """Finder of the menus of an edition that its rules do not describe."""

    def __init__(self, edition: Edition) -> None:
        self.edition, self.rule_index = edition, RuleIndex(edition)
        self._bodies: dict[RuleKey, tuple[str, Node]] = {
            RuleKey.of("phases", phase.name): (phase.name, phase.body) for phase in edition.phases
        }
        self._bodies |= {
            RuleKey.of("steps", name): (step.short_name, step.body) for name, step in edition.steps.items()
        }

    def undescribed(self, key: RuleKey) -> Iterator[Menu]:
        """Yield the undescribed menus of a rule, and of the steps without a text that it does."""
        keys = [key]
        for rule in keys:
            keys += [
                to for to in self.rule_index.steps_done_by(rule) if to not in self.rule_index.texts and to not in keys
            ]
            if rule in self._bodies:
                step, body = self._bodies[rule]
                for name, clauses in _menus(body):
                    menu = _read_menu(f"{step}.{name}.ask", step, clauses)
                    # two answers to what is asked of something then say nothing without it
                    if not self._is_described(key, clauses) and (menu.ask is not None or len(menu.branches) > 2):
                        yield menu

    def _is_described(self, key: RuleKey, clauses: MappingNode) -> bool:
        """Return whether half of the branches do a step with a text, or repeat what the rule says."""
        words = _words(self.rule_index.texts[key].text)
        described = [
            self._does_described_step(details) or _words(_text(name, details)) <= words
            for name, details in _branches(clauses)
        ]
        return 2 * sum(described) >= len(described)

    def _does_described_step(self, details: Node) -> bool:
        """Return whether a branch does a step that has a text."""
        body = details.get("do") if isinstance(details, MappingNode) and "do" in details.entries else details
        lines = body_lines(body, with_texts=False) if body is not None else []
        matches = (re.match(r"do ([a-z ]+?)(?: for .*)?$", line.strip()) for line in lines)
        steps = (self.rule_index.step(match[1]) for match in matches if match is not None)
        return any(step in self.rule_index.texts for step in steps if step is not None)


def _read_menu(context: str, step: str, clauses: MappingNode) -> Menu:
    """Return a menu from its clauses. context: of its question in catalogs; step: that of its branches."""
    ask = clauses.get("ask")
    is_fixed = isinstance(ask, Scalar) and "{" not in ask.text
    question = Phrase(context, " ".join(ask.text.split())) if isinstance(ask, Scalar) and is_fixed else None
    branches = (Phrase(f"{step}.{name}", _text(name, details)) for name, details in _branches(clauses))
    return Menu(question, tuple(branches))


def _menus(node: Node) -> Iterator[tuple[str, MappingNode]]:
    """Yield the menus in a body, at any depth, each with the name of its answer."""
    if isinstance(node, SequenceNode):
        for item in node.items:
            yield from _menus(item)
    elif isinstance(node, MappingNode):
        for key, value in node.items():
            match = _MENU.fullmatch(" ".join(key.text.split()))
            if match is not None and isinstance(value, MappingNode) and isinstance(value.get("among"), MappingNode):
                yield match[1] or "one", value
            yield from _menus(value)


def _branches(clauses: MappingNode) -> Iterator[tuple[str, Node]]:
    """Yield the branches of a menu: name and details."""
    among = clauses.get("among")
    assert isinstance(among, MappingNode)
    return ((key.text, details) for key, details in among.items())


def _text(name: str, details: Node) -> str:
    """Return the title of a branch: its text, or else its name."""
    text = details.get("text") if isinstance(details, MappingNode) else None
    return " ".join(text.text.split()) if isinstance(text, Scalar) else name.capitalize()


def _words(text: str) -> set[str]:
    """Return the longer words of a text."""
    return {word for word in re.findall(r"[^\W\d_]+", text.lower()) if len(word) >= _MIN_LETTERS}
