"""Wordings of diagnostics: a template and its arguments, kept as data until somebody reads it.

    EXPECTED_ZONE = Problem("type", "Expected a zone here; this is {given}.")
    report.error(place, EXPECTED_ZONE(given=describe(type)), SAY_INTO(zone=near))

Templates stand in one module of each room, `messages`. Fixes, translations and other programs ask for the template and
its arguments, never for the English text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from rulewright.base.records import record
from rulewright.base.template_edits import Edit

MAX_ARGUMENT_LENGTH = 2000
"""Most characters of an argument that are shown: it may quote an untrusted file."""

_SLOT = re.compile(r"\{([a-z_]+)\}")


class Template:
    """Sentence with slots, `{name}`; other braces are literal. fixes: edits that solve the problem, likeliest first."""

    text: str
    fixes: tuple[Edit, ...] = ()

    def __call__(self, **arguments: SlotValue) -> Wording:
        """Return the sentence with its slots filled; whether all are is not checked."""
        return Wording(self, tuple(arguments.items()))


@record
class Problem(Template):
    """Mistake. code: the short kebab-case name of its kind, which `explain` knows."""

    code: str
    text: str
    fixes: tuple[Edit, ...] = ()


@record
class Hint(Template):
    """Advice about a problem. exact: whether it asks for its one fix and leaves nothing to choose, so that `check
    --fix` applies it also to a warning."""

    text: str
    fixes: tuple[Edit, ...] = ()
    exact: bool = False


@record
class Words(Template):
    """Part of a sentence that fills a slot of another: 'a set of pieces'."""

    text: str


@record
class Title(Template):
    """Title of a quick fix in a menu of an editor, such as 'Delete it'."""

    text: str


@record
class Wording:
    """Template with the values of its slots."""

    template: Template
    arguments: tuple[tuple[str, SlotValue], ...] = ()

    def __str__(self) -> str:
        """Return it in English."""
        return self.render(str)

    def __getitem__(self, name: str) -> SlotValue:
        """Return the value of a slot. Raises KeyError."""
        return dict(self.arguments)[name]

    def text_of(self, name: str) -> str:
        """Return the value of a slot as English text, not shortened. Raises KeyError."""
        return _text(self[name], str)

    def items(self, name: str) -> tuple[str, ...]:
        """Return the values of a slot as English texts, a single one as the only item; () if it has none."""
        value = dict(self.arguments).get(name, ())
        return tuple(_text(item, str) for item in (value if isinstance(value, tuple) else (value,)))

    def render(self, translate: Callable[[str], str]) -> str:
        """Return the sentence in another language, with a capital where a slot begins it; slots without a value stay,
        and long values are cut. translate: turns a template's English text into that language."""
        values = dict(self.arguments)
        pattern = translate(self.template.text)
        text = _SLOT.sub(
            lambda slot: _shortened(_text(values[slot[1]], translate)) if slot[1] in values else slot[0], pattern
        )
        is_text = isinstance(self.template, Words) or _SLOT.fullmatch(pattern)
        begins_with_slot = not is_text and pattern.startswith("{")
        return text[:1].upper() + text[1:] if begins_with_slot else text


SlotValue = str | int | Wording | tuple["SlotValue", ...]
"""Filling of a slot: a name or an excerpt, a number, a part of a sentence, or several of them."""


def slots(text: str) -> Counter[str]:
    """Count the slots of a template's text, or of a translation of it, by name."""
    return Counter(_SLOT.findall(text))


def _text(value: SlotValue, translate: Callable[[str], str]) -> str:
    if isinstance(value, tuple):
        return ", ".join(_text(item, translate) for item in value)
    return value.render(translate) if isinstance(value, Wording) else str(value)


def _shortened(text: str) -> str:
    """Cut a value of a slot to MAX_ARGUMENT_LENGTH characters, and … behind it."""
    return text if len(text) <= MAX_ARGUMENT_LENGTH else f"{text[:MAX_ARGUMENT_LENGTH]} …"
