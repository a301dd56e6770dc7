"""The script that runs Rulewright from a checkout; no test here installs anything."""

import ast
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import bundle_pages
import start
from rulewright.commands.arguments import build_parsers
from rulewright.i18n.languages import localizer_for

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose environment counts as set up; its `rulewright` tells its arguments, then exits 7."""
    (tmp_path / "tools").mkdir()
    for script in (start.__file__, bundle_pages.__file__):
        shutil.copy(script, tmp_path / "tools")
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    for name in ("python", "rulewright"):
        path = Path(start.command(tmp_path, name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('#!/bin/sh\necho "$@"\nexit 7\n', encoding="utf-8")
        path.chmod(0o755)
    start.write_stamp(tmp_path, {**start.fingerprint(tmp_path), "extras": ["print", "serve", "simulate"]})
    return tmp_path


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that a set-up would have run."""
    ran: list[list[str]] = []

    def record(step: Sequence[str], *_: object, **__: object) -> None:
        ran.append(list(step))

    monkeypatch.setattr(start, "run_quietly", record)
    monkeypatch.setattr(start, "pip_for", lambda environment: ["pip"])
    return ran


def run_script(checkout: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    script = checkout / "tools" / "start.py"
    return subprocess.run([sys.executable, str(script), *arguments], capture_output=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("script", ["start.py", "verify.py", "bundle_pages.py"])
def test_old_python_can_parse(script: str) -> None:
    source = (start.ROOT / "tools" / script).read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 8))


def test_old_python_gets_one_line() -> None:
    assert start.too_old((3, 11, 0)) is None
    assert start.too_old((3, 8, 18)) == "Rulewright needs Python 3.11 or newer; this is Python 3.8."


@posix_only
def test_arguments_and_exit_status_pass_through(checkout: Path) -> None:
    done = run_script(checkout, "new", "--help", "a b")
    assert (done.returncode, done.stdout, done.stderr) == (7, "new --help a b\n", "")


@posix_only
def test_no_arguments_mean_play(checkout: Path) -> None:
    assert run_script(checkout).stdout == "play\n"


def test_a_folder_that_is_no_checkout_is_refused(checkout: Path) -> None:
    (checkout / "pyproject.toml").unlink()
    done = run_script(checkout)
    assert (done.returncode, done.stdout) == (2, "")
    assert "not a checkout" in done.stderr


def test_matching_stamp_means_no_set_up(checkout: Path, steps: list[list[str]]) -> None:
    start.prepare(checkout)
    assert steps == []


def test_changed_project_is_installed_again(checkout: Path, steps: list[list[str]]) -> None:
    (checkout / "pyproject.toml").write_text("[project]\nname = 'other'\n", encoding="utf-8")
    start.prepare(checkout)
    assert [step[-2:] for step in steps] == [["--editable", ".[print,serve,simulate]"]]
    assert start.is_ready(checkout, [])


def test_extras_are_added_and_stay(checkout: Path, steps: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "succeeds", lambda *_: False)
    start.prepare(checkout, "dev")
    (checkout / "pyproject.toml").write_text("[project]\nname = 'other'\n", encoding="utf-8")
    start.prepare(checkout)
    expected = [".[dev,print,serve,simulate]", ".[dev,print,serve,simulate]"]
    assert [step[-1] for step in steps if step[-2] == "--editable"] == expected


@pytest.mark.parametrize("works", ["fetch", "uv", ""])
def test_contributors_install_with_uv_or_else_with_pip(
    checkout: Path, steps: list[list[str]], monkeypatch: pytest.MonkeyPatch, works: str
) -> None:
    tried: list[list[str]] = []

    def succeeds(step: Sequence[str], *_: object) -> bool:
        tried.append(list(step))
        return works == "uv" or (works == "fetch" and step[-1] == start.RESOLVER)

    monkeypatch.setattr(start, "succeeds", succeeds)
    start.prepare(checkout, "dev")
    uv = [step for step in tried if step[0] == str(start.executable(checkout / ".venv", "uv"))]
    assert tried[0][-1] == start.RESOLVER and len(uv) == (works != "")
    assert [step[0] for step in steps] == ([] if works == "uv" else ["pip"])
    assert start.is_ready(checkout, ["dev"])


