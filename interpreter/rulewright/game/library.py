"""The rules of an edition, loaded by its name or its file, checked and ready to play."""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from rulewright.base import cache, files, resources
from rulewright.base.diagnostics import EditionError, Report
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import Edition
from rulewright.model.editions import PICTURES, UnknownEdition, available, find, full_path, is_file
from rulewright.program.form import Program, Setting
from rulewright.program.traced_program import FollowedProgram
from rulewright.runtime.machine import Machine
from rulewright.syntax.sentence_cache import use_sentence_cache
from rulewright.syntax.source import LARGEST_FILE, Scalar, plain

__all__ = [
    "Rules",
    "UnknownEdition",
    "available",
    "find",
    "from_text",
    "load",
    "restored",
    "with_changes",
    "with_texts",
    "with_values",
]

_NOT_IN_JSON = re.compile("[\x7f-\xa0\u2028\u2029\ufeff]")
"""What JSON may hold as it is, and YAML reads as something else."""
_MAKING = Lock()


class Rules:
    """An edition that has been checked, with a machine for each number of seats, made when first needed."""

    def __init__(self, edition: Edition, key: str = "") -> None:
        """key: by which what is made of the edition can be kept; '' where it cannot."""
        self.edition, self._key = edition, key
        self._machines: dict[tuple[int, Setting | None], Machine] = {}
        self._followed: dict[int, tuple[Machine, FollowedProgram]] = {}

    def __reduce__(self) -> tuple[type[Rules], tuple[Edition, str]]:
        """For another process, where the machines are made anew."""
        return Rules, (self.edition, self._key)

    @property
    def name(self) -> str:
        return self.edition.name

    @property
    def hash(self) -> str:
        return self.edition.hash

    @property
    def plays(self) -> str:
        return self.edition.plays

    def go_on_with(self, digests: Iterable[str]) -> bool:
        """Whether a game goes on with these rules as with those that it was saved with. digests: the `hash` of those,
        or their `plays`."""
        return not {self.hash, self.plays, *_played_alike().get(self.plays, ())}.isdisjoint(digests)

    @cached_property
    def text(self) -> str:
        """The edition with all that it extends as one text, from which `restored` makes the same rules."""
        return _whole_text(self.edition)

    @cached_property
    def title(self) -> str:
        return self.edition.full_title()

    def machine(self, seats: int, setting: Setting | None = None, report: Report | None = None) -> Machine:
        """The machine for a number of seats that the edition allows; for one setting alone it is quicker.

        report: gets what is wrong with texts that were added. Raises EditionError for that.
        """
        key = (seats, setting)
        if key not in self._machines:
            with _MAKING:  # another thread may make it already
                if key not in self._machines:
                    self._machines[key] = self._made(seats, setting, report or Report())
        return self._machines[key]

    def key(self, seats: int, setting: Setting | None = None) -> str:
        """By which what is made for such a table can be kept; '' where it cannot."""
        return cache.key("program", self._key, seats, setting) if self._key else ""

    def followed(self, seats: int) -> tuple[Machine, FollowedProgram]:
        """A machine that comes to the same states and tells each sentence besides, and what its program tells of them.
        Raises EditionError."""
        if seats not in self._followed:
            from rulewright.compiler import compile_traced  # noqa: PLC0415 - only who looks at the rules needs these
            from rulewright.program.blocks import blocks_of  # noqa: PLC0415
            from rulewright.program.passes.block_merging import going_straight_back  # noqa: PLC0415

            with use_sentence_cache(self.edition.file):
                made = compile_traced(self.edition, seats)
            self._followed[seats] = Machine(made.program, going_straight_back(blocks_of(made.program))), made
        return self._followed[seats]

    def _made(self, seats: int, setting: Setting | None, report: Report) -> Machine:
        key = self.key(seats, setting)
        match cache.found(key) if key else None:
            case Program() as program, dict() as blocks:
                return Machine(program, blocks)
            case Program() as program:
                return Machine(program)
        program = _compiled(self.edition, seats, report, setting)
        if not key or setting is not None:
            if key:
                cache.keep(key, program)
            return Machine(program)
        from rulewright.program.decision_pipeline import stopping  # noqa: PLC0415 - only a changed edition needs it

        blocks = stopping(program)
        cache.keep(key, (program, blocks))
        return Machine(program, blocks)


