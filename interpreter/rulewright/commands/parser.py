"""Parser of the command line, with help and errors in the reader's language, and suggestions for typing errors."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import Argument, Localizer, Phrase, phrase, suggestion
from rulewright.i18n.placeholders import translate_placeholders

_MAX_SEED = 2**64 - 1
"""Greatest seed of a game, which has 64 bits."""


class UsageError(RulewrightError):
    """Command line that is incomplete or not understood."""


class Parser(argparse.ArgumentParser):
    """argparse parser without abbreviations, with errors in the user's language that suggest what was meant."""

    def __init__(self, localizer: Localizer, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, add_help=False, formatter_class=partial(_Help, localizer), **settings)
        self.localizer = localizer
        self._positionals.title = localizer.say(phrase("usage", "positional arguments"))
        self._optionals.title = localizer.say(phrase("usage", "options"))
        help_ = localizer.say(phrase("usage", "show this help"))
        self.add_argument("-h", "--help", action="help", help=help_)

    def format_help(self) -> str:
        """Return the help; of a command without a description, with the docstring of its function."""
        if self.description is None and (work := self.get_default("work")):
            self.description = load_command(work).__doc__
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Raise UsageError for an error of argparse's own: translated, if it is one of the usual ones."""
        _, is_of_one, rest = message.partition("argument ")
        name, _, problem = rest.partition(": ")
        translated: Argument
        if is_of_one and message.startswith("argument ") and problem.startswith("expected "):
            translated = phrase("errors", "{name} needs a value.", name=name)
        elif is_of_one and message.startswith("argument ") and problem.startswith("ignored "):
            translated = phrase("errors", "{name} takes no value.", name=name)
        elif "required: " in message:
            translated = phrase("errors", "Something is missing: {names}.", names=message.rpartition("required: ")[2])
        else:
            translated = f"{message[:1].upper()}{message[1:]}."
        raise self.refusal(translated)

    def refusal(self, message: Argument) -> UsageError:
        """Build an error that points to the help."""
        return UsageError(
            phrase("errors", "{trouble} See '{command}'.", trouble=_as_phrase(message), command=f"{self.prog} --help")
        )

    def options(self) -> list[str]:
        """List the names of all options, such as '-h'."""
        return [name for action in self._actions for name in action.option_strings]

    def refuse_option(self, word: str) -> NoReturn:
        """Raise UsageError for an unknown option."""
        option = word.partition("=")[0]
        hint = suggestion(option, self.options())
        known = phrase("errors", "Options: {options}.", options=", ".join(self.options()))
        slots: dict[str, Argument] = {"command": self.prog, "option": option, "hint": hint or known}
        raise UsageError(phrase("errors", "'{command}' has no option '{option}'. {hint}", **slots))

    def argument(self, name: str, help_: Phrase, value: str = "", **settings: Any) -> None:
        """Add an argument. value: stands for it in the usage; '' for an option without one."""
        if value:
            settings["metavar"] = translate_placeholders(value, self.localizer)
        if name.startswith("--") and not value:
            settings["action"] = "store_true"
        if settings.get("action") == "append":
            settings["default"] = []
        # argparse interprets per cent signs
        self.add_argument(name, help=self.localizer.say(help_).replace("%", "%%"), **settings)

    def choice(self, name: str, help_: Phrase, choices: Sequence[str], default: str | None = None) -> None:
        """Add an option that is one of several words."""
        self.argument(name, help_, "{" + ",".join(choices) + "}", type=self._one_of(name, choices), default=default)

    def _one_of(self, option: str, choices: Sequence[str]) -> Callable[[str], str]:
        """Build the reader of an option that is one of several words."""

        def read(text: str) -> str:
            if text in choices:
                return text
            slots: dict[str, Argument] = {
                "option": option,
                "choice": text,
                "hint": suggestion(text, choices),
                "choices": ", ".join(choices),
            }
            raise self.refusal(phrase("errors", "{option} cannot be '{choice}'. {hint} It can be: {choices}.", **slots))

        return read

    def seed(self, text: str) -> int:
        """Parse a seed: a whole number of 64 bits."""
        if not (text.isascii() and text.isdecimal() and len(text) <= 20 and int(text) <= _MAX_SEED):
            raise self.refusal(
                phrase(
                    "errors",
                    "A seed is a whole number from 0 to {most}, not '{given}'.",
                    most=str(_MAX_SEED),
                    given=text,
                )
            )
        return int(text)

    def number(self, text: str) -> int:
        """Parse a whole number from 0."""
        if not (text.isascii() and text.isdecimal() and len(text) <= 15):
            raise self.refusal(phrase("errors", "A whole number is expected, not '{given}'.", given=text))
        return int(text)

    def positive(self, text: str) -> int:
        """Parse a whole number from 1."""
        if not (value := self.number(text)):
            raise self.refusal(phrase("errors", "A whole number from 1 on is expected, not '{given}'.", given=text))
        return value


def load_command(reference: str) -> Callable[[argparse.Namespace], int]:
    """Import a command's function from 'module:function', a module of this package."""
    module, _, name = reference.partition(":")
    work: Callable[[argparse.Namespace], int] = getattr(import_module(f"{__package__}.{module}"), name)
    return work


def _as_phrase(message: Argument) -> Phrase | str:
    assert isinstance(message, Phrase | str)
    return message


class _Help(argparse.HelpFormatter):
    """argparse's help with its one fixed word translated."""

    def __init__(self, localizer: Localizer, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._localizer = localizer

    def start_section(self, heading: str | None) -> None:
        """Format a heading in the language's way: argparse adds a colon, before which some languages have a space."""
        super().start_section(self._localizer.with_colon(heading).removesuffix(":") if heading is not None else None)

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        own = self._localizer.say(phrase("usage", "usage:"))
        super().add_usage(usage, actions, groups, f"{own} " if prefix is None else prefix)
