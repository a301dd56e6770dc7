"""Program behind a double click: the workbench, in the browser, with a folder of one's own.

With arguments it is the command `rulewright`; this is also how it starts itself again for what needs a process of its
own. A file that is dropped on it, or opened with it, is shown: an edition where it lies, a `.rulewright` file after it
has been unpacked into the folder.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

END_AFTER = "5"
"""Minutes after the last window has been closed."""
OWN = "Rulewright"
_DOCUMENTS_DIRECTORY = re.compile(r'(?m)^XDG_DOCUMENTS_DIR="(.*)"')


def documents() -> Path:
    """Return the folder where people look for their documents."""
    if sys.platform == "win32":
        # By its whole path: else Windows looks first in the folder of the file that was double-clicked.
        shell = Path(os.environ["SYSTEMROOT"], "System32", "WindowsPowerShell", "v1.0", "powershell.exe")
        text = _answer(str(shell), "-NoProfile", "-Command", "[Environment]::GetFolderPath('MyDocuments')")
        return Path(text) if text else Path.home() / "Documents"
    if sys.platform != "darwin":
        home = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
        try:
            choice = _DOCUMENTS_DIRECTORY.search(Path(home, "user-dirs.dirs").read_text("utf-8"))
        except (OSError, ValueError):
            choice = None
        if choice and (path := Path(choice[1].replace("$HOME", str(Path.home())))).is_absolute():
            return path
    return Path.home() / "Documents"


def _answer(*command: str) -> str:
    hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False, creationflags=hidden)
    except (OSError, subprocess.SubprocessError):
        return ""
    return result.stdout.strip()


def commands(words: Sequence[str], folder: Path) -> list[list[str]]:
    """Return the commands to run, each as words for `rulewright`, the last of them until it ends."""
    opened = Path(words[0]) if len(words) == 1 else None
    if words and not (opened and opened.is_file()):
        return [list(words)]
    design = ["design", "--end-after", END_AFTER]
    if opened is None:
        return [[*design, str(folder)]]
    if opened.suffix == ".rulewright":
        return [["unpack", str(opened), "--dir", str(folder)], [*design, str(folder)]]
    return [[*design, str(opened)]]


def speak() -> None:
    """A program without a window of its own has nowhere to write to; what it says is kept beside the games, for this
    user alone: it holds the address that opens the workbench."""
    if sys.stdout is None or sys.stderr is None:
        folder = documents() / OWN
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "rulewright.log"
        path.unlink(missing_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        log = open(file, "w", encoding="utf-8", buffering=1)  # noqa: SIM115 - until the program ends
        sys.stdout, sys.stderr = sys.stdout or log, sys.stderr or log


def leave_libraries() -> None:
    """The libraries that this program brings along are for itself: the browser that it opens has its own."""
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        before = os.environ.pop(f"{name}_ORIG", None)
        os.environ.pop(name, None)
        if before:
            os.environ[name] = before


def main() -> int:
    multiprocessing.freeze_support()
    leave_libraries()
    from rulewright.cli import main as rulewright  # noqa: PLC0415 - a process that only works for another ends before

    speak()
    words = [word for word in sys.argv[1:] if not word.startswith("-psn_")]  # which older macOS adds
    folder = documents() / OWN
    if not words or Path(words[0]).is_file():
        folder.mkdir(parents=True, exist_ok=True)
    status = 0
    for command in commands(words, folder):
        status = rulewright(command)
    return status


if __name__ == "__main__":
    sys.exit(main())
