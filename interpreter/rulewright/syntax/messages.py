"""Messages about files and sentences that cannot be read: problems, and hints how to solve them."""

from __future__ import annotations

from rulewright.base.template_edits import NAME_PATTERN, Reword, Substitute
from rulewright.base.wording import Hint, Problem, Words

# parts of sentences
A, AN = Words("a {noun}"), Words("an {noun}")
OR, AND = Words("{first} or {second}"), Words("{first} and {second}")
QUOTED = Words("'{name}'")
SOMETHING_ELSE = Words("something else")

# files
NO_FILE = Problem("no-file", "There is no such file.")
NOT_A_FILE = Problem("no-file", "This is not a file.")
NAME_THE_FILE = Hint("Name the .yaml file in the folder.")
UNREADABLE_FILE = Problem("no-file", "This file cannot be read: {reason}.")
FILE_TOO_LARGE = Problem("file-too-large", "This file is larger than {most} bytes; no edition needs that much.")
EMPTY_FILE = Problem("empty-file", "This file is empty.")
NOT_UTF_8 = Problem("not-utf-8", "This file is not encoded in UTF-8.")
SAVE_AS_UTF_8 = Hint("Save it with the encoding UTF-8; your editor offers that when saving.")
CONTROL_CHARACTER = Problem("control-character", "An invisible control character ({name}) stands here.")
DELETE_CHARACTER = Hint("Delete it; it often comes with copied text.")
GAME_NOT_CASES = Problem("other-file", "This is a game, not a file of cases.")
CHECK_GAMES = Hint("'rulewright check' looks at games.")
CASES_NOT_GAME = Problem("other-file", "This is a file of cases, not a game.")
TEST_CASES = Hint("'rulewright test' plays them.")

# YAML that is too much
TOO_DEEP = Problem("too-deep", "Lists and mappings stand more than {most} levels deep here.")
NAME_A_PART = Hint("Give a part of it a name of its own.")
TOO_MANY_ENTRIES = Problem("too-many-entries", "This file has more than {most} entries, each use of an alias counted.")
LONG_KEY = Problem("long-key", "What stands before a colon has at most 1,000 characters.")

# YAML that is not allowed
SECOND_DOCUMENT = Problem("second-document", "A second document begins here; a file holds one.")
REMOVE_LINE = Hint("Remove the line '---'.")
TAG = Problem("tag", "A text that begins with '!' is a YAML tag, and tags are not allowed.")
UNKNOWN_ANCHOR = Problem("unknown-anchor", "Nothing in this file is marked &{name}.")
DUPLICATE_ANCHOR = Problem("duplicate-anchor", "&{name} is used twice.")
ENDLESS_ALIAS = Problem("endless-alias", "*{name} stands inside itself.")
NO_NAME_BEFORE_COLON = Problem("bad-key", "A name is expected before the colon, not a list, a mapping or an alias.")
NAME_MISSING = Problem("bad-key", "A name is missing before the colon.")
MERGE_KEY = Problem("merge-key", "Merging mappings with '<<' is not possible here.")
WRITE_OUT = Hint("Write the entries out; an edition that is like another one extends it.")
DUPLICATE_KEY = Problem("duplicate-key", "'{name}' stands here already, in line {line}.")
NAME_EACH_ENTRY = Hint("Give each entry a name of its own, or put both into one.")
FIRST_ENTRY = Words("Here '{name}' stands first.")

