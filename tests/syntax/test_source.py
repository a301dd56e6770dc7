"""Reading YAML: texts stay texts, every node has a place, and errors are plain."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from example_counts import few, one_of_each_game
from rulewright.base import resources
from rulewright.base.diagnostics import Report
from rulewright.game import library
from rulewright.syntax import schema_validation, yaml_reader
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, plain
from rulewright.syntax.yaml_reader import read

EDITIONS = sorted(library.available()[name] for name in one_of_each_game())
EDITION = resources.read_text("editions", "wild-cards", "2022.yaml")

fast_and_pure = pytest.mark.parametrize("loader", [yaml.CSafeLoader, yaml.SafeLoader])


def good(text: str) -> Node:
    report = Report()
    node = read(None, text, report, "x.yaml")
    assert report.ok and node is not None, report.render()
    return node


def refusal(text: str | None, path: Path | None = None) -> str:
    """Return the first error as 'line:column+length code: message | hint'."""
    report = Report()
    read(path, text, report, "x.yaml")
    assert report.errors, "nothing was refused"
    error = report.errors[0]
    place = f"{error.place.line}:{error.place.column}+{error.place.length}"
    return f"{place} {error.code}: {error.message} | {error.hint}"


def scalars(node: Node) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case SequenceNode():
            for item in node.items:
                yield from scalars(item)
        case MappingNode():
            for key, value in node.items():
                yield key
                yield from scalars(value)


# ── what is read ──


def test_every_scalar_is_its_text() -> None:
    text = "a: yes\n2022: 1.0\non: null\nb: 'no'\nc: \"3\"\nd: ''\ne:\nf: ~\ng: 2020-01-01\nh: []\ni: {}\n"
    assert plain(good(text)) == {
        "a": "yes", "2022": "1.0", "on": "null", "b": "no", "c": "3", "d": "", "e": None, "f": "~",
        "g": "2020-01-01", "h": [], "i": {},
    }  # fmt: skip


def test_only_an_empty_plain_scalar_is_absent() -> None:
    assert [scalar.absent for scalar in scalars(good("[a, '', \"\", {b: }]"))] == [
        False,
        False,
        False,
        False,
        True,
    ]


@pytest.mark.parametrize("text", ["\ufeffa: b\r\nc: d\r\n", "a: b\rc: d\r", "%YAML 1.1\n---\na: b\nc: d\n"])
def test_byte_order_marks_and_foreign_line_ends_are_accepted(text: str) -> None:
    assert plain(good(text)) == {"a": "b", "c": "d"}


def test_aliases_stand_for_their_anchor() -> None:
    node = good("a: &x [1, 2]\nb: *x\nc: &y text\nd: *y\n")
    assert plain(node) == {"a": ["1", "2"], "b": ["1", "2"], "c": "text", "d": "text"}
    assert [scalar.place.column for scalar in scalars(node) if scalar.text == "text"] == [7, 7]


def test_keys_and_collections_have_places() -> None:
    node = good("a:\n  - choose 1 from x into y:\n      ask: Which?\n  - {b: [c, d]}\n")
    assert isinstance(node, MappingNode)
    items = node.get("a")
    assert isinstance(items, SequenceNode)
    choose, brackets = items.items
    assert isinstance(choose, MappingNode) and isinstance(brackets, MappingNode)
    key = next(iter(choose.keys.values()))
    assert (key.place.line, key.place.column, key.place.length) == (2, 5, 22)
    assert (brackets.place.line, brackets.place.column, brackets.place.length) == (4, 5, 11)


@pytest.mark.rotating(3)
@pytest.mark.parametrize("path", EDITIONS, ids=lambda path: f"{path.parent.name} {path.stem}")
@fast_and_pure
def test_every_word_of_an_edition_knows_its_place(path: Path, loader: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_reader, "_Loader", loader)
    lines = path.read_text(encoding="utf-8").split("\n")
    report = Report()
    node = read(path, None, report, "x.yaml")
    assert node is not None and report.ok, report.render()
    words = 0
    for scalar in scalars(node):
        for word in re.finditer(r"\S+", scalar.text):
            place = scalar.place_at(word.start(), len(word[0]))
            assert lines[place.line - 1][place.column - 1 :][: place.length] == word[0], (place, scalar.text)
            words += 1
    assert words > 200


@pytest.mark.parametrize(
    ("text", "offset", "length", "place"),
    [
        ("a: move b to c", 5, 1, (1, 9, 1)),
        ("a: move b to c", 4, 1, (1, 8, 1)),
        ("a: move b", 6, 3, (1, 10, 1)),
        ("a: 'move b'", 5, 1, (1, 10, 1)),
        ("a: 'it''s b'", 2, 2, (1, 7, 3)),
        ("a: 'it''s b'", 5, 1, (1, 11, 1)),
        ('a: "move b"', 5, 1, (1, 10, 1)),
        (r'a: "a \"b\" c"', 6, 1, (1, 13, 1)),
        (r'a: "a \x62 c"', 4, 1, (1, 4, 10)),
        ("a: &x move b", 5, 1, (1, 12, 1)),
        ("a: one\n  two\n\n  three", 8, 5, (4, 3, 5)),
        ("a: 'one\n  two'", 4, 3, (2, 3, 3)),
        ("a: >-\n  one\n  two\n", 4, 3, (3, 3, 3)),
        ("a: | # note\n   one\n   two\n", 4, 3, (3, 4, 3)),
        ("a: >-\n  one two\n  three\n", 4, 9, (2, 7, 3)),
        ("a: ''", 0, 1, (1, 4, 2)),
    ],
)
def test_spans_within_a_scalar(text: str, offset: int, length: int, place: tuple[int, int, int]) -> None:
    _, scalar = scalars(good(text))
    result = scalar.place_at(offset, length)
    assert (result.line, result.column, result.length) == place


# ── what is refused ──

REFUSED = {
    # indentation
    "a:\n\tb: 1\n": "2:1+1 tab: A tab stands here where YAML wants spaces. | Use two spaces for each level",
    "a: x\n\tb: c\n": "2:1+1 tab: ",
    "a: 1\n  b: 2\n": "2:3+1 bad-indentation: This line stands deeper than line 1, which is complete",
    "a:\n    b: 1\n  c: 2\n": "3:3+4 bad-indentation: This line is indented by 2, but what it could belong "
    "to is indented by 0 or 4. | Lines that belong together begin in the same column",
    "  a: 1\nb: 2\n": "2:1+4 bad-indentation: This line is indented by 0, but what it could belong to is "
    "indented by 2.",
    "a:\n  - b\n  c: d\n": "3:3+4 bad-indentation: A name stands among list items here.",
    "a: b\n- c\n": "2:1+3 bad-indentation: A list item stands among names here.",
    "do:\n  - a\n   - b\n": "3:4+1 bad-indentation: This item stands too deep, so YAML takes it for more of",
    # names, colons, dashes
    "setup\n  do: x\n": "1:1+5 missing-colon: A colon is missing behind this name. | If this line goes on",
    "a: 1\nsetup\nb: 2\n": "2:1+5 missing-colon: ",
    "title:Wild\nedition: x\n": "1:1+7 missing-space: Behind 'title:' a space is missing.",
    "a: 1\ntitle:Wild\nb: 2\n": "2:1+7 missing-space: Behind 'title:' a space is missing.",
    "do:\n  -move x\n  -log: y\n": "2:3+2 missing-space: Behind the dash of a list item a space is missing.",
    "a: b\na: c\n": "2:1+1 duplicate-key: 'a' stands here already, in line 1. | Give each entry a name of",
    "a: {b: 1, 'b': 2}\n": "1:11+3 duplicate-key: 'b' stands here already, in line 1.",
    "{a: b}: c\n": "1:1+6 bad-key: A name is expected before the colon, not a list, a mapping or an alias.",
    "[a]: c\n": "1:1+3 bad-key: ",
    "a: &x b\n*x : c\n": "1:1+7 bad-key: ",
    ": x\n": "1:1+1 bad-key: A name is missing before the colon.",
    "? a\n: b\n? c\n? a\n": "4:3+1 duplicate-key: ",
    "{, a: b}\n": "1:2+1 bad-brackets: ",
    "a: &x {b: c}\nd:\n  <<: *x\n": "3:3+2 merge-key: Merging mappings with '<<' is not possible here.",
    "a" * 1200 + ": b\n": "1:1201+1 long-key: What stands before a colon has at most 1,000 characters.",
    "a: - x\n": "1:4+1 misplaced-list: A list begins in the line below its name, or stands in [ ].",
    # texts that need quotes
    "text: Note: do\n": "1:11+1 colon-in-text: A colon with a space after it ends a name, but here it stands "
    "in the middle of a text. | Put the whole text in quotes.",
    "text: Card #1 wins\n": "1:12+2 comment-in-text: YAML takes what follows ' #' for a comment",
    "text: a # b\n  card\n": "1:9+1 comment-in-text: A comment begins at ' #', but the text goes on in the",
    "- log: {seat} wins\n": "1:8+11 unquoted-text: A text cannot begin with { unless it stands in quotes. | "
    "Put the whole text in quotes.",
    "- log: [a] wins\n": "1:8+8 unquoted-text: A text cannot begin with [",
    "a: @b\n": "1:4+2 unquoted-text: A text cannot begin with @",
    "a: `b`\n": "1:4+3 unquoted-text: A text cannot begin with `",
    "a: %b\n": "1:4+2 unquoted-text: A text cannot begin with %",
    "%b\na: c\n": "1:1+2 unquoted-text: A text cannot begin with %",
    "a: & b\n": "1:4+3 unquoted-text: A text cannot begin with &",
    "a: * b\n": "1:4+3 unquoted-text: A text cannot begin with *",
    "a: ? b\n": "1:4+3 unquoted-text: A text cannot begin with ?",
    "a: *b\n": "1:4+2 unknown-anchor: Nothing in this file is marked &b. | If this is a text: put the whole",
    "a: , b\n": "1:4+1 stray-mark: This ',' belongs to nothing that was opened.",
    "a: {b: c}}\n": "1:10+1 stray-mark: This '}' belongs to nothing that was opened.",
    "a: >note\n": "1:4+5 block-text: After '>' the text begins in the next line, indented.",
    # quotes and brackets
    'a: "b\nc: d\n': "1:4+1 unclosed-quote: The quotation mark that opens here is never closed.",
    "a: 'b\n---\n'": "1:4+1 unclosed-quote: ",
    '- log: "a\n- log: "b"\n': "1:8+1 unclosed-quote: The quotation mark that opens here is closed only in",
    'a: "b" c\n': "1:8+1 text-after-quote: The text goes on after its closing quotation mark. | Put the",
    r'a: "\q"': "1:5+2 bad-escape: Inside double quotes a backslash begins a special character, and this is",
    "a: {b: c\nd: e\n": "1:4+1 unclosed-bracket: The '{' that opens here is never closed. | Add the '}'.",
    "a: [b, c\n": "1:4+1 unclosed-bracket: The '[' that opens here is never closed. | Add the ']'.",
    "a: {b: c d: e}\n": "1:11+1 bad-brackets: Inside { } and [ ] a comma or the closing bracket is expected",
    # what YAML offers and editions do not need
    "a: !!python/object/apply:os.system [ls]\n": "1:4+33 tag: A text that begins with '!' is a YAML tag",
    "a: !mine b\n": "1:4+7 tag: ",
    "!!map {a: b}\n": "1:1+7 tag: ",
    "a: !b!c d\n": "1:4+6 tag: ",
    "a: b\n---\nc: d\n": "2:1+3 second-document: A second document begins here; a file holds one.",
    "a: &x 1\nb: &x 2\n": "2:4+4 duplicate-anchor: &x is used twice.",
    "a: &x [*x]\n": "1:8+2 endless-alias: *x stands inside itself.",
    "&x\na: {b: *x}\n": "2:8+2 endless-alias: *x stands inside itself.",
    # files
    "": "1:1+1 empty-file: This file is empty.",
    "# only a comment\n": "1:1+1 empty-file: ",
    "---\n": "1:1+1 empty-file: ",
    "a: b\x00\n": "1:5+1 control-character: An invisible control character (U+0000) stands here.",
    "a:\n  b: \u2028c\n": "2:6+1 control-character: An invisible control character (U+2028)",
    "a: \x1b[31mred\n": "1:4+1 control-character: An invisible control character (U+001B)",
    "a: b\ud800\n": "1:5+1 control-character: An invisible control character (U+D800)",
    'a: "\\e[31m"\n': "1:4+8 control-character: An invisible control character (U+001B)",
    "x" * 1_000_001: "1:1+1 file-too-large: This file is larger than 1,000,000 bytes",
    "[" * 41 + "]" * 41: "1:41+1 too-deep: Lists and mappings stand more than 40 levels deep here.",
}


@pytest.mark.parametrize(("text", "expected"), REFUSED.items(), ids=[repr(text[:30]) for text in REFUSED])
def test_invalid_yaml_is_refused(text: str, expected: str) -> None:
    message = refusal(text)
    assert message.startswith(expected)
    assert not re.search(r"token|scalar|flow|block|node|<[a-z ]+>", message.partition(" ")[2].partition(": ")[2])


@pytest.mark.parametrize("text", [text for text in REFUSED if len(text) < 2000], ids=lambda text: repr(text[:30]))
def test_the_pure_parser_refuses_the_same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = refusal(text)
    monkeypatch.setattr(yaml_reader, "_Loader", yaml.SafeLoader)
    assert refusal(text) == expected


def test_an_escape_beyond_unicode_does_not_break_the_pure_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_reader, "_Loader", yaml.SafeLoader)
    assert " syntax: " in refusal(r'a: "\UFFFFFFFF"') and " syntax: " in refusal(r'a: "\U00110000"')


def test_recoverable_mistakes_are_reported_and_reading_goes_on() -> None:
    report = Report()
    node = read(None, "a: 1\na: 2\n{b: c}: d\ne: f\ne: g\n", report, "x.yaml")
    assert [error.code for error in report.errors] == ["duplicate-key", "bad-key", "duplicate-key"]
    assert node is not None and plain(node) == {"a": "1", "e": "f"}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a: b\nc: d\xff\n", "2:5+1 not-utf-8: This file is not encoded in UTF-8. | Save it"),
        ("a: b\n".encode("utf-16"), "1:1+1 not-utf-8: "),
        (b"a" * 1_000_001, "1:1+1 file-too-large: "),
    ],
)
def test_invalid_bytes_are_refused(data: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(data)
    assert refusal(None, path).startswith(expected)


def test_unreadable_paths_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refusal(None, tmp_path / "none.yaml").startswith("1:1+1 no-file: There is no such file.")
    assert refusal(None, tmp_path).startswith("1:1+1 no-file: This is not a file.")
    path = tmp_path / "locked.yaml"
    path.write_text("a: b\n", encoding="utf-8")

    def locked(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", locked)
    assert refusal(None, path).startswith("1:1+1 no-file: This file cannot be read: Permission denied.")


# ── what would be slow ──

LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30)
)
HEAVY = {
    "open lists": ("[" * 1_000_000, "too-deep"),
    "open mappings": ("{" * 1_000_000, "too-deep"),
    "dashes": ("- " * 500_000, "too-deep"),
    "question marks": ("? " * 500_000, "too-deep"),
    "steps": ("".join(" " * n + "a:\n" for n in range(1000)), "too-deep"),
    "deep aliases": (
        "a: &a " + "[" * 30 + "]" * 30 + "\nb: " + "[" * 20 + "*a" + "]" * 20,
        "too-deep",
    ),
    "billion laughs": (LAUGHS, "too-many-entries"),
    "multiplied text": ("a: &a " + "x" * 800_000 + "\nb: [" + "*a, " * 40_000 + "]\n", "too-many-entries"),
    "many items": ("- a\n" * 240_000, "too-many-entries"),
    "many duplicates": ("a: 1\n" * 190_000, "too-many-entries"),
    "quotes": ("a: '" + "''" * 490_000, "unclosed-quote"),
    "stars": ("*" * 1_000_000, "unquoted-text"),
    "tabs": ("\t" * 1_000_000, "tab"),
    "colons": ("a" + "::" * 400_000 + " b: c", "long-key"),
}


@pytest.mark.rotating(3)
@pytest.mark.parametrize(("text", "code"), HEAVY.values(), ids=HEAVY)
def test_heavy_files_are_refused(text: str, code: str) -> None:
    """A file that is not refused at once takes hours, or all memory."""
    report = Report()
    read(None, text, report, "x.yaml")
    rendered = report.render()
    assert code in [error.code for error in report.errors] and len(rendered) < 20_000


# ── anything at all ──


PUT_IN = [*"{}[]:,-#&*!|>'\"%@`\t\n ?x7", ": ", " #", "- ", "  ", "\n- "]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Return a shipped edition with a few lines or characters lost, doubled, moved or put in."""
    lines = EDITION.split("\n")
    for _ in range(draw(st.integers(1, 4))):
        index = draw(st.integers(0, len(lines) - 1))
        column = draw(st.integers(0, len(lines[index])))
        match draw(st.integers(0, 5)):
            case 0 if len(lines) > 1:
                del lines[index]
            case 1:
                lines.insert(draw(st.integers(0, len(lines))), lines[index])
            case 2:
                put = draw(st.sampled_from(PUT_IN))
                lines[index] = lines[index][:column] + put + lines[index][column:]
            case 3:
                lines[index] = lines[index][:column] + lines[index][column + 1 :]
            case 4:
                lines[index] = lines[index][:column] + draw(st.text(max_size=8)) + lines[index][column:]
            case _:
                lines[index] = " " * draw(st.integers(0, 12)) + lines[index].lstrip()
    return "\n".join(lines)


