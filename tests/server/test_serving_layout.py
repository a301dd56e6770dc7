"""The table at a glance, measured by boxes: what must be in view is, nothing is too small to read or to tap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browsers import Log, Person, complete
from game_servers import local_player
from project_folders import GAMES
from screenshots import CHROMIUM, WILD_CARDS, WILDLIFE, Home, hosted

pytestmark = [pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"), pytest.mark.rotating(4)]

NAMES = ("Maximiliane-Josephine", "Bartholomäus Kreuzer", "Charlotte-Wilhelmine", "Don Quijote de Cuenca")
LANGUAGES = ("en", "de", "nl", "it", "fr")
LONGEST = ("de", "fr")
SIZES = ((1440, 900), (1024, 768), (390, 844))
FIRST, LATE = 1, 80
"""Number of answers after which all leaders lie on the table; each player has some, and a bid lies before most of
them."""

CARDS, BOARD = DRAFTS = str(GAMES / "goofspiel.yaml"), str(GAMES / "hex.yaml")
"""Games without a picture: many cards that have nothing but a name, and a board with small spaces."""

MEASURE = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const wrong = [], seen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length;
  const name = (one) => (one.getAttribute("aria-label") || one.textContent || one.className).trim().slice(0, 40);
  const inside = (one, box, what) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    if (left < box.left - 1 || top < box.top - 1 || right > box.right + 1 || bottom > box.bottom + 1)
      wrong.push(`${what} ${name(one)} stands out: ${[left, top, right, bottom].map(Math.round)}`);
  };
  const shown = (selector) => [...document.querySelectorAll(selector)].filter(seen);
  const whole = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const apart = ".player, .stage > .asked, .stage > .held, .cloth, .boards, .shared, .stage > .side:not(.drawer)";
  const regions = shown(apart)
    .filter((one) => !(one.matches(".shared") && document.querySelector(".cloth")));
  for (const one of regions) inside(one, whole, one.className);
  regions.forEach((one, n) => regions.slice(n + 1).forEach((other) => {
    const [a, b] = [one, other].map((part) => part.getBoundingClientRect());
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const edge = one.matches(".cloth") || other.matches(".cloth") ? 8 : 1; // of a cloth, where nothing lies
    if (across > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > edge)
      wrong.push(`${one.className} lies over ${other.className}`);
  }));
  for (const [selector, what] of [[".player", "seat"], [".middle .zone, .board", "zone"], [".asked h2", "question"]])
    if (!shown(selector).length) wrong.push(`no ${what}`);
  const told = ".player .who, .player .points, .held .laid, .offer .laid, .asked h2, .asked .main";
  for (const one of shown(told)) inside(one, whole, "");
  for (const shared of shown(".shared:not(.in-row)"))
    if (shared.scrollHeight > shared.clientHeight + 1) wrong.push("the middle is scrolled");
  for (const plate of shown(".plate"))
    for (const one of plate.querySelectorAll(".who *, .sum, .points"))
      if (seen(one)) inside(one, plate.getBoundingClientRect(), "plate:");
  const hand = shown(".held .laid").map((one) => one.getBoundingClientRect());
  const least = Math.min(...hand.slice(1).map((one, n) => one.left - hand[n].left).filter((apart) => apart > 0));
  if (least < 32) wrong.push(`${least} px are seen of a card in the hand`);
  for (const name of shown(".card .name, .token .name").filter((one) => !one.closest(".front, .offer, .plate"))) {
    const text = document.createRange();
    text.selectNodeContents(name);
    const next = name.closest(".fan .covered")?.nextElementSibling?.getBoundingClientRect().left ?? Infinity;
    const own = name.closest(".card, .token").getBoundingClientRect();
    const { left, right } = text.getBoundingClientRect();
    const end = Math.min(own.right, next > own.left ? next : Infinity);
    if (left < own.left - 1 || right > end + 1) wrong.push(`${name.textContent} is cut off`);
  }
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) wrong.push(`the page is ${wide} px wide`);

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const own = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !seen(own) || own.closest(".unseen")) continue;
    const scale = own.ownerSVGElement ? own.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(own).fontSize) * scale;
    if (size < 11.99) wrong.push(`'${texts.currentNode.data.slice(0, 30)}' is ${size} px`);
  }
  // What is answered with: as large as a finger; what only explains itself, as WCAG has it.
  for (const one of shown("button, a[href], select, input, summary, [data-explain]")) {
    const { width, height } = (one.closest("label") ?? one).getBoundingClientRect(); // a label is pressed as well
    const least = one.matches("[data-explain]:not(.offered), .whole, .legend summary, .tells") ? 23.9 : 39.9;
    if (width < least || height < least) wrong.push(`${one.nodeName} ${name(one)} is ${width}×${height}`);
  }
  return wrong;
}"""
"""Script that lists the layout errors of the table as it is shown."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with hosted(tmp_path_factory.mktemp("tables"), [WILD_CARDS, *DRAFTS]) as home:
        yield home


@pytest.fixture(scope="module")
def tables(home: Home) -> dict[int, dict[str, Any]]:
    """Tables of four with long names, by how many answers have been given."""
    results = {}
    for answers in (FIRST, LATE):
        results[answers] = home.begin(WILD_CARDS, *({"player": "here", "name": name} for name in NAMES))
        home.play_on(results[answers]["host"], answers)
    return results


def page_with_question(home: Home, person: Person, links: dict[str, Any]) -> Page:
    """The page of the first one who is asked."""
    log = Log(home, links["host"])
    log.read()
    page = person.open(home.link(links["seats"][log.game.pending.ids[0][0]]))
    page.locator(".asked.now").wait_for()
    complete(page)
    return page


def measured(page: Page, sizes: Sequence[tuple[int, int]] = SIZES) -> list[str]:
    """Return the layout errors of the table at each size of the window."""
    results = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        results += [f"{width}×{height}: {wrong}" for wrong in page.evaluate(MEASURE)]
    return results


def speak(page: Page, language: str) -> None:
    page.evaluate("language => localStorage.setItem('rulewright language', language)", language)
    page.reload()
    page.locator(".asked.now").wait_for()
    complete(page)


@pytest.mark.rotating(12)
@pytest.mark.parametrize(("answers", "texts"), [(FIRST, LANGUAGES), (LATE, LONGEST)])
def test_the_whole_table_is_in_view(
    home: Home, browser: Browser, tables: dict[int, dict[str, Any]], answers: int, texts: Sequence[str]
) -> None:
    """Question, hand, all zones, and what every seat has: without scrolling, in letters of 12 px and buttons of 44."""
    person = Person.at_device(browser)
    page = page_with_question(home, person, tables[answers])
    results = []
    for language in texts:
        speak(page, language)
        results += [f"{language}, {wrong}" for wrong in measured(page)]
    person.context.close()
    assert not results, "\n".join(results)
    assert person.troubles == []


def from_the_right(route: Route) -> None:
    """Answer with words of a language that is read from the right."""
    response = route.fetch()
    route.fulfill(response=response, json={**response.json(), "direction": "rtl"})


def test_a_table_that_is_read_from_the_right_is_mirrored_but_for_its_cards(
    home: Home, browser: Browser, tables: dict[int, dict[str, Any]]
) -> None:
    """Low windows, such as a page at twice its size, are mirrored, too."""
    person = Person.at_device(browser)
    person.context.add_init_script("if (location.host) localStorage.setItem('rulewright language', 'nl')")
    person.context.route("**/words?*", from_the_right)  # asked for where the page has come in another language
    page = page_with_question(home, person, tables[LATE])
    result = measured(page, [(720, 450), (390, 844), (1440, 900)])
    sides = page.evaluate(SIDES)
    person.context.close()
    assert not result, "\n".join(result)
    assert sides == {"me": True, "rail": False, "first card": False}
    assert person.troubles == []


CUT = """() => {
  const wrong = [];
  const frames = (one) => one.matches(".stage") ? [] : [one, ...frames(one.parentElement)];
  for (const one of document.querySelectorAll(".shared :is(.laid, .laid .name, h3, .loose > *)")) {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    if (!one.checkVisibility({ visibilityProperty: true }) || right - left < 2) continue;
    for (const frame of frames(one.parentElement)) {
      const { overflowX, overflowY } = getComputedStyle(frame), box = frame.getBoundingClientRect();
      if (overflowX === "visible" && overflowY === "visible") continue;
      if (left < box.left - 3 || top < box.top - 3 || right > box.right + 3 || bottom > box.bottom + 3)
        wrong.push(`${frame.className} cuts ${one.className} ${one.textContent.trim()}`);
    }
  }
  return wrong;
}"""
"""Script that lists what of the things in the middle is not seen whole, if it can be scrolled to or not."""


@pytest.mark.rotating(12)
def test_nothing_in_the_middle_is_cut_in_the_middle_of_a_game(tmp_path: Path, browser: Browser) -> None:
    """Nor do payments push out what is on display, nor full supplies the last of them."""
    person = Person.at_device(browser)
    results = []
    with hosted(tmp_path, [WILD_CARDS, WILDLIFE]) as home:
        for edition, answers in ((WILD_CARDS, 55), (WILDLIFE, 2)):
            links = home.begin(edition, *({"player": "here", "name": name} for name in NAMES))
            home.play_on(links["host"], answers)
            page = page_with_question(home, person, links)
            for width, height in SIZES[:2]:
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                results += [f"{edition}, {width}×{height}: {wrong}" for wrong in page.evaluate(CUT)]
        page.locator(".player:not(.me) .whole").first.click(timeout=5000)
        page.locator(".sheet .other-charts .small-chart").nth(2).wait_for(timeout=5000)  # and in it all charts
        results += page.locator(".sheet .chart > *").evaluate_all("all => all.filter((one) => !one.checkVisibility())")
        person.context.close()
    assert not results, "\n".join(results)
    assert person.troubles == []


SIDES = """() => Object.fromEntries(Object.entries({
  me: ".player.me", rail: ".stage > .side", "first card": ".held .laid:first-child",
}).map(([name, selector]) => [name, document.querySelector(selector).getBoundingClientRect().left > innerWidth / 2]))"""
"""Script that returns what lies in the right half of the window."""


def test_nothing_lies_below_the_end_of_the_page(
    home: Home, browser: Browser, tables: dict[int, dict[str, Any]]
) -> None:
    """A long log has texts that only screen readers see; they scroll with it."""
    person = Person.at_device(browser)
    page = page_with_question(home, person, tables[LATE])
    page.locator(".log .lines .unseen").last.wait_for(state="attached")
    below = page.evaluate(
        "document.documentElement.scrollHeight - document.body.getBoundingClientRect().bottom - scrollY"
    )
    person.context.close()
    assert below <= 1


@pytest.mark.parametrize(("edition", "count", "answers"), [(CARDS, 3, 25), (BOARD, 2, 12)], ids=["cards", "board"])
def test_a_first_draft_is_in_view_as_well(home: Home, browser: Browser, edition: str, count: int, answers: int) -> None:
    links = home.begin(edition, *({"player": "here", "name": name} for name in NAMES[:count]))
    home.play_on(links["host"], answers)
    person = Person.at_device(browser, "de")
    page = page_with_question(home, person, links)
    result = measured(page)
    person.context.close()
    assert not result, "\n".join(result)
    assert person.troubles == []


HIT = """cards => cards.map((card) => {
  const { left, top, height } = card.getBoundingClientRect();
  return card.contains(document.elementFromPoint(left + 22, top + height / 2));
})"""
"""Script that returns, for each card, whether a pointer at its corner hits it."""


def test_a_card_that_is_raised_leaves_its_neighbours_to_be_pointed_at(
    home: Home, browser: Browser, tables: dict[int, dict[str, Any]]
) -> None:
    person = Person.at_device(browser)
    page = page_with_question(home, person, tables[FIRST])
    page.set_viewport_size({"width": 390, "height": 844})
    cards = page.locator(".held .laid")
    assert cards.count() > 3
    for number in (1, 2):
        cards.nth(number).hover()
        assert all(cards.evaluate_all(HIT))
    person.context.close()


DIGGING = f"""\
rulewright: 1
title: Digging
players: 1
boards:
  field:
    of: spot
    map: |
{"".join(f"      {'o' * 20}" + chr(10) for _ in range(20))}\
    legend: {{o: {{}}}}
