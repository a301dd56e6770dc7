"""Arguments of the commands for players, and for those who host tables."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from rulewright.commands.argument_builder import Builder
from rulewright.commands.parser import Parser
from rulewright.i18n.localizer import phrase

_HOST, _PORT = "127.0.0.1", 8421
_CONNECTIONS, _TABLES = 2000, 20_000
LOGS = ("none", "json")


def play(builder: Builder) -> None:
    help_ = phrase("usage", "play a game at this terminal")
    told = phrase(
        "usage",
        "Play a game at this terminal. Without --seats a few questions come first; Enter accepts the usual.",
    )
    play = builder.add("play", help_, "play", told)
    play.add_argument(
        "name", nargs="?", metavar=builder.typed("EDITION"), help=builder.text(phrase("usage", "the same as --edition"))
    )
    which = phrase("usage", "what to play; any part of its name that fits no other")
    play.add_argument("--edition", metavar=builder.typed("NAME|FILE"), help=builder.text(which))
    seats = phrase(
        "usage",
        "clockwise: {kinds} or a virtual player's name",
        kinds=builder.typed("you, NAME, random, greedy, search, NAME:search"),
    )
    play.add_argument("--seats", metavar=builder.typed("LIST"), help=builder.text(seats))
    play.add_argument(
        "--option",
        metavar=builder.typed("NAME=VALUE"),
        action="append",
        default=[],
        help=builder.text(phrase("usage", "a variant; may be given several times")),
    )
    seed = phrase("usage", "the same seed deals the same game")
    play.add_argument("--seed", metavar="N", type=play.seed, help=builder.text(seed))
    save = phrase("usage", "where the game is saved, after every answer")
    play.add_argument("--save", metavar=builder.typed("FILE"), help=builder.text(save))
    resume = phrase("usage", "go on with a saved game; without {file} the last one", file=builder.typed("FILE"))
    play.add_argument("--resume", metavar=builder.typed("FILE"), nargs="?", const="", help=builder.text(resume))
    place = phrase("usage", "begin where somebody is asked in a phase or a step; chance plays until then")
    play.add_argument("--from", dest="place", metavar=builder.typed("NAME"), help=builder.text(place))
    case = phrase("usage", "the file is one of cases: begin as this case does")
    play.add_argument("--case", metavar=builder.typed("NAME"), help=builder.text(case))
    builder.pace(play)
    builder.language(play)
    builder.colour(play)


def learn(builder: Builder) -> None:
    help_ = phrase("usage", "learn a game by playing its examples")
    told = phrase(
        "usage",
        "Learn a game by its examples: you decide for one of the players, and see what comes of it and why.",
    )
    learn = builder.add("learn", help_, "learn", told)
    which = phrase("usage", "what to learn; any part of its name that fits no other")
    learn.add_argument("edition", metavar=builder.typed("EDITION"), help=builder.text(which))
    lesson = phrase("usage", "its number or title; else you choose one")
    learn.add_argument("lesson", nargs="?", metavar=builder.typed("LESSON"), help=builder.text(lesson))
    builder.pace(learn)
    builder.language(learn)
    builder.colour(learn)


def replay(builder: Builder) -> None:
    help_ = phrase("usage", "tell a saved game again")
    told = phrase("usage", "Tell a saved or simulated game again, as an onlooker or one of its seats saw it.")
    replay = builder.add("replay", help_, "play", told)
    file = builder.typed("FILE")
    replay.add_argument("file", metavar=file)
    seat = phrase("usage", "as this seat saw it; else as an onlooker did")
    replay.add_argument("--seat", metavar=builder.typed("N|NAME"), help=builder.text(seat))
    number = phrase("usage", "where {file} is a simulation's folder: the number of a game", file=file)
    replay.add_argument("--game", metavar="N", type=replay.number, help=builder.text(number))
    setting = phrase("usage", "and of its setting; else 0")
    replay.add_argument("--setting", metavar="N", type=replay.number, help=builder.text(setting))
    builder.language(replay)
    builder.colour(replay)


def serve(builder: Builder) -> None:
    help_ = phrase("usage", "tables in the browser, for friends")
    told = phrase(
        "usage",
        "Serve tables to browsers: begin a game there and send links to friends. Only this computer reaches them, "
        "unless another --host is given.",
    )
    serve = builder.add("serve", help_, "serve", told)
    more = phrase("usage", "variants to offer too, by their files")
    serve.add_argument("editions", metavar=builder.typed("FILE"), nargs="*", help=builder.text(more))
    trained = phrase("usage", "a trained player to offer too, by its file; may be repeated")
    file = builder.typed("FILE")
    serve.add_argument("--policy", metavar=file, action="append", default=[], help=builder.text(trained))
    host = phrase("usage", "the address to serve at; else {usual}; {all}: every one", usual=_HOST, all="0.0.0.0")
    serve.add_argument("--host", metavar=builder.typed("ADDRESS"), default=_HOST, help=builder.text(host))
    port = phrase("usage", "else {usual}; 0: any that is free", usual=str(_PORT))
    serve.add_argument("--port", metavar="N", type=serve.number, default=_PORT, help=builder.text(port))
    data = phrase("usage", "where games are kept: a folder, or postgresql://USER@HOST/NAME")
    serve.add_argument("--data", metavar=builder.typed("FOLDER"), help=builder.text(data))
    several = phrase("usage", "how many processes serve; more than one need PostgreSQL")
    serve.add_argument("--workers", metavar="N", type=serve.number, default=1, help=builder.text(several))
    name = phrase("usage", "a name by which browsers call this server, besides this machine's own; may be repeated")
    known = builder.typed("NAME")
    serve.add_argument("--allow-host", metavar=known, action="append", default=[], help=builder.text(name))
    proxy = phrase("usage", "a server in front that says for whom it asks (X-Forwarded-For); may be repeated")
    front = builder.typed("ADDRESS")
    serve.add_argument("--trust-proxy", metavar=front, action="append", default=[], help=builder.text(proxy))
    most = phrase("usage", "how many pages may be connected at once; else {usual}", usual=str(_CONNECTIONS))
    serve.add_argument("--connections", metavar="N", type=serve.positive, default=_CONNECTIONS, help=builder.text(most))
    most = phrase("usage", "how many tables are kept; else {usual}", usual=str(_TABLES))
    serve.add_argument("--tables", metavar="N", type=serve.positive, default=_TABLES, help=builder.text(most))
    keep = phrase("usage", "days for which a table is kept that nobody visits; else for ever")
    serve.add_argument("--keep", metavar="N", type=serve.number, default=0, help=builder.text(keep))
    metrics = phrase(
        "usage", "where Prometheus reads how the server does: {port}, or {place}", port="9100", place="HOST:PORT"
    )
    serve.add_argument("--metrics", metavar="PORT", default="", help=builder.text(metrics))
    log = phrase("usage", "what happens, one event a line; else {usual}", usual=LOGS[0])
    serve.add_argument(
        "--log",
        type=serve.one_of("--log", LOGS),
        metavar="{" + ",".join(LOGS) + "}",
        default=LOGS[0],
        help=builder.text(log),
    )
    builder.language(serve)


def data(builder: Builder) -> None:
    _add_data(builder.add("data", phrase("usage", "the tables that a server keeps"), "data", _DATA), builder.language)


def editions(builder: Builder) -> None:
    help_ = phrase("usage", "list the games there are")
    told = phrase("usage", "List the games there are: name, title, players, seats and options.")
    builder.language(builder.add("editions", help_, "editions", told))


_DATA = phrase("usage", "Copy what a server keeps, bring a copy back, and take people out of it.")


def _add_data(parser: Parser, language: Callable[[Parser], None]) -> None:
    """Add the subcommands of `data`."""
    made: argparse._SubParsersAction[Parser] = parser.add_subparsers(dest="part", metavar="COMMAND", required=True)
    helps = {
        "backup": "copy all tables to a file, also while they are served",
        "restore": "bring the tables of a copy to a folder or a database that has none",
        "forget": "take a person out: the name, the links, and what was said",
    }
    for name, help_ in helps.items():
        part = made.add_parser(name, said=parser.said, help=help_)
        where = "where games are kept: a folder, or postgresql://USER@HOST/NAME"
        part.add_argument("--data", metavar="FOLDER", help=where)
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
