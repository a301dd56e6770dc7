"""The pages of the shipped books, as pictures: how full they are, how many there are, how small their letters."""

from __future__ import annotations

import re
from itertools import groupby

import pypdfium2
import pytest
from PIL import Image

import pdf_pages
from rulewright.i18n import languages
from rulewright.publish.rulebook.model import Example
from shipped_books import book, document

MOST_PAGES = {"wild-cards/2020": 12, "wild-cards/2022": 12, "wildlife/2002": 20}
"""Size of A5."""
MOST_EMPTY = 0.25
"""Share of a page between head and foot that may be empty in one stretch."""
LEAST_SIZE = 7
"""Points."""

LONGEST = {"wild-cards/2020": "it", "wild-cards/2022": "fr", "wildlife/2002": "de"}
"""A language in which a book has much to hold; together they are all but Dutch."""

ALWAYS = [("wild-cards/2022", "fr", "a4"), *((name, code, "a5") for name, code in [*LONGEST.items()][::3])]
BOOKS = [(name, code) for name in MOST_PAGES for code in languages.languages() if languages.is_translated(name, code)]
PAPERS = [
    pytest.param(name, language, paper, marks=() if (name, language, paper) in ALWAYS else pytest.mark.long)
    for name, language in BOOKS
    for paper in ("a4", "a5")
]


def pictures(document: bytes) -> list[Image.Image]:
    """Return the pages as images of forty dots an inch."""
    with pypdfium2.PdfDocument(document) as read:
        return [page.render(scale=40 / 72).to_pil().convert("L") for page in read]


def emptiness(page: Image.Image) -> float:
    """The longest stretch between head and foot where nothing is printed, as a share of the page's body."""
    width, height = page.size
    body = page.crop((width // 12, height * 75 // 1000, width * 11 // 12, height * 935 // 1000))
    lines = (body.crop((0, row, body.width, row + 1)).tobytes() for row in range(body.height))
    rows = [(min(line), max(line)) for line in lines]
    blank = [high - low <= 6 for low, high in rows]
    return max((len(list(run)) for empty, run in groupby(blank) if empty), default=0) / len(rows)


@pytest.mark.rotating(12)
@pytest.mark.parametrize(("name", "language", "paper"), PAPERS)
def test_pages_of_a_book(name: str, language: str, paper: str) -> None:
    """Numbered, no more than a game needs, none of them empty, all letters large enough, and examples in one piece."""
    result, outcome = book(name, language), document(name, language, paper)
    shares = {number: emptiness(page) for number, page in enumerate(pictures(outcome), 1)}
    assert not {number: round(share, 2) for number, share in shares.items() if share > MOST_EMPTY}
    assert pdf_pages.numbers(outcome) == [str(number) for number in range(2, len(shares) + 1)]
    assert paper != "a5" or len(shares) <= MOST_PAGES[name]
    read = pdf_pages.pages(outcome)
    assert not {size: text for page in read for size, text in page.sizes(2).items() if size < LEAST_SIZE}
    examples = [
        block for chapter in result.chapters for block in chapter.blocks if isinstance(block, Example) and block.printed
    ]
    assert len(examples) >= 6
    texts = [squeezed(page.text) for page in read]
    for example in examples:  # its title and its last sentence stand on one page
        last = squeezed(example.course[-1].text)
        assert any(squeezed(example.title) in text and last in text for text in texts), example.title


def test_empty_pages_are_noticed() -> None:
    page = Image.new("L", (100, 200), 255)
    page.paste(0, (20, 0, 40, 120))
    assert emptiness(page) > MOST_EMPTY
    page.paste(0, (20, 150, 40, 200))
    assert emptiness(page) < MOST_EMPTY


def squeezed(text: str) -> str:
    """Remove blanks, and hyphens at ends of lines."""
    return re.sub(r"[\s\u00ad-]+", "", text)
