"""A rulebook as a page, on paper and in words: every kind of block in each of them, for every reader."""

from __future__ import annotations

import html as markup
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
from pypdf import PdfReader

import pdf_pages
import sample_book
from rulewright.base import resources
from rulewright.game import library
from rulewright.publish.board_annotations import PieceOnSpace
from rulewright.publish.drawing import Field, board
from rulewright.publish.printing import typesetting
from rulewright.publish.rulebook import html, markdown, page_frame, pdf
from rulewright.publish.rulebook.model import (
    BookBlock,
    Changes,
    Chapter,
    Drawing,
    Example,
    ExampleLine,
    Link,
    Paragraph,
    Piece,
    Rulebook,
    Setup,
    ShownTable,
    VariantChange,
    ambiguous_names,
    group_acts,
)
from rulewright.publish.rulebook.rulebook_builder import WORDS

BOOKS = {"en": sample_book.book(), "he": sample_book.hebrew()}
SIZES = {"a4": (595, 842), "a5": (420, 595)}  # in points
MARGIN = 20  # in points; nothing that is read is nearer to an edge
PICTURES = {"picture", "signs", "cover"}
WORD_CALLS = re.compile(r"""\b_?word\((?:book, )?["']([^"']+)["']\)""")
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"><path d="{}" fill="#8DB04B"/></svg>'
ON_PAPER = frozenset({"description"})
SAID_DIFFERENTLY = {"anchor", "mark", "kind", "language"}


def texts(kind: Any, unread: frozenset[str] = frozenset({"name"})) -> Iterator[str]:
    """All that a reader of a book reads in it. unread: of pieces; a picture and a number stand for them on paper."""
    if isinstance(kind, str):
        yield kind
    elif isinstance(kind, tuple):
        for item in kind:
            yield from texts(item, unread)
    elif is_dataclass(kind) and not isinstance(kind, type):
        is_piece = isinstance(kind, Piece)
        hidden = {"corner"} if isinstance(kind, Piece) and kind.hidden else set()
        for field in fields(kind):
            if field.name not in PICTURES | SAID_DIFFERENTLY | hidden | (unread if is_piece else set()):
                yield from texts(getattr(kind, field.name), unread)


def squeezed(text: str) -> str:
    """A text as it can be looked for: without blanks, hyphens at ends of lines, and small capitals."""
    return re.sub(r"[\s\u00ad-]+", "", text).lower()


@cache
def pages(book: str, paper: str) -> PdfReader:
    return PdfReader(BytesIO(pdf.document(BOOKS[book], paper)))


@cache
def words_of(book: str, paper: str) -> str:
    return pdf_pages.text(pdf.document(BOOKS[book], paper))


@cache
def page(book: str) -> str:
    return html.page(BOOKS[book])


def test_sample_has_every_kind_of_block() -> None:
    assert sample_book.every_kind() == set(get_args(BookBlock))


# ── all is told ──


def test_every_block_is_on_the_page() -> None:
    plain = markup.unescape(re.sub(r"<style>.*?</style>|<(?!svg)[^>]*>", " ", page("en"), flags=re.DOTALL))
    words = squeezed(plain)
    missing = [text for text in texts(BOOKS["en"]) if squeezed(text) not in words]
    assert not missing


def test_every_block_is_in_markdown() -> None:
    words = squeezed(re.sub(r"\\(.)", r"\1", markdown.text(BOOKS["en"])))
    missing = [text for text in texts(replace(BOOKS["en"], credits="")) if squeezed(text) not in words]
    assert not missing


@pytest.mark.rotating(12)
@pytest.mark.parametrize("paper", SIZES)
def test_every_block_is_in_the_pdf(paper: str) -> None:
    words = squeezed(words_of("en", paper))
    pictures = [
        block.text for chapter in BOOKS["en"].chapters for block in chapter.blocks if isinstance(block, Drawing)
    ]
    # what breaks across pages or columns is looked for word by word
    message = replace(
        BOOKS["en"], chapters=tuple(it for it in BOOKS["en"].chapters if paper == "a4" or it.anchor != "sheet")
    )
    expected = {
        word for text in texts(message, ON_PAPER) if text not in pictures for word in text.split() if len(word) < 30
    }
    assert not {word for word in expected if squeezed(word) not in words}


