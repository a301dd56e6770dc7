"""Rules of an edition, loaded by name or file, checked and ready to play."""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from rulewright.base import cache, files, resources
from rulewright.base.diagnostics import EditionError, Report
from rulewright.i18n.localizer import phrase
from rulewright.model.edition import Edition
from rulewright.model.editions import PICTURES, UnknownEdition, available, displayed_path, find, is_file
from rulewright.program.form import Program, Setting
from rulewright.program.traced_program import TracedProgram
from rulewright.runtime.machine import Machine
from rulewright.syntax.sentence_cache import use_sentence_cache
from rulewright.syntax.source import MAX_FILE_SIZE, Scalar, plain

__all__ = [
    "Rules",
    "UnknownEdition",
    "available",
    "find",
    "from_saved_text",
    "from_text",
    "load",
    "read_unchecked",
    "with_changes",
    "with_texts",
    "with_values",
]

_NOT_IN_JSON = re.compile("[\x7f-\xa0\u2028\u2029\ufeff]")
"""Characters that JSON allows unescaped and YAML interprets."""
_MAKING = Lock()
"""Lock while rules are read and checked, so that threads do not do it twice."""


class Rules:
    """Checked edition, with a machine for each number of seats, made on first use."""

    def __init__(self, edition: Edition, key: str = "", programs: Mapping[int, Program] | None = None) -> None:
        """Wrap an edition. key: its key in the cache; '' for none. programs: what its check has compiled, by seats."""
        self.edition, self._key, self._programs = edition, key, dict(programs or {})
        self._machines: dict[tuple[int, Setting | None], Machine] = {}
        self._traced_machines: dict[int, tuple[Machine, TracedProgram]] = {}

    def __reduce__(self) -> tuple[type[Rules], tuple[Edition, str]]:
        """Pickle the edition only; machines are made anew."""
        return Rules, (self.edition, self._key)

    @property
    def name(self) -> str:
        """Name of the edition."""
        return self.edition.name

    @property
    def hash(self) -> str:
        """Digest of the edition's rules, whatever its comments and layout."""
        return self.edition.hash

    @property
    def play_digest(self) -> str:
        """Digest of the rules that affect play, on which saved games depend."""
        return self.edition.play_digest

    def can_continue(self, digests: Iterable[str]) -> bool:
        """Return whether a saved game can continue with these rules. digests: `hash` or `play_digest` of the rules that
        it was saved with."""
        return not {self.hash, self.play_digest, *_played_alike().get(self.play_digest, ())}.isdisjoint(digests)

    @cached_property
    def text(self) -> str:
        """Edition with all that it extends as one text, for `from_saved_text`."""
        return _full_text(self.edition)

    @cached_property
    def title(self) -> str:
        """Title of game and edition, in English."""
        return self.edition.full_title()

    def machine(self, seats: int, setting: Setting | None = None, report: Report | None = None) -> Machine:
        """Return the machine for a number of seats, made on first use; one for a single setting is faster.

        report: receives errors in added texts. Raises EditionError for these.
        """
        key = (seats, setting)
        if key not in self._machines:
            with _MAKING:  # another thread may be making it
                if key not in self._machines:
                    self._machines[key] = self._load_or_compile(seats, setting, report or Report())
        return self._machines[key]

    def key(self, seats: int, setting: Setting | None = None) -> str:
        """Return the key under which what follows from the rules for a number of seats is cached; '' if nothing is."""
        return cache.key("program", self._key, seats, setting) if self._key else ""

    def traced_machine(self, seats: int) -> tuple[Machine, TracedProgram]:
        """Return a machine that reaches the same states and also emits each sentence, with its traced program. Raises
        EditionError."""
        if seats not in self._traced_machines:
            from rulewright.compiler import compile_traced  # noqa: PLC0415 - needed for traces only
            from rulewright.program.blocks import blocks_of  # noqa: PLC0415
            from rulewright.program.passes.block_merging import replace_return_jumps  # noqa: PLC0415

            with use_sentence_cache(self.edition.cached_as):
                program = compile_traced(self.edition, seats)
            self._traced_machines[seats] = (
                Machine(program.program, replace_return_jumps(blocks_of(program.program))),
                program,
            )
        return self._traced_machines[seats]

    def _load_or_compile(self, seats: int, setting: Setting | None, report: Report) -> Machine:
        """Return the machine for a number of seats, from the cache if it has the program; else compile and store it."""
        key = self.key(seats, setting)
        match cache.get(key) if key else None:
            case Program() as program, dict() as blocks:
                return Machine(program, blocks)
            case Program() as program:
                return Machine(program)
        waiting = self._programs.pop(seats, None) if setting is None else None
        program = waiting or _compile_program(self.edition, seats, report, setting)
        if not key or setting is not None:
            if key:
                cache.store(key, program)
            return Machine(program)
        from rulewright.program.decision_pipeline import stopping_blocks  # noqa: PLC0415 - needed for changed editions only

        blocks = stopping_blocks(program)
        cache.store(key, (program, blocks))
        return Machine(program, blocks)


