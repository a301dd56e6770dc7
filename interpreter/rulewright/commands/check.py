"""Commands `rulewright check`, `format` and `test`."""

from __future__ import annotations

import errno
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

from rulewright.authoring.edition_check import examine
from rulewright.base import cache, files
from rulewright.base.diagnostics import (
    Diagnostic,
    EditionError,
    Report,
    RulewrightError,
    SourcePlace,
    escape_controls,
    readable,
)
from rulewright.base.diagnostics_output import FORMATTERS, Translator
from rulewright.base.wording import Wording, Words
from rulewright.commands import messages
from rulewright.commands.common import CommandError, choose_language, format_count, format_range
from rulewright.game import library
from rulewright.i18n.file_errors import write_error
from rulewright.i18n.languages import diagnostic_translator
from rulewright.i18n.localizer import ENGLISH, phrase
from rulewright.model.edition import Edition
from rulewright.model.editions import displayed_path
from rulewright.syntax.sentence_cache import use_sentence_cache


def check(arguments: Namespace) -> int:
    """Find what is wrong with rule files, and what is probably a mistake.

    Exit status 0 if there are no errors (with --strict: and no warnings), 1 if there are, 2 if a file is missing.
    """
    status = 0
    reports: list[Report] = []
    as_text = arguments.format == "text"
    translate = diagnostic_translator(choose_language(arguments.lang) if as_text or arguments.lang else ENGLISH)
    for name in arguments.names:
        try:
            if arguments.fix:
                _fix(name, translate if as_text else None)
            edition, report = examine(name)
        except RulewrightError as error:
            print(f"rulewright: {escape_controls(str(error))}", file=sys.stderr)
            status = max(status, error.exit_status)
            if not as_text:
                reports.append(Report())
                reports[-1].error(SourcePlace(name, 1, 1, 1), messages.NO_FILE(reason=str(error)))
            continue
        if arguments.strict and edition is not None and report.ok:
            _warn_of_unprintable(name, edition, report)
        reports.append(report)
        if report.errors or (arguments.strict and report.warnings):
            status = max(status, EditionError.exit_status)
        if as_text:
            print(_describe(name, edition, report, translate), flush=True)
    if not as_text:
        diagnostics = [one for report in reports for one in _with_fixes(report)]
        print(FORMATTERS[arguments.format](diagnostics, translate), end="")
    elif len(arguments.names) > 1:
        print(_describe_results(reports, len(arguments.names) - len(reports), translate), flush=True)
    return status


def _fix(name: str, translate: Translator | None) -> None:
    """Write a file with all sure fixes, and say which in a language, if any. Raises CommandError if it cannot be
    written."""
    from rulewright.editing import verified_fixes  # noqa: PLC0415 - who only checks needs none

    path = library.find(name)[1]
    text = _text_of(path)
    after, done = verified_fixes.apply_sure_fixes(path, text)
    if after != text:
        _write_formatted(path, after.encode())
    for diagnostic, fix in done if translate else ():
        outcome = messages.FIXED(code=diagnostic.code, title=fix.title).render(translate or str)
        print(f"{escape_controls(name)}:{diagnostic.place.line}: {readable(outcome)}", flush=True)


def _with_fixes(report: Report) -> list[Diagnostic]:
    """Return the diagnostics with the fixes of each that have been tried."""
    from rulewright.editing import verified_fixes  # noqa: PLC0415 - who only checks needs none

    diagnostics: list[Diagnostic] = []
    for file, group in groupby(report.diagnostics, key=lambda diagnostic: diagnostic.place.file):
        own, path = list(group), Path(file)
        fixes = verified_fixes.verify_fixes(path, text, own) if (text := _text_of(path)) else [[] for _ in own]
        diagnostics += [replace(one, fixes=tuple(mending)) for one, mending in zip(own, fixes, strict=True)]
    return diagnostics


def _text_of(path: Path) -> str:
    """Return the text of a file; '' where it cannot be read, as `check` reports."""
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, ValueError):
        return ""


def _warn_of_unprintable(name: str, edition: Edition, report: Report) -> None:
    """Warn of cards that cannot be printed, if printing is installed: their texts are measured as set."""
    if not any(look.card for look in edition.looks.values()) or find_spec("typst") is None:
        return
    from rulewright.publish.printing import cards  # noqa: PLC0415 - it needs what is not always there

    try:
        for kind, problem in cards.overflowing_cards(cards.Cards(library.load(name))):
            place = corner.place if (corner := edition.looks[kind.name].corner) is not None else kind.place
            report.warning(place, messages.CARD_UNPRINTABLE(reason=str(problem)))
    except RulewrightError as error:
        first = next(edition.kinds[name] for name, look in edition.looks.items() if look.card)
        report.warning(first.place, messages.CARDS_UNPRINTABLE(reason=str(error)))


