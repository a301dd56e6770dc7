"""Agreement of words with what fills a slot: number, gender, and whether the reader is meant."""

from __future__ import annotations

from rulewright.base.records import record
from rulewright.i18n.grammar import MANY, NAME, NOTHING, YOU, YOU_AND_OTHERS, GrammarTable
from rulewright.i18n.message_patterns import Agreement


@record
class Subject:
    """Grammatical features of a slot's content.

    - count: number for the plural, added up over all items, 2 for a fraction
    - listed: whether the slot takes several things, even if one fills it
    - you: whether the reader is among them
    - number_of_items: of terms or persons, each one whatever its count
    - gender: of the nouns, or ''
    - nothing: whether it is nothing or nobody
    - is_fraction: whether it is a number with decimals
    """

    count: int
    gender: str = ""
    listed: bool = False
    you: bool = False
    number_of_items: int = 1
    nothing: bool = False
    is_fraction: bool = False


def choose_form(part: Agreement, subject: Subject, table: GrammarTable) -> str:
    """Choose the form that agrees: the most specific of those with a fitting key, else one of those without, by number
    and reader. Where all have keys and none fits, the first; '' if there are no forms."""
    forms_by_key = dict(part.keyed)
    plural = table.plural(abs(subject.count))
    for key in _fitting_keys(subject, plural > 0):
        if key in forms_by_key:
            return forms_by_key[key]
    forms = part.forms
    if not forms:
        return part.keyed[0][1] if part.keyed else ""
    if subject.you and not subject.listed:
        return forms[-1]
    if subject.you and subject.number_of_items == 1 and len(forms) > table.plurals:
        return forms[table.plurals]
    if subject.you and subject.number_of_items > 1 and len(forms) > table.plurals + 1:
        return forms[table.plurals + 1]
    if subject.you and subject.number_of_items == 1:  # 'You win', beside 'Nora and Ada win'
        return forms[-1]
    return forms[min(plural, len(forms) - 1, table.plurals - 1)]


def _fitting_keys(subject: Subject, many: bool) -> list[str]:
    """List the keys of fitting forms, most specific first. many: whether the count takes a plural."""
    if subject.nothing:
        return [NOTHING, "0"]
    keys = [] if subject.is_fraction else [str(subject.count)]
    if subject.you:
        keys.append(YOU if subject.number_of_items == 1 else YOU_AND_OTHERS)
    if many:
        return [*keys, f"{MANY} {subject.gender}", MANY]
    return [*keys, subject.gender]


def gender_of_all(genders: set[str], table: GrammarTable) -> str:
    """Return the gender of several things: their common one, else the one that the language names first; '' for
    none."""
    if len(genders) == 1:
        return next(iter(genders))
    return next((gender for gender in (*table.genders, NAME) if gender in genders), "")
