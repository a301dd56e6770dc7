"""The command `rulewright`: reads its arguments, starts what does the work, tells errors to people."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import NoReturn, TextIO

from rulewright import __version__, commands, locale_commands, simulation_commands
from rulewright.diagnostics import RulewrightError, nearest, visible
from rulewright.findings import WRITTEN
from rulewright.languages.speech import Phrase, Speech, of_environment, speech

INTERRUPTED = 130
BROKEN_PIPE = 141
_LARGEST_SEED = 2**64 - 1
_LONGEST_LINE = 1000


class UsageError(RulewrightError):
    """A command line that says nothing, or too much."""


class _Parser(argparse.ArgumentParser):
    """argparse without abbreviations, with errors that name what may have been meant."""

    def __init__(self, **settings: object) -> None:
        super().__init__(allow_abbrev=False, **settings)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}. See '{self.prog} --help'.")

    def options(self) -> list[str]:
        return [name for action in self._actions for name in action.option_strings]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit status.

    0: done; 1: an edition has errors or a test failed; 2: not understood or impossible; 130: interrupted.
    """
    try:
        status = _run(sys.argv[1:] if argv is None else list(argv))
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except RulewrightError as error:
        _complain(_speech(argv).say(error.args[0]) if isinstance(error.args[0], Phrase) else str(error))
        return 2
    except BrokenPipeError:
        _silence(sys.stdout)
        return BROKEN_PIPE
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    except OSError as error:
        _silence(sys.stdout)
        what = f"'{error.filename}' cannot be used" if error.filename else "The output cannot be written"
        _complain(f"{what}: {error.strerror or error}.")
        return 2


def _speech(argv: Sequence[str] | None) -> Speech:
    """The language that errors are told in."""
    words = sys.argv[1:] if argv is None else list(argv)
    given = next((other for word, other in pairwise(words) if word == "--lang"), "")
    given = given or next((word.partition("=")[2] for word in words if word.startswith("--lang=")), "")
    return speech(given or of_environment(os.environ))


def _run(argv: list[str]) -> int:
    parser, commands_known = _parsers()
    if not argv:
        raise UsageError(f"Say what to do: {', '.join(commands_known)}. 'rulewright --help' tells more.")
    if argv[0].startswith("-") and argv[0] not in parser.options():
        _refuse_option(argv[0], parser, "rulewright")
    if not argv[0].startswith("-") and argv[0] not in commands_known:
        hint = nearest(argv[0], commands_known)
        listed = ", ".join(commands_known)
        raise UsageError(f"There is no command '{argv[0]}'. {hint} Commands: {listed}.".replace("  ", " "))
    try:
        arguments, extra = parser.parse_known_args(argv)
    except SystemExit as leaving:  # after --help and --version
        return leaving.code if isinstance(leaving.code, int) else 0
    for word in extra:
        name = f"rulewright {arguments.command}"
        if word.startswith("-"):
            _refuse_option(word, commands_known[arguments.command], name)
        raise UsageError(f"'{name}' does not know what to do with '{word}'. See '{name} --help'.")
    return int(arguments.work(arguments))


def _refuse_option(word: str, parser: _Parser, name: str) -> NoReturn:
    option = word.partition("=")[0]
    hint = nearest(option, parser.options()) or f"Options: {', '.join(parser.options())}."
    raise UsageError(f"'{name}' has no option '{option}'. {hint}")


