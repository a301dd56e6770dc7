"""Failures of cases in words: what was expected, and what came out."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.base.diagnostics import escape_controls, readable
from rulewright.base.records import record
from rulewright.base.wording import Wording


@record
class FailureText:
    """Text of a failure, in no language yet. title: its subject; lines: labels and texts, as 'expected' and '3'."""

    title: Wording
    lines: tuple[tuple[Wording, str], ...]

    def render(self, translate: Callable[[str], str] = str) -> str:
        """Return the title, then the labels and texts line by line, in the language of `translate`."""
        escape = escape_controls if translate is str else readable
        labels = [label.render(translate) for label, _ in self.lines]
        width = max(map(len, labels))
        output = [escape(self.title.render(translate))]
        for label, (_, text) in zip(labels, self.lines, strict=True):
            for number, line in enumerate(text.split("\n")):
                output.append(f"{label if not number else '':<{width}}  {escape_controls(line)}")
        return "\n".join(output)
