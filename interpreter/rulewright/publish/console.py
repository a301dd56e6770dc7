"""Console: a terminal, or a pair of streams. Writes in its width and colours, asks, and hides what was there.

Texts come from editions and saves and are untrusted: all of them pass `_escape` on their way out, and only styles
become escape sequences.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import TextIO

from rulewright.base.diagnostics import escape_controls, readable
from rulewright.base.files import to_nfc
from rulewright.base.records import record
from rulewright.i18n import bidi
from rulewright.i18n.localizer import Argument, Localizer, Phrase, english

readline: ModuleType | None = None
"""Line editor; None on Windows, which has none."""
with suppress(ImportError):  # on Windows
    readline = import_module("readline")

MIN_WIDTH, MAX_WIDTH = 30, 120
"""Least and greatest number of columns that are used."""
USUAL_WIDTH = 80
"""Columns where there is no terminal."""
DOT = " ·"
"""Separator of items on one line, which is dropped at a line's end."""
_SEATS = ("33", "166", "34", "133", "37", "136", "167", "67")
"""Colours of seats, as numbers of the 256 that terminals have; of later seats these again."""
_STYLES = {"strong": "1", "faint": "2", "title": "1;36", "mark": "1;33", "key": "36", "bad": "31", "new": "1;4"}
"""Style -> parameters of the escape sequence that begins it: `seat N` colours text, `bar N` its background, `own N` is
bold."""
_STYLES |= {f"seat {seat}": f"38;5;{colour}" for seat, colour in enumerate(_SEATS)}
_STYLES |= {f"bar {seat}": f"48;5;{colour}" for seat, colour in enumerate(_SEATS)}
_STYLES |= {f"own {seat}": f"1;38;5;{colour}" for seat, colour in enumerate(_SEATS)}
_SIMPLE = str.maketrans(
    {"×": "x", "▸": ">", "·": "|", "–": "-", "—": "-", "…": "...", "★": "*", "’": "'", "─": "-", "→": "->", "−": "-"}
    | {"│": "|", "■": "#", "□": "+"}
    | dict.fromkeys("╴╶╵╷┌┐└┘├┤┬┴┼", "+")
    | dict.fromkeys(bidi.MARKS, "")
)
"""Replacements of signs for an output whose encoding lacks some of them."""
_SIGNS = "×▸·–★─→│┼−■□"
"""Signs that the output's encoding must have, else `_SIMPLE` replaces them."""
_ZERO_WIDTH = re.compile(f"([{bidi.MARKS}]|(?<=[\u0590-\u1fff])[\u200c\u200d])")
"""Characters without width that belong to a text: direction marks, and the joiners of Persian, Hindi and others."""
_WORD = re.compile("[^ \t\n\r\f\v]+")
"""Word up to a blank at which a line may break; no-break blanks are part of it."""


class EndOfInput(Exception):
    """Raised when input has ended: nobody will answer any more."""


@record
class Styled:
    """Text with a style: 'strong', 'faint', 'title', 'mark', 'key', 'bad' or 'new'; or that of a seat, see
    `seat_style`."""

    text: str
    style: str


ConsolePart = str | Styled
"""Part of a line, in a style or without."""
ConsoleLine = Sequence[ConsolePart]
"""Line to print, not yet cut to the console's width."""


def seat_style(seat: int, own: bool = False) -> str:
    """Return the style of a seat: its colour, readable on light and on dark. own: emphasize the reader's own."""
    return f"{'own' if own else 'seat'} {seat % len(_SEATS)}"


def bar(seat: int) -> Styled:
    """Return a blank in a seat's colour: without colours, just a blank."""
    return Styled(" ", f"bar {seat % len(_SEATS)}")


@lru_cache(maxsize=4096)
def cell_width(text: str) -> int:
    """Return the width of a text in terminal cells, as `_escape` shows it."""
    return sum(_character_width(character) for character in _escape(text))


def _escape(text: str) -> str:
    """Escape all characters that a terminal would not simply show."""
    if text.isprintable():
        return text
    parts = _ZERO_WIDTH.split(text)
    return "".join(part if number % 2 else readable(part) for number, part in enumerate(parts))


