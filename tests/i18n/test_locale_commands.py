"""`rulewright locale`, as translators use it: a language is begun, filled in by hand, checked, played, updated."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import polib
import pytest
import yaml
from babel.messages.pofile import read_po

from documents import blocks
from project_folders import SPEC
from rulewright import cli
from rulewright.base import resources
from rulewright.base.diagnostics import Report
from rulewright.base.wording import Problem
from rulewright.commands import locales
from rulewright.i18n import catalog_check, catalogs, grammar_files, languages, phrase_extraction, po_files
from rulewright.i18n.catalog_update import RULES, TERMS, CatalogMessage
from rulewright.i18n.catalogs import Catalog
from rulewright.i18n.localizer import Argument, Localizer, Person, Phrase, Term, phrase
from rulewright.publish import templates

EDITION = """\
rulewright: 1
title: Market
edition: "1"
players: 2
text: Take the animals you like best.
words:
  animal: {ox: {noun: ox | oxen}, otter: {}, eagle: {}}
pieces:
  card: {each: animal, copies: 2, starts in: stall, noun: "{animal}"}
zones:
  stall: {seen by: all}
  herd: {of: seat, seen by: all}
phases:
  take an animal:
    do:
      - each seat:
          - choose up to 1 from stall as taken:
              ask: Which animal do you take?
              none: None.
          - log: "{seat} took the {taken}."
          - move taken to herd
      - if number of stall is less than 4: end game
scoring:
  animals: {points: number of herd}
ranking: highest score
"""
GRAMMAR = """\
language: Français
genders: {m: le, f: la}
sounds: {vowel: [a, e, é, i, o, u]}
articles:
  le: {m: {vowel: l’, otherwise: le}, f: {vowel: l’, otherwise: la}, many: les}
  du: {m: {vowel: de l’, otherwise: du}, f: de la, many: des, name: {vowel: d’, otherwise: de}}
  que: {otherwise: {vowel: qu’, otherwise: que}}
ordinals: {1er: {one: "#er", otherwise: "#e"}}
"""
FRENCH: Mapping[str, str | tuple[str, str]] = {
    "ox": ("bœuf [m]", "bœufs"),
    "otter": ("loutre [f]", "loutres"),
    "eagle": ("aigle [m]", "aigles"),
    "Which animal do you take?": "Quel animal prends-tu\u00a0?",
    "None.": "Aucun.",
    "{seat} took the {taken}.": "{seat} [prend|prends] [le] {taken}.",
}
FEW = [CatalogMessage("answer", text, "", TERMS) for text in ("yes", "no", "points")]
"""Enough of the interface, which has hundreds of texts."""
DIAGNOSTICS = [CatalogMessage("diagnostic", "Expected {given} here, as in {a: [b]}.", "", RULES)]
RunCli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def market(locales: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with one small game and English alone; its edition's file."""
    editions, folder = locales.parent / "editions", resources.folder
    monkeypatch.setattr(resources, "folder", lambda name: editions if name == "editions" else folder(name))
    monkeypatch.setattr(phrase_extraction, "interface", lambda _: FEW)
    monkeypatch.setattr(phrase_extraction, "diagnostics", lambda _: DIAGNOSTICS)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    monkeypatch.setattr("sys.stdin", open(os.devnull, encoding="utf-8"))  # noqa: SIM115
    path = editions / "market" / "1.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(EDITION, encoding="utf-8")
    yield path
    forget()


def forget() -> None:
    """Clear caches, like a new process that reads every file again."""
    for cached in (
        languages.localizer_for,
        languages.diagnostic_translator,
        templates.family_messages,
        locales._interface,
        locales._diagnostics,
    ):
        cached.cache_clear()


@pytest.fixture
def run_cli(capsys: pytest.CaptureFixture[str]) -> RunCli:
    """Status, stdout and stderr of a command."""

    def run(*argv: str) -> tuple[int, str, str]:
        forget()
        status = cli.main(argv)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return status, out, err

    return run


@pytest.fixture
def french(market: Path, locales: Path, run_cli: RunCli) -> Path:
    """French, begun and filled in by hand; its catalog for the game."""
    assert run_cli("locale", "add", "fr")[0] == 0
    (locales / "fr" / "grammar.yaml").write_text(GRAMMAR, encoding="utf-8")
    path = locales / "fr" / "LC_MESSAGES" / "market.po"
    fill(path, FRENCH)
    return path


def fill(path: Path, texts: Mapping[str, str | tuple[str, str]]) -> None:
    """Write translations into a file, as somebody with an editor does."""
    source = path.read_text(encoding="utf-8")
    for english, text in texts.items():
        if isinstance(text, str):
            old, new = f'msgid "{english}"\nmsgstr ""', f'msgid "{english}"\nmsgstr "{text}"'
        else:
            head = re.search(rf'msgid "{english}"\nmsgid_plural ".*"\n', source)
            assert head, english
            old = head[0] + 'msgstr[0] ""\nmsgstr[1] ""'
            new = f'{head[0]}msgstr[0] "{text[0]}"\nmsgstr[1] "{text[1]}"'
        assert source.count(old) == 1, english
        source = source.replace(old, new)
    path.write_text(source, encoding="utf-8")