# quotes and brackets
QUOTE_IT = Hint("Put the whole text in quotes.")
QUOTE_IF_TEXT = Hint("If this is a text: put the whole text in quotes.")
OR_QUOTE_IT = Hint("Or put the text in quotes.")
UNQUOTED_TEXT = Problem("unquoted-text", "A text cannot begin with {mark} unless it stands in quotes.")
UNCLOSED_QUOTE = Problem("unclosed-quote", "The quotation mark that opens here is never closed.")
LATE_CLOSED_QUOTE = Problem("unclosed-quote", "The quotation mark that opens here is closed only in line {line}.")
CLOSE_QUOTE = Hint("Close it at the text's end.")
TEXT_AFTER_QUOTE = Problem("text-after-quote", "The text goes on after its closing quotation mark.")
BAD_ESCAPE = Problem("bad-escape", "Inside double quotes a backslash begins a special character, and this is none.")
WRITE_TWO_BACKSLASHES = Hint(r"Write \\ for a backslash, or put the text in single quotes.")
UNCLOSED_BRACKET = Problem("unclosed-bracket", "The '{mark}' that opens here is never closed.")
CLOSE_BRACKET = Hint("Add the '{mark}'.")
CROSSED_BRACKETS = Problem(
    "unclosed-bracket", "The '{mark}' that opens here is not closed before the '{other}' in line {line}."
)
CLOSE_LAST_FIRST = Hint("Close what was opened last first.")
COMMA_EXPECTED = Problem("bad-brackets", "Inside { } and [ ] a comma or the closing bracket is expected here.")
QUOTE_MARKS = Hint("A text with a comma, a colon or brackets in it must stand in quotes.")
STRAY_MARK = Problem("stray-mark", "This '{mark}' belongs to nothing that was opened.")
QUOTE_MARK = Hint("In a text it must stand in quotes.")
TEXT_BELOW = Problem("block-text", "After '{mark}' the text begins in the next line, indented.")
COMMENT_BEFORE_TEXT = Problem("comment-in-text", "A comment begins at ' #', but the text goes on in the next line.")
COMMENT_IN_TEXT = Problem(
    "comment-in-text", "YAML takes what follows ' #' for a comment, so it is not part of this text."
)
OR_SPACE_COMMENT = Hint("Or, if it is a comment, write a space behind the #.")

# colons, dashes and indentation
COLON_IN_TEXT = Problem(
    "colon-in-text", "A colon with a space after it ends a name, but here it stands in the middle of a text."
)
MISSING_COLON = Problem("missing-colon", "A colon is missing behind this name.")
INDENT_IF_TEXT = Hint("If this line goes on with the text above it, indent it deeper than that text's name.")
MISSING_SPACE_AFTER_DASH = Problem(
    "missing-space", "Behind the dash of a list item a space is missing.", fixes=(Reword(r"-(?=\S)", ("- ",)),)
)
MISSING_SPACE_AFTER_NAME = Problem(
    "missing-space", "Behind '{name}' a space is missing.", fixes=(Reword(r"(\w+:)(?=\S)", (r"\1 ",)),)
)
MISPLACED_LIST = Problem("misplaced-list", "A list begins in the line below its name, or stands in [ ].")
TAB = Problem("tab", "A tab stands here where YAML wants spaces.")
USE_SPACES = Hint("Use two spaces for each level; your editor can turn tabs into spaces.")
INDENT_IT = Hint("Lines that belong together begin in the same column, what belongs to one of them two spaces deeper.")
ITEM_TOO_DEEP = Problem("bad-indentation", "This item stands too deep, so YAML takes it for more of line {line}.")
LINE_TOO_DEEP = Problem("bad-indentation", "This line stands deeper than line {line}, which is complete already.")
END_WITH_COLON = Hint("If it belongs to line {line}, that line ends with a colon.")
ITEM_AMONG_NAMES = Problem("bad-indentation", "A list item stands among names here.")
NAME_AMONG_ITEMS = Problem("bad-indentation", "A name stands among list items here.")
UNFITTING_INDENT = Problem(
    "bad-indentation",
    "This line is indented by {indent}, but what it could belong to is indented by {others}.",
)
NO_YAML = Problem("syntax", "This is not a YAML file that can be read.")
STRANGE_YAML = Problem("syntax", "YAML cannot make sense of this.")
LOOK_FOR_MARK = Hint("Look for a missing colon, quotation mark or space in this line and the one above it.")

