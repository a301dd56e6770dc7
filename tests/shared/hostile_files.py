"""Commands over spoilt files: refused in words, or harmless. Whatever a case of `case()` does wrong it says."""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
import resource
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from edition_generator.random_source import from_seed
from edition_generator.trial import generate
from mutations import Rng, spoilt
from project_folders import TESTS
from rulewright import cli
from rulewright.base import resources
from rulewright.i18n import languages

FOLDER = TESTS
MOST_SECONDS = 120.0  # of a processor, for one command; hundreds of times what it should need
DRAWN_SHARE = 0.4  # of all editions
MOST_MEMORY = 1_500_000  # kilobytes that a command may add

DONE, WRONG, REFUSED = 0, 1, 2

_SMALL = ("goofspiel", "wharf", "trumps", "millstream", "patience", "showdown", "four-in-a-row")
_EDITIONS = re.compile(r"(?ms)^```yaml edition[^\n]*\n(.*?)^```$")
_UNPRINTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass
class Case:
    """One spoilt file and what was done with it. wrong: what must not be, in words."""

    number: int
    file: str
    commands: list[str] = field(default_factory=list)
    statuses: list[object] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


class OutOfPatience(BaseException):
    """A command that takes much longer than any should."""


@dataclass(frozen=True)
class Samples:
    """Sound files to spoil: editions by name, with how many play them at least; a folder with saves and results."""

    editions: dict[str, bytes]
    variants: dict[str, bytes]
    scenarios: dict[str, bytes]
    folder: Path

    def edition(self, number: int, rng: Rng) -> tuple[str, bytes]:
        """One by chance: often drawn for this case alone. Shipped ones are large, and seldom."""
        if rng.random() < DRAWN_SHARE:
            return f"drawn {number}", generate(from_seed(number))[1].encode()
        groups = {"shipped": 0.01, "broken": 0.2, "documented": 0.5, "": 1.0}
        choice = next(group for group, chance in groups.items() if rng.random() < chance)
        pool = [name for name in self.editions if name.partition(" ")[0] == choice or not (choice or " " in name)]
        name = rng.choice(pool)
        return name, self.editions[name]


def samples(folder: Path) -> Samples:
    """All that there is to spoil. folder: an empty one for what is made for it."""
    editions = {path.stem: path.read_bytes() for path in sorted((FOLDER / "games").glob("*.yaml"))}
    editions |= {f"broken {path.stem}": path.read_bytes() for path in sorted((FOLDER / "broken").glob("*.yaml"))}
    text = resources.read_text("spec", "LANGUAGE.md")
    editions |= {f"documented {number}": found[1].encode() for number, found in enumerate(_EDITIONS.finditer(text))}
    shipped = sorted(resources.folder("editions").rglob("20??.yaml"))
    editions |= {f"shipped {path.parent.name} {path.stem}": path.read_bytes() for path in shipped}
    variant = b"rulewright: 1\nextends: base.yaml\ntitle: Mine\nchange:\n  title: Other\n"
    variants = {"variant": variant, "with values": variant + b"values: {game: {bonus: 3}}\noptions: {}\n"}
    scenarios = {path.stem: path.read_bytes() for path in sorted((FOLDER / "scenarios" / "games").glob("*.yaml"))}
    for name in _SMALL[:4]:
        (folder / f"{name}.yaml").write_bytes(editions[name])
        for answers in ("", "1\n1\n"):
            seats = seats_of(editions[name], person=bool(answers))
            argv = ["play", f"{name}.yaml", "--seats", seats, "--seed", "5", "--save", f"{name}{len(answers)}.json"]
            _run(folder, argv, answers)
    (folder / "goofspiel.de.po").write_text(
        'msgid ""\nmsgstr ""\n\nmsgctxt "zones.prizes"\nmsgid "prizes"\nmsgstr "Preise [m]"\n'
    )
    _run(folder, ["simulate", "goofspiel.yaml", "--games", "20", "--seed", "1", "--out", "run", "--quiet"], "")
    return Samples(editions, variants, scenarios, folder)


def seats_of(edition: bytes, person: bool = False) -> str:
    """The fewest seats that a sound edition may have."""
    match = re.search(rb"(?m)^players: (\d)", edition)
    count = int(match[1]) if match else 2
    return ",".join(["you"] * person + ["random"] * (count - person))


