"""Requests of the panes on books, cards and texts, and responses with files."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import Response

from rulewright.i18n.languages import languages
from rulewright.i18n.localizer import ENGLISH, phrase
from rulewright.workbench.book.book_process import BookProcess
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.workspace import BenchError

_PROCESSES: WeakKeyDictionary[Bench, BookProcess] = WeakKeyDictionary()
"""Process that makes the books of each workbench, started on first use and ended with it."""


def book_process_of(bench: Bench) -> BookProcess:
    """Return the workbench's only book process."""
    if bench not in _PROCESSES:
        _PROCESSES[bench] = BookProcess()
        bench.on_close(_PROCESSES[bench].close)
    return _PROCESSES[bench]


def chosen_language(request: Request) -> str:
    """Return the language asked for, English without one, whatever the reader's own. Raises BenchError."""
    language = request.query_params.get("in", ENGLISH)
    if language not in languages():
        raise BenchError(phrase("errors", "There is no such language."))
    return language


def file_response(content: bytes, media_type: str, name: str) -> Response:
    """Make a response with a file to save. name: proposed name; '-' stands in for all but plain letters."""
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_.") else "-" for letter in name)
    headers = {"content-disposition": f'attachment; filename="{plain}"'}
    return Response(content, media_type=media_type, headers=headers)