# sentences
LONG_SENTENCE = Problem("syntax", "A sentence has at most {most} characters.")
MANY_PARENTHESES = Problem("syntax", "A sentence has at most {most} parentheses.")
CANNOT_READ = Problem("syntax", "I cannot read '{given}' here.")
UNEXPECTED = Problem("syntax", "I did not expect '{given}' here; {expectation}.")
ENDS_TOO_EARLY = Problem("syntax", "The sentence ends too early; {expectation}.")
EXPECTED = Words("expected {something}")
EXPECTED_FOR_EXAMPLE = Words("expected for example {words}")
A_NAME, A_WHOLE_NUMBER, THE_END = Words("a name"), Words("a whole number"), Words("the end")
OPEN_PARENTHESIS = Hint("A parenthesis is open. Between [ and ] a comma ends a sentence that stands without quotes.")
COLON_BEFORE = Hint("Is a colon missing before '{words}'? What is done inside '{opening} …' stands behind one.")
KEYWORD_IN_NAME = Problem("syntax", "A name cannot contain '{word}', which is a word of the language.")
LOG_WITHOUT_COLON = Problem("syntax", "'log' is followed by a colon and a text.")
AS_IN_LOG = Hint('As in: log: "…"')
NO_SUCH_BEGINNING = Problem("syntax", "No sentence begins with '{word}'.")
BEGINNINGS = Hint("Sentences begin with: {words}.")

# signs of other languages
COMPARE_OR_SET = Hint("To compare, say 'is', as in 'pot is 3'; to change a counter, 'set pot to 3'.")
NO_FULL_STOP = Hint("A sentence has no full stop at its end.")
NO_QUOTES = Hint("Names stand without quotes.")
NO_QUOTES_BUT_OWNER = Hint("Names stand without quotes; whose something is, is said as in ada's hand.")
NO_BRACES = Hint("Braces stand in texts; in sentences a name needs none.")
REMAINDER = Hint("Say 'remainder of pot / 2'; or a fraction with '/', and which way to round it.")

# phrasings of other languages
SAY_EITHER = Hint(
    "Say '{words}' or '{others}'.",
    fixes=(
        Substitute("{words}"),
        Substitute("{others}"),
    ),
)
SAY_OR = Hint("Say '{words}', or '{others}'.")
SAY_HOW_MANY = Hint("Say how many: '{words}'.")
SAY_ONLY_HOW_MANY = Hint("Say only how many: '{words}'.")
SAY_WHICH_PIECES = Hint("Say which pieces: '{words}'.")
SAY_IT_WHOLE = Hint("Say it whole, as in 'pot is more than 3 and pot is less than 5'.")
LEAVE_OUT = Hint("Leave '{words}' out.")
SAY_AT_RANDOM = Hint(
    "Say 'choose at random 1 from … into …'.",
    fixes=(
        Reword(
            rf"\b(?:move|take|draw) (\w+) random {NAME_PATTERN} (?:of|from|in) "
            rf"({NAME_PATTERN}) (?:in)?to ({NAME_PATTERN})$",
            (r"choose at random \1 from \2 into \3",),
        ),
    ),
)
CHOOSE_AT_RANDOM_OR_ROLL = Hint("Say 'choose at random 1 from … as …', or 'roll' a die.")
GOES_TO_ZONE = Hint(
    "What it goes to is a zone: say 'let goal be …', then 'move … to goal's ground'.",
    fixes=(Reword(r"\b(?:first|last|top|bottom) \w+ of (?=[\w ]+$)", ("",)),),
)
DIVIDE = Hint("Say '/', and behind it 'rounded up' or 'rounded down'.")
NUMBERS_ARE_WHOLE = Hint("Numbers here are whole: say 'pot * 3 / 2 rounded up'.")
COMMA_BETWEEN_KEYS = Hint("A comma stands between two keys of an order.")
ANY_IN = Hint(
    "Say 'any {what} in {where}'; of spaces and other words, '{what} is among {where}'.",
    fixes=(
        Reword(
            rf"\b(?<=if )({NAME_PATTERN}) is in ({NAME_PATTERN})(?=:|$)",
            (
                r"any \1 in \2",
                r"\1 is among \2",
            ),
        ),
    ),
)
SAY_ANY = Hint("Say 'any …', as in 'any card in hand'.")
HAS_CONDITION = Hint(
    "Say '{how} … has (…)', with a condition in parentheses.",
    fixes=(Reword(r"\bevery ([\w ]+? is (?:not )?empty)", (r"every seat has (\1)",)),),
)
HAS_FOLLOWS = Hint("Say '{what}'s {how}'; 'has' follows on 'any …', 'every …' and 'no …'.")
WHERE_CONDITION = Hint("Say 'where …', with a condition.")
WHERE_ZONE_IS_EMPTY = Hint("Say '{what} where ground is empty', with the name of the zone.")
SAY_WHAT_IS_EMPTY = Hint("Say what is empty: 'where ground is empty'.")
SAY_WHERE_EMPTY = Hint("Say where nothing lies on: 'where neighbours of it are empty', 'where north of it is empty'.")
DO_STEP_AS = Hint("A step is done by itself: say 'do {step} as …', which makes a name for what it gives.")
LINE_IN_PARENTHESES = Hint(
    "Inside another form, a line stands in parentheses: 'number of (north of a1 as far as …)'.",
    fixes=(Reword(r"(?<=number of )([^()\"}]+? as far as \w+)", (r"(\1)",)),),
)
MOVE_TO_ZONE = Hint("Say 'move … to …', with a zone.")
MOVE_OR_SHOW = Hint("Say 'move … to …', with a zone that others see; 'show … to …' is a look alone.")
CHOOSE_OR_MAY = Hint("Say 'choose 1 from … as …', or 'may', with 'ask' below.")
END_SOMETHING = Hint("Say 'end loop', 'end step', 'end phase' or 'end game'.")
END_GAME = Hint("Say 'end game': who has won is told by 'scoring' and 'ranking'.", fixes=(Substitute("end game"),))
IF_OTHERWISE = Hint("Say 'if …', and 'otherwise:' below it.")
CHANGE_COUNTER = Hint("To change what is counted, say 'set {name} to …', 'add … to {name}'; to ask, 'if …:'.")

