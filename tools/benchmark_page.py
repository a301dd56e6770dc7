"""Speed of the pages in the browser beside its limits. Needs the developers' tools, and Chromium.

    python tools/benchmark_page.py [EDITION…] [--runs N] [--answers N] [--lang LANGUAGE]

A server of its own, a real browser, one person against quick computers. Every row is measured twice in the same run: on
a slow phone, with a processor four times slower, as Chromium imitates it, a line of 400 kbit/s, and 150 ms there and
back; and on this computer as it is. Of several runs the least counts, since whatever else this computer does only adds
to it.

first page     bytes on the way until all of the start page is there; seconds until a game can be picked
question       seconds from opening a link to a seat, with an empty cache, until the first question can be read
answerable     the same until an answer to it can be tapped, which is given when the table is there
link           the same until the table is there, with the question
Begin          the same from 'Begin' on the start page, where somebody has looked at the game's options before
marked         milliseconds from a click that answers until the page has painted that it was one
lies           the same until a piece has come to lie elsewhere, or what came of the answer is there
answer         from the server's message until the page has painted what came of that
effect         from the click until then, with the time on the way
task           the longest task of the first view and of the answers, in milliseconds. Beside the limit stands four
               times its processor time on this computer, which other programs change less
frames         of movement in a second, and how many milliseconds of processor time each takes
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

from name_arguments import edition_name
from screenshots import ANN, WILD_CARDS, WILDLIFE, Home, chromium, hosted
from slow_network import Line, slow_network

BOT = {"player": "greedy"}
PATIENCE = 60_000.0
"""Milliseconds until something that does not come is missed."""
SLOWER, ROUND_TRIP, BYTES = 4, 0.15, 50_000
"""Slow phone: how many times slower its processor is; seconds; bytes in a second."""
FIRST = {WILD_CARDS: 2.0, WILDLIFE: 4.0}
"""Edition -> the most seconds until the first question on a slow phone."""
FIRST_PAGE, TAP, TASK, FRAMES = 60_000, 200, 200, 60
QUESTION = ".asked .question h2"
FIRST_SEEN = {
    "question": f".early h2, {QUESTION}",
    "answerable": ".early button, main :is(.offered, .asked .choices button):enabled",
}
"""Row -> selector of what is seen then, before the table is there or on it."""
TRACED = ["toplevel", "disabled-by-default-devtools.timeline"]

WATCH = """() => {
  window.tasks = [];
  new PerformanceObserver((list) => { for (const one of list.getEntries()) tasks.push(one.duration); })
    .observe({ type: "longtask", buffered: true });
  window.came = 0;
  window.isAnswered = false;
  const Plain = WebSocket;
  window.WebSocket = class extends Plain {
    constructor(address) {
      super(address);
      this.addEventListener("message", () => { came ||= performance.now(); });
    }
    send(text) {
      isAnswered ||= text.includes('"type":"answer"');
      super.send(text);
    }
  };
}"""
"""Script that notes the lengths of long tasks, when the first message has come since `came` was 0, and whether an
answer has been sent since `isAnswered` was false."""

ANSWERED = """() => {
  const painted = (done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now());
    port2.postMessage(null);
  });
  const question = () => document.querySelector(".asked .question")?.textContent;
  const before = question();
  const all = [...document.querySelectorAll("main :is(.offered, .asked .choices button):enabled")];
  const buttons = all.filter((one) => one.checkVisibility() && !one.closest("details:not([open])"));
  if (!document.querySelector(".asked.now") || !buttons.length) return null;
  const chosen = buttons[Math.floor(Math.random() * buttons.length)];
  return new Promise((done) => {
    const start = performance.now();
    let tap = 0, lies = 0;
    const isPiece = (one) => one instanceof Element && one.matches(".laid, .man, :has(.laid, .man)");
    const seen = new MutationObserver((records) => {
      if (!lies && records.some((one) => [...one.addedNodes].some(isPiece))) painted((now) => { lies = now - start; });
      if (!came || question() === before) return;
      seen.disconnect();
      if (isAnswered) painted((now) => done([tap, now - came, now - start, lies || now - start]));
      else painted(() => done([tap, null, null, null]));
    });
    [came, isAnswered] = [0, false];
    seen.observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });
    chosen.click();
    painted((now) => { tap = now - start; });
    setTimeout(() => { seen.disconnect(); done([tap, null, null, null]); }, 3000);
  });
}"""
"""Script that clicks on an answer at random. It gives the milliseconds until the click has been painted; until what has
come of it has, counted from the server's message and from the click; and until a piece has come to lie elsewhere. All
but the first are null where more is to be chosen."""

MOVED = """() => new Promise((done) => {
  const times = [];
  const frame = (now) => {
    const moves = document.getAnimations().some((one) => one.playState === "running" && one.effect?.target);
    times.push(moves ? now : null);
    if (performance.now() < end) requestAnimationFrame(frame);
    else done(times);
  };
  const end = performance.now() + 5000;
  requestAnimationFrame(frame);
})"""
"""Script that gives, for five seconds, the time of each frame in which something moves, or null."""


@dataclass(frozen=True)
class Row:
    """Measure in one run. slow: on the phone; fast: on this computer; None where it is not measured there. most:
    whether the limit is the most that may be, and not the least."""

    name: str
    unit: str
    slow: float | None
    fast: float | None
    limit: float | None = None
    most: bool = True

    @property
    def bound(self) -> float:
        """Value that the limit holds for: the phone's, where there is one."""
        return self.slow if self.slow is not None else self.fast or 0