# ── cases ──


def case(number: int, among: Samples, folder: Path, kinds: tuple[str, ...] = ()) -> Case:
    """Spoil one file and run a command or two over it, in an empty folder. kinds: of KINDS, else any."""
    rng = random.Random(f"hostile {number}")
    kind = rng.choices(kinds or tuple(KINDS), None if kinds else [weight for weight, _ in KINDS.values()])[0]
    folder.mkdir()
    work = folder / "work"
    work.mkdir()
    result = Case(number, kind)
    try:
        KINDS[kind][1](result, among, work, rng)
    finally:
        shutil.rmtree(folder)
    return result


def _edition(result: Case, among: Samples, work: Path, rng: Rng) -> None:
    name, data = among.edition(result.number, rng)
    result.file = f"edition {name}"
    _place(work / "game.yaml", spoilt(data, "yaml", rng), rng)
    if name.startswith("broken"):
        for base in (FOLDER / "broken" / "base").iterdir():
            shutil.copy(base, work)
    status = _do(
        result, work, ["check", "game.yaml", *rng.choice(([], ["--format", "json"], ["--format", "github"]))], (0, 1, 2)
    )
    _one_more(result, work, rng, data, status)


def _variant(result: Case, among: Samples, work: Path, rng: Rng) -> None:
    name = rng.choice(_SMALL)
    variant = among.variants[rng.choice(list(among.variants))]
    which = rng.random() < 0.3
    result.file = f"variant of {name}"
    base = among.editions[name]
    (work / "base.yaml").write_bytes(spoilt(base, "yaml", rng) if which else base)
    _place(work / "game.yaml", variant if which else spoilt(variant, "yaml", rng), rng)
    status = _do(result, work, ["check", "game.yaml"], (0, 1, 2))
    _one_more(result, work, rng, base, status)


def _one_more(result: Case, work: Path, rng: Rng, sound: bytes, status: object) -> None:
    """Another command over an edition of which `check` has said something."""
    able = (DONE,) if status == DONE else (WRONG, REFUSED)
    (work / "sound.yaml").write_bytes(sound)
    seats = seats_of(sound, person=rng.random() < 0.5)
    before = _content(work / "game.yaml")
    match rng.randrange(10):
        case 0 | 1:
            argument = _do(result, work, ["format", "game.yaml"], (DONE, WRONG, REFUSED), writes=("game.yaml",))
            if argument != DONE and _content(work / "game.yaml") != before:
                result.wrong.append("a file that is not formatted has changed")
            if argument == DONE:
                _do(result, work, ["check", "game.yaml"], (status,))
                _do(result, work, ["format", "--check", "game.yaml"], (DONE,))
        case 2:
            _do(result, work, ["diff", "sound.yaml", "game.yaml", *rng.choice(([], ["--technical"]))], (0, 1, 2))
        case 3:
            _do(result, work, ["explain", "game.yaml", *rng.choice(([], ["deck"], ["zones.hand"]))], (0, 1, 2))
        case 4 if rng.random() < 0.4:
            out = work / "book.md"
            argument = _do(result, work, ["rulebook", "game.yaml", "--out", "book.md"], (*able, REFUSED), ("book.md",))
            if argument != DONE and out.exists():
                result.wrong.append("a rulebook that cannot be made leaves a file")
        case 5 if rng.random() < 0.5:
            argv = ["simulate", "game.yaml", "--games", "3", "--processes", "1", "--quiet", "--out", "run"]
            _do(result, work, [*argv, "--seats", seats.replace("you", "random")], (DONE, WRONG, REFUSED), ("run",))
        case 6:
            _do(result, work, ["new", "mine", "--from", "game.yaml"], (*able, REFUSED), ("mine.yaml",))
        case _:
            argv = ["play", "game.yaml", "--seats", seats, "--seed", "5", "--save", "game.json"]
            _do(result, work, argv, (DONE, WRONG, REFUSED), ("game.json",), _typed(rng))


