"""Messages of the compiler: problems, and hints how to solve them."""

from __future__ import annotations

from rulewright.base.template_edits import NAME_PATTERN, DeleteSentence, Reword, Substitute
from rulewright.base.wording import Hint, Problem, Words

# parts of sentences: things with an article, types, alternatives
SERIES = Words("{first}; {second}")
"""Sizes of maps, joined two by two."""
QUOTED = Words("'{name}'")
A_NUMBER, NUMBERS = Words("a number"), Words("numbers")
A_FRACTION, FRACTIONS = Words("a fraction"), Words("fractions")
YES_OR_NO, YES_OR_NOS = Words("yes or no"), Words("yes or nos")
A_SEAT, SEATS = Words("a seat"), Words("seats")
NOBODY, NOBODYS = Words("nobody"), Words("nobodys")
A_GROUP, GROUPS = Words("a group"), Words("groups")
PIECE = Words("piece")
PIECES, WORDS = Words("pieces"), Words("words")
PIECES_OF_KIND = Words("pieces ({kinds})")
A_WORD, WORDS_OF_LIST = Words("a word of '{list}'"), Words("words of '{list}'")
AMOUNTS = Words("amounts of '{list}'")
A_SET, A_SET_OF = Words("a set"), Words("a set of {members}")

# other places that a problem is about
DECLARED_HERE = Words("'{name}' is declared here.")
MADE_HERE = Words("'{name}' is made here.")
CALLED_ALIKE = Words("These pieces are called '{name}' as well.")
CASE_HERE = Words("The case for '{case}' is here.")
TYPE_HERE = Words("Here it is {given}.")

# another type than expected
EXPECTED_TYPE = Problem("type", "Expected {expected} here; this is {given}.")
EXPECTED_ONE = Problem("type", "Expected one thing here; these are {given}.")
EXPECTED_WHOLE_NUMBER = Problem("type", "Expected a whole number here; this is {given}.")
EXPECTED_AMOUNTS = Problem("type", "Expected amounts of '{list}' or a number here; this is {given}.")
EXPECTED_ZONE = Problem("type", "Expected a zone here; this is {given}.")
EXPECTED_COUNTER = Problem("not-a-counter", "Expected a counter here; this is {given}.")
EXPECTED_LIST = Problem("type", "Expected a list here; this is {given}.")
EXPECTED_SPACES = Problem("type", "Expected spaces of a board; this is {given}.")
EXPECTED_DIRECTION = Problem("type", "Expected {direction} of '{board}' before 'of'; this is {given}.")
EXPECTED_ZONE_OR_WORDS_AFTER_IN = Problem("type", "Expected a zone or words after 'in'; this is {given}.")
EXPECTED_ZONE_AFTER_IN = Problem("type", "Expected a zone after 'in'; this is {given}.")
EXPECTED_PIECES_OR_WORDS_BEFORE_IN = Problem("type", "Expected pieces or words before 'in'; this is {given}.")
EXPECTED_THINGS = Problem("type", "Expected what is a seat, a piece or a word; this is {given}.")
EXPECTED_PARAMETER_TYPE = Problem(
    "unknown-name",
    "Expected what a parameter is: a number, yes or no, a seat, a kind of piece or a word list, not '{given}'.",
)
EXPECTED_ZONE_LIMIT = Problem("type", "Expected a number: how many pieces may lie here.")
COMPARE_IT = Hint("Compare it with something, as in '… is more than 0'.")
ASK_WHETHER_ANY = Hint("Ask whether there are any: '… is not empty'.")
SAY_FOR_WHICH_WORD = Hint("Say 'for' which of its words; or how many in all: 'number of …'.")
ROUND_IT = Hint("Round it, as in '(…) / 1 rounded down'. A counter holds fractions if it starts with one, as at 0.0.")
COUNT_THEM = Hint("How many they are is said with 'number of …'.")
ROUND_ONE = Hint("Say how one is rounded, as in '(…) / 1 rounded down'.")
PARENTHESES_BEFORE_IN = Hint("What belongs together stands in parentheses: '(cards of seats) in …'.")
SAY_ITS_OR_TOTAL = Hint("Of one of them, say '…'s {name}'; of several in all, 'total {name} of …'.")

