"""Types of pieces: all that look alike share one, with a name of its own."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.diagnostics import RelatedPlace, Report
from rulewright.compiler import messages
from rulewright.model.declarations import Kind
from rulewright.model.edition import Edition, noun_of
from rulewright.program.form import PieceType


def piece_types(edition: Edition, report: Report) -> tuple[tuple[PieceType, ...], tuple[int, ...]]:
    """Return the types, and each piece's type at the start; types of its other faces follow that one. Report types
    of the same name."""
    types: list[PieceType] = []
    type_of: list[int] = []
    for kind, values, count in _rows(edition):
        type_of += [len(types)] * count
        for face_values in _faces(kind, values):
            noun = noun_of(edition, kind, face_values)
            types.append(
                PieceType(noun.one, noun.many, kind.name, dict(zip(kind.attributes, face_values, strict=True)))
            )
    by_name: dict[str, list[PieceType]] = {}
    for type_ in types:
        by_name.setdefault(type_.name, []).append(type_)
    for name, same in by_name.items():
        for place in dict.fromkeys(edition.kinds[type_.kind].place for type_ in same if len(same) > 1):
            others = dict.fromkeys(edition.kinds[type_.kind].place for type_ in same)
            related = tuple(RelatedPlace(other, messages.CALLED_ALIKE(name=name)) for other in others if other != place)
            problem = messages.PIECES_CALLED_ALIKE(name=name)
            report.error(place, problem, messages.TELL_KINDS_APART(), related=related)
    return tuple(types), tuple(type_of)


def _rows(edition: Edition) -> Iterator[tuple[Kind, tuple[int, ...], int]]:
    """Yield kind, attribute values and number of equal pieces, in the order of the pieces' numbers."""
    for kind in edition.kinds.values():
        for values, count in kind.rows:
            yield kind, values, count


def _faces(kind: Kind, values: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the attribute values of each face of a piece."""
    if not kind.changing:
        return [values]
    place = list(kind.attributes).index(kind.changing)
    return [(*values[:place], face, *values[place + 1 :]) for face in kind.faces]
