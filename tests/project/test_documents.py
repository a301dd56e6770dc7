"""The pages that people read: what they show can be typed, and where they point, there is something."""

from __future__ import annotations

import io
import os
import re
import shlex
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import screenshots
import verify
from documents import Block, blocks
from project_folders import ROOT, SPEC
from rulewright import cli
from rulewright.commands.arguments import build_parsers
from rulewright.i18n.languages import localizer_for

PACKAGE = Path(cli.__file__).parent
PAGE = PACKAGE / "server" / "page"
INDEX = SPEC / "README.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
PAGES = [ROOT / "README.md", CONTRIBUTING, *sorted(SPEC.glob("*.md"))]
WITH_OWN_TESTS = {
    "DIAGNOSTICS.md",
    "FIRST_GAME.md",
    "FORMAT.md",
    "LANGUAGE.md",
    "SCENARIOS.md",
    "STYLE.md",
    "TRANSLATING.md",
}
PLAIN = [page for page in PAGES if page.name not in WITH_OWN_TESTS]
WIDEST, HEAVIEST = 1200, 250_000  # of pictures: pixels, bytes
TWO_SCREENS = 100

_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(!?)\[([^]]*)\]\(([^)\s]+)\)")


def page_name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def with_words(*words: str) -> list[Path]:
    return [page for page in PLAIN if any(block.words == words for block in blocks(page))]


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder as home and working folder, and nobody at the keyboard."""
    for name in ("HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    return tmp_path


# ── what can be typed ──


def test_no_block_is_left_out() -> None:
    """A block with words that no test knows would look tested and be dead."""
    known = [(), ("sh",), ("python",), ("python", "simulated"), ("json",), ("text", "map"), ("text", "said")]
    known += [("lua",), ("toml",)]  # of editors, which tests/editing set up by them
    for page in PLAIN:
        for block in blocks(page):
            assert block.words in known or (page == PAGES[0] and block.words == ("yaml",)), block.location


@pytest.mark.rotating(10)
@pytest.mark.parametrize("page", with_words("python"), ids=page_name)
def test_python_runs(page: Path, at_home: Path) -> None:
    namespace: dict[str, Any] = {"__name__": "page"}
    for block in blocks(page):
        if block.words == ("python",):
            run(block, namespace)


@pytest.mark.rotating(5)
@pytest.mark.parametrize("page", with_words("sh"), ids=page_name)
def test_commands_run(page: Path, at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Blocks of 'sh' are run; 'python simulated' opens what they left, and 'text said' is the output of the last
    ones."""
    if page == CONTRIBUTING:  # its commands name files of the tests
        os.chdir(ROOT)
    for block in blocks(page):
        if block.words == ("python", "simulated"):
            run(block, {})
        if block.words == ("text", "said"):
            assert capsys.readouterr().out == block.text, block.location
        if block.words == ("sh",):
            for command in commands(block):
                assert cli.main(command) == 0, f"{block.location}: {command}\n{capsys.readouterr()}"


def run(block: Block, namespace: dict[str, Any]) -> None:
    exec(compile("\n" * (block.line - 1) + block.text, block.file, "exec"), namespace)


def commands(block: Block) -> Iterator[list[str]]:
    """Yield the arguments of `rulewright` in a block, line by line."""
    for line in re.findall(r"(?m)^(?:rulewright|python3 tools/start\.py) (.*)$", block.text):
        yield shlex.split(line, comments=True)


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_commands_exist(page: Path) -> None:
    """Also those that wait for people, or that take too long to be run here."""
    parser, _ = build_parsers(localizer_for("en"))
    for block in blocks(page):
        if block.words in ((), ("sh",)):
            for command in commands(block):
                _, unknown = parser.parse_known_args(command)
                assert not unknown, f"{block.location}: {command}"


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_commands_and_tools_in_sentences_exist(page: Path) -> None:
    _, known = build_parsers(localizer_for("en"))
    text = page.read_text(encoding="utf-8")
    for word in re.findall(r"`(?:python3 tools/start\.py|rulewright) ([a-z-]+)", text):
        assert word in known or word == "simulation", word  # that is a key in a file
    for name in re.findall(r"\btools/\w+\.py", text):
        assert (ROOT / name).is_file(), name
    for argument in re.findall(r"python3 tools/verify\.py((?: [\w./-]+)*)", text):
        verify.steps(argument.split())  # raises UnknownRoom


