"""Access to a workbench: only with the address that only this user can read."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest
from playwright.sync_api import BrowserContext

from game_servers import GUESSING
from project_folders import ROOT
from rulewright.base import files
from rulewright.workbench import access
from rulewright.workbench.core.workspace import OWN_FOLDER, BenchError, Workspace
from rulewright.workbench.key_guard import COOKIE
from workbenches import EARLIER, KEY, PATIENCE, Workbench, workbench

POSIX = pytest.mark.skipif(os.name != "posix", reason="files tell nobody's rights there")


@pytest.mark.rotating(2)
def test_a_browser_is_called_with_nothing_that_lets_others_in(tmp_path: Path) -> None:
    """All users of a computer see what a program is called with."""
    call, browser = tmp_path / "called", tmp_path / "browser.py"
    os.mkfifo(call)
    browser.write_text(f"import sys; open({str(call)!r}, 'w').write(sys.argv[1])\n", encoding="utf-8")
    folder = tmp_path / "games"
    folder.mkdir()
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "interpreter"),
        "BROWSER": f"{shlex.quote(sys.executable)} {shlex.quote(str(browser))} %s &",
        "COLUMNS": "200",
    }
    command = [sys.executable, "-m", "rulewright", "design"]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            text = call.read_text(encoding="utf-8")
            assert running.stdout is not None
            address = next(word for line in running.stdout for word in line.split() if word.startswith("http"))
            page = Path(text.removeprefix("file://"))
            assert text.startswith("file://") and address.rpartition("/")[2] not in text
            assert address in page.read_text(encoding="utf-8")
            assert private(page) and private(page.parent)
            assert all(private(path) for path in page.parent.iterdir() if path.name in (access.ADDRESS, access.COOKIE))
            opener = build_opener(HTTPCookieProcessor())
            with opener.open(address), opener.open(address.partition("open/")[0]) as answer:
                assert b"<title>Rulewright</title>" in answer.read()
        finally:
            running.kill()


def private(path: Path) -> bool:
    return not path.stat().st_mode & 0o077


@pytest.mark.rotating(10)
def test_the_page_opens_from_the_file_that_leads_to_it(context: BrowserContext, tmp_path: Path) -> None:
    """A browser tells no strict cookie where a file of this computer has sent it."""
    with workbench(tmp_path, {"guessing.yaml": GUESSING}) as home:
        path = access.write_redirect_page(
            home.bench.folder.own, access.with_file(f"{home.address}open/{KEY}", "guessing.yaml")
        )
        page = context.new_page()
        page.goto(path.as_uri())
        page.get_by_text("No mistakes").wait_for()


def test_keys_are_new_each_time_and_an_open_page_comes_in_again(tmp_path: Path) -> None:
    first, second, third = (access.new_keys(tmp_path) for _ in range(3))
    assert len({key for made in (first, second, third) for key in (made.address, made.cookie)}) == 6
    assert (first.earlier, second.earlier, third.earlier) == ("", first.cookie, second.cookie)


@POSIX
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_copied_key_files_are_replaced(tmp_path: Path, mode: int) -> None:
    for name in (access.COOKIE, access.ADDRESS, access.PAGE):
        (tmp_path / name).write_text("x" * 40, encoding="utf-8")
        (tmp_path / name).chmod(mode)
        (tmp_path / f"{name}.kept").hardlink_to(tmp_path / name)
    assert access.stored_address(tmp_path) == ""
    keys = access.new_keys(tmp_path)
    assert keys.earlier == ""
    access.note_address(tmp_path, "http://127.0.0.1:1/open/secret")
    access.write_redirect_page(tmp_path, "http://127.0.0.1:1/open/secret")
    for name in (access.COOKIE, access.ADDRESS, access.PAGE):
        assert (tmp_path / f"{name}.kept").read_text(encoding="utf-8") == "x" * 40
        assert private(tmp_path / name)
    assert access.stored_address(tmp_path) == "http://127.0.0.1:1/open/secret"


def test_a_link_gets_no_key(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("x" * 40, encoding="utf-8")
    (tmp_path / "outside").chmod(0o600)
    (tmp_path / "link").symlink_to(tmp_path / "outside")
    assert files.read_private(tmp_path / "link", 100) == b""
    files.replace_private(tmp_path / "link", b"secret")
    assert (tmp_path / "outside").read_text(encoding="utf-8") == "x" * 40
    assert not (tmp_path / "link").is_symlink()


@POSIX
def test_the_folder_of_a_workbench_is_closed_to_others_even_where_it_came_along(tmp_path: Path) -> None:
    (tmp_path / OWN_FOLDER).mkdir()
    (tmp_path / OWN_FOLDER).chmod(0o777)
    assert stat.S_IMODE(Workspace(tmp_path).own.stat().st_mode) == 0o700


def test_a_key_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / access.COOKIE).mkdir()
    with pytest.raises(BenchError):
        access.new_keys(tmp_path)


def test_a_page_of_the_workbench_before_gets_the_new_cookie(tmp_path: Path) -> None:
    with workbench(tmp_path) as home:
        assert f"={KEY};" in cookies(home, EARLIER)
        assert cookies(home, KEY) == ""
        with pytest.raises(HTTPError):
            cookies(home, f"{EARLIER}-and-before")


def cookies(home: Workbench, cookie: str) -> str:
    port = home.address.rpartition(":")[2].strip("/")
    question = Request(f"{home.address}api/files", headers={"cookie": f"{COOKIE}-{port}={cookie}"})
    with urlopen(question, timeout=PATIENCE) as answer:
        return str(answer.headers.get("set-cookie", ""))