# things of two types together
COMPARES_TYPES = Problem("type", "This compares {one} with {other}.")
JOINS_TYPES = Problem("type", "This joins {one} and {other}.")
TWO_AMOUNTS = Problem("type", "These are amounts of '{one}', and those of '{other}'.")
ONLY_NUMBERS_COMPARE = Problem("type", "Only numbers are more or less; this is {given}.")
ONLY_NUMBERS_GROW = Problem("type", "Only numbers can be added to; this is a set.")
SAY_WHOLE_SET = Hint("Say the whole set.")
ONLY_ALIKE_SWAP = Problem("type", "Only what is alike changes places, not {one} and {other}.")
ONLY_ONE_KIND_SWAPS = Problem("type", "Only pieces of one kind change places, not {one} and {other}.")
TWO_FRACTIONS = Problem(
    "fraction",
    "One of the two must be a whole number: two fractions make one that is too small to keep.",
    fixes=(Reword(r"([\w']+) ([*/]) ([\d.]+)", (r"(\1 / 1 rounded down) \2 \3",)),),
)
OTHER_TYPE_BEFORE = Problem("type", "This is {given}; in the cases before, it is {before}.")
ONE_TYPE_IN_ALL_CASES = Hint("A figure is of one type in all of its cases.")
MEMBER_OF_TWO_TYPES = Problem("type", "'{name}' is {one} for {kind} and {other} for {other_kind}.")
RENAME_ONE = Hint("Give one of the two another name.")

# numbers as they are written
TOO_MANY_DECIMALS = Problem("fraction", "A number has at most two digits behind its point.")
TOO_MANY_DIGITS = Problem("number-too-large", "A number has at most nine digits.")
TOO_MANY_DIGITS_BEFORE_POINT = Problem("number-too-large", "A number has at most seven digits before its point.")
WRITE_DIGITS = Hint("Write numbers as digits: {digits}.", fixes=(Substitute("{digits}"),))

# one of several
ONE_OF_WORDS = Problem("whose", "Only one can stand here, and these are {count} words of '{list}'.")
NAME_ONE = Hint("Name one; or say it of each, with 'each', 'where' or 'total'.")
ONE_OF_PIECES = Problem("whose", "Only one can stand here; this is every {kinds}, and there are {count}.")
SAY_WHICH = Hint("Say which, by a name from 'choose', 'let' or 'each … as'.")
NO_END_OF_ONE = Problem(
    "type",
    "This is {given}: one thing, of which there is no {end}.",
    fixes=(Reword(rf"\b((?:first|last|top|bottom) \w+ of {NAME_PATTERN})(?='s )", (r"(\1)",)),),
)
SAY_WHOSE_ATTRIBUTE = Hint(
    "Say '({end} 1 of {owner})'s {attribute}'; or give the piece a name, with 'let … be {end} 1 of {owner}'."
)
EVERY_NEEDS_CONDITION = Problem("syntax", "'every' is followed by 'has' and a condition.")
EVERY_HAS_EXAMPLE = Hint("For example: every card in hand has (value is 1).")

# who acts
NOBODY_ACTS = Problem("nobody-acts", "Nobody acts here, so there is no 'you' and nothing of a seat's.")
NOBODY_ACTS_FOR_NAME = Problem("nobody-acts", "'{name}' belongs to a seat, and nobody acts here.")
NOBODY_ACTS_IN_STEP = Problem("nobody-acts", "Nobody acts in '{step}', so no {level} can be active there.")
LET_SOMEBODY_ACT = Hint(
    "Let somebody act: put this, or the 'do' that leads here, inside 'each seat:'. Or say whose it is: ada's hand."
)
COMPARE_SIDES = Hint(
    "In a figure of pieces nobody acts. Tell them by their side: '… where {side} is not {figure}'s {side}'.",
    fixes=(Reword(r"of \w+", ("where {side} is not {figure}'s {side}",)),),
)
WHOEVER_ACTS = Hint("Whoever acts is 'you', and what they have is 'my …'.", fixes=(Reword(r"\bme\b", ("you",)),))
THIS_IS_NOBODY = Problem("nobody", "This is nobody, who has nothing and does nothing.")
NO_ITEM = Problem("no-item", "'its' speaks of the thing that 'where', 'has' or an order looks at; there is none here.")