def load(name: str) -> Rules:
    """The rules of an edition, by name or path. Raises UnknownEdition, or EditionError with all that is wrong."""
    edition, report, key = _checked(name)
    if edition is None or not report.ok:
        raise EditionError(report)
    return Rules(edition, key)


def with_values(rules: Rules, values: Mapping[str, str]) -> Rules:
    """The same rules with other numbers for some values, as a variant would have them. Raises EditionError.

    values: name of a value that is a number -> that number.
    """
    from rulewright.model.reader import with_values as with_numbers  # noqa: PLC0415 - only what is changed needs it

    report = Report()
    return _sound(rules, values, with_numbers(rules.edition, values, report), report)


def with_changes(rules: Rules, changes: Mapping[tuple[str, ...], str]) -> Rules:
    """The same rules with other texts, as a variant would have them. Raises EditionError.

    changes: the keys on the way to a text, one below the other -> what it becomes.
    """
    from rulewright.model.reader import with_changes as with_others  # noqa: PLC0415 - as above

    report = Report()
    return _sound(rules, changes, with_others(rules.edition, changes, report), report)


def _sound(rules: Rules, changes: Mapping[Any, str], edition: Edition | None, report: Report) -> Rules:
    if edition is None or not report.ok:
        raise EditionError(report)
    return Rules(edition, rules._key and cache.key(rules._key, sorted(changes.items())))


def with_texts(rules: Rules, texts: Sequence[tuple[str, Scalar]], report: Report) -> Rules:
    """The same rules, with more texts that tell their figures: each with its place in catalogs.

    What is wrong with the texts goes to the report; then the rules come back without any of them.
    """
    if not texts:
        return rules
    written = [(name, text.text, text.place) for name, text in texts]
    told = Rules(replace(rules.edition, asides=tuple(texts)), rules._key and cache.key(rules._key, written))
    try:
        told.machine(rules.edition.seat_counts()[0], report=report)
    except EditionError:
        return rules
    return told


def examined(name: str, look: Callable[[Edition, Report], None]) -> tuple[Edition | None, Report]:
    """An edition, by name or path, with what is wrong with its file, and with what `look` reports.

    It is None if its file is too broken. look: checks what could be read; must report the same of the same edition, and
    everything without which it cannot be played. Raises UnknownEdition.
    """
    edition, report, _ = _checked(name, look)
    return edition, report


def _checked(name: str, look: Callable[[Edition, Report], None] | None = None) -> tuple[Edition | None, Report, str]:
    """An edition, what is wrong with it, and the key by which what is made of it can be kept."""
    full, path = find(name)
    if not is_file(path):
        raise UnknownEdition(phrase("errors", "There is no file '{path}'.", path=name))
    shown = str(path) if full == name else full_path(path)
    content = _content(path)
    key = cache.key("edition", full, shown, str(path), content)
    match cache.found(key):
        case Edition() as edition, Report() as report, str(beside), bool(looked_at) if beside == _beside(edition):
            if looked_at or look is None:
                return edition, report, cache.key(key, beside)
    report = Report()
    made = _read(path, report, full, shown, look)
    if made is None or not report.ok:
        return made, report, ""
    beside = _beside(made)
    if _content(path) == content:  # it was not changed meanwhile
        made.digests  # noqa: B018 - worked out once, and kept with the rest
        cache.keep(key, (made, report, beside, look is not None))
    return made, report, cache.key(key, beside)


