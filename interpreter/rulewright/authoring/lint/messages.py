"""Warnings of `check`, and hints what to do about them."""

from __future__ import annotations

from rulewright.base.template_edits import AddEntry, AddSentence, Delete, DeleteSentence, Reword, Substitute
from rulewright.base.wording import Hint, Problem, Words

KINDS = {
    "value": Words("value"), "term": Words("term"), "counter": Words("counter"), "zone": Words("zone"),
    "board": Words("board"), "phases": Words("phase"), "steps": Words("step"), "powers": Words("power"),
    "roles": Words("role"), "options": Words("option"), "scoring": Words("score line"), "words": Words("word"),
    "pieces": Words("kind of piece"),
}  # fmt: skip
"""Kinds of declarations as words in a sentence: by kind of symbol, and in the plural by section of the file."""

# what nothing uses
UNUSED = Problem("unused", "Nothing uses the {kind} '{name}'.")
UNUSED_WORDS = Problem("unused", "Nothing uses the words of '{name}'.")
UNUSED_ATTRIBUTE = Problem("unused", "Nothing asks for the '{attribute}' of '{words}'.")
UNUSED_STEP = Problem("unused", "Nothing does the step '{name}'.")
UNUSED_INSTRUCTIONS = Problem("unused", "Nothing does what '{name}' says.")
NO_POWERS_IN_ZONE = Problem(
    "unused", "Nothing is ever moved to '{zone}', so nobody gets the powers that pieces give there."
)
NO_PIECE_WITH_POWER = Problem("unused", "There is no piece that gives the power '{name}'.")
NAME_OR_DELETE = Hint("Name it where it should count, or delete it.", fixes=(Delete(),))
CHANGED_IN_VAIN = Hint("The {kind} '{name}' changes it, but no sentence asks for it.")
MOVE_OR_DELETE = Hint("Move something there, or delete it.", fixes=(Delete(),))
PLACE_ZONE_OR_DELETE = Hint("Let a zone be 'of: {words}', or delete it.", fixes=(Delete(),))
GIVE_OR_DELETE = Hint("Give it to pieces with 'each' or 'has', or delete it.", fixes=(Delete(),))
USE_OR_DELETE = Hint("Use it, or delete it.")
DO_OR_DELETE = Hint("Say 'do {name}', or delete it.", fixes=(Delete(),))
DO_WHAT_OR_DELETE = Hint("Say 'do what … says' where it is played, or delete its 'do'.")
SAY_WHEN_MOVED = Hint("Say in a sentence when a piece comes there.")
LOOK_AT_COPIES = Hint("Look at 'copies': there it has none.")

# what changes nothing
IDLE_OPTION = Problem("changes-nothing", "The option '{option}' changes nothing.", fixes=(Delete(),))
CHANGE_OR_NAME = Hint(
    "Give it 'change' or a hook such as 'instead of STEP', or name it in a condition if it is yes or no."
)
IDLE_POWER = Problem("changes-nothing", "The power '{power}' changes nothing.", fixes=(Delete(),))
CHANGE_OR_HOOK = Hint("Give it 'change' or a hook such as 'before STEP': its text alone is not played.")
REPEATS_BASE = Problem("repeats-base", "This leaves '{name}' as it is: {value}.")
CHANGE_OR_DELETE_FROM = Hint("Change it to something else, or delete it from {owner}.", fixes=(Delete(),))
CHANGE_SET, CHANGE_SET_OF_CHOICE = Words("the {kind} '{name}'"), Words("the {kind} '{name}', {choice}")