def _parsers() -> tuple[_Parser, dict[str, _Parser]]:
    """The parser of the whole command line, and those of its commands."""
    parser = _Parser(prog="rulewright", description="Runs tabletop games from rule files.")
    parser.add_argument("--version", action="version", version=f"rulewright {__version__}")
    made = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)

    play = made.add_parser("play", help="play a game at this terminal", description=commands.play.__doc__)
    play.add_argument("name", nargs="?", metavar="EDITION", help="the same as --edition")
    play.add_argument("--edition", metavar="NAME|FILE", help="what to play; any part of a name that is clear")
    play.add_argument(
        "--seats",
        metavar="LIST",
        help="clockwise: you, NAME, random, greedy, search, NAME:search or a virtual player's name",
    )
    play.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a variant; may be given several times",
    )
    play.add_argument("--seed", metavar="N", type=_seed, help="the same seed deals the same game")
    play.add_argument("--save", metavar="FILE", help="where the game is saved, after every answer")
    play.add_argument(
        "--resume",
        metavar="FILE",
        nargs="?",
        const="",
        help="go on with a saved game; without FILE the last one",
    )
    play.add_argument("--lang", metavar="CODE", help="the language: en, de …; else the system's")
    play.add_argument("--color", choices=["auto", "always", "never"], default="auto", help="auto: on terminals")
    play.set_defaults(work=commands.play)

    replay = made.add_parser("replay", help="tell a saved game again", description=commands.replay.__doc__)
    replay.add_argument("file", metavar="FILE")
    replay.add_argument("--seat", metavar="N|NAME", help="as this seat saw it; else as an onlooker did")
    replay.add_argument("--lang", metavar="CODE", help="the language: en, de …; else the system's")
    replay.add_argument("--color", choices=["auto", "always", "never"], default="auto", help="auto: on terminals")
    replay.set_defaults(work=commands.replay)

    editions = made.add_parser("editions", help="list the games there are", description=commands.editions.__doc__)
    editions.set_defaults(work=commands.editions)

    check = made.add_parser("check", help="find mistakes in rule files", description=commands.check.__doc__)
    check.add_argument("names", metavar="NAME|FILE", nargs="+")
    check.add_argument("--strict", action="store_true", help="exit status 1 for warnings too")
    check.add_argument(
        "--format", choices=["text", *WRITTEN], default="text", help="json for editors, github for workflow commands"
    )
    check.set_defaults(work=commands.check)

    form = made.add_parser("format", help="write rule files in one form", description=commands.format.__doc__)
    form.add_argument("names", metavar="NAME|FILE", nargs="+")
    form.add_argument("--check", action="store_true", help="change nothing; name the files that are not in the form")
    form.set_defaults(work=commands.format)

    test = made.add_parser("test", help="run the scenarios of rule files", description=commands.test.__doc__)
    test.add_argument("paths", metavar="PATH", nargs="+")
    test.set_defaults(work=commands.test)

    _add_simulations(made)
    diff = made.add_parser("diff", help="how two editions differ", description=commands.diff.__doc__)
    diff.add_argument("before", metavar="BEFORE", help="an edition's name or file")
    diff.add_argument("after", metavar="AFTER", help="an edition's name or file")
    diff.add_argument("--technical", action="store_true", help="also by dotted names, as they stand in the files")
    diff.add_argument("--exit-code", action="store_true", help="exit with 1 if there is a difference")
    diff.set_defaults(work=commands.diff)

    explain = made.add_parser("explain", help="what a name of an edition is", description=commands.explain.__doc__)
    explain.add_argument("edition", metavar="EDITION", help="an edition's name or file")
    explain.add_argument("name", metavar="NAME", nargs="*", help="as in 'hand limit' or 'values.hand limit'")
    explain.set_defaults(work=commands.explain)

    new = made.add_parser("new", help="begin a variant of an edition", description=commands.new.__doc__)
    new.add_argument("name", metavar="NAME", help="what the variant is called, and its file")
    new.add_argument("--from", dest="edition", metavar="EDITION", required=True, help="an edition's name or file")
    new.add_argument("--dir", metavar="FOLDER", default=".", help="where the file goes; else here")
    new.set_defaults(work=commands.new)

    _add_locale(made.add_parser("locale", help="languages: begin, update, check", description=_LOCALE))

    schema = made.add_parser("schema", help="what editors need to help", description=commands.schema.__doc__)
    schema.add_argument("what", nargs="?", choices=["edition", "variant", "scenarios"], default="edition")
    schema.add_argument("--out", metavar="FILE", help="where it goes; else it is shown")
    schema.set_defaults(work=commands.schema)
    return parser, dict(made.choices)