def _read(
    path: Path | None,
    report: Report,
    name: str,
    shown: str,
    look: Callable[[Edition, Report], None] | None = None,
    text: str | None = None,
) -> Edition | None:
    """An edition that is not known yet, as far as it can be read, checked."""
    from rulewright.compiler import check  # noqa: PLC0415 - only a changed edition needs it
    from rulewright.model.reader import read  # noqa: PLC0415

    with use_sentence_cache(shown) if path else nullcontext():
        edition = read(path, report, name, text=text, shown_as=shown)
        if edition is not None:
            (look or check)(edition, report)
    return edition


def _compiled(edition: Edition, seats: int, report: Report, setting: Setting | None = None) -> Program:
    from rulewright.compiler import compile_edition  # noqa: PLC0415 - only a changed edition needs it

    with use_sentence_cache(edition.file):
        return compile_edition(edition, seats, report, setting)


@functools.cache
def _played_alike() -> Mapping[str, Sequence[str]]:
    """What shipped rules play like: their `plays` -> digests of earlier rules that came to the same in other sentences.

    As they are looked up by what plays, nobody's rules are taken for others once that has changed.
    """
    alike: dict[str, list[str]] = json.loads(resources.read_text("editions", "played-alike.json"))
    return alike


def _content(path: Path) -> bytes:
    return files.beginning(path, LARGEST_FILE)


def _beside(edition: Edition) -> str:
    """What an edition is made of besides its own file: those that it extends, and the pictures that there are."""
    pictures = []
    for folder in dict.fromkeys(file.parent / PICTURES for file in edition.files):
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                with suppress(OSError):  # a link that leads nowhere
                    status = entry.stat()
                    pictures.append((entry.path, status.st_size, status.st_mtime_ns))
    return cache.key("beside", [(str(file), _content(file)) for file in edition.files], pictures)


def from_text(
    text: str, name: str = "edition", bases: Sequence[str] = (), files: Sequence[Path] = (), at: Path | None = None
) -> Rules:
    """The rules of an edition given as text. Raises EditionError.

    at: the file whose newer text this is. bases, files: of an edition as `Rules.text` has it, what it extended, for its
    translations, and the files beside which its pictures may be.
    """
    report = Report()
    edition = _read(at, report, name, str(at or name), text=text)
    if edition is None or not report.ok:
        raise EditionError(report)
    edition.bases, edition.files = (*edition.bases, *bases), (*edition.files, *files)
    return Rules(edition)


def restored(text: str, name: str, bases: Sequence[str] = (), beside: Sequence[Path] = ()) -> Rules:
    """The rules of an edition from its whole text, as `Rules.text` has it. Raises EditionError.

    name, bases: what the edition and those that it extended are called, for translations and pictures that come with
    Rulewright. beside: other files beside which its pictures may be.
    """
    there = available()
    known = [base for base in bases if base in there]
    files = [*(there[one] for one in (name, *known) if one in there), *beside]
    key = cache.key("restored", text, name, known, [str(file) for file in files])
    match cache.found(key):
        case Edition() as edition:
            return Rules(edition, key)
    rules = from_text(text, name, known, files)
    rules.edition.digests  # noqa: B018 - worked out once, and kept with the rest
    cache.keep(key, rules.edition)
    return Rules(rules.edition, key)


def _whole_text(edition: Edition) -> str:
    tree, removed = plain(edition.tree), edition.removed

    def left(names: Iterable[str]) -> Iterator[str]:
        return (name for name in names if not {name, name.partition(".")[2]} & removed.keys())

    # What a variant removes has still its looks.
    tree["looks"] = {
        section: list(left(looks)) if isinstance(looks, list) else {name: looks[name] for name in left(looks)}
        for section, looks in (tree.get("looks") or {}).items()
    }
    return flow(tree)


def flow(node: Any) -> str:
    """A tree as YAML in one line: JSON, but for what is nothing."""
    match node:
        case None:
            return ""
        case dict():
            return f"{{{', '.join(f'{flow(key)}: {flow(inner)}' for key, inner in node.items())}}}"
        case list():
            return f"[{', '.join(map(flow, node))}]"
    return _NOT_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(node, ensure_ascii=False))
