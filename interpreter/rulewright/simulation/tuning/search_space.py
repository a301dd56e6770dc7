"""Search space: numbers of an edition, by name, and options; each with the values that are tried.

A number is found by the keys on its path, as a variant's `change` has them: `hand limit` stands below `values` and
`seat`, so that `seat.hand limit` is the same, and `values.seat.hand limit`. Nothing is tried that a variant could not
say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from math import prod

from rulewright.base.diagnostics import escape_controls
from rulewright.base.records import record
from rulewright.game.library import Rules
from rulewright.i18n.localizer import phrase, suggestion
from rulewright.model.edition import Edition
from rulewright.simulation.plan import PlanError
from rulewright.syntax.source import MappingNode, Node, Scalar

MAX_VALUES = 1000
"""Maximum of values of one name."""

MAX_NAMES = 20
"""Maximum number of things that are varied at once."""

_PATH = tuple[str, ...]
"""Keys that lead to a text of the edition; those of an option end in 'default'."""
_NUMBER = re.compile(r"([+-]?)(\d{1,9}(?:\.\d{1,2})?)")
"""Number with its sign, if any, and at most two decimals."""
_RANGE = re.compile(r"(-?[\d.]+)\s*(?:\.\.+|…)\s*(-?[\d.]+)(?:\s+(?:by|in steps of)\s+([\d.]+))?")
"""Range as it is typed: first and last number, and the step if it is not 1."""
_BELOW_ZERO = re.compile(r"0 - (\d+(?:\.\d+)?)")
"""Negative number as a formula writes it."""
_TOP_LEVEL = ("values", "terms", "counters", "pieces", "zones", "words", "options", "roles", "powers", "limit")
"""Sections in which numbers are looked for."""
_ASIDE = ("by", "for", "text", "noun", "default", "title", "picture", "heading", "notation")
"""Keys whose texts are not varied."""
_SEATS = "number of seats"
"""Key of a table, behind `by`, that has an entry for each number of seats."""


@record
class VariedValue:
    """Option or number that a search varies.

    - name: as on the command line
    - path: its keys in the edition
    - now: present value, as `tried` would have it
    - tried: texts that it may become
    - ordered: whether they are ascending numbers
    """

    name: str
    path: _PATH
    now: str
    tried: tuple[str, ...]
    ordered: bool

    def in_edition(self, value: str) -> str:
        """Return a value as the edition writes it."""
        if self.path[0] == "values" and value.startswith("-") and self.ordered:
            return f"0 - {value[1:]}"
        return value


Candidate = tuple[str, ...]
"""Value for each of the varied names, in the same order."""


@record
class SearchSpace:
    """All varied names and their values."""

    varied: tuple[VariedValue, ...]

    @property
    def size(self) -> int:
        """Number of combinations."""
        return prod(len(each.tried) for each in self.varied)

    @property
    def now(self) -> Candidate:
        """Candidate of the edition's own values."""
        return tuple(each.now for each in self.varied)

    def __contains__(self, candidate: Candidate) -> bool:
        return all(value in each.tried for each, value in zip(self.varied, candidate, strict=True))

    def changes(self, candidate: Candidate) -> dict[_PATH, str]:
        """Return a candidate's differences from the edition: the path to each text, and its new text."""
        pairs = zip(self.varied, candidate, strict=True)
        return {each.path: each.in_edition(value) for each, value in pairs if value != each.now}

    def pairs(self, candidate: Candidate) -> list[tuple[str, str]]:
        """Return each varied name with the value that a candidate has for it."""
        return [(each.name, value) for each, value in zip(self.varied, candidate, strict=True)]


