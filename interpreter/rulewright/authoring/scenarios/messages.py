"""Messages of files of cases: problems and hints."""

from __future__ import annotations

from rulewright.base.wording import Hint, Problem, Words

# names
NO_SUCH = Problem("unknown-name", "There is no {kind} '{name}'.")
SEAT, PIECE, PHASE, MEASURE, POWER = Words("seat"), Words("piece"), Words("phase"), Words("measure"), Words("power")
ZONE_OR_COUNTER, SCORE_LINE, DECISION = Words("zone or counter"), Words("scoring line"), Words("decision")
EXAMPLE, ZONE, COUNTER = Words("example"), Words("zone"), Words("counter")
NO_SUCH_RULE = Problem("unknown-name", "There is no rule '{name}' that is told in words.")
NO_EXAMPLE_IN_BASES = Problem("unknown-name", "No edition that {edition} extends has an example '{name}'.")
BELOW_SEAT = Problem("unknown-name", "'{name}' is a {kind} of each {owner}; it stands below a seat's name.")
BESIDE_SEATS = Problem("unknown-name", "'{name}' is a {kind} of each {owner}; it stands beside the seats.")
OF_TABLE = Problem("unknown-name", "'{name}' is a {kind} of the table; it stands beside the seats.")
NOTHING_OF_TABLE = Problem("unknown-name", "'{name}' is no zone or counter of the table.")
NOTHING_OF_SEAT = Problem("unknown-name", "'{name}' is no zone or counter of a seat.")
UNKNOWN_EDITION = Problem("unknown-edition", "{reason}")
UNKNOWN_OPTION = Problem("unknown-option", "{reason}")

# values
OF_EACH_WORD = Problem("wrong-value", "'{name}' belongs to each {owner}; expected names of these.")
FOR_EACH_WORD = Problem("wrong-value", "'{name}' is told for each {owner}; expected names of these.")
SUCH_AS_ENTRY = Hint("Such as {name}: {{word}: …}.")
ZONE_HOLDS_NO = Problem("zone-does-not-hold", "'{zone}' holds no {kind}.")
ZONE_HOLDS, OR = Hint("It holds: {kinds}"), Words("{one} or {other}")
EXPECTED_WHOLE_NUMBER = Problem("wrong-value", "Expected a whole number here.")
EXPECTED_NUMBER = Problem("wrong-value", "Expected a number here, with at most two digits behind its point.")
EXPECTED_YES_OR_NO = Problem("wrong-value", "Expected yes or no here.")
EXPECTED_BELONGINGS = Problem("wrong-value", "Expected what '{seat}' has: zones and counters.")
EXPECTED_FACTS = Problem("wrong-value", "Expected what '{seat}' has: zones, counters, points and so on.")
EXPECTED_PIECES = Problem("wrong-value", "Expected a list of pieces for '{zone}', or a number.")
EXPECTED_CONTENTS = Problem("wrong-value", "Expected a list of pieces for '{zone}', 'rest', or {top: [ … ]}.")
EXPECTED_TOP = Problem("wrong-value", "Expected 'top' for '{zone}', not names.")
OR_ANY_ORDER = Hint("Or one of {any order: [ … ]} and {includes: [ … ]}.")
EVERYBODY_SEES = Problem(
    "wrong-value", "'{counter}' is a counter, which everybody sees; it stands outside of 'seen by'."
)
ROUNDS_FROM_ONE = Problem("wrong-value", "Rounds count from 1.")

# cases and their steps
CASE_EXPECTS_NOTHING, ADD_EXPECT = Problem("checks-nothing", "This case expects nothing."), Hint("Add 'expect'.")
TELL_WITHOUT_EXPECT = Problem("checks-nothing", "What is told must be shown to be so.")
ADD_EXPECT_TO_STEP = Hint("Add 'expect' to this step.")
STEP_OF_ITS_OWN = Problem("wrong-shape", "'{name}' is a step of its own.")
BEGIN_ITEM = Hint("Begin a new line with '- '.")
NOBODY_SITS = Problem("missing-key", "Nobody sits at the table.")
WRITE_SEATS = Hint("Write 'seats' here or once for the whole file.")
BAD_SEATS = Problem("seats", "{reason}")
SEAT_NAME_TAKEN = Problem("name-taken", "The seat '{name}' is called like something else that stands beside the seats.")
USE_CAPITALS = Hint("Capitals help.")
LINK_LEADS_OUT = Problem("no-file", "This is a link that leads out of its folder. Put the examples themselves there.")

# failures of cases
EXPECTED, ACTUAL, ANSWER = Words("expected"), Words("actual"), Words("answer")
REFUSED, OFFERED, FAILED = Words("refused"), Words("offered"), Words("failed")
THE_GAME, THE_RULES, THE_PHASE, THE_ROUND = (
    Words("the game"),
    Words("the rules"),
    Words("the phase"),
    Words("the round"),
)
GAME_IS_OVER, THE_LOG, LOG_OF = Words("the game is over"), Words("the log"), Words("the log of {seat}")
WHO_IS_ASKED, IS_SCORED = Words("who is asked"), Words("{seat} is scored")
LINE_POINTS, POINTS_SEEN = Words("{seat}’s points for '{line}'"), Words("{seat}’s points, seen by {viewer}")
SEAT_MEASURE, SEAT_POINTS, SEAT_RANK = Words("{seat}’s '{measure}'"), Words("{seat}’s points"), Words("{seat}’s rank")
SEAT_POWERS, SEAT_ANSWER = Words("{seat}’s powers"), Words("{seat}’s answer")
OWNED, PLAIN_NAME, FOR_WORD = Words("{owner}’s {name}"), Words("{name}"), Words("{title} for {word}")
SEEN_BY, SEATS_WAITED_FOR = Words("{title}, seen by {viewer}"), Words("whom {viewer} sees the game wait for")
AFTER_JSON = Words("{title}, when the game is saved as JSON and made again after every answer")

# examples of a book
LEFT_OUT = Hint("The example '{name}' ({file}, line {line}) is left out: {reason}")
NONE_TO_PRINT = Words("there is none of this name to be printed. {hint}")
NONE_TO_LEARN_BY = Words("there is none of this name to be learned by. {hint}")

# drawings of boards
NO_DRAWING = Problem("wrong-shape", "Expected a drawing: lines of letters below 'drawn: |'.")
ROWS_MISSING = Problem("drawing", "This drawing has {count} of the {needed} rows of the map.")
DRAW_EMPTY_ROWS = Hint("A row without anything is drawn with points.")
NO_SPACE_HERE = Problem("drawing", "The map has no {space} here.")
UNKNOWN_LETTER = Problem("drawing", "'{key}' does not say what '{letter}' is.")
NO_LETTER = Problem("drawing", "Expected one letter, not '{given}'.")
POINTS_ARE_EMPTY = Hint("A point or a blank is a space on which nothing lies.")
NO_LEGEND = Problem("missing-key", "'{key}' is missing in '{zone}'.")
ADD_LEGEND = Hint("{key}: letters, each with what it stands for, such as {a: grey pebble}.")