def _describe(name: str, edition: Edition | None, report: Report, translate: Translator) -> str:
    """Return the diagnostics of a file as text, and a summary: `no errors, 2 warnings`."""
    listing = f"{report.render(translate)}\n\n" if report.diagnostics else ""
    parts = [_count(len(report.errors), messages.ONE_ERROR, messages.ERRORS) if report.errors else messages.NO_ERRORS()]
    parts += [_count(len(report.warnings), messages.ONE_WARNING, messages.WARNINGS)] if report.warnings else []
    result = ", ".join(part.render(translate) for part in parts)
    description = f" ({escape_controls(_describe_edition(edition))})" if edition is not None and report.ok else ""
    lines = [f"{listing}{escape_controls(name)}: {result}{description}"]
    if not report.diagnostics and not _is_formatted(name):
        lines.append(messages.WOULD_FORMAT(file=escape_controls(name)).render(translate))
    return "\n".join(lines)


def _count(number: int, one: Words, many: Words) -> Wording:
    return one() if number == 1 else many(count=number)


def _is_formatted(name: str) -> bool:
    """Return whether a sound file is in the canonical form, or cannot be formatted."""
    path = library.find(name)[1]
    try:
        content = path.read_bytes()
        key = cache.key("formatted", content)
        is_formatted = cache.get(key)
        if not isinstance(is_formatted, bool):
            from rulewright.syntax.formatter import format_file, is_canonical  # noqa: PLC0415 - what is known needs none

            with use_sentence_cache(f"form of {path}"):
                cache.store(key, is_formatted := is_canonical(content) or content == format_file(path, name).encode())
        return is_formatted
    except (RulewrightError, OSError):
        return True


def _describe_results(reports: Sequence[Report], missing: int, translate: Translator) -> str:
    """Summarize several reports: `3 files: 1 with errors, 1 missing`."""
    with_errors = sum(bool(report.errors) for report in reports)
    with_warnings = sum(bool(report.warnings) and not report.errors for report in reports)
    counts = {messages.WITH_ERRORS: with_errors, messages.WITH_WARNINGS: with_warnings, messages.MISSING: missing}
    parts = [words(count=count) for words, count in counts.items() if count] or [messages.NOTHING_WRONG()]
    files_checked = _count(len(reports) + missing, messages.ONE_FILE, messages.FILES)
    return f"{files_checked.render(translate)}: {', '.join(part.render(translate) for part in parts)}"


def _describe_edition(edition: Edition) -> str:
    """Return title, players and number of phases of an edition."""
    people = "1 player" if edition.people == (1, 1) else f"{format_range(edition.people)} players"
    return f"{edition.full_title()}: {people}, {format_count(len(edition.phases), 'phase')}"


def format(arguments: Namespace) -> int:
    """Write rule files in their canonical form; meaning and comments stay.

    0: they are in the form; 1: there are errors, or with --check files that are not in the form; 2: a file is missing.
    """
    from rulewright.syntax.formatter import format_file  # noqa: PLC0415 - who checks what is known needs none

    status, translate = 0, diagnostic_translator(choose_language(arguments.lang))
    for name in arguments.names:
        try:
            full, path = library.find(name)
            if not os.path.isfile(path):
                raise CommandError(phrase("errors", "There is no file '{path}'.", path=name))
            after = format_file(path, str(path) if full == name else displayed_path(path)).encode()
            if path.read_bytes() == after:
                continue
            if arguments.check:
                status = max(status, 1)
            else:
                _write_formatted(path, after)
            outcome = messages.NOT_CANONICAL() if arguments.check else messages.MADE_CANONICAL()
            print(f"{escape_controls(name)}: {outcome.render(translate)}", flush=True)
        except EditionError as error:
            unchanged = messages.NOT_CHANGED(
                errors=_count(len(error.report.errors), messages.ONE_ERROR, messages.ERRORS)
            )
            print(
                f"{error.report.render(translate)}\n\n{escape_controls(name)}: {unchanged.render(translate)}",
                flush=True,
            )
            status = max(status, error.exit_status)
        except RulewrightError as error:
            print(f"rulewright: {escape_controls(str(error))}", file=sys.stderr)
            status = max(status, error.exit_status)
    return status


def _write_formatted(path: Path, content: bytes) -> None:
    """Write a file's canonical form. Raises CommandError."""
    try:
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        files.replace(path, content)
    except (OSError, ValueError) as error:
        raise CommandError(write_error(path, error)) from None


def test(arguments: Namespace) -> int:
    """Run the scenarios that rule files are tested with: 0 if all pass, 1 if not."""
    from rulewright.authoring import scenarios  # noqa: PLC0415 - what is known is checked without

    return scenarios.run(arguments.paths, sys.stdout, diagnostic_translator(choose_language(arguments.lang)))
