"""What panes on books, cards and texts are asked for, and how they hand out files."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import Response

from rulewright.game.library import Rules
from rulewright.i18n.languages import languages
from rulewright.i18n.localizer import ENGLISH, phrase
from rulewright.workbench.book.book_process import Bindery
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.workspace import BenchError, no_edition

_BINDERIES: WeakKeyDictionary[Bench, Bindery] = WeakKeyDictionary()


def bindery(bench: Bench) -> Bindery:
    """The one process in which a workbench makes what takes seconds."""
    if bench not in _BINDERIES:
        _BINDERIES[bench] = Bindery()
        bench.closing(_BINDERIES[bench].close)
    return _BINDERIES[bench]


def rules_of(bench: Bench, name: str) -> Rules:
    """The rules of an edition as it is, or was when it last had no mistakes. Raises BenchError where it never had."""
    rules = bench.compiled(name).rules
    if rules is None:
        raise no_edition(name)
    return rules


def chosen_language(request: Request) -> str:
    """In which language something is wanted, whatever the reader's own is. Raises BenchError."""
    found = request.query_params.get("in", ENGLISH)
    if found not in languages():
        raise BenchError(phrase("errors", "There is no such language."))
    return found


def attached(content: bytes, media_type: str, name: str) -> Response:
    """A file to be kept. name: as it is proposed, of plain letters."""
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "-" for letter in name)
    headers = {"content-disposition": f'attachment; filename="{plain}"'}
    return Response(content, media_type=media_type, headers=headers)
