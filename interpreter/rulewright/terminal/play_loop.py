"""Game at a terminal: one or several people at one keyboard, and bots."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from time import sleep

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.choices import AnswerError
from rulewright.game.decisions import Decision
from rulewright.i18n.languages import code_of, unknown_language
from rulewright.i18n.localizer import Argument, Either, Phrase, phrase
from rulewright.i18n.placeholders import PLACEHOLDERS
from rulewright.players import saves
from rulewright.players.kinds import describe_kind
from rulewright.players.seating import PERSON
from rulewright.players.session import Session
from rulewright.publish import log_sections
from rulewright.publish.console import Console, EndOfInput, Styled
from rulewright.publish.labels import Labels
from rulewright.runtime.view import View
from rulewright.terminal import dialog, pace, prompt, table
from rulewright.terminal.log_follower import LogFollower
from rulewright.terminal.pace import Pace, UserQuit
from rulewright.terminal.question_commands import QuestionCommands

INTERRUPTED = 130
"""Exit status after Ctrl+C: 128 and the signal's number, as shells have it."""
_MAX_ROUND_DIGITS = 6
"""Limit of the digits of a round's number."""


def play(session: Session, console: Console, pace: str = "") -> int:
    """Play a game until it is over or left; return the exit status. pace: one of PACES, '' for the default. Raises
    RulewrightError where the rules fail, after saying where the game is saved."""
    return _TerminalGame(session, Pace(console, pace)).run()


