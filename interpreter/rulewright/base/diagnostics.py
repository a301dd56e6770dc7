"""What is wrong with a file, told to people: a place, a sentence, the line underlined, a hint."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rulewright.base.similar_names import bare, likely

_MOST_SHOWN = 50
_WIDEST_EXCERPT = 100
_KEPT_BEFORE = 40
_LONGEST_GUESSED = 100
_MOST_LISTED = 12
_LONGEST_MESSAGE = 2000
LONGEST_QUOTED, MOST_LINES = 500, 500
"""Of what a message quotes: letters in a line, and lines."""


@dataclass(frozen=True, slots=True, order=True)
class SourcePlace:
    """Where something stands: line and column count from 1, the length in characters is at least 1."""

    file: str
    line: int
    column: int
    length: int


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit of a file that mends something. title: for people; start, end: line and column, counted from 1, of the
    text that `new` replaces."""

    title: str
    start: tuple[int, int]
    end: tuple[int, int]
    new: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `code` is a short kebab-case id, `hint` may be empty, `severity` is 'error' or 'warning'.

    fixes: edits that mend it, the likeliest first, if somebody has looked for them.
    """

    place: SourcePlace
    code: str
    message: str
    hint: str = ""
    severity: str = "error"
    fixes: tuple[Fix, ...] = ()


class RulewrightError(Exception):
    """Anything a user can cause: its text is one paragraph for people, never a traceback."""

    exit_status = 2


class EditionError(RulewrightError):
    """A file with errors; its text is the rendered report."""

    exit_status = 1

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        return self.report.render()


@dataclass(slots=True, repr=False)
class Report:
    """The diagnostics of one run, and the lines of the files they point into."""

    _found: dict[tuple[SourcePlace, str, str], Diagnostic] = field(default_factory=dict)
    _lines: dict[str, list[str]] = field(default_factory=dict)

    def __str__(self) -> str:
        """What `rulewright check` prints of it."""
        return self.render() or "Nothing is wrong."

    def __repr__(self) -> str:
        counts = {"error": len(self.errors), "warning": len(self.warnings)}
        return f"<Report: {', '.join(f'{n} {what}' + 's' * (n != 1) for what, n in counts.items())}>"

    def source(self, file: str, text: str) -> None:
        """Keep the text of `file`, so that its lines can be shown."""
        self._lines[file] = re.split("\r\n|\r|\n", text)

    def lines(self, file: str) -> list[str]:
        """The lines of `file`, as far as it could be read."""
        return self._lines.get(file, [])

    def error(self, place: SourcePlace, code: str, message: str, hint: str = "") -> None:
        """Add an error; the same (place, code, message) is kept once."""
        self._add(Diagnostic(place, code, message, hint))

    def warning(self, place: SourcePlace, code: str, message: str, hint: str = "") -> None:
        """Add a warning: it is shown, and the file stays usable."""
        self._add(Diagnostic(place, code, message, hint, "warning"))

    def _add(self, found: Diagnostic) -> None:
        diagnostic = replace(found, message=_bounded(found.message), hint=_bounded(found.hint))
        self._found.setdefault((diagnostic.place, diagnostic.code, diagnostic.message), diagnostic)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Errors and warnings, sorted by file and place."""
        return sorted(self._found.values(), key=lambda found: found.place)

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors, sorted by file and place."""
        return [found for found in self.diagnostics if found.severity == "error"]

    @property
    def warnings(self) -> list[Diagnostic]:
        """The warnings, sorted by file and place."""
        return [found for found in self.diagnostics if found.severity == "warning"]

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings do not count."""
        return all(found.severity != "error" for found in self._found.values())

    def render(self) -> str:
        """All diagnostics as text for a terminal; after the first fifty only their number."""
        found = self.diagnostics
        shown = [self._render(diagnostic) for diagnostic in found[:_MOST_SHOWN]]
        if len(found) > _MOST_SHOWN:
            shown.append(f"and {len(found) - _MOST_SHOWN} more")
        return "\n\n".join(shown)

    def _render(self, found: Diagnostic) -> str:
        place = found.place
        lines = self.lines(place.file)
        head = f"{place.file}:{place.line}:{place.column}: {found.severity}[{found.code}]: {found.message}"
        rendered = [visible(head)]
        if 0 < place.line <= len(lines):
            excerpt, underline = _excerpt(lines[place.line - 1], place.column - 1, place.length)
            rendered += [f"{place.line:5} | {excerpt}".rstrip(), f"      | {underline}"]
        if found.hint:
            rendered.append(f"      = {visible(found.hint)}")
        return "\n".join(rendered)


