"""How a request of the workbench's page is read and answered."""

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

from rulewright.base.diagnostics import EditionError, RulewrightError
from rulewright.i18n.languages import speech
from rulewright.i18n.localizer import message_of, phrase
from rulewright.server.web.protocol import language_of
from rulewright.workbench.core.workspace import BenchError, NoRulesYet

MOST = 4 << 20
"""Bytes of a request."""

NOTHING_YET = 202
"""Where an edition has had no rules without mistakes so far, which is no failure that a browser should report."""

ENDING = 503

_PLACE = re.compile(r"(?P<file>[^\n]{1,1000}?\.ya?ml):(?P<line>\d{1,7}): ")

_log = logging.getLogger("rulewright.workbench")

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


def answering(work: Callable[[Request, Any], object], raw: int = 0, most: int = MOST) -> Handler:
    """A handler that answers with what `work` gives, as JSON, or with why it cannot.

    work: is given the request, and the body as JSON, None where there is none; it runs in a thread; a Response is
    answered as it is. most: of how many bytes a body may be; raw: the same where it is no JSON; `work` is then given
    them as they are.
    """

    async def handle(request: Request) -> Response:
        try:
            body = await _body(request, raw, most)
            found = await asyncio.to_thread(work, request, body)
        except EditionError as error:
            first = error.report.errors[0] if error.report.errors else None
            return as_json({"text": first.message if first else str(error)}, 400)
        except RulewrightError as error:
            why = message_of(error)
            told = with_place(request, speech(language(request)).say(why))
            return as_json(told, NOTHING_YET if isinstance(error, NoRulesYet) else 400)
        except ClientDisconnect:
            return Response(status_code=400)
        except asyncio.CancelledError:  # the workbench ends, and does not wait for this
            return Response(status_code=ENDING)
        except Exception:
            _log.exception("A request could not be answered.")
            return as_json({"text": ""}, 500)
        return found if isinstance(found, Response) else as_json(found)

    return handle


def read(type_: type[Any], body: Any) -> Any:
    """A body as what it should be. Raises BenchError."""
    try:
        return Decoder(type_).decode(json.dumps(body))
    except (DecodeError, MsgspecError, RecursionError, ValueError):
        raise not_understood() from None


def as_json(content: object, status: int = 200) -> Response:
    return Response(encode(content), status, media_type="application/json")


def with_place(request: Request, text: str) -> dict[str, Any]:
    """What stopped something, as `text`; where it begins with a place in a rule file, also that `file` as the window
    knows it, and the `line`."""
    found = _PLACE.match(text)
    name = request.app.state.readable(Path(found["file"])) if found else None
    if found is None or name is None:
        return {"text": text}
    return {"text": f"{name}:{text[found.start('line') :]}", "file": name, "line": int(found["line"])}


def language(request: Request) -> str:
    """In which language whoever asks reads."""
    return language_of(request.query_params.get("language") or request.headers.get("accept-language", ""))


def file(request: Request) -> str:
    """Which file is asked about. Raises BenchError."""
    found = request.query_params.get("file", "")
    if not found:
        raise BenchError(phrase("errors", "Open a file first."))
    return found


def not_understood() -> BenchError:
    return BenchError(phrase("errors", "The workbench did not understand this message. Nothing has changed."))


async def _body(request: Request, raw: int, most: int) -> Any:
    """Raises BenchError."""
    if request.method in ("GET", "HEAD"):
        return None
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > (raw or most):
            raise not_understood()
    if raw:
        return bytes(found)
    if not found:
        return None
    try:
        return json.loads(found)
    except (ValueError, RecursionError):
        raise not_understood() from None