def play(text: RunCli, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 9))
    status, out, err = text("play", "market", "--seats", "Ada,random", "--seed", "1", *arguments)
    assert status == 0, err
    return out


# ── a language is begun ──


def test_a_language_is_started(market: Path, locales: Path, run_cli: RunCli) -> None:
    status, out, err = run_cli("locale", "add", "fr")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "locales/fr/grammar.yaml: the grammar of French, to be filled",
        "locales/fr/LC_MESSAGES/interface.po: begun, 3 texts",
        "locales/fr/LC_MESSAGES/diagnostics.po: begun, 1 texts",
        "locales/fr/LC_MESSAGES/market.po: begun, 14 texts",
        "Next: fill the grammar and translate the terms; then run 'rulewright locale check fr'.",
    ]
    text = (locales / "fr" / "LC_MESSAGES" / "market.po").read_text(encoding="utf-8")
    contexts = re.findall('msgctxt "(.*)"', text)
    sorts = ["words.animal.ox", "zones.stall", "take an animal.taken.ask", "take an animal.log", "edition.text"]
    assert [context for context in contexts if context in sorts] == sorts
    assert '"Plural-Forms: nplurals=2; plural=(n > 1);\\n"' in text
    assert "#. {taken}: a list of pieces (card)" in text and "#: 1.yaml:" in text
    assert run_cli("locale", "check", "fr")[0] == 0
    assert run_cli("locale", "update", "--check") == (0, "", "")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("French", "Did you mean 'fr' (French)?"),
        ("frensh", "Did you mean 'fr' (French)?"),
        ("FR", "Did you mean 'fr'?"),
        ("pt-BR", "Did you mean 'pt_BR'?"),
        ("zh_TW", "Did you mean 'zh_Hant_TW'?"),
        ("xx", "Expected a language's code, such as fr or pt_BR."),
        ("../fr", "Expected a language's code"),
        ("x" * 2000, "Expected a language's code"),
        ("\x1b[2J", "Expected a language's code"),
        ("en", "English needs no catalog"),
        ("en_US", "English needs no catalog"),
    ],
)
def test_invalid_language_codes_are_refused(code: str, text: str, market: Path, locales: Path, run_cli: RunCli) -> None:
    status, out, err = run_cli("locale", "add", code)
    assert (status, out) == (2, "")
    assert text in " ".join(err.split()) and "\x1b" not in err
    assert [path.name for path in locales.iterdir()] == ["en"]


def test_existing_files_are_never_overwritten(french: Path, run_cli: RunCli) -> None:
    before = french.read_bytes()
    status, _, err = run_cli("locale", "add", "fr")
    assert status == 2 and "there already" in err and "rulewright locale update fr" in err
    assert french.read_bytes() == before


@pytest.mark.parametrize("part", ["check", "status", "update", "preview"])
def test_unknown_languages_are_refused(part: str, market: Path, run_cli: RunCli) -> None:
    assert "'rulewright locale add fr' begins it" in " ".join(run_cli("locale", part, "fr", "market")[2].split())
    assert "There is no language 'klingon'" in run_cli("locale", part, "klingon", "market")[2]


def test_regions(market: Path, locales: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_cli("locale", "add", "pt_BR")[0] == 0
    fill(locales / "pt_BR" / "LC_MESSAGES" / "market.po", {"Which animal do you take?": "Que animal pegas?"})
    for code in ("pt_BR", "pt-br"):
        assert "Que animal pegas?" in play(run_cli, monkeypatch, "--lang", code)
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    assert "Que animal pegas?" in play(run_cli, monkeypatch)
    monkeypatch.delenv("LC_ALL")
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 9))
    assert "Que animal pegas?" in run_cli("play", "market", "--seats", "Ada:pt_BR,random")[1]


def test_a_language_may_have_six_plural_forms(market: Path, locales: Path, run_cli: RunCli) -> None:
    assert run_cli("locale", "add", "ar")[0] == 0
    path = locales / "ar" / "LC_MESSAGES" / "market.po"
    assert "msgstr[5]" in path.read_text(encoding="utf-8")
    assert run_cli("locale", "check", "ar")[0] == 0
    assert len(polib.pofile(str(path))) == 14


# ── filled in, it is read at once ──


