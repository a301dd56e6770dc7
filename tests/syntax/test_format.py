"""Canonical form: it keeps the meaning and every comment, and each file has only one."""

from __future__ import annotations

import json
import os
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from example_counts import few
from project_folders import TESTS
from rulewright import cli
from rulewright.base import resources
from rulewright.base.diagnostics import EditionError, Report, RulewrightError
from rulewright.game import library
from rulewright.syntax import formatter, schema, sentence_grammar, sentences, source, yaml_reader
from rulewright.syntax.formatter import FormatError, arrangement, concrete_syntax, format_file

EDITIONS = [path.read_text(encoding="utf-8") for path in library.available().values()]
EXAMPLES = sorted(resources.folder("editions").rglob("*.examples.yaml"))
SCENARIOS = [*sorted(TESTS.glob("scenarios/*/*.yaml")), *EXAMPLES]
HEAD = "rulewright: 1\ntitle: T\nplayers: 2\n"


def form(text: str) -> str:
    return format_file(None, "x.yaml", text)


def meaning(text: str) -> Any:
    report = Report()
    node = yaml_reader.read(None, text, report, "x.yaml")
    assert node is not None and report.ok, report.render()
    return source.plain(node)


def comments(text: str) -> Counter[str]:
    return Counter(concrete_syntax.comments(concrete_syntax.read(text)))


# ── what the form is ──


