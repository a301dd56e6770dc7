"""Commands `rulewright play` and `replay`."""

from __future__ import annotations

import secrets
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rulewright.base import files
from rulewright.base.diagnostics import EditionError, Report, RulewrightError
from rulewright.commands.common import CommandError, choose_language, require_simulation
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.setup import GameError, parse_options
from rulewright.game.terms import Terms, localizer_of
from rulewright.i18n import languages
from rulewright.i18n.localizer import Phrase, phrase, suggestion
from rulewright.players import saves
from rulewright.players.fast_forward import play_until
from rulewright.players.saves import SaveError, SaveLocks
from rulewright.players.seating import (
    OPPONENT,
    PERSON,
    RANDOM_BOT,
    Seat,
    missing_roles,
    names_of_virtual_players,
    read_seats,
    role_seat,
    usual_seats,
)
from rulewright.players.session import Session, changed_rules_notice
from rulewright.publish import log_sections
from rulewright.publish.console import Console, EndOfInput, Styled
from rulewright.publish.labels import Labels
from rulewright.terminal import menu, play_loop

# ── play ──


def play(arguments: Namespace) -> int:
    """Play a game at this terminal. Without --seats a few questions come first; Enter accepts the usual."""
    language = choose_language(arguments.lang)
    console = Console(sys.stdin, sys.stdout, arguments.color, languages.localizer_for(language))
    with saves.SaveLocks() as locks:
        try:
            is_resuming = arguments.resume is not None
            session = _resume_saved(arguments, locks) if is_resuming else _begin(arguments, console, locks)
        except EndOfInput:
            return 0
        for notice in session.notices():
            console.paragraph(notice)
        return play_loop.play(session, console, (arguments.pace or "").replace("-", " "))


def _resume_saved(arguments: Namespace, locks: SaveLocks) -> Session:
    """Resume a saved game. Raises an error if other options contradict what was saved."""
    conflicts: dict[Phrase | str, object] = {
        phrase("errors", "the edition"): arguments.name or arguments.edition,
        "--seats": arguments.seats,
        "--option": arguments.option,
        "--seed": arguments.seed is not None,
        "--from": arguments.place,
        "--case": arguments.case,
    }
    for option, is_given in conflicts.items():
        if is_given:
            message = phrase("errors", "--resume goes on with a game as it was begun: leave out {what}.", what=option)
            raise CommandError(message)
    path = Path(arguments.resume).absolute() if arguments.resume else saves.last_file()
    if not arguments.resume and not path.is_file():
        raise CommandError(phrase("errors", "There is no last game to go on with. Begin one: rulewright play."))
    if not locks.lock(path):
        message = phrase("errors", "The game in '{path}' is being played at another terminal.", path=str(path))
        raise CommandError(message)
    session = Session.load(path)
    if arguments.lang is not None:
        session.languages = [choose_language(arguments.lang)] * len(session.languages)
    if arguments.save is not None:
        _save_in(session, arguments.save)
    return session


def _begin(arguments: Namespace, console: Console, locks: SaveLocks) -> Session:
    """Begin a game from the arguments and, at a terminal, from questions."""
    is_asking = console.interactive and arguments.seats is None
    if arguments.name and arguments.edition:
        slots = {"one": arguments.name, "other": arguments.edition}
        raise CommandError(phrase("errors", "Two editions are given, '{one}' and '{other}'; play one.", **slots))
    name = arguments.name or arguments.edition
    if arguments.case is not None:
        return _begin_case(arguments, name, console)
    is_open = not (name or arguments.save or arguments.option or arguments.seed is not None)
    if is_asking and is_open and (session := _offer_last_game(console, locks)):
        return session
    rules, file = _rules(name, console, is_asking)
    localizer = localizer_of(rules.edition, console.localizer.language)
    seats, options = (
        _choose_seats(arguments, rules, console, is_asking),
        parse_options(arguments.option, rules, localizer),
    )
    if is_asking and not options:
        options = menu.choose_options(console, rules, seats)

    def begin(seed: int | None) -> Session:
        return Session.start(rules, seats, options, seed, file, console.localizer.language)

    session = begin(arguments.seed) if arguments.place is None else _begin_at(arguments, rules, begin)
    if arguments.save is not None:
        _save_in(session, arguments.save)
    elif session.person_seats:
        _save_as_last(session, console, locks)
    return session


