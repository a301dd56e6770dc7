"""A browser for the tests of the workbench's page, and windows in which nothing goes wrong unseen."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext

EXPECTED = re.compile("status of (400|503)|Applying inline style|WebSocket connection|ERR_CONNECTION")
"""Console messages that are expected: refusals of the workbench; Chromium's attempts to style text that is typed over
coloured text; a workbench that ends before its window."""


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en")
    troubles: list[str] = []
    context.on("weberror", lambda error: troubles.append(str(error.error)))
    context.on("console", lambda one: troubles.append(one.text) if one.type == "error" else None)
    yield context
    context.close()
    assert [one for one in troubles if not EXPECTED.search(one)] == []
