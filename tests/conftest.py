"""Settings and fixtures of all tests: property tests, and a folder of languages to change."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

import bundle_pages
import rotation
import verify
from example_counts import SHORT, USUAL
from rulewright.base import cache, resources
from rulewright.i18n import languages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest_plugins = ["forked_processes"]

# No limits of time: a machine may be busy, and the first example often pays for a compilation that later ones reuse.
settings.register_profile(
    "rulewright",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
    max_examples=SHORT,
)
settings.register_profile("long", settings.get_profile("rulewright"), max_examples=10 * USUAL)
settings.load_profile("rulewright")

MOST_KEPT = 100_000
"""Tests have thousands of editions; those that many of them use are not to be forgotten for that."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="all that takes long, too; ten times as many random examples")
    parser.addoption(
        "--rotation", type=int, help="of the tests marked rotating(n), one in n: another one for each number"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Share compiled programs between the tests of a run in a folder; 'off' disables that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell begins what runs in the background so
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "long: only with --long; something like it runs always")
    config.addinivalue_line("markers", "rotating(n): in one of n rotations, where one is given; else always")
    if config.getoption("--long"):
        settings.load_profile("long")
    cache.MAX_ENTRIES = MOST_KEPT
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # of numpy: its threads wait in a loop while others work
    if os.environ.get(cache.VARIABLE) != "off":
        folder = os.environ.get(verify.SHARED_CACHE) or tempfile.mkdtemp(prefix="rulewright-tests-")
        os.environ[cache.VARIABLE] = folder
        if verify.SHARED_CACHE not in os.environ:
            config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    bundle_pages.bundle()  # pages are tried as a wheel has them


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    left_out = {item for item in items if item.get_closest_marker("long")}
    if (number := config.getoption("--rotation")) is not None:
        slow = [(item, mark.args[0]) for item in items if (mark := item.get_closest_marker("rotating"))]
        due = rotation.are_due([rounds for _, rounds in slow], number)
        left_out |= {item for (item, _), runs in zip(slow, due, strict=True) if not runs}
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=list(left_out))


def pytest_collection_finish() -> None:
    """Freeze what all tests share, so that it need not be collected again and again."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup() -> None:
    """Rubbish is looked for as seldom in each test, whatever a server or a command has set in the one before."""
    gc.set_threshold(100_000, 50, 100)


def pytest_sessionfinish() -> None:
    """Skip the last collection: the process ends anyway."""
    gc.freeze()


@dataclass(frozen=True)
class RunningBrowser:
    """loop: in which Playwright runs, inside the thread of the tests."""

    browser: Browser
    loop: asyncio.AbstractEventLoop


@pytest.fixture(scope="session")
def running_browser() -> Iterator[RunningBrowser]:
    """Begun once for all tests of a process, since that takes as long as many of them."""
    from playwright.sync_api import expect  # noqa: PLC0415 - it is for some of the tests, and so is what uses it

    from browsers import PATIENCE  # noqa: PLC0415
    from screenshots import chromium  # noqa: PLC0415

    expect.set_options(timeout=PATIENCE)
    with chromium() as browser:
        running = RunningBrowser(browser, asyncio.get_running_loop())
        asyncio._set_running_loop(None)
        yield running
        asyncio._set_running_loop(running.loop)


@pytest.fixture
def browser(running_browser: RunningBrowser) -> Iterator[Browser]:
    """A browser in which nothing is open; what a test opens is closed behind it. Its loop counts as running meanwhile
    alone: other tests run loops of their own."""
    asyncio._set_running_loop(running_browser.loop)
    yield running_browser.browser
    for context in running_browser.browser.contexts:
        context.close()
    asyncio._set_running_loop(None)


@pytest.fixture
def locales(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of languages in which there is only English, in the place of the project's own."""
    folder, shipped = tmp_path / "project" / "locales", resources.folder
    shutil.copytree(shipped("locales") / "en", folder / "en")
    monkeypatch.setattr(resources, "folder", lambda name: folder if name == "locales" else shipped(name))
    languages.localizer_for.cache_clear()
    yield folder
    languages.localizer_for.cache_clear()
