"""What `rulewright locale` does: catalogs are begun, brought up to date, checked, counted and read aloud."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulewright import files, library, resources, saves, templates
from rulewright.diagnostics import Report, RulewrightError
from rulewright.frontends.console import Console, Styled
from rulewright.game import Game
from rulewright.languages import catalogs, checking, extraction, grammar, speech, updating
from rulewright.languages.updating import SORTS, Message
from rulewright.library import Rules
from rulewright.seating import missing_roles, read_seats, role_seat

_PACKAGE = Path(__file__).parent
_CODE = re.compile(r"[a-z]{2,3}(_[A-Za-z]{2,4})?")

_GRAMMAR = """\
# {name}. spec/TRANSLATING.md says what stands in such a file.
language: {own}
genders: # what nouns may be, each with a word that explains it: {{m: der, f: die, n: das}}
cases: [own] # the first is the noun as it stands; others are told as [dat=…] behind the noun
sounds: # beginnings of words that change an article, tried in this order: vowel: [a, e, i, o, u]
articles: # by the sample that sentences show in brackets: the: {{m: le, f: la, many: les}}
"""

Domain = tuple[str, Path, Sequence[Message]]
"""The name of a catalog, its file for a language, and its messages."""


class LocaleError(RulewrightError):
    """A language that there is not, or one that is there already."""


def add(arguments: Namespace) -> int:
    """Begin a language: a grammar to fill, and a catalog for the interface and for each game."""
    language = arguments.language
    locale = grammar.locale_of(language)
    if not _CODE.fullmatch(language) or locale is None or language.startswith("en"):
        raise LocaleError(f"'{language}' is no code of a language that can be added; expected one such as fr or pt_BR.")
    path = speech.folder(language) / "grammar.yaml"
    text = _GRAMMAR.format(name=locale.english_name, own=(locale.display_name or language).capitalize())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.create(path, text.encode())
    except FileExistsError:
        raise LocaleError(
            f"The language '{language}' is there already: '{path}'. Go on with 'locale update'."
        ) from None
    except OSError as error:
        raise LocaleError(f"'{path}' cannot be written: {saves.reason(error)}.") from None
    print(f"{path}: the grammar of {locale.english_name}, to be filled")
    return _update([language], None)


def update(arguments: Namespace) -> int:
    """Bring catalogs up to date with the texts there are. What has changed is kept, and marked as fuzzy."""
    return _update(_languages(arguments), arguments.edition, arguments.check)


def check(arguments: Namespace) -> int:
    """Tell all that is wrong with catalogs: 0 if nothing is, else 1."""
    found: list[checking.Finding] = []
    for language in _languages(arguments):
        report = Report()
        path = speech.folder(language) / "grammar.yaml"
        table = grammar.read(path, language, report)
        if table is None:
            print(report.render())
            found.append(checking.Finding(str(path), 0, "The grammar cannot be used."))
            continue
        for _, file, messages in _domains(language, arguments.edition):
            found += checking.check(file, messages, table, _shown(file))
    for finding in found:
        print(finding)
    print("nothing wrong" if not found else f"{len(found)} to look at")
    return int(bool(found))


def status(arguments: Namespace) -> int:
    """How much is translated, by language, catalog and sort of text."""
    rows = [("LANGUAGE", "CATALOG", *(sort.upper() for sort in SORTS), "ALL")]
    complete = True
    for language in _languages(arguments):
        for name, file, messages in _domains(language, arguments.edition):
            covered = checking.coverage(file, messages, language)
            cells = ["{}/{}".format(*covered[sort]) if sort in covered else "–" for sort in SORTS]
            percent = checking.percent(covered.values())
            complete = complete and percent == 100
            rows.append((language, name, *cells, f"{percent} %"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
    return int(arguments.complete and not complete)


def preview(arguments: Namespace) -> int:
    """Read the sentences of an edition aloud, with all that can stand in their slots."""
    rules = library.load(arguments.edition)
    _known(arguments.language)
    console = Console(None, sys.stdout)
    for game in games(rules):
        said = game.speech(arguments.language)
        for key, lines in templates.examples(game, said).items():
            console.say(Styled(key, "key"))
            for line in lines:
                console.paragraph(line, indent="  ", hang="  ")
        break
    return 0


def games(rules: Rules) -> Iterator[Game]:
    """A game of an edition for each number of players, with the virtual players that must join."""
    for people in range(rules.edition.people[1], rules.edition.people[0] - 1, -1):
        seats = read_seats(",".join(["you", *["random"] * (people - 1)]), rules.edition)
        seats += map(role_seat, missing_roles(seats, rules.edition))
        roles = {seat.name: seat.role for seat in seats if seat.role}
        yield Game.start(rules, [seat.name for seat in seats], None, 1, roles)


# ── which catalogs ──


def _update(languages: Sequence[str], edition: str | None, dry: bool = False) -> int:
    stale = 0
    for language in languages:
        for name, file, messages in _domains(language, edition):
            try:
                old = catalogs.read(file, language) if file.is_file() else None
                before = file.read_text(encoding="utf-8-sig") if old is not None else ""
                after = updating.text_of(updating.updated(messages, old, language, name))
                if updating.same(before, after):
                    continue
                stale += 1
                if not dry:
                    file.parent.mkdir(parents=True, exist_ok=True)
                    files.replace(file, after.encode())
            except catalogs.CatalogError as error:
                where = f"{_shown(file)}:{error.line}" if error.line else _shown(file)
                raise LocaleError(f"{where}: {error}. Mend it first; nothing has changed.") from None
            except OSError as error:
                raise LocaleError(f"'{file}' cannot be written: {saves.reason(error)}.") from None
            print(f"{_shown(file)}: {'not up to date' if dry else 'brought up to date'}")
    return int(dry and stale > 0)


def _domains(language: str, edition: str | None) -> Iterator[Domain]:
    """The catalogs of a language: of the interface and the shipped editions, or of one edition's own file."""
    if edition is not None:
        rules = library.load(edition)
        shipped = {path: name for name, path in library.available().items()}
        path = library.find(edition)[1]
        if path not in shipped:
            base = {
                (m.context, m.one)
                for name in rules.edition.bases
                if name in library.available()
                for m in templates.messages([library.load(name)])
            }
            own = [m for m in templates.messages([rules]) if (m.context, m.one) not in base]
            yield path.stem, path.with_name(f"{path.stem}.{language}.po"), own
            return
        wanted = shipped[path].partition("/")[0]
    else:
        wanted = ""
        yield speech.INTERFACE, speech.catalog(language, speech.INTERFACE), extraction.interface(_PACKAGE)
    for domain in dict.fromkeys(name.partition("/")[0] for name in library.available()):
        if wanted in ("", domain):
            editions = [library.load(name) for name in library.available() if name.partition("/")[0] == domain]
            yield domain, speech.catalog(language, domain), templates.messages(editions)


def _languages(arguments: Namespace) -> list[str]:
    if arguments.language is None:
        return [language for language in speech.languages() if language != speech.ENGLISH]
    _known(arguments.language)
    return [arguments.language]


def _known(language: str) -> None:
    if language not in speech.languages():
        raise LocaleError(speech.unknown_language(language))


def _shown(path: Path) -> str:
    """A file as people find it: from the folder of locales on."""
    home = resources.folder("locales").parent
    return os.fspath(path.relative_to(home)) if path.is_relative_to(home) else os.fspath(path)
