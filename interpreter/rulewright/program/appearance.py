"""Appearance of pieces: types, and the marks that distinguish pieces of one type."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulewright.program.form import MARK_BITS, PieceType, Program, Site
from rulewright.program.state_layout import NOTHING, Mark
from rulewright.program.value_types import Type, parse_hundredths


def type_with_marks(program: Program, appearance: int) -> PieceType:
    """Return the type for a number of `Program.appearance`: a plain type, or one with marks in its name."""
    number, face = divmod(appearance, len(program.types))
    type_ = program.types[face]
    if not number:
        return type_
    marks = tuple(_marks(program, type_.kind, number))
    note = " and ".join(_mark_text(program, mark, held) for mark, held in marks)
    return replace(type_, name=f"{type_.name} ({note})", plural=f"{type_.plural} ({note})", marks=marks)


def appearances_by_name(program: Program, names: Iterable[str]) -> dict[str, int]:
    """Map names such as 'red 2' and 'tank (damage 2)' to numbers of appearances; unknown names are left out."""
    faces = {type_.name: number for number, type_ in enumerate(program.types)}
    result = {}
    for name in names:
        look = faces[name] if name in faces else _appearance_with_marks(program, faces, name)
        if look is not None:
            result[name] = look
    return result


def distinct_pieces(program: Program) -> tuple[bool, ...]:
    """Return for each piece whether no other one ever shows one of its faces."""
    copies = Counter(face for piece in range(program.layout.pieces) for face in program.possible_types(piece))
    return tuple(
        all(copies[face] == 1 for face in program.possible_types(piece)) for piece in range(program.layout.pieces)
    )


def may_look_equal(program: Program, site: Site) -> bool:
    """Return whether two candidates of a question may show the same face, whatever their marks; False unless it is
    about pieces."""
    if site.element.base != "piece":
        return False
    unlike = distinct_pieces(program)
    pieces = (n for n, type_ in enumerate(program.type_of) if program.types[type_].kind in site.element.detail)
    return not all(unlike[piece] for piece in pieces)


def may_be_indistinguishable(program: Program, site: Site) -> bool:
    """Return whether two candidates of a question may be indistinguishable to the chooser. False unless it is about
    pieces that zones hold several of; True where such a zone is hidden from anybody; else as `may_look_equal`."""
    if site.element.base != "piece":
        return False
    kinds = frozenset(site.element.detail)
    zones = [space for space in program.layout.zones if space.holds & kinds and space.capacity > 1]
    if all(space.seen_by == "all" for space in zones):
        return bool(zones) and may_look_equal(program, site)
    return True


def name_without_marks(name: str) -> str:
    """Return a piece's name without its marks."""
    return name.removesuffix(")").rpartition(" (")[0] if name.endswith(")") and " (" in name else name


def _marks(program: Program, kind: str, number: int) -> Iterator[tuple[Mark, int]]:
    """Yield the marks of a kind that differ from their start, and their contents, from the number of their
    combination."""
    for mark in program.layout.marks:
        more = number >> (MARK_BITS * mark.number) & ((1 << MARK_BITS) - 1)
        if more:
            yield mark, mark.initial_by_kind[kind] + (-(more + 1) // 2 if more % 2 else more // 2)


def _mark_text(program: Program, mark: Mark, content: int) -> str:
    """Return a mark as part of a piece's name: 'moved', 'moved no', 'damage 2', 'stance low', 'stance nothing'."""
    if mark.type.base == "truth":
        return mark.name if content else f"{mark.name} no"
    if mark.type.is_number:
        return f"{mark.name} {mark.type.decode(content)}"
    if content < 0:
        return f"{mark.name} nothing"
    value = str(content + 1) if mark.type.base == "seat" else program.words[str(mark.type.detail)][content]
    return f"{mark.name} {value}"


def _appearance_with_marks(program: Program, faces: dict[str, int], name: str) -> int | None:
    """Return the number of the appearance with this name, such as 'tank (damage 2)'; None for an unknown name. faces:
    type numbers by name."""
    face, note = faces.get(name_without_marks(name)), name.removesuffix(")").rpartition(" (")[2]
    if face is None or not name.endswith(")"):
        return None
    marks = [_parse_mark(program, part.strip(), program.types[face].kind) for part in re.split(",| and ", note)]
    known = [mark for mark in marks if mark is not None]
    twice = len({mark.number for mark, _ in known}) < len(known)
    return None if twice or len(known) < len(marks) else program.appearance_of(face, known)


def _parse_mark(program: Program, text: str, kind: str) -> tuple[Mark, int] | None:
    """Find a kind's mark by its text in a name; return it with its content, or None."""
    for mark in program.layout.marks:
        if kind in mark.initial_by_kind and mark.visible and f"{text} ".startswith(f"{mark.name} "):
            content = _parse_content(program, mark.type, text.removeprefix(mark.name).strip())
            if content is not None:
                return mark, content
    return None


def _parse_content(program: Program, type_: Type, text: str) -> int | None:
    """Parse the content of a mark of a type; None for a text that is none."""
    if type_.base == "truth":
        return {"": 1, "yes": 1, "no": 0}.get(text)
    if type_.base == "fraction":
        return parse_hundredths(text) if re.fullmatch(r"-?\d{1,7}(\.\d{1,2})?", text) else None
    if type_.base == "number":
        return int(text) if re.fullmatch(r"-?\d{1,9}", text) else None
    if text == "nothing":
        return NOTHING
    if type_.base == "seat":
        return int(text) - 1 if re.fullmatch(r"\d{1,2}", text) and 0 < int(text) <= program.layout.seats else None
    words = program.words[str(type_.detail)]
    return words.index(text) if text in words else None
