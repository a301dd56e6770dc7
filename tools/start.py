"""Run Rulewright from a checkout: `python3 tools/start.py play`.

Everything after the script's name goes to `rulewright`; nothing there means `play`. The first run
sets up `.venv` in the checkout, and so does the first run after `pyproject.toml` has changed; every
other run starts at once. The folder `.venv` is this script's own: it may be rebuilt at any time.

Only the standard library, and nothing that Python 3.8 could not parse: an old Python shall get
a sentence to read, not a SyntaxError.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, Iterator, Sequence

import bundle_pages

if sys.platform != "win32":
    import fcntl

ROOT = Path(__file__).resolve().parents[1]
OLDEST_PYTHON = (3, 11)
RESOLVER = "uv>=0.5,<1"
"""The package that installs developers' environments, and finds least versions."""
UNFINISHED: dict[str, Any] = {}

NO_PIP = """\
Rulewright cannot set itself up: this Python has neither 'ensurepip' nor 'pip'. On Debian or Ubuntu
install them with 'apt install python3-venv' (as root), elsewhere install the full Python from your
system's packages; then run this command again."""

NO_CHECKOUT = """\
{root} is not a checkout of Rulewright: it has no pyproject.toml. Run this script from a complete
copy of the project, or, where Rulewright is installed already, run 'rulewright play'."""

NO_NETWORK = """\
Rulewright could not set itself up: the network does not answer. The first run fetches a few Python
libraries; later runs need no network. Connect this machine (or set up its proxy), then run this
command again."""

FAILED = """\
Rulewright could not set itself up; what '{step}' said is above. Run this command again to try once
more; if that does not help, delete the folder {environment} first."""

NOT_YOURS = """\
Rulewright could not set itself up: '{path}' belongs to another user of this machine, who may run this command once.
Or make a clone of your own."""

NEEDS: dict[str, tuple[str, ...]] = {
    "cards": ("print",),
    "check": ("print",),
    "compare": ("simulate",),
    "data": ("serve",),
    "design": ("design",),
    "language-server": ("edit",),
    "report": ("simulate",),
    "rulebook": ("print",),
    "serve": ("serve",),
    "simulate": ("simulate",),
    "train": ("simulate",),
    "tune": ("tune",),
}
"""The extras that a command needs; the others need none."""

MORE_NEEDS = (("postgres", "postgresql"), ("--metrics", "metrics"), ("policy", "simulate"))
"""Extras by the beginning of an argument: a database, metrics, a trained player."""

NETWORK_TROUBLE = (
    "connection broken by",
    "ConnectionError",
    "ConnectTimeoutError",
    "name resolution",
    "Network is unreachable",
    "error sending request",
)


class SetUpError(Exception):
    """Rulewright could not be set up; the text is for the person at the keyboard."""


def too_old(version: Sequence[int]) -> str | None:
    """Return a message about an unsuitable version of Python; None for a suitable one."""
    if tuple(version[:2]) >= OLDEST_PYTHON:
        return None
    needed = ".".join(map(str, OLDEST_PYTHON))
    result = ".".join(map(str, version[:2]))
    return f"Rulewright needs Python {needed} or newer; this is Python {result}."


def prepare(root: Path, *extras: str) -> None:
    """Make sure that `.venv` holds Rulewright and the extras.

    Where that fails, say why and leave: SystemExit 2, or 130 after Ctrl-C.
    """
    try:
        complaint = too_old(sys.version_info[:2])
        if complaint:
            raise SetUpError(complaint)
        if not (root / "pyproject.toml").is_file():
            raise SetUpError(NO_CHECKOUT.format(root=root))
        if not is_ready(root, extras):
            set_up(root, extras)
    except SetUpError as error:
        tell(str(error))
        raise SystemExit(2) from None
    except PermissionError as error:
        tell(NOT_YOURS.format(path=error.filename))
        raise SystemExit(2) from None
    except OSError as error:
        tell(f"Rulewright could not set itself up: {error}.")
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        tell("\nSet-up interrupted. The next run starts it afresh.")
        raise SystemExit(130) from None