# names without a meaning
UNKNOWN_NAME = Problem("unknown-name", "Nothing here is called '{name}'.")
UNKNOWN_MEMBER = Problem("unknown-name", "{owner} has no '{name}'.")
EVERY_HAS_ONE = Hint("Every {owner} has one of its own.")
NOT_OF_SEAT = Problem("unknown-name", "'{name}' belongs to the game: leave out 'my'.")
WHOSE_PIECE = Problem(
    "whose",
    "Every {owner} has its own '{name}', so say whose: as in mover's {name}, or its {name}.",
    fixes=(
        Reword(
            r"(?<=set )[\w ]+?(?= to)",
            (
                "mover's {name}",
                "its {name}",
            ),
        ),
    ),
)
NAME_PIECE = Hint("'choose', 'let' and 'each … as' give a piece a name.")
WHOSE_WORD = Problem("whose", "Every {owner} has its own '{name}', so say whose: {example}'s {name}.")
WHOSE_TABLE = Problem("whose", "Every {owner} has its own '{name}', so say whose: {example}'s {name} for ….")
SAY_WHOSE = Hint("Say whose it is: {owner}'s {name}.")
IS_STEP = Hint("'{step}' is a step: 'do {step}' does it, and 'do {step} as …' makes a name for what it gives.")
SPACES_ARE = Hint("The spaces are called {spaces}.")
SPACES_ON_BOARD = Words("'{spaces}' on '{board}'")
NO_SPACE_ON_MAP = Hint("No map has such a space: {sizes}.")
MAP_SIZE = Words("'{board}' has the columns a to {column} and the rows 1 to {rows}")
SAY_PARTNERS = Hint("Say 'partners': they are always those of whoever acts.", fixes=(Substitute("partners"),))
PARTNERS_NEED_SIDES = Hint("Partners are the seats of one side: say with 'sides' what each seat plays.")
ON_NO_SIDE = Hint(
    "{kind} has no word of '{sides}', so it is on no side.",
    fixes=(
        Reword(rf"\bmy (?={NAME_PATTERN})", ("",)),
        Reword(r" of (?:seats|opponents)", ("",)),
    ),
)
SAY_WHERE_THEY_LIE = Hint(
    "Say where they lie, as in 'cards in my hand'; pieces are somebody's own where there are 'sides'."
)
KNOWN_WORDS = Hint("Words of '{list}': {words}.")
KNOWN_AND_ODD = Hint("'{known}' is known, so what is '{odd}'?", fixes=(Substitute("{known}"),))

# arguments after 'for'
STEP_MISCOUNTED = Problem("argument", "The step '{name}' {miscount}.")
FIGURE_MISCOUNTED = Problem("argument-missing", "'{name}' {miscount}.")
NO_ARGUMENTS = Words("is not told 'for' anything")
NEEDS_ARGUMENTS = Words("needs to be told for which {parameters}: '{example}'")
TOLD_ONE_THING = Words("is told one thing, not {count}: '{example}'")
TOLD_SEVERAL_THINGS = Words("is told {expected} things, not {count}: '{example}'")
TABLE_NEEDS_ARGUMENT = Problem("argument-missing", "'{name}' is a table: say '{name} for' and {key}.")
COUNTER_TAKES_ONE = Problem("argument", "'{name}' is a counter, which is told 'for' one thing.")
AMOUNTS_TAKE_ONE = Problem("argument", "'{name}' are amounts, which are told 'for' one word.")
TABLE_TAKES_ONE = Problem("argument", "'{name}' is a table, which is told 'for' one thing.")
NO_SUCH_TABLE = Problem("unknown-name", "There is no value or term '{name}' that is told 'for' which.")
NAME_BEFORE_FOR = Problem("syntax", "Before 'for' stands the name of what is told for something.")
NAME_BEFORE_OF = Problem("syntax", "Before 'of' stands the name of an attribute, as in 'colours of hand'.")

