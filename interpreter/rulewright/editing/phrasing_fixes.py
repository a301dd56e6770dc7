"""Fixes of unreadable sentences: words and signs of other languages, colons and quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.base.wording import Wording
from rulewright.editing import messages as titles
from rulewright.editing.edits import insertion, names_below, replacement, underlined_text
from rulewright.editing.fix_registry import fixes_for
from rulewright.syntax import messages

_EARNED = {"gain": [("add", "to")], "get": [("add", "to")], "lose": [("take", "from")], "pay": [("take", "from")]}
"""Verb of getting or paying -> statement, and the word between amount and counter."""
_VERBS = {
    "mix": ("shuffle",), "draw": ("move",), "put": ("move",), "lay": ("move",), "deal": ("move",), "place": ("move",),
    "discard": ("move",), "pick": ("choose",), "select": ("choose",),
    "remove": ("take", "move"), "throw": ("roll",), "reveal": ("show",), "exchange": ("swap",), "stop": ("end game",),
    "increase": ("add",), "decrease": ("take",), "play": ("do", "move"), "while": ("repeat while",),
}  # fmt: skip
"""Verb that is no word of the language -> those that may have been meant."""
_NAME = r"[^\W\d_][\w ]*?"
"""Pattern of a name in a sentence."""


@fixes_for(messages.NO_FULL_STOP)
def _delete_full_stop(diagnostic: Diagnostic, _: Wording, __: Sequence[str]) -> Iterator[Fix]:
    yield replacement(diagnostic, "", titles.DELETE_FULL_STOP())


@fixes_for(messages.NO_QUOTES, messages.NO_QUOTES_BUT_OWNER, messages.NO_BRACES)
def _unquote(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Take a name out of quotes or braces."""
    place, line, mark = diagnostic.place, lines[diagnostic.place.line - 1], underlined_text(diagnostic, lines)[:1]
    end = line.find("}" if mark == "{" else mark, place.column)
    if end > 0:
        inside = line[place.column : end]
        yield Fix(titles.SAY(words=inside), (place.line, place.column), (place.line, end + 2), inside)


@fixes_for(messages.COLON_BEFORE)
def _add_colon(diagnostic: Diagnostic, hint: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    place = diagnostic.place
    start = lines[place.line - 1].rfind(f" {hint['words']}", 0, place.column + place.length)
    if start > 0:
        yield insertion(place.line, start + 1, ":", titles.ADD_COLON())


@fixes_for(messages.SAY_WHAT_IS_EMPTY)
def _name_zone(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Suggest zones for a set that must be empty."""
    place, line = diagnostic.place, lines[diagnostic.place.line - 1]
    for empty in re.finditer(r"(\w+) where ((?:not )?empty)", line):
        for zone in names_below(lines, "zones"):
            if "of" in names_below(lines, "zones", zone):
                new = f"any {empty[1].removesuffix('s')} has ({zone} is {empty[2]})"
                yield Fix(titles.SAY(words=new), (place.line, empty.start() + 1), (place.line, empty.end() + 1), new)


@fixes_for(messages.NO_SUCH_BEGINNING)
def _replace_verb(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Suggest another verb for a sentence, or a log line."""
    place, line, verb = diagnostic.place, lines[diagnostic.place.line - 1], problem.text_of("word")
    line_end = (place.line, len(line) + 1)
    for other, link in _EARNED.get(verb, ()):
        for counter in names_below(lines, "counters", "seat")[:1]:
            new = f"{other}{line[place.column - 1 + place.length :].rstrip()} {link} {counter}"
            yield Fix(titles.SAY(words=new), (place.line, place.column), line_end, new)
    yield from (replacement(diagnostic, other) for other in _VERBS.get(verb, ()))
    rest = line[place.column - 1 :].strip().capitalize().removesuffix(".") + "."
    log_entry = 'log: "' + rest.replace("\\", "").replace('"', "'") + '"'
    yield Fix(titles.ONLY_TELL_IT(), (place.line, place.column), line_end, log_entry)


@fixes_for(messages.CANNOT_READ)
def _replace_equals_sign(diagnostic: Diagnostic, problem: Wording, _: Sequence[str]) -> Iterator[Fix]:
    if problem["given"] == "=":
        yield replacement(diagnostic, "is")


@fixes_for(
    messages.CANNOT_READ,
    messages.UNEXPECTED,
    messages.ENDS_TOO_EARLY,
    messages.NO_SUCH_BEGINNING,
    messages.LOG_WITHOUT_COLON,
)
def _rewrite_line(diagnostic: Diagnostic, _: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Rewrite an assignment of other languages as a sentence, or put a log's text in quotes."""
    line, number = lines[diagnostic.place.line - 1], diagnostic.place.line
    if changed := re.fullmatch(r"(\s*(?:- +)*)([^\W\d][\w ]*?) *(\+=|-=|=) *(.+)", line):
        words = {"+=": "add {what} to {name}", "-=": "take {what} from {name}", "=": "set {name} to {what}"}
        new = words[changed[3]].format(name=changed[2], what=changed[4])
        yield Fix(titles.SAY(words=new), (number, changed.end(1) + 1), (number, len(line) + 1), new)
    if logged := re.fullmatch(r"(\s*(?:- +)*)log ([^:\"].*)", line):
        new = 'log: "' + logged[2].replace('"', '\\"') + '"'
        yield Fix(titles.ADD_COLON_AND_QUOTES(), (number, logged.end(1) + 1), (number, len(line) + 1), new)