def prepare_pages(root: Path, tools: bool = False) -> None:
    """Make sure that the pages are bundled and the workbench has its editor, and that the tools are there which check
    them, where these are wanted; where that fails, say why and leave: SystemExit 2."""
    if bundle_pages.is_fresh(root, tools):
        return
    environment = root / ".venv"
    try:
        with one_at_a_time(root) as lock:
            tell("Making the pages and the workbench's editor (once, some seconds) …")
            if shutil.which("npm") is None:
                install(environment, [bundle_pages.NODE], root, lock)
            maker = str(root / "tools" / "bundle_pages.py")
            run_quietly([command(root, "python"), maker, *(["--tools"] if tools else [])], environment, lock=lock)
    except SetUpError as error:
        tell(str(error))
        raise SystemExit(2) from None
    except PermissionError as error:
        tell(NOT_YOURS.format(path=error.filename))
        raise SystemExit(2) from None


def tell(text: str) -> None:
    """Speak on stderr, which leaves stdout to `rulewright`."""
    print(text, file=sys.stderr, flush=True)


def executable(environment: Path, name: str) -> Path:
    """Return the path of a command in a virtual environment."""
    if sys.platform == "win32":
        return environment / "Scripts" / f"{name}.exe"
    return environment / "bin" / name


def command(root: Path, name: str) -> str:
    """The command `name` of the checkout's own environment."""
    return str(executable(root / ".venv", name))


# The stamp tells what `.venv` was set up from. It is UNFINISHED while a set-up is under way, so that
# the next run recognises one that was interrupted.


def fingerprint(root: Path) -> dict[str, Any]:
    """Return a digest of all that an environment depends on besides its extras; it cannot be moved, hence the root."""
    return {
        "python": list(sys.version_info[:2]),
        "root": str(root),
        "pyproject": hashlib.sha256((root / "pyproject.toml").read_bytes()).hexdigest(),
    }


def stamp_file(root: Path) -> Path:
    return root / ".venv" / "rulewright-stamp.json"


