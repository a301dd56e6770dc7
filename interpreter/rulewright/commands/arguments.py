"""Arguments of `rulewright`: commands, options and their help in the reader's language.

Commands for players speak every language; those for designers and translators explain themselves in English.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from rulewright import __version__
from rulewright.commands.parser import Parser
from rulewright.i18n.localizer import Localizer, Phrase, phrase
from rulewright.i18n.placeholders import translate_placeholders

_HOST, _PORT = "127.0.0.1", 8421
_CONNECTIONS, _TABLES = 2000, 20_000
_COLOURS = ("auto", "always", "never")
_PACES = ("slow", "usual", "fast", "at-once")

# Repeated here from other modules, so that only used ones are loaded; a test compares them.
_LOADING = ("play", "learn", "check", "authoring", "books", "simulate", "tune", "editions", "train")
"""Modules whose commands load editions."""

LOGS = ("none", "json")
REPORTS = ("text", "json", "sarif", "github")
REWARDS = ("win", "rank", "score")
BOOKS = ("html", "pdf", "md")
PAPERS = ("a4", "a3", "letter")


def build_parsers(localizer: Localizer, command: str = "") -> tuple[Parser, dict[str, Parser]]:
    """Build the parser of the whole command line, and those of its commands. command: the one that is needed, if known;
    others may then be left out."""
    return _Commands(localizer).all(command)


_GROUPS = {
    "play": ("play",),
    "learn": ("learn",),
    "replay": ("replay",),
    "serve": ("serve",),
    "data": ("data",),
    "editions": ("editions",),
    "check": ("check", "format", "test"),
    "simulations": ("simulate", "report", "compare", "tune"),
    "train": ("train",),
    "design": ("diff", "explain", "new", "pack", "unpack", "rulebook", "cards", "schema", "locale"),
    "edit": ("design", "language-server"),
}
"""Commands that each method below adds, in the order of the help."""


class _Commands:
    """Builder of the parsers."""

    def __init__(self, localizer: Localizer) -> None:
        self.said = localizer
        self.parser = Parser(
            localizer,
            prog="rulewright",
            description=localizer.say(phrase("usage", "Runs tabletop games from rule files.")),
        )
        self.made: argparse._SubParsersAction[Parser] = self.parser.add_subparsers(
            dest="command",
            metavar=self.typed("COMMAND"),
            required=True,
            title=localizer.say(phrase("usage", "commands")),
        )

    def all(self, command: str) -> tuple[Parser, dict[str, Parser]]:
        version = self.said.say(phrase("usage", "show the version"))
        self.parser.add_argument("--version", action="version", version=f"rulewright {__version__}", help=version)
        wanted = [method for method, names in _GROUPS.items() if command in names]
        for method in wanted or _GROUPS:
            getattr(self, method)()
        return self.parser, dict(self.made.choices)

    def typed(self, text: str) -> str:
        """Translate the placeholders in what is typed."""
        return translate_placeholders(text, self.said)

    def text(self, message: Phrase) -> str:
        """Translate a text for argparse, which interprets per cent signs."""
        return self.said.say(message).replace("%", "%%")

    def add(self, name: str, help_: Phrase, module: str, told: Phrase | None = None) -> Parser:
        """Add a command. module: of this package, with a function of the command's name; told: description, if that
        function's docstring is none."""
        described = self.text(told) if told is not None else None
        parser = self.made.add_parser(name, said=self.said, help=self.text(help_), description=described)
        parser.set_defaults(work=f"{module}:{name.replace('-', '_')}")
        if module in _LOADING:
            fresh = phrase("usage", "do not use the cache; read editions anew")
            parser.add_argument("--no-cache", action="store_true", help=self.text(fresh))
        return parser

    def language(self, parser: Parser) -> None:
        parser.add_argument(
            "--lang",
            metavar=self.typed("CODE"),
            help=self.text(phrase("usage", "the language: en, de …; else the system's")),
        )

    def colour(self, parser: Parser) -> None:
        parser.add_argument(
            "--color",
            type=parser.one_of("--color", _COLOURS),
            metavar="{" + ",".join(_COLOURS) + "}",
            default=_COLOURS[0],
            help=self.text(phrase("usage", "{usual}: on terminals", usual=_COLOURS[0])),
        )

    def pace(self, parser: Parser) -> None:
        parser.add_argument(
            "--pace",
            metavar="{" + ",".join(_PACES) + "}",
            type=parser.one_of("--pace", _PACES),
            help=self.text(phrase("usage", "how fast things go by where somebody reads along")),
        )

    # ── for players ──

    def play(self) -> None:
        help_ = phrase("usage", "play a game at this terminal")
        told = phrase(
            "usage",
            "Play a game at this terminal. Without --seats a few questions come first; Enter accepts the usual.",
        )
        play = self.add("play", help_, "play", told)
        play.add_argument(
            "name", nargs="?", metavar=self.typed("EDITION"), help=self.text(phrase("usage", "the same as --edition"))
        )
        which = phrase("usage", "what to play; any part of its name that fits no other")
        play.add_argument("--edition", metavar=self.typed("NAME|FILE"), help=self.text(which))
        seats = phrase(
            "usage",
            "clockwise: {kinds} or a virtual player's name",
            kinds=self.typed("you, NAME, random, greedy, search, NAME:search"),
        )
        play.add_argument("--seats", metavar=self.typed("LIST"), help=self.text(seats))
        play.add_argument(
            "--option",
            metavar=self.typed("NAME=VALUE"),
            action="append",
            default=[],
            help=self.text(phrase("usage", "a variant; may be given several times")),
        )
        seed = phrase("usage", "the same seed deals the same game")
        play.add_argument("--seed", metavar="N", type=play.seed, help=self.text(seed))
        save = phrase("usage", "where the game is saved, after every answer")
        play.add_argument("--save", metavar=self.typed("FILE"), help=self.text(save))
        resume = phrase("usage", "go on with a saved game; without {file} the last one", file=self.typed("FILE"))
        play.add_argument("--resume", metavar=self.typed("FILE"), nargs="?", const="", help=self.text(resume))
        place = phrase("usage", "begin where somebody is asked in a phase or a step; chance plays until then")
        play.add_argument("--from", dest="place", metavar=self.typed("NAME"), help=self.text(place))
        case = phrase("usage", "the file is one of cases: begin as this case does")
        play.add_argument("--case", metavar=self.typed("NAME"), help=self.text(case))
        self.pace(play)
        self.language(play)
        self.colour(play)

    def learn(self) -> None:
        help_ = phrase("usage", "learn a game by playing its examples")
        told = phrase(
            "usage",
            "Learn a game by its examples: you decide for one of the players, and see what comes of it and why.",
        )
        learn = self.add("learn", help_, "learn", told)
        which = phrase("usage", "what to learn; any part of its name that fits no other")
        learn.add_argument("edition", metavar=self.typed("EDITION"), help=self.text(which))
        lesson = phrase("usage", "its number or title; else you choose one")
        learn.add_argument("lesson", nargs="?", metavar=self.typed("LESSON"), help=self.text(lesson))
        self.pace(learn)
        self.language(learn)
        self.colour(learn)

    def replay(self) -> None:
        help_ = phrase("usage", "tell a saved game again")
        told = phrase("usage", "Tell a saved or simulated game again, as an onlooker or one of its seats saw it.")
        replay = self.add("replay", help_, "play", told)
        file = self.typed("FILE")
        replay.add_argument("file", metavar=file)
        seat = phrase("usage", "as this seat saw it; else as an onlooker did")
        replay.add_argument("--seat", metavar=self.typed("N|NAME"), help=self.text(seat))
        number = phrase("usage", "where {file} is a simulation's folder: the number of a game", file=file)
        replay.add_argument("--game", metavar="N", type=replay.number, help=self.text(number))
        setting = phrase("usage", "and of its setting; else 0")
        replay.add_argument("--setting", metavar="N", type=replay.number, help=self.text(setting))
        self.language(replay)
        self.colour(replay)

    def serve(self) -> None:
        help_ = phrase("usage", "tables in the browser, for friends")
        told = phrase(
            "usage",
            "Serve tables to browsers: begin a game there and send links to friends. Only this computer reaches them, "
            "unless another --host is given.",
        )
        serve = self.add("serve", help_, "serve", told)
        more = phrase("usage", "variants to offer too, by their files")
        serve.add_argument("editions", metavar=self.typed("FILE"), nargs="*", help=self.text(more))
        trained = phrase("usage", "a trained player to offer too, by its file; may be repeated")
        file = self.typed("FILE")
        serve.add_argument("--policy", metavar=file, action="append", default=[], help=self.text(trained))
        host = phrase("usage", "the address to serve at; else {usual}; {all}: every one", usual=_HOST, all="0.0.0.0")
        serve.add_argument("--host", metavar=self.typed("ADDRESS"), default=_HOST, help=self.text(host))
        port = phrase("usage", "else {usual}; 0: any that is free", usual=str(_PORT))
        serve.add_argument("--port", metavar="N", type=serve.number, default=_PORT, help=self.text(port))
        data = phrase("usage", "where games are kept: a folder, or postgresql://USER@HOST/NAME")
        serve.add_argument("--data", metavar=self.typed("FOLDER"), help=self.text(data))
        several = phrase("usage", "how many processes serve; more than one need PostgreSQL")
        serve.add_argument("--workers", metavar="N", type=serve.number, default=1, help=self.text(several))
        name = phrase("usage", "a name by which browsers call this server, besides this machine's own; may be repeated")
        known = self.typed("NAME")
        serve.add_argument("--allow-host", metavar=known, action="append", default=[], help=self.text(name))
        proxy = phrase("usage", "a server in front that says for whom it asks (X-Forwarded-For); may be repeated")
        front = self.typed("ADDRESS")
        serve.add_argument("--trust-proxy", metavar=front, action="append", default=[], help=self.text(proxy))
        most = phrase("usage", "how many pages may be connected at once; else {usual}", usual=str(_CONNECTIONS))
        serve.add_argument(
            "--connections", metavar="N", type=serve.positive, default=_CONNECTIONS, help=self.text(most)
        )
        most = phrase("usage", "how many tables are kept; else {usual}", usual=str(_TABLES))
        serve.add_argument("--tables", metavar="N", type=serve.positive, default=_TABLES, help=self.text(most))
        keep = phrase("usage", "days for which a table is kept that nobody visits; else for ever")
        serve.add_argument("--keep", metavar="N", type=serve.number, default=0, help=self.text(keep))
        metrics = phrase(
            "usage", "where Prometheus reads how the server does: {port}, or {place}", port="9100", place="HOST:PORT"
        )
        serve.add_argument("--metrics", metavar="PORT", default="", help=self.text(metrics))
        log = phrase("usage", "what happens, one event a line; else {usual}", usual=LOGS[0])
        serve.add_argument(
            "--log",
            type=serve.one_of("--log", LOGS),
            metavar="{" + ",".join(LOGS) + "}",
            default=LOGS[0],
            help=self.text(log),
        )
        self.language(serve)

    def data(self) -> None:
        _add_data(self.add("data", phrase("usage", "the tables that a server keeps"), "data", _DATA), self.language)

    def editions(self) -> None:
        help_ = phrase("usage", "list the games there are")
        told = phrase("usage", "List the games there are: name, title, players, seats and options.")
        self.language(self.add("editions", help_, "editions", told))

    # ── for those who play many games ──

    def simulations(self) -> None:
        help_ = phrase("usage", "play many games, keep what happens")
        told = phrase(
            "usage",
            "Play many games of an edition, with every combination of options and values, and keep what happens as "
            "tables. The same command again goes on where it was stopped; with more games it adds to what is there.",
        )
        simulate = self.add("simulate", help_, "simulate", told)
        of_edition = self.text(phrase("usage", "an edition's name or file"))
        simulate.add_argument("edition", metavar=self.typed("EDITION"), help=of_edition)
        out = phrase("usage", "where the tables go; else below '{folder}'", folder="simulations")
        simulate.add_argument("--out", metavar=self.typed("FOLDER"), help=self.text(out))
        processes = phrase("usage", "how many play; else one per processor")
        simulate.add_argument("--processes", metavar="N", type=simulate.number, help=self.text(processes))
        cluster = phrase("usage", "play on a Dask cluster, by its scheduler's address")
        simulate.add_argument("--cluster", metavar=self.typed("ADDRESS"), help=self.text(cluster))

        played = phrase("usage", "count games that were played instead, by their saves: all of one table")
        simulate.add_argument("--played", metavar=self.typed("FILE"), nargs="+", default=[], help=self.text(played))

        help_ = phrase("usage", "tell a simulation's results")
        told = phrase("usage", "Tell the results of a simulation anew, in its folder's {page}.", page="report.html")
        report = self.add("report", help_, "simulate", told)
        left = phrase("usage", "what '{command}' left", command="rulewright simulate")
        report.add_argument("folder", metavar=self.typed("FOLDER"), help=self.text(left))

        help_ = phrase("usage", "how simulations differ")
        told = phrase(
            "usage",
            "Tell how the games of several simulations differ, or of several values of an option, and how surely. The "
            "first is what the others are compared with. Editions are simulated for it, all with the same seeds.",
        )
        compare = self.add("compare", help_, "simulate", told)
        names = phrase("usage", "results of simulations, or what to simulate")
        compare.add_argument("names", metavar=self.typed("FOLDER|EDITION"), nargs="+", help=self.text(names))
        page = phrase("usage", "a page with plots as well")
        compare.add_argument("--out", metavar=self.typed("FILE"), help=self.text(page))

        tune = self._tune()
        for parser in (simulate, compare):
            games = phrase("usage", "of each edition and setting; else 1000")
            parser.add_argument("--games", metavar="N", type=parser.number, help=self.text(games))
            option = phrase(
                "usage",
                "an option, or a value that is a number; several are all tried; may be given several times",
            )
            several = self.typed("NAME=VALUE,…")
            parser.add_argument("--option", metavar=several, action="append", default=[], help=self.text(option))
        for parser in (simulate, compare, tune):
            seats = phrase(
                "usage", "clockwise: {kinds} (tries), or a virtual player's name", kinds="random, greedy, search-200"
            )
            parser.add_argument("--seats", metavar=self.typed("LIST"), help=self.text(seats))
            seed = phrase("usage", "the same seed plays the same games; else 1")
            parser.add_argument("--seed", metavar="N", type=parser.seed, help=self.text(seed))
            quiet = phrase("usage", "do not tell how far it is")
            parser.add_argument("--quiet", action="store_true", help=self.text(quiet))
        for parser in (simulate, report, compare, tune):
            self.language(parser)

    def _tune(self) -> Parser:
        help_ = phrase("usage", "look for values that suit")
        told = phrase(
            "usage",
            "Look for values that bring a game nearer to goals. It plays many candidates on the same shuffles, checks "
            "the best on fresh ones, and writes them as a variant, with a page that shows the trade-offs. Where there "
            "are few combinations, all are tried. The same command goes on where it was stopped.",
        )
        tune = self.add("tune", help_, "tune", told)
        tune.add_argument(
            "edition", metavar=self.typed("EDITION"), help=self.text(phrase("usage", "an edition's name or file"))
        )
        vary = phrase(
            "usage",
            "what to vary: {examples}. A name is that of a value or option, or says where a number stands: {place}. "
            "May be given several times",
            examples="'hand limit=6..14', 'goal=50..100 by 10', 'tokens=0,2,5', 'short game=yes,no'",
            place="'pieces.card.copies', 'tiles by seats.4'",
        )
        tune.add_argument(
            "--vary", metavar=self.typed("NAME=VALUES"), action="append", default=[], help=self.text(vary)
        )
        toward = phrase(
            "usage",
            "a goal: {examples}. {length} counts decisions. May be given several times; without one you get the list "
            "of all that can be a goal",
            examples="'spread of seat wins', 'length=45', 'rounds=8..10', 'lead changes=high', 'shared wins=at most 5'",
            length="length",
        )
        goal = self.typed("GOAL")
        tune.add_argument("--toward", metavar=goal, action="append", default=[], help=self.text(toward))
        games = phrase("usage", "of each candidate; else 2000")
        tune.add_argument("--games", metavar="N", type=tune.number, help=self.text(games))
        trials = phrase("usage", "how many candidates are tried at most; else 60")
        tune.add_argument("--trials", metavar="N", type=tune.number, help=self.text(trials))
        time = phrase("usage", "begin no further candidate after so long")
        tune.add_argument("--time", metavar=self.typed("SECONDS"), type=tune.number, help=self.text(time))
        players = phrase("usage", "so many players, all at random; else the usual number")
        tune.add_argument("--players", metavar="N", type=tune.number, help=self.text(players))
        processes = phrase("usage", "how many play; else one per processor")
        tune.add_argument("--processes", metavar="N", type=tune.number, help=self.text(processes))
        out = phrase("usage", "where the variant goes, and beside it the page; else EDITION-tuned.yaml")
        tune.add_argument("--out", metavar=self.typed("FILE"), help=self.text(out))
        over = phrase("usage", "write over a variant that is there")
        tune.add_argument("--overwrite", action="store_true", help=self.text(over))
        return tune

    def train(self) -> None:
        help_ = phrase("usage", "train a player by playing")
        told = phrase(
            "usage",
            "Train a player of an edition by letting it play against itself, and keep what it has learned in a file. "
            "It sees what a seat sees, and nothing else.",
        )
        train = self.add("train", help_, "train", told)
        of_edition = self.text(phrase("usage", "an edition's name or file"))
        train.add_argument("edition", metavar=self.typed("EDITION"), help=of_edition)
        seats = phrase("usage", "how many learn; virtual players that must join them do so, and play at random")
        train.add_argument("--seats", metavar="N", type=train.number, help=self.text(seats))
        option = phrase("usage", "a variant; may be given several times")
        several = self.typed("NAME=VALUE")
        train.add_argument("--option", metavar=several, action="append", default=[], help=self.text(option))
        reward = phrase("usage", "what it plays for: to win, for its place, or for points")
        among = "{" + ",".join(REWARDS) + "}"
        kind = train.one_of("--reward", REWARDS)
        train.add_argument("--reward", metavar=among, type=kind, default=REWARDS[0], help=self.text(reward))
        decisions = phrase("usage", "how many it learns from; else two million")
        train.add_argument("--decisions", metavar="N", type=train.number, help=self.text(decisions))
        seed = phrase("usage", "the same seed trains the same player; else 1")
        train.add_argument("--seed", metavar="N", type=train.seed, help=self.text(seed))
        out = phrase("usage", "where it goes; else a file named as the edition, here")
        train.add_argument("--out", metavar=self.typed("FILE.safetensors"), help=self.text(out))
        resume = phrase("usage", "go on with a training that was stopped")
        train.add_argument("--resume", action="store_true", help=self.text(resume))
        quiet = phrase("usage", "do not tell how far it is")
        train.add_argument("--quiet", action="store_true", help=self.text(quiet))
        self.language(train)

    # ── for designers and translators ──

    def check(self) -> None:
        check = self.add("check", phrase("usage", "find mistakes in rule files"), "check")
        check.add_argument("names", metavar="NAME|FILE", nargs="+")
        check.add_argument("--strict", action="store_true", help="exit status 1 for warnings too")
        check.add_argument("--fix", action="store_true", help="mend what has one sure fix, and say what was done")
        helps = "json for editors, sarif for code hosts, github for workflow commands"
        check.add_argument("--format", choices=REPORTS, default=REPORTS[0], help=helps)

        form = self.add("format", phrase("usage", "write rule files in one form"), "check")
        form.add_argument("names", metavar="NAME|FILE", nargs="+")
        form.add_argument(
            "--check", action="store_true", help="change nothing; name the files that are not in the form"
        )

        test = self.add("test", phrase("usage", "run the scenarios of rule files"), "check")
        test.add_argument("paths", metavar="PATH", nargs="+")

    def design(self) -> None:
        of_edition = "an edition's name or file"
        diff = self.add("diff", phrase("usage", "how two editions differ"), "authoring")
        diff.add_argument("before", metavar="BEFORE", help=of_edition)
        diff.add_argument("after", metavar="AFTER", help=of_edition)
        diff.add_argument("--technical", action="store_true", help="also by dotted names, as they stand in the files")
        diff.add_argument("--exit-code", action="store_true", help="exit with 1 if there is a difference")
        self.language(diff)

        explain = self.add("explain", phrase("usage", "what a name of an edition is"), "authoring")
        explain.add_argument(
            "edition",
            metavar="EDITION|CODE",
            help=f"{of_edition}; or a code that `check` has told, such as unknown-name",
        )
        explain.add_argument("name", metavar="NAME", nargs="*", help="as in 'hand limit' or 'values.hand limit'")
        told = "instead the program for so many seats, or what it has for the step NAME: instructions beside sentences"
        explain.add_argument("--program", metavar="SEATS", type=explain.number, help=told)

        new = self.add("new", phrase("usage", "begin a variant of an edition"), "authoring")
        new.add_argument("name", metavar="NAME", help="what the variant is called, and its file")
        new.add_argument("--from", dest="edition", metavar="EDITION", required=True, help=of_edition)
        new.add_argument("--dir", metavar="FOLDER", default=".", help="where the file goes; else here")

        pack = self.add("pack", phrase("usage", "put a game and its pictures into one file"), "authoring")
        pack.add_argument("file", metavar="FILE", help="the game's file")
        pack.add_argument("--out", metavar="FILE", help="where it goes; else FILE.rulewright")

        unpack = self.add("unpack", phrase("usage", "take a game out of such a file"), "authoring")
        unpack.add_argument("file", metavar="FILE", help="a file that ends in .rulewright")
        unpack.add_argument("--dir", metavar="FOLDER", default=".", help="where its folder goes; else here")

        book = self.add("rulebook", phrase("usage", "tell an edition's rules, with pictures"), "books")
        book.add_argument("edition", metavar="EDITION", help=of_edition)
        book.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help="as it is played")
        book.add_argument("--changes", action="store_true", help="mark and list what is different")
        book.add_argument("--format", choices=BOOKS, help="else as the file's name ends; else html")
        book.add_argument("--paper", choices=["a4", "a5"], default="a4", help="of a PDF; else a4")
        book.add_argument("--out", metavar="FILE", help="where it goes; else EDITION-LANG.html")
        self.language(book)

        cards = self.add("cards", phrase("usage", "print an edition's cards"), "books")
        cards.add_argument("edition", metavar="EDITION", help=of_edition)
        cards.add_argument("--out", metavar="FILE.pdf", help="where they go; else EDITION-cards.pdf")
        cards.add_argument("--paper", choices=PAPERS, default="a4", help="the size of the sheets; else a4")
        cards.add_argument("--bleed", action="store_true", help="for a printer's: a card a page, 3 mm beyond its edge")
        cards.add_argument("--parts", action="store_true", help="instead tiles, tokens, boards and a score sheet")
        cards.add_argument("--box", action="store_true", help="instead the back of a box, on one page")
        cards.add_argument("--preview", action="store_true", help="pictures to look at instead: a PNG of each page")
        cards.add_argument("--once", action="store_true", help="one card of each sort")
        cards.add_argument("--no-backs", action="store_true", help="for printing on one side")
        self.language(cards)

        help_ = self.text(phrase("usage", "languages: begin, update, check"))
        _add_locale(self.made.add_parser("locale", said=self.said, help=help_, description=_LOCALE))

        schema = self.add("schema", phrase("usage", "what editors need to help"), "authoring")
        schema.add_argument("what", nargs="?", choices=["edition", "variant", "scenarios"], default="edition")
        schema.add_argument("--out", metavar="FILE", help="where it goes; else it is shown")

    def edit(self) -> None:
        bench = self.add("design", phrase("usage", "design a game in the browser"), "design")
        bench.add_argument("path", metavar="FILE", nargs="?", default=".", help="a rule file, or a folder; else here")
        bench.add_argument("--port", metavar="NUMBER", type=bench.number, default=0, help="else any that is free")
        told = "end when its last window has been closed for so long"
        bench.add_argument("--end-after", metavar="MINUTES", type=bench.number, default=0, help=told)
        bench.add_argument("--no-browser", action="store_true", help="tell the address, and open no browser")
        self.language(bench)

        editor = self.add("language-server", phrase("usage", "help an editor with rule files"), "language_server")
        editor.add_argument("--stdio", action="store_true", help="over standard input and output, as always")


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


_LOCALE = "Texts in other languages: catalogs and grammar. spec/TRANSLATING.md shows how a language is made."


def _add_locale(parser: Parser) -> None:
    """Add the subcommands of `locale`."""
    made: argparse._SubParsersAction[Parser] = parser.add_subparsers(
        dest="part",
        metavar="COMMAND",
        required=True,
    )
    helps = {
        "add": "begin a language",
        "update": "bring catalogs up to date with the texts",
        "check": "find mistakes in catalogs",
        "status": "how much is translated",
        "preview": "read an edition's sentences aloud",
    }
    for name, help_ in helps.items():
        part = made.add_parser(name, said=parser.said, help=help_)
        given = name in ("add", "preview")
        part.add_argument("language", metavar="LANG", nargs=None if given else "?", help="a code: de, fr, pt_BR …")
        if name != "add":
            part.add_argument("edition", metavar="EDITION", nargs=None if given else "?", help="a name or file")
        part.set_defaults(work=f"locales:{name}")
        if name == "update":
            part.add_argument("--check", action="store_true", help="change nothing; exit with 1 where it would")
        if name == "status":
            part.add_argument("--complete", action="store_true", help="exit with 1 unless all is translated")
