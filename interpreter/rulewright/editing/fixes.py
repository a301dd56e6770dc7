"""What mends a mistake at a touch: the hints of diagnostics, as edits of the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic
from rulewright.base.records import record

_MOST_CHOICES = 6
_INSTEAD = (
    re.compile(r"Did you mean '(?P<new>[^']+)' for '(?P<old>[^']+)'\?"),
    re.compile(r"Did you mean '(?P<new>[^']+)'\?"),
    re.compile(r"\bSay '(?P<new>[^'…]+)'(?:, for example)?[.:]"),
    re.compile(r"\bSay '(?P<new>[^'…]+)' or '(?P<other>[^'…]+)'\."),
    re.compile(r"\bWrite '(?P<new>[^'…]+)'\."),
    re.compile(r"\bWrite (?P<new>\{[^{}…]+\})\."),
    re.compile(r"\bWrite numbers as digits: (?P<new>\d+)\."),
)
_KNOWN = re.compile(r"(?:There are|Known here|Words of '[^']+'): ([^.…]+?)\.?$")
_EXPECTED = re.compile(r"Expected ((?:[a-z]+(?: \([^)]*\))?, )*[a-z]+(?: \([^)]*\))? or [a-z]+)(?: \([^)]*\))?, not ")


@record
class Fix:
    """title: for people; start, end: line and column, counted from 1, of what `new` comes instead of."""

    title: str
    start: tuple[int, int]
    end: tuple[int, int]
    new: str


_Mend = Callable[[Diagnostic, Sequence[str]], Iterator[Fix]]


def fixes(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """The edits that a diagnostic's hint speaks of, the likeliest first. lines: of the file."""
    if not 0 < found.place.line <= len(lines):
        return
    seen: set[tuple[object, ...]] = set()
    for mend in (*_BY_CODE.get(found.code, ()), *_BY_HINT):
        for fix in mend(found, lines):
            if (key := (fix.start, fix.end, fix.new)) not in seen:
                seen.add(key)
                yield fix


def applied(fix: Fix, lines: Sequence[str]) -> str:
    """The text with an edit."""
    (first, start), (last, end) = fix.start, fix.end
    before, after = lines[first - 1][: start - 1], lines[last - 1][end - 1 :] if last <= len(lines) else ""
    return "\n".join([*lines[: first - 1], before + fix.new + after, *lines[last:]])


def _instead(found: Diagnostic, new: str, title: str = "") -> Fix:
    place = found.place
    end = (place.line, place.column + place.length)
    return Fix(title or f"Say '{new}'", (place.line, place.column), end, new)


# ── by what the hint says ──


