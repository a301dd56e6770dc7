"""Data -> PDF, by the templates beside this file.

All that an edition says reaches Typst as JSON, never as markup; templates read no other file.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typst

from rulewright.base.diagnostics import RulewrightError

_HERE = Path(__file__).parent
_EPOCH = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
"""Equal data makes an equal file, byte for byte."""

_REMEMBERED = 10
"""So many documents later Typst forgets what it has worked out for one."""

_NO_LETTER = re.compile(r'the text .?"(.*)".? could not be displayed')


class PrintingError(RulewrightError):
    """What cannot be printed."""


def pdf(template: str, data: Mapping[str, Any]) -> bytes:
    """What a template makes of its data, as a tagged PDF with its fonts inside. Raises PrintingError."""
    try:
        return typst.compile(
            _HERE / f"{template}.typ",
            format="pdf",
            ignore_system_fonts=True,
            sys_inputs=_inputs(data),
            timestamp=_EPOCH,
            pdf_standards=["ua-1"],
        )
    except typst.TypstError as error:
        if (missing := _NO_LETTER.search(str(error))) is None:
            raise
        raise PrintingError(
            f"No font here has '{missing[1]}', so it cannot be printed. A rulebook as HTML takes the reader's fonts."
        ) from None


def forget() -> None:
    """What Typst remembers of documents that were set before, it remembers no more: for a book, that is a gigabyte."""
    for _ in range(_REMEMBERED):
        typst.compile(b"", ignore_system_fonts=True)


def templates() -> list[Path]:
    """What is written in Typst."""
    return sorted(_HERE.glob("*.typ"))


def png(template: str, data: Mapping[str, Any], dots_per_inch: float = 72.0) -> list[bytes]:
    """The same pages as pictures."""
    pages: Any = typst.compile(
        _HERE / f"{template}.typ",
        format="png",
        ignore_system_fonts=True,
        sys_inputs=_inputs(data),
        timestamp=_EPOCH,
        ppi=dots_per_inch,
    )
    return pages if isinstance(pages, list) else [pages]


def svg(template: str, data: Mapping[str, Any]) -> list[bytes]:
    """The same pages as drawings, which stay sharp however large they are shown."""
    pages: Any = typst.compile(
        _HERE / f"{template}.typ",
        format="svg",
        ignore_system_fonts=True,
        sys_inputs=_inputs(data),
        timestamp=_EPOCH,
    )
    return pages if isinstance(pages, list) else [pages]


def _inputs(data: Mapping[str, Any]) -> dict[str, str]:
    return {"data": json.dumps(data, ensure_ascii=False)}
