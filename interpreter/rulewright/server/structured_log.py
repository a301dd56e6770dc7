"""Structured log: one event a line, as JSON, for tools that collect logs.

Events hold no personal names, no chat, no addresses, and neither tokens nor other parts of URLs. Of an error they hold
the type and the place in the code, never its message, which may quote any of these.
"""

from __future__ import annotations

import json
import logging
import traceback
from asyncio import CancelledError
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

_LOGGER = logging.getLogger("rulewright.server")
_LOGGER.addHandler(logging.NullHandler())
SERVING = "uvicorn.error"
"""Logger of uvicorn's errors."""
LIBRARIES = (SERVING, "websockets", "asyncio", "starlette")
"""Loggers of other libraries whose warnings go into the log, too."""
_MAX_FRAMES = 20
"""Limit of an error's places, the innermost ones."""


def event(name: str, **fields: Any) -> None:
    """Log an event, if events are written anywhere. fields: JSON values."""
    if is_written():
        _LOGGER.info(name, extra={"fields": fields})


def warning(name: str, **fields: Any) -> None:
    """Log an event that the operator should look at; also where events are not written. fields: JSON values."""
    _LOGGER.warning(name, extra={"fields": fields})


def ignore_cancellations() -> None:
    """Keep uvicorn from logging requests that a shutdown cancels as errors."""
    logging.getLogger(SERVING).addFilter(_is_error)


def _is_error(record: logging.LogRecord) -> bool:
    """Return whether a record is none of a shutdown's: of a cancelled request, or about the shutdown itself."""
    cancelled = record.exc_info is not None and isinstance(record.exc_info[1], CancelledError)
    return not cancelled and "graceful shutdown" not in str(record.msg)


def write_to(stream: TextIO) -> None:
    """Write all events, and what LIBRARIES log, to a stream from now on, and to no other."""
    handler = _LineHandler(stream)
    handler.setFormatter(JsonLines())
    for name in (_LOGGER.name, *LIBRARIES):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
    _LOGGER.setLevel(logging.INFO)


def is_written() -> bool:
    """Return whether events are written anywhere."""
    return _LOGGER.isEnabledFor(logging.INFO)


class _LineHandler(logging.StreamHandler[TextIO]):
    """Handler that drops a record if writing fails."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Ignore a closed stream or a full disk: the server goes on."""


class JsonLines(logging.Formatter):
    """Formatter for a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line of JSON, without what a library's arguments may hold."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields: dict[str, Any] = {"at": time.replace("+00:00", "Z"), "level": record.levelname.lower()}
        fields |= {"process": record.process}
        if record.name == _LOGGER.name:
            fields |= {"event": record.msg, **getattr(record, "fields", {})}
        else:
            # The arguments could be anything, and so could all lines after the first.
            fields |= {"event": "library", "logger": record.name, "said": str(record.msg).partition("\n")[0]}
        if record.exc_info and record.exc_info[1] is not None:
            fields |= {"error": type(record.exc_info[1]).__name__, "places": _code_places(record.exc_info[1])}
        return json.dumps(fields, ensure_ascii=False)


def _code_places(error: BaseException) -> list[str]:
    """List where in the code an error was raised, as FILE:LINE FUNCTION, innermost last."""
    frames = traceback.extract_tb(error.__traceback__)[-_MAX_FRAMES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
