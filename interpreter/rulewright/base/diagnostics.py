"""Diagnostics for people: a place in a file, a message, the underlined line, a hint."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from rulewright.base.similar_names import normalize, preselect
from rulewright.base.template_edits import Substitute
from rulewright.base.wording import Hint, Problem, Template, Wording, Words

_MAX_SHOWN = 50
"""Maximum number of diagnostics in a report; the others are counted."""
_MAX_EXCERPT_WIDTH = 100
"""Characters of a line from which on an excerpt is shown, and its length."""
_EXCERPT_LEAD = 40
"""Characters before the marked place that the excerpt of a long line begins with."""
_MAX_GUESSED_LENGTH = 100
"""Maximum length of names that are compared with a misspelt one, or listed."""
_MAX_NAME_LENGTH = 60
"""Maximum number of characters that a message shows of a name."""
_MAX_LISTED = 12
"""Maximum number of known names that a hint lists."""
_MAX_MESSAGE_LENGTH = 2000
"""Characters of a message that are shown."""
MAX_QUOTED_LENGTH, MAX_QUOTED_LINES = 500, 500
"""Limits of quoted text: characters in a line, and lines."""


@dataclass(frozen=True, slots=True, order=True)
class SourcePlace:
    """Place in a file: line and column count from 1, the length in characters is at least 1."""

    file: str
    line: int
    column: int
    length: int


@dataclass(frozen=True, slots=True)
class Fix:
    """Edit of a file that solves a problem. title: for people; start, end: line and column, from 1, of the text that
    `new` replaces."""

    title: Wording
    start: tuple[int, int]
    end: tuple[int, int]
    new: str


@dataclass(frozen=True, slots=True)
class RelatedPlace:
    """Another place that a diagnostic is about. wording: what is there."""

    place: SourcePlace
    wording: Wording


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Error or warning: a problem at a place, with hints. severity: 'error' or 'warning'; fixes: edits that are known
    to work, for other programs."""

    place: SourcePlace
    problem: Wording
    hints: tuple[Wording, ...] = ()
    severity: str = "error"
    fixes: tuple[Fix, ...] = ()
    related: tuple[RelatedPlace, ...] = ()

    @property
    def code(self) -> str:
        """Short kebab-case name of its kind."""
        assert isinstance(self.problem.template, Problem)
        return self.problem.template.code

    @property
    def message(self) -> str:
        """Message in English."""
        return self.message_and_hint(str)[0]

    @property
    def hint(self) -> str:
        """Hint in English, or ''."""
        return self.message_and_hint(str)[1]

    def message_and_hint(self, translate: Callable[[str], str]) -> tuple[str, str]:
        """Return message and hint in the language into which `translate` brings templates."""
        hint = " ".join(wording.render(translate) for wording in self.hints)
        return _shorten_message(self.problem.render(translate)), _shorten_message(hint)

    def has(self, template: Template) -> Wording | None:
        """Return its wording made from a template, as problem or hint; else None."""
        return next((wording for wording in (self.problem, *self.hints) if wording.template == template), None)


class RulewrightError(Exception):
    """Error that a user can cause: its text is one paragraph for people, never a traceback."""

    exit_status = 2


class EditionError(RulewrightError):
    """Errors in a file; the text is the rendered report."""

    exit_status = 1

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        return self.report.render()


