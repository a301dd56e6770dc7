"""The wheel, built and installed in an environment that knows nothing of this checkout."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

import start


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    # From the folder `out`: in the checkout a folder named `build` would shadow the module.
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", ".", str(start.ROOT)], out)
    [path] = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def rulewright(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The command of a fresh environment that holds the wheel; what it depends on is borrowed from the one that runs
    the tests, whose own checkout is not found from there."""
    environment = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(environment, with_pip=False)
    start.install(environment, ["--no-deps", "--no-index", str(wheel)], environment)
    paths = {"base": str(environment), "platbase": str(environment)}
    [inside] = {sysconfig.get_path("purelib", "venv", paths)}
    Path(inside, "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return str(start.executable(environment, "rulewright"))


@pytest.mark.long
def test_wheel_brings_what_it_needs(wheel: Path, tmp_path: Path) -> None:
    start.create_environment(tmp_path / "venv")
    start.install(tmp_path / "venv", [str(wheel)], tmp_path)
    assert "2022" in run([str(start.executable(tmp_path / "venv", "rulewright")), "editions"], tmp_path)


def run(command: Sequence[str], folder: Path) -> str:
    """The command's stdout; it must succeed, with nothing to read from stdin."""
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        command,
        cwd=folder,
        env=clean,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.rotating(3)
def test_wheel_carries_the_data_and_the_license(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for folder in ("rulewright/spec/", "rulewright/editions/", "rulewright/locales/"):
        assert any(name.startswith(folder) for name in names), folder
    assert "rulewright/py.typed" in names
    assert not any(name.endswith(".png") and "/server/page/" not in name for name in names)  # the README's pictures
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    bundles = [name.partition("/bundles/")[::2] for name in names if "/bundles/" in name]
    assert {room for room, _ in bundles} == {"rulewright/server", "rulewright/workbench"}
    results = {name for _, name in bundles}
    assert results >= {"index.html", "table.html", "learn.html", "design.html", "remarks.html", "editor.js", "digest"}


@pytest.mark.rotating(12)
def test_installed_wheel_lists_the_editions(rulewright: str, tmp_path: Path) -> None:
    assert "2022" in run([rulewright, "editions"], tmp_path)


@pytest.mark.rotating(3)
def test_installed_wheel_plays_a_whole_game(rulewright: str, tmp_path: Path) -> None:
    seats = ",".join(["random"] * 4)
    output = run([rulewright, "play", "--edition", "2022", "--seats", seats, "--seed", "7"], tmp_path)
    assert "score" in output.lower()
