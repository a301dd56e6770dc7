"""Runs one command: reads its arguments, starts what does the work, tells errors to people."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import TextIO

from rulewright.base import cache
from rulewright.base.diagnostics import RulewrightError, readable
from rulewright.base.files import argument
from rulewright.commands.arguments import parsers
from rulewright.commands.parser import UsageError, work_of
from rulewright.i18n.languages import of_environment, speech
from rulewright.i18n.localizer import Phrase, Speech, meant, phrase

INTERRUPTED = 130
BROKEN_PIPE = 141
_LONGEST_LINE = 1000
_NEW_OBJECTS = 100_000
"""After so many, Python looks for those that nobody needs; with its own 700 a check takes a tenth longer."""


def run(words: list[str]) -> int:
    """Run what is typed after `rulewright`; its exit status.

    0: done; 1: an edition has errors or a test failed; 2: not understood or impossible; 130: interrupted.
    """
    words = list(map(argument, words))
    gc.set_threshold(_NEW_OBJECTS)
    _replace_unwritable_signs()
    with _remembering("--no-cache" not in words):
        return _told(words, _speech(words))


def _told(words: list[str], said: Speech) -> int:
    try:
        status = _run(words, said)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except RulewrightError as error:
        _complain(said.say(error.args[0]) if isinstance(error.args[0], Phrase) else str(error))
        return 2
    except BrokenPipeError:
        _silence(sys.stdout)
        return BROKEN_PIPE
    except KeyboardInterrupt:
        _complain(said.say(phrase("errors", "interrupted")))
        return INTERRUPTED
    except OSError as error:
        _silence(sys.stdout)
        why = error.strerror or str(error)
        told = phrase("errors", "The output cannot be written: {why}.", why=why)
        if error.filename:
            told = phrase("errors", "'{path}' cannot be used: {why}.", path=str(error.filename), why=why)
        _complain(said.say(told))
        return 2


def _replace_unwritable_signs() -> None:
    """Show a replacement for a sign that the output's code page lacks; Python would raise UnicodeEncodeError."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _speech(words: Sequence[str]) -> Speech:
    """The language that help and errors are told in."""
    given = next((other for word, other in pairwise(words) if word == "--lang"), "")
    given = given or next((word.partition("=")[2] for word in words if word.startswith("--lang=")), "")
    return speech(given or of_environment(os.environ))


def _run(argv: list[str], said: Speech) -> int:
    parser, known = parsers(said, argv[0] if argv else "")
    if not argv:
        slots = {"commands": ", ".join(known), "help": "rulewright --help"}
        raise UsageError(phrase("errors", "Say what to do: {commands}. '{help}' tells more.", **slots))
    if argv[0].startswith("-") and argv[0] not in parser.options():
        parser.refuse_option(argv[0])
    if not argv[0].startswith("-") and argv[0] not in known:
        told = phrase(
            "errors",
            "There is no command '{command}'. {hint} Commands: {commands}.",
            command=argv[0],
            hint=meant(argv[0], list(known)),
            commands=", ".join(known),
        )
        raise UsageError(told)
    try:
        arguments, extra = parser.parse_known_args(argv)
    except SystemExit as leaving:  # after --help and --version
        return leaving.code if isinstance(leaving.code, int) else 0
    for word in extra:
        used = known[arguments.command]
        if word.startswith("-"):
            used.refuse_option(word)
        told = phrase("errors", "'{command}' does not know what to do with '{word}'.", command=used.prog, word=word)
        raise used.refusal(told)
    return work_of(arguments.work)(arguments)


@contextmanager
def _remembering(wanted: bool) -> Iterator[None]:
    """Whether anything is kept for the next time, by this process and those that it begins."""
    before = os.environ.get(cache.VARIABLE)
    if not wanted:
        os.environ[cache.VARIABLE] = "off"
    try:
        yield
    finally:
        if not wanted:
            del os.environ[cache.VARIABLE]
            if before is not None:
                os.environ[cache.VARIABLE] = before


def _complain(message: str) -> None:
    """An error as one paragraph, whatever it quotes."""
    if sys.stderr is None:
        return
    lines = [_cut(readable(line)) for line in f"rulewright: {message}".split("\n")]
    try:
        print("\n".join(lines), file=sys.stderr, flush=True)
    except (OSError, UnicodeError):
        _silence(sys.stderr)


def _cut(line: str) -> str:
    """A line without the middle, where somebody gave a name without end."""
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE // 2]} … {line[-_LONGEST_LINE // 2 :]}"


def _silence(stream: TextIO | None) -> None:
    """Let nothing more be written, so that Python does not complain when it closes a broken stream."""
    try:
        if stream is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):
        return
