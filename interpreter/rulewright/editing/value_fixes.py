"""What mends a value or a name: another one, as it should be written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.editing.edits import (
    Mend,
    deleted,
    inserted,
    instead,
    names_below,
    path_at,
    rewritten,
    text_of_entry,
    written,
)

_EXPECTED = re.compile(r"Expected ((?:[a-z]+(?: \([^)]*\))?, )*[a-z]+(?: \([^)]*\))? or [a-z]+)(?: \([^)]*\))?, not ")


_LIMITS = re.compile(r"Expected a (?:whole number from|number of copies,) (\d+) to (\d+), not '(-?\d+)'")


def _values(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    place, line = found.place, lines[found.place.line - 1]
    text = line[place.column - 1 : place.column - 1 + place.length]
    if expected := _EXPECTED.match(found.message):
        words = re.split(r", | or ", re.sub(r" \([^)]*\)", "", expected[1]))
        yield from (instead(found, word) for word in words)
    if size := re.fullmatch(r"(\d+)\s*[x×*]\s*(\d+)", text):
        yield instead(found, f"{size[1]} by {size[2]}")
    if "a span such as" in found.message and (span := re.fullmatch(r"\[?(\d+)(?:, *|-|–|\.\.)(\d+)\]?", text)):
        yield instead(found, f"{span[1]} to {span[2]}")
    if limits := _LIMITS.match(found.message):
        least, most, given = map(int, limits.groups())
        yield instead(found, str(min(max(given, least), most)))
    elif found.message.startswith(("Expected a whole number", "Expected a number of")):
        digits = re.findall(r"\d+", text) or [_NUMBERS[text]] if text in _NUMBERS or re.search(r"\d", text) else ["1"]
        yield instead(found, "2 to 4" if "a span such as" in found.message else digits[0])
    if found.message.startswith("Expected 1, the version"):
        yield instead(found, "1")
    if found.code == "wrong-shape" and (one := re.fullmatch(r"\[([^,\[\]]+)\]", text)):
        yield instead(found, one[1].strip())
    if found.message.startswith("A counter starts at"):
        rounded = [f"{float(text):.2f}"] if re.fullmatch(r"\d+\.\d{3,6}", text) else []
        yield from (instead(found, new) for new in (*rounded, "0", "no", "seat"))


def _tab(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    line = lines[found.place.line - 1]
    spaced = re.sub(r"^[ \t]+", lambda blank: blank[0].replace("\t", "  "), line).replace("\t", " ")
    yield Fix("Put spaces for tabs", (found.place.line, 1), (found.place.line, len(line) + 1), spaced)


def _escaped(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    place, line = found.place, lines[found.place.line - 1]
    text = line[place.column - 1 : place.column - 1 + place.length]
    yield instead(found, "\\" + text, "Write a backslash")


def _otherwise(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    place, line = found.place, lines[found.place.line - 1]
    end = place.column - 1 + place.length
    if (told := re.search(r"'otherwise: (\S+)'", found.hint)) and line[end - 1 : end] == "}":
        yield Fix(f"Add 'otherwise: {told[1]}'", (place.line, end), (place.line, end), f", otherwise: {told[1]}")


def _case(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    line, number = lines[found.place.line - 1], found.place.line
    if (missing := re.match(r"There is no case for (.+) here", found.message)) and (
        cases := re.search(r"(?<=: )([^,:{}]+)\}", line[found.place.column :])
    ):
        at = found.place.column + cases.end(1) + 1
        for name in (missing[1], "otherwise"):
            yield inserted(number, at, f", {name}: {cases[1].strip()}", f"Add '{name}: {cases[1].strip()}'")


def _renamed(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Another name for what is called as something else is."""
    if re.match(_TAKEN, found.message):
        name = written(found, lines)
        if found.place.column > 1 or found.code != "duplicate-key":
            yield instead(found, f"other {name}", f"Call it 'other {name}'")