def _character_width(character: str) -> int:
    """Return the cells that a character takes: 0, 1 or 2."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def shorten(text: str, width: int) -> str:
    """Cut a text to a width, with an ellipsis where something is missing."""
    if cell_width(text) <= width:
        return text
    result = ""
    for character in _escape(text):
        if cell_width(result + character) >= width:
            break
        result += character
    return bidi.balance(result + "…")


def flow(items: Iterable[str], width: int, gap: str = " ") -> list[str]:
    """Arrange items on as few lines as they need, with a gap between two; an item is broken only if it is wider than a
    line."""
    lines: list[str] = []
    for item in items:
        for part in _break_item(item, width):
            if lines and cell_width(lines[-1]) + cell_width(gap) + cell_width(part) <= width:
                lines[-1] += gap + part
            else:
                lines.append(part)
    return bidi.isolate_lines(lines)


def plain_text(line: ConsoleLine) -> str:
    """Return a line's text without styles."""
    return "".join(part if isinstance(part, str) else part.text for part in line)


def join_with_dots(items: Sequence[str], width: int) -> list[str]:
    """Arrange items with dots between them, on as few lines as they need; no line ends with a dot."""
    return [line.removesuffix(DOT) for line in flow([item + DOT for item in items[:-1]] + list(items[-1:]), width)]


def _break_item(item: str, width: int) -> list[str]:
    """Break an item at its blanks, or anywhere if it is one word, so that it fits the width."""
    if cell_width(item) <= width:
        return [item]
    if " " in item.strip():
        return flow(split_words(item), width)
    return [item[start : start + width] for start in range(0, len(item), max(1, width))]


def split_words(text: str) -> list[str]:
    """Split a text where lines may break: a non-breaking space stays inside a word."""
    return _WORD.findall(text)


def wrap(text: str, width: int) -> list[str]:
    """Wrap a text into lines of a width; at least one, which may be empty."""
    return flow(split_words(text), width) or [""]


