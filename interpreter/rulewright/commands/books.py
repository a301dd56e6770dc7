"""Commands `rulewright rulebook` and `cards`, whose dependencies are optional."""

from __future__ import annotations

import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from rulewright.base import files
from rulewright.commands.common import CommandError, choose_localizer, write
from rulewright.game import library
from rulewright.game.setup import parse_options
from rulewright.model.editions import is_path
from rulewright.publish.console import Console
from rulewright.publish.rulebook import book as whole
from rulewright.publish.rulebook import html, markdown
from rulewright.publish.rulebook.changes import base_builder
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder

PDF, HTML, MARKDOWN, PNG = "pdf", "html", "md", "png"
"""Names of formats, which are also the ends of files."""
FORMATS = (HTML, PDF, MARKDOWN)
"""Formats of a rulebook."""

_BEGINNINGS = {PDF: b"%PDF-", HTML: b"<!DOCTYPE html>", MARKDOWN: b"# ", PNG: b"\x89PNG"}
"""First bytes of each format; only a file that begins so is overwritten."""


def rulebook(arguments: Namespace) -> int:
    """Write an edition's rulebook, with pictures: a page, a book to print, or plain text."""
    form = arguments.format or Path(arguments.out or "").suffix.removeprefix(".").lower() or HTML
    if form not in FORMATS:
        raise CommandError(f"'{arguments.out}' is to be what? A rulebook is {', '.join(FORMATS)}: --format says which.")
    localizer = choose_localizer(arguments.lang)
    rules = library.load(arguments.edition)
    builder = RulebookBuilder(rules, localizer.language, parse_options(arguments.option, rules))
    book = whole.rulebook(builder, base_builder(builder) if arguments.changes else None)
    for sentence in (*builder.left_out, *builder.picture_errors):
        Console(None, sys.stderr).paragraph(sentence, style="bad")
    if form == PDF:
        _need_typst()
        from rulewright.publish.rulebook import pdf  # noqa: PLC0415 - it needs what is not always there

        content = pdf.document(book, arguments.paper)
    else:
        content = (html.page(book) if form == HTML else markdown.text(book)).encode()
    _write(Path(arguments.out or f"{_stem(rules.name)}-{localizer.language}.{form}"), content, form)
    return 0


def cards(arguments: Namespace) -> int:
    """Print an edition's cards, for cutting: 63 x 88 mm with crop marks.

    Every second page has the backs, so that both sides can be printed. For a printer's, '--bleed' makes a page of each
    card, with 3 mm around it to be cut off. All else that one cuts out comes with '--parts', the back of a box with
    '--box'.
    """
    for other in ("parts", "box"):
        if getattr(arguments, other) and arguments.bleed:
            raise CommandError(f"Only cards have a bleed: leave out --bleed or --{other}.")
    if arguments.parts and arguments.box:
        raise CommandError("Print one after the other: leave out --parts or --box.")
    _need_typst()
    from rulewright.publish.printing import cards as printed  # noqa: PLC0415 - as above
    from rulewright.publish.printing import parts as cut  # noqa: PLC0415 - as above
    from rulewright.publish.rulebook import box  # noqa: PLC0415 - as above

    rules, language = library.load(arguments.edition), choose_localizer(arguments.lang).language
    sort = "parts" if arguments.parts else "box" if arguments.box else "cards"
    out = Path(arguments.out or f"{_stem(rules.name)}-{sort}.pdf")
    form = PNG if arguments.preview else PDF
    if arguments.parts:
        parts, sheets = cut.PartCutouts(rules, language), (arguments.paper, arguments.once)
        pages = cut.previews(parts, *sheets) if arguments.preview else [cut.pages(parts, *sheets)]
        unseen = parts.picture_errors
    elif arguments.box:
        builder = RulebookBuilder(rules, language)
        book = whole.rulebook(builder)
        pages = box.previews(book, arguments.paper) if arguments.preview else [box.page(book, arguments.paper)]
        unseen = dict(zip(builder.picture_errors, builder.picture_errors, strict=True))
    else:
        print_job = printed.Cards(rules, language)
        sheet_options = printed.CardLayout(arguments.paper, arguments.bleed, not arguments.no_backs, arguments.once)
        pages = (
            printed.previews(print_job, sheet_options)
            if arguments.preview
            else [printed.pages(print_job, sheet_options)]
        )
        unseen = print_job.picture_errors
    for problem in unseen.values():
        Console(None, sys.stderr).paragraph(problem, style="bad")
    for number, page in enumerate(pages, 1):
        _write(out.with_name(f"{out.stem}-{number}.{PNG}") if form == PNG else out, page, form)
    return 0


def _write(out: Path, content: bytes, form: str) -> None:
    """Write a file, over an older one of its kind and nothing else, and print its path."""
    expected = _BEGINNINGS[form]
    if write(out, content, overwrite=files.read_beginning(out, len(expected)) == expected):
        Console(None, sys.stdout).command("Written:", str(out))


def _stem(name: str) -> str:
    """Return the beginning of a file name for an edition."""
    return Path(name).stem if is_path(name) else name.replace("/", "-")


def _need_typst() -> None:
    """Raise CommandError if typst is not installed."""
    if find_spec("typst") is None:
        raise CommandError("Printing needs typst, not installed here: pip install 'rulewright[print]'.")