def search_space(rules: Rules, seats: int, texts: Sequence[str]) -> SearchSpace:
    """Parse texts such as 'hand limit=6..14', 'tokens=0,2,5', 'goal=50..100 by 10', 'short game=yes,no'.

    seats: at the table, which decide the entry of a table by number of seats. Raises PlanError.
    """
    if not texts:
        raise PlanError(
            phrase("errors", "Say what to vary, such as {example}.", example=f'--vary "{_example(rules.edition)}"')
        )
    if len(texts) > MAX_NAMES:
        raise PlanError(phrase("errors", "At most {most} things are varied at once.", most=MAX_NAMES))
    known = dict(_known(rules.edition))
    varied: list[VariedValue] = []
    for text in texts:
        name, equals, values_text = (part.strip() for part in text.partition("="))
        if not name or not equals or not values_text:
            raise PlanError(
                phrase(
                    "errors",
                    "'{given}' does not say what is tried. Write {one}, {two} or {three}.",
                    given=text,
                    one=f"'{name or 'NAME'}=6..14'",
                    two=f"'{name or 'NAME'}=6..14 by 2'",
                    three=f"'{name or 'NAME'}=6,8,10'",
                )
            )
        path = _find_path(rules, seats, known, name)
        if path in {each.path for each in varied}:
            raise PlanError(phrase("errors", "'{name}' is given twice; say all its values at once.", name=name))
        varied.append(_parse_values(rules.edition, name, path, values_text, known))
    return SearchSpace(tuple(varied))


def own_numbers(edition: Edition, seats: int) -> list[tuple[str, str]]:
    """Return the names of all numbers that stand under `values`, and their values at a table of so many seats."""
    known = dict(_known(edition))
    names: dict[str, str] = {}
    for path, node in known.items():
        if path[0] != "values" or len(path) < 3 or not _NUMBER.fullmatch(_normalized(node.text)):
            continue
        if _shortened_path(path)[-1] == path[2] or _entry_for_seats(edition.tree, path[:3], seats) == path:
            names.setdefault(path[2], _normalized(node.text))
    return list(names.items())


# ── what there is ──


def _known(edition: Edition) -> Iterator[tuple[_PATH, Scalar]]:
    """Yield every text that a search may vary, with its path."""
    for section in _TOP_LEVEL:
        if (node := edition.tree.get(section)) is not None:
            yield from _variable_texts(node, (section,))
    for name, option in edition.options.items():
        usual = option.usual_choice
        yield ("options", name, "default"), Scalar(usual, option.place)


def _variable_texts(node: Node, path: _PATH) -> Iterator[tuple[_PATH, Scalar]]:
    """Yield the path and text of each figure below `values`, sums too, and of each number elsewhere below a node."""
    if isinstance(node, MappingNode):
        for key, inner in node.entries.items():
            if key not in _ASIDE or not isinstance(inner, Scalar):
                yield from _variable_texts(inner, (*path, key))
    elif isinstance(node, Scalar) and (path[0] == "values" or _NUMBER.fullmatch(node.text.strip())):
        yield path, node


def _shortened_path(path: _PATH) -> _PATH:
    """Return a path without keys that people leave out: 'default' of an option, 'is' of a figure, 'starts at' of a
    counter."""
    return path[:-1] if path[-1] in ("default", "is", "starts at") and len(path) > 2 else path


def _find_path(rules: Rules, seats: int, known: Mapping[_PATH, Scalar], name: str) -> _PATH:
    """Return the path that a name means: of a figure, an option or a table if one fits, else of any number. '-' and '_'
    may stand for blanks. Raises PlanError if none fits, or several."""
    edition = rules.edition
    spaced = re.sub(r"[-_\s]+", " ", name)
    for spelling in (name, spaced):
        parts = tuple(part.strip() for part in spelling.split("."))
        fitting_paths = [path for path in known if _fits(parts, _shortened_path(path))]
        plain = [path for path in fitting_paths if path[0] in ("values", "options") and len(_shortened_path(path)) <= 3]
        tables = {path[:3] for path in known if path[0] == "values" and len(path) == 4 and path[-1] != "is"}
        entries = [table for table in sorted(tables) if _fits(parts, table)]
        for candidates in ([*plain, *entries], fitting_paths):
            if len(candidates) == 1:
                return (
                    _table_entry_path(edition.tree, candidates[0], seats, name)
                    if candidates[0] in entries
                    else candidates[0]
                )
            if candidates:
                names = [_qualified(path, {*known, *tables}) for path in candidates]
                raise PlanError(
                    phrase(
                        "errors",
                        "'{name}' could be any of these: {names}.",
                        name=name,
                        names=", ".join(f"'{each}'" for each in names),
                    )
                )
    values = [each for each, _ in own_numbers(edition, seats)]
    every = [*values, *edition.options, *(".".join(_shortened_path(path)[-2:]) for path in known)]
    raise PlanError(
        phrase(
            "errors",
            "{title} has no number or option '{name}'. {hint} Values: {values}. Options: {options}. Any other number "
            "is called by where it stands, as in '{example}'.",
            title=rules.title,
            name=name,
            hint=suggestion(name, every),
            values=", ".join(values) or phrase("errors", "none"),
            options=", ".join(edition.options) or phrase("errors", "none"),
            example=next((_qualified(path, known) for path in known if path[0] == "pieces"), "pieces.NAME.copies"),
        )
    )