def read_stamp(root: Path) -> dict[str, Any] | None:
    """The stamp; UNFINISHED also for an unreadable one, None where there is none."""
    try:
        stamp = json.loads(stamp_file(root).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        return UNFINISHED
    return stamp if isinstance(stamp, dict) else UNFINISHED


def write_stamp(root: Path, stamp: dict[str, Any]) -> None:
    """Replace the stamp in one step: a reader meets the old one or the new one."""
    draft = stamp_file(root).with_suffix(".new")
    draft.write_text(json.dumps(stamp), encoding="utf-8")
    draft.replace(stamp_file(root))


def is_ready(root: Path, extras: Sequence[str]) -> bool:
    """Whether `.venv` is complete, up to date and has the extras."""
    stamp = read_stamp(root)
    if not stamp or not set(extras) <= set(stamp.get("extras", [])):
        return False
    if any(stamp.get(key) != value for key, value in fingerprint(root).items()):
        return False
    return all(Path(command(root, name)).exists() for name in ("python", "rulewright"))


def is_broken(root: Path, stamp: dict[str, Any]) -> bool:
    """Whether an environment of ours is beyond updating: half made, moved, or of another Python."""
    current = fingerprint(root)
    moved = any(stamp.get(key) != current[key] for key in ("python", "root"))
    return moved or not Path(command(root, "python")).exists()


def set_up(root: Path, extras: Sequence[str]) -> None:
    """Make or update `.venv`; SetUpError says why it could not be done."""
    with one_at_a_time(root) as lock:
        if is_ready(root, extras):  # another run did it while this one waited
            return
        tell("Setting up Rulewright in .venv (once, about a minute) …")
        environment = root / ".venv"
        stamp = read_stamp(root)
        if stamp is not None and is_broken(root, stamp):
            shutil.rmtree(environment)
        environment.mkdir(exist_ok=True)
        write_stamp(root, UNFINISHED)
        if not executable(environment, "python").exists():
            create_environment(environment, lock)
        # Extras stay: `start.py` after `verify.py` must not throw the development tools away.
        expected = sorted({*extras, *(stamp or UNFINISHED).get("extras", [])})
        target = f".[{','.join(expected)}]" if expected else "."
        if "dev" in expected:
            install_for_developers(environment, ["--editable", target], root, lock)
        else:
            install(environment, ["--editable", target], root, lock)
            compile_modules(environment, root)
        write_stamp(root, {**fingerprint(root), "extras": expected})


@contextlib.contextmanager
def one_at_a_time(root: Path) -> Iterator[IO[str]]:
    """Wait for other runs to finish their set-up, then keep them out.

    Gives the locked file (on Windows, where there is no fcntl, it is not locked). It is the standard
    input of every step, because that is what children and their children inherit: where this run is
    killed and its pip lives on, the next run waits for that pip.
    """
    with (root / ".venv.lock").open("w+", encoding="utf-8") as file:
        if sys.platform != "win32":
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                tell("Another run is setting up Rulewright; waiting for it …")
                fcntl.flock(file, fcntl.LOCK_EX)
        yield file


def create_environment(environment: Path, lock: IO[str] | None = None) -> None:
    """A virtual environment; without a pip of its own where Debian has split ensurepip off."""
    options = []
    if importlib.util.find_spec("ensurepip") is None:
        if importlib.util.find_spec("pip") is None:
            raise SetUpError(NO_PIP)
        options = ["--without-pip"]
    run_quietly([sys.executable, "-m", "venv", *options, str(environment)], environment, lock=lock)


def install(environment: Path, kinds: Sequence[str], folder: Path, lock: IO[str] | None = None) -> None:
    """Let pip install `kinds` in the environment, seen from `folder`."""
    pip = [*pip_for(environment), "--disable-pip-version-check", "--no-input"]
    run_quietly([*pip, "install", "--no-compile", *kinds], environment, folder=folder, lock=lock)


def install_for_developers(environment: Path, kinds: Sequence[str], folder: Path, lock: IO[str] | None = None) -> None:
    """Let uv install `kinds`: of a hundred packages it takes a fifth of pip's time, and what a check needs of their
    modules is compiled as it is imported. Where uv finds no packages, pip installs them: it may be set to find them
    elsewhere, which uv does not read."""
    python = str(executable(environment, "python"))
    fetch = [*pip_for(environment), "--disable-pip-version-check", "--no-input", "install", RESOLVER]
    uv = [str(executable(environment, "uv")), "pip", "install", "--quiet", "--python", python, *kinds]
    for step in (fetch, uv):
        if not succeeds(step, folder, lock):
            install(environment, kinds, folder, lock)
            return


def succeeds(step: Sequence[str], folder: Path, lock: IO[str] | None = None) -> bool:
    """Run a step for which there is another way, and return whether it succeeds."""
    stdin = lock or subprocess.DEVNULL
    try:
        return subprocess.run(step, cwd=folder, stdin=stdin, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def compile_modules(environment: Path, root: Path) -> None:
    """Keep modules in the form that Python starts quickly from, also where it is told not to do so by itself: on all
    cores, while pip uses one."""
    words = [str(executable(environment, "python")), "-m", "compileall", "-q", "-j", "0"]
    words += [str(environment), str(root / "interpreter")]
    with contextlib.suppress(OSError):
        subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)


def pip_for(environment: Path) -> list[str]:
    """The command of a pip that installs in the environment: its own or this Python's."""
    python = str(executable(environment, "python"))
    own = subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False)
    if own.returncode == 0:
        return [python, "-m", "pip"]
    if importlib.util.find_spec("pip") is None:
        raise SetUpError(NO_PIP)
    return [sys.executable, "-m", "pip", "--python", python]


def run_quietly(
    step: Sequence[str], environment: Path, folder: Path | None = None, lock: IO[str] | None = None
) -> None:
    """Run a step of the set-up; its output is shown only where it fails, with a SetUpError."""
    done = subprocess.run(
        step,
        cwd=folder,
        stdin=lock or subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode == 0:
        return
    if any(sign in done.stdout for sign in NETWORK_TROUBLE):
        raise SetUpError(NO_NETWORK)
    tell(done.stdout)
    raise SetUpError(FAILED.format(step=" ".join(step), environment=environment))


def hand_over(program: str, arguments: Sequence[str]) -> int:
    """Become the program, with this process's terminal and exit status; on Windows, wait for it."""
    if sys.platform == "win32":
        return subprocess.call([program, *arguments])
    os.execv(program, [program, *arguments])


def extras_for(arguments: Sequence[str]) -> list[str]:
    """Return the extras that a command line needs."""
    expected = {*NEEDS.get(arguments[0] if arguments else "", ())}
    for word in arguments[1:]:
        expected.update(extra for start, extra in MORE_NEEDS if start in word)
    return sorted(expected)


def main(arguments: Sequence[str]) -> int:
    """Set Rulewright up where needed and run it; its exit status, or 2 if it could not be set up."""
    prepare(ROOT, *extras_for(arguments))
    if "design" in arguments[:1]:
        prepare_pages(ROOT)
    return hand_over(command(ROOT, "rulewright"), arguments or ["play"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
