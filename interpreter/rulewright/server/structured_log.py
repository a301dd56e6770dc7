"""What a server tells whoever runs it: one event a line, as JSON, for machines that keep and search such lines.

An event holds no names of people, nothing that they say, no addresses, and neither tokens nor any other part of an
address that somebody calls. Of an error it tells the kind and the place in the code, never the words: they may quote.
"""

from __future__ import annotations

import json
import logging
import traceback
from asyncio import CancelledError
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

_OWN = logging.getLogger("rulewright.server")
_OWN.addHandler(logging.NullHandler())
SERVING = "uvicorn.error"
LIBRARIES = (SERVING, "websockets", "asyncio", "starlette")
_DEEPEST = 20  # places of an error, the innermost ones


def event(name: str, **fields: Any) -> None:
    """Something happened. fields: JSON."""
    if written():
        _OWN.info(name, extra={"fields": fields})


def trouble(name: str, **fields: Any) -> None:
    """Something happened that whoever runs the server should look at."""
    _OWN.warning(name, extra={"fields": fields})


def stop_calmly() -> None:
    """Whoever still waits for something when the server stops is let go, and that is no error."""
    logging.getLogger(SERVING).addFilter(_is_error)


def _is_error(record: logging.LogRecord) -> bool:
    cancelled = record.exc_info is not None and isinstance(record.exc_info[1], CancelledError)
    return not cancelled and "graceful shutdown" not in str(record.msg)


def write(stream: TextIO) -> None:
    """From now on, write all events to a stream; also what the libraries tell that serve."""
    handler = _Lines(stream)
    handler.setFormatter(JsonLines())
    for name in (_OWN.name, *LIBRARIES):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
    _OWN.setLevel(logging.INFO)


def written() -> bool:
    """Whether events are written anywhere."""
    return _OWN.isEnabledFor(logging.INFO)


class _Lines(logging.StreamHandler[TextIO]):
    def handleError(self, record: logging.LogRecord) -> None:
        """Nobody reads them any more, or the disk is full: the server goes on, and says nothing in other words."""


class JsonLines(logging.Formatter):
    """A record as one line."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told: dict[str, Any] = {"at": at.replace("+00:00", "Z"), "level": record.levelname.lower()}
        told |= {"process": record.process}
        if record.name == _OWN.name:
            told |= {"event": record.msg, **getattr(record, "fields", {})}
        else:
            # What is to be filled in could be anything, and so could all but the first line.
            told |= {"event": "library", "logger": record.name, "said": str(record.msg).partition("\n")[0]}
        if record.exc_info and record.exc_info[1] is not None:
            told |= {"error": type(record.exc_info[1]).__name__, "places": _places(record.exc_info[1])}
        return json.dumps(told, ensure_ascii=False)


def _places(error: BaseException) -> list[str]:
    """Where in the code: the innermost place last."""
    frames = traceback.extract_tb(error.__traceback__)[-_DEEPEST:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
