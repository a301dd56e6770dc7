"""Titles of quick fixes, and messages of the editor on cases and catalogs, besides those of `check` and `test`."""

from __future__ import annotations

from rulewright.base.wording import Problem, Title, Words

# files of cases
WRONG_EDITION = Problem("wrong-edition", "This edition has mistakes: {mistake} ({file}, line {line})")
CASE_FAILS = Problem("case-fails", "{failure}")
CHOOSABLE = Words("can be chosen now")

# catalogs
UNUSABLE_CATALOG = Problem("catalog", "The file cannot be used: {reason}.")
FUZZY = Problem("fuzzy", "The English text has changed since. Look this over, and remove the mark 'fuzzy'.")

# quick fixes: other words
SAY, SAY_TEXT = Title("Say '{words}'"), Title("Say {text}")
CALL_IT = Title("Call it '{name}'")
ROUND_DOWN, ROUND_UP = Title("Round it down"), Title("Round it up")
ONLY_TELL_IT = Title("Only tell it")
MAKE_IT_A_NUMBER = Title("Make it a number")
MAKE_POINTS_SPACES = Title("Make its points spaces")

# quick fixes: marks and blanks
QUOTE_IT, CLOSE_QUOTES = Title("Put it in quotes"), Title("Close the quotes")
ADD_COLON, ADD_COLON_ABOVE = Title("Add a colon"), Title("Add a colon to the line above")
ADD_COLON_AND_QUOTES, ADD_COMMA = Title("Add colon and quotes"), Title("Add a comma")
DELETE_FULL_STOP, WRITE_BACKSLASH = Title("Delete the full stop"), Title("Write a backslash")
SPACES_FOR_TABS = Title("Put spaces for tabs")
MOVE_LEFT, MOVE_RIGHT = Title("Move it to the left"), Title("Move it to the right")

# quick fixes: entries and sentences
ADD = Title("Add '{entry}'")
ADD_QUESTION, ADD_SENTENCE = Title("Add what is asked"), Title("Add a sentence")
DELETE, DELETE_IT = Title("Delete '{words}'"), Title("Delete it")
DELETE_SENTENCE, DELETE_EVERYWHERE = Title("Delete the sentence"), Title("Delete it everywhere")
DELETING = frozenset({DELETE, DELETE_IT, DELETE_SENTENCE, DELETE_EVERYWHERE, DELETE_FULL_STOP})
"""Titles of fixes that delete something, so that no program applies them by itself."""
PUT_UNDER_STEPS = Title("Put it under 'steps'")
OWN_SENTENCE = Title("Make it a sentence of its own")
JOIN_BOTH = Title("Put both into one")
LET_GAME_HAVE_IT, LET_SEATS_HAVE_IT = Title("Let the game have it"), Title("Let every seat have it")
LET_SEATS_DO_IT = Title("Let every seat do it")
LET_ZONE_HOLD = Title("Let '{zone}' hold {kinds}")
MOVE_UNDER_CHANGE, MOVE_OUT_OF_CHANGE = Title("Move it under 'change'"), Title("Move it out of 'change'")