@dataclass(slots=True, repr=False)
class Report:
    """Diagnostics of one run, with the lines of the files that they point into."""

    _diagnostics: dict[tuple[SourcePlace, str, str], Diagnostic] = field(default_factory=dict)
    _lines: dict[str, list[str]] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return what `rulewright check` prints of it."""
        return self.render() or "Nothing is wrong."

    def __repr__(self) -> str:
        counts = {"error": len(self.errors), "warning": len(self.warnings)}
        return f"<Report: {', '.join(f'{n} {what}' + 's' * (n != 1) for what, n in counts.items())}>"

    def add_source(self, file: str, text: str) -> None:
        """Store the text of `file`, so that its lines can be shown."""
        self._lines[file] = re.split("\r\n|\r|\n", text)

    def lines(self, file: str) -> list[str]:
        """Return the lines of `file`; [] if they are not stored."""
        return self._lines.get(file, [])

    def error(
        self, place: SourcePlace, problem: Wording, *hints: Wording, related: tuple[RelatedPlace, ...] = ()
    ) -> None:
        """Add an error, unless the same problem is stored for the place."""
        self.add(Diagnostic(place, problem, hints, "error", related=related))

    def warning(
        self, place: SourcePlace, problem: Wording, *hints: Wording, related: tuple[RelatedPlace, ...] = ()
    ) -> None:
        """Add a warning, unless the same problem is stored for the place; the file stays usable."""
        self.add(Diagnostic(place, problem, hints, "warning", related=related))

    def add(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic, unless the same problem of the same place is stored already."""
        self._diagnostics.setdefault((diagnostic.place, diagnostic.code, diagnostic.message), diagnostic)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Errors and warnings, sorted by file and place."""
        return sorted(self._diagnostics.values(), key=lambda diagnostic: diagnostic.place)

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors, sorted by file and place."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error"]

    @property
    def warnings(self) -> list[Diagnostic]:
        """The warnings, sorted by file and place."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "warning"]

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings do not count."""
        return all(diagnostic.severity != "error" for diagnostic in self._diagnostics.values())

    def render(self, translate: Callable[[str], str] = str) -> str:
        """Return all diagnostics as text for a terminal; after the first fifty only their number."""
        diagnostics = self.diagnostics
        blocks = [self._render(diagnostic, translate) for diagnostic in diagnostics[:_MAX_SHOWN]]
        if len(diagnostics) > _MAX_SHOWN:
            blocks.append(_AND_MORE(count=len(diagnostics) - _MAX_SHOWN).render(translate))
        return "\n\n".join(blocks)

    def _render(self, diagnostic: Diagnostic, translate: Callable[[str], str]) -> str:
        """Return one diagnostic as text: place, message, the underlined line, hint and related places."""
        place = diagnostic.place
        lines = self.lines(place.file)
        message, hint = diagnostic.message_and_hint(translate)
        severity = _SEVERITIES[diagnostic.severity]().render(translate)
        head = f"{place.file}:{place.line}:{place.column}: {severity}[{diagnostic.code}]: {message}"
        escape = escape_controls if translate is str else readable
        rendered = [escape(head)]
        if 0 < place.line <= len(lines):
            excerpt, underline = _excerpt(lines[place.line - 1], place.column - 1, place.length)
            rendered += [f"{place.line:5} | {excerpt}".rstrip(), f"      | {underline}"]
        if hint:
            rendered.append(f"      = {escape(hint)}")
        for other in diagnostic.related:
            address = f"{other.place.file}:{other.place.line}:{other.place.column}"
            rendered.append(f"      = {escape(f'{address}: {other.wording.render(translate)}')}")
        return "\n".join(rendered)


_SEVERITIES = {"error": Words("error"), "warning": Words("warning")}
_AND_MORE = Words("and {count} more")


def _shorten_message(text: str) -> str:
    """Return the first _MAX_MESSAGE_LENGTH characters of a text, with … behind them if that is not all."""
    return text if len(text) <= _MAX_MESSAGE_LENGTH else f"{text[:_MAX_MESSAGE_LENGTH]} …"


_NO_BREAK = str.maketrans("\xa0\u202f", "  ")
"""Replacement of no-break blanks by blanks."""


def shorten_quote(text: str) -> str:
    """Shorten a text for quoting: cut the middle of very long lines, and all but the first of very many lines."""
    if len(text) <= MAX_QUOTED_LENGTH:
        return text
    lines = text.split("\n")
    half = MAX_QUOTED_LENGTH // 2
    cut = [
        line if len(line) <= MAX_QUOTED_LENGTH else f"{line[:half]} … {line[-half:]}"
        for line in lines[:MAX_QUOTED_LINES]
    ]
    return "\n".join([*cut, "…"] if len(lines) > MAX_QUOTED_LINES else cut)


def escape_controls(text: str) -> str:
    """Replace characters that a terminal would not simply show (control characters …) by escapes."""
    if text.isprintable():
        return text
    return "".join(map(_visible_character, text))


def shorten_name(text: str) -> str:
    """Return at most 60 characters of what a file or a person wrote, for messages, special characters as escapes."""
    return escape_controls(text if len(text) <= _MAX_NAME_LENGTH else f"{text[: _MAX_NAME_LENGTH - 1]}…")


def readable(text: str) -> str:
    """Prepare one of our texts for a terminal: no-break blanks become blanks, other special characters escapes."""
    return escape_controls(text.translate(_NO_BREAK))


DID_YOU_MEAN = Hint("Did you mean '{name}'?", fixes=(Substitute("{name}"),))
"""Question whose fix puts `name` in place of the underlined text."""
DID_YOU_MEAN_FOR = Hint("Did you mean '{name}' for '{given}'?")
"""Question about a part, `given`, of the underlined text."""
THERE_ARE = Hint("There are: {names}.")
"""List of all known names; see `there_are`."""
SAY, SAY_FOR_EXAMPLE, WRITE = (
    Hint("Say '{words}'.", fixes=(Substitute("{words}"),)),
    Hint("Say '{words}', for example.", fixes=(Substitute("{words}"),)),
    Hint("Write '{words}'.", fixes=(Substitute("{words}"),)),
)
"""SAY and WRITE: what to put in place of the underlined text, as a fix does; SAY_FOR_EXAMPLE: one of many ways, so no
fix."""


def did_you_mean(name: str, known: Iterable[str]) -> tuple[Wording, ...]:
    """Return a hint that asks whether the known name most similar to `name` was meant; () if none is similar."""
    near = nearest_of(name, known)
    return (DID_YOU_MEAN(name=near),) if near else ()


def there_are(known: Iterable[str]) -> tuple[Wording, ...]:
    """Return a hint that lists all known names; () if there are none, or too many."""
    names = tuple(escape_controls(name) for name in known if len(name) <= _MAX_GUESSED_LENGTH)
    return (THERE_ARE(names=names),) if 0 < len(names) <= _MAX_LISTED else ()


def nearest_of(name: str, known: Iterable[str]) -> str:
    """Return the known name most similar to `name`, other than that itself, or ''. Case, spaces, hyphens and a plural s
    do not matter."""
    from difflib import get_close_matches  # noqa: PLC0415 - needed after a misspelling only

    if len(name) > _MAX_GUESSED_LENGTH:
        return ""
    others = preselect(name, [other for other in known if other != name])
    same = [other for other in others if normalize(other) == normalize(name)]
    lower = {other.lower(): other for other in others}
    near = same or [lower[match] for match in get_close_matches(name.lower(), lower, 1, 0.65)]
    return near[0] if near else ""


def _excerpt(line: str, column: int, length: int) -> tuple[str, str]:
    """Return the part of `line` around the place, made visible, and the carets below it."""
    column = min(column, len(line))
    end = max(column + 1, min(column + length, len(line)))
    first = max(0, column - _EXCERPT_LEAD) if len(line) > _MAX_EXCERPT_WIDTH else 0
    last = first + _MAX_EXCERPT_WIDTH
    before, marked, after = (
        "".join(_visible_character(character, tab="    ") for character in part)
        for part in (line[first:column], line[column : min(end, last)], line[min(end, last) : last])
    )
    before, after = "…" * (first > 0) + before, after + "…" * (last < len(line))
    return before + marked + after, " " * _width(before) + "^" * max(1, _width(marked))


def _visible_character(character: str, tab: str = r"\t") -> str:
    """Return a character as a terminal can show it: itself, or an escape. tab: text in place of a tab."""
    if character.isprintable():
        return character
    return tab if character == "\t" else character.encode("unicode_escape").decode()


def _width(text: str) -> int:
    """Return the number of terminal cells that `text` takes."""
    return sum(map(_cells, text))


def _cells(character: str) -> int:
    """Return the number of terminal cells of a character: 0, 1 or 2."""
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
