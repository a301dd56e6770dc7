"""An answer that is on its way to the server is marked on the page, and nothing else is taken meanwhile."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from browsers import Person
from screenshots import ANN, BO, CHROMIUM, hosted
from small_games.pennies import PENNIES

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.mark.rotating(3)
def test_an_answer_on_its_way_is_marked_until_it_is_taken_or_refused(tmp_path: Path, browser: Browser) -> None:
    edition = tmp_path / "pennies.yaml"
    edition.write_text(PENNIES, encoding="utf-8")
    ann, lines, answers = Person.at_device(browser), list[tuple[WebSocketRoute, WebSocketRoute]](), list[str | bytes]()

    def connect(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        lines.append((line, server))
        line.on_message(lambda text: answers.append(text) if '"answer"' in str(text) else server.send(text))

    ann.context.route_web_socket(re.compile("/play"), connect)
    with hosted(tmp_path, [str(edition)]) as home:
        links = home.begin(str(edition), ANN, BO)
        page = ann.open(home.link(links["seats"][0]))
        question, sent = ann.question(page), page.locator(".sent")
        two, three = (question.get_by_role("button", name=name, exact=True) for name in "23")
        two.click()
        assert question.get_attribute("aria-busy") == "true" and sent.text_content() == "2"
        three.click()
        page.keyboard.press("Enter")
        while not answers:
            page.title()  # so that events are heard of
        assert sent.text_content() == "2"
        lines[0][0].send(json.dumps({"type": "refused", "text": "Not now."}))
        page.get_by_text("Not now.").wait_for()
        expect(sent).to_have_count(0)
        assert question.get_attribute("aria-busy") is None
        three.click()
        while len(answers) < 2:
            page.title()
        assert sent.text_content() == "3" and [json.loads(answer)["take"] for answer in answers] == [["2"], ["3"]]
        lines[0][1].send(answers[1])
        question.get_by_role("heading", name="Waiting for Bo").wait_for()
        expect(sent).to_have_count(0)
        assert ann.troubles == []