# new names
A_ZONE, A_FIGURE, A_COUNTER = Words("a zone"), Words("a figure"), Words("a counter")
A_KIND, AN_OPTION = Words("a kind of piece"), Words("an option")
NAME_TAKEN = Problem("name-taken", "'{name}' is the name of {sort} already; choose another.")
SINGULAR_AND_PLURAL = Hint("Singular and plural are one name, and there is '{existing}'.")
PIECES_CALLED_ALIKE = Problem("name-twice", "Two different pieces are called '{name}'.")
TELL_KINDS_APART = Hint('Give the kinds nouns that tell them apart, such as noun: "{value} of {suit}"')

# names and phrases with two meanings
TWO_MEANINGS = Problem("two-meanings", "'{name}' is {choice}, not {rival}.")
TWO_MEANINGS_OF_PLURAL = Problem("two-meanings", "'{name}' is {choice}, not {rival}: singular and plural are one name.")
THE_ATTRIBUTE, THE_ZONE, THE_COUNTER = (
    Words("the attribute '{name}'"),
    Words("the zone '{name}'"),
    Words("the counter '{name}'"),
)
THE_VALUE, THE_TERM, THE_TABLE = Words("the value '{name}'"), Words("the term '{name}'"), Words("the table '{name}'")
THE_WORD, THE_LIST, THE_KIND = Words("the word '{name}'"), Words("the word list '{name}'"), Words("the kind '{name}'")
THE_OPTION, BUILT_IN_NAME = Words("the option '{name}'"), Words("the language's own '{name}'")
LOCAL_NAME = Words("the name made here")
OF_OWNER, THING_HERE = Words("{thing} of {owner}"), Words("{thing} here")
IN_LINE, IN_LINE_OF_FILE = Words("{thing} (line {line})"), Words("{thing} (line {line} of {file})")
SAY_ITS = Hint("If that is meant, say 'its {name}'. Else give one of the two another name.")
SAY_ITS_FOR_ATTRIBUTE = Hint("If the attribute is meant, say 'its {name}'. Else give one of the two another name.")
TWO_PATHS = Problem("two-meanings", "'{name}' is that of {choice} here, not that of {rival}.")
ITS_ATTRIBUTE = Words("its '{name}'")
SAY_WHOSE_IT_IS = Hint('Where that is possible, say whose it is, as in "its {path}".')
SHADOWED_NAME = Problem(
    "two-meanings", "'{name}' is the one made before here; the one that line {line} makes ends with its list."
)
USE_COUNTER = Hint("What changes during the game is a counter. Else give one of the two another name.")
ARITHMETIC_AFTER_WHERE = Problem(
    "two-meanings", "The comparison behind 'where' is '{compared}'; what follows is reckoned with the result."
)
PARENTHESES_AFTER_WHERE = Hint(
    "Say 'where ({all})' if it belongs to that; else put it first, or count in a value of its own."
)
FIRST_THEN_FILTERED = Problem("two-meanings", "These are '{first}', and then only those of them that fit.")
FIRST_THEN_BEST = Problem("two-meanings", "These are '{first}', and then only the best of them.")
FIRST_OF_FILTERED = Hint(
    "Say '{head} of ({set} {filter})' for the first that fit; else name the first ones before: let … be {first}."
)
FILTERED_UNION = Problem("two-meanings", "'{filter}' looks at all that stands before it, not at '{second}' alone.")
FILTER_SECOND = Hint(
    "Say 'plus ({second} {filter})' if only that is meant; else name all of it before: let … be {joined}."
)
TABLE_NOT_VALUE = Problem(
    "two-meanings", "'{name} for' is a table of words here, not the value '{figure}' (line {line})."
)
TABLE_NOT_TERM = Problem(
    "two-meanings", "'{name} for' is a table of words here, not the term '{figure}' (line {line})."
)
PLURAL_IS_SEVERAL = Problem(
    "two-meanings", "'{name}' is several of them here, not one: it is named in the plural itself."
)
PLURAL_IS_ONE = Problem("two-meanings", "'{name}' is one of them here, not several: it is named in the plural itself.")
NAME_IT_IN_SINGULAR = Hint("Name it '{one}': then '{one}' is one, and '{many}' are several.")
SAY_SINGULAR = Hint("If one is meant, say '{one}'. Else name it so: then '{many}' are several.")
BEGINS_OUTSIDE = Problem(
    "begins-outside", "This also leads over '{origins}' that are not among '{land}', to what lies behind them."
)
BEGIN_AT_SOME = Hint("If it begins at some of these, say '{land} connected to {land} in {origins}'.")

