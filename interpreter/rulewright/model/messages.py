"""Messages of declarations that contradict each other or cannot be: problems, and hints how to solve them."""

from __future__ import annotations

from rulewright.base.template_edits import Reword
from rulewright.base.wording import Hint, Problem, Words

# parts of sentences
AND_OF = Words("{first} and of {second}")
READS_AS = Words("'{part}' is {meaning}")
NUMBERS, WORDS_OF = Words("numbers"), Words("words of {lists}")
MORE_WORDS = Words("{words} …")
A_TOKEN, A_RULE, AROUND_BOARD = Words("a token"), Words("a rule"), Words("what lies around a board")
SIDE, MEASURE = Words("side"), Words("measure")

# sorts of names and rules
ATTRIBUTE, BOARD, CHOICE, COUNTER = Words("attribute"), Words("board"), Words("choice"), Words("counter")
KIND_OF_PIECE, OPTION, PHASE, RULE = Words("kind of piece"), Words("option"), Words("phase"), Words("rule")
SPACE, STEP, TABLE, ZONE = Words("space"), Words("step"), Words("table"), Words("zone")
VALUE_OR_TERM, VIRTUAL_PLAYER = Words("value or term"), Words("virtual player")
WORD, WORD_LIST, WORD_LIST_OR_KIND = Words("word"), Words("word list"), Words("word list or kind of piece")
NUMBER_SEAT_OR_WORD_LIST = Words("number, seat or word list")
WORD_OF, OWN_WORD, RULE_WITH_TEXT = Words("word of {list}"), Words("word of its own"), Words("rule told in words")
ZONE_COUNTER_OR_BOARD, SETUP_STEP = Words("zone, counter or board"), Words("step of the set-up")
POWER, ROLE = Words("power"), Words("role")
A_SORT = {
    "attribute": Words("an attribute"),
    "counter": Words("a counter"),
    "kind of piece": Words("a kind of piece"),
    "option": Words("an option"),
    "parameter": Words("a parameter"),
    "phase": Words("a phase"),
    "space": Words("a space"),
    "step": Words("a step"),
    "term": Words("a term"),
    "value": Words("a value"),
    "word": Words("a word"),
    "word list": Words("a word list"),
    "zone": Words("a zone"),
}
"""Sorts of declared names, with their article."""

# names of the language
SEATS, PLAYERS, VIRTUAL_PLAYERS = Words("the seats"), Words("the players"), Words("the virtual players")
OPPONENTS, PARTNERS, WHOEVER_ACTS = Words("the opponents"), Words("the partners"), Words("whoever acts")
NOBODY, NOTHING, LOOKED_AT = Words("nobody"), Words("nothing"), Words("the thing that is looked at")
FRACTIONS, OF_GAME = Words("fractions"), Words("what the game has")
LANGUAGES_OWN = Words("the language's own")

# names that are unknown, removed, taken or unusable
NO_SUCH_NAME = Problem("unknown-name", "There is no {sort} called '{name}'.")
REMOVED_IN = Hint("It is removed in {file}, line {line}.")
REMOVED_HERE = Words("Here '{name}' is removed.")
STANDS_HERE = Words("Here '{name}' stands.")
DECLARED_HERE = Words("Here '{name}' is declared first.")
RENAME_ONE = Hint("Give one of the two another name.")
RENAME_WORD = Hint("Give one of the words another name.")
TAKEN_BY_LANGUAGE = Problem("name-taken", "'{name}' is what the language itself calls {meaning}.")
NAME_TAKEN = Problem("name-taken", "'{name}' is the name of {sort} already; choose another.")
TWO_READINGS = Problem("name-taken", "With '{name}', '{whole}' would say two things; that is the name of {sort}.")
WORD_OF_LANGUAGE = Problem("name-keyword", "A name cannot be '{name}', which is a word of the language.")
SAYS_SOMETHING = Problem("name-keyword", "'{name}' says something already: {readings}.")
DECLARED_TWICE = Problem("name-twice", "'{name}' is declared already, in '{section}'.")
DECLARED_TWICE_AS = Problem("name-twice", "'{name}' is declared already, in '{section}' as '{other}'.")
SINGULAR_AND_PLURAL = Hint("Singular and plural are one name.")
AMBIGUOUS_WORD = Problem("ambiguous-word", "'{word}' is a word of {lists}; I cannot tell which is meant.")
RENAME_WORDS = Hint("Give the words of one of these lists other names.")
RENAME_WORDS_AND_OTHERS = Hint("Give the words of one of these lists other names; they also share {words}.")

