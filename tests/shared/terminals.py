"""Rulewright at a pseudo-terminal."""

import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pexpect
import pyte

import rulewright

LONG = 60  # seconds until a terminal that says nothing counts as stuck
SHORT = 2  # seconds until somebody presses a key again


ROWS, COLUMNS = 24, 80


class Terminal:
    """`rulewright` at a pseudo-terminal; `screen` holds what stands on it, `raw` all that was ever written."""

    def __init__(self, folder: Path, *argv: str, columns: int = COLUMNS, rows: int = ROWS, **environment: str) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.raw = ""
        env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        env |= {"TERM": "xterm-256color", "XDG_STATE_HOME": str(folder), "PYTHONIOENCODING": "utf-8", **environment}
        if argv[:1] == ("play",) and "--pace" not in argv:
            argv = (*argv, "--pace", "at-once")
        env["PYTHONPATH"] = str(Path(rulewright.__file__).parents[1])  # pytest's own path may be relative
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "rulewright", *argv],
            dimensions=(rows, columns),
            env=env,
            cwd=str(folder),
            encoding="utf-8",
            timeout=LONG,
            preexec_fn=_interruptible,
        )
        self.child.logfile_read = self
        self.child.delaybeforesend = None  # who types waits for what is asked
        self.child.ptyproc.delayafterclose = 0.0  # type: ignore[attr-defined]

    def write(self, text: str) -> None:
        self.raw += text
        self.stream.feed(text)

    def flush(self) -> None:
        """Part of what pexpect wants of a log file."""

    def until(self, *patterns: Any) -> int:
        """Read until one of the patterns has been written; which one."""
        number: int = self.child.expect(list(patterns))
        return number

    def wait_for_prompt(self, name: str = "You") -> None:
        """Read until the cursor waits behind a person's name."""
        self.until(rf"{name}( \([^\r\n]*\))?>(\x1b\[0m)? ")

    def type(self, text: str) -> None:
        self.child.send(text + "\r")

    def screen_text(self) -> str:
        """The screen's text."""
        return "\n".join(line.rstrip() for line in self.screen.display).strip("\n")

    def line(self, start: str) -> str:
        """The last line on the screen that begins so."""
        return [line for line in self.screen_text().splitlines() if line.startswith(start)][-1]

    def ended(self) -> int:
        """Read to the end; the exit status, or minus the signal."""
        self.until(pexpect.EOF)
        self.child.wait()
        self.child.close()
        status: int | None = self.child.exitstatus
        return -(self.child.signalstatus or 0) if status is None else status

    def text(self) -> str:
        """All that was written, without colours and control sequences."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.raw).replace("\r\n", "\n")


def _interruptible() -> None:
    """Restore interrupts, which a background run of the tests and all its processes ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