_LOCALE = "Texts in other languages: catalogs and grammar. spec/TRANSLATING.md shows how a language is made."


def _add_simulations(made: argparse._SubParsersAction[_Parser]) -> None:
    """The commands that play many games, or tell what came of them."""
    simulate = made.add_parser(
        "simulate", help="play many games, keep what happens", description=simulation_commands.simulate.__doc__
    )
    simulate.add_argument("edition", metavar="EDITION", help="an edition's name or file")
    simulate.add_argument("--out", metavar="FOLDER", help="where the tables go; else below 'simulations'")
    simulate.add_argument("--processes", metavar="N", type=_number, help="how many play; else one per processor")
    simulate.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster, by its scheduler's address")
    simulate.set_defaults(work=simulation_commands.simulate)

    report = made.add_parser(
        "report", help="tell a simulation's results", description=simulation_commands.report.__doc__
    )
    report.add_argument("folder", metavar="DIR", help="what 'rulewright simulate' left")
    report.set_defaults(work=simulation_commands.report)

    compare = made.add_parser("compare", help="how simulations differ", description=simulation_commands.compare.__doc__)
    compare.add_argument("names", metavar="DIR|EDITION", nargs="+", help="results of simulations, or what to simulate")
    compare.add_argument("--out", metavar="FILE", help="a page with plots as well")
    compare.set_defaults(work=simulation_commands.compare)

    for parser in (simulate, compare):
        parser.add_argument("--games", metavar="N", type=_number, help="of each edition and setting; else 1000")
        parser.add_argument(
            "--seats", metavar="LIST", help="clockwise: random, greedy, search-200 (tries), or a virtual player's name"
        )
        parser.add_argument(
            "--option",
            metavar="NAME=VALUE,…",
            action="append",
            default=[],
            help="an option, or a value that is a number; several are all tried; may be given several times",
        )
        parser.add_argument("--seed", metavar="N", type=_seed, help="the same seed plays the same games; else 1")
        parser.add_argument("--quiet", action="store_true", help="do not tell how far it is")


def _add_locale(parser: _Parser) -> None:
    """`locale` has commands of its own."""
    parts = parser.add_subparsers(dest="part", metavar="COMMAND", required=True, parser_class=_Parser)
    helps = {
        "add": (locale_commands.add, "begin a language"),
        "update": (locale_commands.update, "bring catalogs up to date with the texts"),
        "check": (locale_commands.check, "find mistakes in catalogs"),
        "status": (locale_commands.status, "how much is translated"),
        "preview": (locale_commands.preview, "read an edition's sentences aloud"),
    }
    for name, (work, help_) in helps.items():
        part = parts.add_parser(name, help=help_, description=work.__doc__)
        given = name in ("add", "preview")
        part.add_argument("language", metavar="LANG", nargs=None if given else "?", help="a code: de, fr, pt_BR …")
        if name != "add":
            part.add_argument("edition", metavar="EDITION", nargs=None if given else "?", help="a name or file")
        part.set_defaults(work=work)
        if name == "update":
            part.add_argument("--check", action="store_true", help="change nothing; exit with 1 where it would")
        if name == "status":
            part.add_argument("--complete", action="store_true", help="exit with 1 unless all is translated")


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 20 and int(text) <= _LARGEST_SEED):
        raise argparse.ArgumentTypeError(f"a seed is a whole number from 0 to {_LARGEST_SEED}, not '{text}'")
    return int(text)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 15):
        raise argparse.ArgumentTypeError(f"expected a whole number, not '{text}'")
    return int(text)


def _complain(message: str) -> None:
    """An error as one paragraph, whatever it quotes."""
    if sys.stderr is None:
        return
    lines = [_cut(visible(line)) for line in f"rulewright: {message}".split("\n")]
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
