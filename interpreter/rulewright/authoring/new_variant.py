"""New variant of an edition: a short file with explaining comments, as a start."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulewright.authoring.edition_texts import capitalize_first, format_range, one_line
from rulewright.base import resources
from rulewright.base.diagnostics import RulewrightError, escape_controls, shorten_name
from rulewright.model import editions
from rulewright.model.declarations import Figure, canonical
from rulewright.model.edition import Edition
from rulewright.model.references import uses
from rulewright.syntax import schema
from rulewright.syntax.formatter import format_file

_NAME = re.compile(r"[^\W_](?:[\w -]{0,62}\w)?")
"""Valid name of a variant: up to 64 letters, digits, blanks and hyphens, the first and last no blank or hyphen."""
_RESERVED = re.compile(r"(?i)con|prn|aux|nul|(com|lpt)\d")
"""Names that no file can have on Windows."""
_PLAIN = re.compile(r"[^\W\d_][\w /.-]*\w")
"""Text that YAML reads as the same text without quotes, with at least two characters."""
_NUMBER = re.compile(r"\d{1,6}")
"""Body of a value that is a plain whole number, without a sign."""
_WHOLE = re.compile(r"-?\d{1,9}(\.\d{1,2})?")
"""Number, also with a fraction, that may stand without quotes."""


class VariantError(RulewrightError):
    """Error: an invalid file name, or an edition that cannot be extended from there."""


def file_of(name: str, folder: Path) -> Path:
    """Return the file of a new variant. Raises VariantError for an unusable name."""
    stem = name.removesuffix(".yaml")
    if not _NAME.fullmatch(stem) or _RESERVED.fullmatch(stem):
        raise VariantError(
            f"'{shorten_name(name)}' cannot be the name of a variant: "
            "use letters, digits, spaces and hyphens, as in 'long-hands'. --dir says in which folder it goes."
        )
    return folder / f"{stem}.yaml"


def draft(edition: Edition, path: Path) -> str:
    """Return the text of a variant of an edition that changes nothing yet, to be written at `path`.

    Raises VariantError.
    """
    base = _extends_name(edition, path)
    file = _quote_for_shell(path.name)
    commands = {
        f"check {file}": "is it right?",
        f"diff {_quote_for_shell(base)} {file}": "what is different, in words",
        f"play {file}": "try it",
        f"explain {_quote_for_shell(base)}": "the names that there are to change",
    }
    width = max(map(len, commands))
    lines = [
        f"# yaml-language-server: $schema={_schema_address()}",
        "#",
        f"# A variant of {_comment(edition.full_title())}: it says only what is different.",
        "#",
        *(f"#   rulewright {command:<{width}}   {purpose}" for command, purpose in commands.items()),
        "#",
        "# Editors that know YAML help while you type: the first line tells them how, on this machine. To hand this",
        "# file on, type 'rulewright schema variant --out variant.schema.json' and let the first line name that.",
        "rulewright: 1",
        f"extends: {_scalar(base)}",
        f"title: {_scalar(edition.title)}",
        f"edition: {_scalar(path.stem)}",
        "",
        "# What is different, under the names that it has there. Take the # away, and change the number.",
        *_change_example(edition),
        "",
        "# What is new stands in sections as in any edition: words, pieces, zones, values, phases, options …",
        *_option_example(edition),
        *_remove_example(edition),
    ]
    return "\n".join(lines) + "\n"


def draft_with_changes(
    edition: Edition, path: Path, changes: Mapping[tuple[str, ...], tuple[str, str]], notes: Sequence[str]
) -> str:
    """Return the text of a variant, to be written at `path`, that changes some texts. changes: keys from the top to a
    text -> (new text, old text); notes: lines of a comment at its beginning. Raises VariantError."""
    change: dict[str, Any] = {}
    for keys, texts in changes.items():
        below = change
        for key in keys[:-1]:
            below = below.setdefault(key, {})
        below[keys[-1]] = texts
    lines = [
        *(f"# {_comment(note)}".rstrip() for note in notes),
        "rulewright: 1",
        f"extends: {_scalar(_extends_name(edition, path))}",
        f"title: {_scalar(edition.title)}",
        f"edition: {_scalar(path.stem)}",
        "",
        "change:",
        *_commented_entries(change, "  "),
    ]
    return format_file(None, path.name, "\n".join(lines) + "\n")


def _commented_entries(entries: Mapping[str, Any], indent: str) -> Iterator[str]:
    """Yield the lines of changed entries, each with the base's value as a comment. entries: mappings by key, with
    (new text, old text) at their ends."""
    for key, inner in entries.items():
        if isinstance(inner, dict):
            yield f"{indent}{_scalar(key)}:"
            yield from _commented_entries(inner, f"{indent}  ")
        else:
            new, old = inner
            yield f"{indent}{_scalar(key)}: {_scalar(new)} # instead of {_comment(old)}"


def _extends_name(edition: Edition, path: Path) -> str:
    """Return the name by which a file at `path` extends the edition: its own if shipped, else a relative path. Raises
    VariantError where no path leads there."""
    if edition.name in editions.available():
        return edition.name
    try:
        relative_path = os.path.relpath(Path(edition.name).resolve(), path.parent.resolve())
    except (OSError, ValueError):  # another drive
        raise VariantError(f"There is no way from '{path.parent}' to '{edition.name}'.") from None
    return Path(relative_path).as_posix()


def _schema_address() -> str:
    """Return the address of the schema of variants on this machine."""
    return (resources.folder("spec") / schema.VARIANT).as_uri()


def _change_example(edition: Edition) -> list[str]:
    """Return an example of a change, in comments: of a value of the edition, or without one of the number of
    players."""
    figure = _first_number(edition)
    if figure is None:
        return [f"# players: {format_range(edition.people)}"]
    number = int(figure.body.text)
    return [
        "# change:",
        "#   values:",
        f"#     {figure.of or 'game'}:",
        f"#       {figure.name}: {number + 1}   # instead of {number}",
    ]


def _first_number(edition: Edition) -> Figure | None:
    """Return a value that is a plain number, preferably above 1 and of a seat; None without one."""
    numbers = [
        figure
        for figure in edition.figures.values()
        if figure.is_value and not figure.cases and _NUMBER.fullmatch(figure.body.text)
    ]
    return max(numbers, key=lambda figure: (int(figure.body.text) > 1, figure.of == "seat"), default=None)


def _option_example(edition: Edition) -> list[str]:
    """Return an example of an option, in comments, with the same value as the change; [] without one."""
    figure = _first_number(edition)
    if figure is None:
        return []
    return [
        "# options:",
        "#   one more:",
        f'#     text: "{capitalize_first(figure.name)}: one more."',
        f"#     change: {{{figure.name}: +1}}",
    ]


def _remove_example(edition: Edition) -> list[str]:
    """Return an example of `remove`, in comments: the first option that no sentence uses; [] without one."""
    used_names = {use.name for use in uses(edition)}
    lone = [name for name in edition.options if canonical(name) not in used_names]
    if not lone:
        return []
    return ["", "# What there is no longer, by its name.", f"# remove: [options.{lone[0]}]"]


def _scalar(text: str) -> str:
    """Return a text as a YAML scalar."""
    plain = _PLAIN.fullmatch(text) or _WHOLE.fullmatch(text)
    return text if plain and text not in ("yes", "no") else json.dumps(text, ensure_ascii=False)


def _quote_for_shell(text: str) -> str:
    """Quote a word for a command line in a comment, if it has a blank."""
    return f'"{_comment(text)}"' if " " in text else _comment(text)


def _comment(text: str) -> str:
    """Return a text on one line, safe in a comment."""
    return escape_controls(one_line(text))