def load(name: str) -> Rules:
    """Load the rules of an edition, by name or path. Raises UnknownEdition, or EditionError with all errors."""
    edition, report, key, programs = _check_cached(name)
    if edition is None or not report.ok:
        raise EditionError(report)
    return Rules(edition, key, programs)


def read_unchecked(name: str) -> Rules:
    """Read an edition without checking its sentences, which takes a tenth of the time: enough to list one that is known
    to be sound. Raises UnknownEdition, or EditionError if its file is too broken."""
    from rulewright.model.reader import read  # noqa: PLC0415 - needed for changed editions only

    full, path = find(name)
    report, shown_path = Report(), displayed_path(path)
    with use_sentence_cache(shown_path):
        edition = read(path, report, full, shown_as=shown_path)
    if edition is None or not report.ok:
        raise EditionError(report)
    return Rules(edition)


def with_values(rules: Rules, values: Mapping[str, str]) -> Rules:
    """Return the rules with other numbers for some values, as in a variant. Raises EditionError.

    values: name of a value that is a number -> new number.
    """
    from rulewright.model.reader import with_values as with_numbers  # noqa: PLC0415 - needed for changes only

    report = Report()
    return _require_sound(rules, values, with_numbers(rules.edition, values, report), report)


def with_changes(rules: Rules, changes: Mapping[tuple[str, ...], str]) -> Rules:
    """Return the rules with other texts, as in a variant. Raises EditionError.

    changes: path of keys of a text -> new text.
    """
    from rulewright.model.reader import with_changes as with_others  # noqa: PLC0415 - as above

    report = Report()
    return _require_sound(rules, changes, with_others(rules.edition, changes, report), report)


def _require_sound(rules: Rules, changes: Mapping[Any, str], edition: Edition | None, report: Report) -> Rules:
    """Return the changed rules. Raises EditionError if there is no edition, or the report has errors."""
    if edition is None or not report.ok:
        raise EditionError(report)
    return Rules(edition, rules._key and cache.key(rules._key, sorted(changes.items())))


def with_texts(rules: Rules, texts: Sequence[tuple[str, Scalar]], report: Report) -> Rules:
    """Return the rules with more texts that contain figures, each with its key in catalogs.

    Errors in the texts go to the report; the result then has none of them. They are compiled for the least number of
    seats, as names and types are the same for every number.
    """
    if not texts:
        return rules
    parts = [(name, text.text, text.place) for name, text in texts]
    result = Rules(replace(rules.edition, asides=tuple(texts)), rules._key and cache.key(rules._key, parts))
    try:
        result.machine(rules.edition.seat_counts()[0], report=report)
    except EditionError:
        return rules
    return result


def check_edition(name: str, checker: Callable[[Edition, Report], None]) -> tuple[Edition | None, Report]:
    """Check an edition, given by name or path; return it with its diagnostics, including those of `checker`.

    It is None if its file is too broken. checker: checks what could be read; it must report the same for the same
    edition, and everything that prevents playing. Raises UnknownEdition.
    """
    return _check_cached(name, checker)[:2]


def _check_cached(
    name: str, checker: Callable[[Edition, Report], None] | None = None
) -> tuple[Edition | None, Report, str, Mapping[int, Program]]:
    """Check an edition, or take it from the cache; return it, None if its file is too broken, its diagnostics, its
    cache key, '' with errors, and the programs that this check compiled. checker: as for `check_edition`; None: the
    compiler's check is enough."""
    full, path = find(name)
    if not is_file(path):
        raise UnknownEdition(phrase("errors", "There is no file '{path}'.", path=name))
    shown_path = str(path) if full == name else displayed_path(path)
    content = _file_bytes(path)
    key = cache.key("edition", full, shown_path, str(path), content)
    match cache.get(key):
        case Edition() as edition, Report() as report, str(dependencies), bool(is_checked) if (
            dependencies == _dependencies(edition)
        ):
            if is_checked or checker is None:
                return edition, report, cache.key(key, dependencies), {}
    report = Report()
    checked, programs = _read_and_check(path, report, full, shown_path, checker)
    if checked is None or not report.ok:
        return checked, report, "", {}
    dependencies = _dependencies(checked)
    if _file_bytes(path) == content:  # the file was not changed meanwhile
        checked.digests  # noqa: B018 - computed now, to be cached with the rest
        cache.store(key, (checked, report, dependencies, checker is not None))
    return checked, report, cache.key(key, dependencies), programs


