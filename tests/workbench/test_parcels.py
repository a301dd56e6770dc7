"""`.rulewright` files: the same game comes out that went in, and nothing else ever does."""

from __future__ import annotations

import io
import json
import os
import random
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis.strategies import characters, sampled_from, text

from example_counts import few
from rulewright import cli
from rulewright.authoring.edition_check import examine
from rulewright.base import resources
from rulewright.game import library
from rulewright.workbench.new_game import game_archive
from rulewright.workbench.new_game.game_archive import MANIFEST, ArchiveError

GAME = b"""\
rulewright: 1
title: Mine
players: 2
phases: {play: {do: end game}}
"""
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1"/></svg>'
SAVED_MANIFEST = json.dumps({"rulewright": 1, "edition": "mine.yaml"}).encode()


def family(folder: Path) -> Path:
    """A variant of a base in another folder, with all that can belong to them, and with what does not."""
    for name, content in {
        "base/base.yaml": GAME,
        "base/base.examples.yaml": b"edition: base.yaml\nseats: [A, B]\ncases: {ends: {expect: {over: yes}}}\n",
        "base/pictures/cover-base.svg": PICTURE,
        "base/pictures/cover-other.svg": PICTURE,
        "base/pictures/gem.svg": PICTURE,
        "base/other.yaml": GAME,
        "own/mine.yaml": b"rulewright: 1\nextends: ../base/base.yaml\ntitle: Mine\n",
        "own/mine.cases.yaml": b"edition: mine.yaml\nseats: [A, B]\ncases: {ends: {expect: {over: yes}}}\n",
        "own/mine.nl.po": b'msgid ""\nmsgstr ""\n',
        "own/mine.txt": b"notes",
        "own/.secret.yaml": GAME,
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder / "own" / "mine.yaml"


def zipped(files: dict[str, bytes], change: Callable[[zipfile.ZipInfo], None] = lambda _: None) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            change(entry)
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def test_an_archive_has_all_files_of_a_game(tmp_path: Path) -> None:
    packed = game_archive.pack(family(tmp_path / "here"))
    path = game_archive.unpack(packed, tmp_path, "mine.rulewright")
    existing = {p.relative_to(tmp_path / "mine").as_posix() for p in (tmp_path / "mine").rglob("*") if p.is_file()}
    assert existing == {
        "base/base.yaml", "base/base.examples.yaml", "base/pictures/cover-base.svg", "base/pictures/gem.svg",
        "own/mine.yaml", "own/mine.cases.yaml", "own/mine.nl.po",
    }  # fmt: skip
    assert path == tmp_path / "mine" / "own" / "mine.yaml"
    assert examine(str(path))[1].ok
    assert game_archive.pack(path) == packed


def test_an_archive_is_a_reproducible_zip(tmp_path: Path) -> None:
    first, second = (game_archive.pack(family(tmp_path / name)) for name in ("a", "b"))
    assert first == second
    names = zipfile.ZipFile(io.BytesIO(first)).namelist()
    assert names == [MANIFEST, *sorted(names[1:])]


@pytest.mark.rotating(2)
@pytest.mark.parametrize("name", ["wild-cards/2022", "classics/hearts"])
def test_a_shipped_game_can_be_packed_and_plays_the_same(name: str, tmp_path: Path) -> None:
    path = game_archive.unpack(game_archive.pack(resources.folder("editions") / f"{name}.yaml"), tmp_path, "it")
    assert library.load(str(path)).play_digest == library.load(name).play_digest


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    packed = zipped({MANIFEST: SAVED_MANIFEST, "mine.yaml": GAME, "mine.de.po": b""})
    first = game_archive.unpack(packed, tmp_path, "mine.rulewright")
    assert game_archive.unpack(packed, tmp_path, "mine.rulewright") == first
    first.write_bytes(GAME + b"# changed\n")
    second = game_archive.unpack(packed, tmp_path, "mine.rulewright")
    assert [path.parent.name for path in (first, second)] == ["mine", "mine-2"]
    assert first.read_bytes() == GAME + b"# changed\n"


UNUSUAL_NAMES = [
    "game (1)",
    "Ada's game",
    "game [2], #3 & more!",
    "_draft",
    "50% off; $5 @ home",
    "ゲーム　一",
    "e\u0301te\u0301",
]
"""Files have such names from browsers and people."""


@pytest.mark.parametrize("name", UNUSUAL_NAMES)
def test_file_names_from_browsers_are_kept(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.yaml"
    path.write_bytes(GAME)
    (tmp_path / f"{name}.cases.yaml").write_bytes(
        json.dumps({"edition": path.name, "seats": ["A", "B"], "cases": {"ends": {"expect": {"over": "yes"}}}}).encode()
    )
    assert cli.main(["pack", str(path)]) == 0
    (tmp_path / "out").mkdir()
    assert cli.main(["unpack", str(tmp_path / f"{name}.rulewright"), "--dir", str(tmp_path / "out")]) == 0
    existing = tmp_path / "out" / name
    assert {one.name for one in existing.iterdir()} == {f"{name}.yaml", f"{name}.cases.yaml"}
    assert cli.main(["test", str(existing / f"{name}.cases.yaml")]) == 0


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("what?", "'?' is in it"), ("a\u202eb", "'U+202E' is in it"), ("-rf", "it begins with '-'"), ("con", "Windows"),
        ("y" * 90, "it is too long"), ("tab\t", "'U+0009' is in it"), ("caf\udce9", "'U+DCE9' is in it"),
    ],
)  # fmt: skip
def test_a_name_that_not_every_computer_can_have_is_refused_where_it_is_packed(
    name: str, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / f"{name}.yaml"
    path.write_bytes(GAME)
    with pytest.raises(ArchiveError) as refused:
        game_archive.pack(path)
    assert "Give it another name" in str(refused.value) and reason in str(refused.value)


@pytest.mark.rotating(2)
@few(200)
@given(
    text(
        characters(exclude_characters="/\0", exclude_categories=()) | sampled_from(" .'()[]#&,-~_%:?*e\u0301"),
        min_size=1, max_size=40,
    )
)  # fmt: skip
def test_every_packed_archive_can_be_unpacked(name: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, f"{name}.yaml")
        try:
            path.write_bytes(GAME)
        except (OSError, ValueError):
            return  # no file can be called so here
        try:
            packed = game_archive.pack(path)
        except ArchiveError as error:
            assert "Give it another name" in str(error)
        else:
            assert game_archive.unpack(packed, Path(folder), "sent.rulewright").name == path.name


@pytest.mark.parametrize(
    "name", ["mine.yaml", "mine.examples.yaml", "mine.cases.yaml", "mine.nl.po", "pictures", "pictures/gem.svg"]
)
def test_links_are_not_packed(name: str, tmp_path: Path) -> None:
    """A folder that came from somebody may have a link to anything that its owner can read."""
    folder, outside = tmp_path / "game", tmp_path / "outside"
    (folder / name).parent.mkdir(parents=True)
    (folder / "mine.yaml").write_bytes(GAME)
    if name == "pictures":
        outside.mkdir()
        (outside / "gem.svg").write_bytes(PICTURE)
    else:
        outside.write_bytes(PICTURE if name.endswith(".svg") else GAME)
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(outside)
    with pytest.raises(ArchiveError, match="is a link"):
        game_archive.pack(folder / "mine.yaml")


def test_a_link_on_the_way_to_what_is_extended_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "base.yaml").write_bytes(GAME)
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "below").symlink_to(tmp_path / "real")
    (tmp_path / "game" / "mine.yaml").write_text("rulewright: 1\nextends: below/base.yaml\n", encoding="utf-8")
    with pytest.raises(ArchiveError, match="is a link"):
        game_archive.pack(tmp_path / "game" / "mine.yaml")