# numbers, spans and seats
FRACTION_GIVEN = Problem("fraction", "Expected whole numbers here, not '{given}'.")
EMPTY_SPAN = Problem(
    "empty-span",
    "A span goes from the smaller number to the larger: '{given}'.",
    fixes=(Reword(r"(-?\d+) +to +(-?\d+)", (r"\2 to \1",)),),
)
WRONG_SEATS = Problem("seats", "A game has 1 to {most} seats.")

# variants and the editions that they extend
EXTENDS_ITSELF = Problem("endless-extends", "This extends '{name}', which in the end extends this.")
LONG_CHAIN = Problem("endless-extends", "This is the {number}th edition in a row that extends another.")
BAD_PATH = Problem("bad-path", "An edition is extended by its name, or by a path that begins at this file's folder.")
NO_FILE_BESIDE = Problem("no-file", "There is no file '{name}' beside this one.")
UNKNOWN_EDITION = Problem("unknown-edition", "{reason}")
ALREADY_THERE = Problem("already-there", "'{name}' stands in {base} already.")
WRITE_UNDER_CHANGE = Hint("What is to be different stands under 'change'.")
NOT_IN_BASE = Problem("nothing-to-change", "There is no '{name}' in {base}.")
WRITE_OUTSIDE_CHANGE = Hint("What is new stands outside 'change', as in any edition.")
REMOVED_ALREADY = Problem("nothing-to-change", "'{name}' is removed already, in line {line}.")
SIGNED_VALUE = Problem("signed", "Does '{name}' become '{value}', or is that added? Here nothing is added.")
WRITE_RESULT = Hint("Write what it becomes; below zero, write '0 - 2'.")
REPEATS_BASE = Problem("repeats-base", "'{name}' is the same in {base}.")
CHANGE_OR_LEAVE_OUT = Hint("Change it, or leave it out.")

# options, roles and powers
OVERRULE_EACH_OTHER = Problem("circular", "These overrule each other: {names}.")
NO_OTHER = Problem("unknown-name", "There is no other {level} called '{name}'.")
VALUE_SET_TWICE = Problem("conflict", "'{name}' is set here and by the {level} '{other}' ({place}); {meeting}.")
STEP_REPLACED_TWICE = Problem(
    "conflict", "This stands instead of '{name}', and so does the {level} '{other}' ({place}); {meeting}."
)
SEAT_HAS_BOTH, BOTH_CHOSEN = Words("a seat can have both"), Words("both can be chosen")
SAY_WHICH_COUNTS = Hint("Say which counts: 'overrules: {other}' in '{inside}', or the other way round.")
OTHER_CHANGE = Words("Here the {level} '{other}' changes it.")
NO_SUCH_POWER = Problem("unknown-name", "No piece gives a power called '{name}'.")
POWERS_OF_PIECES = Hint("A kind of piece gives powers with 'each' and 'power in'.")
LIKE_ITSELF = Problem("circular", "This is like itself: {names}.")
UNKNOWN_CHOICE = Problem("unknown-choice", "The default is one of the choices: {choices}.")
HOOK_WITHOUT_ASK = Problem(
    "ask-missing", "A hook with 'may' says with 'ask' what its owner is asked, and with 'do' what happens."
)

# phases and steps
PLAYED_TWICE = Problem("name-twice", "'{name}' is played already in this round.")
PLAYED_HERE = Words("Here '{name}' is played first.")
STEP_TWICE = Problem("name-twice", "There is a step '{name}' already.")
STEPS_SHARE_NAMES = Hint("Steps of all phases share their names.")

