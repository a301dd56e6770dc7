"""The pages in Firefox, which lays out and runs them in its own way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from _pytest.mark.structures import ParameterSet

from firefox import Firefox
from rulewright.game import library
from rulewright.model.editions import available
from rulewright.server.limits import Limits
from screenshots import ANN, Home, hosted
from shown_tables import MEASURE

pytestmark = pytest.mark.skipif(Firefox.PROGRAM is None, reason="needs Firefox")

WINDOWS = [(390, 844), (844, 390), (1024, 768), (1440, 900)]
ANSWERS, CLICKS = 4, 60
SWIFT = "() => { localStorage.setItem('rulewright pace', 'at once'); }"
FRAMES = """() => new Promise((done) => {
  const next = (left) => (left ? requestAnimationFrame(() => next(left - 1)) : done());
  next(6);
})"""
"""Script that waits until the page has been drawn anew."""
OFFERED = """() => new Promise((done) => {
  const look = () => {
    const all = [...document.querySelectorAll("main :is(.offered, .asked .choices button):enabled")];
    const offered = all.filter((one) => one.checkVisibility() && one.getClientRects().length);
    if (document.querySelector(".rank")) return done(null);
    if (!offered.length) return requestAnimationFrame(look);
    const chosen = offered[Math.floor(Math.random() * offered.length)];
    chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, top, width, height } = chosen.getBoundingClientRect();
    done([left + Math.min(12, width / 2), top + height / 2]);
  };
  look();
})"""
"""Script that waits for a question, and returns where an answer can be clicked; null at the end of the game."""


@pytest.fixture(scope="module")
def started() -> Iterator[Firefox]:
    with TemporaryDirectory() as folder:
        result = Firefox(Path(folder))
        yield result
        result.close()


@pytest.fixture
def firefox(started: Firefox) -> Firefox:
    """Firefox without the page of another test, whose server is gone."""
    started.open("about:blank")
    started.errors.clear()
    return started


def play(firefox: Firefox, home: Home, answers: int) -> None:
    """Click on answers of the only table's first seat until so many are in its log, or the game is over."""
    while not home.store.count():
        firefox.run(FRAMES)
    for _ in range(CLICKS):
        if sum(row.seat == 0 for row in home.store.answers(1)) >= answers:
            return
        place = firefox.run(OFFERED)
        if place is None:
            return
        firefox.click(*place)
        firefox.run(FRAMES)
    raise AssertionError(f"{CLICKS} clicks were no {answers} answers")


@pytest.mark.rotating(2)
def test_a_game_is_begun_on_the_start_page(tmp_path: Path, firefox: Firefox) -> None:
    edition = "wild-cards/2022"
    with hosted(tmp_path, [edition], Limits(hold=0)) as home:
        firefox.resize(390, 844)
        firefox.open(f"{home.address}games/{edition}")
        firefox.run(SWIFT)
        begin = "main form.begin button.main[type=submit]"
        clicked = f"""() => new Promise((done) => {{
          const look = () => {{
            const button = document.querySelector("{begin}");
            if (!button) return requestAnimationFrame(look);
            button.click();
            done();
          }};
          look();
        }})"""
        firefox.run(clicked)
        play(firefox, home, 2)
        assert firefox.errors == []


def case(edition: str) -> ParameterSet:
    return pytest.param(edition, marks=pytest.mark.rotating(12))


@pytest.mark.parametrize("edition", [case(edition) for edition in available()])
def test_a_table_is_played_and_shows_all(tmp_path: Path, firefox: Firefox, edition: str) -> None:
    low, high = library.load(edition).edition.seats
    seats = min(high, max(2, low))
    with hosted(tmp_path, [edition], Limits(hold=0)) as home:
        firefox.resize(*WINDOWS[-1])
        firefox.open(home.address)
        firefox.run(SWIFT)
        links = home.begin(edition, ANN, *[{"player": "random"}] * (seats - 1))
        firefox.open(home.link(links["seats"][0]))
        play(firefox, home, ANSWERS)
        firefox.run(OFFERED)
        results = []
        for window in WINDOWS:
            firefox.resize(*window)
            firefox.run(FRAMES)
            results += [f"{window}: {wrong}" for wrong in firefox.run(MEASURE)["wrong"]]
        assert results == []
        assert firefox.errors == []
