"""The workbench and its files: it never overwrites the work of others, never loses what was typed, and touches nothing
outside."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.testclient import TestClient

from game_servers import GUESSING
from project_folders import ROOT
from rulewright.game import library
from rulewright.i18n.localizer import Phrase
from rulewright.server.web import page_texts
from rulewright.workbench.application import all_words
from rulewright.workbench.core import version_history
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import json_handler
from rulewright.workbench.core.shared_text import TextUpdate
from rulewright.workbench.core.version_history import Versions
from rulewright.workbench.core.windows import BenchMessage
from rulewright.workbench.core.workspace import OWN_FOLDER, BenchError, Workspace
from workbenches import KEY, Refused, Workbench, workbench

GAME = "guessing.yaml"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Workbench]:
    with workbench(tmp_path, {GAME: GUESSING}) as home:
        yield home


def typed(home: Workbench, text: str, index: int = 0) -> None:
    """Somebody types in a window that has seen the newest version."""
    now, version, _ = home.bench.text_for_window(GAME)
    assert home.bench.push(GAME, version, [TextUpdate("one", [index, [0, *text.split("\n")], len(now) - index])])


def wait(home: Workbench, type_: str, since: int = 0) -> BenchMessage:
    return home.wait(lambda message: message["type"] == type_ and message.get("file") == GAME, since)


def test_typed_text_is_written_and_read(home: Workbench, tmp_path: Path) -> None:
    before = home.bench.compiled(GAME)
    typed(home, "# mine\n")
    wait(home, "saved")
    assert (tmp_path / GAME).read_text(encoding="utf-8") == f"# mine\n{GUESSING}"
    text = wait(home, "edited")
    assert text["ok"]
    assert text["number"] != before.number
    assert home.bench.compiled(GAME).current


def test_a_mistake_leaves_the_last_good_rules(home: Workbench) -> None:
    before = home.bench.compiled(GAME)
    text = home.type(GAME, GUESSING.replace("add 1 to turns", "add 1 to turnips"))
    assert not text["ok"]
    after = home.bench.compiled(GAME)
    assert (after.rules, after.current) == (before.rules, False)
    assert "turnips" in after.report.errors[0].message
    assert home.type(GAME, GUESSING.replace("limit: 2", "limit: 3"))["ok"]


def test_a_variant_is_read_again_when_its_base_changes(home: Workbench) -> None:
    home.type("variant.yaml", "rulewright: 1\nextends: guessing.yaml\nedition: short\n")
    before = home.bench.compiled("variant.yaml")
    assert before.rules is not None
    since = len(home.messages)
    home.type(GAME, GUESSING.replace("limit: 2", "limit: 3"))
    home.wait(lambda message: message["type"] == "edited" and message["file"] == "variant.yaml", since)
    after = home.bench.compiled("variant.yaml")
    assert after.rules is not None
    assert (before.rules.play_digest, before.number) != (after.rules.play_digest, after.number)


def test_changes_of_another_program_are_loaded(home: Workbench, tmp_path: Path) -> None:
    home.bench.text_for_window(GAME)
    (tmp_path / GAME).write_text(f"{GUESSING}# theirs\n", encoding="utf-8")
    wait(home, "taken over")
    assert home.bench.text(GAME).endswith("# theirs\n")
    assert [one.reason for one in home.bench.versions.list_versions(GAME)] == [
        version_history.DISK,
        version_history.OPENED,
    ]


@pytest.mark.parametrize("mine", [True, False])
def test_nothing_is_written_over_what_another_program_wrote(tmp_path: Path, mine: bool) -> None:
    (tmp_path / GAME).write_text(GUESSING, encoding="utf-8")
    bench = Bench(Workspace(tmp_path))  # that does not look at files by itself
    lines: list[BenchMessage] = []
    bench.windows.add(lines.append)
    bench.text_for_window(GAME)
    bench.replace(GAME, f"# mine\n{GUESSING}")
    (tmp_path / GAME).write_text(f"# theirs\n{GUESSING}", encoding="utf-8")
    assert not bench.compiled(GAME).current
    assert [one for one in lines if one["type"] == "conflict"]
    assert (tmp_path / GAME).read_text(encoding="utf-8") == f"# theirs\n{GUESSING}"
    assert bench.text_for_window(GAME)[2]
    bench.resolve_conflict(GAME, mine)
    bench.compiled(GAME)
    expected = f"# {'mine' if mine else 'theirs'}\n{GUESSING}"
    assert (tmp_path / GAME).read_text(encoding="utf-8") == expected == bench.text(GAME)
    stored = {bench.versions.text(GAME, one.id) for one in bench.versions.list_versions(GAME)}
    assert {f"# mine\n{GUESSING}", f"# theirs\n{GUESSING}"} <= stored
    bench.close()


def test_changes_of_another_program_in_other_lines_are_merged(tmp_path: Path) -> None:
    (tmp_path / GAME).write_text(GUESSING, encoding="utf-8")
    bench = Bench(Workspace(tmp_path))  # that does not look at files by itself
    lines: list[BenchMessage] = []
    bench.windows.add(lines.append)
    bench.text_for_window(GAME)
    bench.replace(GAME, f"# mine\n{GUESSING}")
    theirs = f"{GUESSING}# theirs\n"
    (tmp_path / GAME).write_text(theirs, encoding="utf-8")
    assert bench.compiled(GAME).current
    assert {one["type"] for one in lines} >= {"merged", "saved"} and not bench.text_for_window(GAME)[2]
    assert (tmp_path / GAME).read_text(encoding="utf-8") == bench.text(GAME) == f"# mine\n{theirs}"
    stored = {one.reason: bench.versions.text(GAME, one.id) for one in bench.versions.list_versions(GAME)}
    assert stored[version_history.DISK] == theirs and stored[version_history.MERGED] == f"# mine\n{theirs}"
    assert stored[version_history.PANE] == f"# mine\n{GUESSING}"
    bench.close()


def test_a_file_that_is_deleted_meanwhile_is_asked_about(home: Workbench, tmp_path: Path) -> None:
    home.bench.text_for_window(GAME)
    (tmp_path / GAME).unlink()
    assert wait(home, "conflict")["gone"]
    home.bench.resolve_conflict(GAME, mine=True)
    wait(home, "saved")
    assert (tmp_path / GAME).read_text(encoding="utf-8") == GUESSING


@pytest.mark.parametrize(
    "name",
    [
        "../x.yaml",
        "/etc/x.yaml",
        "a/../../x.yaml",
        ".hidden.yaml",
        f"{OWN_FOLDER}/x.yaml",
        "x.py",
        "a\\b.yaml",
        "",
        "x\n.yaml",
    ],
)
def test_nothing_outside_of_the_folder_has_a_name(home: Workbench, name: str) -> None:
    with pytest.raises(BenchError):
        home.bench.replace(name, "rulewright: 1\n")
    with pytest.raises(Refused):
        home.get("history/restore", file=name)


def test_only_files_here_and_shipped_editions_are_shown(home: Workbench, tmp_path: Path) -> None:
    game = library.find("wild-cards/2022")[1]
    for path, name in ((tmp_path / GAME, GAME), (game, "wild-cards/2022")):
        assert home.get("files/named", uri=path.as_uri()) == {"file": name}
    for uri in ("file:///etc/passwd", (game.parent / ".." / ".." / "x.yaml").as_uri(), "http://example.org/", "%"):
        with pytest.raises(Refused, match="lies outside"):
            home.get("files/named", uri=uri)


def test_files_of_the_workbench_are_ignored_by_git(tmp_path: Path) -> None:
    assert (Workspace(tmp_path).own / ".gitignore").read_text(encoding="utf-8") == "*\n"


def test_symbolic_links_are_not_followed(
    home: Workbench, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.yaml").write_text("secret", encoding="utf-8")
    (tmp_path / "link.yaml").symlink_to(outside / "secret.yaml")
    (tmp_path / "below").symlink_to(outside)
    for name in ("link.yaml", "below/secret.yaml", "below/new.yaml"):
        with pytest.raises(BenchError):
            home.bench.replace(name, "mine")
    assert (outside / "secret.yaml").read_text(encoding="utf-8") == "secret"
    assert home.bench.folder.names() == [GAME]


def test_the_key_is_required(home: Workbench) -> None:
    assert re.search(rb"/page/design(-\w+)?\.js", home.raw(""))  # by itself, or bundled
    for path in ("", "api/files", "words", "page/design.css"):
        with pytest.raises(HTTPError) as refused:
            home.raw(path, key="guessed")
        assert refused.value.code == 403
    with pytest.raises(HTTPError) as refused:
        home.raw("open/guessed", key="")
    assert refused.value.code == 404


def test_texts_of_the_page_are_unambiguous() -> None:
    """The page has the words of all parts in one."""
    lines: dict[str, Phrase] = {}
    assert [name for name, one in all_words() if lines.setdefault(name, one) != one] == []


def test_each_text_of_the_page_is_used() -> None:
    """A word is requested by its name, or by a prefix and a part that the server sends: `new turn ${name}`."""
    pages = (ROOT / "interpreter" / "rulewright").glob("[sw]*/page/*.js")
    scripts = "".join(path.read_text(encoding="utf-8") for path in pages)
    beginnings = tuple(re.findall(r"`(\w[\w ]* )\$\{", scripts))
    assert len(beginnings) > 10
    ours = [name for name, _ in all_words() if name not in page_texts.WORDS]
    assert [name for name in ours if name not in scripts and not name.startswith(beginnings)] == []


def test_odd_keys_are_refused(home: Workbench) -> None:
    for path, key in (("", "kéy"), ("open/k%C3%A9y", KEY), ("open/%ED%A0%80", KEY)):
        with pytest.raises(HTTPError) as refused:
            home.raw(path, key)
        assert refused.value.code in (403, 404)


def test_a_version_is_looked_at_named_and_taken_back(home: Workbench) -> None:
    home.type(GAME, f"# new\n{GUESSING}")
    _, first = home.get("history", file=GAME)["versions"]
    home.post("history/name", {"id": first["id"], "label": "as it was"}, file=GAME)
    assert home.get(f"history/{first['id']}", file=GAME) == {"text": GUESSING}
    home.post("history/restore", {"id": first["id"]}, file=GAME)
    assert home.bench.text(GAME) == GUESSING
    result = home.get("history", file=GAME)["versions"]
    assert [(one["reason"], one["label"]) for one in result] == [
        ("restored", ""),
        ("made", ""),
        ("opened", "as it was"),
    ]
    with pytest.raises(Refused, match="no such version"):
        home.get("history/99", file=GAME)


def test_the_history_tells_what_has_changed_first(tmp_path: Path) -> None:
    stored = Versions(tmp_path)
    for text in ("a\nb\nc\n", "a\n  x\nc\n", "a\nc\n", "a\nc\n\nd\n"):
        stored.store(GAME, text, version_history.PANE)
    assert [(one.line, one.is_removed) for one in stored.list_versions(GAME)] == [
        ("d", False),
        ("x", True),
        ("x", False),
        ("", False),
    ]
    stored.close()


def test_a_request_that_the_end_cuts_off_is_answered_so() -> None:
    def work(request: Request, body: object) -> object:
        raise asyncio.CancelledError

    app = Starlette(routes=[Route("/", json_handler(work))])
    assert TestClient(app).get("/").status_code == 503


def test_text_typed_without_a_pause_is_one_version(tmp_path: Path) -> None:
    stored = Versions(tmp_path)
    for text in ("a", "ab", "abc"):
        stored.store(GAME, text, version_history.TYPED)
    assert [stored.text(GAME, one.id) for one in stored.list_versions(GAME)] == ["abc"]
    stored.set_label(GAME, stored.list_versions(GAME)[0].id, "good")
    stored.store(GAME, "abcd", version_history.TYPED)
    assert [(stored.text(GAME, one.id), one.label) for one in stored.list_versions(GAME)] == [
        ("abcd", ""),
        ("abc", "good"),
    ]
    stored.close()


TYPING = """
import sys
from pathlib import Path
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.shared_text import TextUpdate
from rulewright.workbench.core.workspace import Workspace
bench = Bench(Workspace(Path(sys.argv[1])))
text, version, _ = bench.text_for_window("guessing.yaml")
bench.push("guessing.yaml", version, [TextUpdate("one", [len(text), [0, "# last words", ""]])])
print("typed", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize("changed", [False, True], ids=["as it was", "changed since"])
def test_typed_text_survives_a_killed_process(tmp_path: Path, changed: bool) -> None:
    (tmp_path / GAME).write_text(GUESSING, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter")}
    with subprocess.Popen(
        [sys.executable, "-c", TYPING, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as typing:
        assert typing.stdout is not None
        assert typing.stdout.readline() == b"typed\n"
        typing.send_signal(signal.SIGKILL)
    if changed:
        (tmp_path / GAME).write_text(f"# theirs\n{GUESSING}", encoding="utf-8")
    bench = Bench(Workspace(tmp_path))
    expected = f"{GUESSING}# last words\n"
    if changed:
        expected = f"# theirs\n{expected}"
    assert bench.text_for_window(GAME) == (expected, 0, False)
    bench.compiled(GAME)
    assert (tmp_path / GAME).read_text(encoding="utf-8") == expected
    bench.close()
