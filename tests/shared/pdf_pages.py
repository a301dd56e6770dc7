"""Texts and letter sizes of printed pages, read by PDFium, which takes a fifteenth of the time that pypdf needs for
pages with drawings.

pypdf reads the rest of a document: its outline, tags, links and fonts.
"""

from __future__ import annotations

import ctypes
from itertools import groupby
from pathlib import Path

import pypdfium2
from pypdfium2 import raw

from rulewright.base.records import record


@record
class PrintedPage:
    """runs: what stands side by side in one size, with that size in points, to a tenth."""

    text: str
    runs: tuple[tuple[str, float], ...]

    def sizes(self, least: int = 1) -> dict[float, str]:
        """The sizes of letters, each with some of what is written so. least: of characters; what has fewer stands
        alone, as the letters at the edge of a map do."""
        results: dict[float, str] = {}
        for run, size in self.runs:
            if len(run) >= least:
                results.setdefault(size, run)
        return results


def pages(document: bytes | Path) -> list[PrintedPage]:
    """Return the text of each page of a PDF."""
    with pypdfium2.PdfDocument(document) as read:
        return [_page(page.get_textpage()) for page in read]


def text(document: bytes | Path) -> str:
    """Return the text of all pages, one after the other."""
    return "".join(page.text for page in pages(document))


def numbers(document: bytes) -> list[str]:
    """Return the text in the outer corner at the foot of each page but the first."""
    results = []
    with pypdfium2.PdfDocument(document) as pages:
        for number, page in enumerate([*pages][1:], 2):
            width, height = page.get_size()
            left, right = (width * 0.85, width) if number % 2 else (0, width * 0.15)
            foot = 65 if height > 800 else 34  # of A4 and A5
            results.append(page.get_textpage().get_text_bounded(left, 0, right, foot).strip())
    return results


def _page(text: pypdfium2.PdfTextPage) -> PrintedPage:
    output = text.get_text_range().replace("\r\n", "\n").replace("\ufffe", "-")  # so it marks a hyphen at a line's end
    letters = [(chr(raw.FPDFText_GetUnicode(text, n)), _size(text, n)) for n in range(text.count_chars())]
    runs = ((size, "".join(letter for letter, _ in run).strip()) for size, run in groupby(letters, lambda of: of[1]))
    return PrintedPage(output, tuple((run, size) for size, run in runs if run and size is not None))


def _size(text: pypdfium2.PdfTextPage, number: int) -> float | None:
    """Return the size of a letter; None for blanks and line breaks that only follow from the positions of letters."""
    if raw.FPDFText_IsGenerated(text, number):
        return None
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text, number, ctypes.byref(matrix))
    return round(abs(float(raw.FPDFText_GetFontSize(text, number)) * float(matrix.d)), 1)