@pytest.mark.rotating(3)
@pytest.mark.parametrize("mark", ["New", "Changed", "Gone"])
def test_emphasis_is_kept_in_markdown(mark: str) -> None:
    assert f">{mark}</span>" in page("en")
    assert f"({mark})" in markdown.text(BOOKS["en"])
    assert mark in words_of("en", "a4")


@pytest.mark.rotating(10)
def test_words_of_the_formats_are_translated() -> None:
    assert "תוכן" in page("he") and "Contents" not in page("he")
    assert "Contents" not in words_of("he", "a5")


def test_every_word_of_the_forms_can_be_translated() -> None:
    """The templates ask for no word that Contents does not have."""
    sources = [html.__file__, page_frame.__file__, markdown.__file__, *map(str, typesetting.templates())]
    questions = {word for path in sources for word in WORD_CALLS.findall(Path(path).read_text("utf-8"))}
    assert len(questions) > 8
    assert questions <= {word.text for word in WORDS}


def test_quotes_follow_their_events() -> None:
    course = [
        ExampleLine("so", is_explanation=True),
        ExampleLine("a"),
        ExampleLine("why", is_explanation=True),
        ExampleLine("because", is_explanation=True),
        ExampleLine("b"),
    ]
    assert group_acts(course) == (["so"], [("a", ["why", "because"]), ("b", [])])
    assert group_acts([]) == ([], [])


# ── the page ──


class Outline(HTMLParser):
    """The elements of a page: what stands within what, headings, and pictures that are told."""

    VOID = frozenset(["meta", "input"])

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[int] = []
        self.texts_seen: list[str] = []
        self.untold = 0
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        had = dict(attrs)
        if tag == "svg" and had.get("role") == "img":
            self.texts_seen.append(had["aria-label"] or "")
        elif tag == "svg" and had.get("aria-hidden") != "true":
            self.untold += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("book", BOOKS)
def test_page_is_well_formed(book: str) -> None:
    result = Outline(page(book))
    assert not result.open
    assert result.headings[0] == 1 and result.headings.count(1) == 1
    assert all(next_ <= level + 1 for level, next_ in pairwise(result.headings))
    assert f'dir="{"rtl" if book == "he" else "ltr"}"' in page(book)


def test_meaningful_pictures_have_an_alternative_text() -> None:
    result = Outline(page("en"))
    assert set(result.texts_seen) == {sample_book.board().text} and not result.untold


def test_every_picture_stands_there_once() -> None:
    matches = re.findall(r"<symbol [^>]*>(.*?)</symbol>", page("en"))
    assert len(matches) == len(set(matches)) < page("en").count("<use ") / 2


def test_land_of_a_board_stands_there_once() -> None:
    """The land is described once, for all pieces on it and all parts that are shown."""
    ground = PICTURE.format("M0 0H200V200Z")
    fields = {(column, row): Field("n", ground) for column in range(6) for row in range(6)}
    answers = {**fields, (1, 1): Field("n", ground, PieceOnSpace("Elf", PICTURE.format("M9 9H20V20Z")))}
    drawings = [
        board(fields),
        board(answers),
        board(answers, window=(0, 0, 2, 2)),
    ]
    blocks = tuple(Drawing(svg, "land") for svg in drawings)
    source = html.page(replace(BOOKS["en"], cover="", chapters=(Chapter("a", "A", blocks),)))
    assert source.count("M0 0H200V200Z") == 1 and source.count('stroke-width="14"') == 1
    assert source.count("M9 9H20V20Z") == 1
    used = set(re.findall(r'href="#(_\d+)"', source))
    assert used == set(re.findall(r' id="(_\d+)"', source))