# values and terms
LEVELS = {"power": Words("a power"), "role": Words("a role")}
"""Level of a change set whose hooks need a seat -> its name in messages."""
DEPENDS_ON_ITSELF = Problem("circular", "This is worked out from itself: {figures}.")
CHANGES_ONLY_SEATS = Problem("owner", "{level} changes only what belongs to a seat; this belongs to each {owner}.")
CHANGES_NO_GAME = Problem("owner", "{level} changes only what belongs to a seat; this belongs to the game.")
USE_OPTION = Hint("Let an option change it.")
DECLARE_UNDER_SEAT = Hint("Declare the value under 'seat' instead of 'game', or let an option change it.")
CASE_TWICE = Problem("name-twice", "There is a case for '{case}' already.")
CASE_MISSING = Problem("case-missing", "There is no case for {case} here.")
CASE_FOR_EVERY_COUNT = Hint("Every number of seats needs its case.")
NO_CASE = Problem("no-case", "There is no case for '{case}'.")
ADD_CASE = Hint("Without it the game stops there. Say '{case}: …', or 'otherwise: …' for all that are left.")
NO_GROUP_FIGURE = Problem("unknown-name", "There is no yes/no figure '{name}' that is told 'for' a set.")
GROUP_FIGURE_EXAMPLE = Hint("As in the terms: meld: {for: {those: cards}, is: …}.")
GROUP_FIGURE_OF_OTHER = Problem("type", "'{name}' belongs to each {owner}, not to the game or a seat.")
GROUPS_ARE_COUNTED = Problem("type", "Groups such as '{name}' can be counted, and nothing else.")
COUNT_GROUPS = Hint(
    "Say 'number of {name} in …', or ask whether there is any.",
    fixes=(Reword(rf"each ({NAME_PATTERN} in {NAME_PATTERN}):", (r"repeat (number of \1) times:",)),),
)
RANKING_KEY = Problem("type", "A ranking goes by 'highest …', 'lowest …' or '… first'.")

# zones and pieces
HOLDS_OTHERS = Problem("zone-does-not-hold", "'{zone}' holds {held}; this is {given}.")
NAME_KIND_IN_HOLDS = Hint("Name the kind in the zone's 'holds', or move it elsewhere.")
MAY_HOLD_OTHERS = Problem("zone-does-not-hold", "'{zone}' holds {held}, but what is drawn may be {drawn}.")
DRAWS_OTHERS = Problem("type", "What is drawn here may be {drawn}, not only {wanted}.")
NEVER_IN = Problem("zone-does-not-hold", "There is never {piece} in {place}.")
CANNOT_BE_ROLLED = Problem("type", "{piece} cannot be rolled: nothing of it changes.")
DECLARE_CHANGING = Hint("What a piece shows changes if its kind says so with 'changing'.")
ROLL_SOME = Hint(
    "Say which of them, as in 'roll {kind} in …'; or say with 'holds' what lies in a zone.",
    fixes=(Reword(r"\broll ([\w ]+)$", (r"roll {kind} in \1",)),),
)
NO_PUBLIC_ZONE = Problem("type", "No zone that all see belongs to {owner}.")
POSITION_OF_ZONES = Hint(
    "A position is what lies in the zones of spaces, of other words, or of seats, where everybody sees it.",
    fixes=(Reword(r"(?<=position of )[\w ]+", ("seats",)),),
)

