"""Cards to cut out, page by page as they are printed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError

import pytest

from rulewright.workbench.book import book_process
from small_games.market import MARKET
from workbenches import Refused, Workbench, workbench

CARDS = MARKET + "\nlooks:\n  cards: {card: {corner: '{good}'}}\n"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path, {"market.yaml": MARKET, "cards.yaml": CARDS}) as result:
        yield result


def test_pages_are_as_they_are_printed(bench: Workbench) -> None:
    all_of_them = bench.get("cards", file="cards.yaml")
    each = bench.get("cards", file="cards.yaml", once="1")
    large = bench.get("cards", file="cards.yaml", once="1", printer="1")
    assert (all_of_them["pages"], each["pages"], large["pages"]) == (2, 1, 2)
    picture = bench.raw(f"api/cards/{each['number']}/0.svg").decode()
    assert picture.startswith("<svg") and 'viewBox="0 0 595' in picture
    assert bench.raw("api/cards/file.pdf?file=cards.yaml").startswith(b"%PDF-")
    with pytest.raises(HTTPError, match="404"):
        bench.raw(f"api/cards/{each['number']}/1.svg")


def test_a_changed_text_is_on_the_next_cards(bench: Workbench) -> None:
    before = bench.get("cards", file="cards.yaml", once="1")
    bench.type("cards.yaml", CARDS.replace("{cloth: , salt: }", "{cloth: , salt: , wine: }"))
    after = bench.get("cards", file="cards.yaml", once="1", printer="1")
    assert (before["pages"], after["pages"]) == (1, 3) and before["number"] != after["number"]


def test_backs_are_offered_where_a_card_has_one(bench: Workbench) -> None:
    assert bench.get("cards", file="cards.yaml")["backed"] is False
    bench.type("cards.yaml", CARDS.replace("{corner:", "{back: back, corner:"))
    assert bench.get("cards", file="cards.yaml")["backed"] is True


def test_an_edition_without_cards_gives_a_reason(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    none = bench.get("cards", file="market.yaml", sort="cards")
    assert none["pages"] == 0 and "does not say which of its pieces are cards" in none["why"]
    with pytest.raises(Refused, match="cannot be printed"):
        bench.get("cards", file="cards.yaml", paper="../a4")
    monkeypatch.setattr(book_process, "find_spec", lambda _: None)
    assert "rulewright[print]" in bench.get("cards", file="cards.yaml")["why"]
    with pytest.raises(Refused, match="needs typst"):
        bench.get("cards/file.pdf", file="cards.yaml")