@pytest.mark.parametrize("name", library.available())
def test_shipped_editions_are_in_the_form(name: str) -> None:
    path = library.available()[name]
    assert path.read_text(encoding="utf-8") == format_file(path, name)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_in_the_form(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == format_file(path, path.name)


@pytest.mark.rotating(3)
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenarios_keep_their_meaning(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    after = form(text)
    assert meaning(after) == meaning(text)
    assert comments(after) == comments(text)
    assert form(after) == after


def test_example_of_the_reference() -> None:
    book = resources.read_text("spec", "FORMAT.md")
    before, after = re.findall(r"```yaml (?:before|after)\n(.*?)```", book, re.DOTALL)
    assert form(before) == after
    assert form(after) == after


# What is written -> its form, or None where it is refused.
FORMS = {
    # order of keys, names keep theirs
    "phases: {b: {do: []}, a: {do: []}}": "phases:\n  b: {do: []}\n  a: {do: []}",
    "pieces: {c: {noun: x, starts in: z, each: y}}": "pieces:\n  c: {each: y, starts in: z, noun: x}",
    "words: {w: {a: {noun: b, c: 1}}}": "words:\n  w: {a: {c: 1, noun: b}}",
    "options:\n  o: {before x: end game, default: no, after y: end game}": (
        "options:\n  o:\n    default: no\n    before x: end game\n    after y: end game"
    ),
    "values: {seat: {v: {2: 3, 1: 4, by: x}}}": "values:\n  seat: {v: {by: x, 2: 3, 1: 4}}",
    # braces or lines
    "words:\n  w:\n    a:\n    b: {}": "words:\n  w:\n    a:\n    b: {}",
    "words: {w: {a: {c: 1}, b: {c: 2}}}": "words:\n  w:\n    a: {c: 1}\n    b: {c: 2}",
    "zones: {z: {seen by: all, text: Here.}}": "zones:\n  z:\n    seen by: all\n    text: Here.",
    "values: {game: {v: 'highest of (1, 2)'}}": "values:\n  game:\n    v: highest of (1, 2)",
    "zones: {z: {seen by: all, noun: '{x}'}}": 'zones:\n  z: {seen by: all, noun: "{x}"}',
    "zones: {z: {seen by: all, holds: [" + ", ".join(["card"] * 20) + "]}}": (
        "zones:\n  z:\n    holds:\n" + "      - card\n" * 20 + "    seen by: all"
    ),
    # texts
    "text: 'a: b'": 'text: "a: b"',
    "text: \"say \\\"a: b\\\"\"": "text: 'say \"a: b\"'",
    "text: \"it's \\\"a: b\\\"\"": 'text: "it\'s \\"a: b\\""',
    "text: 'null'": 'text: "null"',
    "text: '12'": "text: 12",
    "text: 'yes'": "text: yes",
    "text: '- a'": 'text: "- a"',
    "text: ' a'": 'text: " a"',
    'text: "a\\tb"': 'text: "a\\tb"',
    "text: 'a #b'": 'text: "a #b"',
    "text: a#b": "text: a#b",
    "text: >-\n  a\n  b": "text: a b",
    "text: >\n  a\n  b": "text: >\n  a b",
    "text: |-\n  a\n  b": "text: |-\n  a\n  b",
    "text: |\n  a\n  b": "text: |\n  a\n  b",
    "text: |+\n  a\n": 'text: "a\\n\\n"',
    "text: |-\n  a\n    b": "text: |-\n  a\n    b",
    "text: |2-\n    a\n  b": "text: |2-\n    a\n  b",
    "text: |\n  a  \n   \n  b\n": "text: |\n  a  \n   \n  b",
    'text: " a\\n   \\nb"': "text: |2-\n   a\n     \n  b",
    'text: "a\\n' + " b" * 80 + '"': 'text: "a\\n' + " b" * 80 + '"',
    "text: >-\n  " + "a" * 200: "text: " + "a" * 200,
    "text: " + "word: " * 30 + "end": None,
    "text: '" + "word: " * 30 + "end'": "text: >-\n  " + "word: " * 18 + "word:\n  " + "word: " * 11 + "end",
    "text: |-\n  " + "word " * 30 + "end\n\n  b": (
        "text: >-\n  " + "word " * 22 + "word\n  " + "word " * 7 + "end\n\n\n  b"
    ),
    # blank lines
    "zones:\n\n  a: {seen by: all}\n\n\n  b: {seen by: all}": "zones:\n  a: {seen by: all}\n\n  b: {seen by: all}",
    "\nzones: {a: {seen by: all}, b: {seen by: all}}": "zones:\n  a: {seen by: all}\n  b: {seen by: all}",
    "setup:\n  do:\n    - end game\n\n\n    - end game": "setup:\n  do:\n    - end game\n\n    - end game",
    # comments
    "text: a   #b": None,
    "text: 'a' #b": "text: a # b",
    "text: >- # c\n  a": "text: a # c",
    "text: # c\n  a": "text: a # c",
    "text:\n  # c\n  a": "# c\ntext: a",
    "text: a # c\n# d": "text: a # c\n\n# d",
    "text: a #" + " c" * 70: "#" + " c" * 70 + "\ntext: a",
    "zones:\n  # c\n  a: {seen by: all} # d\n  # e\n# f": "zones:\n  # c\n  a: {seen by: all} # d\n  # e\n\n# f",
    "zones: {a: {seen by: all # c\n  }, # d\n  # e\n  } # f": "zones: # f\n  a: # d\n    seen by: all # c\n  # e",
    "zones:\n  a: { # c\n    seen by: all, # d\n    # e\n    }": "zones:\n  a: # c\n    seen by: all # d\n    # e",
    "reconstructed: { # c\n  }": "reconstructed: {} # c",
    "reconstructed: {\n # c\n  }": "# c\nreconstructed: {}",
    "setup:\n  do:\n  - # c\n    end game\n  # d\n  - end game\n  # e\n  text: a": (
        "setup:\n  # e\n  text: a\n  do:\n    # c\n    - end game\n    # d\n    - end game"
    ),
    "setup:\n  do:\n    - if a:\n        - end game\n        # b\n    # c\n  # d\n# e": (
        "setup:\n  do:\n    - if a:\n        - end game\n        # b\n    # c\n  # d\n\n# e"
    ),
    "setup:\n  do:\n  -\n    # c\n    if a: end game": "setup:\n  do:\n    # c\n    - if a: end game",
    # anchors
    "text: &x a\ncredits: *x": "text: &x a\ncredits: *x",
    "zones: {b: &x {seen by: all, of: seat}, a: *x}": "zones:\n  b: &x {seen by: all, of: seat}\n  a: *x",
    "setup: {do: [&x {if a: [end  game]}, *x]}": (
        "setup:\n  do:\n    - &x\n      if a:\n        - end  game\n    - *x"
    ),
    "text: &x # >b\n  >- # d\n  a\ncredits: *x # e": "text: &x a # >b\n# d\ncredits: *x # e",
}  # fmt: skip


PHASES = "phases:\n  p: {do: []}\n"


@pytest.mark.parametrize("before", FORMS)
def test_fragments_have_their_form(before: str) -> None:
    """Compare only the fragment's form, without the rest that a file needs."""
    whole = HEAD + before + ("" if before.startswith("phases") else f"\n{PHASES}")
    expected = FORMS[before]
    if expected is None:
        with pytest.raises(EditionError):
            form(whole)
        return
    after = form(whole)
    assert form(after) == after
    fragment = after if before.startswith("phases") else after.replace(PHASES, "")
    for line in HEAD.splitlines(keepends=True):
        assert line in fragment
        fragment = fragment.replace(line, "")
    assert fragment.strip("\n") == expected


def test_blank_lines_between_sections() -> None:
    zones = "# c\nzones:\n  z: {seen by: all}\n"
    text = f"\n\n# h\nrulewright: 1\n\n\ntitle: T\nplayers: 2\n{zones}# d\n\nphases:\n\n  p: {{do: []}}\n\n"
    assert form(text) == f"# h\nrulewright: 1\n\ntitle: T\nplayers: 2\n\n{zones}\n# d\n\n{PHASES}"


@pytest.mark.parametrize(
    ("start", "before", "after"),
    [
        ("statement", "move  top 2 of\n deck to ada 's hand", "move top 2 of deck to ada's hand"),
        ("value", "a+1*( b-c )", "a + 1 * (b - c)"),
        ("value", "highest of(1,- 2)", "highest of (1, -2)"),
        ("value", "(a)-1", "(a) - 1"),
        ("value", "- 1", "-1"),
        ("value", "+ 2", "+2"),
        ("value", "a / 2  rounded   up", "a / 2 rounded up"),
        ("keys", "highest score ,lowest a's b", "highest score, lowest a's b"),
        ("hook", "may  before  x if any c in d has ( y is  not z )", "may before x if any c in d has (y is not z)"),
        ("span", " 2  to - 3", "2 to -3"),
        ("statement", "Move  it.", "Move  it."),
        ("value", "", ""),
    ],
)  # fmt: skip
def test_sentences_have_one_spelling(start: str, before: str, after: str) -> None:
    assert sentences.canonical_spelling(before, start) == after
    assert sentences.canonical_spelling(after, start) == after


def test_redundant_parentheses_are_removed() -> None:
    sentence = "move (group 1 of deck by colour) to row"
    text = f"rulewright: 1\ntitle: T\nplayers: 2\nphases:\n  play:\n    do:\n      - {sentence}\n"
    assert format_file(None, "edition", text).endswith("- move group 1 of deck by colour to row\n")
    for value in ("number of (top 2 of deck)", "number of (deck plus row)", "number of (group 1 of dice by face)"):
        assert "(" not in format_file(None, "edition", text.replace(sentence, f"set n to {value}"))


def test_every_condition_of_a_schema_is_understood() -> None:
    """The order of keys depends on conditions; `arrange` knows those that ask for keys."""

    def conditions(node: Any) -> Iterator[Any]:
        if isinstance(node, dict):
            yield from [node["if"]] if isinstance(node.get("if"), dict) and "then" in node else []
            for value in node.values():
                yield from conditions(value)
        elif isinstance(node, list):
            for value in node:
                yield from conditions(value)

    for file in (schema.EDITION, schema.VARIANT, schema.SCENARIOS):
        for condition in conditions(schema.load(file)):
            parts = condition.get("anyOf", [condition.get("not", condition)])
            assert all(set(part) == {"required"} for part in parts)


def test_every_key_that_is_a_sentence_has_its_grammar() -> None:
    for file in (schema.EDITION, schema.VARIANT):
        shapes = schema.load(file)["$defs"].values()
        patterns = [below for shape in shapes for below in shape.get("patternProperties", {}).items()]
        assert len(patterns) > 5
        assert [pattern for pattern, below in patterns if "keyGrammar" not in below] == []


@pytest.mark.parametrize("word", ["grammar", "keyGrammar"])
def test_grammars_that_the_schema_names_exist(word: str) -> None:
    grammars = set(re.findall(rf'"{word}": "(\w+)"', json.dumps(schema.load())))
    assert grammars and grammars <= set(sentence_grammar.STARTS)


# ── what is refused ──


@pytest.mark.parametrize("text", ["a: [", "rulewright: 1\n", "", "- a\n", HEAD, HEAD + "phases: {p: {do: []}}\nx: y\n"])
def test_files_with_errors_are_refused(text: str) -> None:
    with pytest.raises(EditionError):
        form(text)


def test_a_form_with_another_meaning_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD + "phases: {p: {do: [end game]}} # why\n"
    changes: list[Callable[[concrete_syntax.Document], object]] = [
        lambda document: setattr(document.root.entries[1].value, "text", "U"),
        lambda document: setattr(document.root.entries[1].key, "text", "tittle"),
        lambda document: document.root.entries.pop(),
        lambda document: setattr(document.root.entries[3], "tail", None),
    ]
    assert form(text)
    for change in changes:
        monkeypatch.setattr(arrangement, "arrange", lambda document, whole, change=change: change(document))
        with pytest.raises(FormatError, match="stays as it is"):
            form(text)


def test_a_key_too_long_for_yaml_is_refused() -> None:
    text = HEAD + f"phases: {{p: {{do: [{{? if {'a' * 2000}\n : end game}}]}}}}\n"
    with pytest.raises(FormatError, match="stays as it is"):
        form(text)


# ── any layout ──


class Scribe:
    """Writer of a tree as YAML in odd ways, with comments."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.number = 0

    def write(self, tree: Any) -> str:
        return self.notes(0) + self.block(tree, 0) + self.notes(0)

    def maybe(self, odds: int = 3) -> bool:
        return not self.chance.randrange(odds)

    def note(self) -> str:
        self.number += 1
        return f"# note {self.number} 'of' \"many\" {{}}: - >-"

    def tail(self) -> str:
        return f"  {self.note()}\n" if self.maybe(6) else "\n"

    def notes(self, margin: int) -> str:
        """Return blank lines and comments on lines of their own, not so deep that they belong to a text."""
        lines = []
        while self.maybe(6):
            lines.append(
                "" if self.maybe(2) else " " * self.chance.choice([margin, margin, 0, margin // 2]) + self.note()
            )
        return "".join(line + "\n" for line in lines)

    def block(self, tree: Any, margin: int) -> str:
        pad = " " * margin
        text = ""
        for item in self.shuffled(tree) if isinstance(tree, dict) else tree:
            key, value = item if isinstance(tree, dict) else ("", item)
            lead = pad + (self.key(key) + ":" if isinstance(tree, dict) else "-")
            text += self.notes(margin) + lead + self.value(value, margin)
        return text + self.notes(margin)

    def shuffled(self, tree: dict[str, Any]) -> list[tuple[str, Any]]:
        items = list(tree.items())
        if self.maybe(2):
            self.chance.shuffle(items)
        return items

    def value(self, value: Any, margin: int) -> str:
        if value is None:
            return self.tail()
        if isinstance(value, str):
            return " " + self.text(value, margin)
        if not value or self.maybe():
            return " " + self.flow(value, margin + 1) + self.tail()
        return self.tail() + self.block(value, margin + self.chance.choice([1, 2, 4]))

    def key(self, text: str) -> str:
        return text if re.fullmatch(r"[a-z][a-z ]*", text) and not self.maybe(5) else self.quoted(text)

    def quoted(self, text: str) -> str:
        if self.maybe(2) or "\n" in text:
            return json.dumps(text, ensure_ascii=self.maybe(4))
        return "'" + text.replace("'", "''") + "'"

    def text(self, text: str, margin: int) -> str:
        pad = " " * (margin + self.chance.choice([1, 2, 5]))
        words = text.split(" ")
        if self.maybe(4) and all(words) and "\n" not in text:
            broken = "".join(word + (f"\n{pad}" if self.maybe(5) else " ") for word in words[:-1]) + words[-1]
            return f">-{self.tail()}{pad}{broken}\n"
        if re.fullmatch(r"[a-z][a-z0-9 ]*", text) and self.maybe(2):
            return text + self.tail()
        return self.quoted(text) + self.tail()

    def flow(self, value: Any, margin: int) -> str:
        pad = " " * (margin + 2)
        if value is None:
            return ""
        if isinstance(value, str):
            return self.quoted(value)
        keyed = isinstance(value, dict)
        parts = [
            (self.key(item[0]) + ": " + self.flow(item[1], margin)) if keyed else self.flow(item, margin)
            for item in (self.shuffled(value) if keyed else value)
        ]
        between = [f",{self.tail()}{self.notes(margin)}{pad}" if self.maybe(5) else ", " for _ in parts]
        inside = "".join(part + comma for part, comma in zip(parts, between, strict=True))
        inside = inside[: -len(between[-1])] if between else ""
        end = f"{self.tail()}{self.notes(margin)}{pad}" if self.maybe(8) else ""
        return ("{%s%s}" if keyed else "[%s%s]") % (inside, end)


TREES = [meaning(text) for text in EDITIONS] + [
    meaning(HEAD + rest)
    for rest in (
        "phases: {p: {do: []}}\n",
        "words: {w: {a: , b: {noun: x | y}}}\n"
        'phases: {p: {text: "a\\nb\\n", do: [log: " x ", {if a: [{each b: c}], otherwise: []}]}}\n',
        "values: {seat: {a: {by: b, 1: 2, for: {k: w}}, c: {is: 'no'}}}\n"
        "phases: {p: {do: [choose 1 from a into b: {none: No}]}}\n",
    )
]
TREES.append(meaning(SCENARIOS[0].read_text(encoding="utf-8")))


@pytest.mark.rotating(2)
@few(30)
@given(st.sampled_from(TREES), st.integers(0, 2**32))
def test_any_layout_has_one_form(tree: Any, seed: int) -> None:
    text = Scribe(random.Random(seed)).write(tree)
    assert meaning(text) == tree
    after = form(text)
    assert meaning(after) == tree
    assert comments(after) == comments(text)
    assert text.count("# note ") == after.count("# note ")
    assert form(after) == after


class Plain(Scribe):
    """Writer without comments that keeps all entries in their order."""

    def notes(self, margin: int) -> str:
        return ""

    def tail(self) -> str:
        return "\n"

    def shuffled(self, tree: dict[str, Any]) -> list[tuple[str, Any]]:
        return list(tree.items())


@pytest.mark.rotating(4)
def test_layout_without_comments_does_not_matter() -> None:
    """Two files with the same tree have the same form, but for blank lines within a section."""
    for number, text in enumerate(EDITIONS):
        bare = form(Plain(random.Random(number)).write(meaning(text)))
        assert form(Plain(random.Random(number + 100)).write(meaning(text))) == bare


PIECES = [*" #-:{}[],'\"|x\t", "  ", "\n", "\n\n", " # c", "# c\n", "- ", ": ", ">-\n", "&a ", "*a"]


@pytest.mark.rotating(2)
@few(60)
@given(
    st.sampled_from(range(len(TREES))),
    st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(PIECES), st.integers(0, 3)), max_size=4),
)
@example(0, [(0, "# c\n", 0)])
def test_mutated_files_are_formatted_or_refused(number: int, mutations: list[tuple[int, str, int]]) -> None:
    text = EDITIONS[0] if number == 0 else Scribe(random.Random(number)).write(TREES[number])
    for place, piece, lost in mutations:
        offset = place % (len(text) + 1)
        text = text[:offset] + piece + text[offset + lost :]
    try:
        after = form(text)
    except RulewrightError as error:
        assert str(error)
        return
    assert comments(after) == comments(text)
    assert form(after) == after


# ── the command ──

ODD = "# c\r\nplayers:   2\r\nrulewright: 1\r\ntitle: T\r\nphases: {p: {do: []}}\r\n"
SOUND = "rulewright: 1\ntitle: T\nplayers: 2\n\nphases:\n  p:\n    do: end game\n"
FINE = "# c\nrulewright: 1\ntitle: T\nplayers: 2\n\nphases:\n  p: {do: []}\n"


def run_command(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    status = cli.main(argv)
    return status, *capsys.readouterr()


def test_command_writes_only_what_changes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    odd, fine = tmp_path / "odd.yaml", tmp_path / "fine.yaml"
    odd.write_bytes(ODD.encode())
    fine.write_bytes(FINE.encode())
    odd.chmod(0o640)
    before = fine.stat()
    assert run_command(capsys, "format", "--check", str(odd), str(fine)) == (
        1,
        f"{odd}: not in the canonical form\n",
        "",
    )
    assert odd.read_bytes() == ODD.encode()
    assert run_command(capsys, "format", str(odd), str(fine)) == (0, f"{odd}: written in the canonical form\n", "")
    assert odd.read_bytes() == FINE.encode()
    assert odd.stat().st_mode & 0o777 == 0o640
    assert (fine.stat().st_ino, fine.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert run_command(capsys, "format", "--check", str(odd), str(fine)) == (0, "", "")
    assert sorted(os.listdir(tmp_path)) == ["fine.yaml", "odd.yaml"]


@pytest.mark.parametrize("ending", [b"\r", b"\r\r\n"], ids=["CR", "CR CR LF"])
def test_every_line_end_is_read(ending: bytes, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes(SOUND.encode().replace(b"\n", ending))
    status, out, _ = run_command(capsys, "check", str(path))
    assert status == 0 and f"'rulewright format {path}' would write it in the canonical form" in out
    wrong = path.read_bytes().replace(b"players", b"plyers")
    (tmp_path / "wrong.yaml").write_bytes(wrong)
    _, out, _ = run_command(capsys, "check", str(tmp_path / "wrong.yaml"))
    assert "wrong.yaml:3:1" in out
    assert run_command(capsys, "format", str(path)) == (0, f"{path}: written in the canonical form\n", "")
    assert path.read_bytes() == SOUND.encode()


def test_the_command_reports_every_error_and_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    wrong, odd = tmp_path / "wrong.yaml", tmp_path / "odd.yaml"
    wrong.write_text(FINE + "colours: {}\n", encoding="utf-8")
    odd.write_bytes(ODD.encode())
    status, out, err = run_command(capsys, "format", str(wrong), str(odd))
    assert (status, err) == (1, "")
    assert "unknown-key" in out and "1 error, not changed" in out
    assert wrong.read_text(encoding="utf-8") == FINE + "colours: {}\n"
    assert odd.read_text(encoding="utf-8") == FINE
    status, out, err = run_command(capsys, "format", str(tmp_path / "none.yaml"), str(tmp_path), "nowhere", str(wrong))
    assert status == 2
    assert "none.yaml" in err and "There is no edition 'nowhere'" in err and "unknown-key" in out


def test_file_that_cannot_be_written_stays(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / "odd.yaml"
    odd.write_bytes(ODD.encode())

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    status, _, err = run_command(capsys, "format", str(odd))
    assert (status, err) == (2, f"rulewright: '{odd}' cannot be written: No space left on device.\n")
    assert odd.read_bytes() == ODD.encode()
    assert os.listdir(tmp_path) == ["odd.yaml"]


def test_formatter_is_the_same_from_a_path(tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    path.write_bytes(ODD.encode())
    assert formatter.format_file(path, "x") == FINE