def test_pictures_are_shown_from_their_corner() -> None:
    assert re.search(r'<symbol [^>]*viewBox="-10 -10 720 450"', page("en"))
    assert set(re.findall(r'<svg [^>]*viewBox="(\S+ \S+) \S+ \S+"><use ', page("en"))) == {"0 0"}


def test_links_of_the_page_lead_somewhere() -> None:
    anchors = Counter(re.findall(r' id="([^"]*)"', page("en")))
    assert not [anchor for anchor, count in anchors.items() if count > 1]
    links = set(re.findall(r'href="([^"]*)"', page("en")))
    assert links <= {f"#{anchor}" for anchor in anchors}
    assert {"#steps-pass", "#powers-lion", "#scoring"} <= links


def test_links_in_words_lead_somewhere() -> None:
    words = markdown.text(BOOKS["en"])
    anchors = re.findall(r'<a id="([^"]*)">', words)
    assert len(anchors) == len(set(anchors))
    assert {"steps-pass", "powers-lion"} <= set(re.findall(r"\]\(#([^)]*)\)", words)) <= set(anchors)


@pytest.mark.rotating(4)
@pytest.mark.parametrize("text", ["</p><script>x", "`a` | *b* ~c~", "#let x = 1; $x$ \\ @here <here>"])
def test_texts_are_escaped(text: str) -> None:
    link = Link('a"><script>', text)
    chapters: list[Chapter] = []
    for block in sample_book.one_of_each(text):
        chapters.append(Chapter(f"chapter-{len(chapters)}", text, (block,)))
    changes = Changes(text, text, (VariantChange("gone", link, text, text),))
    book = replace(BOOKS["en"], title=text, chapters=(*chapters, Chapter("x", text, (changes,))))
    source = html.page(book)
    Outline(source)
    assert source.count("<script") == 1  # the page's own
    words = markdown.text(book)
    assert "<" not in re.sub(r'\\<|<a id="[a-z0-9-]*"></a>', "", words)
    assert squeezed(text) in squeezed(pdf_pages.text(pdf.document(book, "a5")))


# ── pieces on a table ──


@pytest.mark.rotating(2)
def test_pieces_that_look_alike_are_named() -> None:
    """Elsewhere a picture is enough, and its name is for who cannot see it."""
    same = [replace(sample_book.animal("lion"), name=name) for name in ("Lion", "Lioness")]
    for pieces, names in (((same[0],), 0), (tuple(same), 2)):
        position = ShownTable((sample_book.player("Ana", *pieces),))
        assert ambiguous_names(position) == ({piece.name for piece in same} if names else set())
        chapter = Chapter("a", "A", (replace(sample_book.migration(), before=position, after=ShownTable()),))
        book = replace(BOOKS["en"], chapters=(chapter,))
        assert html.page(book).count('class="name"') == names
        last = pdf_pages.pages(pdf.document(book))[-1]
        assert ("Lion" in last.text) == bool(names)


# ── paper ──


def elements(reader: PdfReader) -> Iterator[Any]:
    """The elements of the structure that screen readers follow, in their order."""
    waiting = [reader.root_object["/StructTreeRoot"]["/K"]]  # type: ignore[index]
    while waiting:
        result = waiting.pop().get_object()
        if isinstance(result, list):
            waiting += reversed(result)
        elif isinstance(result, dict) and "/S" in result:
            yield result
            waiting += [result["/K"]] if "/K" in result else []


