"""A terminal, or whatever stands for one: writes in its width and colours, asks, and hides what was there.

Texts come from editions and saves and are not trusted: all of them pass `visible` on their way out, and only
styles become escape sequences.
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

from rulewright.base.diagnostics import readable, visible
from rulewright.base.files import composed
from rulewright.base.records import record
from rulewright.i18n import bidi
from rulewright.i18n.localizer import Argument, Phrase, Speech, english

readline: ModuleType | None = None
with suppress(ImportError):  # on Windows
    readline = import_module("readline")

NARROWEST, WIDEST = 30, 120
USUAL_WIDTH = 80
DOT = " ·"
_SEATS = ("33", "166", "34", "133", "37", "136", "167", "67")
_STYLES = {"strong": "1", "faint": "2", "title": "1;36", "mark": "1;33", "key": "36", "bad": "31", "new": "1;4"}
_STYLES |= {f"seat {seat}": f"38;5;{colour}" for seat, colour in enumerate(_SEATS)}
_STYLES |= {f"bar {seat}": f"48;5;{colour}" for seat, colour in enumerate(_SEATS)}
_STYLES |= {f"own {seat}": f"1;38;5;{colour}" for seat, colour in enumerate(_SEATS)}
_SIMPLE = str.maketrans(
    {"×": "x", "▸": ">", "·": "|", "–": "-", "—": "-", "…": "...", "★": "*", "’": "'", "─": "-", "→": "->", "−": "-"}
    | {"│": "|", "■": "#", "□": "+"}
    | dict.fromkeys("╴╶╵╷┌┐└┘├┤┬┴┼", "+")
    | dict.fromkeys(bidi.MARKS, "")
)
_SIGNS = "×▸·–★─→│┼−■□"
# What has no width and yet belongs to a text: marks of direction, and the joiners of Persian, Hindi and others.
_UNSEEN = re.compile(f"([{bidi.MARKS}]|(?<=[\u0590-\u1fff])[\u200c\u200d])")
_WORD = re.compile("[^ \t\n\r\f\v]+")


class EndOfInput(Exception):
    """Nobody will answer any more."""


@record
class Styled:
    """A piece of text that stands out. style: 'strong', 'faint', 'title', 'mark', 'key', 'bad' or 'new'; or that of a
    seat, as `of_seat` gives it."""

    text: str
    style: str


ConsolePart = str | Styled
ConsoleLine = Sequence[ConsolePart]


def of_seat(seat: int, own: bool = False) -> str:
    """The style of a seat: its colour, which reads on light and on dark. own: the reader's own stands out."""
    return f"{'own' if own else 'seat'} {seat % len(_SEATS)}"


def bar(seat: int) -> Styled:
    """A blank in a seat's colour: without colours, just a blank."""
    return Styled(" ", f"bar {seat % len(_SEATS)}")


@lru_cache(maxsize=4096)
def cells(text: str) -> int:
    """How many cells of a terminal a text takes."""
    return sum(_cells(character) for character in _shown(text))


def _shown(text: str) -> str:
    """A text with all that a terminal would not simply show written as an escape."""
    if text.isprintable():
        return text
    parts = _UNSEEN.split(text)
    return "".join(part if number % 2 else readable(part) for number, part in enumerate(parts))


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def shortened(text: str, width: int) -> str:
    """A text cut to a width, with an ellipsis where something is missing."""
    if cells(text) <= width:
        return text
    kept = ""
    for character in _shown(text):
        if cells(kept + character) >= width:
            break
        kept += character
    return bidi.balance(kept + "…")


def flow(items: Iterable[str], width: int, gap: str = " ") -> list[str]:
    """Items on as few lines as they need; an item is broken only where it is wider than a line."""
    lines: list[str] = []
    for item in items:
        for part in _pieces(item, width):
            if lines and cells(lines[-1]) + cells(gap) + cells(part) <= width:
                lines[-1] += gap + part
            else:
                lines.append(part)
    return bidi.isolate_lines(lines)


def plain(line: ConsoleLine) -> str:
    """A line's text."""
    return "".join(part if isinstance(part, str) else part.text for part in line)


def dotted(items: Sequence[str], width: int) -> list[str]:
    """Items with dots between them, on as few lines as they need."""
    return [line.removesuffix(DOT) for line in flow([item + DOT for item in items[:-1]] + list(items[-1:]), width)]


def _pieces(item: str, width: int) -> list[str]:
    if cells(item) <= width:
        return [item]
    if " " in item.strip():
        return flow(words_of(item), width)
    return [item[at : at + width] for at in range(0, len(item), max(1, width))]


def words_of(text: str) -> list[str]:
    """What may stand on lines of its own: a blank where no line breaks stays inside."""
    return _WORD.findall(text)


def wrap(text: str, width: int) -> list[str]:
    """A text on lines of a width."""
    return flow(words_of(text), width) or [""]


