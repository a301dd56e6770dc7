"""`rulewright new` and `rulewright schema`: files to start from, and what editors need."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from example_counts import some_editions, without_a_series
from project_folders import ROOT
from rulewright import cli
from rulewright.base import resources
from rulewright.game import library
from rulewright.players.seating import usual_people
from rulewright.syntax import schema
from rulewright.syntax.source import MAX_FILE_SIZE

SMALL = "rulewright: 1\ntitle: Small\nplayers: 2\nphases: {play: {do: end game}}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert cli.main(argv) == 2
    err = capsys.readouterr().err
    assert err.startswith("rulewright: ") and err.count("\n") == 1
    return err


def uncommented(text: str) -> str:
    """Return a draft with its examples switched on: the comments that are keys, and the lines below them."""
    head, name, rest = text.partition("\nedition: ")
    return head + name + re.sub(r"(?m)^# (?=change:|  |options:|remove:|players:)", "", rest)


# ── new ──


@pytest.mark.rotating(3)
@pytest.mark.parametrize("base", some_editions("wild-cards/2022", "classics/reversi"))
def test_a_new_variant_runs_at_once(folder: Path, base: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["new", "mine", "--from", base]) == 0
    assert capsys.readouterr().out.startswith("mine.yaml is a variant of ")
    rules = library.load("mine.yaml")
    assert rules.edition.bases[0] == base and rules.edition.edition == "mine"
    seats = ",".join(["random"] * max(2, usual_people(rules.edition)))
    assert cli.main(["play", "mine.yaml", "--seats", seats, "--seed", "3"]) == 0
    assert cli.main(["diff", base, "mine.yaml"]) == 0


@pytest.mark.rotating(3)
@pytest.mark.parametrize("base", without_a_series())
def test_the_examples_in_a_new_variant_are_valid(folder: Path, base: str, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["new", "mine", "--from", base])
    path = folder / "mine.yaml"
    switched_on = uncommented(path.read_text(encoding="utf-8"))
    assert {"change", "options", "remove"} <= yaml.safe_load(switched_on).keys()
    path.write_text(switched_on, encoding="utf-8")
    before, after = library.load(base).edition, library.load("mine.yaml").edition
    [changed] = re.findall(r"^      (.+): (\d+) +# instead of (\d+)$", switched_on, re.MULTILINE)
    assert after.figures[changed[0]].body.text == changed[1] != changed[2] == before.figures[changed[0]].body.text
    assert "one more" in after.options and len(after.options) == len(before.options)


@pytest.mark.rotating(5)
def test_the_commands_in_a_new_variant_work(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["new", "a b", "--from", "2022"])
    commands = re.findall(r"^#   rulewright (.*?)   ", (folder / "a b.yaml").read_text(encoding="utf-8"), re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["check", "diff", "play", "explain"]
    for command in commands:
        if not command.startswith("play"):
            assert cli.main([word.strip('"') for word in re.findall(r'"[^"]*"|\S+', command)]) == 0


def test_a_variant_of_a_file_finds_it_from_its_own_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "small game.yaml").write_text(SMALL, encoding="utf-8")
    (folder / "sub").mkdir()
    assert cli.main(["new", "mine.yaml", "--from", "small game.yaml", "--dir", "sub"]) == 0
    text = (folder / "sub" / "mine.yaml").read_text(encoding="utf-8")
    assert '\nextends: "../small game.yaml"\n' in text and "# players: 2\n" in text
    assert library.load("sub/mine.yaml").edition.bases == ("../small game.yaml",)
    (folder / "sub" / "mine.yaml").write_text(uncommented(text), encoding="utf-8")
    assert library.load("sub/mine.yaml").edition.title == "Small"


def test_nothing_is_overwritten(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mine.yaml").write_text("precious", encoding="utf-8")
    assert "'mine.yaml' is there already" in refused(capsys, "new", "mine", "--from", "2022")
    assert (folder / "mine.yaml").read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("name", ["../x", "a/b", "a\\b", "", ".", "-x", "x\ny", "nul", "x" * 200, "x.y", " x", "x:y"])
def test_a_name_is_a_plain_file_name(folder: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["new", "--from", "2022", "--", name]) == 2
    assert "cannot be the name of a variant" in capsys.readouterr().err
    assert not list(folder.iterdir())


def test_impossible_variants_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "There is no edition 'nothing'" in refused(capsys, "new", "x", "--from", "nothing")
    assert "'gone/x.yaml' cannot be written: " in refused(
        capsys, "new", "x", "--from", "2022", "--dir", "gone"
    ).replace("\\", "/")
    assert "--from" in refused(capsys, "new", "x")
    assert not list(folder.iterdir())


def test_a_title_cannot_add_keys(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    title = "A: game # of\\n{x}\\nplayers: 9"
    (folder / "odd.yaml").write_text(SMALL.replace("title: Small", f'title: "{title}"'), encoding="utf-8")
    assert cli.main(["new", "mine", "--from", "odd.yaml"]) == 0
    edition = library.load("mine.yaml").edition
    assert edition.people == (2, 2) and edition.title == library.load("odd.yaml").edition.title


# ── schema ──


@pytest.mark.parametrize("schema_name", ["edition", "variant", "scenarios"])
def test_the_schema_is_written(folder: Path, schema_name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema", schema_name]) == 0
    text = capsys.readouterr().out
    Draft202012Validator.check_schema(json.loads(text))
    assert json.loads(text) == schema.load(f"{schema_name}.schema.json")
    assert cli.main(["schema", schema_name, "--out", "x.json"]) == 0
    assert (folder / "x.json").read_text(encoding="utf-8") == text
    (folder / "x.json").write_text(text[:300], encoding="utf-8")
    assert cli.main(["schema", schema_name, "--out", "x.json"]) == 0  # a schema is written anew
    assert (folder / "x.json").read_text(encoding="utf-8") == text
    assert [path.name for path in folder.iterdir()] == ["x.json"]


def test_the_schema_of_editions_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["schema"])
    assert json.loads(capsys.readouterr().out) == schema.load()


def test_other_files_are_not_overwritten(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mine.yaml").write_text(SMALL, encoding="utf-8")
    assert "'mine.yaml' is there already" in refused(capsys, "schema", "--out", "mine.yaml")
    assert (folder / "mine.yaml").read_text(encoding="utf-8") == SMALL
    assert "'editions' (choose from " in refused(capsys, "schema", "editions")


# ── editors ──

SHIPPED = sorted([*(ROOT / "editions").rglob("*.yaml"), *(ROOT / "tests" / "scenarios").rglob("*.yaml")])
MODELINE = re.compile(r"# yaml-language-server: \$schema=(\S+)\n")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_names_its_schema(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    match = MODELINE.match(text)
    assert match is not None
    kind = "scenarios" if "\ncases:" in text else "variant" if "\nextends: " in text else "edition"
    assert (path.parent / match[1]).resolve() == resources.folder("spec").resolve() / f"{kind}.schema.json"


def test_a_new_variant_names_an_existing_schema(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["new", "mine", "--from", "2022"])
    text = (folder / "mine.yaml").read_text(encoding="utf-8")
    match = MODELINE.match(text)
    assert match is not None and match[1] == (resources.folder("spec") / "variant.schema.json").as_uri()
    resolved = json.loads(json.dumps(yaml.safe_load(text)))
    assert not list(Draft202012Validator(schema.load("variant.schema.json")).iter_errors(resolved))
    assert len(text) < MAX_FILE_SIZE


@pytest.mark.parametrize("schema_name", ["edition", "variant", "scenarios"])
def test_the_schema_has_the_defaults_of_its_descriptions(schema_name: str) -> None:
    """The schema has as `default` what a description says of a missing key."""
    text = json.dumps(schema.load(f"{schema_name}.schema.json"))
    left_out = r'If left out, (yes|no|\d+|orthogonal|top|down|open|always(?=\.", "default))\.'
    defaults = re.findall(rf'"description": "[^"\\]*(?:\\.[^"\\]*)*{left_out}", "default": "?(\w+)"?', text)
    assert len(defaults) == len(re.findall(left_out, text)) == text.count('"default": ') - text.count('"default": {')
    assert defaults and all(words == default for words, default in defaults)