def check_anything(text: str) -> None:
    """Check that reading and validating never raise, and give a reason where they give no edition."""
    report = Report()
    node = read(None, text, report, "x.yaml")
    valid = node is not None and schema_validation.validate(node, report)
    assert valid or report.errors
    assert report.render().replace("\n", "").isprintable()
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for error in report.errors:
        assert 1 <= error.place.line <= len(lines) and error.place.column >= 1 and error.place.length >= 1
        assert error.place.column <= len(lines[error.place.line - 1]) + 1
    for scalar in scalars(node) if node is not None else ():
        assert scalar.place_at(0, len(scalar.text)).line >= scalar.place.line


@pytest.mark.rotating(2)
@given(st.text() | st.text(alphabet="ab:-{}[]\"'#&*!|>%@`?,. \n\t\\<~"))
@settings(max_examples=300, deadline=None)
@example('a: "\\\n')
@example("- - -\n -")
def test_any_text_gives_a_report(text: str) -> None:
    check_anything(text)


@given(mutated())
@few(40)
def test_any_mutation_of_an_edition_gives_a_report(text: str) -> None:
    check_anything(text)


def test_composed_and_decomposed_letters_are_the_same() -> None:
    """Composed and decomposed letters are the same name, and spans fit the file as it is written."""
    decomposed = "a\u0308b: move gro\u0308\u00dfe to e\u0301t\n"
    node = yaml_reader.read(None, decomposed, Report(), "x")
    assert isinstance(node, MappingNode)
    text = node.entries["\u00e4b"]
    assert isinstance(text, Scalar)
    assert text.text == "move gr\u00f6\u00dfe to \u00e9t"
    place = text.place_at(text.text.index("\u00e9t"), 2)
    assert decomposed[place.column - 1 :][: place.length] == "e\u0301t"
    place = text.place_at(5, 5)
    assert decomposed[place.column - 1 :][: place.length] == "gro\u0308\u00dfe"


def test_spans_survive_pickling() -> None:
    text = "title: >\n  Two\n  lines\n"
    tree = good(text)
    assert isinstance(tree, MappingNode)
    scalar = tree.entries["title"]
    assert isinstance(scalar, Scalar)
    place = scalar.place_at(4, 5)
    assert (place.line, place.column) == (3, 3)
    assert pickle.loads(pickle.dumps(scalar)).place_at(4, 5) == place
