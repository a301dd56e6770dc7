"""Pane 'Book': the rulebook beside its source, in any language. It is made anew once something in it has changed."""

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
from rulewright.workbench.book.book_process import BookPage, BookRequest
from rulewright.workbench.book.book_requests import book_process_of, chosen_language, file_response
from rulewright.workbench.book.source_map import declarations, passages
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import file, get

MAX_CACHED_BOOKS = 8
"""Maximum number of books in memory; the one unused longest goes first."""

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
"""Phrases of the page by the names that its code has for them."""


@record
class _BookKey:
    """Key of a cached book: file, hash of its rules; changes: whether differences are marked; `changes_before`: number
    of changes of examples and catalogs so far; quick: whether its examples may be outdated.
    """

    file: str
    rules: str
    language: str
    changes: bool
    changes_before: int
    quick: bool


class BookCache:
    """Cache of recent books, each with a number by which the page asks for it."""

    def __init__(self, bench: Bench) -> None:
        self._bench, self._process, self._lock = bench, book_process_of(bench), Lock()
        self._books: OrderedDict[_BookKey, tuple[int, BookPage]] = OrderedDict()
        self._numbers, self._change_count = count(1), 0
        bench.add_listener(self._count_change)

    def make_book(self, name: str, language: str, changes: bool, quick: bool) -> tuple[int, BookPage]:
        """Make the book of an edition's latest valid rules, or return the cached one, with its number. changes: as for
        `request`; quick: allow outdated examples, where no full book is cached. Raises BenchError, BookProcessEnded.
        """
        key = _BookKey(name, self._bench.rules(name).hash, language, changes, self._change_count, quick)
        with self._lock:
            for cache_key in (replace(key, quick=False), key):
                if cache_key in self._books:
                    self._books.move_to_end(cache_key)
                    return self._books[cache_key]
        entry = next(self._numbers), self._process.run(book_process.page, self.request(name, language, changes), quick)
        with self._lock:
            entry = self._books.setdefault(key, entry)  # another window may have asked for the same
            while len(self._books) > MAX_CACHED_BOOKS:
                self._books.popitem(last=False)
        return entry

    def find(self, number: int) -> BookPage | None:
        """Return a cached book by the number that `make_book` gave it; None if it is not cached any more."""
        with self._lock:
            return next((book for at, book in self._books.values() if at == number), None)

    def make_file(self, name: str, language: str, changes: bool) -> bytes:
        """Make the book as a file to save, uncached. changes: as for `request`. Raises BenchError, BookProcessEnded."""
        return self._process.run(book_process.whole_page, self.request(name, language, changes))

    def make_pdf(self, name: str, language: str, changes: bool) -> bytes:
        """Make the book as PDF, on the first of `PAPERS`, uncached. changes: as for `request`. Raises BenchError,
        BookProcessEnded, CannotPrint, PrintingError.
        """
        book_process.need_typst()
        return self._process.run(book_process.document, self.request(name, language, changes), book_process.PAPERS[0])

    def request(self, name: str, language: str, changes: bool) -> BookRequest:
        """Return the request for a book of an edition's latest rules without errors; no book is made yet. changes:
        whether it marks the differences from the extended edition. Raises BenchError if there were never such rules."""
        return BookRequest(self._bench.rules(name), language, changes)

    def _count_change(self, name: str) -> None:
        """Count a change of a file that is no edition, such as examples, cases or a catalog: the hash of the rules
        does not show it."""
        if self._bench.edition_of(name) != name:
            self._change_count += 1


def routes(bench: Bench) -> list[BaseRoute]:
    """Return the routes of the pane that shows the rulebook."""
    books = BookCache(bench)

    def make_book(request: Request, _: Any) -> object:
        """Make a book; send its number and a map from source lines to its passages."""
        name = file(request)
        edition = bench.rules(name).edition
        changes, quick = ("changes" in request.query_params, "quick" in request.query_params)
        number, page = books.make_book(name, chosen_language(request), changes, quick)
        path = bench.folder.file(name)
        places = {at: place for at, place in declarations(edition).items() if Path(place.file) != path}
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
        book_page = books.find(request.path_params["number"])
        if book_page is None:
            return PlainTextResponse("", 404)
        return HTMLResponse(book_page.text, headers={"content-security-policy": book_process.POLICY})

    def send_file(request: Request, _: Any) -> Response:
        name, language, changes = file(request), chosen_language(request), "changes" in request.query_params
        stem = f"{PurePosixPath(name).stem}-{language}"
        if request.path_params["form"] == "pdf":
            return file_response(books.make_pdf(name, language, changes), "application/pdf", f"{stem}.pdf")
        return file_response(books.make_file(name, language, changes), "text/html", f"{stem}.html")

    return [
        get("/api/book", make_book),
        Route("/api/book/page/{number:int}", page),
        get("/api/book/file.{form}", send_file),
    ]