class _TerminalGame(QuestionCommands):
    """Game in play at a terminal.

    reader: seat of whoever is at the screen, None if that is not known yet; lines_known: number of log lines that each
    person knows; last_views: each person's view after their last answer; save_error: as last reported, or ''.
    """

    def __init__(self, session: Session, pace: Pace) -> None:
        super().__init__(pace)
        self.session, self.game = session, session.game
        if session.person_seats and self.console.interactive:
            session.wait = sleep
            session.prepare()
        self.labels = Labels(self.game, self.console.localizer.language)
        self.reader: int | None = None if len(session.person_seats) > 1 else next(iter(session.person_seats), None)
        self.lines_known = dict.fromkeys(session.person_seats, log_sections.recent_start(self.game))
        self.last_views: dict[int, View] = {}
        self.save_error: Phrase | str = ""
        self.commands = {
            "?": self.tell_rules,
            "help": self.help,
            "lang": self.set_language,
            "log": self.show_log,
            "pace": self.set_pace,
            "quit": self.quit,
            "save": self.save_copy,
            "table": self.show_table,
            "undo": self.undo,
        }

    # ── the game ──

    def run(self) -> int:
        """Play until the game is over or left; return the exit status."""
        try:
            self.show_start()
            if self.session.person_seats:
                while (decision := self.session.next_decision(self.reader)) is not None:
                    self.play_turn(decision)
            else:
                self.watch()
            self.show_end()
        except (UserQuit, EndOfInput):
            self.show_where_saved()
        except KeyboardInterrupt:
            self.console.write_line()
            self.show_where_saved()
            return INTERRUPTED
        except RulewrightError:
            self.show_where_saved()
            raise
        return 0

    def show_start(self) -> None:
        """Show the title, the players, and how to get help."""
        console, game = self.console, self.game
        self.use_language_of(self.reader)
        console.write_line(Styled(self.labels.say(self.labels.terms.title()), "title"))
        if text := game.rule_texts.rule("edition", 0, self.labels.language):
            console.paragraph(text)
        console.paragraph(self.describe_players())
        if self.session.person_seats:
            message = phrase("terminal", "Type ? for the rules of the moment and help for all commands.")
            console.paragraph(message, style="faint")
        else:
            console.write_line()

    def describe_players(self) -> str:
        """Describe who plays: all names, then bots by their kind, virtual players."""
        seats, names = range(len(self.game.names)), self.labels.names
        virtual = [seat for seat in seats if self.game.roles[seat]]
        by_kind: dict[str, list[int]] = {}
        for seat in seats:
            if self.session.players[seat] != PERSON and not self.game.roles[seat]:
                by_kind.setdefault(self.session.players[seat], []).append(seat)
        phrases = [phrase("terminal", "At the table: {names}.", names=names(seats))]
        for kind, group in by_kind.items():
            slots: dict[str, Argument] = {"kind": describe_kind(kind), "names": names(group)}
            phrases.append(phrase("terminal", "Played by the computer ({kind}): {names}.", **slots))
        phrases += [phrase("terminal", "Virtual: {names}.", names=names(virtual))] if virtual else []
        return " ".join(map(self.console.translate, phrases))

    def use_language_of(self, seat: int | None) -> None:
        """Switch to a seat's language; for None, that of the first person."""
        if seat is None:
            seat = next(iter(self.session.person_seats), None)
        if seat is not None:
            self.console.localizer = self.game.localizer(self.session.languages[seat])
        self.labels = Labels(self.game, self.console.localizer.language)

    def watch(self) -> None:
        """Play a game without people to its end, and show its log, line by line."""
        follower = LogFollower(self.session, self.pace)
        follower.tell()
        while self.session.play_bot():
            follower.tell()
            self.report_save_error()

    def show_end(self) -> None:
        """Show the end of the log, the table, the points, and how to replay the game; of several people, for none in
        particular."""
        console = self.console
        if len(self.session.person_seats) > 1 and self.reader is not None:
            console.clear()
        seat = self.reader if len(self.session.person_seats) == 1 else None
        if self.session.person_seats:
            sections = log_sections.sections(self.game, seat, min(self.lines_known.values()), self.labels.language)
            if sections:
                console.write_line()
            self.pace.tell(log_sections.blocks(console, sections, brief=True), console.height)
        console.write_line()
        language = self.labels.language
        console.write_lines(table.draw(self.game, seat, console.width, language=language))
        self.screen.show_boards(self.screen.draw_boards(self.labels, seat))
        console.write_line()
        log_sections.write_result(console, self.game)
        seed = console.translate(phrase("terminal", "Seed {seed}.", seed=str(self.game.seed)))
        console.write_line(Styled(seed, "faint"))
        if self.session.path is not None and not self.session.save_error:
            console.command(
                phrase("terminal", "Look at it again with:"), f"rulewright replay {_quoted(self.session.path)}"
            )

    def show_where_saved(self) -> None:
        """Save the game, and say where it is saved and how to resume it; nothing is said of a game that is over."""
        self.session.save()
        path = self.session.path
        if self.game.over:
            return
        if path is None or self.session.save_error:
            nowhere = phrase("terminal", "The game is not saved anywhere.")
            self.console.paragraph(self.session.save_error or nowhere, style="bad")
            return
        file = "" if _is_last(path) else f" {_quoted(path)}"
        self.console.command(phrase("terminal", "The game is saved. Go on with:"), f"rulewright play --resume{file}")

    # ── a turn ──

    def play_turn(self, decision: Decision) -> None:
        """Ask a person one question, until it is answered or undone, or the language changes. Raises UserQuit,
        EndOfInput."""
        self.hand_over(decision.seat)
        self.report_save_error()
        decision = self.game.decision(decision.seat, self.labels.language) or decision
        question = dialog.build_question(self.labels, decision)
        self.show_news(question)
        self.console.write_lines(prompt.question_lines(question, self.console.width))
        while not self.ask_once(question):
            continue

    def ask_once(self, question: prompt.Question) -> bool:
        """Take one line: a command or an answer; return False if the question must be asked again."""
        decision = question.decision
        completions = [*question.labels, *self.commands] if decision.kind != "truth" else []
        text = self.console.ask(prompt.invitation(question, self.labels.name(decision.seat)), completions).strip()
        name, argument = dialog.parse_command(text, self.commands, question)
        before = self.session.answer_count(decision.seat)
        try:
            if name:
                language = self.labels.language
                self.commands[name](decision, argument)
                return self.session.answer_count(decision.seat) != before or self.labels.language != language
            keys = prompt.parse_answer(text, question)
            if not dialog.confirm_answer(self.console, self.labels, decision, keys):
                return False
            self.session.answer(decision.seat, keys, decision.id)
            self.last_views[decision.seat] = self.game.view(decision.seat)
        except (prompt.InvalidAnswer, AnswerError) as error:
            dialog.complain(self.console, error.args[0], text, question, self.commands)
            return False
        return True

    def hand_over(self, seat: int) -> None:
        """Hand the screen over to another person, after clearing what the last one saw; nothing if it is the same.
        Raises UserQuit, EndOfInput."""
        if self.reader == seat or len(self.session.person_seats) == 1:
            return
        if self.reader is not None:
            self.console.clear()
        self.reader = seat
        self.screen.clear()
        self.use_language_of(seat)
        answer = self.console.ask(
            phrase("terminal", "Hand over to {name}, press Enter", name=self.labels.name(seat))
        ).strip()
        if answer.casefold().removeprefix("/") in ("quit", "exit", "q"):
            raise UserQuit
        self.console.clear()

    def show_news(self, question: prompt.Question) -> None:
        """Show what this person does not know yet of the log, which is then known, and the table unless it is still
        there."""
        seat = question.decision.seat
        log = log_sections.sections(self.game, seat, self.lines_known[seat], self.labels.language)
        self.lines_known[seat] = self.game.log.length
        blocks = log_sections.blocks(self.console, log, brief=True)
        self.screen.show(self.labels, seat, blocks, question, self.last_views.get(seat))

    def report_save_error(self) -> None:
        """Say once that the game is not saved any more, or why now, and once that it is again."""
        if self.session.save_error != self.save_error:
            self.save_error = self.session.save_error
            message = phrase("terminal", "The game is saved again.")
            if self.save_error:
                message = phrase("terminal", "{trouble} It goes on without.", trouble=self.save_error)
            self.console.paragraph(message, style="bad")

    # ── commands ──

    def present_labels(self) -> Labels:
        return self.labels

    def earlier_view(self, seat: int) -> View | None:
        return self.last_views.get(seat)

    def show_log(self, decision: Decision, argument: str) -> None:
        """Show the log: without an argument of the last two rounds, by a number of one round, else of all; then ask
        again."""
        sections = log_sections.sections(self.game, decision.seat, language=self.labels.language)
        if argument.isdecimal() and len(argument) < _MAX_ROUND_DIGITS:
            sections = [section for section in sections if section.round == int(argument)]
        elif not argument:
            sections = [section for section in sections if section.round > sections[-1].round - 2]
        self.console.write_line()
        self.pace.page(lambda: log_sections.write_sections(self.console, sections))
        self.ask_again(decision)

    def set_pace(self, decision: Decision, argument: str) -> None:
        """Set the pace, if one is named, and say which it is. Raises AnswerError for an unknown one."""
        del decision
        localizer = self.console.localizer
        paces = tuple(pace.PACES.values())
        if argument and not pace.find_pace(argument, localizer):
            raise AnswerError(
                phrase("errors", "There is no pace '{name}'. Write {paces}.", name=argument, paces=Either(paces))
            )
        self.pace.name = pace.find_pace(argument, localizer) or self.pace.name
        self.console.write_line(phrase("terminal", "Pace: {pace}.", pace=pace.PACES[self.pace.name]))

    def undo(self, decision: Decision, argument: str) -> None:
        """Take the seat's last answer back. Raises AnswerError."""
        del argument
        if not self.session.answer_count(decision.seat):
            raise AnswerError(phrase("errors", "There is nothing to take back yet."))
        self.session.undo(decision.seat)
        self.lines_known[decision.seat] = min(self.lines_known[decision.seat], self.game.log.length)
        self.screen.clear()
        self.last_views.pop(decision.seat, None)
        self.console.write_line(phrase("terminal", "Taken back."))

    def save_copy(self, decision: Decision, argument: str) -> None:
        """Write a copy to a file that is named; else save, and say where. Raises AnswerError."""
        del decision
        if argument:
            path = Path(argument).expanduser().absolute()
            try:
                if path != self.session.path:
                    saves.check_overwrite(path)
                saves.write(path, self.session.save_data())
            except saves.SaveError as error:
                raise AnswerError(error.args[0]) from None
            self.console.command(phrase("terminal", "A copy is in"), f"{self.console.localizer.quote(str(path))}.")
        elif self.session.path is None:
            file = PLACEHOLDERS["FILE"]
            message = phrase("errors", "This game is not saved anywhere; 'save {file}' writes it to a file.", file=file)
            raise AnswerError(message)
        else:
            self.session.save()
            if self.session.save_error:
                raise AnswerError(self.session.save_error)
            message = phrase("terminal", "The game is saved after every answer, in")
            self.console.command(message, f"{self.console.localizer.quote(str(self.session.path))}.")

    def set_language(self, decision: Decision, argument: str) -> None:
        """Change the language of this person. Raises AnswerError for an unknown one."""
        language = code_of(argument)
        if not language:
            raise AnswerError(unknown_language(argument))
        self.session.set_language(decision.seat, language)
        self.use_language_of(decision.seat)
        self.screen.clear()


def _quoted(path: Path) -> str:
    """Return a path as a shell takes it."""
    return shlex.quote(os.fspath(path))


def _is_last(path: Path) -> bool:
    """Return whether a file is that of the game that was played last, which needs no name to be resumed."""
    try:
        return path == saves.last_file()
    except saves.SaveError:
        return False
