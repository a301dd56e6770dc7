"""Arguments of the commands for designers and translators, which explain themselves in English."""

from __future__ import annotations

import argparse

from rulewright.commands.argument_builder import Builder
from rulewright.commands.parser import Parser
from rulewright.i18n.localizer import phrase

REPORTS = ("text", "json", "sarif", "github")
"""Formats of `check`, the default first. As BOOKS and PAPERS repeated here from other modules, so that only used ones
are loaded; a test compares them."""
BOOKS = ("html", "pdf", "md")
"""Formats of `book`."""
PAPERS = ("a4", "a3", "letter")
"""Sizes of sheets of `cards`."""


def checks(builder: Builder) -> None:
    """Add the commands that check, format and test editions."""
    check = builder.add("check", phrase("usage", "find mistakes in rule files"), "check")
    check.add_argument("names", metavar="NAME|FILE", nargs="+")
    check.add_argument("--strict", action="store_true", help="exit status 1 for warnings too")
    check.add_argument("--fix", action="store_true", help="mend what has one sure fix, and say what was done")
    helps = "json for editors, sarif for code hosts, github for workflow commands"
    check.add_argument("--format", choices=REPORTS, default=REPORTS[0], help=helps)
    builder.add_language_option(check)

    form = builder.add("format", phrase("usage", "write rule files in one form"), "check")
    form.add_argument("names", metavar="NAME|FILE", nargs="+")
    form.add_argument("--check", action="store_true", help="change nothing; name the files that are not in the form")
    builder.add_language_option(form)

    test = builder.add("test", phrase("usage", "run the scenarios of rule files"), "check")
    test.add_argument("paths", metavar="PATH", nargs="+")
    builder.add_language_option(test)


_OF_EDITION = "an edition's name or file"
"""Help of an argument that names an edition."""


def authoring(builder: Builder) -> None:
    """Add the commands about one edition: to compare, explain, begin, pack and print it."""
    diff = builder.add("diff", phrase("usage", "how two editions differ"), "authoring")
    diff.add_argument("before", metavar="BEFORE", help=_OF_EDITION)
    diff.add_argument("after", metavar="AFTER", help=_OF_EDITION)
    diff.add_argument("--technical", action="store_true", help="also by dotted names, as they stand in the files")
    diff.add_argument("--exit-code", action="store_true", help="exit with 1 if there is a difference")
    builder.add_language_option(diff)

    explain = builder.add("explain", phrase("usage", "what a name of an edition is"), "authoring")
    explain.add_argument(
        "edition",
        metavar="EDITION|CODE",
        help=f"{_OF_EDITION}; or a code that `check` has told, such as unknown-name",
    )
    explain.add_argument("name", metavar="NAME", nargs="*", help="as in 'hand limit' or 'values.hand limit'")
    program_help = (
        "instead the program for so many seats, or what it has for the step NAME: instructions beside sentences"
    )
    explain.add_argument("--program", metavar="SEATS", type=explain.number, help=program_help)
    builder.add_language_option(explain)

    new = builder.add("new", phrase("usage", "begin a variant of an edition"), "authoring")
    new.add_argument("name", metavar="NAME", help="what the variant is called, and its file")
    new.add_argument("--from", dest="edition", metavar="EDITION", required=True, help=_OF_EDITION)
    new.add_argument("--dir", metavar="FOLDER", default=".", help="where the file goes; else here")

    pack = builder.add("pack", phrase("usage", "put a game and its pictures into one file"), "authoring")
    pack.add_argument("file", metavar="FILE", help="the game's file")
    pack.add_argument("--out", metavar="FILE", help="where it goes; else FILE.rulewright")

    unpack = builder.add("unpack", phrase("usage", "take a game out of such a file"), "authoring")
    unpack.add_argument("file", metavar="FILE", help="a file that ends in .rulewright")
    unpack.add_argument("--dir", metavar="FOLDER", default=".", help="where its folder goes; else here")

    _add_books(builder)
    help_ = builder.text(phrase("usage", "languages: begin, update, check"))
    _add_locale(builder.subparsers.add_parser("locale", localizer=builder.localizer, help=help_, description=_LOCALE))

    schema = builder.add("schema", phrase("usage", "what editors need to help"), "authoring")
    schema.add_argument("what", nargs="?", choices=["edition", "variant", "scenarios"], default="edition")
    schema.add_argument("--out", metavar="FILE", help="where it goes; else it is shown")


