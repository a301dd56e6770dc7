"""What mends where something stands: what is missing, or is in the wrong place."""

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


def _entry_named(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """An entry more, of which the hint says where."""
    owner = entry = ""
    if named := re.match(r"Say which counts: '(overrules: [^']+)' in '([^']+)'", found.hint):
        entry, owner = named.groups()
        path = ("options", owner)
    elif named := re.match(r"Name them: '(directions: \w+)', below the board '([^']+)'", found.hint):
        entry, owner = named.groups()
        path = ("boards", owner)
    elif named := re.match(r"An? (\w+) has no '([^']+)'\. Every \w+ has one", f"{found.message} {found.hint}"):
        entry, path = f"{named[2]}: no", ("counters", named[1])
    elif named := re.search(r"There is no yes/no figure '([^']+)' that is told 'for' a set", found.message):
        entry, path = f"{named[1]}: {{for: {{those: cards}}, is: number of those is 2}}", ("terms", "game")
    if entry:
        yield from rewritten(f"Add '{entry}'", lines, added(lines, path, [entry]))


def _twice(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """A key that YAML drops: without it, or both of the same name in one."""
    number, last = found.place.line, block_end(lines, found.place.line)
    if found.place.column - 1 != indent_of(lines[number - 1]):
        return
    rest = [*lines[: number - 1], *lines[last:]]
    if (first := re.search(r"stands here already, in line (\d+)", found.message)) and last > number:
        behind = block_end(lines, int(first[1]))
        if behind > int(first[1]):
            both = [*rest[:behind], *lines[number:last], *rest[behind:]]
            yield from rewritten("Put both into one", lines, both)
    yield from rewritten("Delete it", lines, rest)


def _giving(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """What a step gives."""
    if named := re.match(r"The step '([^']+)' (?:gives nothing|does not say)", found.message):
        for number, line in enumerate(lines, 1):
            if (begins := re.match(rf"(\s+){re.escape(named[1])}:\s*", line)) is None:
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
    """A step that is a list, or has entries already, with entries more before what it does."""
    last, indent = block_end(lines, number), indent_of(lines[number - 1]) + 2
    below, pad = list(lines[number:last]), " " * indent
    if next((line for line in below if line.strip()), "").lstrip().startswith("- "):
        less = indent + 2 - indent_of(below[0])
        below = [f"{pad}do:", *(" " * less + line for line in below)]
    return [*lines[:number], *(pad + entry for entry in entries), *below, *lines[last:]]


def _moved(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """An entry that stands in the wrong section."""
    path = path_at(lines, found.place)
    if path is None:
        return
    if found.code == "nothing-to-change" and path[0] == "change":
        yield from rewritten("Move it out of 'change'", lines, moved(lines, path, path[1:-1]))
    elif found.code == "already-there":
        yield from rewritten("Move it under 'change'", lines, moved(lines, path, ("change", *path[:-1])))
    elif "Declare the value under 'seat'" in found.hint:
        yield from rewritten(
            "Let every seat have it", lines, moved(lines, ("values", "game", path[-1]), ("values", "seat"))
        )
    elif "First comes whose figures they are" in found.hint:
        for owner in ("game", "seat"):
            within = moved(lines, path, (path[0], owner))
            yield from rewritten(f"Let the {owner} have it", lines, within or _within(lines, path, owner))


def _within(lines: Sequence[str], path: EntryPath, owner: str) -> list[str] | None:
    entry, rest = text_of_entry(lines, path), deleted(lines, path)
    return None if entry is None or rest is None else added(rest, (*path[:-1], owner), entry)


def _among(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """What there is to choose from."""
    line, number = lines[found.place.line - 1], found.place.line
    if found.message.startswith("'among' is missing"):
        end = found.place.column - 1 + found.place.length
        if inside := re.match(r" *: *\{.*(?=\})", line[end:]):
            yield inserted(number, end + inside.end() + 1, f", among: {{first: {_BRANCH}}}", "Add 'among'")
        elif re.match(r" *: *$", line[end:]):
            below = lines[number] if number < len(lines) else ""
            indent = " " * max(indent_of(below), indent_of(line) + 2)
            new = f"\n{indent}among:\n{indent}  first: {_BRANCH}"
            yield inserted(number, len(line) + 1, new, "Add 'among'")


def _sentence_apart(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """A step, or a sentence, that stands where it is taken for a key."""
    known, path = found.hint.removeprefix("Known here: ").split(", "), path_at(lines, found.place)
    if "steps" in known and "do" in known and path:
        yield from rewritten("Put it under 'steps'", lines, _within(lines, path, "steps"))
    elif found.message.startswith("Nothing can stand below this sentence"):
        pad = " " * max(0, found.place.column - 3)
        yield whole_line(found, lines, f"{pad}- {written(found, lines)}", "Make it a sentence of its own")


def _ending(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """A sentence that ends the game, as the hint has it, or one that tells something."""
    number = found.place.line
    line = lines[number - 1]
    if found.code == "no-end" and (said := re.search(r"such as '([^']+)'", found.hint)):
        last, item = block_end(lines, number), re.match(r"\s*", line)
        assert item is not None
        yield inserted(last, len(lines[last - 1]) + 1, f"\n{item[0]}- {said[1]}", f"Add '{said[1]}'")
    elif found.code == "nothing-here" and _SENTENCES_EXPECTED.search(found.message) and line.rstrip().endswith(":"):
        new = f"\n{' ' * (indent_of(line) + 2)}- log: Here something happens."
        yield inserted(number, len(line) + 1, new, "Add a sentence")


def _indented(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """A line that stands too deep."""
    place, line = found.place, lines[found.place.line - 1]
    if above := re.search(r"takes it for more of line (\d+)|stands deeper than line (\d+)", found.message):
        other = lines[int(above[1] or above[2]) - 1].rstrip()
        if above[2]:
            end = (int(above[2]), len(other) + 1)
            yield Fix("Add a colon to the line above", end, end, ":")
        yield Fix("Move it to the left", (place.line, 1), (place.line, indent_of(line) + 1), " " * indent_of(other))
    elif found.hint.startswith("Lines that belong together"):
        before = [number for number in range(1, place.line) if lines[number - 1].strip()]
        own, item = indent_of(line), line.lstrip().startswith("- ")
        beside = [number for number in before if lines[number - 1].lstrip().startswith("- ") == item]
        near = [indent_of(lines[number - 1]) for number in beside[::-1]]
        last = next((number for number in before[::-1] if indent_of(lines[number - 1]) <= own), 0)
        heading = not item and line.rstrip().endswith(":")
        left = next((indent for indent in near if indent < own), None)
        right = own + 4 if not item and last and lines[last - 1].rstrip().endswith(":") else next(iter(near), own)
        for indent in (left, right) if heading else (right, left):
            if indent is not None and indent != own:
                yield from _shifted(place.line, lines, indent)


def _shifted(number: int, lines: Sequence[str], indent: int) -> Iterator[Fix]:
    """A line, with what stands deeper below it, in another column."""
    own = indent_of(lines[number - 1])
    last = number
    while last < len(lines) and lines[last].strip() and indent_of(lines[last]) > own:
        last += 1
    new = [" " * (indent + indent_of(line) - own) + line.lstrip() for line in lines[number - 1 : last]]
    title = f"Move it to the {'left' if indent < own else 'right'}"
    yield from rewritten(title, lines, [*lines[: number - 1], *new, *lines[last:]])


def _ask(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    line = lines[found.place.line - 1].rstrip()
    end = (found.place.line, len(line) + 1)
    begins = re.match(r"\s*(?:- +)*", line)
    if begins and begins.end() == found.place.column - 1:
        colon = "" if line.endswith(":") else ":"
        new = f"{colon}\n{' ' * (begins.end() + 2)}ask: What do you choose?"
        yield Fix("Add what is asked", end, end, new)


def _text(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """A text to be written where one is missing."""
    line = lines[found.place.line - 1]
    if line.rstrip().endswith(":") and not line.lstrip().startswith("- ") and found.place.line < len(lines):
        told = _as_entries(lines, found.place.line, ["text: Say here what happens."])
        if lines[found.place.line].lstrip().startswith("- "):
            yield from rewritten("Add a text", lines, told)
            return
    yield from _below(found, lines, "text", "Say here what happens.", "Add a text")


def _missing(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """A key that is needed, with something that may stand there."""
    key = re.match(r"'([^']+)' is missing( in )?", found.message)
    if key is None:
        return
    value = _USUAL.get(key[1])
    if value is None:
        return
    if key[2]:
        yield from _below(found, lines, key[1], value, f"Add '{key[1]}'")
    else:
        end = (len(lines), len(lines[-1]) + 1)
        begin = "" if not lines[-1] else "\n"
        yield Fix(f"Add '{key[1]}'", end, end, f"{begin}{key[1]}:{'' if value.startswith(chr(10)) else ' '}{value}\n")


def _below(found: Diagnostic, lines: Sequence[str], key: str, value: str, title: str) -> Iterator[Fix]:
    """An entry more in what a name stands for: in its braces, or in a line of its own."""
    place, line = found.place, lines[found.place.line - 1]
    end = place.column - 1 + place.length
    if inside := re.match(r" *: *\{", line[end:]):
        at = (place.line, end + inside.end() + 1)
        empty = line[end + inside.end() :].lstrip().startswith("}")
        yield Fix(title, at, at, f"{key}: {value}" + ("" if empty else ", "))
    elif re.match(r" *: *$", line[end:]) and not line.lstrip().startswith("- "):
        below = next((other for other in lines[place.line :] if other.strip()), "")
        indent = indent_of(below) if indent_of(below) > indent_of(line) else indent_of(line) + 2
        if below.lstrip().startswith("- ") and indent_of(below) > indent_of(line):
            return  # a list, which an entry cannot stand in
        at = (place.line, len(line) + 1)
        yield Fix(title, at, at, f"\n{' ' * indent}{key}: {value}")


_SENTENCES_EXPECTED = re.compile(r"expected a sentence\b")
_BRANCH = "{text: Do nothing., do: []}"
_USUAL = {
    "players": "2 to 4", "title": "My game", "rulewright": "1", "ranking": "highest score",
    "phases": "\n  play:\n    do:\n      - end game", "seen by": "all", "starts in": "deck", "points": "1",
    "ask": "What do you choose?", "edition": "my-game.yaml", "phase": "play", "do": "[end game]",
}  # fmt: skip
STRUCTURE_FIXES: dict[str, tuple[Mend, ...]] = {
    "bad-indentation": (_indented,), "missing-key": (_missing, _among), "no-ask": (_ask,), "untold": (_text,),
    "conflict": (_entry_named,), "type": (_entry_named,), "unknown-name": (_entry_named,), "nothing-given": (_giving,),
    "wrong-value": (_moved,), "nothing-to-change": (_moved,), "already-there": (_moved,), "owner": (_moved,),
    "duplicate-key": (_twice,), "merge-key": (_twice,), "unknown-key": (_sentence_apart,), "no-end": (_ending,),
    "nothing-here": (_ending,),
}  # fmt: skip
