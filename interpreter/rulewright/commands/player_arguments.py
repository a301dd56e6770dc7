"""Arguments of the commands for players, and for those who host tables."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from rulewright.commands.argument_builder import Builder
from rulewright.commands.parser import Parser
from rulewright.i18n.localizer import phrase

_HOST, _PORT = "127.0.0.1", 8421
"""_HOST and _PORT: defaults of `serve`."""
_CONNECTIONS, _TABLES = 2000, 20_000
"""Usual limits of connected pages and of tables."""
_TRIES, _MAX_TRIES = 600, 1_000_000
"""Usual and most tries of `analyse`."""
_FORMATS = ("text", "json")
"""Choices of `--format` of `analyse`, the default first."""
LOGS = ("none", "json")
"""Choices of `--log` of `serve`; the first, the default, logs nothing."""


def play(builder: Builder) -> None:
    """Add the command 'play'."""
    help_ = phrase("usage", "play a game at this terminal")
    description = phrase(
        "usage",
        "Play a game at this terminal. Without --seats a few questions come first; Enter accepts the usual.",
    )
    play = builder.add("play", help_, "play", description)
    play.argument("name", phrase("usage", "the same as --edition"), "EDITION", nargs="?")
    play.argument("--edition", phrase("usage", "what to play; any part of its name that fits no other"), "NAME|FILE")
    seats = phrase(
        "usage",
        "clockwise: {kinds} or a virtual player's name",
        kinds=builder.typed("you, NAME, easy, medium, hard, best, NAME:best"),
    )
    play.argument("--seats", seats, "LIST")
    play.argument("--option", phrase("usage", "a variant; may be given several times"), "NAME=VALUE", action="append")
    play.argument("--seed", phrase("usage", "the same seed deals the same game"), "N", type=play.seed)
    play.argument("--save", phrase("usage", "where the game is saved, after every answer"), "FILE")
    resume = phrase("usage", "go on with a saved game; without {file} the last one", file=builder.typed("FILE"))
    play.argument("--resume", resume, "FILE", nargs="?", const="")
    place = phrase("usage", "begin where somebody is asked in a phase or a step; chance plays until then")
    play.argument("--from", place, "NAME", dest="place")
    play.argument("--case", phrase("usage", "the file is one of cases: begin as this case does"), "NAME")
    builder.add_pace_option(play)
    builder.add_language_option(play)
    builder.add_colour_option(play)


def learn(builder: Builder) -> None:
    """Add the command 'learn'."""
    help_ = phrase("usage", "learn a game by playing its examples")
    description = phrase(
        "usage",
        "Learn a game by its examples: you decide for one of the players, and see what comes of it and why.",
    )
    learn = builder.add("learn", help_, "learn", description)
    learn.argument("edition", phrase("usage", "what to learn; any part of its name that fits no other"), "EDITION")
    learn.argument("lesson", phrase("usage", "its number or title; else you choose one"), "LESSON", nargs="?")
    builder.add_pace_option(learn)
    builder.add_language_option(learn)
    builder.add_colour_option(learn)


def replay(builder: Builder) -> None:
    """Add the command 'replay'."""
    help_ = phrase("usage", "tell a saved game again")
    description = phrase("usage", "Tell a saved or simulated game again, as an onlooker or one of its seats saw it.")
    replay = builder.add("replay", help_, "play", description)
    file = builder.typed("FILE")
    replay.add_argument("file", metavar=file)
    replay.argument("--seat", phrase("usage", "as this seat saw it; else as an onlooker did"), "N|NAME")
    number = phrase("usage", "where {file} is a simulation's folder: the number of a game", file=file)
    replay.argument("--game", number, "N", type=replay.number)
    replay.argument("--setting", phrase("usage", "and of its setting; else 0"), "N", type=replay.number)
    builder.add_language_option(replay)
    builder.add_colour_option(replay)


def analyse(builder: Builder) -> None:
    """Add the command 'analyse'."""
    help_ = phrase("usage", "judge every decision of a finished game")
    description = phrase(
        "usage",
        "Judge every decision of a finished game: what was played, what was better, and what that cost. Each is judged "
        "by what its player could know.",
    )
    analyse = builder.add("analyse", help_, "analyse", description)
    analyse.add_argument("file", metavar=builder.typed("FILE"))
    tries = phrase("usage", "tries of each answer that is judged; else {usual}", usual=_TRIES)
    analyse.argument("--tries", tries, "N", type=_tries(analyse), default=_TRIES)
    seconds = phrase("usage", "take about so long for the whole game, with fewer tries if need be")
    analyse.argument("--seconds", seconds, "N", type=analyse.positive)
    analyse.choice("--format", phrase("usage", "json for programs"), _FORMATS, _FORMATS[0])
    builder.add_language_option(analyse)
    builder.add_colour_option(analyse)


def _tries(parser: Parser) -> Callable[[str], int]:
    """Build the reader of a number of tries."""

    def read(text: str) -> int:
        number = parser.positive(text)
        if number > _MAX_TRIES:
            message = phrase("errors", "Tries go up to {most}, not '{given}'.", most=_MAX_TRIES, given=text)
            raise parser.refusal(message)
        return number

    return read


def serve(builder: Builder) -> None:
    """Add the command 'serve'."""
    help_ = phrase("usage", "tables in the browser, for friends")
    description = phrase(
        "usage",
        "Serve tables to browsers: begin a game there and send links to friends. Only this computer reaches them, "
        "unless another --host is given.",
    )
    serve = builder.add("serve", help_, "serve", description)
    serve.argument("editions", phrase("usage", "variants to offer too, by their files"), "FILE", nargs="*")
    trained = phrase("usage", "a trained player to offer too, by its file; may be repeated")
    serve.argument("--policy", trained, "FILE", action="append")
    host = phrase("usage", "the address to serve at; else {usual}; {all}: every one", usual=_HOST, all="0.0.0.0")
    serve.argument("--host", host, "ADDRESS", default=_HOST)
    port = phrase("usage", "else {usual}; 0: any that is free", usual=str(_PORT))
    serve.argument("--port", port, "N", type=serve.number, default=_PORT)
    data = phrase("usage", "where games are kept: a folder, or postgresql://USER@HOST/NAME")
    serve.argument("--data", data, "FOLDER")
    several = phrase("usage", "how many processes serve; more than one need PostgreSQL")
    serve.argument("--workers", several, "N", type=serve.number, default=1)
    name = phrase("usage", "a name by which browsers call this server, besides this machine's own; may be repeated")
    serve.argument("--allow-host", name, "NAME", action="append")
    proxy = phrase("usage", "a server in front that says for whom it asks (X-Forwarded-For); may be repeated")
    serve.argument("--trust-proxy", proxy, "ADDRESS", action="append")
    most = phrase("usage", "how many pages may be connected at once; else {usual}", usual=str(_CONNECTIONS))
    serve.argument("--connections", most, "N", type=serve.positive, default=_CONNECTIONS)
    most = phrase("usage", "how many tables are kept; else {usual}", usual=str(_TABLES))
    serve.argument("--tables", most, "N", type=serve.positive, default=_TABLES)
    keep = phrase("usage", "days for which a table is kept that nobody visits; else for ever")
    serve.argument("--keep", keep, "N", type=serve.number, default=0)
    metrics = phrase(
        "usage", "where Prometheus reads how the server does: {port}, or {place}", port="9100", place="HOST:PORT"
    )
    serve.argument("--metrics", metrics, "PORT", default="")
    log = phrase("usage", "what happens, one event a line; else {usual}", usual=LOGS[0])
    serve.choice("--log", log, LOGS, LOGS[0])
    builder.add_language_option(serve)


def data(builder: Builder) -> None:
    """Add the command 'data' and its subcommands."""
    _add_data(
        builder.add("data", phrase("usage", "the tables that a server keeps"), "data", _DATA),
        builder.add_language_option,
    )


def editions(builder: Builder) -> None:
    """Add the command 'editions'."""
    help_ = phrase("usage", "list the games there are")
    description = phrase("usage", "List the games there are: name, title, players, seats and options.")
    builder.add_language_option(builder.add("editions", help_, "editions", description))


_DATA = phrase("usage", "Copy what a server keeps, bring a copy back, and take people out of it.")
"""Description of the command `data`."""


def _add_data(parser: Parser, language: Callable[[Parser], None]) -> None:
    """Add the subcommands of `data`."""
    subparsers: argparse._SubParsersAction[Parser] = parser.add_subparsers(
        dest="part", metavar="COMMAND", required=True
    )
    helps = {
        "backup": "copy all tables to a file, also while they are served",
        "restore": "bring the tables of a copy to a folder or a database that has none",
        "forget": "take a person out: the name, the links, and what was said",
    }
    for name, help_ in helps.items():
        part = subparsers.add_parser(name, localizer=parser.localizer, help=help_)
        folder = "where games are kept: a folder, or postgresql://USER@HOST/NAME"
        part.add_argument("--data", metavar="FOLDER", help=folder)
        part.set_defaults(work=f"data:{name}")
        language(part)
        if name != "forget":
            part.add_argument("file", metavar="FILE", help="the copy")
            continue
        part.add_argument("name", metavar="NAME", nargs="?", help="as it stands at tables")
        table = "at this table; may be repeated"
        part.add_argument("--table", metavar="N", type=part.number, action="append", default=[], help=table)
        part.add_argument("--all", action="store_true", help="at all tables")
        part.add_argument("--link", metavar="LINK", default="", help="instead of a name: the link of a seat")