@pytest.mark.parametrize(("page", "count"), [(CONTRIBUTING, 30), (SPEC / "ARCHITECTURE.md", 12)])
def test_files_named_for_contributors_exist(page: Path, count: int) -> None:
    """Paths are of the repository or of the package; placeholders are in capitals."""
    names = re.findall(r"`([\w./]+(?:/|\.(?:py|lark|wat|js|md|json|yaml)))`", prose(page))
    files = [name for name in names if not re.search("[A-Z]{4}", Path(name).stem) or name.endswith(".md")]
    assert len(files) > count
    assert not [name for name in files if not any((folder / name).exists() for folder in (ROOT, PACKAGE, PAGE))]


def test_every_command_and_its_options_are_listed() -> None:
    """COMMANDS.md lists them; an option in a row is one of the row's command."""
    _, known = build_parsers(localizer_for("en"))
    listed = set()
    rows = re.findall(r"(?m)^\| `([a-z-]+)(.*)$", (SPEC / "COMMANDS.md").read_text(encoding="utf-8"))
    for command, row in rows:
        listed.add(command)
        options = set(re.findall(r"(?<![\w-])--[a-z-]+", row))
        assert command == "locale" or options <= set(known[command].options()), command
    assert listed == known.keys()


def test_rules_in_the_readme_are_valid() -> None:
    views = [block for block in blocks(ROOT / "README.md") if block.words == ("yaml",)]
    whole = (SPEC / "LANGUAGE.md").read_text(encoding="utf-8")
    assert views and all(block.text in whole for block in views)


# ── where pages point ──


def prose(page: Path) -> str:
    return _FENCED.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page: headings, spelt as Git hosts spell them."""
    headings = re.findall(r"(?m)^#+ (.*)$", prose(page))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_lead_somewhere(page: Path) -> None:
    for _, text, link in _LINK.findall(prose(page)):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link
        assert text.strip(), link


def test_the_index_names_existing_rooms() -> None:
    rows = re.findall(r"(?m)^\| .* \| \[.*\) \|(.*)\|$", INDEX.read_text(encoding="utf-8"))
    assert len(rows) > 12
    for room in re.findall("`(.*?)`", " ".join(rows)):
        assert (PACKAGE / room / "__init__.py").is_file(), room


def test_the_index_has_every_page() -> None:
    linked = {link.partition("#")[0] for _, _, link in _LINK.findall(prose(INDEX))}
    assert {page.name for page in SPEC.glob("*.md")} - {"README.md"} <= linked


def test_every_classic_stands_in_the_table_of_games() -> None:
    files = [file for file in (ROOT / "editions" / "classics").glob("*.yaml") if ".examples" not in file.name]
    editions = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in files]
    titles = sorted(edition["title"].lower() for edition in editions if "extends" not in edition)
    table = re.compile(r"^\| ([^|]+?) \| (?:[^|]+ \|){2}$", re.MULTILINE)
    rows = table.findall((SPEC / "PLAYING.md").read_text(encoding="utf-8"))
    assert rows[1:] == titles


def test_the_readme_is_two_screens_and_leads_to_the_rest() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("\n") <= TWO_SCREENS
    assert "python3 tools/verify.py" in text
    assert "(spec/README.md)" in text


def test_pictures_are_small_described_and_made_by_the_tool() -> None:
    views = [
        (text, page.parent / link)
        for page in (ROOT / "README.md", SPEC / "WORKBENCH.md")
        for is_picture, text, link in _LINK.findall(prose(page))
        if is_picture
    ]
    assert [path for _, path in views] == [screenshots.picture(name) for name in screenshots.README]
    assert {screenshots.picture(name) for name in screenshots.README} == set(screenshots.PICTURES.iterdir())
    for text, path in views:
        content = path.read_bytes()
        assert len(text) > 40 and len(content) <= HEAVIEST
        assert content.startswith(b"\x89PNG\r\n\x1a\n")
        width, _ = struct.unpack(">II", content[16:24])
        assert width <= WIDEST