def test_files_that_are_no_editions_are_not_packed_as_bases(tmp_path: Path) -> None:
    (tmp_path / "secrets.yaml").write_text("token: secret\n", encoding="utf-8")
    (tmp_path / "mine.yaml").write_text("rulewright: 1\nextends: secrets.yaml\n", encoding="utf-8")
    with pytest.raises(ArchiveError, match="is no game"):
        game_archive.pack(tmp_path / "mine.yaml")


def test_nothing_is_unpacked_through_a_link(tmp_path: Path) -> None:
    packed = zipped({MANIFEST: SAVED_MANIFEST, "mine.yaml": GAME, "pictures/gem.svg": PICTURE})
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    game_archive.unpack(packed, tmp_path, "outside")
    folder.mkdir()
    (folder / "game").symlink_to(outside)
    (folder / "game-2").mkdir()
    (folder / "game-2" / "mine.yaml").write_bytes(GAME)
    (folder / "game-2" / "pictures").symlink_to(outside / "pictures")
    assert game_archive.unpack(packed, folder, "game").parent == folder / "game-3"


@pytest.mark.parametrize("name", ["../../up", "con", "", "a/b", "x" * 300, ".hidden"])
def test_a_folder_gets_a_plain_name(name: str, tmp_path: Path) -> None:
    path = game_archive.unpack(zipped({MANIFEST: SAVED_MANIFEST, "mine.yaml": GAME}), tmp_path, f"{name}.rulewright")
    assert path.parent == tmp_path / "game"