class Console:
    """Where one game is shown and asked. colour: 'auto', 'always' or 'never'; speech: the language of its reader."""

    def __init__(
        self, source: TextIO | None, out: TextIO | None, colour: str = "auto", speech: Speech | None = None
    ) -> None:
        self.speech = speech or english()
        self._source, self._out = source or io.StringIO(), out or io.StringIO()
        for stream in (self._source, self._out):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        self.shows_terminal = self._out.isatty()
        self.interactive = self.shows_terminal and self._source.isatty()
        clever = os.environ.get("TERM", "") not in ("", "dumb")
        self.coloured = colour == "always" or (
            colour == "auto" and self.shows_terminal and clever and not os.environ.get("NO_COLOR")
        )
        self._clears = self.shows_terminal and clever
        self._edits = self.interactive and self._source is sys.stdin and self._out is sys.stdout
        self._simple = not _can_write(_SIGNS, self._out.encoding or "ascii")
        self._completions: Sequence[str] = ()
        self._kept: list[ConsoleLine] | None = None
        if self._edits and readline is not None:
            self._prepare_editing(readline)

    @property
    def width(self) -> int:
        """The usable width now: one cell less than a terminal has, so that no line ever wraps by itself."""
        columns = shutil.get_terminal_size((USUAL_WIDTH, 24)).columns if self.shows_terminal else USUAL_WIDTH
        return max(NARROWEST, min(WIDEST, columns)) - 1

    @property
    def height(self) -> int:
        """How many lines can be seen at once; without a terminal, any number."""
        return shutil.get_terminal_size((USUAL_WIDTH, 24)).lines if self.shows_terminal else sys.maxsize

    # ── writing ──

    def told(self, told: Argument) -> str:
        """A text in the reader's language."""
        return self.speech.say(told)

    def say(self, *parts: ConsolePart | Phrase) -> None:
        """One line, without blanks at its end."""
        line = [part if isinstance(part, Styled) else Styled(self.told(part), "") for part in parts]
        if self._kept is not None:
            self._kept.append(line)
            return
        while line and not line[-1].text.strip(" "):
            line.pop()
        if line:
            line[-1] = Styled(line[-1].text.rstrip(" "), line[-1].style)
        texts = bidi.fix_order([_shown(bidi.balance(part.text)) for part in line], self.speech.right_to_left)
        self._out.write("".join(self._ready(t, part.style) for t, part in zip(texts, line, strict=True)) + "\n")

    @contextmanager
    def kept(self) -> Iterator[list[ConsoleLine]]:
        """What is said meanwhile is not written, but becomes these lines."""
        lines: list[ConsoleLine] = []
        self._kept = lines
        try:
            yield lines
        finally:
            self._kept = None

    def lines(self, lines: Iterable[ConsoleLine]) -> None:
        for line in lines:
            self.say(*line)

    def paragraph(
        self, text: Argument, indent: str = "", first: Styled | None = None, hang: str = "", style: str = ""
    ) -> None:
        """A text in the terminal's width.

        first: what begins it; indent: of all its lines; hang: of all lines but the first.
        """
        self.lines(self.wrapped(text, indent, first, hang, style))

    def wrapped(
        self, text: Argument, indent: str = "", first: Styled | None = None, hang: str = "", style: str = ""
    ) -> list[ConsoleLine]:
        """The lines of a paragraph."""
        words = words_of(self.told(text))
        lines = flow([first.text, *words] if first else words, self.width - cells(indent + hang))
        found: list[ConsoleLine] = []
        if first is not None and lines[0].startswith(first.text):
            found.append([indent, first, Styled(lines.pop(0).removeprefix(first.text), style)])
        elif lines:
            found.append([indent, Styled(lines.pop(0), style)])
        return found + [[indent, hang, Styled(line, style)] for line in lines]

    def command(self, told: Argument, command: str) -> None:
        """A text that ends with a command, or a file, to be copied: on a line of its own where it needs one."""
        text = self.told(told)
        if cells(f"{text} {command}") <= self.width:
            self.say(f"{text} {command}")
        else:
            self.paragraph(text)
            self.say(f"  {command}")

    def clear(self) -> None:
        """Make what was shown disappear, from the terminal's memory too where it can."""
        if self._clears:
            self._out.write("\x1b[H\x1b[2J\x1b[3J")
        else:
            self._out.write("\n" * 2 * max(50, shutil.get_terminal_size().lines))
        self._out.flush()

    def flush(self) -> None:
        self._out.flush()

    def _ready(self, text: str, style: str = "") -> str:
        if self._simple:
            text = text.translate(_SIMPLE)
        if style and self.coloured and (text.strip() or style.startswith("bar")):
            return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"
        return text

    # ── asking ──

    def ask(self, question: Argument, completions: Sequence[str] = ()) -> str:
        """A line that somebody typed. completions: what the Tab key offers. Raises EndOfInput."""
        (prompt,) = bidi.fix_order([_shown(bidi.balance(self.told(question)))], self.speech.right_to_left)
        self._completions = completions
        if self._edits:
            self._out.flush()
            try:
                return composed(input(self._measured(prompt) + " "))
            except EOFError:
                self._out.write("\n")
                raise EndOfInput from None
        self._out.write(self._ready(prompt, "mark") + " ")
        self._out.flush()
        line = composed(self._source.readline())
        # What was typed at a terminal is on the screen already; else the answer makes the output readable.
        if not self._source.isatty():
            self._out.write(visible(line.rstrip("\n")) + "\n")
        if not line:
            raise EndOfInput
        return line.rstrip("\n")

    def _measured(self, prompt: str) -> str:
        """A prompt in colour, with the marks that tell the line editor which parts take no room."""
        if not self.coloured:
            return self._ready(prompt)
        opening, closing = f"\x1b[{_STYLES['mark']}m", "\x1b[0m"
        if readline is None:
            return f"{opening}{self._ready(prompt)}{closing}"
        return f"\x01{opening}\x02{self._ready(prompt)}\x01{closing}\x02"

    def _prepare_editing(self, readline: ModuleType) -> None:
        """Line editing without memory: nobody can call up what somebody else typed."""
        readline.set_auto_history(False)
        readline.set_completer(self._complete)
        readline.set_completer_delims(",")
        readline.parse_and_bind("tab: complete")

    def _complete(self, text: str, number: int) -> str | None:
        start = text.lstrip().casefold()
        found = [word for word in self._completions if start and word.casefold().startswith(start)]
        return found[number] if number < len(found) else None


def _can_write(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True