def _read_and_check(
    path: Path | None,
    report: Report,
    name: str,
    shown_as: str,
    checker: Callable[[Edition, Report], None] | None = None,
    text: str | None = None,
) -> tuple[Edition | None, Mapping[int, Program]]:
    """Read and check an uncached edition, as far as possible; return it with the programs that the check compiled,
    none if a checker did it. checker: as for `_check_cached`; text: content of the file, None to read it."""
    from rulewright.compiler import check  # noqa: PLC0415 - needed for changed editions only
    from rulewright.model.reader import read  # noqa: PLC0415

    with use_sentence_cache(shown_as if path else ""):
        edition = read(path, report, name, text=text, shown_as=shown_as)
        if edition is None:
            return None, {}
        if checker is None:
            return edition, check(edition, report)
        checker(edition, report)
        return edition, {}


def _compile_program(edition: Edition, seats: int, report: Report, setting: Setting | None = None) -> Program:
    from rulewright.compiler import compile_edition  # noqa: PLC0415 - needed for changed editions only

    with use_sentence_cache(edition.cached_as):
        return compile_edition(edition, seats, report, setting)


@functools.cache
def _played_alike() -> Mapping[str, Sequence[str]]:
    """Return `play_digest` of shipped rules -> digests of earlier rules that play the same. The keys are digests too,
    so rules changed since then never match."""
    equivalents: dict[str, list[str]] = json.loads(resources.read_text("editions", "played-alike.json"))
    return equivalents


def _file_bytes(path: Path) -> bytes:
    """Return the bytes of a file; b'' if it cannot be read."""
    return files.read_beginning(path, MAX_FILE_SIZE)


def _dependencies(edition: Edition) -> str:
    """Return a digest of an edition's dependencies: extended editions and pictures."""
    pictures = []
    for folder in dict.fromkeys(file.parent / PICTURES for file in edition.files):
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                with suppress(OSError):  # a broken link
                    status = entry.stat()
                    pictures.append((entry.path, status.st_size, status.st_mtime_ns))
    return cache.key("beside", [(str(file), _file_bytes(file)) for file in edition.files], pictures)


def from_text(
    text: str, name: str = "edition", bases: Sequence[str] = (), files: Sequence[Path] = (), file: Path | None = None
) -> Rules:
    """Read the rules of an edition given as text. Raises EditionError.

    file: the file whose newer text this is. bases, files: for a text from `Rules.text`, names of the extended editions,
    for translations, and files beside which pictures may be.
    """
    report = Report()
    edition, programs = _read_and_check(file, report, name, str(file or name), text=text)
    if edition is None or not report.ok:
        raise EditionError(report)
    edition.bases, edition.files = (*edition.bases, *bases), (*edition.files, *files)
    return Rules(edition, programs=programs)


def from_saved_text(text: str, name: str, bases: Sequence[str] = (), picture_files: Sequence[Path] = ()) -> Rules:
    """Restore the rules of an edition from `Rules.text`, checked or from the cache. Raises EditionError.

    name, bases: names of the edition and of those that it extended, for shipped translations and pictures.
    picture_files: other files beside which its pictures may be.
    """
    shipped = available()
    known = [base for base in bases if base in shipped]
    files = [*(shipped[one] for one in (name, *known) if one in shipped), *picture_files]
    key = cache.key("restored", text, name, known, [str(file) for file in files])
    match cache.get(key):
        case Edition() as edition:
            return Rules(edition, key)
    rules = from_text(text, name, known, files)
    rules.edition.digests  # noqa: B018 - worked out once, and kept with the rest
    cache.store(key, rules.edition)
    return Rules(rules.edition, key, rules._programs)


def _full_text(edition: Edition) -> str:
    """Return an edition with its bases as one line of YAML."""
    tree, removed = plain(edition.tree), edition.removed

    def left(names: Iterable[str]) -> Iterator[str]:
        return (name for name in names if not {name, name.partition(".")[2]} & removed.keys())

    # Removed items may still have artwork.
    tree["looks"] = {
        section: list(left(looks)) if isinstance(looks, list) else {name: looks[name] for name in left(looks)}
        for section, looks in (tree.get("looks") or {}).items()
    }
    return yaml_line(tree)


def yaml_line(node: Any) -> str:
    """Write a tree as YAML in one line: JSON, but with an empty value for null (None)."""
    match node:
        case None:
            return ""
        case dict():
            return f"{{{', '.join(f'{yaml_line(key)}: {yaml_line(inner)}' for key, inner in node.items())}}}"
        case list():
            return f"[{', '.join(map(yaml_line, node))}]"
    return _NOT_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(node, ensure_ascii=False))