def _named(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """What was meant."""
    place, line = found.place, lines[found.place.line - 1]
    for pattern in _INSTEAD:
        for hint in pattern.finditer(found.hint):
            parts = hint.groupdict()
            if not (old := parts.get("old")):
                yield from (_instead(found, new) for new in (parts["new"], parts.get("other")) if new)
            elif (start := line.rfind(old, 0, place.column - 1 + place.length)) >= 0:
                end = (place.line, start + 1 + len(old))
                yield Fix(f"Say '{parts['new']}'", (place.line, start + 1), end, parts["new"])
        if pattern.search(found.hint):
            return


def _one_of_few(found: Diagnostic, _: Sequence[str]) -> Iterator[Fix]:
    """What there is, if it is not much."""
    if (known := _KNOWN.search(found.hint)) and found.code in ("unknown-name", "unknown-key", "drawing"):
        names = known[1].split(", ")
        if len(names) <= _MOST_CHOICES:
            yield from (_instead(found, name) for name in names if "…" not in name)


def _quoted(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    line = lines[found.place.line - 1]
    value = re.match(r"\s*(?:- +)*(?:[^\s\"'{\[#][^:]*?: +)?(?=\S)", line)
    if "Put the whole text in quotes" in found.hint and value:
        text = line[value.end() :].rstrip()
        quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        yield Fix("Put it in quotes", (found.place.line, value.end() + 1), (found.place.line, len(line) + 1), quoted)


def _closed(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """What is left open, closed at the end of its line."""
    line = lines[found.place.line - 1]
    end = (found.place.line, len(line.rstrip()) + 1)
    if missing := re.fullmatch(r"Add the '(.)'\.", found.hint):
        yield Fix(f"Add '{missing[1]}'", end, end, missing[1])
    elif found.hint == "Close it at the text's end.":
        mark = line[found.place.column - 1 : found.place.column]
        yield Fix("Close the quotes", end, end, mark)


def _colon(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    place, line = found.place, lines[found.place.line - 1]
    if missing := re.match(r"Is a colon missing before '([^'…]+)'\?", found.hint):
        start = line.rfind(f" {missing[1]}", 0, place.column + place.length)
        if start > 0:
            yield Fix("Add a colon", (place.line, start + 1), (place.line, start + 1), ":")
    elif found.message.startswith("A colon is missing behind this name"):
        end = (place.line, place.column + place.length)
        yield Fix("Add a colon", end, end, ":")


def _deleted(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """An entry or a sentence that is there in vain, with what stands below it."""
    if not re.search(r"\b(?:delete it|leave it out)\b|^Delete it;|^Remove the line", found.hint):
        return
    place, line = found.place, lines[found.place.line - 1]
    if found.code == "control-character":
        yield _instead(found, "", "Delete it")
        return
    begins = re.match(r"\s*(?:- +)?", line)
    if begins is None or begins.end() != place.column - 1:
        yield from _deleted_within(found, line)
        return
    indent, last = len(line) - len(line.lstrip(" ")), place.line
    while last < len(lines) and (not lines[last].strip() or _indent(lines[last]) > indent):
        last += 1
    while not lines[last - 1].strip():
        last -= 1
    beside = [other for other in (*lines[: place.line - 1][::-1], "") if other.strip()][:1], lines[last : last + 1]
    if any(_indent(other[0]) == indent for other in beside if other) or indent == 0:
        yield Fix("Delete it", (place.line, 1), (last + 1, 1), "")


def _deleted_within(found: Diagnostic, line: str) -> Iterator[Fix]:
    """An entry in braces that others stand beside."""
    start = found.place.column - 1
    depth, end = 0, start
    while end < len(line) and (depth or line[end] not in ",}]"):
        depth += (line[end] in "{[") - (line[end] in "}]")
        end += 1
    before = line[:start].rstrip()
    if before.endswith("{") and line[end : end + 1] == ",":
        end = end + 1 + len(line[end + 1 :]) - len(line[end + 1 :].lstrip())
    elif before.endswith(","):
        start = len(before) - 1
    else:
        return
    yield Fix("Delete it", (found.place.line, start + 1), (found.place.line, end + 1), "")


def _acting(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """A sentence inside 'each seat'."""
    line = lines[found.place.line - 1]
    item = re.match(r"(\s*)- (?=\S)", line)
    if item is None or not found.hint.startswith("Let somebody act"):
        return
    indent, last = len(item[1]), found.place.line
    while last < len(lines) and lines[last].strip() and _indent(lines[last]) > indent:
        last += 1
    body = [f"{' ' * 4}{other}" for other in lines[found.place.line - 1 : last]]
    new = "\n".join([f"{item[1]}- each seat:", *body])
    yield Fix("Let every seat do it", (found.place.line, 1), (last, len(lines[last - 1]) + 1), new)


def _number(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """A number made a condition, or a fraction a whole number."""
    place, line = found.place, lines[found.place.line - 1]
    written = line[place.column - 1 : place.column - 1 + place.length]
    if "'… is more than 0'" in found.hint and not written.isdigit():
        yield _instead(found, f"{written} is more than 0")
    elif found.hint.startswith("Round it"):
        yield _instead(found, f"({written} / 1 rounded down)", "Round it down")
        yield _instead(found, f"({written} / 1 rounded up)", "Round it up")
    elif named := re.match(r"Name them: '(directions: \w+)', below the board '([^']+)'", found.hint):
        yield from _entry_of(named[2], named[1], lines)


def _overruling(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    if named := re.match(r"Say which counts: '(overrules: [^']+)' in '([^']+)'", found.hint):
        yield from _entry_of(named[2], named[1], lines)


def _entry_of(owner: str, entry: str, lines: Sequence[str]) -> Iterator[Fix]:
    """One entry more at the beginning of what a name stands for, in braces."""
    for number, line in enumerate(lines, 1):
        if begins := re.search(rf"(?<![\w ]){re.escape(owner)}: \{{|(?<=[{{,] ){re.escape(owner)}: \{{", line):
            yield Fix(f"Add '{entry}'", (number, begins.end() + 1), (number, begins.end() + 1), f"{entry}, ")
            return


def _indented(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """A line that stands too deep."""
    place, line = found.place, lines[found.place.line - 1]
    if above := re.search(r"takes it for more of line (\d+)|stands deeper than line (\d+)", found.message):
        other = lines[int(above[1] or above[2]) - 1].rstrip()
        if above[2]:
            end = (int(above[2]), len(other) + 1)
            yield Fix("Add a colon to the line above", end, end, ":")
        yield Fix("Move it to the left", (place.line, 1), (place.line, _indent(line) + 1), " " * _indent(other))


# ── by code ──


def _signs(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Marks of other languages."""
    place, line = found.place, lines[found.place.line - 1]
    written = line[place.column - 1 : place.column - 1 + place.length]
    if found.message.startswith("I cannot read '='"):
        yield _instead(found, "is")
    elif "no full stop" in found.hint:
        yield _instead(found, "", "Delete the full stop")
    elif "Names stand without quotes" in found.hint or "in sentences a name needs none" in found.hint:
        other = {"{": "}"}.get(written[:1], written[:1])
        end = line.find(other, place.column)
        if end > 0:
            inside = line[place.column : end]
            yield Fix(f"Say '{inside}'", (place.line, place.column), (place.line, end + 2), inside)
    if changed := re.fullmatch(r"(\s*(?:- +)*)([^\W\d][\w ]*?) *(\+=|-=|=) *(.+)", line):
        words = {"+=": "add {what} to {name}", "-=": "take {what} from {name}", "=": "set {name} to {what}"}
        told = words[changed[3]].format(name=changed[2], what=changed[4])
        yield Fix(f"Say '{told}'", (place.line, changed.end(1) + 1), (place.line, len(line) + 1), told)
    if logged := re.fullmatch(r"(\s*(?:- +)*)log ([^:\"].*)", line):
        told = 'log: "' + logged[2].replace('"', '\\"') + '"'
        yield Fix("Add colon and quotes", (place.line, logged.end(1) + 1), (place.line, len(line) + 1), told)


def _tab(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    line = lines[found.place.line - 1]
    spaced = re.sub(r"^[ \t]+", lambda blank: blank[0].replace("\t", "  "), line).replace("\t", " ")
    yield Fix("Put spaces for tabs", (found.place.line, 1), (found.place.line, len(line) + 1), spaced)


def _values(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    place, line = found.place, lines[found.place.line - 1]
    written = line[place.column - 1 : place.column - 1 + place.length]
    if expected := _EXPECTED.match(found.message):
        words = re.split(r", | or ", re.sub(r" \([^)]*\)", "", expected[1]))
        yield from (_instead(found, word) for word in words)
    if size := re.fullmatch(r"(\d+)\s*[x×*]\s*(\d+)", written):
        yield _instead(found, f"{size[1]} by {size[2]}")
    if "a span such as" in found.message and (span := re.fullmatch(r"\[?(\d+)(?:, *|-|–|\.\.)(\d+)\]?", written)):
        yield _instead(found, f"{span[1]} to {span[2]}")
    if limits := re.match(r"Expected a whole number from (\d+) to (\d+), not '(-?\d+)'", found.message):
        least, most, given = map(int, limits.groups())
        yield _instead(found, str(min(max(given, least), most)))


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
    yield from _below(found, lines, "text", "Say here what happens.", "Add a text")


def _otherwise(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    place, line = found.place, lines[found.place.line - 1]
    end = place.column - 1 + place.length
    if (told := re.search(r"'otherwise: (\S+)'", found.hint)) and line[end - 1 : end] == "}":
        yield Fix(f"Add 'otherwise: {told[1]}'", (place.line, end), (place.line, end), f", otherwise: {told[1]}")


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


def _escaped(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    place, line = found.place, lines[found.place.line - 1]
    written = line[place.column - 1 : place.column - 1 + place.length]
    yield _instead(found, "\\" + written, "Write a backslash")


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
        indent = _indent(below) if _indent(below) > _indent(line) else _indent(line) + 2
        if below.lstrip().startswith("- ") and _indent(below) > _indent(line):
            return  # a list, which an entry cannot stand in
        at = (place.line, len(line) + 1)
        yield Fix(title, at, at, f"\n{' ' * indent}{key}: {value}")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


_USUAL = {
    "players": "2 to 4", "title": "My game", "rulewright": "1", "ranking": "highest score",
    "phases": "\n  play:\n    do:\n      - end game", "seen by": "all", "starts in": "deck",
    "ask": "What do you choose?", "edition": "my-game.yaml", "phase": "play",
}  # fmt: skip
_BY_CODE: dict[str, tuple[_Mend, ...]] = {
    "syntax": (_signs,), "tab": (_tab,), "wrong-value": (_values,), "wrong-shape": (_values,), "no-ask": (_ask,),
    "untold": (_text,), "table": (_otherwise,), "missing-key": (_missing,), "bad-escape": (_escaped,),
    "nobody-acts": (_acting,), "type": (_number,), "conflict": (_overruling,), "bad-indentation": (_indented,),
}  # fmt: skip
_BY_HINT: tuple[_Mend, ...] = (_named, _one_of_few, _quoted, _closed, _colon, _deleted)
