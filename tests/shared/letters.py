"""How large the letters of a printed page are."""

from __future__ import annotations

from pypdf import PageObject


def sizes(page: PageObject, least: int = 1) -> dict[float, str]:
    """In points, to a tenth, each with some of what is written so. least: of characters; what has fewer stands alone,
    as the letters at the edge of a map do."""
    found: dict[float, str] = {}

    def visit(text: str, matrix: list[float], inner: list[float], _font: object, size: float) -> None:
        if len(text.strip()) >= least:
            found.setdefault(round(abs(size * inner[3] * matrix[3]), 1), text.strip())

    page.extract_text(visitor_text=visit)
    return found
