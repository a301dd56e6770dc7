"""Typesetting of data as PDF, by the templates beside this file.

All data of an edition reach Typst as JSON, never as markup; templates read no other file.
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

_FOLDER = Path(__file__).parent
"""Folder with the templates."""
_EPOCH = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
"""Fixed timestamp: equal data make an equal file, byte for byte."""

_CACHED_DOCUMENTS = 10
"""Compilations after which Typst evicts a document from its cache."""

_MISSING_GLYPH = re.compile(r'the text .?"(.*)".? could not be displayed')
"""Typst's error about signs that no font has."""
_NO_ROOM = re.compile(r"does not fit: ([\w ,]+)")
"""Error of our templates about things that do not fit."""
_NOT_CONVERGED = "did not converge"
"""Typst's warning that page numbers are not final."""


class PrintingError(RulewrightError):
    """Raised for what cannot be printed."""


class NoRoom(PrintingError):
    """Raised for texts that are too long for their place. parts: index in the data, and part, of each."""

    def __init__(self, parts: list[tuple[int, str]]) -> None:
        super().__init__("Some texts do not fit.")
        self.parts = parts


def pdf(template: str, data: Mapping[str, Any]) -> bytes:
    """Return a template's pages as a tagged PDF with embedded fonts. Raises PrintingError."""
    document: bytes
    document, warnings = _compile(template, data, "pdf", pdf_standards=["ua-1"])
    if any(_NOT_CONVERGED in str(warning.message) for warning in warnings):
        document, warnings = _compile(template, {**data, "steady": True}, "pdf", pdf_standards=["ua-1"])
        if any(_NOT_CONVERGED in str(warning.message) for warning in warnings):
            raise PrintingError("The pages of this book cannot be numbered: they move each time that they are counted.")
    return document


def clear_cache() -> None:
    """Evict earlier documents from Typst's cache: those of a book take a gigabyte."""
    for _ in range(_CACHED_DOCUMENTS):
        typst.compile(b"", ignore_system_fonts=True)


def templates() -> list[Path]:
    """List the Typst templates."""
    return sorted(_FOLDER.glob("*.typ"))


def png(template: str, data: Mapping[str, Any], dots_per_inch: float = 72.0) -> list[bytes]:
    """Return a template's pages as PNG. Raises PrintingError for whatever cannot be a PDF."""
    return _page_images(template, data, "png", ppi=dots_per_inch)


def svg(template: str, data: Mapping[str, Any]) -> list[bytes]:
    """Return a template's pages as SVG, sharp at any size. Raises PrintingError, as `png`."""
    return _page_images(template, data, "svg")


def _page_images(template: str, data: Mapping[str, Any], form: str, **options: Any) -> list[bytes]:
    """Return a template's pages as images, one each. Typesets the PDF first, which alone reports letters that no font
    has."""
    pdf(template, data)  # only there letters are missed that no font has
    pages, _ = _compile(template, data, form, **options)
    return pages if isinstance(pages, list) else [pages]


def _compile(template: str, data: Mapping[str, Any], form: str, **options: Any) -> tuple[Any, list[Any]]:
    """Compile a template with its data; return the output and Typst's warnings. Raises PrintingError for signs that no
    font has, NoRoom for texts that do not fit."""
    compiled: Callable[..., tuple[Any, list[Any]]] = typst.compile_with_warnings
    try:
        return compiled(
            _FOLDER / f"{template}.typ",
            format=form,
            ignore_system_fonts=True,
            sys_inputs={"data": json.dumps(typeset(data), ensure_ascii=False)},
            timestamp=_EPOCH,
            **options,
        )
    except typst.TypstError as error:
        if (missing := _MISSING_GLYPH.search(str(error))) is not None:
            raise PrintingError(
                f"No font here has '{missing[1]}', so it cannot be printed. "
                "A rulebook as HTML takes the reader's fonts."
            ) from None
        if (unfit := _NO_ROOM.search(str(error))) is not None:
            raise NoRoom([(int(number), part) for number, part in map(str.split, unfit[1].split(", "))]) from None
        raise