# keys and values that do not fit the schema; its own words fill the slots
UNKNOWN_KEY = Problem("unknown-key", "'{name}' is not known here.")
KNOWN_HERE = Hint("Known here: {names}")
NOTHING_BELOW_SENTENCE = Problem("unknown-key", "Nothing can stand below this sentence, or it is misspelt.")
QUOTE_COMMA = Hint("In braces, a comma ends an entry: put a sentence that has one in quotes.")
CHOOSE_UP_TO = Hint(
    "Say 'choose up to 1 …'; or 'choose 1 …', and below it with 'none: …' how taking nothing is called."
)
MAY_ASK_AND_DO = Hint("Say 'may:', and below it 'ask: …' and 'do: …'.")
MISSING_KEY = Problem("missing-key", "'{name}' is missing.")
MISSING_KEY_IN = Problem("missing-key", "'{name}' is missing in '{owner}'.")
MEANING = Words("{name}: {meaning}")
BAD_NAME = Problem("bad-name", "'{name}' cannot stand here; expected {expected}.")
NO_ENTRIES = Problem("wrong-shape", "Nothing stands here; at least one entry is expected.")
TOO_FEW_ENTRIES = Problem("wrong-shape", "At least {number} entries are expected here.")
TOO_MANY_ENTRIES_HERE = Problem("wrong-shape", "At most {number} entries are expected here.")
NOTHING_HERE = Problem("nothing-here", "Nothing stands here; expected {expected}.")
MISSING_COLON_WITHIN = Problem(
    "missing-colon", "A colon, with a space behind it, is missing between this name and what it stands for."
)
WRONG_VALUE = Problem("wrong-value", "Expected {expected}, not '{given}'.")
WRONG_SHAPE = Problem("wrong-shape", "Expected {expected}, not {given}.")
A_LIST, A_MAPPING = Words("a list"), Words("names with something behind a colon")
QUOTE_BRACES = Hint("A text that begins with { or [ must stand in quotes.")
DO_ABOVE_LIST = Hint("Write 'do:' above the list.")
DO_AND_ASK_ABOVE_LIST = Hint("Write 'do:' above the list, beside 'ask: …'.")
