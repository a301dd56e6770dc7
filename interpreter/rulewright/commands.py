"""What each command of `rulewright` does with its arguments."""

from __future__ import annotations

import errno
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from rulewright import differences, explanations, files, library, saves, scenarios, variants
from rulewright import schema as schemas
from rulewright.catalogue import full_path
from rulewright.declarations import Edition
from rulewright.diagnostics import EditionError, Place, Report, RulewrightError, visible
from rulewright.findings import WRITTEN
from rulewright.formatter import formatted
from rulewright.frontends import chronicle, menu, reading, terminal
from rulewright.frontends.console import Console, EndOfInput, Styled, cells, flow
from rulewright.frontends.labels import Labels
from rulewright.game import GameError
from rulewright.languages import speech as speeches
from rulewright.languages.speech import Phrase, meant, phrase
from rulewright.library import Rules
from rulewright.saves import Locks, SaveError
from rulewright.seating import AT_CHANCE, Seat, called_like_virtual, missing_roles, read_seats, role_seat, usual_seats
from rulewright.session import Session


class CommandError(RulewrightError):
    """Arguments that do not go together, or leave open what is meant."""


# ── play ──


def play(arguments: Namespace) -> int:
    """Play a game at this terminal. Without --seats a few questions come first; Enter accepts the usual."""
    language = _language(arguments.lang)
    console = Console(sys.stdin, sys.stdout, arguments.color, speeches.speech(language))
    with saves.Locks() as locks:
        try:
            resumed = arguments.resume is not None
            session = _resumed(arguments, locks) if resumed else _begun(arguments, console, locks)
        except EndOfInput:
            return 0
        return terminal.play(session, console)


def _resumed(arguments: Namespace, locks: Locks) -> Session:
    given: dict[Phrase | str, object] = {
        phrase("errors", "the edition"): arguments.name or arguments.edition,
        "--seats": arguments.seats,
        "--option": arguments.option,
        "--seed": arguments.seed is not None,
    }
    for what, is_given in given.items():
        if is_given:
            told = phrase("errors", "--resume goes on with a game as it was begun: leave out {what}.", what=what)
            raise CommandError(told)
    path = Path(arguments.resume).absolute() if arguments.resume else saves.last_file()
    if not arguments.resume and not path.is_file():
        raise CommandError(phrase("errors", "There is no last game to go on with. Begin one: rulewright play."))
    if not locks.lock(path):
        told = phrase("errors", "The game in '{path}' is being played at another terminal.", path=str(path))
        raise CommandError(told)
    session = Session.load(path)
    if arguments.lang is not None:
        session.languages = [_language(arguments.lang)] * len(session.languages)
    if arguments.save is not None:
        _keep_in(session, arguments.save)
    return session


def _begun(arguments: Namespace, console: Console, locks: Locks) -> Session:
    """A new game, from the arguments and, at a terminal, from what is asked."""
    asks = console.interactive and arguments.seats is None
    if arguments.name and arguments.edition:
        slots = {"one": arguments.name, "other": arguments.edition}
        raise CommandError(phrase("errors", "Two editions are given, '{one}' and '{other}'; play one.", **slots))
    wanted = arguments.name or arguments.edition
    is_open = not (wanted or arguments.save or arguments.option or arguments.seed is not None)
    if asks and is_open and (session := _offered(console, locks)):
        return session
    rules, file = _rules(wanted, console, asks)
    seats, options = _seats(arguments, rules, console, asks), options_given(arguments.option, rules)
    if asks and not options:
        options = menu.choose_options(console, rules, seats)
    session = Session.start(rules, seats, options, arguments.seed, file, console.speech.language)
    if arguments.save is not None:
        _keep_in(session, arguments.save)
    elif session.people:
        _keep_as_last(session, console, locks)
    return session


def _offered(console: Console, locks: Locks) -> Session | None:
    """The last game, if it is not over and somebody wants to go on with it."""
    try:
        path = saves.last_file()
        session = Session.load(path)
    except RulewrightError:
        return None
    if session.game.over or not locks.lock(path):
        return None
    view = session.game.view(None)
    title = session.game.rules.title
    question = phrase(
        "menu",
        "Go on with {title}, round {round} ({when})?",
        title=title,
        round=view.round,
        when=console.speech.moment(path.stat().st_mtime),
    )
    return session if menu.confirmed(console, question, usual=True) else None


def _rules(wanted: str | None, console: Console, asks: bool) -> tuple[Rules, Path | None]:
    """The rules to play by, and their file where they are not one of the editions that come along."""
    names = list(library.available())
    if not wanted:
        if not names or (len(names) > 1 and not asks):
            listed = ", ".join(names) or phrase("errors", "none")
            told = phrase("errors", "Name an edition: rulewright play NAME. There are: {names}.", names=listed)
            raise CommandError(told)
        newest_first = sorted(sorted(names, reverse=True), key=lambda name: name.rpartition("/")[0])
        wanted = menu.choose_edition(console, newest_first) if len(names) > 1 else names[0]
    full, path = library.find(wanted)
    return library.load(wanted), None if full in names else path.absolute()


