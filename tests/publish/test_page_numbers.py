"""Pages of a book are counted as they lie, whatever a layout decides by where something stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pypdfium2
import pytest

import pdf_pages
from rulewright.game import library
from rulewright.publish.printing import typesetting
from rulewright.publish.rulebook import book as whole
from rulewright.publish.rulebook import pdf
from rulewright.publish.rulebook.model import Setup
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder

MANY = """
rulewright: 1
title: Pages
players: 2
pieces:
  token: {has: {value: 1 to TOKENS}, starts in: row, noun: "token {value}"}
  badge: {has: {rank: 1 to 5}, starts in: row, noun: "badge {rank}"}
zones: {row: {seen by: all}}
setup: {text: Lay it out., do: shuffle row}
phases: {play: {text: Play., do: end game}}
scoring: {none: {text: Nothing., points: 0}}
"""


def printed(folder: Path, text: str, paper: str) -> bytes:
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return pdf.document(whole.rulebook(RulebookBuilder(library.load(str(folder / "game.yaml")))), paper)


def contents_of(content: bytes) -> dict[str, int]:
    """Each chapter with the page where its outline says that it begins."""
    with pypdfium2.PdfDocument(content) as pages:
        marks = [mark for mark in pages.get_toc() if mark.level == 0]
        return {mark.get_title().lstrip("0123456789 "): mark.get_dest().get_index() + 1 for mark in marks}


@pytest.mark.rotating(3)
@pytest.mark.parametrize("tokens", [180, 220])
def test_pages_are_numbered_one_after_the_other(tmp_path: Path, tokens: int) -> None:
    content = printed(tmp_path, MANY.replace("TOKENS", str(tokens)), "a4")
    result = pdf_pages.numbers(content)
    assert result == [str(number) for number in range(2, len(result) + 2)]
    with pypdfium2.PdfDocument(content) as pages:
        heads = [page.get_textpage().get_text_bounded(bottom=page.get_height() * 0.93).lower() for page in pages]
    for title, number in contents_of(content).items():  # of chapters on one page, the first stands above it
        first = next(chapter for chapter, at in contents_of(content).items() if at == number)
        assert title == "Contents" or first.lower() in heads[number - 1]


def test_a_book_without_stable_page_numbers_is_set_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Typst warns where it has counted in vain; then nothing depends on where something stands."""
    questions: list[bool] = []

    def compiled(_template: str, data: dict[str, Any], _form: str, **_options: object) -> tuple[bytes, list[Any]]:
        questions.append(data.get("steady", False))
        warning = type("Warning", (), {"message": "document did not converge within five attempts"})
        return b"%PDF", [] if data.get("steady") else [warning]

    monkeypatch.setattr(typesetting, "_compile", compiled)
    assert typesetting.pdf("rulebook", {}) == b"%PDF"
    assert questions == [False, True]


@pytest.mark.parametrize("paper", ["a4", "a5"])
def test_a_plain_book_has_all_chapters(tmp_path: Path, paper: str) -> None:
    (tmp_path / "game.yaml").write_text(MANY.replace("TOKENS", "30"), encoding="utf-8")
    text = pdf.template_data(whole.rulebook(RulebookBuilder(library.load(str(tmp_path / "game.yaml")))), paper)
    content = typesetting.pdf("rulebook", {**text, "steady": True})
    assert {"Components", "Set-up", "Play", "Scoring"} <= contents_of(content).keys()


MARKETS = """
rulewright: 1
title: Markets
players: 2
words: {tier: {lower: {}, upper: {}}}
pieces: {card: {has: {value: 1 to 9}, starts in: box, noun: "card {value}"}}
zones: {box: {seen by: all, shown: no}, market: {of: tier, seen by: all}}
setup: {text: Lay four cards in each market., do: [each tier as row: move first 4 of box to row's market]}
phases: {play: {text: Choose., do: end game}}
scoring: {coins: {text: A point each., points: 0}}
"""


@pytest.mark.rotating(2)
def test_the_contents_stand_above_the_first_chapter(tmp_path: Path) -> None:
    """The contents are in both columns, and none of them below a bar."""
    content = printed(tmp_path, MARKETS, "a4")
    with pypdfium2.PdfDocument(content) as pages:
        page = pages[1]
        text = page.get_textpage()
        boxes = [text.get_rect(number) for number in range(text.count_rects())]
        rows = [(text.get_text_bounded(*box).strip(), box[0], box[1]) for box in boxes]
        half = page.get_width() / 2
    titles = ["Components", "Set-up", "Play", "Scoring", "At a glance"]
    bar = min(foot for name, _, foot in rows if name == "Components")
    listed = {name: left < half for name, left, foot in rows if name in titles and foot > bar + 20}
    assert [*listed] == titles
    assert list(listed.values()) == sorted(listed.values(), reverse=True) and 2 <= sum(listed.values()) <= 4


def test_zones_of_words_are_drawn_in_the_set_up(tmp_path: Path) -> None:
    """Also where the pieces have no pictures."""
    (tmp_path / "game.yaml").write_text(MARKETS, encoding="utf-8")
    book = whole.rulebook(RulebookBuilder(library.load(str(tmp_path / "game.yaml"))))
    (setup,) = [block for chapter in book.chapters for block in chapter.blocks if isinstance(block, Setup)]
    places = {place.name: [piece.name for piece in place.pieces] for place in setup.position.tableaus[0].places}
    assert places == {
        "Lower: Market": ["Card 1", "Card 2", "Card 3", "Card 4"],
        "Upper: Market": ["Card 5", "Card 6", "Card 7", "Card 8"],
    }


def test_an_empty_table_has_no_frame(tmp_path: Path) -> None:
    text = MARKETS.replace("each tier as row: move first 4 of box to row's market", "shuffle box")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    book = whole.rulebook(RulebookBuilder(library.load(str(tmp_path / "game.yaml"))))
    assert not [block for chapter in book.chapters for block in chapter.blocks if isinstance(block, Setup)]


@pytest.mark.rotating(2)
def test_a_long_title_ends_in_dots_above_the_pages(tmp_path: Path) -> None:
    """The title has one line and is cut; it stands in full on the first page."""
    title = "Donaudampfschifffahrtsgesellschaftskapitänspatente und andere Merkwürdigkeiten der Binnenschifffahrt"
    content = printed(tmp_path, MARKETS.replace("title: Markets", f"title: {title}"), "a4")
    with pypdfium2.PdfDocument(content) as pages:
        head = pages[1].get_textpage().get_text_bounded(bottom=pages[1].get_height() * 0.93)
    text = head.replace("\u00ad", "").strip().lower()
    assert text.startswith("donaudampfschifffahrts") and "…" in text and text.endswith("contents")
