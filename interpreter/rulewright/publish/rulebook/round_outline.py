"""What follows what in a round, as the rules' sentences say it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from rulewright.authoring.wording import sentences
from rulewright.base.rule_keys import RuleKey
from rulewright.model.declarations import Edition, Phase
from rulewright.syntax.source import Node

_DO = re.compile(r"\bdo ([^:,;]+?)(?: for .*)?$")


class RoundCourse:
    """What follows what in a round."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition

    def steps(self, rules: Set[str]) -> list[RuleKey]:
        """What a round is made of: its phases, or of a single one the steps that are told in words."""
        phases = self.edition.phases
        if len(phases) > 1:
            return [RuleKey.of("phases", phase.name) for phase in phases]
        return [RuleKey.of("steps", name) for name in self.told(phases[0].body, rules)]

    def ending(self) -> Phase | None:
        """The only phase that may end the game, or None."""
        found = [
            phase
            for phase in self.edition.phases
            if any("end game" in text for body in self.bodies(phase.body) for text in sentences(body, told=False))
        ]
        return found[0] if len(found) == 1 else None

    def bodies(self, body: Node) -> Iterator[Node]:
        """A body and all that is done in it, each once."""
        yield body
        seen: set[str] = set()
        todo = self.done(body)
        while todo:
            name = todo.pop(0)
            if name not in seen:
                seen.add(name)
                yield self.edition.steps[name].body
                todo += self.done(self.edition.steps[name].body)

    def done(self, body: Node) -> list[str]:
        """The steps that a body does itself, in their order."""
        found = (_DO.search(text) for text in sentences(body, told=False))
        return list(dict.fromkeys(match[1] for match in found if match and match[1] in self.edition.steps))

    def told(self, body: Node, rules: Set[str]) -> list[str]:
        """The first steps on every way through a body that are told in words."""
        found: dict[str, None] = {}
        seen: set[str] = set()

        def follow(inner: Node) -> None:
            for name in self.done(inner):
                if RuleKey.of("steps", name) in rules:
                    found[name] = None
                elif name not in seen:
                    seen.add(name)
                    follow(self.edition.steps[name].body)

        follow(body)
        return list(found)
