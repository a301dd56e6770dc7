"""Messages of positions that are impossible."""

from __future__ import annotations

from rulewright.base.wording import Hint, Problem

NO_ZONE = Problem("impossible-position", "There is no zone '{name}' here.")
NO_PIECE = Problem("impossible-position", "There is no piece '{name}'.")
NO_COUNTER = Problem("impossible-position", "There is no counter '{name}' here.")
NO_PHASE = Problem("impossible-position", "There is no phase '{name}'.")
TOO_FEW_PIECES = Problem("impossible-position", "This position needs more of '{name}' than there are: {count}.")
TOO_LITTLE_ROOM = Problem("impossible-position", "'{zone}' has room for {capacity} pieces, not for {count}.")
ONE_ZONE_FOR_REST = Problem("impossible-position", "Only one zone can take the rest.")
PIECES_LEFT = Problem("impossible-position", "{count} more pieces start in '{zone}', such as '{example}'.")
SAY_WHERE = Hint("Say where they are: 'rest' for another zone, or 'top' here if they lie beneath.")
TOO_MANY_NUMBERS = Problem("impossible-position", "'{name}' cannot be {number}: it holds at most {most}.")
IMPOSSIBLE_NUMBER = Problem("impossible-position", "'{name}' cannot be {number}.")