def _seats(arguments: Namespace, rules: Rules, console: Console, asks: bool) -> list[Seat]:
    edition = rules.edition
    if arguments.seats is not None:
        seats = read_seats(arguments.seats, edition)
        for name in called_like_virtual(arguments.seats, edition):
            console.paragraph(
                phrase(
                    "menu",
                    "{title} has no virtual player '{name}': a person sits there. For the computer write {kind}.",
                    title=edition.full_title(),
                    name=name,
                    kind=f"{name}:{AT_CHANCE}",
                )
            )
    else:
        seats = menu.choose_seats(console, edition) if asks else usual_seats(edition)
    people = sum(seat.role is None for seat in seats)
    for role in missing_roles(seats, edition):
        console.paragraph(menu.joining(role, people))
        seats.append(role_seat(role))
    return seats


def options_given(given: Sequence[str], rules: Rules) -> dict[str, str]:
    """NAME=VALUE, or NAME alone for what can be on or off; hyphens may stand for spaces."""
    options: dict[str, str] = {}
    for text in given:
        name, equals, choice = (part.strip() for part in text.partition("="))
        spaced = name.replace("-", " ").replace("_", " ")
        name = name if name in rules.edition.options or spaced not in rules.edition.options else spaced
        options[name] = choice if equals else "yes"
    return options


def _keep_in(session: Session, given: str) -> None:
    path = Path(given).absolute()
    if path != session.path:
        saves.may_write(path)
    session.keep_in(path)


def _keep_as_last(session: Session, console: Console, locks: Locks) -> None:
    """Save in the place for the last game; where that is impossible, say so and play on."""
    try:
        path = saves.last_file()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            folder, why = str(path.parent), saves.reason(error)
            told = phrase("errors", "Games cannot be kept in '{folder}': {why}.", folder=folder, why=why)
            raise SaveError(told) from None
        others = (path.with_name(f"last-{number}{path.suffix}") for number in range(2, 100))
        path = next((other for other in (path, *others) if locks.lock(other)), path)
        kept = saves.keep_unfinished(path)
        if kept is not None:
            told = phrase("terminal", "Your game before this one was not over; it is kept in")
            console.command(told, f"'{kept}'.")
        session.keep_in(path)
    except SaveError as error:
        trouble = error.args[0]
        told = phrase(
            "terminal", "{trouble} This game will not be saved; --save FILE saves it elsewhere.", trouble=trouble
        )
        console.paragraph(told, style="bad")


# ── replay ──


def replay(arguments: Namespace) -> int:
    """Tell a saved game again, as an onlooker or one of its seats saw it."""
    session = Session.load(Path(arguments.file))
    game = session.game
    seat = None if arguments.seat is None else _seat(arguments.seat, game.names)
    language = _language(arguments.lang)
    console, labels = Console(None, sys.stdout, arguments.color, game.speech(language)), Labels(game, language)
    view, terms, say = game.view(seat), labels.terms, labels.say
    console.say(Styled(say(terms.title()), "title"))
    told = [phrase("terminal", "At the table: {names}.", names=labels.names(range(len(game.names))))]
    if seat is not None:
        told.append(phrase("replay", "As {name} saw it.", name=labels.names([seat])[0]))
    if game.over:  # the seed tells what is hidden: not before the end
        told.append(phrase("terminal", "Seed {seed}.", seed=str(game.seed)))
    console.paragraph(" ".join(map(say, told)))
    changed = [
        f"{say(terms.option(name))} ({say(terms.choice(name, choice))})"
        for name, choice in view.options.items()
        if choice != _usual(game.rules, name)
    ]
    if changed:
        console.paragraph(phrase("replay", "Options: {options}.", options=tuple(changed)))
    console.say()
    chronicle.tell(console, chronicle.sections(game, seat, language=language))
    console.say()
    if game.over:
        chronicle.tell_result(console, game)
    else:
        waiting = labels.names(view.waiting)
        console.paragraph(phrase("replay", "This game is not over. It waits for {names}.", names=waiting))
    return 0


def spoken(wanted: str | None) -> speeches.Speech:
    """The interface in the language that is asked for, or that the system is set to. Raises CommandError."""
    return speeches.speech(_language(wanted))


def _language(wanted: str | None) -> str:
    """The language that is asked for, or that the system is set to. Raises CommandError."""
    if wanted is None:
        return speeches.of_environment(os.environ)
    language = speeches.PSEUDO if wanted == speeches.PSEUDO else speeches.code_of(wanted)
    if not language:
        raise CommandError(speeches.unknown_language(wanted))
    return language