def edited(**changes: Any) -> Callable[[Path], None]:
    def spoil(checkout: Path) -> None:
        start.write_stamp(checkout, {**start.fingerprint(checkout), "extras": [], **changes})

    return spoil


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda checkout: start.write_stamp(checkout, start.UNFINISHED), id="interrupted"),
        pytest.param(lambda checkout: start.stamp_file(checkout).write_text("{"), id="garbled"),
        pytest.param(lambda checkout: Path(start.command(checkout, "python")).unlink(), id="no python"),
        pytest.param(edited(python=[3, 99]), id="another Python"),
        pytest.param(edited(root="/elsewhere"), id="moved"),
    ],
)
def test_broken_environment_is_rebuilt(checkout: Path, steps: list[list[str]], spoil: Callable[[Path], None]) -> None:
    spoil(checkout)
    start.prepare(checkout)
    assert [step[1:3] for step in steps if "venv" in step] == [["-m", "venv"]]
    assert not Path(start.command(checkout, "rulewright")).exists()


def test_an_environment_of_another_user_is_kept(checkout: Path, steps: list[list[str]]) -> None:
    start.stamp_file(checkout).unlink()
    start.prepare(checkout)
    assert not any("venv" in step for step in steps)
    assert Path(start.command(checkout, "rulewright")).exists()


@posix_only
def test_next_set_up_waits_for_the_orphans_of_a_killed_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grandchild = "import subprocess; subprocess.Popen(['sleep', '0.5'])"
    with start.one_at_a_time(tmp_path) as lock:
        subprocess.run([sys.executable, "-c", grandchild], stdin=lock, check=True)
    with start.one_at_a_time(tmp_path):
        assert "Another run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "extras"),
    [
        ("", []),
        ("play --players you,greedy", []),
        ("play --players you,Eva:policy:eva.safetensors", ["simulate"]),
        ("learn wild-cards/2022", []),
        ("check simulate.yaml", ["print"]),
        ("serve", ["serve"]),
        ("serve --metrics 9100 --data postgresql://db/rw", ["metrics", "postgresql", "serve"]),
        ("serve --policy=eva.safetensors", ["serve", "simulate"]),
        ("data backup copy", ["serve"]),
        ("simulate wild-cards/2022", ["simulate"]),
        ("rulebook wild-cards/2022", ["print"]),
        ("design", ["design"]),
    ],
)
def test_no_more_is_installed_than_a_command_needs(words: str, extras: list[str]) -> None:
    assert start.extras_for(words.split()) == extras


def test_every_command_that_needs_more_is_known() -> None:
    """Extras are those of the package, and commands are its own."""
    declared = tomllib.loads((start.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {extra for extras in start.NEEDS.values() for extra in extras} | {extra for _, extra in start.MORE_NEEDS}
    assert names <= set(declared["optional-dependencies"])
    _, commands = build_parsers(localizer_for("en"))
    assert set(start.NEEDS) <= set(commands)


def test_a_checkout_of_another_user_gives_a_message(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(checkout / ".venv.lock"))

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(SystemExit) as leaving:
        start.prepare(checkout, "tune")
    text = capsys.readouterr().err
    assert leaving.value.code == 2
    assert "belongs to another user" in text and "clone of your own" in text and "Errno" not in text


def test_failed_step_shows_its_output(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start.write_stamp(checkout, start.UNFINISHED)
    error = "print('out of cheese')"
    monkeypatch.setattr(start, "create_environment", lambda *_: fail_with(error, checkout))
    with pytest.raises(SystemExit) as leaving:
        start.prepare(checkout)
    assert leaving.value.code == 2
    assert "out of cheese" in capsys.readouterr().err
    assert not start.is_ready(checkout, [])


def test_no_network_is_one_paragraph(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start.write_stamp(checkout, start.UNFINISHED)
    error = "print('Retrying after connection broken by NewConnectionError')"
    monkeypatch.setattr(start, "create_environment", lambda *_: fail_with(error, checkout))
    with pytest.raises(SystemExit):
        start.prepare(checkout)
    text = capsys.readouterr().err
    assert "network" in text
    assert "Retrying" not in text


def fail_with(code: str, checkout: Path) -> None:
    start.run_quietly([sys.executable, "-c", f"{code}; raise SystemExit(1)"], checkout / ".venv")


def test_python_without_any_pip_is_told_what_to_install(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start.write_stamp(checkout, start.UNFINISHED)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SystemExit):
        start.prepare(checkout)
    assert "python3-venv" in capsys.readouterr().err
