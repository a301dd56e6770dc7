"""Warn of pictures that are missing, or that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.authoring.lint import messages
from rulewright.authoring.lint.context import LintContext
from rulewright.base.diagnostics import Report, did_you_mean
from rulewright.model.declarations import Kind
from rulewright.model.edition import Edition
from rulewright.model.pictures import (
    PictureError,
    Pictures,
    kind_slot_values,
    picture_name,
    picture_pattern,
    word_slot_values,
)
from rulewright.syntax.source import Scalar


def check(context: LintContext, report: Report) -> None:
    """Warn of pictures that are missing or cannot be read; of none in an edition that is a text without a file."""
    edition = context.edition
    if not edition.files:
        return  # a text has no folder that pictures could lie in
    pictures = Pictures(edition)
    for pattern, names in picture_names(edition):
        if missing := [name for name in names if pictures.path(name) is None]:
            more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
            message = pictures.missing_message(missing[0]).replace(f"'{missing[0]}':", f"'{missing[0]}'{more}:", 1)
            hints = did_you_mean(missing[0], pictures.names())
            report.warning(pattern.place, messages.BAD_PICTURE(reason=message), *hints)
        for name in names:
            try:
                if name not in missing:
                    pictures.svg(name)
            except PictureError as error:
                report.warning(pattern.place, messages.BAD_PICTURE(reason=str(error)))


def picture_names(edition: Edition) -> Iterator[tuple[Scalar, list[str]]]:
    """Yield each text that names pictures, with the names for all values of its slots, each once, without ''."""
    for name, look in edition.looks.items():
        kind = edition.kinds[name]
        rows = [
            (kind_slot_values(edition, kind, row), picture_pattern(edition, look, kind, row))
            for row in _visible_rows(kind)
        ]
        large = [look.picture, *look.pictures_by_word.values()]
        for pattern in look.pictures():
            fillings = [slots for slots, own in rows if own is pattern or not any(pattern is one for one in large)]
            yield pattern, _distinct(picture_name(pattern.text, edition, slots) for slots in fillings)
    for board, pattern in (*edition.grounds.items(), *edition.space_signs.items()):
        spaces = edition.boards[board].spaces
        every = range(len(edition.words[spaces].words))
        yield (
            pattern,
            _distinct(picture_name(pattern.text, edition, word_slot_values(edition, spaces, n)) for n in every),
        )
    alone = (*edition.surroundings.values(), *edition.gap_grounds.values(), *edition.rule_pictures.values())
    for pattern in (*alone, *_tokens(edition)):
        yield pattern, _distinct([picture_name(pattern.text, edition, {})])


def _visible_rows(kind: Kind) -> Iterator[list[int]]:
    """Yield the values of the attributes of a kind's pieces, for each face that they can show."""
    for row, _ in kind.rows:
        for face in kind.faces or [None]:
            changed = {kind.changing: face} if face is not None else {}
            yield [changed.get(name, value) for name, value in zip(kind.attributes, row, strict=True)]


def _tokens(edition: Edition) -> Iterator[Scalar]:
    """Yield the names of tokens' pictures."""
    return (look.picture for look in edition.tokens.values() if look.picture is not None)


def _distinct(names: Iterable[str]) -> list[str]:
    """Return names each once, without ''."""
    return list(dict.fromkeys(name for name in names if name))
