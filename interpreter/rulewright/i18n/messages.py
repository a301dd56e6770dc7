"""Messages of mistakes in catalogs and grammars of languages, and hints how to solve them."""

from __future__ import annotations

from rulewright.base.wording import Hint, Problem, Words

# grammars
NO_LANGUAGE = Problem("wrong-shape", "There is no language '{language}'.")
NO_KEY = Problem("wrong-shape", "There is no key '{key}' here.")
NO_CASE = Problem("wrong-shape", "There is no case '{case}'.")
NO_ORDINAL = Problem("wrong-shape", "There is no ordinal '{key}': expected {known}.")
NO_GENDER = Problem("wrong-shape", "There is no gender '{key}': expected {known}.")
NO_MANNER = Problem("wrong-shape", "Adjectives do not end in a manner '{manner}'.")
NO_SOUND = Problem("wrong-shape", "There is no sound '{sound}'.")
YES_OR_NO_EXPECTED = Problem("wrong-shape", "Expected yes or no, not '{given}'.")
ORDINAL_WITHOUT_NUMBER = Problem("wrong-shape", "An ordinal has a # where its number stands.")
MAPPING_EXPECTED = Problem("wrong-shape", "Expected {entries}.")
LIST_EXPECTED = Problem("wrong-shape", "Expected a list.")
TEXT_EXPECTED = Problem("wrong-shape", "Expected a text of at most {most} characters.")
KEYS, GENDERS, BEGINNINGS = Words("the keys {names}"), Words("genders"), Words("beginnings of words")
SOUNDS, FORMS_BY_SOUND = Words("sounds"), Words("a form, or forms by sound")
ARTICLES, FORMS_BY_GENDER = Words("articles"), Words("an article's forms by gender")
ADJECTIVES, ENDINGS = Words("adjectives' endings"), Words("endings by gender")
ENDINGS_BY_CASE = Words("endings by case")
ORDINALS, ORDINAL_FORMS = Words("ordinals"), Words("an ordinal's forms, with # for the number")

# slots and forms of a translation
UNREADABLE_SENTENCE = Problem("translation", "The sentence cannot be read: {reason}.")
NO_SLOT = Problem("translation", "There is no slot {{name}} here; there is {known}.")
NONE = Words("none")
SLOT_MISSING = Problem("translation", "The slot {{name}} is missing.")
NO_ARTICLE = Problem("translation", "'[{article}]' is no article that the grammar of {language} knows.")
NO_NUMBER = Problem("translation", "'[{ordinal}]' is an ordinal, and {{name}} is {kind}.")
KINDS = {
    "a number": Words("a number"), "a player": Words("a player"), "a list of players": Words("a list of players"),
    "one thing": Words("one thing"), "a list of things": Words("a list of things"),
}  # fmt: skip
"""Kind of a slot's content -> its name in messages."""
FIXED_ARTICLE = Problem("translation", "'{word}' before {{name}} stays as it is; write [{sample}] for what fits.")
NO_SLOT_OF_FORMS = Problem("translation", "'[{forms}]': there is no slot {{name}} here.")
NO_AGREEMENT = Problem("translation", "'[{forms}]': words do not agree by '{key}'.")
ONE_THING = Problem("translation", "'[{forms}]': {{name}} is one thing; its gender tells forms apart, as in [x|f=y].")
FORM_COUNT = Problem("translation", "'[{forms}]' has {count} forms; expected {expected}.")
FORM_COUNT_FOR = Problem("translation", "'[{forms}]' has {count} forms; expected {expected} for {kind}.")
SPAN = Words("{least} to {most}")

# signs and blanks of a translation
LINE_BREAK = Problem("translation", "There is a line break, and none in English.")
TWO_STOPS = Problem("translation", "There are two full stops in a row.")
TWO_BLANKS = Problem("translation", "There are two blanks in a row.")
REORDERED = Problem("translation", "An invisible character ({character}) changes the order of what follows.")
DELETE_REORDERING = Hint("Delete it; what is inserted keeps its order by itself.")
UNPAIRED = Problem("translation", "There are not as many '{opening}' as '{closing}'.")
BREAK_BESIDE_SIGN = Problem("translation", "A line can break beside '{sign}'.")
WRITE_NO_BREAK_SPACE = Hint("Write a no-break space there (U+00A0 or U+202F).")
LONE_SIGN = Problem(
    "translation", "A '{sign}' stands alone in '{text}': brackets come in pairs, with forms or an article."
)

# nouns, and plural forms
NO_ADJECTIVES = Problem(
    "translation", "'~' is the ending of an adjective; the grammar of {language} has no 'adjectives' that tell it."
)
NOUN_WITH_ARTICLE = Problem("translation", "A noun stands without its article: sentences put one before it.")
DELETE_WORDS = Hint("Delete '{words}'.")
NO_GENDER_OF_NOUN = Problem(
    "translation", "A noun needs its gender in brackets: {genders}, or [name] if it takes no article."
)
GENDER_OF_PLURAL = Problem("translation", "'{note}': the gender stands on the first form only.")
NO_GRAMMAR = Problem("translation", "'{note}' is no grammar here; there is {known}.")
WRONG_PLURAL_FORMS = Problem("plural-forms", "Expected {expected} plural forms, found {count}.")
LONG_LABEL = Problem("translation", "A label of {length} characters is too long for its column: at most {most}.")
