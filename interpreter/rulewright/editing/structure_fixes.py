"""Fixes of structure: missing or misplaced entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.editing.edits import (
    EntryPath,
    Mend,
    added,
    block_end,
    deleted,
    indent_of,
    inserted,
    moved,
    path_at,
    rewritten,
    text_of_entry,
    whole_line,
    written,
)


def _entry_named(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Add an entry where the hint says."""
    owner = entry = ""
    if match := re.match(r"Say which counts: '(overrules: [^']+)' in '([^']+)'", diagnostic.hint):
        entry, owner = match.groups()
        path = ("options", owner)
    elif match := re.match(r"Name them: '(directions: \w+)', below the board '([^']+)'", diagnostic.hint):
        entry, owner = match.groups()
        path = ("boards", owner)
    elif match := re.match(
        r"An? (\w+) has no '([^']+)'\. Every \w+ has one", f"{diagnostic.message} {diagnostic.hint}"
    ):
        entry, path = f"{match[2]}: no", ("counters", match[1])
    elif match := re.search(r"There is no yes/no figure '([^']+)' that is told 'for' a set", diagnostic.message):
        entry, path = f"{match[1]}: {{for: {{those: cards}}, is: number of those is 2}}", ("terms", "game")
    if entry:
        yield from rewritten(f"Add '{entry}'", lines, added(lines, path, [entry]))


