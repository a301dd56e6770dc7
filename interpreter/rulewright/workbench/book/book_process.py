"""Process in which books are made: that takes seconds, and typing must not wait."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TypeVar

from rulewright.base.diagnostics import EditionError, RulewrightError
from rulewright.base.processes import block_interrupts, end_by_parent_alone, spawn_context
from rulewright.base.records import record
from rulewright.game.library import Rules
from rulewright.i18n.catalog_update import CatalogMessage
from rulewright.i18n.languages import diagnostic_translator
from rulewright.i18n.localizer import phrase
from rulewright.publish import templates
from rulewright.publish.rulebook import book, html, page_frame
from rulewright.publish.rulebook.changes import base_builder
from rulewright.publish.rulebook.model import Example, Rulebook
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder

T = TypeVar("T")
K = TypeVar("K")

PAPERS = ("a4", "a5")
"""Sizes of paper of a printed book."""
MAX_CACHED_EDITIONS = 4
"""Maximum number of editions cached in the process."""
INSTALL = "pip install 'rulewright[print]'"
"""Command that installs what printing needs."""

_SCRIPT = files("rulewright.workbench").joinpath("page", "_following.js").read_text(encoding="utf-8")
"""Script of the book, which follows the source's cursor."""

_CLOSED = "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"
"""Directives that the policy adds to those of a book's own page."""
POLICY = f"{page_frame.policy(_SCRIPT)}; {_CLOSED}"
"""Content security policy: a book beside its source runs its own scripts, and reaches the page around it by messages
only."""


class CannotPrint(RulewrightError):
    """Error: printing is not possible."""


class BookProcessEnded(RulewrightError):
    """Error: the process was ended from outside, or for want of memory."""


@record
class BookRequest:
    """Request for a book. language: its code; changes: whether to mark differences from the extended edition."""

    rules: Rules
    language: str
    changes: bool


@record
class BookPage:
    """Book as an HTML page. left_out: sentences on what could not be shown."""

    text: str
    left_out: tuple[str, ...]


class BookProcess:
    """One worker process, started for the first book and anew after it has ended; it makes one book after another."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._lock = Lock()

    def run(self, work: Callable[..., T], *arguments: object) -> T:
        """Run one of the functions below in the process and wait. Raises BookProcessEnded, and what they raise."""
        with self._lock:
            if self._pool is None:
                # The workbench ends the process, not Ctrl-C.
                self._pool = ProcessPoolExecutor(1, spawn_context(), initializer=end_by_parent_alone)
            pool = self._pool
        try:
            with block_interrupts():  # this may start the process
                future = pool.submit(work, *arguments)
            return future.result()
        except (BrokenProcessPool, OSError):
            self.close()
            raise BookProcessEnded(phrase("errors", "The book could not be made. Try it again.")) from None

    def close(self) -> None:
        """End the process and abandon its work: a book may take long."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            processes = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()


def page(request: BookRequest, quick: bool = False) -> BookPage:
    """Make the page to show beside the source; it follows the cursor. quick: use the examples as last played, if any,
    since playing them takes most of the time."""
    rulebook, left_out = _make_rulebook(request, quick)
    return BookPage(html.page(rulebook, _SCRIPT), left_out)


def whole_page(request: BookRequest) -> bytes:
    """Make a self-contained page to save."""
    return html.page(_make_rulebook(request)[0]).encode()


def document(request: BookRequest, paper: str) -> bytes:
    """Make a PDF. paper: one of PAPERS. Raises CannotPrint, PrintingError."""
    need_typst()
    from rulewright.publish.rulebook import pdf  # noqa: PLC0415 - an optional dependency

    return pdf.document(_make_rulebook(request)[0], paper)


def need_typst() -> None:
    """Check that typst is installed. Raises CannotPrint."""
    if not can_print():
        raise CannotPrint(
            phrase("errors", "Printing needs typst, which is not installed here: {command}.", command=INSTALL)
        )


def can_print() -> bool:
    """Return whether books can be made as PDF files: whether `typst` is installed."""
    return find_spec("typst") is not None


def texts(rules: Rules) -> list[CatalogMessage]:
    """List the texts for an edition's own catalog, with their current lines."""
    return templates.own_messages(rules)


def _make_rulebook(request: BookRequest, quick: bool = False) -> tuple[Rulebook, tuple[str, ...]]:
    """Make a rulebook; return it with messages on what is left out. quick: play no examples, take those made before."""
    rules, language = _cached_rules(request.rules), request.language
    left_out: list[str] = []
    builder = None
    if not quick:
        try:
            builder = RulebookBuilder(rules, language)
            left_out += builder.left_out
            _put_into_cache(_EXAMPLES, (rules.name, language), builder.examples)
        except EditionError as error:  # in the file of examples
            first = error.report.errors[0]
            message, _ = first.message_and_hint(diagnostic_translator(language))
            left_out.append(f"{Path(first.place.file).name}:{first.place.line}: {message}")
    if builder is None:
        builder = RulebookBuilder(rules, language, played=False)
        builder.examples = _EXAMPLES.get((rules.name, language), {}) if quick else {}
    rulebook = book.rulebook(builder, base_builder(builder) if request.changes else None)
    return rulebook, (*left_out, *builder.picture_errors)


_RULES: OrderedDict[tuple[str, str], Rules] = OrderedDict()
"""Rules with their machines, by name and digest; those used last."""
_EXAMPLES: OrderedDict[tuple[str, str], dict[str, list[Example]]] = OrderedDict()
"""Examples as they were last played, by edition and language; those used last."""


def _cached_rules(rules: Rules) -> Rules:
    """Return cached rules, with the machines made for them, equal to the given ones."""
    return _put_into_cache(_RULES, (rules.name, rules.hash), _RULES.get((rules.name, rules.hash), rules))


def _put_into_cache(cache: OrderedDict[tuple[str, str], K], key: tuple[str, str], value: K) -> K:
    """Put a value into a cache, and drop the oldest if it is full."""
    cache[key] = value
    cache.move_to_end(key)
    while len(cache) > MAX_CACHED_EDITIONS:
        cache.popitem(last=False)
    return value