@pytest.mark.rotating(10)
@pytest.mark.parametrize("paper", SIZES)
@pytest.mark.parametrize("book", BOOKS)
def test_document_is_what_readers_expect(book: str, paper: str) -> None:
    read = pages(book, paper)
    assert read.metadata is not None and str(read.metadata.title) == f"{BOOKS[book].title} {BOOKS[book].edition}"
    assert str(read.root_object["/Lang"]) == book
    assert {tuple(round(float(side)) for side in page.mediabox[2:]) for page in read.pages} == {SIZES[paper]}
    assert len(BOOKS[book].chapters) // 2 < len(read.pages) < 20
    chapters = [str(item.title) for item in read.outline if not isinstance(item, list)]
    printed = [chapter for chapter in BOOKS[book].chapters if paper == "a4" or chapter.anchor != "sheet"]
    assert chapters[1:] == [f"{number} {chapter.title}" for number, chapter in enumerate(printed, 1)]


def pieces_of(book: Rulebook) -> Iterator[Piece]:
    """The pieces that lie on tables: no words stand below them."""
    for block in (block for chapter in book.chapters for block in chapter.blocks):
        view = [block.position] if isinstance(block, Setup) else []
        view += [block.before, block.after] if isinstance(block, Example) else []
        for tableau in (tableau for position in view for tableau in position.tableaus):
            yield from (piece for place in tableau.places for piece in place.pieces)


@pytest.mark.parametrize("paper", SIZES)
def test_document_is_tagged(paper: str) -> None:
    results = list(elements(pages("en", paper)))
    kinds = Counter(str(element["/S"]) for element in results)
    counts = Counter(str(element["/Alt"]) for element in results if element["/S"] == "/Figure")
    assert counts == Counter([sample_book.board().text] * 2) + Counter(
        piece.description for piece in pieces_of(BOOKS["en"])
    )
    sheets = 1 if paper == "a4" else 0
    assert kinds["/Table"] == 2 + sheets and kinds["/TH"] == 6 * sheets + 3 + 4
    # the flow, and the courses of two examples, of which one may stand in columns
    assert kinds["/L"] in (3, 4) and kinds["/LI"] == 4 + 5 + 1
    headings = [int(str(element["/S"])[2:]) for element in results if re.fullmatch(r"/H\d", str(element["/S"]))]
    assert all(following <= level + 1 for level, following in pairwise(headings))


def test_links_of_the_document_lead_somewhere() -> None:
    read = pages("en", "a4")
    annotations = [item.get_object() for page in read.pages for item in page.get("/Annots", [])]
    names = [str(item["/Dest"]) for item in annotations if "/Dest" in item]
    assert {"steps-pass", "powers-lion", "scoring"} <= set(names) <= read.named_destinations.keys()


@pytest.mark.rotating(3)
def test_a_link_without_a_target_is_text() -> None:
    rule = sample_book.power("lion")
    book = replace(BOOKS["en"], chapters=(Chapter("a", "A", (replace(rule, see=(Link("nowhere", "Nowhere"),)),)),))
    text = pdf_pages.text(pdf.document(book))
    assert "Nowhere" in text


@pytest.mark.rotating(4)
@pytest.mark.parametrize("paper", SIZES)
@pytest.mark.parametrize("book", BOOKS)
def test_there_is_one_font(book: str, paper: str) -> None:
    """A letter that it does not have would come from another."""
    assert sample_book.fonts(pages(book, paper)) == {"LibertinusSerif"}


@pytest.mark.rotating(3)
def test_font_has_every_letter_of_the_project() -> None:
    """All that editions and catalogs say, in every language."""
    letters: set[str] = set()
    for path in [*library.available().values(), *resources.folder("locales").rglob("*.po")]:
        results = set(re.sub("(?m)(^|\\s)#.*", "", path.read_text("utf-8")))
        # a terminal has arrows and stars that no book needs
        letters |= set(filter(str.isalpha, results)) if path.stem == "interface" else results
    assert {"ß", "é", "ü", "’"} <= letters
    text = " ".join(filter(str.isprintable, sorted(letters)))
    book = replace(BOOKS["en"], chapters=(Chapter("a", "A", (Paragraph(text),)),))
    assert sample_book.fonts(PdfReader(BytesIO(pdf.document(book)))) == {"LibertinusSerif"}