def _add_books(builder: Builder) -> None:
    """Add the commands 'rulebook' and 'cards'."""
    book = builder.add("rulebook", phrase("usage", "tell an edition's rules, with pictures"), "books")
    book.add_argument("edition", metavar="EDITION", help=_OF_EDITION)
    book.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help="as it is played")
    book.add_argument("--changes", action="store_true", help="mark and list what is different")
    book.add_argument("--format", choices=BOOKS, help="else as the file's name ends; else html")
    book.add_argument("--paper", choices=["a4", "a5"], default="a4", help="of a PDF; else a4")
    book.add_argument("--out", metavar="FILE", help="where it goes; else EDITION-LANG.html")
    builder.add_language_option(book)

    cards = builder.add("cards", phrase("usage", "print an edition's cards"), "books")
    cards.add_argument("edition", metavar="EDITION", help=_OF_EDITION)
    cards.add_argument("--out", metavar="FILE.pdf", help="where they go; else EDITION-cards.pdf")
    cards.add_argument("--paper", choices=PAPERS, default="a4", help="the size of the sheets; else a4")
    cards.add_argument("--bleed", action="store_true", help="for a printer's: a card a page, 3 mm beyond its edge")
    cards.add_argument("--parts", action="store_true", help="instead tiles, tokens, boards and a score sheet")
    cards.add_argument("--box", action="store_true", help="instead the back of a box, on one page")
    cards.add_argument("--preview", action="store_true", help="pictures to look at instead: a PNG of each page")
    cards.add_argument("--once", action="store_true", help="one card of each sort")
    cards.add_argument("--no-backs", action="store_true", help="for printing on one side")
    builder.add_language_option(cards)


def editors(builder: Builder) -> None:
    """Add the commands that open an editor: 'design', and 'language-server' for other editors."""
    bench = builder.add("design", phrase("usage", "design a game in the browser"), "design")
    bench.add_argument("path", metavar="FILE", nargs="?", default=".", help="a rule file, or a folder; else here")
    bench.add_argument("--port", metavar="NUMBER", type=bench.number, default=0, help="else any that is free")
    help_ = "end when its last window has been closed for so long"
    bench.add_argument("--end-after", metavar="MINUTES", type=bench.number, default=0, help=help_)
    bench.add_argument("--no-browser", action="store_true", help="tell the address, and open no browser")
    builder.add_language_option(bench)

    editor = builder.add("language-server", phrase("usage", "help an editor with rule files"), "language_server")
    editor.add_argument("--stdio", action="store_true", help="over standard input and output, as always")
    builder.add_language_option(editor)


_LOCALE = "Texts in other languages: catalogs and grammar. spec/TRANSLATING.md shows how a language is made."
"""Description of the command `locale`."""


def _add_locale(parser: Parser) -> None:
    """Add the subcommands of `locale`."""
    subparsers: argparse._SubParsersAction[Parser] = parser.add_subparsers(
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
        part = subparsers.add_parser(name, localizer=parser.localizer, help=help_)
        required = name in ("add", "preview")
        part.add_argument("language", metavar="LANG", nargs=None if required else "?", help="a code: de, fr, pt_BR …")
        if name != "add":
            part.add_argument("edition", metavar="EDITION", nargs=None if required else "?", help="a name or file")
        part.set_defaults(work=f"locales:{name}")
        if name == "update":
            part.add_argument("--check", action="store_true", help="change nothing; exit with 1 where it would")
        if name == "status":
            part.add_argument("--complete", action="store_true", help="exit with 1 unless all is translated")
