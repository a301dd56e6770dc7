"""Start times of commands, beside an empty Python: `python tools/benchmark_start.py [--rounds N]`.

Each command runs as a process of its own, as people type it, in turns with `python -c pass` of the same environment.
Printed is the least processor time (user and system) of each, and how many times that of the empty Python it is. A
command that plays stops at its first question, since nobody answers; one that asks only at a terminal has one. An
edition is known when its compiled form is in the cache, and changed when its file has just been written anew. Python
may keep compiled modules, as it does for people.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pty
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RULEWRIGHT = str(Path(sysconfig.get_path("scripts"), "rulewright"))


@dataclass(frozen=True)
class Command:
    """Command to measure. most: how many times an empty Python it may take; terminal: whether it runs at one, where its
    questions get the end of input for an answer; before: what is done before each measured run."""

    text_printed: str
    words: list[str]
    most: int
    terminal: bool = False
    before: Callable[[], None] = lambda: None


def change(edition: Path) -> None:
    """Change an edition, as somebody does who works on it."""
    text = edition.read_text("utf-8").partition("\n# changed")[0]
    edition.write_text(f"{text}\n# changed at {time.monotonic_ns()}\n", "utf-8")


def commands(folder: Path) -> list[Command]:
    """Copy the editions into a folder, and return the commands; some of them change what is copied."""
    editions = Path(shutil.copytree(ROOT / "editions", folder / "editions"))
    cards, wildlife = editions / "wild-cards" / "2022.yaml", editions / "wildlife" / "2002.yaml"
    play, check = [RULEWRIGHT, "play"], [RULEWRIGHT, "check"]
    book = ["rulebook", "wildlife/2002", "--format", "html", "--out", str(folder / "book.html")]
    start = [sys.executable, str(ROOT / "tools" / "start.py"), "play"]
    return [
        Command("--version", [RULEWRIGHT, "--version"], 5),
        Command("tools/start.py play", start, 25, terminal=True),
        Command("play wild-cards/2022", [*play, "wild-cards/2022"], 20),
        Command("play wild-cards/2022, changed", [*play, str(cards)], 50, before=lambda: change(cards)),
        Command("check wildlife/2002", [*check, "wildlife/2002"], 40),
        Command("check wildlife/2002, changed", [*check, str(wildlife)], 80, before=lambda: change(wildlife)),
        Command("rulebook wildlife/2002", [RULEWRIGHT, *book], 100),
    ]


def seconds(words: list[str], folder: Path, terminal: bool = False) -> float:
    """Run words once, with caches and home in a folder; return the processor time, even if they fail."""
    if terminal:
        ours, theirs = pty.openpty()
    else:
        ours = theirs = os.open(os.devnull, os.O_RDWR)
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    stored = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"), "XDG_STATE_HOME": str(folder / "state")}
    process = subprocess.Popen(
        words,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env={**usual, **stored, "LANG": "en_GB.UTF-8", "TERM": "xterm"},
    )
    if terminal:
        os.close(theirs)
        with contextlib.suppress(OSError):  # Linux tells so that the other side has closed
            while os.read(ours, 10_000):
                os.write(ours, b"\x04")  # whatever was asked, the input ends
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    os.close(ours)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, help="how often each is run; else 7")
    parser.add_argument("--only", default="", metavar="TEXT", help="those commands that have this in them")
    rounds, only = (arguments := parser.parse_args()).rounds, arguments.only
    print(f"{'':34} {'seconds':>8} {'times':>6} {'most':>5}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for command in commands(folder):
            if only not in command.text_printed:
                continue
            seconds(command.words, folder, command.terminal)
            least, empty = 1e9, 1e9
            for _ in range(rounds):
                empty = min(empty, *(seconds([sys.executable, "-c", "pass"], folder) for _ in range(3)))
                command.before()
                least = min(least, seconds(command.words, folder, command.terminal))
            print(f"{command.text_printed:34} {least:8.3f} {least / empty:6.1f} {command.most:5}", flush=True)


if __name__ == "__main__":
    main()