@dataclass(frozen=True)
class Visit:
    """A page that somebody opens for the first time, and the line on which it comes."""

    page: Page
    home: Home
    line: Line


@contextmanager
def visit(home: Home, browser: Browser, slow: bool, language: str, pace: str = "at once") -> Iterator[Visit]:
    """Open an empty page with an empty cache. pace: the page's setting; nothing moves where it is 'at once'."""
    port = urlsplit(home.address).port
    assert port is not None
    context: BrowserContext = browser.new_context(
        locale=language,
        reduced_motion="reduce" if pace == "at once" else "no-preference",
        viewport={"width": 390, "height": 844},
    )
    context.add_init_script(f"if (location.host) localStorage.setItem('rulewright pace', {pace!r})")
    context.add_init_script(f"({WATCH})()")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    if slow:
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    with slow_network(port, *((BYTES, ROUND_TRIP) if slow else (0, 0))) as network:
        try:
            nearby = replace(home, address=home.address.replace(f":{port}/", f":{network.port}/"))
            yield Visit(page, nearby, network.down)
        finally:
            context.close()


def processor_time(trace: bytes) -> tuple[float, float]:
    """Return the longest task of the page's own thread in a trace, and all of them together, in milliseconds of
    processor time."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    names = {
        (one["pid"], one["tid"])
        for one in events
        if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        one.get("tdur", 0) / 1000
        for one in events
        if (one["pid"], one["tid"]) in names and one["name"] == "ThreadControllerImpl::RunTask"
    ]
    return max(tasks, default=0), sum(tasks)


def longest_task(page: Page) -> float:
    result: float = page.evaluate("Math.max(0, ...tasks)")
    return result


# ── what is measured ──


def start_page(home: Home, browser: Browser, slow: bool, language: str) -> tuple[float, float]:
    """Return the bytes of the start page, and the seconds until a game can be picked there."""
    with visit(home, browser, slow, language) as visited:
        start = time.perf_counter()
        visited.page.goto(visited.home.address, wait_until="commit")
        visited.page.locator("main button.edition").first.wait_for()
        seconds = time.perf_counter() - start
        visited.page.wait_for_load_state("networkidle")
        return visited.line.carried, seconds


def from_link(
    home: Home, browser: Browser, edition: str, slow: bool, language: str
) -> tuple[list[float], float, float]:
    """Return the seconds from opening a link until each of FIRST_SEEN, then until the table; the bytes until all is
    there; and the longest task."""
    links = home.begin(edition, ANN, BOT, BOT)
    with visit(home, browser, slow, language) as visited:
        start = time.perf_counter()
        visited.page.goto(visited.home.link(links["seats"][0]), wait_until="commit")
        seconds = []
        for selector in (*FIRST_SEEN.values(), QUESTION):
            visited.page.locator(selector).first.wait_for()
            seconds.append(time.perf_counter() - start)
        visited.page.wait_for_load_state("networkidle")
        return seconds, visited.line.carried, longest_task(visited.page)


def from_begin(home: Home, browser: Browser, edition: str, slow: bool, language: str) -> float:
    """Return the seconds from 'Begin' on the start page until the first question."""
    with visit(home, browser, slow, language) as visited:
        visited.page.goto(f"{visited.home.address}games/{edition}")
        button = visited.page.locator("main form.begin button.main[type=submit]")
        button.wait_for()
        visited.page.wait_for_load_state("networkidle")
        start = time.perf_counter()
        button.click(no_wait_after=True)
        visited.page.locator(QUESTION).first.wait_for()
        return time.perf_counter() - start


@dataclass(frozen=True)
class Answers:
    """Times of answers, in milliseconds, as the rows name them. task: the longest, of wall-clock time; processor: of
    processor time."""

    marked: list[float]
    results: list[float]
    effects: list[float]
    landings: list[float]
    task: float
    processor: float


def answered(home: Home, browser: Browser, edition: str, count: int, slow: bool, language: str) -> Answers:
    """Open a table by its link, give random answers until so many could be timed, and return their times."""
    marked, results, effects, landings, trace = list[float](), list[float](), list[float](), list[float](), b""
    links = home.begin(edition, ANN, BOT, BOT)
    with visit(home, browser, slow, language) as visited:
        page = visited.page
        if not slow:
            browser.start_tracing(page=page, categories=TRACED)
        page.goto(visited.home.link(links["seats"][0]), wait_until="commit")
        page.locator(QUESTION).first.wait_for()
        page.wait_for_load_state("networkidle")
        for _ in range(10 * count):
            if len(results) == count or page.locator(".rank").count():
                break
            value: Any = page.evaluate(ANSWERED)
            if value is None:
                page.wait_for_timeout(50)
                continue
            marked.append(value[0])
            if value[1] is not None:
                results.append(value[1])
                effects.append(value[2])
                landings.append(value[3])
        if not slow:
            trace = browser.stop_tracing()
        return Answers(marked, results, effects, landings, longest_task(page), processor_time(trace)[0] if trace else 0)


def moved(home: Home, browser: Browser, edition: str, language: str) -> tuple[float, float]:
    """Return the frames of movement in a second, and the milliseconds of processor time for each of them."""
    links = home.begin(edition, ANN, BOT, BOT)
    with visit(home, browser, False, language, "usual") as visited:
        page = visited.page
        page.goto(visited.home.link(links["seats"][0]))
        page.locator(QUESTION).first.wait_for()
        page.wait_for_load_state("networkidle")
        gaps, used = list[float](), 0.0
        for _ in range(5):
            page.evaluate(ANSWERED)
            browser.start_tracing(page=page, categories=TRACED)
            times = page.evaluate(MOVED)
            used += processor_time(browser.stop_tracing())[1]
            gaps += [after - before for before, after in zip(times, times[1:], strict=False) if before and after]
        return (1000 * len(gaps) / sum(gaps), used / len(gaps)) if gaps else (0.0, 0.0)


# ── rows ──


def percentile_95(values: list[float]) -> float:
    """Return the 95th percentile; 0 of no values."""
    return statistics.quantiles(values, n=20)[18] if len(values) > 1 else (values or [0.0])[0]


def rows_of(home: Home, browser: Browser, edition: str, answers: int, language: str) -> Iterator[Row]:
    """Yield the rows of an edition's table, measured once."""
    home.begin(edition, ANN, BOT, BOT)  # the server has it then
    slow, fast = (from_link(home, browser, edition, slow, language) for slow in (True, False))
    limit = FIRST.get(edition)
    for name, phone_seconds, seconds in zip((*FIRST_SEEN, "link"), slow[0], fast[0], strict=True):
        yield Row(f"{edition}: {name}", "s", phone_seconds, seconds, limit)
    yield Row(f"{edition}: link, bytes", "B", None, fast[1])
    first = [from_begin(home, browser, edition, slow, language) for slow in (True, False)]
    yield Row(f"{edition}: Begin", "s", first[0], first[1], limit)
    phone, desk = (answered(home, browser, edition, answers, slow, language) for slow in (True, False))
    for name, phone_times, desk_times, most in (
        ("marked", phone.marked, desk.marked, TAP),
        ("lies", phone.landings, desk.landings, TAP),
        ("answer", phone.results, desk.results, TAP),
        ("effect", phone.effects, desk.effects, TAP + 1000 * ROUND_TRIP),
    ):
        yield Row(f"{edition}: {name}, 95 %", "ms", percentile_95(phone_times), percentile_95(desk_times), most)
    yield Row(f"{edition}: task", "ms", max(slow[2], phone.task), max(fast[2], desk.task))
    yield Row(f"{edition}: task, processor", "ms", SLOWER * desk.processor, desk.processor, TASK)
    frames, each = moved(home, browser, edition, language)
    yield Row(f"{edition}: frames", "/s", None, frames, FRAMES, most=False)
    yield Row(f"{edition}: frame, processor", "ms", None, each, 1000 / FRAMES)


