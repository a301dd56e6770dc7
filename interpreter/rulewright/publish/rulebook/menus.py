"""Menus as a book tells them: the branches of 'choose one', where the rules tell of fewer than half of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.authoring.rule_index import Tellings
from rulewright.authoring.wording import sentences
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.i18n.localizer import Phrase
from rulewright.model.declarations import Edition
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode

_MENU = re.compile(r"(?:choose|repeat choosing) one(?: as (.+))?")
_LONG = 4
"""Letters from which a word says something by itself."""


@record
class Menu:
    """What is asked, or None where that depends on the game; and what can be answered."""

    ask: Phrase | None
    branches: tuple[Phrase, ...]


class Menus:
    """The menus of an edition that its rules do not tell of."""

    def __init__(self, edition: Edition) -> None:
        self.edition, self.tellings = edition, Tellings(edition)
        self._bodies: dict[RuleKey, tuple[str, Node]] = {
            RuleKey.of("phases", phase.name): (phase.name, phase.body) for phase in edition.phases
        }
        self._bodies |= {RuleKey.of("steps", name): (step.called, step.body) for name, step in edition.steps.items()}

    def of(self, key: RuleKey) -> Iterator[Menu]:
        """The untold menus of a told rule, and of the untold steps that it does."""
        keys = [key]
        for here in keys:
            keys += [to for to in self.tellings.done_by(here) if to not in self.tellings.texts and to not in keys]
            if here in self._bodies:
                step, body = self._bodies[here]
                for name, clauses in _menus(body):
                    menu = _menu(f"{step}.{name}.ask", step, clauses)
                    # two answers to what is asked of something then say nothing without it
                    if not self._told(key, clauses) and (menu.ask is not None or len(menu.branches) > 2):
                        yield menu

    def _told(self, key: RuleKey, clauses: MappingNode) -> bool:
        """Whether half of the branches do a step that is told, or say what a rule says already."""
        said = _words(self.tellings.texts[key].text)
        told = [
            self._does_told(details) or _words(_text(name, details)) <= said for name, details in _branches(clauses)
        ]
        return 2 * sum(told) >= len(told)

    def _does_told(self, details: Node) -> bool:
        body = details.get("do") if isinstance(details, MappingNode) and "do" in details.entries else details
        done = sentences(body, told=False) if body is not None else []
        named = (re.match(r"do ([a-z ]+?)(?: for .*)?$", line.strip()) for line in done)
        steps = (self.tellings.step(match[1]) for match in named if match is not None)
        return any(step in self.tellings.texts for step in steps if step is not None)


def _menu(asked_as: str, step: str, clauses: MappingNode) -> Menu:
    ask = clauses.get("ask")
    fixed = isinstance(ask, Scalar) and "{" not in ask.text
    asked = Phrase(asked_as, " ".join(ask.text.split())) if isinstance(ask, Scalar) and fixed else None
    branches = (Phrase(f"{step}.{name}", _text(name, details)) for name, details in _branches(clauses))
    return Menu(asked, tuple(branches))


def _menus(node: Node) -> Iterator[tuple[str, MappingNode]]:
    """The menus in a body, however deep, each with what its answer is called there."""
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
    among = clauses.get("among")
    assert isinstance(among, MappingNode)
    return ((key.text, details) for key, details in among.items())


def _text(name: str, details: Node) -> str:
    """What a branch is called: by its text, or else by its name."""
    text = details.get("text") if isinstance(details, MappingNode) else None
    return " ".join(text.text.split()) if isinstance(text, Scalar) else name.capitalize()


def _words(text: str) -> set[str]:
    """The longer words of a text."""
    return {word for word in re.findall(r"[^\W\d_]+", text.lower()) if len(word) >= _LONG}