def _save(result: Case, among: Samples, work: Path, rng: Rng) -> None:
    file = rng.choice(sorted(among.folder.glob("*.json")))
    result.file = f"save {file.name}"
    name = re.sub(r"\d+$", "", file.stem)
    shutil.copy(among.folder / f"{name}.yaml", work)
    data = file.read_bytes().replace(str(among.folder).encode(), str(work).encode())
    _place(work / "game.json", spoilt(data, "json", rng), rng)
    match rng.randrange(3):
        case 0:
            _do(result, work, ["replay", "game.json", *rng.choice(([], ["--seat", "1"]))], (DONE, WRONG, REFUSED))
        case 1:
            argv = ["play", "--resume", "game.json"]
            _do(result, work, argv, (DONE, WRONG, REFUSED), ("game.json",), _typed(rng))
        case _:
            argv = ["simulate", f"{name}.yaml", "--played", "game.json", "--out", "run", "--quiet"]
            _do(result, work, argv, (DONE, WRONG, REFUSED), ("run",))


def _scenario(result: Case, among: Samples, work: Path, rng: Rng) -> None:
    name = rng.choice([name for name in among.scenarios if name in _SMALL])
    result.file = f"scenarios {name}"
    data = among.scenarios[name].replace(b"../../games/", b"")
    (work / f"{name}.yaml").write_bytes(among.editions[name])
    _place(work / "cases.yaml", spoilt(data, "yaml", rng), rng)
    _do(result, work, ["test", "cases.yaml"], (DONE, WRONG, REFUSED))


def _catalog(result: Case, among: Samples, work: Path, rng: Rng) -> None:
    """A catalog beside an edition, or a language's grammar and catalog in the project's own folder."""
    shutil.copy(among.folder / "goofspiel.yaml", work)
    if rng.random() < 0.3:
        result.file = "catalog beside an edition"
        _place(work / "goofspiel.de.po", spoilt((among.folder / "goofspiel.de.po").read_bytes(), "text", rng), rng)
        commands = (["locale", "check", "de", "goofspiel.yaml"], ["locale", "preview", "de", "goofspiel.yaml"])
        _do(result, work, rng.choice(commands), (DONE, WRONG, REFUSED))
        return
    locales = work / "project" / "locales"
    for language in ("en", "nl"):
        shutil.copytree(resources.folder("locales") / language, locales / language)
    for extra in (locales / "nl" / "LC_MESSAGES").glob("wild*.po"):
        extra.unlink()
    file = locales / "nl" / rng.choice(("grammar.yaml", "LC_MESSAGES/interface.po"))
    result.file = f"locales nl {file.name}"
    _place(file, spoilt(file.read_bytes(), "yaml" if file.suffix == ".yaml" else "text", rng), rng)
    with _languages(locales):
        command = rng.choice(
            (["play", "goofspiel.yaml", "--seats", "you,random", "--lang", "nl"], ["editions", "--lang", "nl"])
        )
        _do(result, work, command, (DONE, WRONG, REFUSED), (), _typed(rng))
        if rng.random() < 0.1:
            _do(result, work, ["locale", "check", "nl"], (DONE, WRONG, REFUSED))


def _results(result: Case, among: Samples, work: Path, rng: Rng) -> None:
    shutil.copytree(among.folder / "run", work / "run", ignore=shutil.ignore_patterns("report.html"))
    shutil.copy(among.folder / "goofspiel.yaml", work)
    files = sorted(path for path in (work / "run").rglob("*") if path.is_file())
    plan = work / "run" / "run.json"
    file = plan if rng.random() < 0.4 else rng.choice(files)
    result.file = f"results {file.relative_to(work / 'run')}"
    data = file.read_bytes()
    new = (
        rng.choice(files).read_bytes() if rng.random() < 0.1 else spoilt(data, "json" if file == plan else "bytes", rng)
    )
    _place(file, new, rng)
    simulate = ["simulate", "goofspiel.yaml", "--games", "20", "--seed", "1", "--out", "run", "--quiet"]
    commands = [["report", "run"], ["compare", "run", "--out", "page.html"], simulate]
    able = (REFUSED,) if file != plan and _content(file) != data else (DONE, REFUSED)
    if not file.exists():
        able = (DONE, REFUSED)
    status = _do(result, work, rng.choice(commands), able, ("run", "page.html"))
    if status != DONE and (work / "page.html").exists():
        result.wrong.append("a comparison that cannot be made leaves a page")


KINDS: dict[str, tuple[int, Callable[[Case, Samples, Path, Rng], None]]] = {
    "edition": (50, _edition),
    "variant": (10, _variant),
    "save": (15, _save),
    "scenario": (8, _scenario),
    "catalog": (7, _catalog),
    "results": (10, _results),
}