def _told_apart(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """A noun that says all that a piece has, a zone that holds what is moved there, marks without words."""
    line, number = lines[found.place.line - 1], found.place.line
    if found.hint.startswith("Give the kinds nouns"):
        has = names_below(lines, "pieces", written(found, lines), "has")
        if has and (noun := re.search(r"noun: *(\"[^\"]*\")", line)):
            new = '"' + " ".join(f"{{{name}}}" for name in has) + '"'
            yield Fix(f"Say {new}", (number, noun.start(1) + 1), (number, noun.end(1) + 1), new)
    elif held := re.match(r"'([^']+)' holds .*\((.+)\); this is a set of pieces \((.+)\)", found.message):
        kinds = ", ".join(dict.fromkeys(re.split(r", | or ", f"{held[2]}, {held[3]}")))
        holds = rf"(?:^\s+|[{{,] ){re.escape(held[1])}: *\{{[^}}]*?holds: *([^,}}\[]+)"
        for at, other in enumerate(lines, 1):
            if zone := re.search(holds, other):
                title, first, last = f"Let '{held[1]}' hold {kinds}", (at, zone.start(1) + 1), (at, zone.end(1) + 1)
                yield Fix(title, first, last, f"[{kinds}]")
                return
    elif found.hint in ("Leave out 'for'.", "Keep it for each word that the pieces have."):
        path = path_at(lines, found.place)
        entry = (text_of_entry(lines, path) if path else None) or []
        if path and len(entry) == 1:
            column = line.find(entry[0]) + 1
            yield Fix("Make it a number", (number, column), (number, column + len(entry[0])), f"{path[-1]}: 0")


def _drawn(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    line = lines[found.place.line - 1]
    if found.message.startswith("A map has at least one space") and (map_ := re.search(r"(map: *['\"]?)([. ]+)", line)):
        new = map_[1] + map_[2].replace(".", "o")
        yield Fix(
            "Make its points spaces", (found.place.line, map_.start() + 1), (found.place.line, map_.end() + 1), new
        )


def _in_brackets(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """A comma between two entries, quotes around braces, a bracket for a list."""
    line, number, at = lines[found.place.line - 1], found.place.line, found.place.column - 1
    if found.code == "unclosed-bracket" and found.message.startswith("The '['") and line[at] == "[":
        end = re.compile(r"[^,}\]]*").match(line, at + 1)
        if end:
            yield inserted(number, end.end() + 1, "]", "Add the ']'")
    if found.code != "bad-brackets":
        return
    if entry := re.search(r": ([\w]+)( [\w ]+)$", line[:at]):
        yield inserted(number, entry.end(1) + 1, ",", "Add a comma")
    if braces := re.search(r".*: (\{[^{}]*\}.*)$", line[: line.rstrip().rfind("}")]):
        text = braces[1].replace('"', "'")
        yield Fix("Put it in quotes", (number, braces.start(1) + 1), (number, braces.end(1) + 1), f'"{text}"')


def _unasked(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """An attribute that nothing asks for, taken from all that have it."""
    if named := re.match(r"Nothing asks for the '([^']+)' of '([^']+)'", found.message):
        path, less = path_at(lines, found.place), list(lines)
        for word in names_below(lines, *map(str, path[:-2])) if path else ():
            assert path is not None
            less = deleted(less, (*path[:-2], word, named[1]), emptied=True) or less
        yield from rewritten("Delete it everywhere", lines, less)


_TAKEN = (
    r"'[^']+' is (?:the name of|declared already)|There is a step|'[^']+' stands here already"
    r"|'[^']+' does not hold the same"
)
_NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "ten": "10", "twelve": "12"}
VALUE_FIXES: dict[str, tuple[Mend, ...]] = {
    "tab": (_tab,), "wrong-value": (_values,), "wrong-shape": (_values,), "bad-escape": (_escaped,),
    "table": (_otherwise,), "case-missing": (_case,), "type": (_values, _told_apart, _renamed), "board": (_drawn,),
    "name-taken": (_renamed,), "name-twice": (_renamed, _told_apart), "duplicate-key": (_renamed,),
    "zone-does-not-hold": (_told_apart,), "bad-brackets": (_in_brackets,), "unclosed-bracket": (_in_brackets,),
    "unused": (_unasked,),
}  # fmt: skip
