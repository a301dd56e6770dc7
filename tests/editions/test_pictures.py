"""The pictures of the games: plain, small, alike in form, and in the colours of spec/PICTURES.md."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright.base import resources

EDITIONS = resources.folder("editions")
PICTURES = sorted(EDITIONS.rglob("*.svg"))
STYLE = resources.folder("spec") / "PICTURES.md"
PALETTE = set(re.findall(r"`(#[0-9A-F]{6})`", STYLE.read_text(encoding="utf-8")))
BYTES = 8000

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
    if name == "cover":
        return "0 0 800 500"
    return "-30 -30 690 940" if name.startswith(("back-", "ground-")) else "0 0 200 200"


def test_there_are_pictures_and_colours() -> None:
    assert {path.parent.parent.name for path in PICTURES} >= {"wild-cards", "wildlife"}
    assert 12 <= len(PALETTE) <= 17


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.relative_to(EDITIONS).as_posix())
def test_picture(path: Path) -> None:
    assert path.parent.name == "pictures"
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", path.stem)
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
