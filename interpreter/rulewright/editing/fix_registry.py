"""Registry of quick fixes: which wordings of diagnostics can be made into edits of the text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial

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


def rewords(template: Template, pattern: str, *replacements: str) -> None:
    """Register a replacement of words in the diagnostic's line that touch the underlined ones.

    In a replacement `{slot}` is what fills a slot of the template, and `\\1` a group of the pattern.
    """

    def reword(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
        number, first = diagnostic.place.line, diagnostic.place.column - 1
        slots = {name: wording.text_of(name).replace("\\", "") for name, _ in wording.arguments}
        for match in re.finditer(pattern, lines[number - 1]):
            if match.start() > first + diagnostic.place.length or match.end() < first:
                continue
            for replacement in replacements:
                new = re.sub(r"\\(\d)", partial(_group_of, match), replacement.format(**slots))
                title = f"Say '{new.strip()}'" if new.strip() else f"Delete '{match[0].strip()}'"
                yield Fix(title, (number, match.start() + 1), (number, match.end() + 1), new)

    _MAKERS[template].append(reword)


def _group_of(match: re.Match[str], reference: re.Match[str]) -> str:
    """Return the group of a match to which a replacement refers by its number."""
    return str(match[int(reference[1])])


def registered_fixes(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Yield the fixes that a diagnostic carries, then those registered for its hints and its problem."""
    yield from diagnostic.fixes
    for wording in (*diagnostic.hints, diagnostic.problem):
        for maker in _MAKERS.get(wording.template, ()):
            yield from maker(diagnostic, wording, lines)