def _begin_at(arguments: Namespace, rules: Rules, begin: Callable[[int], Session]) -> Session:
    """Begin a game that has reached a given phase or step."""
    place, names = arguments.place, [*(phase.name for phase in rules.edition.phases), *rules.edition.steps]
    if place not in names:
        message = phrase(
            "errors", "There is no phase or step '{name}'. {hint}", name=place, hint=suggestion(place, names)
        )
        raise CommandError(message)
    session = play_until(begin, secrets.randbits(32) if arguments.seed is None else arguments.seed, place)
    if session is None:
        message = phrase("errors", "In many games by chance nobody was asked anything in '{name}'.", name=place)
        raise CommandError(message)
    return session


def _begin_case(arguments: Namespace, file: str | None, console: Console) -> Session:
    """Begin a game at a case: the first seat asked is a person, bots play the others."""
    from rulewright.authoring.scenarios import cases  # noqa: PLC0415 - it loads the compiler

    others = (arguments.seats, arguments.seed, arguments.save, arguments.place, arguments.option or None)
    if any(other is not None for other in others):
        message = phrase(
            "errors", "A case says who plays, and such a game is not saved: give only its file and its name."
        )
        raise CommandError(message)
    report = Report()
    cases_of_file = cases.read(Path(file or ""), file or "", cases.Editions(), report)
    if not report.ok:
        raise EditionError(report)
    names = [case.name for case in cases_of_file]
    if arguments.case not in names:
        hint = suggestion(arguments.case, names)
        raise CommandError(phrase("errors", "There is no case '{name}'. {hint}", name=arguments.case, hint=hint))
    setting = cases_of_file[names.index(arguments.case)].setting
    game = setting.game(setting.state)
    first = next((decision.seat for decision in game.decisions()), 0)
    kinds = [RANDOM_BOT if role else OPPONENT for role in setting.roles]
    session = Session(game, [PERSON if seat == first else kind for seat, kind in enumerate(kinds)])
    session.languages = [console.localizer.language] * len(kinds)
    return session


def _offer_last_game(console: Console, locks: SaveLocks) -> Session | None:
    """Offer to resume the last game; None if it is over, or declined."""
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
        when=console.localizer.date_and_time(path.stat().st_mtime),
    )
    return session if menu.confirm(console, question, usual=True) else None


def _rules(name: str | None, console: Console, is_asking: bool) -> tuple[Rules, Path | None]:
    """Return the rules to play by, and their file if they are not shipped."""
    names = list(library.available())
    if not name:
        if not names or (len(names) > 1 and not is_asking):
            listed = ", ".join(names) or phrase("errors", "none")
            message = phrase("errors", "Name an edition: rulewright play NAME. There are: {names}.", names=listed)
            raise CommandError(message)
        name = _choose_edition(names, console) if len(names) > 1 else names[0]
    full, path = library.find(name)
    return library.load(name), None if full in names else path.absolute()


def _choose_edition(names: Sequence[str], console: Console) -> str:
    """Ask for a shipped edition, the newest of each game first, those of a series after all others."""
    series = {}
    for name in names:
        with suppress(EditionError):  # whoever chooses it is told
            edition = library.load(name).edition
            if edition.series:
                series[name] = localizer_of(edition, console.localizer.language).say(Terms(edition).series())
    in_order = sorted(names, key=lambda name: (series.get(name, ""), *_by_name_newest_first(name)))
    return menu.choose_edition(console, in_order, series)


def _by_name_newest_first(name: str) -> tuple[str, int, str]:
    """Return the sort key of an edition: its name; editions named by year, newest first."""
    folder, _, last = name.rpartition("/")
    return folder, -int(last) if last.isascii() and last.isdecimal() else 0, last


def _choose_seats(arguments: Namespace, rules: Rules, console: Console, is_asking: bool) -> list[Seat]:
    """Return the seats of --seats or of a dialog; tell which virtual players persons stand in for, or that join."""
    edition = rules.edition
    if arguments.seats is not None:
        seats = read_seats(arguments.seats, edition)
        for name in names_of_virtual_players(arguments.seats, edition):
            if console.interactive:
                if not menu.ask_for_person(console, edition, name):
                    seats = [replace(seat, player=OPPONENT) if seat.name == name else seat for seat in seats]
                continue
            console.paragraph(
                phrase(
                    "menu",
                    "{title} has no virtual player '{name}': a person sits there. For the computer write {kind}.",
                    title=edition.full_title(),
                    name=name,
                    kind=f"{name}:{OPPONENT}",
                )
            )
    else:
        seats = menu.choose_seats(console, edition) if is_asking else usual_seats(edition)
    people = sum(seat.role is None for seat in seats)
    for role in missing_roles(seats, edition):
        console.paragraph(menu.joining_message(role, people))
        seats.append(role_seat(role))
    return seats