def _fits(keys: _PATH, path: _PATH) -> bool:
    """Return whether a name that gives only some keys means this path: the last, and others in their order."""
    rest = iter(path)
    return keys[-1] == path[-1] and all(part in rest for part in keys)


def _qualified(path: _PATH, known: Collection[_PATH]) -> str:
    """Return the shortest name of a path that no other fits."""
    own = _shortened_path(path)
    for length in range(1, len(own) + 1):
        if sum(_fits(own[-length:], _shortened_path(other)) for other in known) == 1:
            return ".".join(own[-length:])
    return ".".join(own)


def _table_entry_path(tree: MappingNode, table: _PATH, seats: int, name: str) -> _PATH:
    """Return the entry of a table that counts at this table. Raises PlanError."""
    node = _node_at(tree, table)
    assert isinstance(node, MappingNode)
    if (entry := _entry_for_seats(tree, table, seats)) is not None:
        return entry
    by_node = node.get("by")
    entries = [key for key in node.entries if key not in _ASIDE]
    raise PlanError(
        phrase(
            "errors",
            "'{name}' is a table by '{by}': say which entry to vary, as in '{example}'. Entries: {entries}.",
            name=name,
            by=by_node.text if isinstance(by_node, Scalar) else "",
            example=f"{name}.{entries[0] if entries else 'otherwise'}",
            entries=", ".join(entries),
        )
    )


def _entry_for_seats(tree: MappingNode, table: _PATH, seats: int) -> _PATH | None:
    """Return the entry for so many seats, or `otherwise`, of a table by number of seats; None for other tables and
    where no entry fits."""
    node = _node_at(tree, table)
    by_node = node.get("by") if isinstance(node, MappingNode) else None
    if not isinstance(node, MappingNode) or not isinstance(by_node, Scalar) or " ".join(by_node.text.split()) != _SEATS:
        return None
    for key in node.entries:
        if str(seats) in [part.strip() for part in key.split(",")]:
            return (*table, key)
    return (*table, "otherwise") if "otherwise" in node.entries else None


def _node_at(tree: MappingNode, path: _PATH) -> Node | None:
    """Return the node at the end of a path; None if there is none."""
    node: Node | None = tree
    for key in path:
        node = node.get(key) if isinstance(node, MappingNode) else None
    return node


# ── what is tried ──


