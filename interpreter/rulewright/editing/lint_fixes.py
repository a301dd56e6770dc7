"""Fixes of warnings: an unused thing less, a text, a question or an end more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.authoring.lint import messages
from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.base.wording import Wording
from rulewright.editing.edits import (
    as_entries,
    block_end,
    deleted,
    deletions,
    entry_below,
    inserted,
    instead,
    names_below,
    path_at,
    quoted_in_braces,
    rewritten,
)
from rulewright.editing.fix_registry import fixes_for, rewords

rewords(messages.ALWAYS_TRUE, r"(?<=- )if [^:]+: (?=\S)", "")
rewords(messages.CHANGE_OR_REPEAT_TIMES, r"\brepeat while [^:]+", "repeat 2 times")
rewords(messages.TELL_HOW_MANY, r"(?<=\{)[^{}]+(?=\})", "number of {zone}")
for _template in (
    messages.EVERYBODY_READS_WHAT_NOBODY_SEES,
    messages.EVERYBODY_READS_WHAT_OWNER_SEES,
    messages.ASKED_READS_WHAT_NOBODY_SEES,
):
    rewords(_template, r"(?:total|highest|lowest) [\w ]+? of [\w ]+", "number of {zone}")


@fixes_for(messages.ALWAYS_FALSE)
def _delete_sentence(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    path = path_at(lines, diagnostic.place)
    items = [at for at, step in enumerate(path or (), 1) if isinstance(step, int)]
    if path and items:
        yield from rewritten("Delete the sentence", lines, deleted(lines, path[: items[-1]]))
    yield from deletions(diagnostic, lines)


@fixes_for(
    messages.CHANGE_OR_DELETE_FROM,
    messages.DO_OR_DELETE,
    messages.GIVE_OR_DELETE,
    messages.IDLE_OPTION,
    messages.IDLE_POWER,
    messages.MOVE_OR_DELETE,
    messages.NAME_OR_DELETE,
    messages.PLACE_ZONE_OR_DELETE,
    messages.PUT_BEFORE_OR_DELETE,
)
def _delete(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    yield from deletions(diagnostic, lines)


@fixes_for(messages.UNUSED_ATTRIBUTE)
def _delete_everywhere(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Remove an unused attribute from everything that has it."""
    path, less = path_at(lines, diagnostic.place), list(lines)
    for word in names_below(lines, *map(str, path[:-2])) if path else ():
        assert path is not None
        less = deleted(less, (*path[:-2], word, problem.text_of("attribute")), emptied=True) or less
    yield from rewritten("Delete it everywhere", lines, less)


@fixes_for(messages.WRITE_SLOT)
def _write_slot(diagnostic: Diagnostic, hint: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Write a slot for a number, in quotes where the text has none and stands in braces."""
    slot = hint["slot"]
    for choice in (slot.text_of("one"), slot.text_of("other")) if isinstance(slot, Wording) else (str(slot),):
        yield quoted_in_braces(diagnostic, lines, choice) or instead(diagnostic, choice)


@fixes_for(messages.WRITE_NOUN)
def _write_noun(diagnostic: Diagnostic, hint: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    yield instead(diagnostic, hint.text_of("noun"))


@fixes_for(messages.WRITE_ON)
def _write_on(diagnostic: Diagnostic, hint: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    yield instead(diagnostic, "on")


@fixes_for(messages.WRITE_VERB_FORMS)
def _write_verb_forms(diagnostic: Diagnostic, hint: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    yield instead(diagnostic, f"[{hint['verb']}|{hint['bare']}]")


@fixes_for(messages.SAY_WHEN_IT_ENDS)
def _end_game(diagnostic: Diagnostic, hint: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Add the sentence of the hint that ends the game."""
    number, sentence = diagnostic.place.line, hint.text_of("sentence")
    line, last = lines[number - 1], block_end(lines, number)
    indent = line[: len(line) - len(line.lstrip())]
    yield inserted(last, len(lines[last - 1]) + 1, f"\n{indent}- {sentence}", f"Add '{sentence}'")


@fixes_for(messages.NO_ASK)
def _add_question(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    line, indent = lines[diagnostic.place.line - 1].rstrip(), diagnostic.place.column - 1
    end = (diagnostic.place.line, len(line) + 1)
    if not line[:indent].strip(" -"):
        colon = "" if line.endswith(":") else ":"
        new = f"{colon}\n{' ' * (indent + 2)}ask: What do you choose?"
        yield Fix("Add what is asked", end, end, new)


@fixes_for(messages.UNEXPLAINED, messages.UNEXPLAINED_STEP, messages.UNEXPLAINED_QUESTION)
def _add_text(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    line = lines[diagnostic.place.line - 1]
    if line.rstrip().endswith(":") and not line.lstrip().startswith("- ") and diagnostic.place.line < len(lines):
        new_lines = as_entries(lines, diagnostic.place.line, ["text: Say here what happens."])
        if lines[diagnostic.place.line].lstrip().startswith("- "):
            yield from rewritten("Add a text", lines, new_lines)
            return
    yield from entry_below(diagnostic, lines, "text", "Say here what happens.", "Add a text")
