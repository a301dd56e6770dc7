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
from rulewright.base.diagnostic_rules import rules
from rulewright.base.diagnostics import Diagnostic, Report, SourcePlace
from rulewright.base.wording import Problem, Template
from rulewright.editing.edits import text_after_fix
from rulewright.editing.fix_registry import has_fix
from rulewright.editing.fixes import fixes
from rulewright.game import library
from rulewright.syntax import yaml_reader

PACKAGE = Path(library.__file__).parents[1]

REPORTING = {"error", "warning", "_error", "UnreadableFile", "_warn", "Doubt", "_Remark", "note_doubt"}
"""Functions that are called with a place and a code. A code in a variable comes from one of these or from a CODE."""

MAY_REPORT = re.compile(rf"CODE|(Problem|{'|'.join(REPORTING)})\(")


def reported_codes() -> set[str]:
    """Return the codes in the package: of Problems, second arguments of reporting functions, and constants called CODE;
    without those that only editors report, of catalogs and files of cases."""
    codes: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.parent.name in ("editing", "i18n") or not MAY_REPORT.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
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


@dataclass
class Checked:
    """Result of checking a block. text: that of the checked file; location: of its block."""

    file: Path
    text: str
    diagnostics: list[Diagnostic]
    location: str = ""

    @property
    def codes(self) -> dict[str, str]:
        """The codes, each with how bad it is."""
        return {one.code: one.severity for one in self.diagnostics}

    def with_code(self, code: str) -> list[Diagnostic]:
        """Return the diagnostics with a code. Fails where there are none, and says what there is instead."""
        others = "; ".join(f"{one.code} at line {one.place.line}: {one.message}" for one in self.diagnostics)
        results = [one for one in self.diagnostics if one.code == code]
        assert results, f"{self.location}: this example must have '{code}', not {others or 'nothing'}\n{self.text}"
        return results


def checked(file: Path, text: str, location: str, whole: bool = True) -> Checked:
    """Check a file. location: of the block that it is made of; whole: or read it as YAML only."""
    file.write_text(text, encoding="utf-8")
    report = Report()
    if whole:
        _, report = examine(str(file))
    else:
        yaml_reader.read(None, text, report, str(file))
    return Checked(file, text, report.diagnostics, location)


def check_block(block: Block, folder: Path) -> Checked:
    """Check an example of the page, in the edition that it changes."""
    match block.words:
        case ("text", _):
            return checked(folder / "x.yaml", block.text, block.location, whole=False)
        case ("yaml", "bad" | "good", "cases", *edition):
            file, out = folder / "cases.yaml", io.StringIO()
            cases = yaml.load(block.text, yaml.BaseLoader)
            text = as_text({**({"edition": base(edition[0])} if edition else {}), **cases})
            file.write_text(text, encoding="utf-8")
            scenarios.run([str(file)], out)
            assert re.search(r"error\[|1 passed, 0 failed", out.getvalue()), out.getvalue()
            place = SourcePlace(str(file), 1, 1, 1)
            codes = re.findall(r"error\[([a-z-]+)\]", out.getvalue())
            return Checked(file, text, [Diagnostic(place, Problem(code, "")()) for code in codes], block.location)
        case ("yaml", _, "variant", edition):
            (folder / f"{edition}.yaml").write_text(as_text(base(edition)), encoding="utf-8")
            return checked(folder / "variant.yaml", block.text, block.location)
        case ("yaml", _, edition, *_):
            change = yaml.load(block.text, yaml.BaseLoader)
            text = as_text(merged(base(edition), change)).replace(": ''", ":")  # nothing at all, as it was written
            return checked(folder / "edition.yaml", text, block.location)
    raise AssertionError(f"{block.location}: no example begins with '{' '.join(block.words)}'")


SHAPE = "what it means, then '```yaml bad lanterns' with the mistake and '```yaml good lanterns' without"


