"""Books made in a process of their own: that takes seconds, and nobody who types waits for them."""

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
from rulewright.base.processes import end_by_parent_alone, spawn_context, unheard
from rulewright.base.records import record
from rulewright.game.library import Rules
from rulewright.i18n.catalog_update import CatalogMessage
from rulewright.i18n.localizer import phrase
from rulewright.publish import templates
from rulewright.publish.rulebook import book, html, page_frame
from rulewright.publish.rulebook.changes import base_of
from rulewright.publish.rulebook.contents import Contents
from rulewright.publish.rulebook.model import Example, Rulebook

T = TypeVar("T")
K = TypeVar("K")

PAPERS = ("a4", "a5")
MOST_KEPT = 4
"""Editions of which the process knows something."""
INSTALL = "pip install 'rulewright[print]'"

_SCRIPT = files("rulewright.workbench").joinpath("page", "_following.js").read_text(encoding="utf-8")

_CLOSED = "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"
POLICY = f"{page_frame.policy(_SCRIPT)}; {_CLOSED}"
"""A book beside its source runs its own scripts, and reaches nothing of the page around it but by messages."""


class NotPrinted(RulewrightError):
    """Why something cannot be printed."""


class BookBroken(RulewrightError):
    """The process was ended by somebody else, or by the system for want of memory."""


@record
class BookWanted:
    """A book. language: its code; changes: whether what differs from the edition that is extended is marked."""

    rules: Rules
    language: str
    changes: bool


@record
class BookPage:
    """A book as a page. left_out: sentences on what could not be shown."""

    text: str
    left_out: tuple[str, ...]


class Bindery:
    """One process, begun when the first book is wanted; one book is made after the other."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._lock = Lock()

    def done(self, work: Callable[..., T], *arguments: object) -> T:
        """One of the functions below, in the process; whoever calls waits. Raises BookBroken, and what they raise."""
        with self._lock:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, spawn_context(), initializer=_leave_interrupts)
            pool = self._pool
        try:
            with unheard():  # it may begin the process
                made = pool.submit(work, *arguments)
            return made.result()
        except (BrokenProcessPool, OSError):
            self.close()
            raise BookBroken(phrase("errors", "The book could not be made. Try it again.")) from None

    def close(self) -> None:
        """What is being made is given up: a book may take longer than anybody who leaves waits."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            processes = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()


def page(wanted: BookWanted, quick: bool = False) -> BookPage:
    """To be shown beside the source: it follows the cursor. quick: with the examples as they were played last, if they
    were: playing them takes most of the time."""
    made, left_out = _made(wanted, quick)
    return BookPage(html.page(made, _SCRIPT), left_out)


def whole_page(wanted: BookWanted) -> bytes:
    """To be kept and sent: it needs nothing else."""
    return html.page(_made(wanted)[0]).encode()


def document(wanted: BookWanted, paper: str) -> bytes:
    """To be printed, as PDF. paper: one of PAPERS. Raises NotPrinted, PrintingError."""
    need_typst()
    from rulewright.publish.rulebook import pdf  # noqa: PLC0415 - it needs what is not always there

    return pdf.document(_made(wanted)[0], paper)


def need_typst() -> None:
    """Raises NotPrinted where it is not installed."""
    if not can_print():
        raise NotPrinted(
            phrase("errors", "Printing needs typst, which is not installed here: {command}.", command=INSTALL)
        )


def can_print() -> bool:
    return find_spec("typst") is not None


def texts(rules: Rules) -> list[CatalogMessage]:
    """What an edition's own catalog has to translate, with its lines as they are now."""
    return templates.own(rules)


def _made(wanted: BookWanted, quick: bool = False) -> tuple[Rulebook, tuple[str, ...]]:
    rules, language = _known(wanted.rules), wanted.language
    left_out: list[str] = []
    contents = None
    if not quick:
        try:
            contents = Contents(rules, language)
            left_out += contents.left_out
            _keep(_PLAYED, (rules.name, language), contents.examples)
        except EditionError as error:  # in its file of examples
            first = error.report.errors[0]
            left_out.append(f"{Path(first.place.file).name}:{first.place.line}: {first.message}")
    if contents is None:
        contents = Contents(rules, language, played=False)
        contents.examples = _PLAYED.get((rules.name, language), {}) if quick else {}
    made = book.rulebook(contents, base_of(contents) if wanted.changes else None)
    return made, (*left_out, *contents.unseen)


_RULES: OrderedDict[tuple[str, str], Rules] = OrderedDict()
_PLAYED: OrderedDict[tuple[str, str], dict[str, list[Example]]] = OrderedDict()
"""What the process knows from before: rules with their machines, and examples by edition and language."""


def _known(rules: Rules) -> Rules:
    """The same rules, with the machines that have been made for them already."""
    return _keep(_RULES, (rules.name, rules.hash), _RULES.get((rules.name, rules.hash), rules))


def _keep(kept: OrderedDict[tuple[str, str], K], key: tuple[str, str], what: K) -> K:
    kept[key] = what
    kept.move_to_end(key)
    while len(kept) > MOST_KEPT:
        kept.popitem(last=False)
    return what


def _leave_interrupts() -> None:
    """Ctrl-C is for the workbench, which ends this process."""
    end_by_parent_alone()
