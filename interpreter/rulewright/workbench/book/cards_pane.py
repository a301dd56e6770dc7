"""The pane 'Cards': what is cut out, page by page, as it is printed."""

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
from rulewright.model.declarations import Edition
from rulewright.publish.printing import PAPERS
from rulewright.server.web.security_headers import PICTURE_POLICY
from rulewright.workbench.book.book_process import need_typst
from rulewright.workbench.book.book_requests import attached, chosen_language, rules_of
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import answering, file
from rulewright.workbench.core.workspace import BenchError

CARDS, PARTS = "cards", "parts"
MOST_KEPT = 3

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
class CutWanted:
    """What is to be cut out, and how it is laid on paper: as `printing.cards.Sheets` has it."""

    sort: str
    language: str
    paper: str
    printer: bool
    backs: bool
    once: bool


@record
class CutPages:
    """Pages as SVG; missing: what is wrong with pictures that had to be left out."""

    pages: tuple[bytes, ...]
    missing: tuple[str, ...]


def drawn(rules: Rules, wanted: CutWanted) -> CutPages:
    """Raises NotPrinted, PrintingError."""
    need_typst()
    from rulewright.publish.printing import cards, parts  # noqa: PLC0415 - they need what is not always there

    if wanted.sort == PARTS:
        cut = parts.PartsToCut(rules, wanted.language)
        return CutPages(tuple(parts.drawn(cut, wanted.paper, wanted.once)), tuple(cut.unseen.values()))
    found = cards.Cards(rules, wanted.language)
    how = cards.Sheets(wanted.paper, wanted.printer, wanted.backs, wanted.once)
    return CutPages(tuple(cards.drawn(found, how)), tuple(found.unseen.values()))


def printed(rules: Rules, wanted: CutWanted) -> bytes:
    """All pages as PDF. Raises NotPrinted, PrintingError."""
    need_typst()
    from rulewright.publish.printing import cards, parts  # noqa: PLC0415 - as above

    if wanted.sort == PARTS:
        return parts.pages(parts.PartsToCut(rules, wanted.language), wanted.paper, wanted.once)
    how = cards.Sheets(wanted.paper, wanted.printer, wanted.backs, wanted.once)
    return cards.pages(cards.Cards(rules, wanted.language), how)


def sorts(edition: Edition) -> list[str]:
    """What there can be to cut out, what is looked at first first."""
    has_cards = any(look.card for look in edition.looks.values())
    return [CARDS, PARTS] if has_cards else [PARTS, CARDS]


def routes(bench: Bench) -> list[BaseRoute]:
    kept: OrderedDict[int, Sequence[bytes]] = OrderedDict()
    numbers, lock = count(1), Lock()

    def shown(request: Request, _: Any) -> object:
        """How many pages there are, and the number by which they are asked for; or why there are none."""
        rules = rules_of(bench, file(request))
        backed = any(look.card and look.back for look in rules.edition.looks.values())
        told: dict[str, object] = {"sorts": sorts(rules.edition), "papers": list(PAPERS), "backed": backed}
        wanted = _wanted(request, rules.edition)
        try:
            found = drawn(rules, wanted)
        except BenchError:
            raise
        except RulewrightError as error:
            return told | {"sort": wanted.sort, "number": 0, "pages": 0, "why": str(error), "missing": []}
        with lock:
            number = next(numbers)
            kept[number] = found.pages
            while len(kept) > MOST_KEPT:
                kept.popitem(last=False)
        pages = len(found.pages)
        return told | {"sort": wanted.sort, "number": number, "pages": pages, "why": "", "missing": found.missing}

    async def page(request: Request) -> Response:
        with lock:
            pages = kept.get(request.path_params["number"], ())
        at = request.path_params["page"]
        if at >= len(pages):
            return PlainTextResponse("", 404)
        headers = {"content-security-policy": PICTURE_POLICY, "cache-control": "max-age=3600"}
        return Response(pages[at], media_type="image/svg+xml", headers=headers)

    def whole(request: Request, _: Any) -> Response:
        rules = rules_of(bench, file(request))
        wanted = _wanted(request, rules.edition)
        name = f"{PurePosixPath(file(request)).stem}-{wanted.sort}-{wanted.language}.pdf"
        return attached(printed(rules, wanted), "application/pdf", name)

    return [
        Route("/api/cards", answering(shown)),
        Route("/api/cards/{number:int}/{page:int}.svg", page),
        Route("/api/cards/file.pdf", answering(whole)),
    ]


def _wanted(request: Request, edition: Edition) -> CutWanted:
    """Raises BenchError."""
    given = request.query_params
    sort, paper = given.get("sort") or sorts(edition)[0], given.get("paper", "a4")
    if sort not in (CARDS, PARTS) or paper not in PAPERS:
        raise BenchError(phrase("errors", "This cannot be printed."))
    return CutWanted(
        sort=sort,
        language=chosen_language(request),
        paper=paper,
        printer="printer" in given,
        backs="backs" in given,
        once="once" in given,
    )