def test_translations_appear_in_play(french: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    status, out, _ = run_cli("locale", "check", "fr")
    assert status == 0
    assert re.sub(r"(?<=\.po:)\d+", "LINE", out) == (  # versions of Babel break comments in other places
        "locales/fr/LC_MESSAGES/interface.po:LINE: Not translated yet: 3 of 3 texts; the first is here.\n"
        "locales/fr/LC_MESSAGES/diagnostics.po:LINE: Not translated yet: 1 of 1 texts; the first is here.\n"
        "locales/fr/LC_MESSAGES/market.po:LINE: Not translated yet: 8 of 14 texts; the first is here.\n"
        "no mistakes\n"
    )
    for file, number in re.findall(r"^(\S+\.po):(\d+):", out, re.MULTILINE):
        assert (french.parent / Path(file).name).read_text(encoding="utf-8").splitlines()[int(number) - 1][
            :5
        ] == "msgid"
    out = play(run_cli, monkeypatch, "--lang", "fr")
    assert "Quel animal prends-tu ?" in out
    assert re.search("Ada prend (le bœuf|la loutre|l’aigle)", out)
    assert "Take the animals you like best." in out  # what is not translated
    fill(french, {"Take the animals you like best.": "Prenez ce qui vous plaît."})
    assert "Prenez ce qui vous plaît." in play(run_cli, monkeypatch, "--lang", "fr")


def test_status(french: Path, run_cli: RunCli) -> None:
    status, out, _ = run_cli("locale", "status", "fr")
    assert status == 0
    assert [line.split() for line in out.splitlines()] == [
        ["LANGUAGE", "CATALOG", "TERMS", "PROMPTS", "LOG", "RULES", "ALL"],
        ["fr", "interface", "0/3", "–", "–", "–", "0", "%"],
        ["fr", "diagnostics", "–", "–", "–", "0/1", "0", "%"],
        ["fr", "market", "3/10", "2/2", "1/1", "0/1", "42", "%"],
    ]
    assert run_cli("locale", "status", "fr", "--complete")[0] == 1


def test_complete(french: Path, locales: Path, run_cli: RunCli) -> None:
    for path in (french, french.with_name("interface.po"), french.with_name("diagnostics.po")):
        catalog = polib.pofile(str(path))
        for entry in catalog:
            entry.msgstr = entry.msgstr or ("" if entry.msgid_plural else entry.msgid)
            if entry.msgid_plural and not any(entry.msgstr_plural.values()):
                entry.msgstr_plural = {0: f"{entry.msgid} [m]", 1: entry.msgid_plural}
        catalog.save(str(path))
    assert run_cli("locale", "status", "fr", "--complete")[0] == 0
    assert run_cli("locale", "check", "fr")[:2] == (0, "no mistakes\n")
    assert run_cli("locale", "update", "--check") == (0, "", "")  # polib wraps lines as it likes


def test_preview(french: Path, run_cli: RunCli) -> None:
    status, out, _ = run_cli("locale", "preview", "fr", "market")
    assert status == 0
    for line in ("prends l’aigle", "le bœuf, la loutre et l’aigle", "les 2 bœufs"):
        assert line in out, line
    assert "edition.text  partly in English" in out
    before = french.read_bytes()
    french.write_bytes(before.replace(b'"loutre [f]"', b'""').replace(b'"loutres"', b'""'))
    out = run_cli("locale", "preview", "fr", "market")[1]
    assert re.search(r"log  partly in English: see .*'otter' \(words.animal.otter\)", out)
    assert not re.search(r"[{}\[\]|]", out)
    french.write_bytes(before.replace(b'"aigle [m]"', b'"aigle"'))
    assert "'eagle' (words.animal.eagle)" in run_cli("locale", "preview", "fr", "market")[1]


def test_diagnostics_are_translated(french: Path, run_cli: RunCli) -> None:
    path = french.with_name("diagnostics.po")
    message = DIAGNOSTICS[0].one
    fill(path, {message: "Ici, {kind} ne va pas, comme en {a: [b]}."})
    out = run_cli("locale", "check", "fr")[1]
    assert "There is no slot {kind} here; there is {given}." in out and "The slot {given} is missing." in out
    path.write_text(path.read_text("utf-8").replace("{kind}", "{given}"), "utf-8")
    assert run_cli("locale", "check", "fr")[0] == 0
    assert run_cli("locale", "update", "--check") == (0, "", "")
    wording = Problem("type", message)(given="'ox'")
    assert wording.render(languages.diagnostic_translator("fr")) == "Ici, 'ox' ne va pas, comme en {a: [b]}."
    assert wording.render(languages.diagnostic_translator("en")) == str(wording)


# ── broken catalogs: told, and the game goes on in English ──

BROKEN: list[tuple[str, Callable[[bytes], bytes], str]] = [
    ("syntax", lambda d: d.replace(b'"Aucun."', b"Aucun."), r":\d+: The file cannot be used: its syntax is wrong"),
    ("quote", lambda d: d.replace(b'"Aucun."', b'"Auc"un."'), "a quote inside it is written"),
    ("open quote", lambda d: d.replace(b'"Aucun."', b'"Aucun.'), "expected a text in quotes"),
    ("keyword", lambda d: d.replace(b'msgstr "Aucun."', b'msgst "Aucun."'), "expected a text in quotes"),
    ("twice", lambda d: d.replace(b'msgstr "Aucun."', b'msgstr "Aucun."\nmsgstr "x"'), "a msgstr too many"),
    ("no msgstr", lambda d: d[: d.index(b'msgstr "Aucun."')], "a msgstr is missing"),
    ("utf-16", lambda d: d.decode().encode("utf-16"), ":1: The file cannot be used: it is not written in UTF-8"),
    ("utf-16 without mark", lambda d: d.decode().encode("utf-16-le"), "The file cannot be used"),
    ("latin-1", lambda d: d.replace("œ".encode(), b"\xe9"), r":\d+: .*UTF-8"),
    ("charset", lambda d: d.replace(b"charset=utf-8", b"charset=latin-1"), ":1: The head says charset=latin-1"),
    ("missing", lambda d: d.replace(b"[le] {taken}", b"un animal"), r":\d+: The slot {taken} is missing."),
    ("unknown", lambda d: d.replace(b"[le] {taken}", b"[le] {tacken}"), "no slot {tacken} .* Did you mean 'taken'"),
    ("sample", lambda d: d.replace(b"[le] {taken}", b"[el] {taken}"), r"'\[el\]' is no article .* There are: le"),
    ("forms", lambda d: d.replace(b"[prend|prends]", b"[a|b|c|d]"), "has 4 forms; expected 2 for a player"),
    ("gender", lambda d: d.replace(b"aigle [m]", b"aigle"), r"needs its gender in brackets: \[m\], \[f\]"),
    ("grammar", lambda d: d.replace(b"aigle [m]", b"aigle [mm]"), "'mm' is no grammar here"),
    ("plurals", lambda d: d.replace(b'msgstr[1] "aigles"\n', b""), "Expected 2 plural forms, found 1."),
    ("more plurals", lambda d: d.replace(b'"aigles"', b'"aigles"\nmsgstr[2] "x"'), "more plural forms than its head"),
    ("head", lambda d: d.replace(b"nplurals=2", b"nplurals=3"), ":1: .*: expected 'Plural-Forms: nplurals=2"),
    ("rule", lambda d: d.replace(b"plural=(n > 1)", b"plural=os"), ":1: .*: expected 'Plural-Forms: nplurals=2"),
    ("repeated", lambda d: d + d[d.index(b"msgctxt") :].split(b"\n\n")[0] + b"\n", "stands here twice"),
    ("long label", lambda d: d.replace(b'"stall"\nmsgstr ""', b'"stall"\nmsgstr "%s"' % (b"x" * 41)), "too long"),
    ("stray", lambda d: d.replace(b'msgid "None."', b'msgid "Nones."'), "No such text is left"),
    ("fuzzy", lambda d: d.replace(b"#. An answer", b"#, fuzzy\n#. An answer"), "Marked as fuzzy"),
    ("control", lambda d: d.replace(b"Aucun.", "Aucun\u202e.".encode()), r"U\+202E"),
    ("article", lambda d: d.replace(b'"aigle [m]"', '"l’aigle [m]"'.encode()), "A noun stands without its article"),
    ("glued", lambda d: d.replace(b'"loutre [f]"', b'"la loutre [f]"'), "Delete 'la'"),
    ("plain article", lambda d: d.replace(b"[le] {taken}", b"le {taken}"), r"'le' before {taken} .* write \[le\]"),
    ("gender twice", lambda d: d.replace(b'"aigles"', b'"aigles [m]"'), "the gender stands on the first form only"),
    ("open bracket", lambda d: d.replace(b"Aucun.", b"[Aucun."), r"A '\[' stands alone"),
    (
        "bars",
        lambda d: d.replace(b"[prend|prends]", b"[prend|prennent|prends]"),
        "has 3 forms; expected 2 for a player",
    ),
    ("key", lambda d: d.replace(b"[prend|prends]", b"[prend|prends|yu=x]"), "do not agree by 'yu'. Did you mean 'you'"),
    ("line break", lambda d: d.replace(b"Quel animal", b"Quel\\nanimal"), "There is a line break"),
    ("full stops", lambda d: d.replace(b"Aucun.", b"Aucun.."), "two full stops"),
    ("ends", lambda d: d.replace(b"Aucun.", b"Aucun\xc2\xa0!."), "two full stops"),
    ("one form", lambda d: d.replace(b"[prend|prends]", b"[prend]"), r"A '\[' stands alone"),
    ("slot of forms", lambda d: d.replace(b"[prend|", b"[saet: prend|"), r"no slot {saet} here. Did you mean 'seat'"),
    (
        "ordinal",
        lambda d: d.replace(b"[le] {taken}", b"[1er] {taken}"),
        r"'\[1er\]' is an ordinal, and {taken} is a list",
    ),
    ("quotes", lambda d: d.replace(b"Aucun.", "«\u00a0Aucun.".encode()), "not as many '«' as '»'"),
    ("plain blank", lambda d: d.replace("tu\u00a0?".encode(), b"tu ?"), r"A line can break beside '\?'"),
    ("straight", lambda d: d.replace(b'"aigle [m]"', b'"l\'aigle [m]"'), "Delete 'l’'"),
    ("plain straight", lambda d: d.replace(b"[le] {taken}", b"l'{taken}"), r"'l’' before {taken} .* write \[le\]"),
    ("elided", lambda d: d.replace(b"[le] {taken}", b"que {taken}"), r"'que' before {taken} .* write \[que\]"),
    ("people", lambda d: d.replace(b"{seat} [", b"de {seat} ["), r"'de' before {seat} .* write \[du\]"),
    ("stop", lambda d: d.replace(b"aigle [m]", b"aigle [mm]"), r"there is m, f, name\. Did you mean 'm'\?$"),
    ("large", lambda d: d + b"#" * 5_000_001, "larger than"),
]


@pytest.mark.rotating(3)
@pytest.mark.parametrize(("change", "text"), [(c, t) for _, c, t in BROKEN], ids=[name for name, _, _ in BROKEN])
def test_broken_catalogs(
    change: Callable[[bytes], bytes], text: str, french: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = french.read_bytes()
    french.write_bytes(change(before))
    assert french.read_bytes() != before
    status, out, _ = run_cli("locale", "check", "fr", "market")
    assert status == (0 if text in ("Marked as fuzzy", "No such text is left") else 1)
    assert re.search(f"^locales/fr/LC_MESSAGES/market.po.*{text}", out, re.MULTILINE), out
    out = play(run_cli, monkeypatch, "--lang", "fr")
    assert re.search("Which animal do you take|Quel animal prends-tu", out)
    assert re.search("Ada .*(prend|took|a)", out)


MILLIONS = "nplurals=3; plural=(n == 0 || n == 1) ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2;"
"""French as CLDR counts since version 38: of a million animals, as in 'un million de bœufs'."""


def test_a_catalog_with_more_plural_forms_by_its_own_head(french: Path, run_cli: RunCli) -> None:
    text = french.read_text(encoding="utf-8").replace("nplurals=2; plural=(n > 1);", MILLIONS)
    french.write_text(re.sub('msgstr\\[1\\] "(.+)"', r'msgstr[1] "d’\1"\nmsgstr[2] "\1"', text), encoding="utf-8")
    usual = run_cli("locale", "check", "fr", "market")
    assert usual[0] == 0, usual[1]
    assert catalogs.load(french, "fr").entries["words.animal.ox", "ox"] == ("bœuf [m]", "bœufs")
    assert run_cli("locale", "update", "fr")[0] == 0
    stored = french.read_text(encoding="utf-8")
    assert MILLIONS in stored.replace('"\n"', "") and 'msgstr[1] "d’bœufs"\nmsgstr[2] "bœufs"' in stored


@pytest.mark.parametrize("ending", ["\r", "\r\n", "\r\r\n"])
def test_a_catalog_with_other_line_ends(ending: str, french: Path, run_cli: RunCli) -> None:
    french.write_bytes(french.read_text(encoding="utf-8").replace("\n", ending).encode())
    assert run_cli("locale", "check", "fr", "market")[0] == 0
    assert catalogs.load(french, "fr").entries["words.animal.ox", "ox"] == ("bœuf [m]", "bœufs")


def test_a_broken_file_is_not_brought_up_to_date(french: Path, run_cli: RunCli) -> None:
    french.write_bytes(french.read_bytes().replace(b'"Aucun."', b"Aucun."))
    before = french.read_bytes()
    status, _, err = run_cli("locale", "update", "fr")
    assert status == 2 and re.search(r"market.po:\d+: .*Mend it first", " ".join(err.split()))
    assert french.read_bytes() == before


def test_a_broken_grammar(french: Path, locales: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    (locales / "fr" / "grammar.yaml").write_text("language: Français\narticels: {}\n", encoding="utf-8")
    status, out, _ = run_cli("locale", "check", "fr")
    assert status == 1 and "grammar.yaml:2:" in out and "Did you mean 'articles'?" in out
    assert "Which animal do you take?" in play(run_cli, monkeypatch, "--lang", "fr")


def test_inconsistent_terms_are_reported(french: Path, market: Path, run_cli: RunCli) -> None:
    market.write_text(EDITION.replace("animals: {points", "stall: {points"), encoding="utf-8")
    run_cli("locale", "update", "fr")
    text = french.read_text(encoding="utf-8")
    for place, name in (("zones.stall", "étal"), ("scoring.stall.title", "marché")):
        text = re.sub(f'(msgctxt "{place}"\nmsgid ".*"\n)msgstr ""', rf'\1msgstr "{name}"', text)
    french.write_text(text.replace('msgid "Stall"', 'msgid "stall"'), encoding="utf-8")
    message = [
        CatalogMessage("zones.stall", "stall", "", TERMS),
        CatalogMessage("scoring.stall.title", "stall", "", TERMS),
    ]
    report = catalog_check.check(french, message, languages.localizer_for("fr").table, "x.po")
    assert [f.is_error for f in report if "'stall' is 'marché' here, and 'étal' above" in f.message] == [False]


# ── texts change ──


def test_a_changed_sentence_is_kept_as_fuzzy(
    french: Path, market: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    market.write_text(EDITION.replace("Which animal do you take", "Which beast do you take"), encoding="utf-8")
    assert run_cli("locale", "update", "--check", "fr")[0] == 1
    for _ in range(2):  # and stays as it is in a second update
        assert run_cli("locale", "update", "fr")[0] == 0
        text = french.read_text(encoding="utf-8")
        changed = (
            '#, fuzzy\n#| msgid "Which animal do you take?"\nmsgctxt "take an animal.taken.ask"\n'
            'msgid "Which beast do you take?"\nmsgstr "Quel animal prends-tu\u00a0?"\n'
        )
        assert changed in text
    assert "Which beast do you take?" in play(run_cli, monkeypatch, "--lang", "fr")
    status, out, _ = run_cli("locale", "check", "fr")
    assert status == 0 and "Marked as fuzzy" in out  # it may wait until a release
    assert run_cli("locale", "status", "fr", "--complete")[0] == 1
    market.write_text(EDITION.replace("Which animal do you take", "Which brute do you take"), encoding="utf-8")
    run_cli("locale", "update", "fr")
    assert '#| msgid "Which animal do you take?"' in french.read_text(encoding="utf-8")  # what it was made for
    market.write_text(EDITION, encoding="utf-8")
    french.write_text(text.replace("#, fuzzy\n", "").replace("beast", "animal"), encoding="utf-8")
    run_cli("locale", "update", "fr")
    assert "#|" not in french.read_text(encoding="utf-8")


def test_lines_end_where_their_translator_ended_them(french: Path, market: Path, run_cli: RunCli) -> None:
    own = 'msgid ""\n"Which "\n"animal do you take?"\nmsgstr "Quel animal "\n"prends-tu\u00a0?"\n'
    text = french.read_text(encoding="utf-8")
    text = re.sub('msgid "Which animal.*\nmsgstr .*\n', own, text)
    assert own in text
    french.write_text(text, encoding="utf-8")
    market.write_text(EDITION.replace("took the {taken}.", "took the {taken}!"), encoding="utf-8")
    assert run_cli("locale", "update", "fr")[0] == 0
    after = french.read_text(encoding="utf-8")
    assert own in after and "took the {taken}!" in after


def test_obsolete_translations_are_kept_and_restored(french: Path, market: Path, run_cli: RunCli) -> None:
    before = french.read_text(encoding="utf-8")
    without = EDITION.replace('          - log: "{seat} took the {taken}."\n', "")
    for text in (without, without.replace("otter: {}, ", "")):
        market.write_text(text, encoding="utf-8")
        assert run_cli("locale", "update", "fr")[0] == 0
        live, _, obsolete = french.read_text(encoding="utf-8").partition("#~")
        assert "took the" not in live and "[prend|prends]" in obsolete
    assert "loutre" in obsolete
    market.write_text(EDITION, encoding="utf-8")
    run_cli("locale", "update", "fr")
    assert french.read_text(encoding="utf-8") == before


def test_a_new_text_gets_no_other_translation(french: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    path = french.with_name("interface.po")
    fill(path, {"yes": "oui", "no": "non"})
    texts = [FEW[0], CatalogMessage("answer", "neither of them, thank you", "", TERMS)]
    monkeypatch.setattr(phrase_extraction, "interface", lambda _: texts)
    run_cli("locale", "update", "fr")
    assert 'msgid "neither of them, thank you"\nmsgstr ""' in path.read_text(encoding="utf-8")


# ── other tools ──


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="gettext is not installed")
def test_gettext_takes_the_files(french: Path, market: Path, run_cli: RunCli, tmp_path: Path) -> None:
    market.write_text(EDITION.replace("Which animal", "Which beast").replace("otter: {}, ", ""), encoding="utf-8")
    run_cli("locale", "update", "fr")
    for path in [french, french.with_name("interface.po")]:
        done = subprocess.run(
            ["msgfmt", "--check", "-o", tmp_path / "x.mo", path], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="gettext is not installed")
@pytest.mark.parametrize("path", sorted(resources.folder("locales").rglob("*.po")), ids=lambda p: p.parent.parent.name)
def test_gettext_takes_the_shipped_files(path: Path, tmp_path: Path) -> None:
    done = subprocess.run(["msgfmt", "--check", "-o", tmp_path / "x.mo", path], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_other_readers_take_the_files(french: Path, market: Path, run_cli: RunCli) -> None:
    long = "Which animal do you take, " + "of all those that you see and that nobody has, " * 3 + "home?"
    french.write_text(french.read_text(encoding="utf-8").replace("Which animal do you take?", long), encoding="utf-8")
    market.write_text(EDITION.replace("Which animal", "Which beast").replace("otter: {}, ", ""), encoding="utf-8")
    run_cli("locale", "update", "fr")
    catalog = polib.pofile(str(french))
    (fuzzy,) = catalog.fuzzy_entries()
    assert fuzzy.previous_msgid == long and not fuzzy.tcomment and len(catalog.obsolete_entries()) == 1
    with french.open("rb") as file:
        assert len(read_po(file, locale="fr", abort_invalid=True)) == 13
    catalog.save(str(french))  # as an editor for translations would
    ours = po_files.read(french, "fr")
    assert [entry.previous_id for entry in ours if entry.fuzzy] == [[long]]
    assert len(ours.obsolete) == 1
    assert run_cli("locale", "update", "--check", "fr")[0] == 0


def test_former_texts_of_obsolete_entries(french: Path, run_cli: RunCli) -> None:
    text = '#, fuzzy\n#~| msgctxt "x"\n#~| msgid "Was."\n#~ msgctxt "x"\n#~ msgid "Is."\n#~ msgstr "Est."\n'
    french.write_text(french.read_text(encoding="utf-8") + "\n" + text, encoding="utf-8")
    assert len(po_files.read(french, "fr").obsolete) == 1
    assert run_cli("locale", "check", "fr")[0] == 0


# ── a variant of one's own ──


def test_a_catalog_lies_beside_a_variant(
    french: Path, tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(
        "rulewright: 1\nextends: market/1\nedition: mine\n"
        "change: {phases: {take an animal: {title: Choose an animal}}}\n",
        encoding="utf-8",
    )
    status, out, _ = run_cli("locale", "update", "fr", str(mine))
    assert (status, out) == (0, f"{tmp_path / 'mine.fr.po'}: begun, 1 texts\n")
    fill(tmp_path / "mine.fr.po", {"Choose an animal": "Choisir un animal"})
    assert run_cli("locale", "check", "fr", str(mine))[:2] == (0, "no mistakes\n")
    assert "100 %" in run_cli("locale", "status", "fr", str(mine))[1]
    assert "Choisir un animal" in run_cli("locale", "preview", "fr", str(mine))[1]
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 9))
    out = run_cli("play", str(mine), "--seats", "Ada,random", "--seed", "1", "--lang", "fr")[1]
    assert "Choisir un animal" in out and "Quel animal prends-tu ?" in out


# ── spec/TRANSLATING.md ──

TRANSLATING = blocks(SPEC / "TRANSLATING.md")


@pytest.mark.rotating(10)
def test_the_tutorial_adds_french(
    locales: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The document from top to bottom: commands are run, files filled in, and what is promised is said."""
    editions, folder = locales.parent / "editions", resources.folder
    (editions / "wild-cards").mkdir(parents=True)
    shutil.copy(folder("editions") / "wild-cards" / "2022.yaml", editions / "wild-cards")
    monkeypatch.setattr(resources, "folder", lambda name: editions if name == "editions" else folder(name))
    monkeypatch.setattr(
        phrase_extraction, "interface", lambda _: [*FEW, CatalogMessage("pronoun", "You", "", TERMS, True)]
    )
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    monkeypatch.setattr("sys.stdin", open(os.devnull, encoding="utf-8"))  # noqa: SIM115
    forget()
    out, done = "", 0
    for block in TRANSLATING:
        match block.words:
            case ("console",):
                for command in re.findall(r"^\$ rulewright (.*)$", block.text, re.MULTILINE):
                    languages.localizer_for.cache_clear()
                    assert cli.main(shlex.split(command)) == 0, f"{block.location}: {capsys.readouterr()}"
                    out = capsys.readouterr().out
            case ("yaml", "grammar", "fr"):
                (locales / "fr" / "grammar.yaml").write_text(block.text, encoding="utf-8")
            case ("po", "fr", domain):
                path = locales / "fr" / "LC_MESSAGES" / f"{domain}.po"
                texts = {e.msgid: plural_or_one(e) for e in polib.pofile(block.text)}
                fill(path, texts)
            case ("text", "said"):
                for line in block.text.splitlines():
                    assert line in out, f"{block.location}: {line}"
            case _:
                continue
        done += 1
    assert done == 8
    assert "Posez votre enchère face cachée." in out  # in play, which comes last
    forget()


def plural_or_one(entry: polib.POEntry) -> str | tuple[str, str]:
    return (entry.msgstr_plural[0], entry.msgstr_plural[1]) if entry.msgid_plural else str(entry.msgstr)


def test_fragments_of_the_document_are_in_the_catalogs() -> None:
    fragments = [block for block in TRANSLATING if block.words[:1] == ("po",) and block.words[1] != "fr"]
    assert {block.words[1] for block in fragments} == {"de", "it", "nl"}
    for block in fragments:
        catalog = polib.pofile(str(languages.catalog_path(block.words[1], block.words[2])))
        for entry in polib.pofile(block.text):
            shipped = catalog.find(entry.msgid, msgctxt=entry.msgctxt)
            assert shipped is not None and plural_or_one(shipped) == plural_or_one(entry), block.location


def test_grammars_of_the_document(tmp_path: Path) -> None:
    (block,) = [block for block in TRANSLATING if block.words == ("yaml", "grammar", "it")]
    path = tmp_path / "grammar.yaml"
    path.write_text(block.text, encoding="utf-8")
    report = Report()
    table, shipped = grammar_files.read(path, "it", report), languages.localizer_for("it").table
    assert table is not None, report.render()
    for sample, article in table.articles.items():
        for gender, many in (("m", False), ("f", False), ("m", True), ("f", True), ("name", False)):
            for word in ("stambecco", "aquila", "leone"):
                assert table.article(sample, gender, many, word) == shipped.article(sample, gender, many, word), article


FRENCH_NOUNS = {
    "écureuil": ("écureuil [m]", "écureuils"),
    "hérisson": ("hérisson [m]", "hérissons"),
    "bouquetin": ("bouquetin [m]", "bouquetins"),
    "loutre": ("loutre [f]", "loutres"),
    "chef {animal}": ("chef [du] {animal} [m]", "chefs [du] {animal}"),
}
ROWS = [
    tuple(cell.strip().strip("`").replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[2:5])
    for line in (SPEC / "TRANSLATING.md").read_text(encoding="utf-8").partition("| holds |")[2].splitlines()[2:]
    if line.startswith("| ")
]


def contents_of(text: str) -> Argument:
    """Return the contents of a slot as the table describes them."""
    match text.split():
        case ["nothing"]:
            return phrase("argument", "nothing")
        case ["you"]:
            return Person("You", you=True)
        case [number] if number.isdigit():
            return int(number)
        case [count, noun] if count.isdigit():
            return (Term("x", noun, f"{noun}s", (), int(count)),)
        case [first, second] if second == "you":
            return (Person(first.strip(",")), Person("You", you=True))
        case ["chef", noun]:
            return Term("x", "chef {animal}", "", (("animal", Term("x", noun, f"{noun}s")),))
        case [name] if name[0].isupper():
            return Person(name)
    return Term("x", text, f"{text}s")


@pytest.mark.parametrize(("source", "holds", "expected"), ROWS)
def test_the_document_covers_french(source: str, holds: str, expected: str, tmp_path: Path) -> None:
    (block,) = [block for block in TRANSLATING if block.words == ("yaml", "grammar", "whole")]
    path, report = tmp_path / "grammar.yaml", Report()
    path.write_text(block.text, encoding="utf-8")
    table = grammar_files.read(path, "fr", report)
    assert table is not None, report.render()
    entries = {("x", one): texts for one, texts in FRENCH_NOUNS.items()} | {("x", "{x}"): (source,)}
    entries |= {("pronoun", "You"): ("tu [toi=toi]",), ("argument", "nothing"): ("rien",)}
    text = Localizer(table, (Catalog(entries),))
    assert text.say(Phrase("x", "{x}", (("x", contents_of(holds)),))) == expected
    assert not text.missed and len(ROWS) > 20


def test_part_of_a_grammar_is_as_in_the_whole() -> None:
    (block,) = [block for block in TRANSLATING if block.words == ("yaml", "part", "nl")]
    shipped = yaml.safe_load((languages.folder("nl") / "grammar.yaml").read_text(encoding="utf-8"))["adjectives"]
    for manner, cases in yaml.safe_load(block.text)["adjectives"].items():
        assert cases.items() <= shipped[manner].items()


def test_every_block_of_the_document_is_looked_at() -> None:
    known = {
        ("console",),
        ("text", "said"),
        ("yaml", "grammar", "fr"),
        ("yaml", "grammar", "it"),
        ("yaml", "grammar", "whole"),
        ("yaml", "part", "nl"),
    }
    others = [block for block in TRANSLATING if block.words not in known and block.words[:1] != ("po",)]
    assert [block.words for block in others] == [()]  # the folder at the top


@pytest.mark.parametrize("language", ["fr", "pt_BR"])
def test_a_new_grammar_is_valid(language: str, market: Path, locales: Path, run_cli: RunCli) -> None:
    run_cli("locale", "add", language)
    path, report = locales / language / "grammar.yaml", Report()
    assert grammar_files.read(path, language, report) is not None, report.render()
    # So can its examples, once the marks before them are taken away.
    text = re.sub(r"(?m)^(genders|cases|sounds|articles): .*\n", "", path.read_text(encoding="utf-8"))
    path.write_text(re.sub(r"(?m)^#   ", "", text), encoding="utf-8")
    table = grammar_files.read(path, language, report)
    assert table is not None, report.render()
    assert set(table.articles) == {"il", "da"}
