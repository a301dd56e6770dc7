"""Pictures from drawing programs: cleaned, or refused with all that is wrong."""

from __future__ import annotations

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulewright.authoring.edition_check import examine
from rulewright.game import library
from rulewright.model import svg
from rulewright.model.pictures import PictureError, Pictures, read
from rulewright.model.svg import UnfitDrawing, clean

INKSCAPE = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg width="50mm" height="50mm" viewBox="0 0 50 50" version="1.1" id="svg1" sodipodi:docname="lion.svg"
  xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
  xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns="http://www.w3.org/2000/svg"
  xmlns:xlink="http://www.w3.org/1999/xlink" xml:space="preserve">
  <sodipodi:namedview id="namedview1" pagecolor="#ffffff" inkscape:document-units="mm" />
  <metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>
  <defs id="defs1">
    <linearGradient id="g0"><stop offset="0" style="stop-color:#ff0000;stop-opacity:1"/>
      <stop offset="1" style="stop-color:#0000ff"/></linearGradient>
    <linearGradient id="g1" xlink:href="#g0" x1="5" x2="45" y1="0" y2="0" gradientUnits="userSpaceOnUse"/>
    <inkscape:path-effect id="effect1"/>
  </defs>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1" style="display:inline">
    <circle style="fill:url(#g1);stroke:#000000;stroke-width:0.5;-inkscape-stroke:none;font-size:4px"
      id="path1" cx="25" cy="25" r="20" sodipodi:type="arc"/>
    <use xlink:href="#path1" transform="rotate(9)" x="2" y="3" id="use1"/>
  </g>
  <g inkscape:label="Sketch" style="display:none"><path d="M0 0H9"/></g>
</svg>"""

FIGMA = """<svg width="64" height="32" fill="none" xmlns="http://www.w3.org/2000/svg">
<g clip-path="url(#clip0_1_2)"><path d="M0 0H64V32H0Z" fill="#D9D9D9" style="mix-blend-mode:normal"/></g>
<defs><clipPath id="clip0_1_2"><rect width="64" height="32" fill="white"/></clipPath></defs></svg>"""

ILLUSTRATOR = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg" x="0px" y="0px" viewBox="0 0 10 10"
  style="enable-background:new 0 0 10 10;" xml:space="preserve" data-name="Layer 1">
<style type="text/css">.st0{fill:#FFCC00;} .st1, .st2{fill:none;stroke:#000;stroke-miterlimit:10;}</style>
<switch><g><rect class="st0" width="10" height="10"/><line class="st1" x1="0" y1="0" x2="9" y2="9"/></g></switch>
</svg>"""


def cleaned_elements(text: str) -> list[ElementTree.Element]:
    return [*ElementTree.fromstring(clean(text)).iter()]


def tags(text: str) -> list[str]:
    return [element.tag.rpartition("}")[2] for element in cleaned_elements(text)]


def test_a_drawing_of_inkscape_is_cleaned() -> None:
    """The drawing has a gradient that takes its colours from another, a copy, and a hidden layer."""
    assert tags(INKSCAPE) == [
        "svg",
        "defs",
        "linearGradient",
        "stop",
        "stop",
        "linearGradient",
        "g",
        "circle",
        "g",
        "circle",
    ]
    root, _, first, stop, _, second, _, circle, copy, _ = cleaned_elements(INKSCAPE)
    assert root.attrib == {"viewBox": "0 0 50 50"}
    assert second.get("href") == f"#{first.get('id')}" and second.get("gradientUnits") == "userSpaceOnUse"
    assert stop.attrib == {"offset": "0", "stop-color": "#ff0000", "stop-opacity": "1"}
    assert circle.get("fill") == f"url(#{second.get('id')})" and circle.get("stroke-width") == "0.5"
    assert copy.get("transform") == "rotate(9) translate(2 3)"


def test_a_drawing_of_figma_is_cleaned() -> None:
    root, group, _, _, clip, _ = cleaned_elements(FIGMA)
    assert root.get("viewBox") == "0 0 64 32" and group.get("clip-path") == f"url(#{clip.get('id')})"
    assert root.get("fill") == "none"


def test_a_drawing_of_illustrator_is_cleaned() -> None:
    _, _, _, rect, line = cleaned_elements(ILLUSTRATOR)
    assert (rect.get("fill"), line.get("fill"), line.get("stroke")) == ("#FFCC00", "none", "#000")


def test_names_differ_from_picture_to_picture() -> None:
    """Two pictures can stand in one page; equal ones have equal names."""
    other = INKSCAPE.replace("#ff0000", "#00ff00")
    ids = [set(re.findall(r'id="([^"]+)"', clean(text))) for text in (INKSCAPE, other, INKSCAPE)]
    assert ids[0] and not ids[0] & ids[1] and ids[0] == ids[2]


def test_a_clean_drawing_stays_as_it_is() -> None:
    for text in (INKSCAPE, FIGMA, ILLUSTRATOR):
        assert tags(clean(text)) == tags(text)


BAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">
<defs><filter id="f"/><pattern id="p"/><mask id="m"/></defs><text>hello</text><image href="data:image/png;base64,A"/>
<rect width="9" height="9" fill="url(#p)" filter="url(#f)" onclick="x()"/><g mask="url(#m)"><path d="M0 0"/></g>
<path d="M0 0" fill="url(https://example.org/x)"/><path d="M0 0" style="mix-blend-mode:multiply"/></svg>"""


def test_all_problems_of_a_drawing_are_listed(tmp_path: Path) -> None:
    (tmp_path / "bad.svg").write_text(BAD, encoding="utf-8")
    with pytest.raises(PictureError) as error:
        read(tmp_path / "bad.svg")
    message = str(error.value)
    assert message.startswith(f"{tmp_path / 'bad.svg'} cannot be used as a picture: ")
    for word in (
        "a text (<text>): turn it into paths",
        "an image inside it",
        "a filter",
        "a pattern",
        "a mask",
        "a script, in onclick",
        "blending",
        "example.org",
    ):
        assert word in message
    assert message.count("a filter") == 1


HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">'


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ('<g id="a"><use href="#a"/></g>', "a copy of itself"),
        ('<use xlink:href="other.svg#a"/>', "outside the file"),
        ("<style>@import url(x.css);</style><path d='M0 0'/>", "<style>"),
        ("<style>path{fill:red}</style><path d='M0 0'/>", "only classes"),
        ('<path d="M0 0" fill="url(javascript:alert(1))"/>', "outside the file"),
        ('<path d="M0 0&quot;&gt;"/>', "<path>"),
        ("<g/>" * 6000, "more than 5,000"),
        ("<g>" * 60 + "</g>" * 60, "deep"),
        (
            '<path d="'
            + "M0 0 " * 15_000
            + '"/>' * 1
            + '<path d="'
            + "M1 1 " * 19_000
            + '"/><path d="'
            + "M2 1 " * 19_000
            + '"/>',
            "200,000 characters",
        ),
        ("<foreignObject><body/></foreignObject>", "parts of another format"),
        ("<animate/>", "an animation"),
    ],
)
def test_unsafe_and_oversized_drawings_are_refused(inside: str, message: str) -> None:
    with pytest.raises(UnfitDrawing, match=re.escape(message)):
        clean(f"{HEAD}{inside}</svg>")


def test_copies_of_copies_are_bounded() -> None:
    """Nested copies multiply by ten at each level."""
    groups = "".join(f'<g id="g{n + 1}">' + f'<use href="#g{n}"/>' * 10 + "</g>" for n in range(9))
    with pytest.raises(UnfitDrawing, match="more than 5,000"):
        clean(f'{HEAD}<g id="g0"><path d="M0 0"/></g>{groups}</svg>')


def test_entities_are_refused() -> None:
    with pytest.raises(UnfitDrawing, match="entities"):
        clean('<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg viewBox="0 0 1 1"><title>&a;</title></svg>')


ALLOWED = re.compile(r"[\w\s#.,%()+-]*")


@pytest.mark.rotating(2)
def test_only_listed_elements_and_values_pass() -> None:
    """Random elements: only those of the list, and their values, are written."""
    chance = random.Random(4)
    names = ["g", "path", "script", "use", "a", "image", "rect", "style", "text", "linearGradient", "foreignObject"]
    keys = ["fill", "onload", "href", "style", "id", "class", "d", "filter", "clip-path", "xlink:href", "transform"]
    values = ["#a", "url(#a)", "URL(//x)", "javascript:x", "red", "fill:url(data:x)", "a", "M0 0", '"', "expression(x)"]

    def element(depth: int) -> str:
        name = chance.choice(names)
        attributes = {chance.choice(keys): chance.choice(values).replace('"', "&quot;") for _ in range(3)}
        inside = "".join(element(depth + 1) for _ in range(chance.randint(0, 3))) if depth < 3 else ""
        pairs = " ".join(f'{key}="{value}"' for key, value in attributes.items())
        return f"<{name} {pairs}>{inside}</{name}>"

    accepted = 0
    for _ in range(2000):
        try:
            elements = cleaned_elements(f"{HEAD}{element(0)}</svg>")
        except UnfitDrawing:
            continue
        accepted += 1
        for each in elements:
            assert each.tag.rpartition("}")[2] in svg._ELEMENTS
            for key, value in each.attrib.items():
                assert key in {*svg._ATTRIBUTES, "id", "href"} and ALLOWED.fullmatch(value)
                assert "url" not in value.lower() or re.fullmatch(r"url\(#p[0-9a-f]{8}-\d+\)", value)
    assert accepted > 20


GAME = """
rulewright: 1
title: Art
players: 2
words: {animal: {lion: {}, bear: {}}}
pieces: {card: {each: animal, starts in: deck, noun: "{animal}"}}
zones: {deck: {seen by: nobody, pile: yes}}
phases: {play: {text: Nothing., do: end game}}
scoring: {none: {text: Nothing., points: 0}}
looks: {cards: {card: {picture: "{animal}"}}}
"""


def test_a_png_in_place_of_an_svg_is_reported(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "lion.svg").write_text(INKSCAPE, encoding="utf-8")
    (tmp_path / "pictures" / "bear.png").write_bytes(b"\x89PNG")
    (tmp_path / "art.yaml").write_text(GAME, encoding="utf-8")
    _, report = examine(str(tmp_path / "art.yaml"))
    (warning,) = report.warnings
    assert "no picture 'bear'" in warning.message and "pictures/bear.png is no drawing" in warning.message
    assert "<circle" in Pictures(library.load(str(tmp_path / "art.yaml")).edition).svg("lion")