pieces: {{flag: {{starts in: box}}}}
zones: {{box: {{seen by: all}}, ground: {{of: spot, seen by: all}}}}
phases:
  dig:
    do:
      - each seat:
          - choose 1 from spots as spot: {{ask: Where do you dig?}}
          - choose number from 1 to 3 as depth: {{ask: How deep?, text: "Dig {{depth}}"}}
"""


def test_an_enlarged_board_makes_room_for_what_is_asked_next(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "digging.yaml").write_text(DIGGING, encoding="utf-8")
    with hosted(tmp_path, [str(tmp_path / "digging.yaml")]) as home:
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        page = context.new_page()
        page.goto(home.link(home.begin(str(tmp_path / "digging.yaml"), local_player("Ann"))["seats"][0]))
        large = page.locator(".board:popover-open")
        for _ in range(2):
            page.locator(".board button.zoom").tap()
            expect(large).to_be_visible()
            expect(large.get_by_role("heading")).to_have_text("Where do you dig?")
            large.locator("button.space:not([role])").nth(210).tap()  # taken at once, since it can be taken back
            page.get_by_role("button", name="Dig 2", exact=True).tap()
            expect(page.locator(".asked h2")).to_contain_text("Where do you dig?")
        expect(large).to_have_count(0)
        context.close()


LAST_MOVE = """\
rulewright: 1
title: Last Move
players: 1
boards: {field: {of: spot, size: 6 by 6}}
pieces: {flag: {copies: 2, starts in: box}}
zones: {box: {seen by: all}, ground: {of: spot, seen by: all}}
counters: {seat: {planted: 0}}
phases:
  plant:
    do:
      - each seat:
          - choose 1 from spots as spot: {ask: Where?}
          - move first 1 of box to spot's ground
          - add 1 to planted
      - if number of box is 0: end game
