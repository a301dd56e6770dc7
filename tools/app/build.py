"""Make the download that needs no Python: `python tools/app/build.py`, for the system that it runs on.

It needs the extra `app`: for what is handed out, `pip install --require-hashes -r tools/app/requirements.txt`, and then
the package with `--no-deps`. It writes `dist/Rulewright-VERSION-SYSTEM.zip` (on Linux `.tar.gz`): a folder with the
program to double-click. What was made is tried in an environment with nothing of this one before it is packed.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
BUILD = ROOT / "build" / "app"
MENU = """[Desktop Entry]
Type=Application
Name=Rulewright
Comment=Design tabletop games
Exec=sh -c 'exec "$(dirname "$1")/Rulewright"' Rulewright %k
Icon=applications-games
Categories=Game;Development;
Terminal=false
"""
"""Desktop entry, for desktops that start no program by a double click; %k is the path of this file."""


class BuildFailure(Exception):
    """Raised for a build that does not work."""


def main() -> int:
    subprocess.run([sys.executable, str(ROOT / "tools" / "bundle_pages.py")], check=True)
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(DIST), "--workpath", str(BUILD), str(Path(__file__).with_name("rulewright.spec"))]
    subprocess.run(command, check=True, cwd=ROOT)
    folder = DIST / ("Rulewright.app" if sys.platform == "darwin" else "Rulewright")
    if sys.platform.startswith("linux"):
        menu = folder / "Rulewright.desktop"
        menu.write_text(MENU, "utf-8")
        menu.chmod(0o755)
    try:
        tried(folder)
    except BuildFailure as failure:
        print(f"build: {failure}", file=sys.stderr)
        return 1
    print(f"Written: {packed(folder)}")
    return 0


def tried(folder: Path) -> None:
    """Use what was made as people will: a check, native games, a printed book, the language server. Raises
    BuildFailure."""
    inside = folder / "Contents" / "MacOS" if folder.suffix == ".app" else folder
    program = inside / f"rulewright-commands{'.exe' if sys.platform == 'win32' else ''}"
    with tempfile.TemporaryDirectory() as home:
        stored = ("SYSTEMROOT", "TEMP", "TMP") if sys.platform == "win32" else ()
        bare = {name: os.environ[name] for name in stored if name in os.environ}
        bare |= {"HOME": home, "USERPROFILE": home, "LOCALAPPDATA": home, "PATH": os.defpath}

        def ask_server(*words: str, argument: bytes = b"", expected: tuple[int, ...] = (0,)) -> str:
            command = [str(program), *words]
            result = subprocess.run(
                command, input=argument, capture_output=True, env=bare, cwd=home, timeout=600, check=False
            )
            text = (result.stdout + result.stderr).decode(errors="replace")
            if result.returncode not in expected:
                raise BuildFailure(f"'{' '.join(words)}' fails: {text}")
            return text

        ask_server("check", "wild-cards/2022")
        if "slower" in (questions := ask_server("simulate", "wild-cards/2022", "--games", "200", "--out", "games")):
            raise BuildFailure(f"Games are not native: {questions}")
        ask_server("rulebook", "classics/reversi", "--out", "rules.pdf")
        begin = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()
        leave = json.dumps({"jsonrpc": "2.0", "method": "exit"}).encode()
        texts = [b"Content-Length: %d\r\n\r\n%b" % (len(message), message) for message in (begin, leave)]
        questions = ask_server("language-server", argument=b"".join(texts), expected=(0, 1))  # 1: without 'shutdown'
        if "completionProvider" not in questions:
            raise BuildFailure(f"The language server does not answer: {questions}")


def packed(folder: Path) -> Path:
    """One file to download."""
    command = [sys.executable, "-c", "import rulewright; print(rulewright.__version__)"]
    version = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    system = {"darwin": "macos", "win32": "windows"}.get(sys.platform, "linux")
    name = DIST / f"Rulewright-{version}-{system}-{platform.machine().lower()}"
    kind = "gztar" if system == "linux" else "zip"
    if system == "macos":  # keeps links and permissions, as zipfile does not
        result = Path(f"{name}.zip")
        subprocess.run(["ditto", "-c", "-k", "--keepParent", str(folder), str(result)], check=True)
        return result
    return Path(shutil.make_archive(str(name), kind, DIST, folder.name))


if __name__ == "__main__":
    sys.exit(main())