def _seat(text: str, names: Sequence[str]) -> int:
    """A seat by its name or its number, from 1."""
    for seat, name in enumerate(names):
        if text.casefold() == name.casefold():
            return seat
    if text.isascii() and text.isdecimal() and len(text) < 4 and 1 <= int(text) <= len(names):
        return int(text) - 1
    seats = ", ".join(f"{n} {name}" for n, name in enumerate(names, 1))
    hint = meant(text, names) or phrase("errors", "Seats: {seats}.", seats=seats)
    raise GameError(phrase("errors", "Nobody called '{name}' sits at this table. {hint}", name=text, hint=hint))


def _usual(rules: Rules, option: str) -> str:
    declared = rules.edition.options[option]
    return declared.choices[declared.default]


# ── editions, check, format, test ──


def editions(arguments: Namespace) -> int:
    """List the games there are: name, title, players, seats and options."""
    said = spoken(arguments.lang)
    console, say = Console(None, sys.stdout, speech=said), said.say
    heads = (
        phrase("editions", "NAME"),
        phrase("editions", "TITLE"),
        phrase("editions", "PLAYERS"),
        phrase("editions", "SEATS"),
        phrase("editions", "OPTIONS"),
    )
    rows = [tuple(map(say, heads))]
    for name in library.available():
        try:
            edition = library.load(name).edition
        except EditionError:
            rows.append((name, say(phrase("editions", "has errors")), "", "", f"rulewright check {name}"))
            continue
        options = ", ".join(edition.options) or "–"
        rows.append((name, edition.full_title(), _span(edition.people), _span(edition.seats), options))
    widths = [max(cells(row[column]) for row in rows) for column in range(4)]
    margin = sum(widths) + 2 * len(widths)
    for row in rows:
        head = "".join(t + " " * (w + 2 - cells(t)) for t, w in zip(row, widths, strict=False))
        last = flow(row[4].split(), max(20, console.width - margin)) if console.shows_terminal else [row[4]]
        for number, text in enumerate(last or [""]):
            console.say(head if number == 0 else " " * margin, text)
    return 0


def check(arguments: Namespace) -> int:
    """Find what is wrong with rule files, and what is probably a mistake.

    Exit status 0 if there are no errors (with --strict: and no warnings), 1 if there are, 2 if a file is missing.
    """
    status = 0
    reports: list[Report] = []
    for name in arguments.names:
        try:
            edition, report = library.examine(name)
        except RulewrightError as error:
            print(f"rulewright: {visible(str(error))}", file=sys.stderr)
            status = max(status, error.exit_status)
            if arguments.format != "text":
                reports.append(Report())
                reports[-1].error(Place(name, 1, 1, 1), "no-file", str(error))
            continue
        reports.append(report)
        if report.errors or (arguments.strict and report.warnings):
            status = max(status, EditionError.exit_status)
        if arguments.format == "text":
            found = f"{report.render()}\n\n" if report.diagnostics else ""
            described = f" ({visible(_described(edition))})" if edition is not None and report.ok else ""
            print(f"{found}{visible(name)}: {_result(report)}{described}{_suggestion(name, report)}", flush=True)
    if arguments.format == "text" and len(arguments.names) > 1:
        print(_results(reports, len(arguments.names) - len(reports)), flush=True)
    elif arguments.format != "text":
        print(WRITTEN[arguments.format]([found for report in reports for found in report.diagnostics]), end="")
    return status


def _result(report: Report) -> str:
    """No errors, 2 warnings"""
    parts = [_counted(len(report.errors), "error") if report.errors else "no errors"]
    parts += [_counted(len(report.warnings), "warning")] if report.warnings else []
    return ", ".join(parts)


def _suggestion(name: str, report: Report) -> str:
    """A line for a sound file that could be written more like others."""
    path = library.find(name)[1]
    try:
        if report.diagnostics or path.read_bytes() == formatted(path, name).encode():
            return ""
    except (RulewrightError, OSError):
        return ""
    return f"\n'rulewright format {visible(name)}' would write it in the canonical form"


def _results(reports: Sequence[Report], missing: int) -> str:
    """3 files: 1 with errors, 1 missing."""
    wrong = sum(bool(report.errors) for report in reports)
    odd = sum(bool(report.warnings) and not report.errors for report in reports)
    counts = {"with errors": wrong, "with warnings": odd, "missing": missing}
    told = [f"{count} {what}" for what, count in counts.items() if count]
    return f"{_counted(len(reports) + missing, 'file')}: {', '.join(told) or 'nothing wrong'}"


def _described(edition: Edition) -> str:
    people = "1 player" if edition.people == (1, 1) else f"{_span(edition.people)} players"
    return f"{edition.full_title()}: {people}, {_counted(len(edition.phases), 'phase')}"