# conditions, loops and ends
ALWAYS_TRUE = Problem("always-true", "This is always true.", fixes=(Reword(r"(?<=- )if [^:]+: (?=\S)", ("",)),))
DELETE_CONDITION = Hint("Delete the condition, or ask something else.")
ALWAYS_FALSE = Problem(
    "always-false",
    "This is never true.",
    fixes=(DeleteSentence(), Delete()),
)
ASK_OR_DELETE = Hint("What depends on it never happens: ask something else, or delete it.")
ENDLESS_LOOP = Problem("endless-loop", "Nothing inside this loop can end it: what it asks for stays as it is.")
CHANGE_OR_REPEAT_TIMES = Hint(
    "Change inside it what the condition asks for, or say 'repeat … times'.",
    fixes=(Reword(r"\brepeat while [^:]+", ("repeat 2 times",)),),
)
ENDLESS_MENU = Problem(
    "endless-loop", "This menu never ends: there is always something to choose, and nobody can decline."
)
LIMIT_BRANCHES = Hint("Say with 'none' what ends it, or limit every branch with 'times' or 'if'.")
NOBODY_DROPS_OUT = Problem("endless-loop", "These rounds never end: nobody drops out.")
DROP_OUT_OR_UNTIL = Hint("Say 'drop out', or 'until' and a condition.")
ENDLESS_ROUNDS = Problem(
    "endless-loop", "Nothing inside these rounds can end them: what 'until' asks for stays as it is."
)
CHANGE_OR_DROP_OUT = Hint("Change inside them what it asks for, or say 'drop out'.")
AFTER_END = Problem("after-end", "This never happens: the {ended} has ended before.")
PUT_BEFORE_OR_DELETE = Hint("Put it before '{sentence}', or delete it.", fixes=(Delete(),))
NO_END = Problem("no-end", "After this the next round begins, and so for ever: no sentence ends the game.")
SAY_WHEN_IT_ENDS = Hint("Say when it ends, such as '{sentence}'.", fixes=(AddSentence("{sentence}", after=True),))

# questions and texts
NO_ASK = Problem("no-ask", "This choice has no text that says what is asked.")
ADD_ASK_BELOW = Hint("Add 'ask: …' below it, indented; the sentence then ends with a colon.")
ADD_ASK_BESIDE = Hint("Add 'ask: …' beside 'do'.")
EVERYBODY_READS_HIDDEN = Problem(
    "unreadable", "Everybody reads only of hidden pieces here: nobody may see what lies in '{zone}'."
)
ASKED_READS_HIDDEN = Problem(
    "unreadable", "Who is asked reads only of hidden pieces here: nobody may see what lies in '{zone}'."
)
TELL_HOW_MANY = Hint(
    "Tell how many they are, {number of {zone}}, or move them to a zone that is seen first.",
    fixes=(Reword(r"(?<=\{)[^{}]+(?=\})", ("number of {zone}",)),),
)
_NUMBER_INSTEAD = Reword(r"(?:total|highest|lowest) [\w ]+? of [\w ]+", ("number of {zone}",))
EVERYBODY_READS_WHAT_NOBODY_SEES = Problem(
    "tells-hidden",
    "Everybody reads here what the pieces in '{zone}' show, which nobody may see.",
    fixes=(_NUMBER_INSTEAD,),
)
EVERYBODY_READS_WHAT_OWNER_SEES = Problem(
    "tells-hidden",
    "Everybody reads here what the pieces in '{zone}' show, which only its owner may see.",
    fixes=(_NUMBER_INSTEAD,),
)
ASKED_READS_WHAT_NOBODY_SEES = Problem(
    "tells-hidden",
    "Who is asked reads here what the pieces in '{zone}' show, which nobody may see.",
    fixes=(_NUMBER_INSTEAD,),
)
MOVE_OR_TELL_HOW_MANY = Hint(
    "Move them to a zone that all see first, or tell only how many they are. If your rule tells it, write"
    " '# meant: tells-hidden' behind the line."
)
UNEXPLAINED = Problem("untold", "No text explains {rule}.")
UNEXPLAINED_STEP = Problem("untold", "No text explains {rule}, nor {caller}, which does it.")
UNEXPLAINED_QUESTION = Problem(
    "untold", "The step '{step}' asks somebody, and neither it nor {caller}, which does it, has a text."
)
_NEW_TEXT = AddEntry("text", "Say here what happens.")
GIVE_TEXT = Hint("Give it a 'text' that tells people the rule.", fixes=(_NEW_TEXT,))
GIVE_ONE_TEXT = Hint("Give one of the two a 'text' that tells people the rule.", fixes=(_NEW_TEXT,))
RULE, RULE_OF_SECTION = Words("the {kind} '{name}'"), Words("the {section}")
RULE_OF_CHOICE = Words("the choice '{choice}' of the option '{option}'")
HARDCODED_NUMBER = Problem("unbound", "This text goes on saying '{number}', whatever becomes of the rule.")
WRITE_SLOT = Hint("Write {slot}.")
NAME_NUMBER_OF_RULE = Hint(
    "The rule's own sentence says {number}, too: name it under 'values', and write {NAME} in both."
)
NAME_NUMBER = Hint("Name it under 'values', and write {NAME}; what no rule knows stands there in words.")
IS_IT_OR_NAME = Hint(
    "Is it {slot}? Else name it under 'values', and write {NAME}; what no rule knows stands there in words."
)
EITHER = Words("{one} or {other}")

