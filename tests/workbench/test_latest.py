"""Answers that overtake each other on their way to a pane of the workbench."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from page_modules import module_runner
from screenshots import CHROMIUM

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

OVERTAKEN = """
  const answers = [];
  const bench = {
    source: "game.yaml", on() {},
    get: (path) => new Promise((answer) => answers.push(answer)),
  };
  const pane = new versions.Versions(bench, () => {});
  const version = (id) => ({ id, label: `version ${id}` });
  const waiting = given.requests.map((what) => (what === "list" ? pane.load() : pane.look(version(what))));
  for (const [number, answer] of given.answers) answers[number](answer);
  await Promise.all(waiting);
  return { list: pane.list, text: pane.looked?.text };
"""


def test_only_the_answer_to_the_latest_request_counts(browser: Browser) -> None:
    run = module_runner(browser)

    def pane_after(requests: list[str | int], *answers: tuple[int, object]) -> object:
        return run(["versions"], OVERTAKEN, {"requests": requests, "answers": answers})

    old, new = {"versions": ["old"]}, {"versions": ["old", "new"]}
    assert pane_after(["list", "list"], (1, new), (0, old)) == {"list": ["old", "new"], "text": None}
    assert pane_after([1, 2], (1, {"text": "second"}), (0, {"text": "first"})) == {"list": [], "text": "second"}
    assert pane_after([1, "list"], (1, new), (0, {"text": "first"})) == {"list": ["old", "new"], "text": "first"}
