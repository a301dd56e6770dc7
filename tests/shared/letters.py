"""What a printed page says, and how large its letters are."""

from __future__ import annotations

from pypdf import PageObject


def sizes(page: PageObject, least: int = 1) -> dict[float, str]:
    """In points, to a tenth, each with some of what is written so. least: of characters; what has fewer stands alone,
    as the letters at the edge of a map do."""
    return text_and_sizes(page, least)[1]


def text_and_sizes(page: PageObject, least: int = 1) -> tuple[str, dict[float, str]]:
    """Both from one reading, which takes long."""
    found: dict[float, str] = {}

    def visit(text: str, matrix: list[float], inner: list[float], _font: object, size: float) -> None:
        if len(text.strip()) >= least:
            found.setdefault(round(abs(size * inner[3] * matrix[3]), 1), text.strip())

    return page.extract_text(visitor_text=visit), found
