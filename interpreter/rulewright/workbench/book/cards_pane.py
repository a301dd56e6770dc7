"""Pane 'Cards': pages of parts to cut out, as they print."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import PurePosixPath
from threading import Lock
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.model.edition import Edition
from rulewright.publish.printing import PAPERS
from rulewright.server.web.security_headers import PICTURE_POLICY
from rulewright.workbench.book.book_process import need_typst
from rulewright.workbench.book.book_requests import chosen_language, file_response
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import file, get
from rulewright.workbench.core.workspace import BenchError

CARDS, PARTS = "cards", "parts"
"""Sorts of what is cut out."""
MAX_CACHED_PAGE_SETS = 3
"""Maximum number of answers to `list_pages` whose pages can still be asked for."""

WORDS: Mapping[str, Phrase] = {
    "cards": phrase("design", "Cards"),
    "cut what": phrase("design", "What is cut out"),
    "cut cards": phrase("design", "Cards"),
    "cut parts": phrase("design", "Boards, tiles and tokens"),
    "paper": phrase("design", "Paper"),
    "with backs": phrase("design", "With backs"),
    "one of each": phrase("design", "One of each"),
    "for a printer": phrase("design", "One a page, for a printer"),
    "cutting pages": phrase("design", "Drawing the pages …"),
    # For translators: How many pages, and how large their paper is.
    "cut pages": phrase("design", "Pages: {pages}, on {paper}. A click makes them larger or smaller."),
    "cut page": phrase("design", "Page {page}"),
    "pictures missing": phrase("design", "Some pictures could not be drawn"),
}


@record
class CardsRequest:
    """Request for parts to cut out. sort: CARDS or PARTS; paper, once: as in `printing.cards.CardLayout`; printer,
    backs: likewise, of cards alone.
    """

    sort: str
    language: str
    paper: str
    printer: bool
    backs: bool
    once: bool


@record
class CardPages:
    """Pages as SVG. missing: sentences on pictures that had to be left out."""

    pages: tuple[bytes, ...]
    missing: tuple[str, ...]


def draw_pages(rules: Rules, request: CardsRequest) -> CardPages:
    """Draw the pages as SVG. Raises CannotPrint, PrintingError."""
    need_typst()
    from rulewright.publish.printing import cards, parts  # noqa: PLC0415 - an optional dependency

    if request.sort == PARTS:
        cut = parts.PartCutouts(rules, request.language)
        return CardPages(tuple(parts.svg_pages(cut, request.paper, request.once)), tuple(cut.picture_errors.values()))
    card_set = cards.Cards(rules, request.language)
    layout = cards.CardLayout(request.paper, request.printer, request.backs, request.once)
    return CardPages(tuple(cards.svg_pages(card_set, layout)), tuple(card_set.picture_errors.values()))


def make_pdf(rules: Rules, request: CardsRequest) -> bytes:
    """Make a PDF of all pages. Raises CannotPrint, PrintingError."""
    need_typst()
    from rulewright.publish.printing import cards, parts  # noqa: PLC0415 - as above

    if request.sort == PARTS:
        return parts.pages(parts.PartCutouts(rules, request.language), request.paper, request.once)
    layout = cards.CardLayout(request.paper, request.printer, request.backs, request.once)
    return cards.pages(cards.Cards(rules, request.language), layout)


def sorts(edition: Edition) -> list[str]:
    """List the sorts of parts that can be cut out, the most interesting first."""
    has_cards = any(look.card for look in edition.looks.values())
    return [CARDS, PARTS] if has_cards else [PARTS, CARDS]


def routes(bench: Bench) -> list[BaseRoute]:
    """Return the routes of the pane that shows sheets of cards."""
    pages_by_number: OrderedDict[int, Sequence[bytes]] = OrderedDict()
    numbers, lock = count(1), Lock()

    def list_pages(request: Request, _: Any) -> object:
        """Send the number of pages, and the number by which the page asks for them; or why there are none."""
        rules = bench.rules(file(request))
        backed = any(look.card and look.back for look in rules.edition.looks.values())
        fields: dict[str, object] = {"sorts": sorts(rules.edition), "papers": list(PAPERS), "backed": backed}
        cards_request = _read_request(request, rules.edition)
        try:
            card_pages = draw_pages(rules, cards_request)
        except BenchError:
            raise
        except RulewrightError as error:
            return fields | {"sort": cards_request.sort, "number": 0, "pages": 0, "why": str(error), "missing": []}
        with lock:
            number = next(numbers)
            pages_by_number[number] = card_pages.pages
            while len(pages_by_number) > MAX_CACHED_PAGE_SETS:
                pages_by_number.popitem(last=False)
        pages = len(card_pages.pages)
        return fields | {
            "sort": cards_request.sort,
            "number": number,
            "pages": pages,
            "why": "",
            "missing": card_pages.missing,
        }

    async def page(request: Request) -> Response:
        """Send a page as SVG; 404 for one that is not cached any more."""
        with lock:
            pages = pages_by_number.get(request.path_params["number"], ())
        index = request.path_params["page"]
        if index >= len(pages):
            return PlainTextResponse("", 404)
        headers = {"content-security-policy": PICTURE_POLICY, "cache-control": "max-age=3600"}
        return Response(pages[index], media_type="image/svg+xml", headers=headers)

    def send_pdf(request: Request, _: Any) -> Response:
        """Send all pages as a PDF to save."""
        rules = bench.rules(file(request))
        cards_request = _read_request(request, rules.edition)
        name = f"{PurePosixPath(file(request)).stem}-{cards_request.sort}-{cards_request.language}.pdf"
        return file_response(make_pdf(rules, cards_request), "application/pdf", name)

    return [
        get("/api/cards", list_pages),
        Route("/api/cards/{number:int}/{page:int}.svg", page),
        get("/api/cards/file.pdf", send_pdf),
    ]


def _read_request(request: Request, edition: Edition) -> CardsRequest:
    """Read a request's parameters. Raises BenchError."""
    parameters = request.query_params
    sort, paper = parameters.get("sort") or sorts(edition)[0], parameters.get("paper", "a4")
    if sort not in (CARDS, PARTS) or paper not in PAPERS:
        raise BenchError(phrase("errors", "This cannot be printed."))
    return CardsRequest(
        sort=sort,
        language=chosen_language(request),
        paper=paper,
        printer="printer" in parameters,
        backs="backs" in parameters,
        once="once" in parameters,
    )
