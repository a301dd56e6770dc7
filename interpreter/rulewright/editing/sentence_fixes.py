"""Fixes of sentences: other words for a misused figure, counter or set of pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.editing.edits import (
    Mend,
    deleted,
    indent_of,
    instead,
    names_below,
    path_at,
    rewritten,
    written,
)


def _acting(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Fix a sentence inside 'each seat'."""
    line = lines[diagnostic.place.line - 1]
    item = re.match(r"(\s*)- (?=\S)", line)
    if item is None or not diagnostic.hint.startswith("Let somebody act"):
        return
    indent, last = len(item[1]), diagnostic.place.line
    while last < len(lines) and lines[last].strip() and indent_of(lines[last]) > indent:
        last += 1
    body = [f"{' ' * 4}{other}" for other in lines[diagnostic.place.line - 1 : last]]
    new = "\n".join([f"{item[1]}- each seat:", *body])
    yield Fix("Let every seat do it", (diagnostic.place.line, 1), (last, len(lines[last - 1]) + 1), new)


def _number(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Turn a number into a condition, or a fraction into a whole number."""
    place, line = diagnostic.place, lines[diagnostic.place.line - 1]
    expression = line[place.column - 1 : place.column - 1 + place.length]
    if "'… is more than 0'" in diagnostic.hint and not expression.isdigit():
        yield instead(diagnostic, f"{expression} is more than 0")
    elif diagnostic.hint.startswith("Round it"):
        yield instead(diagnostic, f"({expression} / 1 rounded down)", "Round it down")
        yield instead(diagnostic, f"({expression} / 1 rounded up)", "Round it up")


def _reworded(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Replace words in the diagnostic's line, by its message."""
    place, line = diagnostic.place, lines[diagnostic.place.line - 1]
    first, last = place.column - 1, place.column - 1 + place.length
    for message_pattern, old, *others in _REWORDED:
        if (match := re.search(message_pattern, f"{diagnostic.message} {diagnostic.hint}")) is None:
            continue
        for stretch in re.finditer(old, line):
            if stretch.start() <= last and stretch.end() >= first:
                for other in others:
                    template = other.format(*(group.replace("\\", "") for group in match.groups() if group))
                    new = re.sub(r"\\(\d)", partial(_group_of, stretch), template)
                    title = f"Say '{new.strip()}'" if new.strip() else f"Delete '{stretch[0].strip()}'"
                    yield Fix(title, (place.line, stretch.start() + 1), (place.line, stretch.end() + 1), new)


def _group_of(match: re.Match[str], reference: re.Match[str]) -> str:
    """Return the group of a match to which a template refers by its number."""
    return str(match[int(reference[1])])


_NAME = r"[^\W\d_][\w ]*?"
_REWORDED: tuple[tuple[str, ...], ...] = (
    # message pattern, with {0}, {1} for its groups; pattern in the line; replacement
    (r"Say which of them, as in 'roll ([\w ]+) in …'", r"\broll ([\w ]+)$", r"roll {0} in \1"),
    (r"The boards have spaces called '([\w ]+)'", r"(?<=longest line of )[\w ]+|(?<=neighbours of )[\w ]+", "{0}"),
    (r"The boards have spaces called '([\w ]+)'", r"(?<=and )[\w ]+|(?<=connected to )[\w ]+", "a1"),
    (r"'end step' stands in a step; this is a phase", r"end step", "end phase"),
    (r"A step cannot end the loop in which it is done", r"end loop", "end step"),
    (r"One of the two must be a whole number", r"([\w']+) ([*/]) ([\d.]+)", r"(\1 / 1 rounded down) \2 \3"),
    (r"one thing, of which there is no \w+", rf"\b((?:first|last|top|bottom) \w+ of {_NAME})(?='s )", r"(\1)"),
    (r"Say 'number of [\w ]+ in …'", rf"each ({_NAME} in {_NAME}):", r"repeat (number of \1) times:"),
    (r"'set … to nothing' empties it", r"(?<=\bto )\S+$", "nothing"),
    (r"It holds a list: 'add … to end of …'", rf"(?<=\badd )({_NAME}) to (?=[\w ]+$)", r"\1 to end of "),
    (r"It holds a list: 'add … to end of …'", rf"(?<=\btake ){_NAME} from ({_NAME})$", r"first 1 of \1 as taken"),
    (r"so it is on no side", rf"\bmy (?={_NAME})", ""),
    (r"so it is on no side", r" of (?:seats|opponents)", ""),
    (r"A position is what lies in the zones", r"(?<=position of )[\w ]+", "seats"),
    (r"Whoever acts is '(you)'", r"\bme\b", "{0}"),
    (r"by their side: '… (where [^']+'s [\w]+)'", r"of \w+", r"{0}"),
    (r"What a seat plays is said with its name", r"(?<=\bset )(?=\w)", "my "),
    (r"ask: 'repeat … times'|say 'repeat … times'", r"\brepeat while [^:]+", "repeat 2 times"),
    (r"what the pieces in '([^']+)' show", r"(?:total|highest|lowest) [\w ]+? of [\w ]+", "number of {0}"),
    (r"Tell how many they are, \{(number of [^}]+)\}", r"(?<=\{)[^{}]+(?=\})", "{0}"),
    (r"so say whose: as in ([^,]+), or (its [^.]+)\.", r"(?<=set )[\w ]+?(?= to)", "{0}", "{1}"),
    (
        r"Pieces are moved: 'move … to …'",
        rf"\badd (?:total|number) [\w ]*?of ({_NAME}) to ({_NAME})$",
        r"move \1 to \2",
    ),
    (r"This is always true", r"(?<=- )if [^:]+: (?=\S)", ""),
)


def _whole(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Delete a sentence that has no effect, or never can."""
    if re.search(_IN_VAIN, f"{diagnostic.message} {diagnostic.hint}"):
        path = path_at(lines, diagnostic.place)
        items = [at for at, step in enumerate(path or (), 1) if isinstance(step, int)]
        if path and items:
            yield from rewritten("Delete the sentence", lines, deleted(lines, path[: items[-1]]))
        elif path:
            yield from rewritten("Delete it", lines, deleted(lines, path))


_IN_VAIN = (
    r"stands in a step; this is a phase|Nobody can drop out here|Inside 'at once' nobody can end|says nothing to do"
    r"|This does itself|This is never true|Options, roles and powers change values"
    r"|holds .*; this is a set of (?:seats|words)|Nothing can come of it"
)


def _word_of(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Suggest a word of the expected list, yes or no, or a list."""
    if listed := re.match(r"Expected a word of '([^']+)' here", diagnostic.message):
        yield from (instead(diagnostic, word) for word in names_below(lines, "words", listed[1])[:_MOST_CHOICES])
    elif (
        amounts := re.search(r"this is amounts of '([^']+)'", diagnostic.message)
    ) and "Say 'for' which of its words" in diagnostic.hint:
        for word in names_below(lines, "words", amounts[1])[:_MOST_CHOICES]:
            yield instead(
                diagnostic, written(diagnostic, lines).replace(" of ", f" for {word} of ", 1), f"Say 'for {word}'"
            )
    elif known := re.match(r"'([^']+)' is known, so what is", diagnostic.hint):
        yield instead(diagnostic, known[1])
    elif (
        diagnostic.message.startswith("Expected yes or no here; this is a number")
        and written(diagnostic, lines).isdigit()
    ):
        yield from (instead(diagnostic, word) for word in ("yes", "no"))
    elif diagnostic.message.startswith(("Expected a list here", "What is taken out is the first")):
        lists = re.findall(rf"({_NAME}): \{{(?:[^{{}}]*, )?list of:", "\n".join(lines))
        is_question = diagnostic.message.startswith("What")
        yield from (
            instead(diagnostic, f"first 1 of {name}" if is_question else name) for name in lists[:_MOST_CHOICES]
        )


_MOST_CHOICES = 6
SENTENCE_FIXES: dict[str, tuple[Mend, ...]] = {
    "nobody-acts": (_acting,), "type": (_word_of, _number), "unknown-name": (_word_of,),
}  # fmt: skip
BY_WORDS: tuple[Mend, ...] = (_reworded, _whole)
