"""Response times of a table in the browser. Needs the developers' tools, and Chromium.

    python tools/benchmark_page.py [EDITION] [--answers N] [--lang LANGUAGE]

A server of its own, a real browser, one person against the quick computer. Printed are the seconds from 'Begin' (the
table is asked for, its link opened) to the first question, for a server that has just started and for later tables,
each by a browser that keeps nothing of the page before; and from a click that answers until the page shows what came of
it: the next question, or that others decide. That is measured in the page, by its own clock, with the pace 'at once'.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from screenshots import ANN, EDITIONS, WILD_CARDS, Home, chromium, hosted

BOT = {"player": "greedy"}
PATIENCE = 30_000.0
"""Milliseconds until something that does not come is missed."""

ANSWERED = """() => {
  const region = document.querySelector(".asked");
  const question = () => region.isConnected && document.querySelector(".asked .question")?.textContent;
  const before = question();
  const buttons = [...document.querySelectorAll(".asked button, .board button, .board [role=button]")]
    .filter((one) => one.closest(".decision, .held, .board") && !one.disabled && one.getClientRects().length
      && (one.matches(".offered, .choice, .main") || one.closest(".offered")) && !one.closest("details"));
  if (buttons.length === 0) return null;
  const chosen = buttons[Math.floor(Math.random() * buttons.length)];
  return new Promise((done) => {
    const start = performance.now();
    const seen = new MutationObserver(() => {
      if (question() === before) return;
      seen.disconnect();
      requestAnimationFrame(() => done(performance.now() - start));
    });
    seen.observe(document.body, { childList: true, subtree: true, characterData: true });
    chosen.click();
    setTimeout(() => { seen.disconnect(); done(-1); }, 1500);
  });
}"""
"""Clicks on an answer at random; milliseconds until another question stands there, or -1 where more is to be chosen."""


def begin_table(home: Home, page: Page, edition: str) -> float:
    """Seconds until the first question of a new table stands there. page: one that has opened nothing."""
    start = time.perf_counter()
    links = home.begin(edition, ANN, BOT, BOT)
    page.goto(home.link(links["seats"][0]), wait_until="commit")
    page.locator(".asked .question h2").first.wait_for(timeout=PATIENCE)
    return time.perf_counter() - start


def answered(page: Page, answers: int) -> list[float]:
    """Seconds from answers until the page shows what came of them."""
    results: list[float] = []
    for _ in range(20 * answers):
        if len(results) == answers:
            break
        value: Any = page.evaluate(ANSWERED)
        if value is None:
            page.wait_for_timeout(50)
        elif value > 0:
            results.append(value / 1000)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edition", nargs="?", default=WILD_CARDS)
    parser.add_argument("--answers", type=int, default=40)
    parser.add_argument("--lang", default="en")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, hosted(Path(folder), EDITIONS) as home, chromium() as browser:
        first = list[float]()
        for number in range(6):
            context = browser.new_context(locale=arguments.lang, reduced_motion="reduce")
            context.add_init_script("localStorage.setItem('rulewright pace', 'at once')")
            page = context.new_page()
            first.append(begin_table(home, page, arguments.edition))
            if number < 5:  # the last one is played on
                context.close()
        cold, *later = first
        print(f"first question  {cold:.2f} s at a new server, {min(later):.2f} to {max(later):.2f} s after that")
        views = sorted(answered(page, arguments.answers))
        cuts = statistics.quantiles(views, n=20)
        print(f"answer to shown p50 {1000 * cuts[9]:.0f} ms   p95 {1000 * cuts[18]:.0f} ms   ({len(views)} answers)")


if __name__ == "__main__":
    main()
