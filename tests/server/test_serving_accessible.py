"""Every page of the tables in the browser holds to the rules of accessibility that a program can check."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from browsers import against_the_rules
from screenshots import CHROMIUM, EDITIONS, PAGES, Home, hosted

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with hosted(tmp_path_factory.mktemp("tables"), EDITIONS) as home:
        yield home


LIKE_OTHERS = {"watching", "wildlife lesson"}
"""All that stands on them stands on the others; only with --long."""


PICTURED = "() => [...document.images].every((one) => one.complete && one.hasAttribute('src'))"
"""Script that returns whether all pictures of a page have loaded."""


@pytest.mark.rotating(10)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] if name in LIKE_OTHERS else []) for name in PAGES]
)
def test_pages_break_no_rule_of_accessibility(home: Home, browser: Browser, name: str) -> None:
    """Pages are checked in light and dark, on a phone and on a desktop."""
    context = browser.new_context(locale="en", reduced_motion="reduce")
    page = context.new_page()
    PAGES[name](home, page).wait_for()
    page.wait_for_function(PICTURED)
    result = against_the_rules(page)
    context.close()
    assert not result, "\n".join(result)
