"""Typed text is never lost: without a workbench, where it is too large or too deep, or where others type as well."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from game_servers import GUESSING
from screenshots import CHROMIUM
from workbenches import Workbench, workbench

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")

GAME = "guessing.yaml"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path, {GAME: GUESSING}) as home:
        yield home


def opened(home: Workbench, context: BrowserContext) -> Page:
    page = home.open(context, GAME, helped=False)
    source(page).wait_for()
    return page


def source(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Source")


def type_at(page: Page, key: str, text: str) -> None:
    source(page).focus()
    page.keyboard.press(key)
    page.keyboard.type(text)


def comes_to(home: Workbench, text: str) -> None:
    """Wait until the file has a text."""
    while True:
        previous = len(home.messages)
        if home.bench.text(GAME) == text:
            return
        home.wait(lambda message: message["type"] == "updates", previous)


def paste(page: Page, text: str) -> None:
    source(page).focus()
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
            document.activeElement.dispatchEvent(event);
        }""",
        text,
    )


def left_behind(tmp_path: Path, context: BrowserContext) -> int:
    """The port of a workbench that has ended before its window, where somebody went on typing, and closed it then."""
    with workbench(tmp_path, {GAME: GUESSING}) as home:
        page = opened(home, context)
        page.wait_for_load_state("networkidle")  # what has been asked is answered
        port = int(home.address.rpartition(":")[2].strip("/"))
    expect(page.get_by_role("alert")).to_contain_text("The workbench has ended.")
    type_at(page, "Control+Home", "# typed meanwhile\n")
    page.close()
    return port


@pytest.mark.rotating(12)
@pytest.mark.parametrize("changed", [False, True], ids=["as it was", "changed since"])
def test_text_typed_without_a_workbench_is_offered_by_the_next_one(
    tmp_path: Path, context: BrowserContext, changed: bool
) -> None:
    port = left_behind(tmp_path, context)
    theirs = f"{GUESSING}# theirs\n" if changed else GUESSING
    with workbench(tmp_path, {GAME: theirs}, port) as home:
        page = opened(home, context)
        expect(page.get_by_role("alert")).to_contain_text("You typed this while the workbench had ended")
        page.get_by_role("button", name="Compare").click()
        expect(page.get_by_role("dialog")).to_contain_text("# typed meanwhile")
        page.get_by_role("dialog").get_by_role("button", name="Put it in").click()
        expect(page.get_by_role("alert")).to_have_count(0)
        comes_to(home, f"# typed meanwhile\n{theirs}")
        page.reload()
        source(page).wait_for()
        expect(page.locator("#state")).to_contain_text("Saved")
        expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.rotating(12)
def test_typed_text_can_be_discarded(tmp_path: Path, context: BrowserContext) -> None:
    port = left_behind(tmp_path, context)
    with workbench(tmp_path, port=port) as home:
        page = opened(home, context)
        page.get_by_role("button", name="Throw it away").click()
        expect(page.get_by_role("alert")).to_have_count(0)
        page.reload()
        expect(page.locator("#state")).to_contain_text("Saved")
        expect(page.get_by_role("alert")).to_have_count(0)
        assert home.bench.text(GAME) == GUESSING


@pytest.mark.rotating(12)
def test_two_windows_that_were_alone_come_together(tmp_path: Path, context: BrowserContext) -> None:
    port, one, other = two_alone(tmp_path, context)
    with workbench(tmp_path, port=port) as home:
        come_together(home, one, other)


def two_alone(tmp_path: Path, context: BrowserContext) -> tuple[int, Page, Page]:
    """The port of a workbench that has ended before two windows, in which somebody has gone on typing."""
    with workbench(tmp_path, {GAME: GUESSING}) as home:
        one, other = opened(home, context), opened(home, context)
        for page in (one, other):
            page.wait_for_load_state("networkidle")
        port = int(home.address.rpartition(":")[2].strip("/"))
    for page, key, text in ((one, "Control+Home", "# one\n"), (other, "Control+End", "# other\n")):
        expect(page.get_by_role("alert")).to_contain_text("The workbench has ended.")
        type_at(page, key, text)
    return port, one, other