scoring: {flags: {title: Flags, points: planted}}
"""


BESIDE_THE_BOARD = """choices => {
  const one = choices.getBoundingClientRect(), board = document.querySelector(".boards").getBoundingClientRect();
  return one.top >= board.bottom || one.bottom <= board.top;
}"""


@pytest.mark.parametrize("size", [(1024, 768), (390, 844)])
def test_long_answers_lie_in_the_bar_not_over_the_board(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    asks = '- choose number from 1 to 3 as depth: {ask: How deep?, text: "Dig {depth} metres into the dry ground"}'
    edition = tmp_path / "digging.yaml"
    edition.write_text(LAST_MOVE.replace("- move", f"{asks}\n          - move"), encoding="utf-8")
    with hosted(tmp_path, [str(edition)]) as home:
        person = Person.at_device(browser)
        page = person.open(home.link(home.begin(str(edition), local_player("Ann"))["seats"][0]))
        complete(page)
        page.locator("button[data-space='a1']").click()
        expect(page.locator(".asked h2")).to_contain_text("How deep?")
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert page.locator(".asked .choices").evaluate(BESIDE_THE_BOARD)
        page.get_by_role("button", name="Dig 3 metres").click()
        expect(page.locator(".asked h2")).to_contain_text("Where?")
        person.context.close()


def test_a_board_is_as_large_at_the_end_as_before(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "last-move.yaml").write_text(LAST_MOVE, encoding="utf-8")
    with hosted(tmp_path, [str(tmp_path / "last-move.yaml")]) as home:
        person = Person.at_device(browser)
        page = person.open(home.link(home.begin(str(tmp_path / "last-move.yaml"), local_player("Ann"))["seats"][0]))
        complete(page)
        board = page.locator(".board .map")
        widths = []
        for space in ("a1", "b2"):
            page.locator(f"button[data-space='{space}']").click()
            page.locator(f"[data-space='{space}'] .man").wait_for()
            widths.append(board.evaluate("board => board.offsetWidth"))
        page.locator(".ending").wait_for()
        widths.append(board.evaluate("board => board.offsetWidth"))
        assert min(widths) > 300 and widths[1:] == widths[:1] * 2
        person.context.close()


AT_ITS_MIDDLE = """button => {
  const { left, top, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


def test_what_explains_a_question_lies_over_the_log(tmp_path: Path, browser: Browser) -> None:
    with hosted(tmp_path, ["classics/hex"]) as home:
        person = Person.at_device(browser)
        seats = home.begin("classics/hex", local_player("Ann"), {"player": "random"})["seats"]
        page = person.open(home.link(seats[0]))
        complete(page)
        page.set_viewport_size({"width": 1440, "height": 900})
        page.locator(".rule summary").click()
        assert page.locator(".rule[open] p").first.evaluate(AT_ITS_MIDDLE)
        person.context.close()


@pytest.mark.parametrize("size", [(1024, 768), (390, 844)])
def test_the_result_covers_neither_the_winner_nor_a_rematch(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    """The board is seen whole until the reader wants the points."""
    edition = tmp_path / "last-move.yaml"
    edition.write_text(LAST_MOVE.replace("players: 1", "players: 2"), encoding="utf-8")
    with hosted(tmp_path, [str(edition)]) as home:
        person = Person.at_device(browser)
        seats = home.begin(str(edition), local_player("Ann"), {"player": "random"})["seats"]
        page = person.open(home.link(seats[0]))
        complete(page)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.locator("button[data-space='a1']").click()
        page.locator(".ended .winner").wait_for()
        for space in ("a6", "f1", "f6"):
            assert page.locator(f"[data-space='{space}']").evaluate(AT_ITS_MIDDLE), space
        page.get_by_role("button", name="Result", exact=True).click()
        expect(page.locator(".ending .score-sheet").first).to_be_visible()
        for name in (".ended .winner", ".ended .again button", "#tab-log"):
            assert page.locator(name).evaluate(AT_ITS_MIDDLE), name
        person.context.close()


COVERED = """badges => badges.filter((badge) => {
  const card = badge.closest(".laid"), after = card.nextElementSibling?.getBoundingClientRect();
  const next = after && after.left > card.getBoundingClientRect().left ? after : null;
  const { left, right, top, bottom } = badge.getBoundingClientRect();
  const box = badge.closest(".fan").getBoundingClientRect();
  return (next && right > next.left + 1) || left < box.left || top < box.top || bottom > box.bottom;
}).length"""
PAIRS = """\
rulewright: 1
title: Pairs
players: 1
words: {suit: {sun: {}, moon: {}, star: {}, rain: {}}}
pieces: {card: {each: suit, has: {rank: 1 to 3}, copies: 2, starts in: deck, noun: "{suit} {rank}"}}
zones: {deck: {seen by: nobody, pile: yes}, hand: {of: seat, seen by: owner}, played: {seen by: all}}
looks: {cards: {card: {corner: "{rank}"}}}
setup: {do: [each seat: move deck to hand]}
phases: {play: {do: [each seat: [choose 1 from hand into played: {ask: Which?}], if deck is empty: end game]}}
"""


def test_a_phone_shows_the_number_of_equal_cards(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "pairs.yaml").write_text(PAIRS, encoding="utf-8")
    with hosted(tmp_path, [str(tmp_path / "pairs.yaml")]) as home:
        person = Person.at_device(browser)
        page = person.open(home.link(home.begin(str(tmp_path / "pairs.yaml"), local_player("Ann"))["seats"][0]))
        complete(page)
        page.set_viewport_size({"width": 390, "height": 844})
        badges = page.locator(".held .badge")
        expect(badges).to_have_count(12)
        assert badges.evaluate_all(COVERED) == 0
        assert set(badges.all_text_contents()) == {"×2"}
        person.context.close()


@pytest.mark.rotating(4)
def test_a_phone_shows_every_card_of_a_trick(tmp_path: Path, browser: Browser) -> None:
    """The one that leads, too."""
    with hosted(tmp_path, ["classics/hearts"]) as home:
        links = home.begin("classics/hearts", *map(local_player, NAMES[:4]))
        home.play_on(links["host"], 7)  # four pass cards, three play one
        person = Person.at_device(browser)
        page = person.open(home.link(links["seats"][0]))
        complete(page)
        page.set_viewport_size({"width": 390, "height": 844})
        expect(page.locator(".offer.ahead")).to_have_count(1)
        cards = page.locator(".offer .laid")
        expect(cards).to_have_count(3)
        for card in cards.all():
            expect(card).to_be_visible()
        assert person.troubles == []
