"""Registry of quick fixes: which wordings of diagnostics can be made into edits of the text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.base.wording import Template, Wording

FixMaker = Callable[[Diagnostic, Wording, Sequence[str]], Iterator[Fix]]
"""Function from a diagnostic, its wording that is to be fixed, and the lines of the file to edits, likeliest first."""

_MAKERS: dict[Template, list[FixMaker]] = defaultdict(list)


def fixes_for(*templates: Template) -> Callable[[FixMaker], FixMaker]:
    """Register a function that makes fixes of diagnostics with one of these problems or hints."""

    def register(maker: FixMaker) -> FixMaker:
        for template in templates:
            _MAKERS[template].append(maker)
        return maker

    return register


def registered_fixes(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Yield the fixes that a diagnostic carries, then those registered for its hints and its problem."""
    yield from diagnostic.fixes
    for wording in (*diagnostic.hints, diagnostic.problem):
        for maker in _MAKERS.get(wording.template, ()):
            yield from maker(diagnostic, wording, lines)