# names and pictures
TWO_SCRIPTS = Problem("look-alike", "'{name}' mixes letters of two scripts: '{letter}' is {script}.")
LOOKS_LIKE = Problem("look-alike", "'{name}' only looks like '{other}' (line {line}): '{letter}' is {script}.")
OTHER_NAME = Words("Here '{name}' stands first.")
TYPE_ANEW = Hint("Type it anew, all letters on one keyboard.")
BAD_PICTURE = Problem("picture", "{reason}")

# style of texts
STRAIGHT_QUOTE = Problem("straight-quote", "Quotes are curly in print.")
WRITE_CURLY_QUOTES = Hint("Write “…” around what is quoted.")
TWO_BLANKS = Problem(
    "punctuation", "Two blanks follow each other here.", fixes=(Reword(r"(\w+) {2,}(\w+)", (r"\1 \2",)),)
)
BLANK_BEFORE_SIGN = Problem(
    "punctuation", "A blank stands before the punctuation here.", fixes=(Reword(r"([\w}]+) ([,;.!?])", (r"\1\2",)),)
)
TWO_SIGNS = Problem(
    "punctuation",
    "Two signs follow each other here.",
    fixes=(Reword(r"(\w+[.,;:!?])[.,;:!?]+", (r"\1",)),),
)
NO_BLANK_AFTER_SIGN = Problem(
    "punctuation", "No blank follows the punctuation here.", fixes=(Reword(r"(\w+[,;])(\w+)", (r"\1 \2",)),)
)
ONE_SIGN_ONE_BLANK = Hint("One sign, and one blank behind it.")
TITLE_WITH_STOP = Problem("ending", "A title has no full stop.")
HEADING_WITH_STOP = Problem("ending", "A heading has no full stop.")
LEAVE_STOP_OUT = Hint("Leave it out.", fixes=(Reword(r"(\w+)\.", (r"\1",)),), exact=True)
LOG_WITHOUT_STOP = Problem("ending", "A line of the log ends without a full stop.")
TEXT_WITHOUT_STOP = Problem("ending", "This text ends without a full stop.")
ADD_STOP = Hint("Add one: texts are sentences.", fixes=(Reword(r"(\w+)", (r"\1.",)),), exact=True)
POSSESSIVE_OF_YOU = Problem("person", "Whoever acts reads 'You's' here.")
WRITE_POSSESSIVE = Hint("Write {slot}['s|r]: the second form is for whoever acts.")
VERB_OF_YOU = Problem("person", "Whoever acts reads 'You {verb}' here.")
WRITE_VERB_FORMS = Hint(
    "Write [{verb}|{bare}]: the second form is for whoever acts.", fixes=(Substitute("[{verb}|{bare}]"),), exact=True
)
NO_SLOT = Problem("form", "There is no slot {{name}} in this text.")
NO_SUCH_FORM = Problem("form", "No form agrees by '{key}'.")
OTHER_CAPITAL = Problem("capital", "'{given}' is called '{noun}' where it is declared.")
WRITE_NOUN = Hint(
    "Write '{noun}': only names have capitals within a sentence.", fixes=(Substitute("{noun}"),), exact=True
)
UNUSUAL_WORDING = Problem("wording", "Rulebooks do not say '{given}' here.")
WRITE_ON, WRITE_MUST = (
    Hint("Write 'on'.", fixes=(Substitute("on"),), exact=True),
    Hint("Write 'must', 'may' or 'will'."),
)
TWO_SPELLINGS = Problem("spelling", "This text says '{given}', others say '{usual}'.")
SPELL_ALIKE = Hint("One word for each thing, spelt in one way.")
