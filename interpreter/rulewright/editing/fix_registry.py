"""Quick fixes of wordings: those that templates carry as data, and functions registered for templates."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.base.template_edits import AddEntry, AddSentence, Delete, DeleteSentence, Edit, Reword, Substitute
from rulewright.base.wording import Template, Wording
from rulewright.editing import messages as titles
from rulewright.editing.edits import (
    as_entries,
    deletions,
    entry_below,
    line_edits,
    lines_with_sentence,
    replacement,
    sentence_deletions,
)

FixMaker = Callable[[Diagnostic, Wording, Sequence[str]], Iterator[Fix]]
"""Function from a diagnostic, its wording that is to be fixed, and the lines of the file to edits, likeliest first."""

_MAKERS: dict[Template, list[FixMaker]] = defaultdict(list)
"""Template of a problem or a hint -> functions that `fixes_for` registered for it."""
_SLOT = re.compile(r"\{([a-z_]+)\}")
"""Slot in the pattern of an edit."""


def fixes_for(*templates: Template) -> Callable[[FixMaker], FixMaker]:
    """Register a function that makes fixes of diagnostics with one of these problems or hints."""

    def register(maker: FixMaker) -> FixMaker:
        for template in templates:
            _MAKERS[template].append(maker)
        return maker

    return register


def has_fix(template: Template) -> bool:
    """Return whether a template has a quick fix."""
    return bool(template.fixes or template in _MAKERS)


def registered_fixes(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Yield the fixes of a diagnostic's hints, then those of its problem."""
    for wording in (*diagnostic.hints, diagnostic.problem):
        for edit in wording.template.fixes:
            yield from _make_fixes(edit, diagnostic, wording, lines)
        for maker in _MAKERS.get(wording.template, ()):
            yield from maker(diagnostic, wording, lines)


def _make_fixes(edit: Edit, diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Yield the fixes that an edit of a template makes."""
    match edit:
        case Substitute(text=pattern):
            if "…" not in (text := _fill_slots(pattern, wording)):
                yield replacement(diagnostic, text)
        case Reword():
            yield from _reword_fixes(edit, diagnostic, wording, lines)
        case Delete():
            yield from deletions(diagnostic, lines)
        case DeleteSentence():
            yield from sentence_deletions(diagnostic, lines)
        case AddEntry():
            yield from _new_entries(edit, diagnostic, lines)
        case AddSentence(text=pattern, after=after):
            sentence = _fill_slots(pattern, wording)
            new_lines = lines_with_sentence(lines, diagnostic.place, sentence, after)
            yield from line_edits(titles.ADD(entry=sentence), lines, new_lines)


def _fill_slots(pattern: str, wording: Wording) -> str:
    """Put texts of a wording in place of the slots of a pattern."""
    return _SLOT.sub(lambda slot: wording.text_of(slot[1]), pattern)


def _reword_fixes(edit: Reword, diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Yield a fix for each text of an edit, where its pattern matches the underlined part of the line."""
    number, first = diagnostic.place.line, diagnostic.place.column - 1
    pattern = _SLOT.sub(lambda slot: re.escape(wording.text_of(slot[1])), edit.pattern)
    for match in re.finditer(pattern, lines[number - 1]):
        if match.start() > first + diagnostic.place.length or match.end() < first:
            continue
        for text in edit.texts:
            new = re.sub(r"\\(\d)", partial(_group_of, match), _fill_slots(text, wording))
            words = new.strip()
            title = titles.SAY(words=words) if words else titles.DELETE(words=match[0].strip())
            yield Fix(title, (number, match.start() + 1), (number, match.end() + 1), new)


def _group_of(match: re.Match[str], reference: re.Match[str]) -> str:
    """Return the group of a match to which a replacement refers by its number."""
    return match[int(reference[1])]


def _new_entries(edit: AddEntry, diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Yield the fix that adds an entry; a step that is a list becomes entries first."""
    line, title = lines[diagnostic.place.line - 1], titles.ADD(entry=edit.key)
    below = lines[diagnostic.place.line].lstrip() if diagnostic.place.line < len(lines) else ""
    if line.rstrip().endswith(":") and not line.lstrip().startswith("- ") and below.startswith("- "):
        new_lines = as_entries(lines, diagnostic.place.line, [f"{edit.key}: {edit.value}"])
        yield from line_edits(title, lines, new_lines)
    else:
        yield from entry_below(diagnostic, lines, edit.key, edit.value, title)
