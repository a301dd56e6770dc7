"""What pieces show: their types, and the marks by which pieces of one type are told apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rulewright.program.form import MARK_BITS, NOTHING, Mark, PieceType, Program, Site, Type, parts_of


def type_at(program: Program, look: int) -> PieceType:
    """What `Program.look` has numbered: a type, or one with marks, which its name tells."""
    number, face = divmod(look, len(program.types))
    type_ = program.types[face]
    if not number:
        return type_
    marks = tuple(_marks(program, type_.kind, number))
    note = " and ".join(_named(program, mark, held) for mark, held in marks)
    return replace(type_, name=f"{type_.name} ({note})", plural=f"{type_.plural} ({note})", marks=marks)


def looks_called(program: Program, names: Iterable[str]) -> dict[str, int]:
    """The looks of pieces by names such as 'red 2' and 'tank (damage 2)'; without those that are none."""
    faces = {type_.name: number for number, type_ in enumerate(program.types)}
    found = {}
    for name in names:
        look = faces[name] if name in faces else _look_with_marks(program, faces, name)
        if look is not None:
            found[name] = look
    return found


def unlike_pieces(program: Program) -> tuple[bool, ...]:
    """Of each piece, whether none ever shows the face that it shows."""
    copies = Counter(face for piece in range(program.layout.pieces) for face in program.looks(piece))
    return tuple(all(copies[face] == 1 for face in program.looks(piece)) for piece in range(program.layout.pieces))


def may_show_alike(program: Program, site: Site) -> bool:
    """Return whether two candidates of a question may show the same."""
    if site.element.base != "piece":
        return False
    unlike = unlike_pieces(program)
    pieces = (n for n, type_ in enumerate(program.type_of) if program.types[type_].kind in site.element.detail)
    return not all(unlike[piece] for piece in pieces)


def may_be_alike(program: Program, site: Site) -> bool:
    """Return whether two candidates of a question may look alike to whoever is asked: pieces that show the same, or are
    not seen, in one zone."""
    if site.element.base != "piece":
        return False
    kinds = frozenset(site.element.detail)
    zones = [space for space in program.layout.spaces if space.holds & kinds and space.capacity > 1]
    if all(space.seen_by == "all" for space in zones):
        return bool(zones) and may_show_alike(program, site)
    return True


def bare(name: str) -> str:
    """What a piece is called without its marks, if its name tells any."""
    return name.removesuffix(")").rpartition(" (")[0] if name.endswith(")") and " (" in name else name


def _marks(program: Program, kind: str, number: int) -> Iterator[tuple[Mark, int]]:
    for mark in program.layout.marks:
        more = number >> (MARK_BITS * mark.number) & ((1 << MARK_BITS) - 1)
        if more:
            yield mark, mark.starts[kind] + (-(more + 1) // 2 if more % 2 else more // 2)


def _named(program: Program, mark: Mark, held: int) -> str:
    """A mark as it stands in the name of a piece: 'moved', 'damage 2', 'stance low'."""
    if mark.type.base == "truth":
        return mark.name if held else f"{mark.name} no"
    if mark.type.counts:
        return f"{mark.name} {mark.type.told(held)}"
    if held < 0:
        return f"{mark.name} nothing"
    told = str(held + 1) if mark.type.base == "seat" else program.words[str(mark.type.detail)][held]
    return f"{mark.name} {told}"


def _look_with_marks(program: Program, faces: dict[str, int], name: str) -> int | None:
    face, note = faces.get(bare(name)), name.removesuffix(")").rpartition(" (")[2]
    if face is None or not name.endswith(")"):
        return None
    marks = [_called(program, part.strip(), program.types[face].kind) for part in re.split(",| and ", note)]
    known = [mark for mark in marks if mark is not None]
    twice = len({mark.number for mark, _ in known}) < len(known)
    return None if twice or len(known) < len(marks) else program.look_of(face, known)


def _called(program: Program, text: str, kind: str) -> tuple[Mark, int] | None:
    """A mark of a kind as it stands in a name, and what it holds."""
    for mark in program.layout.marks:
        if kind in mark.starts and mark.shown and f"{text} ".startswith(f"{mark.name} "):
            held = _held(program, mark.type, text.removeprefix(mark.name).strip())
            if held is not None:
                return mark, held
    return None


def _held(program: Program, type_: Type, text: str) -> int | None:
    """What a mark holds, by what stands behind its name."""
    if type_.base == "truth":
        return {"": 1, "yes": 1, "no": 0}.get(text)
    if type_.base == "fraction":
        return parts_of(text) if re.fullmatch(r"-?\d{1,7}(\.\d{1,2})?", text) else None
    if type_.base == "number":
        return int(text) if re.fullmatch(r"-?\d{1,9}", text) else None
    if text == "nothing":
        return NOTHING
    if type_.base == "seat":
        return int(text) - 1 if re.fullmatch(r"\d{1,2}", text) and 0 < int(text) <= program.layout.seats else None
    words = program.words[str(type_.detail)]
    return words.index(text) if text in words else None