def test_a_game_with_mistakes_can_be_sent_to_somebody(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(GAME.replace(b"end game", b"end gaem"))
    assert game_archive.read(game_archive.pack(path)).edition == "mine.yaml"


ODD = [
    "/etc/passwd.yaml", "../mine.yaml", "a/../../b.yaml", "C:/x.yaml", "c:\\x.yaml", "a\\b.yaml", "con.yaml", "aux",
    "NUL.po", "com1.yaml", "dir/lpt9.svg", "x.exe", "x.yaml ", "x.yaml.", " x.yaml", "x\x00.yaml", "x\n.yaml",
    "mine.yaml:y",
    "a/b/c/d/e.yaml", ".hidden.yaml", "pictures/.svg", "gem.svg", "pictures/x.yaml.exe", "-rf.yaml", "~/x.yaml",
    "x\u202eyaml.yaml", "a//b.yaml", "./x.yaml", "y" * 300 + ".yaml", "x.json", "rulewright.JSON", "MINE.yaml",
    "mine.yaml/x.yaml",
]  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_names_are_refused(name: str, tmp_path: Path) -> None:
    packed = zipped({MANIFEST: SAVED_MANIFEST, "mine.yaml": GAME, name: GAME})
    refused(packed, tmp_path)


def test_links_and_devices_are_refused(tmp_path: Path) -> None:
    for kind in (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR):

        def change(entry: zipfile.ZipInfo, kind: int = kind) -> None:
            entry.external_attr = (kind | 0o777) << 16

        refused(zipped({MANIFEST: SAVED_MANIFEST, "mine.yaml": b"/etc/passwd"}, change), tmp_path)


def test_zip_bombs_are_refused(tmp_path: Path) -> None:
    refused(zipped({MANIFEST: SAVED_MANIFEST, "mine.yaml": GAME + b"#" * 2_000_000}), tmp_path)
    refused(
        zipped({MANIFEST: SAVED_MANIFEST, "mine.yaml": GAME, **{f"p{n}.po": b"#" * 4_900_000 for n in range(6)}}),
        tmp_path,
    )
    many = {MANIFEST: SAVED_MANIFEST, "mine.yaml": GAME, **{f"p{n}.po": b"" for n in range(game_archive.MAX_FILES)}}
    refused(zipped(many), tmp_path)
    refused(b"\0" * (game_archive.MAX_BYTES + 1), tmp_path)


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_no_other_packing_is_unpacked(packing: int) -> None:
    """A few hundred bytes of these become as much as memory holds, at once."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(MANIFEST, SAVED_MANIFEST)
        archive.writestr("mine.yaml", GAME, compress_type=packing)
    with pytest.raises(ArchiveError):
        game_archive.read(content.getvalue())


def test_more_rules_than_can_be_read_soon_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The archive is refused before any edition is read."""
    monkeypatch.setattr(game_archive, "MAX_YAML_BYTES", 3 * len(GAME))
    for number in (2, 3):
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            archive.writestr(MANIFEST, SAVED_MANIFEST)
            archive.writestr("mine.yaml", GAME)
            for other in range(number):
                archive.writestr(f"other-{other}.yaml", GAME)
        if number == 2:
            assert len(game_archive.read(content.getvalue()).files) == 3
            monkeypatch.setattr(game_archive, "_check", None)
        else:
            with pytest.raises(ArchiveError):
                game_archive.read(content.getvalue())


def test_a_false_size_is_noticed(tmp_path: Path) -> None:
    packed = bytearray(zipped({MANIFEST: SAVED_MANIFEST, "mine.yaml": GAME + b"#" * 900_000}))
    size = (len(GAME) + 900_000).to_bytes(4, "little")
    refused(bytes(packed.replace(size, (10).to_bytes(4, "little"))), tmp_path)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"mine.yaml": GAME},
        {MANIFEST: b"{", "mine.yaml": GAME},
        {MANIFEST: b"[" * 900, "mine.yaml": GAME},
        {MANIFEST: b'{"rulewright": 2, "edition": "mine.yaml"}', "mine.yaml": GAME},
        {MANIFEST: b'{"rulewright": 1, "edition": "other.yaml"}', "mine.yaml": GAME},
        {MANIFEST: b'{"rulewright": 1, "edition": ["mine.yaml"]}', "mine.yaml": GAME},
        {MANIFEST: SAVED_MANIFEST, "mine.yaml": b"\xff\xfe"},
        {MANIFEST: SAVED_MANIFEST, "mine.yaml": b"a: &a [*a, *a]"},
        {MANIFEST: SAVED_MANIFEST, "mine.yaml": b"!!python/object:os.system {}"},
        {MANIFEST: SAVED_MANIFEST, "mine.yaml": b"rulewright: 1\nextends: /etc/passwd.yaml\n"},
        {MANIFEST: SAVED_MANIFEST, "mine.yaml": b"rulewright: 1\nextends: ../../secret.yaml\n"},
        {MANIFEST: SAVED_MANIFEST, "mine.yaml": GAME, "mine.cases.yaml": b"edition: ../x.yaml\ncases: {}\n"},
        {MANIFEST: SAVED_MANIFEST, "mine.yaml": GAME, "pictures/x.svg": b"<svg viewBox='0 0 1 1'><script/></svg>"},
        {
            MANIFEST: SAVED_MANIFEST,
            "mine.yaml": GAME,
            "pictures/x.svg": b"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>",
        },
        {MANIFEST: SAVED_MANIFEST, "mine.yaml": GAME, "x.po": b"\xff"},
    ],
)
def test_archives_with_false_contents_are_refused(files: dict[str, bytes], tmp_path: Path) -> None:
    refused(zipped(files), tmp_path)