@pytest.mark.rotating(5)
def test_a_letter_without_a_font_is_reported() -> None:
    with pytest.raises(typesetting.PrintingError, match="No font here has '中'"):
        pdf.document(replace(BOOKS["en"], text="中"))


def text_positions(page: Any) -> Iterator[tuple[float, float]]:
    """Yield start and end of each run of text on a page, in points from its left edge."""
    widths: dict[str, dict[int, float]] = {}
    for name, font in page["/Resources"]["/Font"].items():
        inner = font["/DescendantFonts"][0]
        widths[name] = {}
        entries = list(inner["/W"])
        while entries:
            first, second, *rest = entries
            if isinstance(second, list):
                widths[name] |= {int(first) + place: float(width) for place, width in enumerate(second)}
                entries = rest
            else:
                widths[name] |= dict.fromkeys(range(int(first), int(second) + 1), float(rest[0]))
                entries = rest[1:]
    font, size = "", 0.0
    results: list[tuple[float, float]] = []

    def on_operator(operator: bytes, operands: Any, cm: list[float], tm: list[float]) -> None:
        nonlocal font, size
        if operator == b"Tf":
            font, size = str(operands[0]), float(operands[1])
        if operator in (b"Tj", b"TJ"):
            length = 0.0
            for part in operands[0] if operator == b"TJ" else [operands[0]]:
                if isinstance(part, (bytes, str)):
                    raw = part if isinstance(part, bytes) else part.original_bytes  # type: ignore[attr-defined]
                    codes = [int.from_bytes(raw[at : at + 2], "big") for at in range(0, len(raw), 2)]
                    length += sum(widths[font].get(code, 1000.0) for code in codes)
                else:
                    length -= float(part)
            start = tm[4] * cm[0] + cm[4]
            results.append((start, start + length / 1000 * size * abs(tm[0] * cm[0])))

    page.extract_text(visitor_operand_before=on_operator)
    yield from results


@pytest.mark.rotating(4)
@pytest.mark.parametrize("paper", SIZES)
@pytest.mark.parametrize("book", BOOKS)
def test_nothing_runs_over_the_edge(book: str, paper: str) -> None:
    """Long names and words without end break rather than run on; all but the tabs keep off the edges."""
    right = SIZES[paper][0] - MARGIN
    for number, page_ in enumerate(pages(book, paper).pages, 1):
        runs = [(start, end) for start, end in text_positions(page_) if end - start > 12]
        assert runs or number > len(pages(book, paper).pages) - 1
        assert all(start >= MARGIN and end <= right for start, end in runs), number


@pytest.mark.rotating(12)
def test_long_title_stays_on_its_page() -> None:
    book: Rulebook = replace(BOOKS["en"], title=f"{sample_book.LONG_NAME} {sample_book.LONG_WORD}")
    for paper in SIZES:
        document = pdf.document(book, paper)
        first = PdfReader(BytesIO(document)).pages[0]
        assert all(start >= MARGIN and end <= SIZES[paper][0] - MARGIN for start, end in text_positions(first))
        assert squeezed(book.credits) in squeezed(pdf_pages.pages(document)[0].text)


@pytest.mark.rotating(5)
def test_equal_books_are_equal_files() -> None:
    assert pdf.document(BOOKS["en"], "a5") == pdf.document(replace(BOOKS["en"]), "a5")


def test_of_several_books_only_the_last_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Typst remembers what it has worked out for ten documents; the same book is soon set again."""
    forgotten: list[bool] = []
    monkeypatch.setattr(typesetting, "clear_cache", lambda: forgotten.append(True))
    monkeypatch.setattr(typesetting, "pdf", lambda template, data: b"")
    for title, expected in (("Kites", None), ("Kites", 0), ("Boats", 1), ("Boats", 0)):
        forgotten.clear()
        pdf.document(replace(BOOKS["en"], title=title))
        assert expected is None or len(forgotten) == expected