@pytest.mark.rotating(3)
def test_every_code_has_an_entry() -> None:
    codes, codes_in_package = [entry.code for entry in entries()], reported_codes()
    assert {"tab", "unknown-name", "unused", "circular"} <= codes_in_package
    missing, idle = sorted(codes_in_package - set(codes)), sorted(set(codes) - codes_in_package)
    assert not missing, f"spec/DIAGNOSTICS.md: add '### `{missing[0]}`', {SHAPE}"
    assert not idle, f"spec/DIAGNOSTICS.md: delete '### `{idle[0]}`', which nothing reports"
    assert len(codes) == len(set(codes))


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
    """A code has a rule, an example with it and one without; a fix of the first, if it has one, makes it right."""
    kinds = [block.words[1] for block in entry.blocks]
    entry_place = f"{DOCUMENT.name}:{entry.line}: '{entry.code}'"
    assert rules()[entry.code].text, f"{entry_place}: say below the heading {SHAPE}"
    if entry.code in BUILT:
        assert not kinds
        if (data := BUILT[entry.code]) is not None:
            (tmp_path / "x.yaml").write_bytes(data)
            report = Report()
            yaml_reader.read(tmp_path / "x.yaml", None, report, "x.yaml")
            assert entry.code in [result.code for result in report.errors]
        return
    assert kinds and kinds == ["bad", "good"] * (len(kinds) // 2), f"{entry_place}: say {SHAPE}; here are {kinds}"
    for bad, good in zip(entry.blocks[::2], entry.blocks[1::2], strict=True):
        result, right = check_block(bad, tmp_path), check_block(good, tmp_path).codes
        result.with_code(entry.code)
        if entry.code not in WARNINGS:
            assert set(result.codes.values()) == {"error"}, f"{bad.location}: errors alone, not {result.codes}"
        assert "error" not in right.values() and entry.code not in right, (
            f"{good.location}: this must be right: {right}"
        )
        mend(result, entry.code, whole=bad.words[0] == "yaml")


def mend(result: Checked, code: str, whole: bool) -> None:
    """Make the fixes of a code's first diagnostic, if its templates have any: one leads to a file that `check` accepts,
    written with lines or with braces, and with less of the code."""
    if code in UNFIXED or not any(map(has_fix, templates(result, code))):
        return
    results: list[dict[str, str]] = []
    for text in (result.text, in_braces(result.text)) if whole else (result.text,):
        first, *others = checked(result.file, text, result.location, whole).with_code(code)
        for fix in fixes(first, text.split("\n")):
            after = checked(result.file, text_after_fix(fix, text.split("\n")), result.location, whole)
            if "error" not in after.codes.values() and sum(one.code == code for one in after.diagnostics) <= len(
                others
            ):
                return
            results.append(after.codes)
    raise AssertionError(f"{result.location}: no fix of '{code}' makes this example right; they lead to {results}")


def templates(result: Checked, code: str) -> list[Template]:
    """Return the templates of the first diagnostic with a code."""
    first, *_ = result.with_code(code)
    return [wording.template for wording in (first.problem, *first.hints)]


def in_braces(text: str) -> str:
    """Return an edition whose innermost entries stand in braces."""
    dumped = yaml.safe_dump(
        yaml.load(text, yaml.BaseLoader), sort_keys=False, allow_unicode=True, width=1000, default_flow_style=None
    )
    return dumped.replace(": ''", ":")


UNFIXED = {"board": "which space a letter of a drawing stands for, its designer knows"}
"""Codes of which a template has a fix that does not fit the example, and why."""


WITHOUT_FIX = {
    "only the designer knows which of several is meant": """two-meanings look-alike ambiguous-word whose spelling shape
        says-twice changing zone-owner signed copies circular""",
    "only the designer knows what is missing": """no-case argument argument-missing ask-missing among-missing
        body-missing power-without-words no-item nobody empty-file unknown-choice slot""",
    "the rule itself has to be another one": """seats number-too-large fraction nested-at-once choice-after-effect
        begins-outside too-many-pieces""",
    "the mistake is in another file, or in the name of one": "picture endless-extends bad-path",
    "what was meant cannot be seen, for YAML reads something else": """stray-mark misplaced-list block-text bad-key
        unknown-anchor duplicate-anchor endless-alias""",
    "quotes around a whole text are YAML's own": "straight-quote",
}
"""Reason -> codes without a quick fix; those of BUILT and of files of cases are not in it."""


@pytest.mark.rotating(5)
def test_codes_without_a_fix_have_a_reason(tmp_path: Path) -> None:
    without: set[str] = set()
    for entry in entries():
        bad = [block for block in entry.blocks[::2] if "cases" not in block.words]
        checked_blocks = (check_block(block, tmp_path) for block in bad)
        if bad and not any(has_fix(template) for each in checked_blocks for template in templates(each, entry.code)):
            without.add(entry.code)
    assert without == set(" ".join(WITHOUT_FIX.values()).split())


STYLE = DOCUMENT.with_name("STYLE.md")


@pytest.mark.parametrize("block", [b for b in blocks(STYLE) if b.words[0] == "yaml"], ids=lambda block: str(block.line))
def test_examples_of_the_style_sheet_give_its_warnings(block: Block, tmp_path: Path) -> None:
    """Bad examples give the warnings that the sheet names after them; good ones give none."""
    codes = {code for code in re.findall(r"`([a-z-]+)`", STYLE.read_text(encoding="utf-8")) if code in WARNINGS}
    actual = set(check_block(block, tmp_path).codes) & codes
    assert actual == set(block.words[3:]) if block.words[1] == "bad" else not actual


WARNINGS = {block.code for block in entries() if block.line < next(e.line for e in entries() if e.code == "no-file")}


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", library.available())
def test_shipped_editions_give_no_warnings(name: str) -> None:
    _, report = examine(name)
    assert not report.diagnostics, report.render()


def test_the_edition_of_the_examples_gives_no_warnings(tmp_path: Path) -> None:
    file = tmp_path / "edition.yaml"
    file.write_text(as_text(base("lanterns")), encoding="utf-8")
    _, report = examine(str(file))
    assert not report.diagnostics, report.render()