def format(arguments: Namespace) -> int:
    """Write rule files in their canonical form; meaning and comments stay.

    0: they are in the form; 1: there are errors, or with --check files that are not in the form; 2: a file is missing.
    """
    status = 0
    for name in arguments.names:
        try:
            full, path = library.find(name)
            if not os.path.isfile(path):
                raise CommandError(phrase("errors", "There is no file '{path}'.", path=name))
            after = formatted(path, str(path) if full == name else full_path(path)).encode()
            if path.read_bytes() == after:
                continue
            if arguments.check:
                print(f"{visible(name)}: not in the canonical form", flush=True)
                status = max(status, 1)
            else:
                _rewrite(path, after)
                print(f"{visible(name)}: written in the canonical form", flush=True)
        except EditionError as error:
            print(f"{error}\n", flush=True)
            print(f"{visible(name)}: {_counted(len(error.report.errors), 'error')}, not changed", flush=True)
            status = max(status, error.exit_status)
        except RulewrightError as error:
            print(f"rulewright: {visible(str(error))}", file=sys.stderr)
            status = max(status, error.exit_status)
    return status


def _rewrite(path: Path, content: bytes) -> None:
    try:
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        files.replace(path, content)
    except (OSError, ValueError) as error:
        raise CommandError(unwritten(path, error)) from None


def test(arguments: Namespace) -> int:
    """Run the scenarios that rule files are tested with: 0 if all pass, 1 if not."""
    return scenarios.run(arguments.paths, sys.stdout)


# ── diff, explain ──


def diff(arguments: Namespace) -> int:
    """Tell how the edition AFTER differs from BEFORE: 0, or with --exit-code 1 if it does."""
    before, after = library.load(arguments.before).edition, library.load(arguments.after).edition
    changes = differences.technical(before, after)
    console = Console(None, sys.stdout)
    if changes:
        names = reading.short_names(before, after)
        reading.tell_differences(console, differences.differences(before, after), names)
        if arguments.technical:
            reading.tell_changes(console, changes)
    else:
        console.paragraph(f"{arguments.before} and {arguments.after}: no difference.")
    return int(bool(changes) and arguments.exit_code)


def explain(arguments: Namespace) -> int:
    """Tell what a name of an edition is, where it stands, who uses it and who changes it; or which names there are."""
    edition, console = library.load(arguments.edition).edition, Console(None, sys.stdout)
    if arguments.name:
        reading.tell_explanations(console, explanations.explain(edition, " ".join(arguments.name)))
    else:
        reading.tell_names(console, explanations.names(edition))
    return 0


# ── new, schema ──


def new(arguments: Namespace) -> int:
    """Write a variant of an edition to begin with: NAME.yaml, which says only what is different. Overwrites nothing."""
    path = variants.file_of(arguments.name, Path(arguments.dir))
    edition = library.load(arguments.edition).edition
    write(path, variants.draft(edition, path), overwrite=False)
    console = Console(None, sys.stdout)
    console.say(f"{path} is a variant of {edition.full_title()}. It says how to go on.")
    return 0


def schema(arguments: Namespace) -> int:
    """Write the JSON Schema of editions, variants or scenario files: what editors need to help while one types."""
    text = schemas.text(arguments.what)
    if arguments.out is None:
        print(text, end="")
        return 0
    path = Path(arguments.out)
    write(path, text, overwrite=_is_schema(path))
    return 0


def _is_schema(path: Path) -> bool:
    """Whether a file begins as schemas do; others are not overwritten."""
    return b'"$schema"' in files.beginning(path, 200)


def write(path: Path, content: str | bytes, overwrite: bool) -> bool:
    """Write a file that somebody asked for, or to a pipe or device; whether it is a file that stays.

    Raises CommandError where it is there already, or cannot be written; BrokenPipeError.
    """
    may_write(path, overwrite)
    data = content.encode() if isinstance(content, str) else content
    try:
        if files.is_stream(path):
            files.pour(path, data)
            return False
        (files.replace if overwrite else files.create)(path, data)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        raise CommandError(unwritten(path, error)) from None
    return True


def may_write(path: Path, overwrite: bool) -> None:
    """Raises CommandError for a file that is there already and is not overwritten."""
    if os.path.lexists(path) and not overwrite and not files.is_stream(path):
        raise CommandError(
            phrase("errors", "'{path}' is there already; it stays as it is. Choose another name.", path=str(path))
        )


def unwritten(path: Path, error: Exception) -> Phrase:
    """What to say of a file that the system refuses to write."""
    return phrase("errors", "'{path}' cannot be written: {why}.", path=str(path), why=saves.reason(error))


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _span(span: tuple[int, int]) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]}–{span[1]}"
