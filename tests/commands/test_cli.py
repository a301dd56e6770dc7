"""The command line: what each command says, its exit status, and that no mistake shows a traceback."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from project_folders import GAMES, TESTS
from rulewright import __version__, cli
from rulewright.base import diagnostic_rules, diagnostics_output, resources
from rulewright.base.diagnostics import RulewrightError
from rulewright.commands import arguments, books, designer_arguments, simulation_arguments
from rulewright.commands.parser import load_command
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.i18n.languages import diagnostic_translator, localizer_for
from rulewright.model import editions
from rulewright.model.edition import Edition
from rulewright.players import saves
from rulewright.players.seating import PERSON, Seat, missing_roles, read_seats, usual_seats
from rulewright.publish import printing

EDITION = resources.folder("editions") / "wild-cards" / "2022.yaml"
BOTS = ("play", "2022", "--seats", "random,random,random", "--seed", "7")
ONE = ("play", "2022", "--seats", "you,random,random,random")
"""Somebody alone, without opponents that think: that takes a second."""
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs /dev/full or pipes of POSIX")


@cache
def rules() -> Rules:
    return library.load("wild-cards/2022")


@pytest.fixture(autouse=True, scope="module")
def loaded_once() -> Iterator[None]:
    """Loads the shipped edition once for all commands that name it so."""
    load, shipped = library.load, rules()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "load", lambda name: shipped if name in ("2022", shipped.name) else load(name))
        yield


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for what is kept between games, and no terminal."""
    folder = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    monkeypatch.setenv("LOCALAPPDATA", str(folder))
    monkeypatch.setattr("sys.stdin", open(os.devnull, encoding="utf-8"))  # noqa: SIM115
    return folder / "rulewright"


def run_cli(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    """Status, stdout and stderr of a command."""
    status = cli.main(argv)
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return status, out, err


def refused(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """The one paragraph that a command was refused with."""
    status, _, err = run_cli(capsys, *argv)
    assert status == 2
    assert err.startswith("rulewright: ")
    assert err.count("\n") == 1
    return err


def run(*argv: str, typed: str = "", encoding: str = "utf-8") -> "subprocess.CompletedProcess[str]":
    """A command in a process of its own, with pipes."""
    return subprocess.run(
        [sys.executable, "-m", "rulewright", *argv],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=False,
    )


# ── the command line ──


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        ((), "Say what to do: play, learn, replay, analyse, serve, data, editions, check, format, test"),
        (("plya",), "no command 'plya'. Did you mean 'play'?"),
        (("--verison",), "no option '--verison'. Did you mean '--version'?"),
        (("play", "--seat", "you"), "no option '--seat'. Did you mean '--seats'?"),
        (("play", "--sav=x"), "no option '--sav'. Did you mean '--save'?"),
        (("play", "2022", "2020"), "does not know what to do with '2020'"),
        (("play", "--seed"), "--seed needs a value. See 'rulewright play --help'."),
        (("play", "--seed", "-1"), "whole number from 0 to"),
        (("play", "--seed", "٣"), "whole number from 0 to"),
        (("play", "--seed", "9" * 50), "whole number from 0 to"),
        (("play", "--color", "pink"), "--color cannot be 'pink'. It can be: auto, always, never."),
        (("replay",), "missing: FILE"),
        (("play", "2022", "--edition", "2022"), "Two editions"),
        (("play", "2021"), "Did you mean '2022'?"),
        (("play", "nowhere.yaml"), "no file 'nowhere.yaml'"),
        (("play", "2022", "--option", "no blufing"), "Did you mean 'no bluffing'?"),
        (("play", "2022", "--option", "no bluffing=maybe"), "can be no or yes, not 'maybe'"),
        (("play", "2022", "--seats", "you,you"), "Two players are called 'You'"),
        (("play", "2022", "--seats", "a,b,c,d,e,f"), "2 to 5 players, not 6"),
        (("play", "--resume"), "no last game"),
        (("play", "--resume", "x", "--seats", "you"), "leave out --seats"),
        (("play", "--resume", "x", "--seed", "0"), "leave out --seed"),
        (("play", "2022", "--resume", "x"), "leave out the edition"),
        (("play", "--resume", "nowhere.json"), "no file"),
        (("replay", str(EDITION)), "not a saved game"),
        (("play", "2022", "--save", "nowhere/game.json"), "cannot be saved in"),
        (("play", "n" * 5000), "There is no edition"),
        (("play", "\x1b[2J\u202e"), "There is no edition"),
    ],
)
def test_invalid_command_lines_are_refused(
    capsys: pytest.CaptureFixture[str], argv: Sequence[str], expected: str
) -> None:
    message = refused(capsys, *argv)
    assert expected in message
    assert message.rstrip("\n").isprintable()
    assert len(message) < 1200


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(capsys, "--version") == (0, f"rulewright {__version__}\n", "")
    status, out, _ = run_cli(capsys, "play", "--help")
    assert status == 0
    assert all(option in out for option in ("--edition", "--seats", "--option", "--seed", "--save", "--resume"))