def test_damaged_files_are_refused_or_harmless(tmp_path: Path) -> None:
    sound = game_archive.pack(family(tmp_path / "here"))
    rng = random.Random(11)
    for number in range(300):
        spoilt = bytearray(sound)
        for _ in range(rng.randint(1, 4)):
            spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
        cut = bytes(spoilt)[: rng.choice([len(spoilt), rng.randrange(len(spoilt))])]
        try:
            result = game_archive.read(cut)
        except ArchiveError as error:
            assert str(error).endswith("."), number
            assert "\n" not in str(error)
        else:
            assert result.edition in result.files


def refused(packed: bytes, folder: Path) -> None:
    with pytest.raises(ArchiveError) as error:
        game_archive.unpack(packed, folder, "mine.rulewright")
    assert str(error.value).endswith(".")
    assert str(error.value).isprintable()
    assert not os.listdir(folder)


def test_the_commands_print_the_paths(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(GAME)
    out = tmp_path / "mine.rulewright"
    assert cli.main(["pack", str(path)]) == 0
    assert str(out) in capsys.readouterr().out
    assert cli.main(["pack", str(path)]) != 0
    assert "there already" in capsys.readouterr().err
    assert cli.main(["unpack", str(out), "--dir", str(tmp_path)]) == 0
    assert str(tmp_path / "mine" / "mine.yaml") in capsys.readouterr().out
    assert cli.main(["unpack", str(path), "--dir", str(tmp_path)]) != 0
    assert capsys.readouterr().err.strip() == "rulewright: This is no game of Rulewright, or it is damaged."
