"""The pane 'Book': the rulebook beside its source, in any language, made anew whenever somebody looks at it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from rulewright.base.records import record
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.workbench.book import book_process
from rulewright.workbench.book.book_process import BookPage, BookWanted
from rulewright.workbench.book.book_requests import attached, bindery, chosen_language, rules_of
from rulewright.workbench.book.source_map import declared, passages
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import answering, file

MOST_KEPT = 8

WORDS: Mapping[str, Phrase] = {
    "book": phrase("design", "Book"),
    "book language": phrase("design", "Language of the book"),
    "mark changes": phrase("design", "Mark what is different"),
    "save html": phrase("design", "Save (HTML)"),
    "print pdf": phrase("design", "Print (PDF)"),
    "making book": phrase("design", "Making the book …"),
    "book left out": phrase("design", "Not everything could be shown"),
    "book hint": phrase("design", "The book follows your cursor. Click a passage to go to its lines."),
    "book elsewhere": phrase("design", "This comes from {file}, which lies outside of this folder."),
    "saved as": phrase("design", "Saved as {file}."),
}


@record
class _Kept:
    """A book that was made: of which rules in which file, after how many changes of examples and catalogs, and whether
    its examples may be older."""

    file: str
    rules: str
    language: str
    changes: bool
    heard: int
    quick: bool


class Booklets:
    """Books that were made lately, each with a number by which the page asks for it."""

    def __init__(self, bench: Bench) -> None:
        self._bench, self._bindery, self._lock = bench, bindery(bench), Lock()
        self._kept: OrderedDict[_Kept, tuple[int, BookPage]] = OrderedDict()
        self._numbers, self._heard = count(1), 0
        bench.listen(self._hear)

    def made(self, name: str, language: str, changes: bool, quick: bool) -> tuple[int, BookPage]:
        """The book of an edition as it is now. quick: the examples may be those from before. Raises BenchError,
        BookBroken."""
        wanted = _Kept(name, rules_of(self._bench, name).hash, language, changes, self._heard, quick)
        with self._lock:
            for known in (replace(wanted, quick=False), wanted):
                if known in self._kept:
                    self._kept.move_to_end(known)
                    return self._kept[known]
        found = next(self._numbers), self._bindery.done(book_process.page, self.wanted(name, language, changes), quick)
        with self._lock:
            self._kept[wanted] = found
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return found

    def kept(self, number: int) -> BookPage | None:
        with self._lock:
            return next((made for at, made in self._kept.values() if at == number), None)

    def whole(self, name: str, language: str, changes: bool) -> bytes:
        """To be saved. Raises BenchError, BookBroken."""
        return self._bindery.done(book_process.whole_page, self.wanted(name, language, changes))

    def printed(self, name: str, language: str, changes: bool) -> bytes:
        """To be printed. Raises BenchError, BookBroken, NotPrinted, PrintingError."""
        book_process.need_typst()
        return self._bindery.done(book_process.document, self.wanted(name, language, changes), book_process.PAPERS[0])

    def wanted(self, name: str, language: str, changes: bool) -> BookWanted:
        return BookWanted(rules_of(self._bench, name), language, changes)

    def _hear(self, name: str) -> None:
        if self._bench.edition_of(name) != name:
            self._heard += 1


def routes(bench: Bench) -> list[BaseRoute]:
    booklets = Booklets(bench)

    def made(request: Request, _: Any) -> object:
        """A book, and which lines of the source its passages tell."""
        name = file(request)
        edition = rules_of(bench, name).edition
        changes, quick = ("changes" in request.query_params, "quick" in request.query_params)
        number, page = booklets.made(name, chosen_language(request), changes, quick)
        path = bench.folder.file(name)
        places = {at: place for at, place in declared(edition).items() if Path(place.file) != path}
        names = {place.file: bench.folder.readable(Path(place.file)) for place in places.values()}
        return {
            "page": number,
            "left": page.left_out,
            "variant": bool(edition.bases),
            "passages": passages(path, bench.text(name), edition),
            "elsewhere": {
                at: {"file": names[place.file] or "", "called": place.file, "line": place.line}
                for at, place in places.items()
            },
        }

    async def page(request: Request) -> Response:
        found = booklets.kept(request.path_params["number"])
        if found is None:
            return PlainTextResponse("", 404)
        return HTMLResponse(found.text, headers={"content-security-policy": book_process.POLICY})

    def whole(request: Request, _: Any) -> Response:
        name, language, changes = file(request), chosen_language(request), "changes" in request.query_params
        stem = f"{PurePosixPath(name).stem}-{language}"
        if request.path_params["form"] == "pdf":
            return attached(booklets.printed(name, language, changes), "application/pdf", f"{stem}.pdf")
        return attached(booklets.whole(name, language, changes), "text/html", f"{stem}.html")

    return [
        Route("/api/book", answering(made)),
        Route("/api/book/page/{number:int}", page),
        Route("/api/book/file.{form}", answering(whole)),
    ]