def come_together(home: Workbench, one: Page, other: Page) -> None:
    comes_to(home, f"# one\n{GUESSING}# other\n")
    for page in (one, other):
        expect(page.locator("#state")).to_contain_text("Saved")
        expect(source(page)).to_contain_text("# one")
        expect(source(page)).to_contain_text("# other")
        expect(page.get_by_role("alert")).to_have_count(0)


HOLDING = """
    window.wire = { hold: [], held: [], came: [], socket: null };
    window.WebSocket = class extends WebSocket {
        constructor(address) {
            super(address);
            if (String(address).includes("/window")) wire.socket = this;
        }
        set onmessage(heard) {
            super.onmessage = (event) => {
                const type = JSON.parse(event.data).type;
                if (wire.socket !== this) heard(event);
                else if (wire.hold.includes(type)) wire.held.push(() => heard(event));
                else { heard(event); wire.came.push(type); }
            };
        }
    };
"""
"""A window whose messages of some types can be held back."""


def hold(page: Page, *types: str) -> None:
    page.evaluate("types => Object.assign(wire, { hold: types, came: [] })", types)


def release(page: Page) -> None:
    page.evaluate("wire.hold = []; for (const hear of wire.held.splice(0)) hear();")


def came(page: Page, type_: str) -> None:
    page.wait_for_function("type => wire.came.includes(type)", arg=type_)


@pytest.mark.rotating(12)
def test_the_text_of_another_workbench_comes_after_what_others_have_typed_there(
    tmp_path: Path, context: BrowserContext
) -> None:
    """Text from before belongs to no version that the window has."""
    context.add_init_script(HOLDING)
    port, one, other = two_alone(tmp_path, context)
    for page in (one, other):
        hold(page, "text")
    with workbench(tmp_path, port=port) as home:
        came(one, "hello")
        release(other)
        came(one, "updates")
        expect(other.locator("#state")).to_contain_text("Saved")
        release(one)
        come_together(home, one, other)


@pytest.mark.rotating(10)
def test_an_unconfirmed_edit_is_not_applied_twice(tmp_path: Path, context: BrowserContext) -> None:
    context.add_init_script(HOLDING)
    with workbench(tmp_path, {GAME: GUESSING}) as home:
        page = opened(home, context)
        page.wait_for_load_state("networkidle")
        port = int(home.address.rpartition(":")[2].strip("/"))
        hold(page, "updates")
        type_at(page, "Control+Home", "# mine\n")
        comes_to(home, f"#{GUESSING}")
    expect(page.get_by_role("alert")).to_contain_text("The workbench has ended.")
    hold(page)
    with workbench(tmp_path, port=port) as home:
        comes_to(home, f"# mine\n{GUESSING}")
        expect(page.locator("#state")).to_contain_text("Saved")


@pytest.mark.rotating(10)
def test_a_missed_confirmation_of_saving_is_repeated(home: Workbench, context: BrowserContext) -> None:
    context.add_init_script(HOLDING)
    page = opened(home, context)
    hold(page, "saved")
    type_at(page, "Control+Home", "#")
    home.wait(lambda message: message["type"] == "saved")
    expect(page.locator("#state")).to_contain_text("Saving")
    page.evaluate("wire.hold = []; wire.held = []; wire.socket.close()")
    expect(page.locator("#state")).to_contain_text("Saved")


@pytest.mark.rotating(5)
def test_text_typed_and_undone_at_once_is_saved(home: Workbench, context: BrowserContext) -> None:
    page = opened(home, context)
    with home.bench._lock:  # it writes nothing meanwhile
        type_at(page, "Control+Home", "#")
        page.keyboard.press("Backspace")
        expect(page.locator("#state")).to_contain_text("Saving")
    expect(page.locator("#state")).to_contain_text("Saved")