def _save_in(session: Session, file: str) -> None:
    """Save a session in a file from now on. Raises SaveError if another game is there."""
    path = Path(file).absolute()
    if path != session.path:
        saves.check_overwrite(path)
    session.save_to(path)


def _save_as_last(session: Session, console: Console, locks: SaveLocks) -> None:
    """Save in the place of the last game; if that is impossible, say so and play on."""
    try:
        path = saves.last_file()
        try:
            saves.make_folder(path.parent)
        except OSError as error:
            folder, reason = str(path.parent), files.error_reason(error)
            message = phrase("errors", "Games cannot be kept in '{folder}': {why}.", folder=folder, why=reason)
            raise SaveError(message) from None
        others = (path.with_name(f"last-{number}{path.suffix}") for number in range(2, 100))
        path = next((other for other in (path, *others) if locks.lock(other)), path)
        earlier_game = saves.move_unfinished(path)
        if earlier_game is not None:
            message = phrase("terminal", "Your game before this one was not over; it is kept in")
            console.command(message, f"{console.localizer.quote(str(earlier_game))}.")
        session.save_to(path)
    except SaveError as error:
        message = phrase(
            "terminal",
            "{trouble} This game will not be saved; --save FILE saves it elsewhere.",
            trouble=error.args[0],
        )
        console.paragraph(message, style="bad")


# ── replay ──


def replay(arguments: Namespace) -> int:
    """Print a saved or simulated game again, as a spectator or one of its seats saw it."""
    path = Path(arguments.file)
    stopped: Phrase | None = None
    if path.is_dir():
        game, stopped = _replay_simulated(path, arguments.game, arguments.setting)
    elif arguments.game is None and arguments.setting is None:
        game = Session.load(path).game
    else:
        option = "--setting" if arguments.game is None else "--game"
        raise CommandError(phrase("errors", "{option} is for a folder of simulated games.", option=option))
    seat = None if arguments.seat is None else _seat(arguments.seat, game.names)
    language = choose_language(arguments.lang)
    console, labels = Console(None, sys.stdout, arguments.color, game.localizer(language)), Labels(game, language)
    view, terms, say = game.view(seat), labels.terms, labels.say
    console.write_line(Styled(say(terms.title()), "title"))
    phrases = [phrase("terminal", "At the table: {names}.", names=labels.names(range(len(game.names))))]
    if seat is not None:
        phrases.append(phrase("replay", "As {name} saw it.", name=labels.names([seat])[0]))
    if game.over:  # the seed tells what is hidden: not before the end
        phrases.append(phrase("terminal", "Seed {seed}.", seed=str(game.seed)))
    console.paragraph(" ".join(map(say, phrases)))
    if notice := changed_rules_notice(game):
        console.paragraph(notice)
    changed = [
        labels.localizer.with_note(say(terms.option(name)), say(terms.choice(name, choice)))
        for name, choice in view.options.items()
        if choice != game.rules.edition.options[name].usual_choice
    ]
    if changed:
        console.paragraph(phrase("replay", "Options: {options}.", options=tuple(changed)))
    console.write_line()
    log_sections.write_sections(console, log_sections.sections(game, seat, language=language))
    console.write_line()
    if game.over:
        log_sections.write_result(console, game)
    elif stopped:
        console.paragraph(stopped)
    else:
        waiting = labels.names(view.waiting)
        console.paragraph(phrase("replay", "This game is not over. It waits for {names}.", names=waiting))
    return 0


def _replay_simulated(path: Path, number: int | None, setting: int | None) -> tuple[Game, Phrase | None]:
    """Play a game of a run again; also return why its rules stopped, if they did."""
    if number is None:
        message = phrase(
            "errors", "'{path}' is a folder: say with {option} which of its games.", path=str(path), option="--game N"
        )
        raise CommandError(message)
    require_simulation()
    from rulewright.simulation.replay import replay as played_again  # noqa: PLC0415 - it needs what is not always there

    replayed = played_again(path, number, setting or 0)
    return replayed.game, replayed.stopped


def _seat(text: str, names: Sequence[str]) -> int:
    """Parse a seat by its name, or its number from 1."""
    for seat, name in enumerate(names):
        if text.casefold() == name.casefold():
            return seat
    if text.isascii() and text.isdecimal() and len(text) < 4 and 1 <= int(text) <= len(names):
        return int(text) - 1
    seats = tuple(f"{n} {name}" for n, name in enumerate(names, 1))
    hint = suggestion(text, names) or phrase("errors", "Seats: {seats}.", seats=seats)
    raise GameError(phrase("errors", "Nobody called '{name}' sits at this table. {hint}", name=text, hint=hint))
