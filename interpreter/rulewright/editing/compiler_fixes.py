"""Fixes of errors that the compiler reports: other words in a sentence, a missing case or owner, an additional
declaration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.base.wording import Wording
from rulewright.compiler import messages
from rulewright.editing import messages as titles
from rulewright.editing.edits import (
    as_entries,
    indent_of,
    insertion,
    line_edits,
    lines_with,
    lines_with_moved,
    names_below,
    path_at,
    replacement,
    sentence_deletions,
    underlined_text,
)
from rulewright.editing.fix_registry import fixes_for
from rulewright.syntax.messages import AN, A

_MAX_CHOICES = 6
"""Maximum number of words for which fixes are offered."""
_NAME = r"[^\W\d_][\w ]*?"
"""Pattern of a name in a line of YAML."""

# ── something else in place of the underlined text ──


@fixes_for(messages.KNOWN_WORDS)
def _replace_by_word(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Suggest each word of the list, if there are at most _MAX_CHOICES."""
    words = names_below(lines, "words", wording.text_of("list"))
    if len(words) <= _MAX_CHOICES:
        yield from (replacement(diagnostic, word) for word in words)


@fixes_for(messages.EXPECTED_TYPE)
def _suggest_words(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Suggest words of the expected list; yes or no for a number."""
    expected = wording["expected"]
    if isinstance(expected, Wording) and expected.template == messages.A_WORD:
        words = names_below(lines, "words", expected.text_of("list"))
        yield from (replacement(diagnostic, word) for word in words[:_MAX_CHOICES])
    elif expected == messages.YES_OR_NO() and underlined_text(diagnostic, lines).isdigit():
        yield from (replacement(diagnostic, word) for word in ("yes", "no"))


@fixes_for(messages.SAY_FOR_WHICH_WORD)
def _add_word_to_amounts(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Suggest the amount of each word."""
    given_kinds = diagnostic.problem["given"]
    if isinstance(given_kinds, Wording) and given_kinds.template == messages.AMOUNTS:
        for word in names_below(lines, "words", given_kinds.text_of("list"))[:_MAX_CHOICES]:
            new = underlined_text(diagnostic, lines).replace(" of ", f" for {word} of ", 1)
            yield replacement(diagnostic, new, titles.SAY(words=f"for {word}"))


@fixes_for(messages.EXPECTED_LIST, messages.TAKES_FROM_LIST)
def _suggest_list_counters(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Suggest the counters that hold lists."""
    lists = re.findall(rf"({_NAME}): \{{(?:[^{{}}]*, )?list of:", "\n".join(lines))
    part = "first 1 of " if wording.template == messages.TAKES_FROM_LIST else ""
    yield from (replacement(diagnostic, f"{part}{name}") for name in lists[:_MAX_CHOICES])


@fixes_for(messages.COMPARE_IT)
def _compare(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Turn a value into a comparison."""
    expression = underlined_text(diagnostic, lines)
    if not expression.isdigit():
        yield replacement(diagnostic, f"{expression} is more than 0")


@fixes_for(messages.ROUND_IT)
def _round_fraction(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Round a fraction, or its literal."""
    expression = underlined_text(diagnostic, lines)
    yield replacement(diagnostic, f"({expression} / 1 rounded down)", titles.ROUND_DOWN())
    yield replacement(diagnostic, f"({expression} / 1 rounded up)", titles.ROUND_UP())
    digits = re.findall(r"\d+", expression)
    yield replacement(diagnostic, digits[0] if digits else "1")


@fixes_for(messages.NAME_TAKEN)
def _rename(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Give a name that is taken another form."""
    name = underlined_text(diagnostic, lines)
    yield replacement(diagnostic, f"other {name}", titles.CALL_IT(name=f"other {name}"))


# ── whole sentences ──


@fixes_for(messages.LET_SOMEBODY_ACT)
def _wrap_in_each_seat(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Put a sentence inside 'each seat'."""
    first = diagnostic.place.line
    item = re.match(r"(\s*)- (?=\S)", lines[first - 1])
    if item is None:
        return
    indent, last = len(item[1]), first
    while last < len(lines) and lines[last].strip() and indent_of(lines[last]) > indent:
        last += 1
    body = [f"{' ' * 4}{other}" for other in lines[first - 1 : last]]
    new = "\n".join([f"{item[1]}- each seat:", *body])
    yield Fix(titles.LET_SEATS_DO_IT(), (first, 1), (last, len(lines[last - 1]) + 1), new)


# ── declarations ──


@fixes_for(messages.HOLDS_OTHERS)
def _widen_zone(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Let a zone hold further kinds; or delete a sentence that moves something other than pieces."""
    held_kinds, given_kinds = (wording[slot] for slot in ("held_kinds", "given_kinds"))
    assert isinstance(held_kinds, tuple) and isinstance(given_kinds, tuple)
    if not given_kinds:
        yield from sentence_deletions(diagnostic, lines)
        return
    zone, kinds = wording.text_of("zone"), ", ".join(map(str, dict.fromkeys((*held_kinds, *given_kinds))))
    holds = rf"(?:^\s+|[{{,] ){re.escape(zone)}: *\{{[^}}]*?holds: *([^,}}\[]+)"
    for number, line in enumerate(lines, 1):
        if match := re.search(holds, line):
            start, end = (number, match.start(1) + 1), (number, match.end(1) + 1)
            yield Fix(titles.LET_ZONE_HOLD(zone=zone, kinds=kinds), start, end, f"[{kinds}]")
            return


@fixes_for(messages.NAME_DIRECTIONS)
def _name_directions(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Add names of directions to a board."""
    path, entry = ("boards", wording.text_of("board")), "directions: direction"
    yield from line_edits(titles.ADD(entry=entry), lines, lines_with(lines, path, [entry]))


@fixes_for(messages.EVERY_HAS_ONE)
def _add_counter(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Add a counter of this name to the kind of piece, or to the seats, that lack it."""
    owner, entry = diagnostic.problem["owner"], f"{diagnostic.problem.text_of('name')}: no"
    if isinstance(owner, Wording) and owner.template in (A, AN, messages.A_SEAT):
        name = "seat" if owner.template == messages.A_SEAT else owner.text_of("noun")
        yield from line_edits(titles.ADD(entry=entry), lines, lines_with(lines, ("counters", name), [entry]))


@fixes_for(messages.NO_GROUP_FIGURE)
def _add_group_figure(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Add a term of this name that tests a set of cards."""
    entry = f"{wording.text_of('name')}: {{for: {{those: cards}}, is: number of those is 2}}"
    yield from line_edits(titles.ADD(entry=entry), lines, lines_with(lines, ("terms", "game"), [entry]))


@fixes_for(messages.DECLARE_UNDER_SEAT)
def _move_under_seat(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Move a value from the game to each seat."""
    if path := path_at(lines, diagnostic.place):
        new = lines_with_moved(lines, ("values", "game", path[-1]), ("values", "seat"))
        yield from line_edits(titles.LET_SEATS_HAVE_IT(), lines, new)


@fixes_for(messages.CASE_MISSING)
def _add_case(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Add a case, or an `otherwise`, with the value of the last case."""
    number, column = diagnostic.place.line, diagnostic.place.column
    if cases := re.search(r"(?<=: )([^,:{}]+)\}", lines[number - 1][column:]):
        for name in (wording.text_of("case"), "otherwise"):
            entry = f"{name}: {cases[1].strip()}"
            yield insertion(number, column + cases.end(1) + 1, f", {entry}", titles.ADD(entry=entry))


@fixes_for(messages.TELL_KINDS_APART)
def _complete_noun(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Add all attributes to a kind's noun, so that pieces have different names."""
    line, number = lines[diagnostic.place.line - 1], diagnostic.place.line
    has = names_below(lines, "pieces", underlined_text(diagnostic, lines), "has")
    if has and (noun := re.search(r"noun: *(\"[^\"]*\")", line)):
        new = '"' + " ".join(f"{{{name}}}" for name in has) + '"'
        yield Fix(titles.SAY_TEXT(text=new), (number, noun.start(1) + 1), (number, noun.end(1) + 1), new)


@fixes_for(messages.STEP_GIVES_NOTHING, messages.RESULT_NOT_DECLARED)
def _add_result(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Declare the result that a step gives."""
    for number, line in enumerate(lines, 1):
        if (begins := re.match(rf"(\s+){re.escape(wording.text_of('step'))}:\s*", line)) is None:
            continue
        value, place = line[begins.end() :], (number, begins.end() + 1)
        if value.startswith("{"):
            yield insertion(number, begins.end() + 2, "gives: number, ", titles.ADD(entry="gives: number"))
        elif value:
            new = f"{{gives: number, do: {value.rstrip()}}}"
            yield Fix(titles.ADD(entry="gives: number"), place, (number, len(line) + 1), new)
        else:
            yield from line_edits(
                titles.ADD(entry="gives: number"), lines, as_entries(lines, number, ["gives: number"])
            )
        return