@pytest.mark.rotating(10)
def test_another_file_is_shown_after_typed_text_is_accepted(tmp_path: Path, context: BrowserContext) -> None:
    context.add_init_script(HOLDING)
    with workbench(tmp_path, {GAME: GUESSING, "other.yaml": f"# the other\n{GUESSING}"}) as home:
        page = opened(home, context)
        hold(page, "updates")
        type_at(page, "Control+Home", "# mine\n")
        page.get_by_label("Open a file").select_option("other.yaml")
        came(page, "text")
        expect(source(page)).to_contain_text("# mine")
        release(page)
        expect(source(page)).to_contain_text("# the other")
        comes_to(home, f"# mine\n{GUESSING}")


@pytest.mark.rotating(12)
def test_text_of_a_closed_window_is_offered(tmp_path: Path, context: BrowserContext) -> None:
    port, one, other = two_alone(tmp_path, context)
    other.close()
    with workbench(tmp_path, port=port) as home:
        expect(one.get_by_role("alert")).to_contain_text("You typed this while the workbench had ended")
        one.get_by_role("button", name="Put it in").click()
        come_together(home, one, one)


@pytest.mark.rotating(12)
def test_more_than_a_file_may_hold_is_refused_and_saving_goes_on(home: Workbench, context: BrowserContext) -> None:
    page = opened(home, context)
    for _ in range(2):
        paste(page, "# much too much\n" * 400_000)
        expect(page.locator("#notice")).to_contain_text("A rule file has 1,000,000 bytes at most")
    type_at(page, "Control+Home", "# more\n")
    comes_to(home, f"# more\n{GUESSING}")


@pytest.mark.rotating(12)
def test_changes_that_fill_a_file_again_and_again_are_all_sent(home: Workbench, context: BrowserContext) -> None:
    """Together they are more than a message may hold."""
    page = opened(home, context)
    source(page).focus()
    for number in range(3):
        page.keyboard.press("Control+A")
        paste(page, f"# {number}" + "\x01" * 900_000)
    comes_to(home, "# 2" + "\x01" * 900_000)
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.rotating(12)
@pytest.mark.parametrize(
    "text", ["a: " + "[" * 50_000, "- " * 20_000, "a: " + "{b: " * 8_000 + "}" * 8_000, "word " * 150_000],
    ids=["brackets", "items", "braces", "a long line"],
)  # fmt: skip
def test_deep_or_long_texts_do_not_stop_the_editor(home: Workbench, context: BrowserContext, text: str) -> None:
    page = opened(home, context)
    source(page).focus()
    page.keyboard.press("Control+A")
    paste(page, text)
    page.keyboard.type(" and on")
    comes_to(home, f"{text} and on")
    page.reload()
    type_at(page, "Control+End", "!")
    comes_to(home, f"{text} and on!")


@pytest.mark.rotating(12)
def test_two_changes_of_one_line_are_shown_beside_each_other(
    home: Workbench, context: BrowserContext, tmp_path: Path
) -> None:
    page = opened(home, context)
    with home.bench._lock:  # it looks at no file meanwhile
        (tmp_path / GAME).write_text(f"# theirs\n{GUESSING}", encoding="utf-8")
        source(page).focus()
        page.keyboard.press("Control+Home")
        page.keyboard.type("# mine\n")
    expect(page.get_by_role("alert")).to_contain_text("Another program has changed this file.")
    expect(page.locator("#state")).to_contain_text("Not saved")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("dialog").locator(".cm-deletedChunk")).to_contain_text("# theirs")
    page.get_by_role("dialog").get_by_role("button", name="Take what is on disk").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(source(page)).to_contain_text("# theirs")


@pytest.mark.rotating(12)
def test_a_deleted_file_is_not_reported_as_moved(home: Workbench, context: BrowserContext, tmp_path: Path) -> None:
    page = opened(home, context)
    (tmp_path / GAME).unlink()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Another program has deleted this file.")
    expect(alert).not_to_contain_text("The other one")
    expect(page.locator("#state")).to_contain_text("Not saved")
    page.reload()
    expect(alert).to_contain_text("Another program has deleted this file.")
    alert.get_by_role("button", name="Write it again").click()
    expect(page.locator("#state")).to_contain_text("Saved")
    home.wait(lambda message: message["type"] == "saved")
    assert (tmp_path / GAME).read_text(encoding="utf-8") == GUESSING