# words, their attributes and tables
NEITHER_NUMBER_NOR_WORD = Problem("unknown-name", "'{given}' is neither a number nor a word of a list.")
HOLDS_OTHER_TYPE = Problem("type", "'{name}' holds {types}, such as '{example}'; '{given}' is none of them.")
CALL_IT = Hint("Call this '{list}' instead of '{name}', for example, or give one of the words another name.")
TABLE_FOR_SOME = Problem("table", "'{name}' is a table for some words, and not for others.")
TABLE_WITHOUT_WORD = Problem(
    "table", "This table says nothing but 'otherwise', so I cannot tell by which list it goes."
)
NAME_A_WORD = Hint("Name one of the words, too; or say it without a table, if it is always the same.")
NO_LIST_OF_KEYS = Problem("table", "A table goes by the words of one list.")
STRANGE_KEY = Problem("table", "A table goes by the words of one list, and '{name}' is no word of '{list}'.")
AMBIGUOUS_KEYS = Problem("ambiguous-word", "These are words of {lists}; I cannot tell which are meant.")
AMBIGUOUS_LIST = Problem("ambiguous-word", "These are the words of {lists}; I cannot tell which are meant.")
WORD_LEFT_OUT = Problem("table", "This says nothing of '{word}'; a table tells all of them.")
SAY_OTHERWISE = Hint("Say 'otherwise: 0', for example, for all that are left.")
OTHER_KEYS = Problem("table", "'{name}' goes by {above} above, here by {here}.")

# boards
RENAME_DIRECTIONS = Hint("Give the directions of one of them another name.")
TWO_SHAPES = Problem("board", "'{name}' are {one} on one board and {other} on another.")
NO_DIRECTION_OF_MAP = Problem("board", "'{list}' are the directions of a map, and '{name}' is none of them.")
MAP_SAYS = Problem("board", "The map says what the '{name}' of each is.")
LETTER_TWICE = Problem("board", "Each column has a letter of its own.")
SLANTING_NEEDS_HEXAGONS = Problem("board", "Columns run slanting only where neighbours are hexagonal.")
MAP_TOO_LARGE = Problem("board", "A map has at most {columns} columns, {rows} rows, {spaces} spaces.")
NOT_IN_LEGEND = Problem("board", "The legend does not say what '{letter}' is.")
NOT_IN_MAP = Problem("board", "There is no '{letter}' in the map.")
LINES_TOGETHER = Problem("board", "The lines of this map have run together.")
WRITE_MAP_BELOW = Hint("Write 'map: |', and the lines below it.")
NO_SPACE_IN_MAP = Problem("board", "A map has at least one space.")
LETTERS_ARE_SPACES = Hint("A point or a blank is no space; a letter is one.")
ODD_ROWS = Problem("board", "A map of hexagons wraps down only with an even number of rows; this has {rows}.")
NUMBERED_ALREADY = Problem("board", "The {axis} of this board are called '{name}' already.")
MAP_SHOWS_NEIGHBOURS = Problem("board", "The map shows which spaces are next to each other.")
SAY_NEIGHBOURS = Hint("Say with 'neighbours' which spaces are, or list the 'spaces'.")
TOO_MANY_SPACES = Problem("board", "A board has at most {most} spaces.")
NEXT_TO_ITSELF = Problem("board", "'{name}' cannot be next to itself.")
NO_OPPOSITE = Problem("board", "A direction has an opposite whose opposite it is; '{name}' has none.")
SAY_OPPOSITES = Hint("Say it of each word of '{list}'.")
TWO_LINKS = Problem("board", "'{way}' of '{space}' is '{one}' and '{other}' at once.")
LINKS_GO_BOTH_WAYS = Hint("Each says it: a link goes both ways, '{way}' and '{back}'.")

