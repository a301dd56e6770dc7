"""People in a real browser, for tests: they find what they need by its role and its name, as a screen reader does."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Locator, Page

from rulewright.game.choices import Choice
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.i18n.languages import localizer_for
from rulewright.server.tables.log_rows import apply
from rulewright.server.web.page_texts import words
from screenshots import SCHEMES, WIDTHS, Home

PATIENCE = 120_000.0
"""Milliseconds until something that does not come is missed."""
MOST_TABS = 300


Press = Callable[[Page, Locator], None]
"""Function that presses a button."""


def read_out(text: str) -> str:
    """A pattern for a name, in which blanks are alike, whether a line may break there or not."""
    return r"\s+".join(map(re.escape, text.split()))


def by_mouse(_: Page, button: Locator) -> None:
    button.click()


ABOUT = 3
AHEAD = """element => {
  const all = [...document.querySelectorAll("a[href], button:enabled, input:enabled, select, textarea, [tabindex='0']")]
    .filter(one => one.tabIndex >= 0 && one.getClientRects().length);
  const from = document.activeElement;  // a heading may have it, from which one goes on
  if (from === element) return 0;
  const after = all.filter(one => from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  return after.includes(element) ? after.indexOf(element) + 1 : after.length + all.indexOf(element);
}"""
"""Script that counts how many times the tabulator must be pressed."""


def by_keyboard(page: Page, button: Locator) -> None:
    focused(page, button)
    page.keyboard.press("Enter")


def focused(page: Page, expected: Locator) -> None:
    """Go to something with the tabulator; to answers within a part of the table with PageDown."""
    element = expected.element_handle(timeout=PATIENCE)
    key = "Tab" if element.evaluate("element => element.tabIndex >= 0") else "PageDown"
    for _ in range(element.evaluate(AHEAD) - ABOUT if key == "Tab" else 0):  # looking each time takes as long
        page.keyboard.press(key)
    for _ in range(MOST_TABS):
        if element.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{expected} cannot be reached with the keyboard")


SMALL, LARGE = (min(WIDTHS), SCHEMES[0]), (max(WIDTHS), SCHEMES[1])
"""A phone by day, a desktop by night."""


CHECKED = "([within, options]) => axe.run(within, options)"
HIDE_ALIKE = """hide => {
  const seen = new Set();
  const named = (one) => `${one.nodeName} ${one.getAttribute("class")} ${one.textContent.trim() ? "" : "silent"}`;
  for (const line of document.querySelectorAll("[role=log] li")) {
    const built = [line, ...line.querySelectorAll("*")].map(named).join();
    line.hidden = hide && seen.has(built);
    seen.add(built);
  }
}"""
"""Script that returns one of each kind of a log's lines, of which hundreds are built alike.

Hidden ones come back with false.
"""
ONLY_BROKEN = {"resultTypes": ["violations"]}
"""All rules are looked at; to tell of all that holds would take three times as long."""


PANE = "[role=tabpanel]"
"""Selector of a pane of the workbench; another test checks the frame."""


def against_the_rules(page: Page, within: str = "html") -> list[str]:
    """Return a page's violations of the rules of accessibility that a program can check.

    within: a selector, where another test checks the surroundings; contrast alone takes a second for a whole page.
    """
    results = []
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    page.evaluate(HIDE_ALIKE, True)
    for width, scheme in (SMALL, LARGE):
        page.set_viewport_size({"width": width, "height": WIDTHS[width]})
        page.emulate_media(color_scheme=scheme)
        for broken in page.evaluate(CHECKED, [within, ONLY_BROKEN])["violations"]:
            node = broken["nodes"][0]
            location = f"{broken['id']} at {len(broken['nodes'])} places, {width} px, {scheme}"
            results.append(f"{location}: {node['html'][:300]}\n{node['failureSummary']}")
    page.evaluate(HIDE_ALIKE, False)
    return results


class Log:
    """Log of a game at the server, played along: open questions and their seats."""

    def __init__(self, home: Home, token: str) -> None:
        entrance = home.store.grant(token)
        assert entrance is not None
        self._store, self._game = home.store, entrance.game
        record, people = home.store.record(entrance.game), home.store.people(entrance.game)
        pinned = home.store.edition(record.edition)
        assert pinned is not None
        self.names = [people.get(number, seat.name) for number, seat in enumerate(record.seats)]
        self.game = Game.start(home.offers.rules(pinned), self.names, record.options, record.seed)
        self.count = 0

    def read(self) -> int:
        """Play along what has come; how many answers there are."""
        for row in self._store.answers(self._game)[self.count :]:
            apply(self.game, row)
            self.count += 1
        return self.count


def complete(page: Page) -> None:
    """Wait for all of a table's page: its first view comes with fewer styles."""
    page.locator(".settings").wait_for(state="attached")


IS_GONE = "element => !element.isConnected || !element.checkVisibility()"


@dataclass
class Person:
    """Somebody with a device of their own. troubles: what went wrong on it."""

    context: BrowserContext
    language: str
    troubles: list[str] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)

    @classmethod
    def at_device(cls, browser: Browser, language: str = "en", pace: str = "at once") -> Person:
        """pace: for how long what others do is held on the screen."""
        context = browser.new_context(locale=language, reduced_motion="reduce")
        context.add_init_script(f"if (location.host) localStorage.setItem('rulewright pace', {pace!r})")
        return cls(context, language)

    @property
    def words(self) -> Mapping[str, str]:
        return words(localizer_for(self.language))

    @property
    def page(self) -> Page:
        return self.pages[0]

    def open(self, address: str) -> Page:
        """Open one more tab."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on(
            "console",
            lambda message: self.troubles.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.goto(address)
        self.pages.append(page)
        return page

    def sit(self, invitation: str, name: str) -> None:
        page = self.open(invitation)
        page.get_by_label(self.words["your name"]).fill(name)
        page.get_by_role("button", name=self.words["sit down"], exact=True).click()

    def question(self, page: Page) -> Locator:
        return page.get_by_role("region", name=self.words["question"], exact=True)

    def wait_for_question(self, page: Page, decision: Decision) -> Locator:
        """The question, as soon as it is this one."""
        result = self.question(page).get_by_role("heading", name=re.compile(read_out(decision.prompt) + r"\s*$"))
        result.wait_for()
        return result

    def offered(self, page: Page, choice: Choice) -> Locator:
        """Return the selector of a choice: where its piece lies, beside the question, or on the board."""
        label = choice.label.removesuffix(".")  # which buttons do not have
        name = re.compile(rf"^{read_out(label)}\.?( ×\d+)?$", re.IGNORECASE)  # a button's title has a capital
        neighbour = page.get_by_role("main").get_by_role("button", name=name).and_(page.locator(".offered, .choice"))
        board = page.get_by_role("region", name=self.words["board"], exact=True)
        on_board = board.get_by_role("button", name=re.compile(rf"^{read_out(choice.word)}(,|$)"))
        space = page.locator(f"[data-space='{choice.word}'].offered")  # whatever it is called
        return neighbour.or_(on_board).or_(space).first if choice.word else neighbour.first

    def answer(self, page: Page, decision: Decision, rng: random.Random, press: Press = by_mouse) -> None:
        """Give a random answer, and wait until it is taken."""
        heading = self.wait_for_question(page, decision).element_handle()
        counts = {choice.key: choice for choice in decision.choices}
        offered = [choice.key for choice in decision.choices for _ in range(choice.count)]
        take = rng.sample(offered, rng.randint(decision.least, decision.most))
        several = decision.most > 1
        field = self.question(page).get_by_role("spinbutton")  # where there are many numbers
        if typed := bool(take) and decision.kind == "number" and field.is_visible():
            field.fill(take[0])
        for key in () if typed else take:
            press(page, self.offered(page, counts[key]))
        if several or typed or not take:
            confirm = decision.some or self.words["confirm"]
            name = confirm if take else decision.none or (confirm if several else self.words["nothing"])
            done = re.compile(rf"^{re.escape(name.removesuffix('.'))}( \(\d+\))?$", re.IGNORECASE)
            press(page, self.question(page).get_by_role("button", name=done))
        page.wait_for_function(IS_GONE, arg=heading)  # at each frame; what waits for a state looks twice a second
