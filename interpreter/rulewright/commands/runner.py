"""Runner of one command: parses arguments, calls the command's function, and prints errors for people."""

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
from rulewright.base.diagnostics import EditionError, RulewrightError, readable
from rulewright.base.files import normal_argument
from rulewright.commands.arguments import build_parsers
from rulewright.commands.parser import UsageError, load_command
from rulewright.i18n.languages import diagnostic_translator, environment_language, localizer_for
from rulewright.i18n.localizer import Localizer, message_of, phrase, suggestion

INTERRUPTED = 130
"""Exit status after Ctrl-C."""
BROKEN_PIPE = 141
"""Exit status where the reader of the output has gone."""
_MAX_LINE_LENGTH = 1000
"""Maximum number of characters of an error's line."""
_NEW_OBJECTS = 100_000
"""Objects after which Python collects garbage; with its own 700, a check takes a tenth longer."""


def run(words: list[str]) -> int:
    """Run what is typed after `rulewright`; its exit status.

    0: done; 1 or another: as the command says, such as 1 where `check` finds errors or a test fails; 2: not understood
    or impossible, also for errors in an edition that another command needs; 130: interrupted; 141: nobody reads the
    output any more.
    """
    words = list(map(normal_argument, words))
    gc.set_threshold(_NEW_OBJECTS)
    _replace_unwritable_signs()
    with _cache_switch("--no-cache" not in words):
        return _run_and_report(words, _localizer(words))


def _run_and_report(words: list[str], localizer: Localizer) -> int:
    """Run a command; print its error and return its exit status."""
    try:
        status = _run(words, localizer)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except RulewrightError as error:
        _print_error(_text_of(error, localizer))
        return 2
    except BrokenPipeError:
        _silence(sys.stdout)
        return BROKEN_PIPE
    except KeyboardInterrupt:
        _print_error(localizer.say(phrase("errors", "interrupted")))
        return INTERRUPTED
    except OSError as error:
        _silence(sys.stdout)
        reason = error.strerror or str(error)
        message = phrase("errors", "The output cannot be written: {why}.", why=reason)
        if error.filename:
            message = phrase("errors", "'{path}' cannot be used: {why}.", path=str(error.filename), why=reason)
        _print_error(localizer.say(message))
        return 2


def _text_of(error: RulewrightError, localizer: Localizer) -> str:
    """Return what an error says, in the reader's language."""
    if isinstance(error, EditionError):
        return error.report.render(diagnostic_translator(localizer.language))
    return localizer.say(message_of(error))


def _replace_unwritable_signs() -> None:
    """Show a replacement for a sign that the output's code page lacks; Python would raise UnicodeEncodeError."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _localizer(words: Sequence[str]) -> Localizer:
    """Return the localizer of help and errors: of `--lang`, or else of the system's language."""
    language = next((other for word, other in pairwise(words) if word == "--lang"), "")
    language = language or next((word.partition("=")[2] for word in words if word.startswith("--lang=")), "")
    return localizer_for(language or environment_language(os.environ))


def _run(argv: list[str], localizer: Localizer) -> int:
    """Parse the arguments and call the command's function; return its exit status. Raises RulewrightError."""
    parser, commands = build_parsers(localizer, argv[0] if argv else "")
    if not argv:
        slots = {"commands": ", ".join(commands), "help": "rulewright --help"}
        raise UsageError(phrase("errors", "Say what to do: {commands}. '{help}' tells more.", **slots))
    if argv[0].startswith("-") and argv[0] not in parser.options():
        parser.refuse_option(argv[0])
    if not argv[0].startswith("-") and argv[0] not in commands:
        message = phrase(
            "errors",
            "There is no command '{command}'. {hint} Commands: {commands}.",
            command=argv[0],
            hint=suggestion(argv[0], list(commands)),
            commands=", ".join(commands),
        )
        raise UsageError(message)
    try:
        arguments, extra = parser.parse_known_args(argv)
    except SystemExit as exit_request:  # after --help and --version
        return exit_request.code if isinstance(exit_request.code, int) else 0
    for word in extra:
        command_parser = commands[arguments.command]
        if word.startswith("-"):
            command_parser.refuse_option(word)
        message = phrase(
            "errors", "'{command}' does not know what to do with '{word}'.", command=command_parser.prog, word=word
        )
        raise command_parser.refusal(message)
    return load_command(arguments.work)(arguments)


@contextmanager
def _cache_switch(is_on: bool) -> Iterator[None]:
    """Turn the cache off for the context unless wanted, for this process and its children."""
    before = os.environ.get(cache.VARIABLE)
    if not is_on:
        os.environ[cache.VARIABLE] = "off"
    try:
        yield
    finally:
        if not is_on:
            del os.environ[cache.VARIABLE]
            if before is not None:
                os.environ[cache.VARIABLE] = before


def _print_error(message: str) -> None:
    """Print an error as one paragraph, whatever it quotes."""
    if sys.stderr is None:
        return
    lines = [_shorten(readable(line)) for line in f"rulewright: {message}".split("\n")]
    try:
        print("\n".join(lines), file=sys.stderr, flush=True)
    except (OSError, UnicodeError):
        _silence(sys.stderr)


def _shorten(line: str) -> str:
    """Cut the middle out of an endless line."""
    return (
        line if len(line) <= _MAX_LINE_LENGTH else f"{line[: _MAX_LINE_LENGTH // 2]} … {line[-_MAX_LINE_LENGTH // 2 :]}"
    )


def _silence(stream: TextIO | None) -> None:
    """Discard further output, so that Python does not complain when it closes a broken stream."""
    try:
        if stream is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):
        return