class Console:
    """Console of one game's reader. colour: 'auto', 'always' or 'never'; localizer: language of the reader; without
    streams, there is no input, and output is lost. shows_terminal: whether the output is a terminal; interactive: the
    input, too."""

    def __init__(
        self, source: TextIO | None, out: TextIO | None, colour: str = "auto", localizer: Localizer | None = None
    ) -> None:
        self.localizer = localizer or english()
        self._source, self._out = source or io.StringIO(), out or io.StringIO()
        for stream in (self._source, self._out):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        self.shows_terminal = self._out.isatty()
        self.interactive = self.shows_terminal and self._source.isatty()
        capable = os.environ.get("TERM", "") not in ("", "dumb")
        self.coloured = colour == "always" or (
            colour == "auto" and self.shows_terminal and capable and not os.environ.get("NO_COLOR")
        )
        self._can_clear = self.shows_terminal and capable
        self._has_line_editor = self.interactive and self._source is sys.stdin and self._out is sys.stdout
        self._simple = not _can_write(_SIGNS, self._out.encoding or "ascii")
        self._completions: Sequence[str] = ()
        self._captured: list[ConsoleLine] | None = None
        if self._has_line_editor and readline is not None:
            self._prepare_editing(readline)

    @property
    def width(self) -> int:
        """Usable width now: one cell less than the terminal has, so that no line ever wraps by itself."""
        columns = shutil.get_terminal_size((USUAL_WIDTH, 24)).columns if self.shows_terminal else USUAL_WIDTH
        return max(MIN_WIDTH, min(MAX_WIDTH, columns)) - 1

    @property
    def height(self) -> int:
        """Number of lines that are visible at once; without a terminal, any number."""
        return shutil.get_terminal_size((USUAL_WIDTH, 24)).lines if self.shows_terminal else sys.maxsize

    # ── writing ──

    def translate(self, text: Argument) -> str:
        """Return a text in the reader's language."""
        return self.localizer.say(text)

    def write_line(self, *parts: ConsolePart | Phrase) -> None:
        """Write one line, without blanks at its end; while `capture` runs, only collect it."""
        line = [part if isinstance(part, Styled) else Styled(self.translate(part), "") for part in parts]
        if self._captured is not None:
            self._captured.append(line)
            return
        while line and not line[-1].text.strip(" "):
            line.pop()
        if line:
            line[-1] = Styled(line[-1].text.rstrip(" "), line[-1].style)
        texts = bidi.fix_order([_escape(bidi.balance(part.text)) for part in line], self.localizer.right_to_left)
        self._out.write("".join(self._styled(t, part.style) for t, part in zip(texts, line, strict=True)) + "\n")

    @contextmanager
    def capture(self) -> Iterator[list[ConsoleLine]]:
        """Collect the lines that are written meanwhile, instead of writing them."""
        lines: list[ConsoleLine] = []
        self._captured = lines
        try:
            yield lines
        finally:
            self._captured = None

    def write_lines(self, lines: Iterable[ConsoleLine]) -> None:
        """Write lines, each as with `write_line`."""
        for line in lines:
            self.write_line(*line)

    def paragraph(
        self, text: Argument, indent: str = "", first: Styled | None = None, hang: str = "", style: str = ""
    ) -> None:
        """Write a text wrapped to the terminal's width.

        first: part that begins it; indent: of all its lines; hang: of all lines but the first.
        """
        self.write_lines(self.wrap_paragraph(text, indent, first, hang, style))

    def wrap_paragraph(
        self, text: Argument, indent: str = "", first: Styled | None = None, hang: str = "", style: str = ""
    ) -> list[ConsoleLine]:
        """Return the lines that `paragraph` writes."""
        words = split_words(self.translate(text))
        lines = flow([first.text, *words] if first else words, self.width - cell_width(indent + hang))
        result: list[ConsoleLine] = []
        if first is not None and lines[0].startswith(first.text):
            result.append([indent, first, Styled(lines.pop(0).removeprefix(first.text), style)])
        elif lines:
            result.append([indent, Styled(lines.pop(0), style)])
        return result + [[indent, hang, Styled(line, style)] for line in lines]

    def command(self, text_: Argument, command: str) -> None:
        """Write a text and a command or file to be copied, the latter on a line of its own if it needs one."""
        text = self.translate(text_)
        if cell_width(f"{text} {command}") <= self.width:
            self.write_line(f"{text} {command}")
        else:
            self.paragraph(text)
            self.write_line(f"  {command}")

    def clear(self) -> None:
        """Make what was shown disappear, from the terminal's memory too where possible."""
        if self._can_clear:
            self._out.write("\x1b[H\x1b[2J\x1b[3J")
        else:
            self._out.write("\n" * 2 * max(50, shutil.get_terminal_size().lines))
        self._out.flush()

    def flush(self) -> None:
        """Send to the reader what was written and is still in a buffer."""
        self._out.flush()

    def _styled(self, text: str, style: str = "") -> str:
        """Return a text with escape sequences for its style."""
        if self._simple:
            text = text.translate(_SIMPLE)
        if style and self.coloured and (text.strip() or style.startswith("bar")):
            return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"
        return text

    # ── asking ──

    def ask(self, question: Argument, completions: Sequence[str] = ()) -> str:
        """Ask for a line of input; return it in NFC, without its end; it may be empty. completions: offered by the Tab
        key. Raises EndOfInput."""
        (prompt,) = bidi.fix_order([_escape(bidi.balance(self.translate(question)))], self.localizer.right_to_left)
        self._completions = completions
        if self._has_line_editor:
            self._out.flush()
            try:
                return to_nfc(input(self._styled_prompt(prompt) + " "))
            except EOFError:
                self._out.write("\n")
                raise EndOfInput from None
        self._out.write(self._styled(prompt, "mark") + " ")
        self._out.flush()
        line = to_nfc(self._source.readline())
        # A terminal has echoed the line already; elsewhere the answer makes the output readable.
        if not self._source.isatty():
            self._out.write(escape_controls(line.rstrip("\n")) + "\n")
        if not line:
            raise EndOfInput
        return line.rstrip("\n")

    def _styled_prompt(self, prompt: str) -> str:
        """Return a prompt in colour, with the marks that tell the line editor which parts take no room."""
        if not self.coloured:
            return self._styled(prompt)
        opening, closing = f"\x1b[{_STYLES['mark']}m", "\x1b[0m"
        if readline is None:
            return f"{opening}{self._styled(prompt)}{closing}"
        return f"\x01{opening}\x02{self._styled(prompt)}\x01{closing}\x02"

    def _prepare_editing(self, readline: ModuleType) -> None:
        """Set up line editing: with completion, without a history, in which one could call up what others typed."""
        readline.set_auto_history(False)
        readline.set_completer(self._complete)
        readline.set_completer_delims(",")
        readline.parse_and_bind("tab: complete")

    def _complete(self, text: str, number: int) -> str | None:
        """Return the match of this number for a word, as the line editor asks; None behind the last."""
        start = text.lstrip().casefold()
        matches = [word for word in self._completions if start and word.casefold().startswith(start)]
        return matches[number] if number < len(matches) else None


def _can_write(text: str, encoding: str) -> bool:
    """Return whether an encoding is known and has all signs of a text."""
    try:
        text.encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True
