"""Every game of the shelf while it is played, in many windows: nothing is covered or cut in silence, no part moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet
from playwright.sync_api import Browser

from rulewright.game import library
from rulewright.i18n import languages
from rulewright.model.editions import available
from rulewright.server.limits import Limits
from screenshots import CHROMIUM, hosted
from shown_tables import MEASURE, ShownTable

pytestmark = [pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"), pytest.mark.rotating(12)]

SHELF = list(available())
WINDOWS = [(360, 740), (390, 844), (844, 390), (1024, 768), (1440, 900), (1920, 1080), (3840, 2160)]
QUESTIONS = 30
LOOKED_AT = {0, 3, 12, 29}
"""Questions whose table is measured."""


def seat_counts(edition: str) -> list[int]:
    """Return the least and the most that can play."""
    low, high = library.load(edition).edition.seats
    return sorted({max(2, low) if high > 1 else 1, min(8, high)})


CASES = [(edition, seats) for edition in SHELF for seats in seat_counts(edition)]
OPEN: dict[tuple[str, int], str] = {}
"""Faults that are known and not mended yet."""
FOLDED = {
    "classics/backgammon": (1, 0),
    "classics/hearts": (9, 0),
    "classics/oh-hell": (9, 0),
    "classics/spades": (12, 0),
    "wild-cards/2020": (14, 0),
    "wild-cards/2022": (15, 0),
    "wildlife/2002": (24, 8),
}
"""Most figures that plates of a table have no room for, on phones and in larger windows, so that these do not grow."""


def case(edition: str, seats: int) -> ParameterSet:
    """Return the parameters of a case; one with a fault that is known is expected to fail."""
    reason = OPEN.get((edition, seats))
    marks = [pytest.mark.xfail(reason=reason, raises=AssertionError)] if reason else []
    return pytest.param(edition, seats, id=f"{edition}, {seats}", marks=marks)


@pytest.mark.parametrize(("edition", "seats"), [case(*one) for one in CASES])
def test_a_table_shows_all_and_keeps_its_places_while_it_is_played(
    tmp_path: Path, browser: Browser, edition: str, seats: int
) -> None:
    """A question covers nothing that it asks about, whatever it asks. The languages take turns."""
    codes = languages.languages()
    code = codes[CASES.index((edition, seats)) % len(codes)]
    results, places = list[str](), dict[tuple[int, int, str], str]()
    with hosted(tmp_path, [edition], Limits(hold=0)) as home:
        table = ShownTable(home, browser, edition, seats, code)
        for number in range(QUESTIONS):
            if table.game.over:
                break
            if number in LOOKED_AT:
                table.show()
                for width, height in WINDOWS:
                    table.resize(width, height)
                    measured = table.page.evaluate(MEASURE)
                    moment = f"{code}, {width}×{height}, question {number}"
                    if measured["folded"] > FOLDED.get(edition, (0, 0))[min(width, height) > 600]:
                        results.append(f"{moment}: plates fold {measured['folded']} figures")
                    results += [f"{moment}: {wrong}" for wrong in measured["wrong"]]
                    for name, rect in measured["rects"].items():
                        if places.setdefault((width, height, name), rect) != rect:
                            results.append(f"{moment}: {name} moved to {rect}")
            table.play()
        table.context.close()
    assert places
    assert not results, "\n".join(results)


@pytest.mark.parametrize(
    "size", [(360, 740), (390, 844), (640, 360), (844, 390)], ids=lambda size: "{}x{}".format(*size)
)
def test_plates_of_a_trick_game_tell_all_on_a_phone(tmp_path: Path, browser: Browser, size: tuple[int, int]) -> None:
    """Upright, on its side, and in a page at twice its size; the hand is inside the window, too."""
    with hosted(tmp_path, ["classics/hearts"], Limits(hold=0)) as home:
        table = ShownTable(home, browser, "classics/hearts", 4, "en")
        table.resize(*size)
        for _ in range(10):
            table.play()
        table.show()
        assert table.page.locator(".plate .tally").count() > 8
        assert table.page.locator(".plate[data-folded], .plate [data-fold]").count() == 0
        bottom = table.page.evaluate(
            "Math.max(...[...document.querySelectorAll('.fan > *')].map(one => one.getBoundingClientRect().bottom))"
        )
        assert 0 < bottom <= size[1]
        table.context.close()


@pytest.mark.parametrize(
    ("size", "least"),
    [((390, 844), 57), ((844, 390), 52), ((360, 740), 43), ((640, 360), 36)],
    ids=["upright", "sideways", "small", "at twice its size"],
)
def test_what_is_shared_takes_the_felt_of_a_phone(
    tmp_path: Path, browser: Browser, size: tuple[int, int], least: int
) -> None:
    """Cards that all choose from are as large as their felt lets them be; none is scrolled to."""
    with hosted(tmp_path, ["wild-cards/2022"], Limits(hold=0)) as home:
        table = ShownTable(home, browser, "wild-cards/2022", 4, "de")
        table.resize(*size)
        cards = table.page.locator(".shared .as-row .laid")
        widths = cards.evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
        assert len(widths) > 6
        assert max(widths) >= least
        assert table.page.locator(".shared .zones[data-more]").count() == 0
        table.context.close()


def test_a_stack_counts_what_is_taken_of_it_below_its_card(tmp_path: Path, browser: Browser) -> None:
    """A finger goes up to all that may be taken, which another tap keeps, and down by the sign; keys go around."""
    with hosted(tmp_path, ["wild-cards/2022"], Limits(hold=0)) as home:
        table = ShownTable(home, browser, "wild-cards/2022", 3, "en")
        table.resize(390, 844)

        def stacks() -> list[str]:
            mine = [decision for decision in table.game.decisions() if decision.seat == 0]
            return [one.label for one in mine[0].choices if one.count > 1 and mine[0].most > 1] if mine else []

        while not stacks():
            assert not table.game.over
            table.play()
        table.show()
        stack = table.page.locator(".fan .laid.offered", has=table.page.locator(".badge")).first
        stack.click()
        counter = stack.locator(".counter")
        assert counter.inner_text().split() == ["−", "1"]
        for _ in range(8):
            stack.click(position={"x": 8, "y": 20})
        most = int(counter.inner_text().split()[1])
        assert most > 1
        card, sign = stack.locator(".card").bounding_box(), counter.bounding_box()
        assert card and sign and sign["y"] > card["y"] + card["height"] * 0.75
        counter.locator(".fewer").click()
        assert counter.inner_text().split()[1] == str(most - 1)
        stack.press(" ")
        stack.press(" ")
        assert stack.get_attribute("aria-pressed") == "false"
        table.context.close()


@pytest.mark.parametrize("size", [(360, 740), (640, 360), (844, 390)], ids=lambda size: "{}x{}".format(*size))
def test_what_is_told_beside_a_trick_is_seen_whole(tmp_path: Path, browser: Browser, size: tuple[int, int]) -> None:
    """The words take two lines where slots leave little of the felt."""
    with hosted(tmp_path, ["classics/spades"], Limits(hold=0)) as home:
        table = ShownTable(home, browser, "classics/spades", 4, "en")
        table.resize(*size)
        sign = table.page.locator(".shared > .loose .explains")
        while not sign.count():
            assert not table.game.over
            table.play()
            table.show()
        words, room = sign.bounding_box(), table.page.locator(".shared").bounding_box()
        assert words and room and words["y"] + words["height"] <= room["y"] + room["height"]
        table.context.close()


@pytest.mark.parametrize(("size", "least"), [((390, 844), 60), ((360, 740), 44)], ids=["upright", "small"])
def test_a_hand_of_few_kinds_has_the_size_of_a_row(
    tmp_path: Path, browser: Browser, size: tuple[int, int], least: int
) -> None:
    """Cards that lie on equal ones take no room: those of a board game were as small as two rows would be."""
    with hosted(tmp_path, ["wildlife/2002"], Limits(hold=0)) as home:
        table = ShownTable(home, browser, "wildlife/2002", 3, "en")
        table.resize(*size)
        for _ in range(12):
            table.play()
        table.show()
        widths = table.page.locator(".fan > .laid").evaluate_all(
            "all => all.map(one => Number.parseFloat(one.style.getPropertyValue('--card')))"
        )
        assert len(widths) > 3
        assert min(widths) >= least
        table.context.close()
