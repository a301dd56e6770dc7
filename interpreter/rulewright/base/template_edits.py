"""Edits that solve a problem, as data of its template or of a hint; the room `editing` makes quick fixes of them.

    WRITE_NOUN = Hint("Write '{noun}' in small letters.", fixes=(Substitute("{noun}"),))

Patterns and texts may have slots: what fills those of the template.
"""

from __future__ import annotations

from rulewright.base.records import record


@record
class Substitute:
    """Replace the underlined text; not offered if `text`, once filled, was shortened with '…'."""

    text: str


@record
class Reword:
    r"""Replace words of the line that touch the underlined ones. pattern: regular expression; texts: replacements,
    likeliest first; `\1` is a group of the pattern."""

    pattern: str
    texts: tuple[str, ...]


@record
class Delete:
    """Delete the underlined entry or item, with what stands below it."""


@record
class DeleteSentence:
    """Delete the sentence that holds the place, or the entry if it stands in none."""


@record
class AddEntry:
    """Add `key: value` to the underlined entry."""

    key: str
    value: str


@record
class AddSentence:
    """Add a sentence in front of the outermost one that holds the place, or behind it."""

    text: str
    after: bool = False


Edit = Substitute | Reword | Delete | DeleteSentence | AddEntry | AddSentence
"""Edit as data; `editing.fix_registry` makes fixes of it."""

NAME_PATTERN = r"[^\W\d_][\w ]*?"
"""Pattern of a name in a sentence, as short as possible."""