def _place(path: Path, data: bytes, rng: Rng) -> None:
    """Put a file there; seldom something that is none."""
    path.unlink(missing_ok=True)
    match rng.randrange(150):
        case 0:
            path.mkdir()
        case 1:
            path.symlink_to(path.name)
        case 2:
            os.mkfifo(path)
        case 3:
            path.symlink_to("nowhere")
        case _:
            path.write_bytes(data)


def _typed(rng: Rng) -> str:
    """Texts that a player types."""
    words = (
        "1",
        "0",
        "",
        "2",
        "1 2",
        "y",
        "n",
        "?",
        "? *",
        "? deck",
        "undo",
        "table",
        "log",
        "help",
        "lang de",
        "99",
        "x" * 300,
    )
    odd = ("\0", "\x1b[A", "\u202e", "1" * 500, "×9999", "quit")
    return "".join(f"{rng.choice(odd) if rng.random() < 0.05 else rng.choice(words)}\n" for _ in range(20))


# ── running ──


def _do(
    result: Case,
    work: Path,
    argv: list[str],
    able: tuple[object, ...],
    writes: tuple[str, ...] = (),
    typed: str = "",
) -> object:
    """Run one command and look at it. able: the statuses that it may have; writes: what it may change."""
    before = _snapshot(work)
    result.commands.append(" ".join(argv))
    status, out, err, memory = _run(work, argv, typed)
    result.statuses.append(status)
    text = f"{argv[0]}: "
    if not isinstance(status, int):
        result.wrong.append(f"{text}{status}")
        return status
    if status not in able:
        result.wrong.append(f"{text}status {status}, not {able}: {err[-300:] or out[-300:]}")
    if "Traceback (most recent" in out + err:
        result.wrong.append(f"{text}a traceback is shown")
    if status == REFUSED and not (out + err).strip():
        result.wrong.append(f"{text}refused without a word")
    if odd := _UNPRINTED.search(err) or _UNPRINTED.search(out):
        result.wrong.append(
            f"{text}U+{ord(odd[0]):04X} is shown: {odd.string[max(0, odd.start() - 100) : odd.end()]!r}"
        )
    if memory > MOST_MEMORY:
        result.wrong.append(f"{text}{memory:,} kB of memory")
    changed = {name for name, was in (before.items() ^ _snapshot(work).items())}
    if foreign := [name for name in changed if name.split("/")[0] not in (*writes, "state")]:
        result.wrong.append(f"{text}{foreign[0]} has changed")
    return status


def _run(work: Path, argv: list[str], typed: str) -> tuple[object, str, str, int]:
    """Status (or what went wrong, in words), what was said, and by how much memory grew."""
    out, err = io.StringIO(), io.StringIO()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    own, stdin, environment = Path.cwd(), sys.stdin, dict(os.environ)
    os.environ.update(XDG_STATE_HOME=str(work / "state"), HOME=str(work), LC_ALL="C.UTF-8", COLUMNS="80")
    os.chdir(work)
    status: object
    try:
        sys.stdin = io.StringIO(typed)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _patience():
            status = cli.main(argv)
    except OutOfPatience:
        status = f"no end in {MOST_SECONDS} seconds"
    except BaseException as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        status = f"{type(error).__name__}: {str(error)[:200]} ({Path(place.filename).name}:{place.lineno})"
    finally:
        sys.stdin = stdin
        os.chdir(own)
        os.environ.clear()
        os.environ.update(environment)
    return status, out.getvalue(), err.getvalue(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory


@contextlib.contextmanager
def _patience() -> Iterator[None]:
    def end(number: int, frame: FrameType | None) -> None:
        raise OutOfPatience

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextlib.contextmanager
def _languages(locales: Path) -> Iterator[None]:
    shipped = resources.folder
    resources.folder = lambda name: locales if name == "locales" else shipped(name)
    languages.localizer_for.cache_clear()
    try:
        yield
    finally:
        resources.folder = shipped
        languages.localizer_for.cache_clear()


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _snapshot(work: Path) -> dict[str, bytes]:
    """All that lies there. What is written must be whole, so drafts count too."""
    return {str(path.relative_to(work)): _content(path) for path in work.rglob("*") if not path.is_dir()}