def measured(home: Home, browser: Browser, arguments: argparse.Namespace) -> Iterator[Row]:
    """Yield all rows, measured once."""
    pages = [start_page(home, browser, slow, arguments.lang) for slow in (True, False)]
    yield Row("first page", "B", pages[0][0], pages[1][0], FIRST_PAGE)
    yield Row("first page", "s", pages[0][1], pages[1][1])
    for edition in arguments.editions:
        yield from rows_of(home, browser, edition, arguments.answers, arguments.lang)


def best(rows: list[Row]) -> Row:
    """Return one row of those of several runs: the least of each value, or the most of frames."""
    of = min if rows[0].most else max
    slow = [row.slow for row in rows if row.slow is not None]
    fast = [row.fast for row in rows if row.fast is not None]
    first = rows[0]
    slow_, fast_ = of(slow) if slow else None, of(fast) if fast else None
    return Row(first.name, first.unit, slow_, fast_, first.limit, first.most)


def in_unit(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    return f"{value:.2f} {unit}" if unit == "s" else f"{value:,.0f} {unit}"


def line(row: Row) -> str:
    limit = "" if row.limit is None else f"{'≤' if row.most else '≥'} {in_unit(row.limit, row.unit)}"
    within = row.limit is None or (row.bound <= row.limit if row.most else row.bound >= 0.95 * row.limit)
    return (
        f"{row.name:38} {in_unit(row.slow, row.unit):>10} {in_unit(row.fast, row.unit):>10}   {limit:10}"
        f"{'' if within else '  over'}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("editions", nargs="*", type=edition_name, metavar="EDITION", default=[WILD_CARDS, WILDLIFE])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--answers", type=int, default=20)
    parser.add_argument("--lang", default="en")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, hosted(
        Path(folder), arguments.editions
    ) as home, chromium() as browser:
        runs = [list(measured(home, browser, arguments)) for _ in range(arguments.runs)]
    print(f"{'':38} {'slow phone':>10} {'here':>10}")
    for rows in zip(*runs, strict=True):
        print(line(best(list(rows))).rstrip())


if __name__ == "__main__":
    main()
