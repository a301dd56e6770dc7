"""Pictures that an edition names and that are not there, or that nothing can show."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.declarations import CardLook, Kind
from rulewright.diagnostics import Report, nearest
from rulewright.lint.reading import Reading
from rulewright.pictures import FOLDER, PictureError, Pictures, name_of, values
from rulewright.source import Scalar


def look(reading: Reading, report: Report) -> None:
    edition = reading.edition
    if not edition.folders:
        return  # a text has no folder that pictures could lie in
    pictures = Pictures(edition)
    for kind, card in edition.cards.items():
        for pattern in _patterns(card):
            names = _names(reading, edition.kinds[kind], pattern)
            if missing := [name for name in names if pictures.path(name) is None]:
                more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
                message = (
                    f"There is no picture '{missing[0]}'{more}: expected {FOLDER}/{missing[0]}.svg beside this file."
                )
                report.warning(pattern.place, "picture", message, nearest(missing[0], pictures.names()))
            for name in names:
                try:
                    if name not in missing:
                        pictures.svg(name)
                except PictureError as error:
                    report.warning(pattern.place, "picture", str(error))


def _patterns(card: CardLook) -> Iterator[Scalar]:
    yield from (pattern for pattern in (card.picture, *card.signs, card.back) if pattern is not None)


def _names(reading: Reading, kind: Kind, pattern: Scalar) -> list[str]:
    edition = reading.edition
    found = (name_of(pattern.text, edition, values(edition, kind, row)) for row, _ in kind.rows)
    return list(dict.fromkeys(name for name in found if name))
