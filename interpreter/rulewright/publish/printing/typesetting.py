"""Data -> PDF, by the templates beside this file.

All that an edition says reaches Typst as JSON, never as markup; templates read no other file.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import typst

from rulewright.base.diagnostics import RulewrightError
from rulewright.publish.typography import typeset

_HERE = Path(__file__).parent
_EPOCH = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
"""Equal data makes an equal file, byte for byte."""

_REMEMBERED = 10
"""So many documents later Typst forgets what it has worked out for one."""

_NO_LETTER = re.compile(r'the text .?"(.*)".? could not be displayed')
_NO_ROOM = re.compile(r"does not fit: ([\w ,]+)")
_UNSTEADY = "did not converge"


class PrintingError(RulewrightError):
    """What cannot be printed."""


class NoRoom(PrintingError):
    """Texts that are too long for where they stand. parts: the number of each thing in the data, and which part."""

    def __init__(self, parts: list[tuple[int, str]]) -> None:
        super().__init__("Some texts do not fit.")
        self.parts = parts


def pdf(template: str, data: Mapping[str, Any]) -> bytes:
    """Return what a template makes of its data, as a tagged PDF with its fonts inside. Raises PrintingError."""
    document: bytes
    document, warnings = _compiled(template, data, "pdf", pdf_standards=["ua-1"])
    if any(_UNSTEADY in str(warning.message) for warning in warnings):
        document, warnings = _compiled(template, {**data, "steady": True}, "pdf", pdf_standards=["ua-1"])
        if any(_UNSTEADY in str(warning.message) for warning in warnings):
            raise PrintingError("The pages of this book cannot be numbered: they move each time that they are counted.")
    return document


def forget() -> None:
    """What Typst remembers of documents that were set before, it remembers no more: for a book, that is a gigabyte."""
    for _ in range(_REMEMBERED):
        typst.compile(b"", ignore_system_fonts=True)


def templates() -> list[Path]:
    """What is written in Typst."""
    return sorted(_HERE.glob("*.typ"))


def png(template: str, data: Mapping[str, Any], dots_per_inch: float = 72.0) -> list[bytes]:
    """The same pages as pictures. Raises PrintingError for whatever cannot be a PDF."""
    return _pictures(template, data, "png", ppi=dots_per_inch)


def svg(template: str, data: Mapping[str, Any]) -> list[bytes]:
    """The same pages as drawings, which stay sharp however large they are shown. Raises PrintingError, as `png`."""
    return _pictures(template, data, "svg")


def _pictures(template: str, data: Mapping[str, Any], form: str, **how: Any) -> list[bytes]:
    pdf(template, data)  # only there letters are missed that no font has
    pages, _ = _compiled(template, data, form, **how)
    return pages if isinstance(pages, list) else [pages]


def _compiled(template: str, data: Mapping[str, Any], form: str, **how: Any) -> tuple[Any, list[Any]]:
    """What a template makes of its data, and what Typst warns of."""
    compiled: Callable[..., tuple[Any, list[Any]]] = typst.compile_with_warnings
    try:
        return compiled(
            _HERE / f"{template}.typ",
            format=form,
            ignore_system_fonts=True,
            sys_inputs={"data": json.dumps(typeset(data), ensure_ascii=False)},
            timestamp=_EPOCH,
            **how,
        )
    except typst.TypstError as error:
        if (missing := _NO_LETTER.search(str(error))) is not None:
            raise PrintingError(
                f"No font here has '{missing[1]}', so it cannot be printed. "
                "A rulebook as HTML takes the reader's fonts."
            ) from None
        if (unfit := _NO_ROOM.search(str(error))) is not None:
            raise NoRoom([(int(number), part) for number, part in map(str.split, unfit[1].split(", "))]) from None
        raise
