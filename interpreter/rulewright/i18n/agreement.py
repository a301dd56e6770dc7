"""Which form of a word agrees with what a slot holds: with how many there are, of which gender, and with who reads."""

from __future__ import annotations

from rulewright.base.records import record
from rulewright.i18n.grammar import MANY, NAME, NOTHING, YOU, YOU_AND_OTHERS, GrammarTable
from rulewright.i18n.message_patterns import Agreement


@record
class Subject:
    """What a slot holds. listed: whether it may be several; person: whether it is one person, or people; you: whether
    the reader is among them; named: how many things or persons are named; gender: of the noun, '' for none; nothing:
    whether it is nothing, or nobody; broken: whether it is a number that is not whole."""

    count: int
    gender: str = ""
    listed: bool = False
    you: bool = False
    named: int = 1
    nothing: bool = False
    broken: bool = False


def chosen(part: Agreement, subject: Subject, table: GrammarTable) -> str:
    """The form that agrees: the nearest of those with a key, else one of the others; '' where there is none at all."""
    named = dict(part.named)
    plural = table.plural(abs(subject.count))
    for key in _keys(subject, plural > 0):
        if key in named:
            return named[key]
    forms = part.forms
    if not forms:
        return part.named[0][1] if part.named else ""
    if subject.you and not subject.listed:
        return forms[-1]
    if subject.you and subject.named == 1 and len(forms) > table.plurals:
        return forms[table.plurals]
    if subject.you and subject.named > 1 and len(forms) > table.plurals + 1:
        return forms[table.plurals + 1]
    if subject.you and subject.named == 1 and len(forms) <= table.plurals:  # 'You win', beside 'Nora and Ada win'
        return forms[-1]
    return forms[min(plural, len(forms) - 1, table.plurals - 1)]


def _keys(subject: Subject, many: bool) -> list[str]:
    """By what a form may be named that fits, the nearest first."""
    if subject.nothing:
        return [NOTHING, "0"]
    told = [] if subject.broken else [str(subject.count)]
    if subject.you:
        told.append(YOU if subject.named == 1 else YOU_AND_OTHERS)
    if many:
        return [*told, f"{MANY} {subject.gender}", MANY]
    return [*told, subject.gender]


def gender_of_all(genders: set[str], table: GrammarTable) -> str:
    """The gender of several things: their own where it is one, else the first of the language."""
    if len(genders) == 1:
        return next(iter(genders))
    return next((gender for gender in (*table.genders, NAME) if gender in genders), "")
