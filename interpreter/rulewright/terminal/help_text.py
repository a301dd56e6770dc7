"""Help about what can be typed at a terminal."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rulewright.i18n.languages import languages
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.i18n.placeholders import PLACEHOLDERS, translate_placeholders
from rulewright.publish.console import Console, Styled
from rulewright.terminal import pace
from rulewright.terminal.rules import ALL

_ANSWERS = phrase(
    "help",
    "Answer by the number of a choice or by its name; several at once as '1 3 3' or '1, 3'. "
    "On a map, what can be chosen stands in [brackets]: answer by the column's letter and the row's number, as 'c4'. "
    "0 chooses nothing where that is allowed; Enter alone takes the only answer there is.",
)
_COMMANDS = {
    "?": phrase("help", "the rules of this moment"),
    "? NAME": phrase("help", "a rule by its name; '? {all}' lists all names", all=ALL),
    "table": phrase("help", "all that lies on the table"),
    "log": phrase("help", "what has happened in the last two rounds; 'log {all}' since the beginning", all=ALL),
    "pace [NAME]": phrase("help", "how fast things go by: {paces}", paces=tuple(pace.PACES.values())),
    "undo": phrase("help", "take your last answer back, if nobody has acted since"),
    "save [FILE]": phrase("help", "where the game is saved; with {file}, a copy of it", file=PLACEHOLDERS["FILE"]),
    "lang CODE": phrase("help", "another language: {languages}", languages=tuple(languages())),
    "quit": phrase("help", "stop here; the game is saved and can go on later"),
}
"""Input that any question takes, with its meaning."""


def show_help(console: Console, commands: Collection[str], own: Mapping[str, Phrase] | None = None) -> None:
    """Explain how to answer, the available commands, and the signs. commands: available ones; own: meaning of some
    commands by what is typed, in place of that in a game."""
    console.paragraph(_ANSWERS)
    for typed, meaning in {**_COMMANDS, **(own or {})}.items():
        if typed.split()[0] in commands:
            first = Styled(f"{translate_placeholders(typed, console.localizer):11}", "key")
            console.paragraph(meaning, indent="  ", first=first, hang=" " * 12)
    signs = phrase(
        "help",
        "★ marks a power in force, ▸ who is waited for, ({rank}) a rank so far. "
        "≈ marks what followed from an answer in every try, though it is not certain. "
        "Where a choice has the name of a command, the command is '/table', '/log' …",
        rank=console.localizer.place(1),
    )
    console.paragraph(signs)