# counters and lists
COUNTERS_CHANGE = Hint(
    "Options, roles and powers change values; what changes during the game is a counter.", fixes=(DeleteSentence(),)
)
IS_LIST = Hint(
    "It holds a list: 'add … to end of …', 'take first 1 of … as …', 'set … to …'.",
    fixes=(
        Reword(rf"(?<=\badd )({NAME_PATTERN}) to (?=[\w ]+$)", (r"\1 to end of ",)),
        Reword(rf"(?<=\btake ){NAME_PATTERN} from ({NAME_PATTERN})$", (r"first 1 of \1 as taken",)),
    ),
)
MOVE_PIECES = Hint(
    "Pieces are moved: 'move … to …'.",
    fixes=(Reword(rf"\badd (?:total|number) [\w ]*?of ({NAME_PATTERN}) to ({NAME_PATTERN})$", (r"move \1 to \2",)),),
)
SET_MY_SIDE = Hint(
    "What a seat plays is said with its name: 'set my {sides} to …'.", fixes=(Reword(r"(?<=\bset )(?=\w)", ("my ",)),)
)
LISTS_ARE_COUNTERS = Hint("Lists are counters with 'list of' and 'at most'.")
TAKES_FROM_LIST = Problem("type", "What is taken out is the first or the last few of a list.")
TAKE_EXAMPLE = Hint("As in 'take first 1 of orders as NAME'; pieces are moved: 'move … to …'.")
LIST_HOLDS = Hint(
    "It holds {members}; 'set … to nothing' empties it.", fixes=(Reword(r"(?<=\bto )\S+$", ("nothing",)),)
)

# boards
NO_WAY = Problem("type", "There is no way from {one} to {other}.")
BOARDS_HAVE = Hint(
    "The boards have spaces called {spaces}.",
    fixes=(
        Reword(r"(?<=longest line of )[\w ]+|(?<=neighbours of )[\w ]+", ("{example}",)),
        Reword(r"(?<=and )[\w ]+|(?<=connected to )[\w ]+", ("a1",)),
    ),
)
DECLARE_BOARD = Hint("A board is declared under 'boards'.")
NO_DIRECTIONS = Problem("type", "The board '{board}' has no directions with names.")
NAME_DIRECTIONS = Hint("Name them: 'directions: direction', below the board '{board}'.")
NO_LINES = Problem("type", "The board '{board}' is no map, so it has no lines.")
BOARDS_WITH_LINES = Hint("A board with lines has a 'map' or a 'size', or its spaces say where its 'directions' lead.")
UNRELATED_WORDS = Problem("type", "A word of '{list}' has nothing to do with {given}.")

# questions and their order
CANNOT_ASK = Problem("cannot-ask", "Nobody can be asked here.")
CHOICE_AFTER_EFFECT = Problem(
    "choice-after-effect",
    "Inside 'at once' every choice comes before anything happens, or its answer could show too early.",
)
CHOICE_AFTER_EFFECT_OF_LOOP = Problem(
    "choice-after-effect",
    "Inside 'at once' every choice comes before anything happens; this loop chooses again after it.",
)
ASKS_INSIDE_AT_ONCE = Problem("nested-at-once", "Inside 'at once' nobody else can be asked in turn.")
AT_ONCE_INSIDE_ANOTHER = Problem("nested-at-once", "An 'at once' cannot stand inside another.")
BY_PLACE_NEEDS_PIECES = Problem("type", "'by place' is for pieces, which lie somewhere; this is {given}.")
CHANCE_NEEDS_NUMBER = Problem("syntax", "Chance is told exactly how many to choose.")
AMONG_MISSING = Problem(
    "among-missing", "'choose one' says with 'among' what there is to choose: a name for each branch."
)
NONE_IF_WITHOUT_NONE = Problem("missing-key", "'none if' tells when nothing need be chosen, but there is no 'none'.")
SAY_NONE = Hint("Say with 'none' what that is called.")
CANNOT_DROP_OUT = Problem(
    "no-round",
    "Nobody can drop out here: it says so inside a 'go round', not in a step that is done there.",
    fixes=(DeleteSentence(),),
)
NOT_AS_ANOTHER = Hint("Nor where another one acts, as inside 'each' and 'as'.")

# texts of questions, log lines and rules
TEXT_WITHOUT_SLOTS = Problem("slot", "This text is always the same: only 'ask', 'log' and rules have {slots}.")
ONLY_NUMBER_IN_TEXT = Problem("slot", "Only the number that can be chosen stands in this text: {slot}.")
TOO_MANY_SLOTS = Problem("syntax", "A text has at most {most} slots.")
SLOT_IS_EXPRESSION = Problem("syntax", "A slot is one expression in braces, such as {price}.")

