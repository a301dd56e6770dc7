"""Warn of names that look alike but differ, with letters of two scripts."""

from __future__ import annotations

import re
from unicodedata import name as name_of

from rulewright.authoring.lint import messages
from rulewright.authoring.lint.context import LintContext
from rulewright.base.diagnostics import RelatedPlace, Report
from rulewright.model.naming import GivenName, given_names

_LATIN = {
    0x430: "a", 0x435: "e", 0x43E: "o", 0x440: "p", 0x441: "c", 0x443: "y", 0x445: "x", 0x456: "i",
    0x458: "j", 0x455: "s", 0x4BB: "h", 0x501: "d", 0x43A: "k", 0x475: "v", 0x3BF: "o", 0x3BD: "v",
    0x3B1: "a", 0x3B9: "i", 0x3BA: "k", 0x3C1: "p", 0x3C5: "u", 0x3C4: "t", 0x3C9: "w", 0x585: "o",
    0x570: "h",
}  # fmt: skip
"""Latin letters by the Cyrillic, Greek and Armenian ones that look like them."""


def check(context: LintContext, report: Report) -> None:
    """Warn of names that look like another name, and of words that secretly mix scripts."""
    first: dict[str, GivenName] = {}
    warned: set[str] = set()
    for each in given_names(context.edition.tree):
        other = first.setdefault(each.name.translate(_LATIN), each)
        odd = next((one for one in each.name if other.name != each.name and one not in other.name), "")
        odd = odd or _odd_letter(each.name)
        if not odd or each.name in warned:
            continue
        warned.add(each.name)
        script = _script(odd)
        if other.name == each.name:
            problem = messages.TWO_SCRIPTS(name=each.name, letter=odd, script=script)
            report.warning(each.key.place, problem, messages.TYPE_ANEW())
            continue
        place = other.key.place
        problem = messages.LOOKS_LIKE(name=each.name, other=other.name, line=place.line, letter=odd, script=script)
        related = RelatedPlace(place, messages.OTHER_NAME(name=other.name))
        report.warning(each.key.place, problem, messages.TYPE_ANEW(), related=(related,))


def is_taken_for(name: str, other: str) -> bool:
    """Return whether a name looks like another one without being the same, or itself mixes scripts within a word."""
    return _odd_letter(name) != "" or (name != other and name.translate(_LATIN) == other.translate(_LATIN))


def _odd_letter(name: str) -> str:
    """Return the first letter that looks Latin but is not, in a word with Latin letters; '' if there is none."""
    for word in map(str, re.findall(r"[^\W\d_]+", name)):
        foreign = [letter for letter in word if letter.translate(_LATIN) != letter]
        if foreign and any(_script(letter) == "Latin" for letter in word):
            return foreign[0]
    return ""


def _script(letter: str) -> str:
    """Return the English name of a letter's script: 'Greek'."""
    return name_of(letter, "unknown").split()[0].capitalize()
