"""What is said of files and sentences that cannot be read: problems, and hints what to do about them."""

from __future__ import annotations

from rulewright.base.wording import Hint, Problem, Words

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
MISSING_SPACE_AFTER_DASH = Problem("missing-space", "Behind the dash of a list item a space is missing.")
MISSING_SPACE_AFTER_NAME = Problem("missing-space", "Behind '{name}' a space is missing.")
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
EITHER_INDENT = Words("{one} or {other}")
SOMETHING_ELSE = Words("something else")
NO_YAML = Problem("syntax", "This is not a YAML file that can be read.")
STRANGE_YAML = Problem("syntax", "YAML cannot make sense of this.")
LOOK_FOR_MARK = Hint("Look for a missing colon, quotation mark or space in this line and the one above it.")