# statements and their parts
STATEMENT_NOT_LIST = Problem("shape", "Expected one statement here, not a list.")
BODY_IN_QUOTES = Problem("shape", "A sentence with a body stands alone before its colon, as a key: use no quotes here.")
BODY_MISSING = Problem("body-missing", "'{sentence}' is followed by a colon and what is to be done.")
NO_BODY = Problem("shape", "Nothing is done inside '{sentence}'; start a new line with '- '.")
NO_CLAUSE = Problem("unknown-key", "'{sentence}' has no clause '{clause}'.")
HAS_CLAUSES = Hint("It has {clauses}")
OTHERWISE_NEEDS_IF = Problem("shape", "'otherwise' belongs to an 'if'.")
KEY_MISPLACED = Problem("shape", "'{key}' does not belong here.")
BEGIN_STATEMENT = Hint("Every statement begins with '- '.")

# steps, loops and phases
NO_STEP = Problem("unknown-name", "There is no step called '{name}'.")
STEP_CALLS_ITSELF = Problem("circular", "This step does itself: {steps}.")
REPEAT_WHILE = Hint("Use 'repeat while' to do something again.")
STEP_GIVES_NOTHING = Problem("nothing-given", "The step '{step}' gives nothing that could have a name.")
DECLARE_RESULT = Hint("Say what it gives, as in 'gives: number'; inside it, 'give' says which.")
RESULT_NOT_DECLARED = Problem("nothing-given", "The step '{step}' does not say what it gives.")
DECLARE_RESULT_BESIDE_DO = Hint("Say it beside its 'do', as in 'gives: number'.")
NO_LOOP = Problem("nothing-to-end", "There is no loop here that could end.")
LOOPS_ARE = Hint("Loops are 'each', 'each group of', 'repeat …' and 'go round'.")
LOOP_OF_CALLER = Hint(
    "A step cannot end the loop in which it is done: let it give yes or no, and say 'end loop' there.",
    fixes=(Reword(r"end loop", ("end step",)),),
)
SETUP_IS_NO_PHASE = Problem("nothing-to-end", "The set-up is no phase, so it cannot be ended.")
NO_STEP_IN_SETUP = Problem("nothing-to-end", "'{sentence}' stands in a step; this is the set-up.")
NO_STEP_IN_PHASE = Problem(
    "nothing-to-end",
    "'{sentence}' stands in a step; this is a phase.",
    fixes=(
        Reword(r"end step", ("end phase",)),
        DeleteSentence(),
    ),
)
STEPS_ARE_LISTS = Hint("A step is a list with a name of its own, under 'steps'; 'do' does it.")
ENDS_AT_ONCE = Problem(
    "ends-at-once",
    "Inside 'at once' nobody can end what stands around it, such as this {frame}.",
    fixes=(DeleteSentence(),),
)
NOTE_IN_COUNTER = Hint("Note it in a counter, and ask for that after the 'at once'.")
LOOP, STEP, PHASE = Words("loop"), Words("step"), Words("phase")

# instructions of words and pieces: 'do what … says'
NO_INSTRUCTIONS = Problem("says-nothing", "{owner} says nothing to do.", fixes=(DeleteSentence(),))
GIVE_INSTRUCTIONS = Hint("A word says with 'do' what is done; so does a kind of piece, or a word that its pieces have.")
CANNOT_SAY_WHAT_TO_DO = Problem("type", "Only a word or a piece says what to do; this is {given}.")
INSTRUCTIONS_CALL_THEMSELVES = Problem("circular", "This does itself: {steps}.", fixes=(DeleteSentence(),))
AVOID_CIRCLES = Hint("What something says can do what others say, in no circle.")

# rules that are too large
TOO_LARGE = Problem("too-large", "These rules are too large: {reason}")
NESTED_TOO_DEEP = Words("too much stands inside one another.")
WRITTEN_OUT = Words("'{name}' is written out wherever it is read or done, which comes to {times} times.")
TOO_MANY_INSTRUCTIONS = Words("they come to more than {most} instructions.")
CALLS_TOO_DEEP = Words("below '{name}', steps do steps or figures read figures more than {most} deep.")
LOOPS_TOO_DEEP = Words("sets are gone through inside one another more than {most} deep.")
KEEP_RESULT = Hint("Keep what it comes to: in a counter, in a name made with 'let', or in what a step gives.")
STATE_TOO_LARGE = Problem("too-large", "A game would need {needed} cells; {most} are allowed.")