def _parse_values(
    edition: Edition, name: str, path: _PATH, values_text: str, known: Mapping[_PATH, Scalar]
) -> VariedValue:
    """Return what is varied, with the values that somebody typed for it. Raises PlanError."""
    now = _normalized(known[path].text)
    if path[-1] == "default":
        choices = edition.options[path[1]].choices
        texts = [part.strip() for part in values_text.split(",")]
        for text in texts:
            if text not in choices:
                raise PlanError(
                    phrase(
                        "errors",
                        "The option '{name}' cannot be '{choice}'. {hint} It can be: {choices}.",
                        name=name,
                        choice=text,
                        hint=suggestion(text, choices),
                        choices=", ".join(choices),
                    )
                )
        return _varied_value(name, path, now, texts)
    texts = []
    for part in _parts(values_text):
        texts += _numbers(name, part) if _RANGE.fullmatch(part) else [_normalized(part)]
    numbers = all(_NUMBER.fullmatch(text) for text in texts)
    if not numbers and path[0] != "values":
        wrong = next(text for text in texts if not _NUMBER.fullmatch(text))
        raise PlanError(
            phrase("errors", "'{name}' is a number, not '{value}'.", name=name, value=escape_controls(wrong[:60]))
        )
    if now.startswith("+"):  # what a change set adds
        texts = [text if text.startswith(("+", "-")) else f"+{text}" for text in texts]
    if numbers:
        texts.sort(key=Decimal)
    return _varied_value(name, path, now, texts, numbers)


def _varied_value(name: str, path: _PATH, now: str, texts: Sequence[str], ordered: bool = False) -> VariedValue:
    """Return what is varied with its values, of which none may come twice and not too many. ordered: as in
    `VariedValue`. Raises PlanError."""
    if twice := [text for text in texts if texts.count(text) > 1]:
        raise PlanError(phrase("errors", "'{name}' has the same value twice: {value}.", name=name, value=twice[0]))
    if len(texts) > MAX_VALUES:
        raise PlanError(
            phrase(
                "errors",
                "'{name}' has {count} values; at most {most} are tried. Take steps, as in '{example}'.",
                name=name,
                count=len(texts),
                most=MAX_VALUES,
                example="10..500 by 10",
            )
        )
    return VariedValue(name, path, now, tuple(texts), ordered)


def _parts(values_text: str) -> Iterator[str]:
    """Yield the parts between commas that are not inside parentheses. Raises PlanError."""
    depth, begin = 0, 0
    for index, character in enumerate(f"{values_text},"):
        depth += (character == "(") - (character == ")")
        if index == len(values_text) or (character == "," and depth <= 0):
            if not (part := values_text[begin:index].strip()):
                raise PlanError(phrase("errors", "A value is missing in '{given}'.", given=values_text))
            yield part
            begin = index + 1


def _numbers(name: str, text: str) -> list[str]:
    """Return the numbers of a range such as '6..14 by 2', of which one more than MAX_VALUES at most. Raises
    PlanError."""
    match = _RANGE.fullmatch(text)
    assert match is not None
    if not all(_NUMBER.fullmatch(part) for part in match.groups() if part is not None):
        raise PlanError(
            phrase(
                "errors",
                "'{name}' has a range that cannot be read: '{range}'. Numbers have at most nine digits, and two behind "
                "the point.",
                name=name,
                range=text,
            )
        )
    least, most, step = Decimal(match[1]), Decimal(match[2]), Decimal(match[3] or 1)
    if least > most or step <= 0:
        raise PlanError(
            phrase(
                "errors",
                "'{name}' has a range without numbers: '{range}'. The least comes first, and steps are more than 0.",
                name=name,
                range=text,
            )
        )
    count = min(int((most - least) / step) + 1, MAX_VALUES + 1)
    return [_format_number(least + number * step) for number in range(count)]


def _normalized(text: str) -> str:
    """Return a text of the edition as a search has it: a number below zero with its sign, one blank between words."""
    text = " ".join(text.split())
    if match := _BELOW_ZERO.fullmatch(text):
        text = f"-{match[1]}"
    number = _NUMBER.fullmatch(text)
    return number[1] + _format_number(Decimal(number[2])) if number is not None else text


def _format_number(number: Decimal) -> str:
    """Return a number in its shortest form, without an exponent."""
    return f"{number.normalize():f}" if number else "0"


def _example(edition: Edition) -> str:
    """Return a value with numbers around its own, as somebody would type it."""
    for path, node in _known(edition):
        if path[0] == "values" and re.fullmatch(r"\d{1,6}", node.text.strip()) and int(node.text) > 1:
            return f"{_shortened_path(path)[-1]}={max(1, int(node.text) - 3)}..{int(node.text) + 3}"
    return "NAME=1..9"