def _bounded(text: str) -> str:
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]} …"


_NO_BREAK = str.maketrans("\xa0\u202f", "  ")


def quotable(text: str) -> str:
    """A text as a message quotes it: its lines without their middle, where they are longer than names and paths are,
    and of very many lines the first."""
    if len(text) <= LONGEST_QUOTED:
        return text
    lines = text.split("\n")
    half = LONGEST_QUOTED // 2
    cut = [line if len(line) <= LONGEST_QUOTED else f"{line[:half]} … {line[-half:]}" for line in lines[:MOST_LINES]]
    return "\n".join([*cut, "…"] if len(lines) > MOST_LINES else cut)


def visible(text: str) -> str:
    """`text` with all that a terminal would not simply show (control characters …) written as an escape."""
    if text.isprintable():
        return text
    return "".join(map(_visible_character, text))


def readable(text: str) -> str:
    """A text of ours as a terminal shows it, once its lines are made: blanks where no line breaks are blanks, and what
    would not simply be shown is an escape."""
    return visible(text.translate(_NO_BREAK))


def nearest(name: str, known: Iterable[str]) -> str:
    """A question that names the known name nearest to `name`, or nothing."""
    near = nearest_of(name, known)
    return f"Did you mean '{near}'?" if near else ""


def nearest_of(name: str, known: Iterable[str]) -> str:
    """The known name nearest to `name`, or ''.

    Spaces, hyphens, capitals and a plural's s do not count as differences.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only who mistypes needs it

    if len(name) > _LONGEST_GUESSED:
        return ""
    others = likely(name, [other for other in known if other != name])
    same = [other for other in others if bare(other) == bare(name)]
    lower = {other.lower(): other for other in others}
    near = same or [lower[found] for found in get_close_matches(name.lower(), lower, 1, 0.65)]
    return near[0] if near else ""


def few(known: Iterable[str]) -> str:
    """All known names, if there are only a few."""
    names = [visible(name) for name in known if len(name) <= _LONGEST_GUESSED]
    return f"There are: {', '.join(names)}." if 0 < len(names) <= _MOST_LISTED else ""


def _excerpt(line: str, at: int, length: int) -> tuple[str, str]:
    """The part of `line` around the place, made visible, and the carets that stand under the place."""
    at = min(at, len(line))
    end = max(at + 1, min(at + length, len(line)))
    first = max(0, at - _KEPT_BEFORE) if len(line) > _WIDEST_EXCERPT else 0
    last = first + _WIDEST_EXCERPT
    before, marked, after = (
        "".join(_visible_character(character, tab="    ") for character in part)
        for part in (line[first:at], line[at : min(end, last)], line[min(end, last) : last])
    )
    before, after = "…" * (first > 0) + before, after + "…" * (last < len(line))
    return before + marked + after, " " * _width(before) + "^" * max(1, _width(marked))


def _visible_character(character: str, tab: str = r"\t") -> str:
    if character.isprintable():
        return character
    return tab if character == "\t" else character.encode("unicode_escape").decode()


def _width(text: str) -> int:
    """How many cells of a terminal `text` takes."""
    return sum(map(_cells, text))


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