@pytest.mark.rotating(4)
def test_output_that_ends_early_is_no_error() -> None:
    game = subprocess.Popen([sys.executable, "-m", "rulewright", *BOTS], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert game.stdout is not None and game.stderr is not None
    game.stdout.close()
    assert game.stderr.read() == b""
    game.stderr.close()
    assert game.wait() == 141


@pytest.mark.rotating(6)
@posix_only
def test_a_full_disk_gives_one_sentence() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rulewright", "editions"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr == b"rulewright: The output cannot be written: No space left on device.\n"


def test_an_interrupted_command_ends_silently(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(library, "available", interrupt)
    assert run_cli(capsys, "editions") == (130, "", "rulewright: interrupted\n")


# ── editions, check, test ──


def test_editions_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_cli(capsys, "editions")
    assert status == 0
    assert out.splitlines()[0].split() == ["NAME", "TITLE", "PLAYERS", "SEATS", "OPTIONS"]
    row = next(line for line in out.splitlines() if line.startswith("wild-cards/2022 "))
    assert re.search(r"Wild Cards 2022 +2–5 +3–5 +even removal, no bluffing", row)


@pytest.mark.rotating(2)
def test_edition_with_errors_is_listed_as_such(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("rulewright: 1\n", encoding="utf-8")
    for module in (library, editions):
        monkeypatch.setattr(module, "available", lambda: {"wrong": wrong, "right": EDITION})
    status, out, _ = run_cli(capsys, "editions")
    assert status == 0
    assert "rulewright check wrong" in out
    assert "Wild Cards 2022" in out


@pytest.mark.rotating(3)
def test_check_without_errors(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(capsys, "check", "2022") == (
        0,
        "2022: no errors (Wild Cards 2022: 2–5 players, 4 phases)\n",
        "",
    )


@pytest.mark.rotating(3)
def test_check_shows_every_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(EDITION.read_text(encoding="utf-8").replace("players:", "plyers:"), encoding="utf-8")
    status, out, err = run_cli(capsys, "check", str(wrong), "2022")
    assert (status, err) == (1, "")
    assert "plyers" in out and "^^^" in out
    assert "2022: no errors" in out
    status, out, err = run_cli(capsys, "check", "nowhere.yaml", str(wrong), "2022")
    assert status == 2
    assert "no file 'nowhere.yaml'" in err
    assert "plyers" in out and "2022: no errors" in out


IDLE = """\
rulewright: 1
title: "100%: a, b"
players: 2
options: {idle: {text: Nothing changes.}}
phases: {play: {do: [end game]}}
"""


def test_warnings_are_shown_and_fail_only_where_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "idle.yaml"
    path.write_text(IDLE, encoding="utf-8")
    status, out, err = run_cli(capsys, "check", str(path))
    assert (status, err) == (0, "")
    assert "warning[changes-nothing]: The option 'idle' changes nothing." in out and "^^^^" in out
    assert out.endswith(f"{path}: no errors, 1 warning (100%: a, b: 2 players, 1 phase)\n")
    assert run_cli(capsys, "check", "--strict", str(path))[:2] == (1, out)
    assert run_cli(capsys, "check", "--strict", "2022")[0] == 0


@pytest.mark.rotating(3)
def test_several_files_are_summed_up(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    idle, wrong = tmp_path / "idle.yaml", tmp_path / "wrong.yaml"
    idle.write_text(IDLE, encoding="utf-8")
    wrong.write_text(IDLE.replace("players:", "plyers:"), encoding="utf-8")
    status, out, _ = run_cli(capsys, "check", "2022", str(idle), str(wrong), "nowhere.yaml")
    assert status == 2
    assert f"\n{wrong}: 1 error\n" in out
    assert out.endswith("\n4 files: 1 with errors, 1 with warnings, 1 missing\n")
    assert run_cli(capsys, "check", "2022", "wild-cards/2022")[1].endswith("\n2 files: nothing wrong\n")


def test_check_for_editors(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    idle, wrong = tmp_path / "idle.yaml", tmp_path / "wrong.yaml"
    idle.write_text(IDLE, encoding="utf-8")
    wrong.write_text(IDLE.replace("players:", "plyers:"), encoding="utf-8")
    status, out, err = run_cli(capsys, "check", "--format", "json", "2022", str(idle), str(wrong))
    assert (status, err) == (1, "")
    warning, error = json.loads(out)
    assert warning == {
        "file": str(idle),
        "range": {"start": {"line": 4, "column": 11}, "end": {"line": 4, "column": 15}},
        "severity": "warning",
        "code": "changes-nothing",
        "message": "The option 'idle' changes nothing.",
        "arguments": {"option": "idle"},
        "hint": warning["hint"],
        "related": [],
        "fixes": warning["fixes"],
    }
    assert [fix["title"] for fix in warning["fixes"]] == ["Delete it"]
    assert (error["code"], error["severity"]) == ("unknown-key", "error")
    assert "Did you mean 'players'?" in error["hint"]
    start, end = {"line": error["range"]["start"]["line"], "column": 1}, error["range"]["end"]
    assert error["fixes"][0] == {"title": "Say 'players'", "range": {"start": start, "end": end}, "new": "players"}
    assert run_cli(capsys, "check", "--format", "json", "2022") == (0, "[]\n", "")


def test_check_writes_sarif(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The file fits the published schema."""
    schema = json.loads((TESTS / "base" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
    wrong = tmp_path / "a wrong file.yaml"
    wrong.write_text(IDLE.replace("players:", "plyers:"), encoding="utf-8")
    status, out, err = run_cli(capsys, "check", "--format", "sarif", "2022", str(wrong), "nowhere.yaml")
    assert status == 2 and "nowhere.yaml" in err
    log = json.loads(out)
    jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).validate(log)
    (run,) = log["runs"]
    error, missing = run["results"]
    assert (error["ruleId"], error["level"]) == ("unknown-key", "error")
    location = error["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == wrong.as_uri() and "%20" in wrong.as_uri()
    assert error["fixes"][0]["artifactChanges"][0]["replacements"] == [
        {"deletedRegion": location["region"], "insertedContent": {"text": "players"}}
    ]
    assert missing["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "nowhere.yaml"
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {"unknown-key", "no-file"}


@pytest.mark.rotating(2)
def test_check_applies_safe_fixes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Round after round, as what one mistake hid comes to light; what has two fixes is left to the designer."""
    sound = (GAMES / "goofspiel.yaml").read_text(encoding="utf-8")
    path = tmp_path / "game.yaml"
    spoilt = sound.replace("players:", "plyers:").replace("shuffle", "suffle").replace("together.", "together")
    path.write_text(spoilt, encoding="utf-8")
    before = run_cli(capsys, "check", str(GAMES / "goofspiel.yaml"))[1].splitlines()
    status, out, _ = run_cli(capsys, "check", "--fix", str(path))
    assert status == 0
    assert [line.partition(": fixed")[2] for line in out.splitlines() if ": fixed[" in line] == [
        "[unknown-key]: Say 'players'",
        "[syntax]: Say 'shuffle'",
        "[ending]: Say 'together.'",
    ]
    assert path.read_text(encoding="utf-8") == sound
    assert before[-1].partition(": ")[2] in out
    path.write_text(sound.replace("end game", "end gme and more"), encoding="utf-8")
    content = path.read_bytes()
    status, out, _ = run_cli(capsys, "check", "--fix", str(path))
    assert status == 1 and ": fixed[" not in out and path.read_bytes() == content


def test_explain_describes_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run_cli(capsys, "explain", "unknown-name")
    assert status == 0 and out.startswith("unknown-name: ")
    assert "\nWrong:\n\n    " in out and "\nRight:\n\n    " in out
    every = diagnostic_rules.rules()
    assert all(rule.text for rule in every.values())
    unshown = {code for code, rule in every.items() if {right for right, _ in rule.examples} != {True, False}}
    too_much = {"file-too-large", "long-key", "too-deep", "too-large", "too-many-entries", "not-utf-8"}
    assert unshown == too_much | {
        "cannot-ask",
        "no-file",
        "other-file",
        "unprintable",
    }  # nor what needs more than a file


@pytest.mark.parametrize(
    ("language", "wrong", "right"),
    [
        ("de", "Falsch", "Richtig"),
        ("fr", "Incorrect ", "Correct "),
        ("it", "Sbagliato", "Giusto"),
        ("nl", "Fout", "Goed"),
    ],
)
def test_explain_speaks_every_language(
    capsys: pytest.CaptureFixture[str], language: str, wrong: str, right: str
) -> None:
    """The rule of a code is translated; its examples are the same."""
    english = run_cli(capsys, "explain", "no-end", "--lang", "en")[1].split("\n\n")
    rule, *rest = run_cli(capsys, "explain", "no-end", "--lang", language)[1].split("\n\n")
    assert rule.startswith("no-end: ") and "`end game`" in rule and rule != english[0]
    assert rest == [f"{wrong}:", english[2], f"{right}:", english[4]]
    translate = diagnostic_translator(language)
    every = {rule.code: rule.text for rule in diagnostic_rules.rules().values()}
    assert not [code for code, text in every.items() if translate(text) == text]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", "eine ganze Zahl von 1 bis 100000"),
        ("fr", "un nombre entier de 1 à 100000"),
        ("it", "un numero intero da 1 a 100000"),
        ("nl", "een geheel getal van 1 tot 100000"),
    ],
)
def test_check_says_what_a_schema_expects_in_every_language(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, language: str, expected: str
) -> None:
    path = tmp_path / "idle.yaml"
    path.write_text(IDLE + "limit: {answers: 0}\n", encoding="utf-8")
    status, out, _ = run_cli(capsys, "check", "--lang", language, str(path))
    assert status == 1 and expected in out and "How many" not in out


def test_check_reports_a_missing_file_to_editors(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run_cli(capsys, "check", "--format", "json", "nowhere.yaml", "2022")
    assert status == 2 and "There is no file 'nowhere.yaml'." in err
    assert [(found["file"], found["code"]) for found in json.loads(out)] == [("nowhere.yaml", "no-file")]


def test_check_for_workflows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "a, b: 100%.yaml"
    path.write_text(IDLE.replace("title:", '"100%0A::error":'), encoding="utf-8")
    status, out, _ = run_cli(capsys, "check", "--format", "github", str(path))
    assert status == 1
    first, *others = out.splitlines()
    file = str(path).replace("a, b: 100%", "a%2C b%3A 100%25")
    source = f"::error file={file},line={{}},col=1,endColumn={{}},title="
    results = [line for line in (first, *others) if "title=unknown-key" in line]
    assert results[0].startswith(f"{source.format(2, 16)}unknown-key::'100%250A::error' is not known here.")
    assert all(line.startswith("::error file=") for line in (first, *others))
    assert any("%0A" in line for line in (first, *others))
    assert run_cli(capsys, "check", "--format", "github", "2022") == (0, "", "")


def test_edition_with_errors_cannot_be_played(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(EDITION.read_text(encoding="utf-8").replace("players:", "plyers:"), encoding="utf-8")
    status, out, err = run_cli(capsys, "play", str(wrong))
    assert (status, out) == (2, "")
    assert "plyers" in err


def test_test_gives_the_status_of_the_scenarios(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rulewright.authoring.scenarios.run", lambda paths, out, _: out.write(f"{paths}\n") and 1)
    assert run_cli(capsys, "test", "a", "b") == (1, "['a', 'b']\n", "")


# ── seats ──


def edition() -> Edition:
    return rules().edition


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("you,Milú", [Seat("You", PERSON), Seat("Milú", PERSON)]),
        ("You, LEO", [Seat("You", PERSON), Seat("Leo", "random", "leo")]),
        ("ada,random,Random", [Seat("ada", PERSON), Seat("Ben", "random"), Seat("Cora", "random")]),
        ("Zoe:random,Leonard:leo", [Seat("Zoe", "random"), Seat("Leonard", "random", "leo")]),
        ("Leo:person,randm:person", [Seat("Leo", PERSON), Seat("randm", PERSON)]),
        ("Lea,Rand,a:b:random", [Seat("Lea", PERSON), Seat("Rand", PERSON), Seat("a:b", "random")]),
    ],
)
def test_seats_are_parsed(text: str, expected: list[Seat]) -> None:
    assert read_seats(text, edition()) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("you,randm", "'random'.*'randm:person'"),
        ("you,radnom", "'random'"),
        ("you,randoms", "'random'"),
        ("you,rondom", "'random'"),
        ("you,bot", "'medium'.*'bot:person'"),
        ("you,person", "name"),
        ("you,Ann:rando", "no kind of player and no language 'rando'. Did you mean 'random'"),
        ("you,:random", "no name"),
        ("you,,random", "empty"),
        ("", "empty"),
    ],
)
def test_invalid_seats_are_refused(text: str, expected: str) -> None:
    with pytest.raises(RulewrightError, match=expected):
        read_seats(text, edition())


def test_usual_table_has_four_seats() -> None:
    seats = usual_seats(edition())
    assert [seat.player for seat in seats] == [PERSON, "medium", "medium", "medium"]
    assert missing_roles(seats, edition()) == []


def test_virtual_player_that_must_join_does_and_is_announced(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    status, out, _ = run_cli(capsys, "play", "2022", "--seats", "you,random")
    assert status == 0
    assert "Leo joins: with 2 players" in out
    assert "At the table: you, Ada and Leo." in out
    assert json.loads((state / "last.json").read_text())["seats"][2] == {"name": "Leo", "role": "leo"}


# ── games without people ──


@pytest.mark.rotating(4)
def test_a_name_of_another_editions_virtual_player_gives_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run_cli(capsys, "play", "tests/games/goofspiel.yaml", "--seats", "leo,Ada:random", "--seed", "1")
    text = "Goofspiel has no virtual player 'leo': a person sits there. For the computer write leo:medium."
    assert " ".join(out.split()).startswith(text)
    for seats in ("you,random", "leo:random,Ada:random", "leo:person,random"):
        assert (
            "virtual" not in run_cli(capsys, "play", "tests/games/goofspiel.yaml", "--seats", seats, "--seed", "1")[1]
        )
    assert (
        "a person sits there" not in run_cli(capsys, "play", "2022", "--seats", "leo,random,random", "--seed", "1")[1]
    )


def test_a_game_without_people_is_printed_to_the_end(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    status, out, err = run_cli(capsys, *BOTS)
    assert (status, err) == (0, "")
    rounds = re.findall(r"^Round (\d+)$", out, re.M)
    assert [int(number) for number in rounds] == list(range(1, 15))
    assert out.index("began with the Talisman") < out.index("Round 1")
    assert re.search(r"^Winners?: ", out, re.M)
    points = [int(number) for number in re.findall(r"^Points +(.*)$", out, re.M)[0].split()]
    lines = re.findall(r"^(?:Largest herd|Second herd|Leaders|Score tokens) +(.*)$", out, re.M)
    assert [sum(column) for column in zip(*([int(n) for n in line.split()] for line in lines), strict=True)] == points
    assert points == sorted(points, reverse=True)
    assert not state.exists()


def test_seats_that_are_not_scored_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run_cli(capsys, "play", "2022", "--seats", "random,random,leo", "--seed", "1")
    assert "Not scored: Leo." in out


@pytest.mark.rotating(4)
def test_same_seed_same_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(capsys, *BOTS) == run_cli(capsys, *BOTS)
    assert run_cli(capsys, *BOTS) != run_cli(capsys, *BOTS[:-1], "8")


@pytest.mark.rotating(2)
def test_options_reach_the_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    run_cli(capsys, *BOTS, "--option", "no-bluffing", "--option", "even removal=no", "--save", str(path))
    options = saves.read(path)["options"]
    assert (options["no bluffing"], options["even removal"]) == ("yes", "no")
    _, out, _ = run_cli(capsys, "replay", str(path))
    assert "Options: even removal (no) and no bluffing (yes)." in out


# ── games with people, without a terminal ──


@pytest.mark.rotating(4)
def test_without_a_terminal_the_default_game_starts_and_is_saved(
    capsys: pytest.CaptureFixture[str], state: Path
) -> None:
    status, out, err = run_cli(capsys, "play", "2022")
    assert (status, err) == (0, "")
    assert "At the table: you, Ada, Ben and Cora." in out
    assert "Go on with: rulewright play --resume" in " ".join(out.split())
    assert saves.read(state / "last.json")["players"] == ["person", "medium", "medium", "medium"]


@pytest.mark.rotating(2)
def test_answers_come_from_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    done = run("play", "2022", "--seats", "you,random,random", "--seed", "1", "--save", str(path), typed="1\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "You> 1\n" in done.stdout
    assert "\x1b" not in done.stdout
    answers = saves.read(path)["answers"]
    assert [answer["seat"] for answer in answers[:3]] == [1, 2, 0]


@pytest.mark.rotating(3)
def test_invalid_bytes_are_a_wrong_answer(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    done = subprocess.run(
        [sys.executable, "-m", "rulewright", *ONE, "--save", str(path)],
        input=b"\xff\xfe\x1b[2J\n" + b"1" * 10_000 + b"\n?\x1b\n",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout
    assert saves.read(path)["answers"][3:] == []


@pytest.mark.rotating(3)
@pytest.mark.parametrize("encoding", ["ascii", "cp437", "cp932"])
@pytest.mark.parametrize(
    "argv",
    [
        ("--help",),
        ("check", "2022"),
        ("diff", "2020", "2022"),
        ("editions", "--lang", "fr"),
        ("explain", "2022"),
        ("locale", "status"),
        ("play", "2022", "--seat"),
        ("schema", "edition"),
    ],
    ids=" ".join,
)
def test_a_code_page_without_a_sign_gets_a_replacement(
    argv: Sequence[str], encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = {name: io.BytesIO() for name in ("stdout", "stderr")}
    with monkeypatch.context() as patch:
        for name, stream in sources.items():
            patch.setattr(sys, name, io.TextIOWrapper(stream, encoding=encoding, write_through=True))
        status = cli.main(list(argv))
        view = b"".join(stream.getvalue() for stream in sources.values()).decode(encoding)
    assert status == (2 if "--seat" in argv else 0)
    assert view.strip() and "Traceback" not in view


@pytest.mark.rotating(2)
def test_terminal_without_unicode_gets_plain_signs() -> None:
    done = run(*ONE, "--seed", "1", encoding="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    assert "> You" in done.stdout


@pytest.mark.rotating(3)
def test_colours_only_where_requested(capsys: pytest.CaptureFixture[str]) -> None:
    _, plain, _ = run_cli(capsys, *ONE, "--seed", "1")
    _, never, _ = run_cli(capsys, *ONE, "--seed", "1", "--color", "never")
    _, always, _ = run_cli(capsys, *ONE, "--seed", "1", "--color", "always")
    assert "\x1b[" in always and "\x1b" not in plain + never
    # Colour is never all that tells: without it nothing is missing.
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", always)
    assert stripped.split("Type ?")[1] == never.split("Type ?")[1]


@pytest.mark.rotating(2)
def test_unfinished_last_game_is_kept(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    run_cli(capsys, *ONE, "--seed", "1")
    _, out, _ = run_cli(capsys, *ONE, "--seed", "2")
    assert str(state / "previous.json") in out.replace("\n", " ").replace(" /", "/") or "previous.json" in out
    assert [saves.read(state / name)["seed"] for name in ("previous.json", "last.json")] == [1, 2]


@pytest.mark.rotating(2)
def test_foreign_and_unfinished_files_are_not_overwritten(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    letter, game = tmp_path / "letter", tmp_path / "game.json"
    letter.write_text("Dear Milú", encoding="utf-8")
    assert "no saved game" in refused(capsys, "play", "2022", "--save", str(letter))
    assert letter.read_text(encoding="utf-8") == "Dear Milú"
    assert run_cli(capsys, *ONE, "--seed", "1", "--save", str(game))[0] == 0
    before = game.read_bytes()
    message = refused(capsys, *ONE, "--save", str(game))
    assert "not over" in message and f"--resume {game}" in message
    assert game.read_bytes() == before
    assert run_cli(capsys, "play", "--resume", str(game), "--save", str(game))[0] == 0


def test_games_go_on_where_they_cannot_be_saved(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "state").touch()
    status, out, _ = run_cli(capsys, *ONE)
    assert status == 0
    text = " ".join(out.split())
    assert "will not be saved" in text and "The game is not saved anywhere." in text


# ── resume and replay ──


def test_resume_repeats_the_question_and_saves_in_place(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    _, first, _ = run_cli(capsys, *ONE, "--seed", "1", "--save", str(path))
    before = path.read_bytes()
    _, again, _ = run_cli(capsys, "play", "--resume", str(path))
    table = first[first.rindex("\nWild Cards 2022 · round 1") :]
    assert table in again
    assert "hand:" in table
    assert path.read_bytes() == before


@pytest.mark.rotating(2)
def test_replay_shows_what_a_seat_saw(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    run_cli(capsys, *BOTS, "--save", str(path))
    status, out, _ = run_cli(capsys, "replay", str(path))
    assert status == 0
    assert out.count("Round 3\n") == 1 and "  Place bids\n    Ada bid " in out
    assert "Winner" in out and "Seed 7." in out
    _, by_name, _ = run_cli(capsys, "replay", str(path), "--seat", "ada")
    assert by_name == run_cli(capsys, "replay", str(path), "--seat", "1")[1]
    assert "As Ada saw it." in by_name
    for wrong in ("0", "4", "zoe"):
        assert "Seats: 1 Ada, 2 Ben and 3 Cora" in refused(capsys, "replay", str(path), "--seat", wrong)


def test_replay_of_an_unfinished_game_keeps_its_secrets(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    run_cli(capsys, *ONE, "--seed", "123456")
    status, out, _ = run_cli(capsys, "replay", str(state / "last.json"))
    assert status == 0
    assert "not over" in out and "123456" not in out


def test_choices_of_commands_match_their_modules() -> None:
    """Arguments are read before anything else is loaded; so some words stand twice."""
    assert designer_arguments.BOOKS == books.FORMATS
    assert tuple(printing.PAPERS) == designer_arguments.PAPERS
    assert ("text", *diagnostics_output.FORMATTERS) == designer_arguments.REPORTS
    assert pytest.importorskip("rulewright.rl.environment_spec").REWARDS == simulation_arguments.REWARDS
    _, known = arguments.build_parsers(localizer_for("en"))
    for name, parser in known.items():
        if name not in ("locale", "data"):  # they have commands of their own
            assert load_command(parser.get_default("work")).__name__ == name.replace("-", "_")


def test_each_command_parses_without_the_others() -> None:
    _, known = arguments.build_parsers(localizer_for("en"))
    for command, parser in known.items():
        _, some = arguments.build_parsers(localizer_for("en"), command)
        assert some[command].format_help() == parser.format_help()
        assert some.keys() < known.keys(), command
