"""Handlers of the page's JSON requests. Their work raises RulewrightError for what cannot be done, such as BenchError
for a request without its file or with another body; the page shows its text."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from msgspec import DecodeError, MsgspecError
from msgspec.json import Decoder, encode
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from rulewright.base.diagnostics import EditionError, RulewrightError
from rulewright.i18n.languages import diagnostic_translator, localizer_for
from rulewright.i18n.localizer import message_of, phrase
from rulewright.server.web.protocol import choose_language
from rulewright.workbench.core.workspace import BenchError, NoRulesYet

MAX_BODY_BYTES = 4 << 20
"""Maximum bytes of a request."""

NOTHING_YET = 202
"""Status for an edition that has had no valid rules so far: no failure that a browser should report."""

SHUTTING_DOWN = 503
"""Status for a request that is cut off because the workbench ends."""

_PLACE = re.compile(r"(?P<file>[^\n]{1,1000}?\.ya?ml):(?P<line>\d{1,7}): ")
"""Place in a rule file, with which a message may begin."""

_log = logging.getLogger("rulewright.workbench")

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
"""Handler of a route, as Starlette calls it."""


def json_handler(work: Callable[[Request, Any], object], raw: int = 0, max_bytes: int = MAX_BODY_BYTES) -> Handler:
    """Make a handler that answers with the result of `work` as JSON, or with the error.

    work: called in a thread with the request and the JSON body, None without one; a Response is sent as it is. raw: 0
    for JSON, else the maximum bytes of another body, which `work` then gets as bytes; max_bytes: of a JSON body.
    """

    async def handle(request: Request) -> Response:
        """Answer a request by `work`, which runs in a thread."""
        try:
            body = await _body(request, raw, max_bytes)
            result = await asyncio.to_thread(work, request, body)
        except RulewrightError as error:
            return as_json(error_fields(request, error), NOTHING_YET if isinstance(error, NoRulesYet) else 400)
        except ClientDisconnect:
            return Response(status_code=400)
        except asyncio.CancelledError:  # the workbench ends
            return Response(status_code=SHUTTING_DOWN)
        except Exception:
            _log.exception("A request could not be answered.")
            return as_json({"text": ""}, 500)
        return result if isinstance(result, Response) else as_json(result)

    return handle


def get(path: str, work: Callable[[Request, Any], object]) -> Route:
    """Make a route that reads something. work: as for `json_handler`, with None as the body."""
    return Route(path, json_handler(work))


def post(path: str, work: Callable[[Request, Any], object], raw: int = 0, max_bytes: int = MAX_BODY_BYTES) -> Route:
    """Make a route that changes something, or takes more than an address can say. work, raw, max_bytes: as for
    `json_handler`."""
    return Route(path, json_handler(work, raw, max_bytes), methods=["POST"])


def read(type_: type[Any], body: Any) -> Any:
    """Return a body, as a handler gets it, as a value of a type. Raises BenchError if it does not fit."""
    try:
        return Decoder(type_).decode(json.dumps(body))
    except (DecodeError, MsgspecError, RecursionError, ValueError):
        raise not_understood() from None


def as_json(content: object, status: int = 200) -> Response:
    """Make a JSON response."""
    return Response(encode(content), status, media_type="application/json")


def error_fields(request: Request, error: RulewrightError) -> dict[str, Any]:
    """Return an error as `text` in the reader's language, with `file` and `line` if it is about a file that the window
    knows; of several errors of a file the first."""
    if not isinstance(error, EditionError) or not error.report.errors:
        return with_place(request, localizer_for(language(request)).say(message_of(error)))
    first = error.report.errors[0]
    text = " ".join(filter(None, first.message_and_hint(diagnostic_translator(language(request)))))
    placed = with_place(request, f"{first.place.file}:{first.place.line}: {text}")
    return placed if "file" in placed else {"text": text}


def with_place(request: Request, text: str) -> dict[str, Any]:
    """Return an error as `text`; if it begins with a place in a rule file, add that `file` as the window knows it, and
    the `line`."""
    match = _PLACE.match(text)
    name = request.app.state.readable(Path(match["file"])) if match else None
    if match is None or name is None:
        return {"text": text}
    return {"text": f"{name}:{text[match.start('line') :]}", "file": name, "line": int(match["line"])}


def language(request: Request) -> str:
    """Return the language of the request's reader."""
    return choose_language(request.query_params.get("language") or request.headers.get("accept-language", ""))


def file(request: Request) -> str:
    """Return the file that a request names, whether or not it exists. Raises BenchError without one."""
    name = request.query_params.get("file", "")
    if not name:
        raise BenchError(phrase("errors", "Open a file first."))
    return name


def not_understood() -> BenchError:
    """Return the error for a message of the page that cannot be read; nothing is raised."""
    return BenchError(phrase("errors", "The workbench did not understand this message. Nothing has changed."))


async def _body(request: Request, raw: int, max_bytes: int) -> Any:
    """Read the body of a request. Raises BenchError."""
    if request.method in ("GET", "HEAD"):
        return None
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > (raw or max_bytes):
            raise not_understood()
    if raw:
        return bytes(content)
    if not content:
        return None
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise not_understood() from None
