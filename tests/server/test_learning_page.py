"""Learning in the browser: a whole tutorial, another answer, progress that is kept, a first table with hints."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browsers import Person
from rulewright.game import library
from rulewright.publish.lessons import course
from screenshots import ANN, BO, CHROMIUM, CY, WILD_CARDS, WILDLIFE, Home, hosted

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

FIRST = "wild-cards/2020"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with hosted(tmp_path_factory.mktemp("tables"), [WILD_CARDS, FIRST, WILDLIFE]) as home:
        yield home


def tray(person: Person, page: Page) -> Locator:
    return person.question(page)


def play(person: Person, page: Page, edition: str, number: int) -> None:
    """Give the answers of the example, by their accessible names, until the lesson ends."""
    learned = course(library.load(edition))
    lesson = learned.lesson(number)
    for moment in learned.points(number):
        for read in lesson.pages(moment, person.language):
            expect(page.locator(".told")).to_contain_text(read.text.split(". ")[0])
            tray(person, page).get_by_role("button", name=person.words["go on"]).click()
        if moment.example_answer is None:
            break
        decision = moment.game.decision(lesson.seat, person.language)
        assert decision is not None
        person.wait_for_question(page, decision)
        several = decision.most > 1 or decision.least == sum(choice.count for choice in decision.choices)
        choices = {choice.key: choice for choice in decision.choices}
        if not moment.example_answer and not several:
            none = decision.none.removesuffix(".") or person.words["nothing"]
            tray(person, page).get_by_role("button", name=none, exact=True).click()
        for key in moment.example_answer:
            person.offered(page, choices[key]).click()
        if several:
            tray(person, page).locator("button.main").click()
    expect(page.locator(".why").first).to_be_visible()
    lines = lesson.lines(learned.points(number)[-1], person.language)
    last = ([line for line in lines if line.is_explanation] or lines)[-1]
    expect(page.locator(".told")).to_contain_text(last.text)


@pytest.mark.rotating(12)
def test_the_first_page_leads_to_the_lessons(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = ann.open(home.address)
    page.get_by_role("button", name="Wild Cards 2022").click()
    page.get_by_role("link", name="Learn to play").click()
    expect(page.locator(".told strong")).to_have_text("Bid your savannah 3.")
    page.get_by_role("button", name="All lessons").click()
    expect(page.locator("img.cover")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".told strong")).to_have_text("Bid your savannah 3.")
    assert ann.troubles == []


ALL = [(edition, language) for edition in (WILD_CARDS, FIRST, WILDLIFE) for language in ("en", "de", "nl", "it", "fr")]


@pytest.mark.rotating(12)
@pytest.mark.parametrize(
    ("edition", "language", "most"),
    [(FIRST, "en", 3), *(pytest.param(*one, None, marks=pytest.mark.long) for one in ALL)],
)
def test_a_tutorial_is_played(home: Home, browser: Browser, edition: str, language: str, most: int | None) -> None:
    """Lesson by lesson, each of which is marked. most: after so many it is enough; None for all."""
    ann = Person.at_device(browser, language)
    page = ann.open(home.learning(edition))
    page.get_by_role("button", name=ann.words["start learning"]).click()
    usual = course(library.load(edition)).usual
    for number in range(most or usual):
        text = ann.words["lesson of"].format(number=number + 1, last=usual)
        expect(page.get_by_text(text, exact=True)).to_be_visible()
        play(ann, page, edition, number)
        if number + 1 < (most or usual):
            tray(ann, page).get_by_role("button", name=ann.words["next lesson"]).click()
    page.get_by_role("button", name=ann.words["all lessons"]).first.click()
    done = page.get_by_text(f"✓ {ann.words['lesson done']}")
    expect(done).to_have_count(most or usual)
    page.reload()
    expect(done).to_have_count(most or usual)
    assert ann.troubles == []


@pytest.mark.rotating(10)
@pytest.mark.parametrize(
    ("edition", "language", "number"),
    [(FIRST, "nl", 7), (WILDLIFE, "it", 2), pytest.param(WILDLIFE, "de", 8, marks=pytest.mark.long)],
)
def test_lessons_are_played_in_other_languages(
    home: Home, browser: Browser, edition: str, language: str, number: int
) -> None:
    ben = Person.at_device(browser, language)
    page = ben.open(f"{home.learning(edition)}#{number + 1}")
    play(ben, page, edition, number)
    assert ben.troubles == []


@pytest.mark.rotating(6)
def test_another_answer_is_played_then_the_example(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = ann.open(f"{home.learning(WILD_CARDS)}#1")
    page.get_by_role("button", name="savannah 1").click()
    text = page.get_by_role("region", name="Lessons")
    expect(text).to_contain_text("You may do that, too. You bid a savannah 1.")
    expect(tray(ann, page)).to_contain_text("The lesson plays: savannah 3")
    tray(ann, page).get_by_role("button", name="Take it back").click()
    page.get_by_role("button", name="forest 2").click()
    tray(ann, page).get_by_role("button", name="Go on with the lesson").click()
    expect(text).to_contain_text("Your 3 is the highest bid, so you pick first.")
    page.get_by_label("Language").select_option("de")
    expect(page.locator(".told")).to_contain_text("Deine 3 ist das höchste Gebot")
    page.get_by_role("button", name="Überspringen").click()
    expect(page.get_by_text("Lektion 2 von 5")).to_be_visible()
    assert ann.troubles == []


@pytest.mark.rotating(6)
def test_a_space_that_a_lesson_does_not_offer_says_why(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = ann.open(f"{home.learning(WILDLIFE)}#1")
    for space, reason in (("a3", "No desert now."), ("g6", "g6 is not free.")):
        page.locator(f"[data-space={space}]").click()
        expect(tray(ann, page).get_by_text(reason)).to_be_visible()
    assert ann.troubles == []


@pytest.mark.rotating(12)
def test_pieces_in_a_lesson_explain_themselves(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = ann.open(f"{home.learning(WILD_CARDS)}#1")
    page.locator("[data-piece='lion leader']").first.click()
    card = page.get_by_role("dialog")
    expect(card).to_contain_text("You win every tie in which you can pay.")
    card.get_by_text("Example: A tie with the lion").click()
    expect(card).to_contain_text("Nora wins the tie")
    card.get_by_role("link", name="Try it").click()
    expect(page.get_by_role("heading", name="A tie with the lion")).to_be_visible()
    expect(card).to_be_hidden()
    assert ann.troubles == []


@pytest.mark.rotating(6)
def test_a_card_at_a_table_leads_to_its_lesson(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = ann.open(home.link(home.begin(WILD_CARDS, ANN, BO, CY)["seats"][0]))
    ann.question(page).wait_for()
    page.get_by_role("button", name="How to play").click()
    summary = page.get_by_role("dialog", name="How to play")
    expect(summary.get_by_text("Score 2 points for each animal in your largest herd.")).to_be_visible()
    expect(summary.get_by_role("link", name="Learn to play")).to_be_visible()
    page.keyboard.press("Escape")
    expect(summary).to_be_hidden()
    page.get_by_role("button", name="Place bids", exact=True).click()
    card = page.get_by_role("dialog")
    card.get_by_text("Example: A bluff").click()
    expect(card).to_contain_text("Vera cannot pay, so she must pass.")
    with page.expect_popup() as lesson:
        card.get_by_role("link", name="Try it").first.click()
    expect(lesson.value.get_by_text("You are Vera.")).to_be_visible()
    assert ann.troubles == []


@pytest.mark.rotating(12)
def test_a_first_round_comes_with_hints_until_they_are_turned_off(home: Home, browser: Browser) -> None:
    ann = Person.at_device(browser)
    page = ann.open(home.learning(WILD_CARDS))
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_text("Ann", exact=True)).to_be_visible()
    rule = page.locator(".guide").get_by_text("Choose a card from your hand and lay it face down")
    expect(rule).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})  # without a rail, it stands above the question
    expect(rule).to_be_visible()
    page.get_by_role("button", name="Hints").click()
    expect(rule).to_be_hidden()
    ann.question(page).locator(".rule summary").click()
    ann.question(page).get_by_role("button", name="Hints").click()
    expect(rule).to_be_visible()
    assert ann.troubles == []