# pieces
TOO_MANY_PIECES = Problem("too-many-pieces", "An edition has at most {most} pieces, this has {count}.")
TOO_MANY_SORTS = Problem("too-many-pieces", "This kind would have more than {most} sorts of pieces.")
SHORTEN_RANGES = Hint("Shorten the ranges of its attributes.")
ATTRIBUTE_TWICE = Problem("name-twice", "There is an attribute '{name}' here already.")
EACH_IS_ATTRIBUTE = Hint("What 'each' names is an attribute as well.")
NO_WORDS_OF_POWERS = Problem(
    "power-without-words", "A kind with powers says with 'each' which word list its powers are named after."
)
CHANGES_FOR_ONE = Problem("changing", "'{name}' changes for {kind}, so it must for {other}.")
SAYS_TWO_THINGS = Problem("says-twice", "{kind} would say two things: what {one} says, and what {other} says.")
ITS_KIND, ITS_WORD = Words("its kind"), Words("its '{list}'")
LET_ONE_SAY_NOTHING = Hint("Let one of the two say nothing, or be a step.")
NO_WORDS_FOR_COPIES = Problem("copies", "These copies go by a word, but the piece has no such attribute.")
NO_NUMBERS_FOR_COPIES = Problem("copies", "These copies go by a number, but the piece has no such attribute.")
WRONG_NUMBER_OF_COUNTS = Problem(
    "copies", "This list has {count} counts; expected {expected} counts, one for each {attribute}."
)

# zones
NO_OWNER_SEES = Problem("zone-owner", "'{zone}' belongs to no seat, so nobody is its owner: all or nobody sees it.")
STARTS_ON_TABLE = Problem("zone-owner", "{kind} can only start in a zone of the table.")
POWER_OF_SEAT = Problem("zone-owner", "{kind} can only give a power in a zone of each seat.")
DOES_NOT_HOLD = Problem("zone-does-not-hold", "'{zone}' does not hold {kind}.")
REFILL_HOLDS_MORE = Problem("zone-does-not-hold", "'{other}' holds what '{zone}' does not, so it cannot refill it.")
REFILL_OF_OTHERS = Problem("zone-owner", "'{other}' is a zone of each {owner}, so it cannot refill '{zone}'.")

# figures and counters
OTHER_PARAMETERS = Problem("type", "'{name}' is told for other things of {kind} than of {other}.")
COUNTER_STARTS_AT = Problem("type", "A counter starts at a number, at yes or no, or at a word; not at '{given}'.")
TOO_FINE = Hint("A number has at most seven digits before its point, and two behind it.")
SAY_WHAT_IT_HOLDS = Hint("What holds nothing yet says what it will hold: 'seat', or the name of a word list.")
SAYS_FOR_WHICH_WORDS = Problem(
    "type", "A counter that starts at something for each word says 'for' which list of words."
)
SAME_TYPE_FOR_ALL = Problem("type", "A counter holds the same sort of thing for all words.")
NO_LISTS_OF_PIECES = Problem("type", "Pieces keep no lists; seats, words and the game do.")
KEEP_FOR_WORDS = Hint("Keep it for each word that the pieces have.")
ONE_THING_FOR_PIECE = Problem("type", "A counter of pieces holds one thing for each of them, not one for each word.")
LEAVE_OUT_FOR = Hint("Leave out 'for'.")
ATTRIBUTE_HAS_NAME = Problem("name-twice", "{kind} has an attribute '{name}' already.")
HOLDS_OTHER_THINGS = Problem("type", "'{name}' does not hold the same for {kind} as for {other}.")

# looks
LOOKS_TWICE = Problem("name-twice", "'{name}' stands among the 'cards' already.")
WORD_HAS_NO = Problem("unknown-name", "A word of '{list}' has no '{name}'.")
OWNER_HAS_NO = Problem("unknown-name", "{owner} has no '{name}'.")
NOTHING_TO_DRAW = Problem("board", "'{name}' has no map, so nothing could be drawn.")
DRAW_PLACES = Hint("Draw under 'places' where its spaces lie.")
NOT_PLACED = Problem("board", "The drawing has no place for '{name}'.")
PLACED_TWICE = Problem("board", "'{name}' is drawn twice.")
