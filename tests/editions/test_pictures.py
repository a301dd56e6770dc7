"""The pictures of the games: plain, small, alike in form, and in the colours of spec/PICTURES.md."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright.base import resources
from rulewright.game import library

EDITIONS = resources.folder("editions")
PICTURES = sorted(EDITIONS.rglob("*.svg"))
STYLE = resources.folder("spec") / "PICTURES.md"
PALETTE = set(re.findall(r"`(#[0-9A-F]{6})`", STYLE.read_text(encoding="utf-8")))
BYTES = 8000

CREAM = "#FFF6E3"
SEEN_BY = {  # what eyes make of red, green and blue light (Machado and others, 2009); then a printer without colours
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopes": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopes": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopes": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
    "printers": ((0.2126, 0.7152, 0.0722),) * 3,
}

NAMESPACE = "{http://www.w3.org/2000/svg}"
PAINT = {"fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin"}
ATTRIBUTES = {
    "svg": {"viewBox"},
    "title": set(),
    "g": PAINT | {"transform"},
    "path": PAINT | {"transform", "d"},
    "circle": PAINT | {"transform", "cx", "cy", "r"},
    "ellipse": PAINT | {"transform", "cx", "cy", "rx", "ry"},
    "rect": PAINT | {"transform", "x", "y", "width", "height", "rx"},
}


def box(name: str) -> str:
    if name.partition("-")[0] == "cover":
        return "0 0 800 500"
    return "-30 -30 690 940" if name.startswith(("back-", "ground-")) else "0 0 200 200"


def test_there_are_pictures_and_colours() -> None:
    assert {path.parent.parent.name for path in PICTURES} >= {"wild-cards", "wildlife"}
    assert 12 <= len(PALETTE) <= 17


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.relative_to(EDITIONS).as_posix())
def test_every_picture_is_valid(path: Path) -> None:
    assert path.parent.name == "pictures"
    assert re.fullmatch(r"[a-z]+(-[a-z]+|-[1-9][0-9]*|-0)*", path.stem)
    content = path.read_bytes()
    assert len(content) < BYTES
    text = content.decode("ascii")
    assert "<!" not in text and "<?" not in text, "no comment, entity or declaration"
    root = ElementTree.fromstring(text)
    assert root.tag == f"{NAMESPACE}svg"
    assert root.get("viewBox") == box(path.stem)
    assert root[0].tag == f"{NAMESPACE}title" and (root[0].text or "").strip()
    assert len(root.findall(f".//{NAMESPACE}title")) == 1
    for element in root.iter():
        assert element.tag.startswith(NAMESPACE)
        kind = element.tag.removeprefix(NAMESPACE)
        assert kind in ATTRIBUTES, f"<{kind}>"
        assert set(element.attrib) <= ATTRIBUTES[kind], f"<{kind}>"
        assert kind == "title" or not (element.text or "").strip(), f"text in <{kind}>"
        assert not (element.tail or "").strip(), f"text after <{kind}>"
        for paint in ("fill", "stroke"):
            assert element.get(paint, "none") in PALETTE | {"none"}
        for name in set(element.attrib) - {"fill", "stroke"}:
            assert not re.search(r"\.\d{3}", element.attrib[name]), f"{name} has more than two decimals"


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.relative_to(EDITIONS).as_posix())
def test_nothing_is_black_by_default(path: Path) -> None:
    def walk(element: ElementTree.Element, fill: str | None) -> None:
        fill = element.get("fill", fill)
        if element.tag.removeprefix(NAMESPACE) in ("path", "circle", "ellipse", "rect"):
            assert fill is not None, ElementTree.tostring(element)
        for child in element:
            walk(child, fill)

    walk(ElementTree.parse(path).getroot(), None)


def light(colour: str, candidates: str) -> float:
    """Return the luminance of a colour, from 0 to 1."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    known = [sum(how * part for how, part in zip(row, linear, strict=True)) for row in SEEN_BY[candidates]]
    red, green, blue = (min(1, max(0, part)) for part in known)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str, candidates: str) -> float:
    darker, lighter = sorted((light(one, candidates), light(other, candidates)))
    return (lighter + 0.05) / (darker + 0.05)


def painted(path: Path) -> str:
    """The colour of the first that a picture paints and that is no rim."""
    results = (element.get(paint, CREAM) for element in ElementTree.parse(path).iter() for paint in ("fill", "stroke"))
    return next(colour for colour in results if colour not in (CREAM, "none"))


SIGNS = [path for path in PICTURES if path.stem.startswith("suit-")]


@pytest.mark.parametrize("candidates", SEEN_BY)
@pytest.mark.parametrize("path", SIGNS, ids=lambda path: path.stem)
def test_signs_in_corners_have_contrast_for_all_kinds_of_vision(path: Path, candidates: str) -> None:
    assert contrast(painted(path), CREAM, candidates) >= 3


@pytest.mark.parametrize("name", ["wild-cards/2022", "wildlife/2002"])
def test_pieces_in_a_hand_have_distinct_signs(name: str) -> None:
    """The sign is bold: a large picture that has shrunk cannot be told from others in a fan."""
    edition = library.load(name).edition
    content = edition.zones["hand"].holds
    suits = [look.suit.text if look.suit else "" for kind, look in edition.looks.items() if kind in content]
    assert suits and len(set(suits)) == len(suits) and all(suit.startswith("suit-") for suit in suits)


@pytest.mark.parametrize("candidates", SEEN_BY)
def test_leaders_differ_from_animals_at_a_glance(candidates: str) -> None:
    """Dark and light, for they show the same heads."""
    leader, animal = (
        painted(EDITIONS / "wild-cards" / "pictures" / f"ground-{kind}.svg") for kind in ("leader", "animal")
    )
    assert contrast(leader, animal, candidates) >= 3
