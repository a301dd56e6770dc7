"""Outline of a round: its phases and steps in order, from the rules' statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from rulewright.authoring.edition_texts import body_lines
from rulewright.base.rule_keys import RuleKey
from rulewright.model.declarations import Phase
from rulewright.model.edition import Edition
from rulewright.syntax.source import Node

_DO = re.compile(r"\bdo ([^:,;]+?)(?: for .*)?$")
"""Statement that does a step, at the end of a line, with the step's name."""


class RoundOutline:
    """Order of the phases and steps of a round."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition

    def steps(self, rules: Set[str]) -> list[RuleKey]:
        """Return the parts of a round: its phases, or of a single one the steps that have a text. rules: keys of all
        rules with a text."""
        phases = self.edition.phases
        if len(phases) > 1:
            return [RuleKey.of("phases", phase.name) for phase in phases]
        return [RuleKey.of("steps", name) for name in self.described_steps(phases[0].body, rules)]

    def ending_phase(self) -> Phase | None:
        """Return the only phase that may end the game, or None."""
        phases = [
            phase
            for phase in self.edition.phases
            if any(
                "end game" in text for body in self.bodies(phase.body) for text in body_lines(body, with_texts=False)
            )
        ]
        return phases[0] if len(phases) == 1 else None

    def bodies(self, body: Node) -> Iterator[Node]:
        """Yield a body and the bodies of all steps that it does, each once."""
        yield body
        visited: set[str] = set()
        worklist = self.steps_done(body)
        while worklist:
            name = worklist.pop(0)
            if name not in visited:
                visited.add(name)
                yield self.edition.steps[name].body
                worklist += self.steps_done(self.edition.steps[name].body)

    def steps_done(self, body: Node) -> list[str]:
        """List the steps that a body does itself, in their order."""
        matches = (_DO.search(text) for text in body_lines(body, with_texts=False))
        return list(dict.fromkeys(match[1] for match in matches if match and match[1] in self.edition.steps))

    def described_steps(self, body: Node, rules: Set[str]) -> list[str]:
        """List the first steps with a text on every path through a body."""
        steps: dict[str, None] = {}
        visited: set[str] = set()

        def follow(inner: Node) -> None:
            for name in self.steps_done(inner):
                if RuleKey.of("steps", name) in rules:
                    steps[name] = None
                elif name not in visited:
                    visited.add(name)
                    follow(self.edition.steps[name].body)

        follow(body)
        return list(steps)