def _giving(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Add what a step gives."""
    if match := re.match(r"The step '([^']+)' (?:gives nothing|does not say)", diagnostic.message):
        for number, line in enumerate(lines, 1):
            if (begins := re.match(rf"(\s+){re.escape(match[1])}:\s*", line)) is None:
                continue
            value, place = line[begins.end() :], (number, begins.end() + 1)
            if value.startswith("{"):
                yield inserted(number, begins.end() + 2, "gives: number, ", "Add 'gives: number'")
            elif value:
                yield Fix(
                    "Add 'gives: number'", place, (number, len(line) + 1), f"{{gives: number, do: {value.rstrip()}}}"
                )
            else:
                yield from rewritten("Add 'gives: number'", lines, _as_entries(lines, number, ["gives: number"]))
            return


def _as_entries(lines: Sequence[str], number: int, entries: Sequence[str]) -> list[str]:
    """Return a step's lines with further entries before its sentences."""
    last, indent = block_end(lines, number), indent_of(lines[number - 1]) + 2
    below, pad = list(lines[number:last]), " " * indent
    if next((line for line in below if line.strip()), "").lstrip().startswith("- "):
        less = indent + 2 - indent_of(below[0])
        below = [f"{pad}do:", *(" " * less + line for line in below)]
    return [*lines[:number], *(pad + entry for entry in entries), *below, *lines[last:]]


def _moved(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Move an entry to the right section."""
    path = path_at(lines, diagnostic.place)
    if path is None:
        return
    if diagnostic.code == "nothing-to-change" and path[0] == "change":
        yield from rewritten("Move it out of 'change'", lines, moved(lines, path, path[1:-1]))
    elif diagnostic.code == "already-there":
        yield from rewritten("Move it under 'change'", lines, moved(lines, path, ("change", *path[:-1])))
    elif "Declare the value under 'seat'" in diagnostic.hint:
        yield from rewritten(
            "Let every seat have it", lines, moved(lines, ("values", "game", path[-1]), ("values", "seat"))
        )
    elif "First comes whose figures they are" in diagnostic.hint:
        for owner in ("game", "seat"):
            within = moved(lines, path, (path[0], owner))
            yield from rewritten(f"Let the {owner} have it", lines, within or _within(lines, path, owner))


def _within(lines: Sequence[str], path: EntryPath, owner: str) -> list[str] | None:
    entry, rest = text_of_entry(lines, path), deleted(lines, path)
    return None if entry is None or rest is None else added(rest, (*path[:-1], owner), entry)


def _among(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Suggest the existing names."""
    line, number = lines[diagnostic.place.line - 1], diagnostic.place.line
    if diagnostic.message.startswith("'among' is missing"):
        end = diagnostic.place.column - 1 + diagnostic.place.length
        if inside := re.match(r" *: *\{.*(?=\})", line[end:]):
            yield inserted(number, end + inside.end() + 1, f", among: {{first: {_BRANCH}}}", "Add 'among'")
        elif re.match(r" *: *$", line[end:]):
            below = lines[number] if number < len(lines) else ""
            indent = " " * max(indent_of(below), indent_of(line) + 2)
            new = f"\n{indent}among:\n{indent}  first: {_BRANCH}"
            yield inserted(number, len(line) + 1, new, "Add 'among'")


def _sentence_apart(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Fix a step or sentence that was read as a key."""
    known, path = diagnostic.hint.removeprefix("Known here: ").split(", "), path_at(lines, diagnostic.place)
    if "steps" in known and "do" in known and path:
        yield from rewritten("Put it under 'steps'", lines, _within(lines, path, "steps"))
    elif diagnostic.message.startswith("Nothing can stand below this sentence"):
        pad = " " * max(0, diagnostic.place.column - 3)
        yield whole_line(diagnostic, lines, f"{pad}- {written(diagnostic, lines)}", "Make it a sentence of its own")


def _ending(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Add a sentence that ends the game, as in the hint, or one that writes to the log."""
    number = diagnostic.place.line
    line = lines[number - 1]
    if diagnostic.code == "no-end" and (match := re.search(r"such as '([^']+)'", diagnostic.hint)):
        last, item = block_end(lines, number), re.match(r"\s*", line)
        assert item is not None
        yield inserted(last, len(lines[last - 1]) + 1, f"\n{item[0]}- {match[1]}", f"Add '{match[1]}'")
    elif (
        diagnostic.code == "nothing-here"
        and _SENTENCES_EXPECTED.search(diagnostic.message)
        and line.rstrip().endswith(":")
    ):
        new = f"\n{' ' * (indent_of(line) + 2)}- log: Here something happens."
        yield inserted(number, len(line) + 1, new, "Add a sentence")


def _ask(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    line = lines[diagnostic.place.line - 1].rstrip()
    end = (diagnostic.place.line, len(line) + 1)
    begins = re.match(r"\s*(?:- +)*", line)
    if begins and begins.end() == diagnostic.place.column - 1:
        colon = "" if line.endswith(":") else ":"
        new = f"{colon}\n{' ' * (begins.end() + 2)}ask: What do you choose?"
        yield Fix("Add what is asked", end, end, new)


def _text(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Add a missing text."""
    line = lines[diagnostic.place.line - 1]
    if line.rstrip().endswith(":") and not line.lstrip().startswith("- ") and diagnostic.place.line < len(lines):
        new_lines = _as_entries(lines, diagnostic.place.line, ["text: Say here what happens."])
        if lines[diagnostic.place.line].lstrip().startswith("- "):
            yield from rewritten("Add a text", lines, new_lines)
            return
    yield from _below(diagnostic, lines, "text", "Say here what happens.", "Add a text")


def _missing(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Add a required key with a possible value."""
    key = re.match(r"'([^']+)' is missing( in )?", diagnostic.message)
    if key is None:
        return
    value = _USUAL.get(key[1])
    if value is None:
        return
    if key[2]:
        yield from _below(diagnostic, lines, key[1], value, f"Add '{key[1]}'")
    else:
        end = (len(lines), len(lines[-1]) + 1)
        begin = "" if not lines[-1] else "\n"
        yield Fix(f"Add '{key[1]}'", end, end, f"{begin}{key[1]}:{'' if value.startswith(chr(10)) else ' '}{value}\n")


def _below(diagnostic: Diagnostic, lines: Sequence[str], key: str, value: str, title: str) -> Iterator[Fix]:
    """Add an entry to a named item: in its braces, or on a line of its own."""
    place, line = diagnostic.place, lines[diagnostic.place.line - 1]
    end = place.column - 1 + place.length
    if inside := re.match(r" *: *\{", line[end:]):
        insertion_point = (place.line, end + inside.end() + 1)
        empty = line[end + inside.end() :].lstrip().startswith("}")
        yield Fix(title, insertion_point, insertion_point, f"{key}: {value}" + ("" if empty else ", "))
    elif re.match(r" *: *$", line[end:]) and not line.lstrip().startswith("- "):
        below = next((other for other in lines[place.line :] if other.strip()), "")
        indent = indent_of(below) if indent_of(below) > indent_of(line) else indent_of(line) + 2
        if below.lstrip().startswith("- ") and indent_of(below) > indent_of(line):
            return  # a list has no entries
        insertion_point = (place.line, len(line) + 1)
        yield Fix(title, insertion_point, insertion_point, f"\n{' ' * indent}{key}: {value}")


_SENTENCES_EXPECTED = re.compile(r"expected a sentence\b")
_BRANCH = "{text: Do nothing., do: []}"
_USUAL = {
    "players": "2 to 4", "title": "My game", "rulewright": "1", "ranking": "highest score",
    "phases": "\n  play:\n    do:\n      - end game", "seen by": "all", "starts in": "deck", "points": "1",
    "ask": "What do you choose?", "edition": "my-game.yaml", "phase": "play", "do": "[end game]",
}  # fmt: skip
STRUCTURE_FIXES: dict[str, tuple[Mend, ...]] = {
    "missing-key": (_missing, _among), "no-ask": (_ask,), "untold": (_text,),
    "conflict": (_entry_named,), "type": (_entry_named,), "unknown-name": (_entry_named,), "nothing-given": (_giving,),
    "wrong-value": (_moved,), "nothing-to-change": (_moved,), "already-there": (_moved,), "owner": (_moved,),
    "unknown-key": (_sentence_apart,), "no-end": (_ending,),
    "nothing-here": (_ending,),
}  # fmt: skip
