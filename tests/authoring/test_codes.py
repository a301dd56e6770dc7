"""spec/DIAGNOSTICS.md has an entry for every code, and its examples give the codes of their entries."""

from __future__ import annotations

import ast
import io
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from documents import DOCUMENT, Block, as_text, base, blocks, merged
from rulewright.authoring import scenarios
from rulewright.authoring.edition_check import examine
from rulewright.base.diagnostics import Report
from rulewright.game import library
from rulewright.syntax import yaml_reader

PACKAGE = Path(library.__file__).parents[1]

REPORTING = {"error", "warning", "_error", "UnreadableFile", "_warn", "Doubt", "_Remark", "note_doubt"}
"""Functions that are called with a place and a code. A code in a variable comes from one of these or from a CODE."""


def reported_codes() -> set[str]:
    """Return the codes in the package: of Problems, second arguments of reporting functions, and constants called CODE;
    without those that only editors report, of catalogs and files of cases."""
    codes: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        if path.parent.name == "editing":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            code: Any = None
            if isinstance(node, ast.Call) and len(node.args) > 2:
                name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
                code = node.args[1] if name in REPORTING else None
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Problem":
                code = node.args[0]
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "CODE":
                code = node.value
            if isinstance(code, ast.Constant) and isinstance(code.value, str) and " " not in code.value:
                codes.add(code.value)
    return codes


@dataclass
class Entry:
    code: str
    line: int
    blocks: list[Block] = field(default_factory=list)


@cache
def entries() -> list[Entry]:
    text = DOCUMENT.read_text(encoding="utf-8")
    result = [Entry(m[1], text.count("\n", 0, m.start()) + 1) for m in re.finditer(r"(?m)^### `([a-z0-9-]+)`$", text)]
    for block in blocks(DOCUMENT):
        above = [entry for entry in result if entry.line < block.line]
        if above:
            above[-1].blocks.append(block)
    return result


def severities(block: Block, folder: Path) -> dict[str, str]:
    """Check a block; return the severity of each code."""
    match block.words:
        case ("text", _):
            report = Report()
            yaml_reader.read(None, block.text, report, "x.yaml")
        case ("yaml", "bad" | "good", "cases", *edition):
            file, out = folder / "cases.yaml", io.StringIO()
            cases = yaml.load(block.text, yaml.BaseLoader)
            file.write_text(as_text({**({"edition": base(edition[0])} if edition else {}), **cases}), encoding="utf-8")
            scenarios.run([str(file)], out)
            assert re.search(r"error\[|1 passed, 0 failed", out.getvalue()), out.getvalue()
            return dict.fromkeys(re.findall(r"error\[([a-z-]+)\]", out.getvalue()), "error")
        case ("yaml", _, "variant", edition):
            file = folder / "variant.yaml"
            (folder / f"{edition}.yaml").write_text(as_text(base(edition)), encoding="utf-8")
            file.write_text(block.text, encoding="utf-8")
            _, report = examine(str(file))
        case ("yaml", _, edition, *_):
            file = folder / "edition.yaml"
            change = yaml.load(block.text, yaml.BaseLoader)
            text = as_text(merged(base(edition), change)).replace(": ''", ":")  # nothing at all, as it was written
            file.write_text(text, encoding="utf-8")
            _, report = examine(str(file))
    return {found.code: found.severity for found in report.diagnostics}


def test_every_code_has_an_entry() -> None:
    codes, codes_in_package = [entry.code for entry in entries()], reported_codes()
    assert {"tab", "unknown-name", "unused", "circular"} <= codes_in_package
    assert len(codes) == len(set(codes))
    assert set(codes) == codes_in_package


# What no short text shows: the file that does, or None for what only guards against mistakes in the compiler, or needs
# more than a file: what is unprintable is found by setting it, another kind of file by the command that reads it.
BUILT: dict[str, bytes | None] = {
    "no-file": None,
    "other-file": None,
    "not-utf-8": b"title: \xff",
    "file-too-large": b"#" * 1_000_001,
    "long-key": b"a" * 1_200 + b": b",
    "too-deep": b"[" * 50 + b"]" * 50,
    "too-many-entries": b"- a\n" * 60_000,
    "too-large": None,
    "cannot-ask": None,
    "unprintable": None,
}


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.code)
def test_examples_give_the_code_of_their_entry(entry: Entry, tmp_path: Path) -> None:
    kinds = [block.words[1] for block in entry.blocks]
    if entry.code in BUILT:
        assert not kinds
        if (data := BUILT[entry.code]) is not None:
            (tmp_path / "x.yaml").write_bytes(data)
            report = Report()
            yaml_reader.read(tmp_path / "x.yaml", None, report, "x.yaml")
            assert entry.code in [found.code for found in report.errors]
        return
    assert kinds == ["bad", "good"]
    bad, good = (severities(block, tmp_path) for block in entry.blocks)
    assert entry.code in bad, bad
    if entry.code not in WARNINGS:
        assert set(bad.values()) == {"error"}
    assert "error" not in good.values() and entry.code not in good, good


STYLE = DOCUMENT.with_name("STYLE.md")


@pytest.mark.parametrize("block", [b for b in blocks(STYLE) if b.words[0] == "yaml"], ids=lambda block: str(block.line))
def test_examples_of_the_style_sheet_give_its_warnings(block: Block, tmp_path: Path) -> None:
    """Bad examples give the warnings that the sheet names after them; good ones give none."""
    codes = {code for code in re.findall(r"`([a-z-]+)`", STYLE.read_text(encoding="utf-8")) if code in WARNINGS}
    actual = set(severities(block, tmp_path)) & codes
    assert actual == set(block.words[3:]) if block.words[1] == "bad" else not actual


WARNINGS = {block.code for block in entries() if block.line < next(e.line for e in entries() if e.code == "no-file")}


@pytest.mark.parametrize("name", library.available())
def test_shipped_editions_give_no_warnings(name: str) -> None:
    _, report = examine(name)
    assert not report.diagnostics, report.render()


def test_the_edition_of_the_examples_gives_no_warnings(tmp_path: Path) -> None:
    file = tmp_path / "edition.yaml"
    file.write_text(as_text(base("lanterns")), encoding="utf-8")
    _, report = examine(str(file))
    assert not report.diagnostics, report.render()
