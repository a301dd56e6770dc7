"""Rewriting of drawing programs' SVG as SVG that only draws: shapes, groups, gradients and clips.

An allowlist decides what is taken; editors' notes are dropped; what readers would miss, such as texts or shadows, is
rejected, all of it at once. Styles become attributes. Ids of gradients and clips are derived from the drawing, so that
pictures can share a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from rulewright.base.diagnostics import RulewrightError

NAMESPACE = "http://www.w3.org/2000/svg"
"""XML namespace of SVG."""
_LINKS = "{http://www.w3.org/1999/xlink}href"
"""Attribute by which older files refer to an element."""
_MAX_DEPTH = 50
"""Limit of elements within elements, also through `use`."""
_MAX_ELEMENTS = 5_000
"""Limit of elements in the result."""
_MAX_SIZE = 200_000
"""Largest result, in characters."""
_MAX_STYLES = 2_000
"""Most rules of style sheets in one file."""

_SHAPES = frozenset(["path", "rect", "circle", "ellipse", "line", "polyline", "polygon"])
_GRADIENTS = frozenset(["linearGradient", "radialGradient"])
"""Elements that paint can refer to."""
_WITH_ID = _GRADIENTS | {"clipPath"}
"""Elements that get an id in the result, to be referred to."""
_ELEMENTS = _SHAPES | _WITH_ID | {"svg", "title", "g", "defs", "stop", "use"}
"""All elements that are taken; those in `_NOTES` are dropped, any other is an error."""
_NOTES = frozenset(["metadata", "desc", "style", "namedview"])
"""Elements that draw nothing."""

_WRONG = {
    "text": "a text (<text>): turn it into paths",
    "image": "an image inside it (<image>): draw it as shapes",
    "filter": "a filter, such as a shadow or a blur (<filter>): leave it out",
    "mask": "a mask (<mask>): use a clip, or cut the shape",
    "pattern": "a pattern (<pattern>): draw it as shapes",
    "marker": "arrow heads or other markers: turn them into paths",
    "script": "a script (<script>)",
    "a": "a link (<a>)",
    "foreignObject": "parts of another format (<foreignObject>)",
    "animate": "an animation (<animate>)",
    "symbol": "symbols (<symbol>): turn them into shapes",
}
"""Unsupported elements in words for the message, most with what to do about them."""

_PLACES = ["viewBox", "transform", "d", "points", "x", "y", "width", "height", "x1", "y1", "x2", "y2"]
_ROUND = ["cx", "cy", "r", "rx", "ry"]
_STROKES = [f"stroke-{what}" for what in ("width", "opacity", "linecap", "linejoin", "miterlimit", "dasharray")]
_PAINT = ["fill", "fill-opacity", "fill-rule", "stroke", "opacity", "stroke-dashoffset", *_STROKES]
_OF_GRADIENTS = ["offset", "stop-color", "stop-opacity", "fx", "fy", "spreadMethod"]
_UNITS = ["gradientUnits", "gradientTransform"]
_OF_CLIPS = ["clip-path", "clip-rule", "clipPathUnits"]
_ATTRIBUTES = frozenset([*_PLACES, *_ROUND, *_PAINT, *_OF_GRADIENTS, *_UNITS, *_OF_CLIPS])
"""Attributes that are copied."""
_STYLED = frozenset([*_PAINT, "stop-color", "stop-opacity", "clip-path", "clip-rule"])
"""Properties that a style may set; they become attributes."""
_REFERRING = frozenset(["fill", "stroke", "clip-path"])
"""Attributes that may refer to another element by url(#…)."""
_MISSED = {"filter": "filter", "mask": "mask", "marker-start": "marker", "marker-mid": "marker", "marker-end": "marker"}
"""Properties that refer to unsupported elements, each with that element."""
_VISIBILITY = frozenset(["display", "visibility", "mix-blend-mode"])
"""Further properties of a style that are read: whether an element shows, and how it blends with those beneath."""
_NOTHING = frozenset(["", "none", "normal", "auto", "inherit"])
"""Values of a property that change nothing."""

_VALUE = re.compile(r"[\w\s#.,%()+-]{0,100000}")
"""Harmless value of an attribute."""
_REFERENCE = re.compile(r"url\(\s*['\"]?#([^'\")\s]+)['\"]?\s*\)\s*(?:none|#\w+|\w+)?", re.IGNORECASE)
"""Reference to an element, with the colour to fall back to, which is dropped."""
_LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(px|mm|cm|in|pt|pc)?\s*")
_PIXELS = {None: 1.0, "px": 1.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 96 / 72, "pc": 16.0}
"""Pixels of a unit of length; None: no unit."""
_DOCTYPE = re.compile(r"<!DOCTYPE[^<>\[\]]*>")
_COMMENT = re.compile(r"(?s)<!--.*?-->")
_CSS_COMMENT = re.compile(r"(?s)/\*.*?\*/|<!--|-->")
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
"""Rule of a style sheet: selectors and declarations."""


class UnfitDrawing(RulewrightError):
    """Error: SVG that cannot be used as a picture. problems: all that are known, in words."""

    def __init__(self, *problems: str) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def clean(text: str) -> str:
    """Return the SVG of a file rewritten with safe elements and attributes only. Raises UnfitDrawing."""
    text = _DOCTYPE.sub("", _COMMENT.sub("", text), count=1)
    if "<!" in text.replace("<![CDATA[", ""):  # no entities, which could grow without end
        raise UnfitDrawing("it has a <!DOCTYPE> with entities or the like; a picture needs none")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        line, column = error.position
        raise UnfitDrawing(f"line {line}, column {column + 1}: this is no SVG") from None
    if _local_tag(root.tag) != "svg" or not (view := _view(root)):
        raise UnfitDrawing("it is no <svg> with a viewBox, or with a width and a height")
    ElementTree.register_namespace("", NAMESPACE)
    clean = _Cleaner(root, sha256(text.encode()).hexdigest()[:8]).root(view)
    result = ElementTree.tostring(clean, encoding="unicode")
    if len(result) > _MAX_SIZE:
        raise UnfitDrawing(f"it draws more than {_MAX_SIZE:,} characters of shapes: simplify its paths")
    return result


def _view(root: Element) -> str:
    """Return the viewBox of a picture, or one made of width and height; '' without both."""
    if (view := root.get("viewBox", "")).strip():
        return view if _VALUE.fullmatch(view) and len(view.replace(",", " ").split()) == 4 else ""
    sides = [_LENGTH.fullmatch(root.get(side, "")) for side in ("width", "height")]
    lengths = [float(side[1]) * _PIXELS[side[2]] for side in sides if side is not None]
    return f"0 0 {lengths[0]:.4g} {lengths[1]:.4g}" if len(lengths) == 2 and min(lengths) > 0 else ""


@dataclass
class _Cleaner:
    """State of rewriting one file.

    name: prefix of the ids in it; problems: in words, each once; element_count: elements written so far. Parameters:
    depth: number of elements around; used: ids of the targets of `use` around, so that none is in itself.
    """

    source: Element
    name: str
    problems: dict[str, None] = field(default_factory=dict)
    element_count: int = 0

    def __post_init__(self) -> None:
        """Find the elements with names, give them new ones, and read the styles of classes."""
        self.by_name = {name: element for element in self.source.iter() if (name := element.get("id"))}
        self.names = {
            name: f"p{self.name}-{number}"
            for number, (name, element) in enumerate(self.by_name.items())
            if _local_tag(element.tag) in _WITH_ID
        }
        elements = ((_local_tag(each.tag), each.text) for each in self.source.iter() if isinstance(each.tag, str))
        self.classes = self.sheet("".join(text or "" for name, text in elements if name == "style"))

    def root(self, view: str) -> Element:
        """Rewrite the whole picture. Raises UnfitDrawing with all problems."""
        picture = self.element(self.source, 0, ())
        if self.problems or picture is None or not len(picture):
            raise UnfitDrawing(*self.problems or ["it draws nothing"])
        for side in ("width", "height", "x", "y"):
            picture.attrib.pop(side, None)
        picture.set("viewBox", view)
        return picture

    def reject(self, problem: str) -> None:
        """Record a reason why the picture cannot be used."""
        self.problems.setdefault(problem)

    def sheet(self, text: str) -> dict[str, dict[str, str]]:
        """Parse a style sheet into properties by class."""
        text, classes = _CSS_COMMENT.sub("", text), dict[str, dict[str, str]]()
        rules = _RULE.findall(text)
        if _RULE.sub("", text).strip() or len(rules) > _MAX_STYLES:
            self.reject("a style sheet in <style> with more than classes: save it with presentation attributes")
            return {}
        for selectors, body in rules:
            for selector in map(str.strip, selectors.split(",")):
                if re.fullmatch(r"\.[\w-]+", selector):
                    classes.setdefault(selector[1:], {}).update(_properties(body))
                else:
                    self.reject(f"a style for '{selector[:40]}' in <style>: only classes, such as .a, are taken")
        return classes

    def element(self, element: Element, depth: int, used: tuple[str, ...]) -> Element | None:
        """Rewrite an element; None if it draws nothing. Raises UnfitDrawing for a picture that is nested too deep or
        has too many elements."""
        name = _local_tag(element.tag) if isinstance(element.tag, str) else "!"
        if name in _NOTES or name.startswith(("{", "!")):
            return None
        if name == "switch":
            name = "g"
        if name not in _ELEMENTS and name != "g":
            self.reject(_WRONG.get(name, f"a <{name[:40]}>"))
            return None
        self.element_count += 1
        if depth > _MAX_DEPTH or self.element_count > _MAX_ELEMENTS:
            raise UnfitDrawing(
                f"it has groups in groups, more than {_MAX_DEPTH} deep"
                if depth > _MAX_DEPTH
                else f"it has more than {_MAX_ELEMENTS:,} shapes: simplify it"
            )
        properties = self.properties(element)
        if properties.get("display") == "none" or properties.get("visibility") in ("hidden", "collapse"):
            return None
        if name == "use":
            return self.copy_target(element, properties, depth, used)
        clean = element.makeelement(f"{{{NAMESPACE}}}{name}", {})
        self.attributes(clean, name, element, properties)
        if name == "title":
            clean.text = element.text
            return clean
        inner = (self.element(child, depth + 1, used) for child in element)
        clean.extend([child for child in inner if child is not None])
        return None if name in ("g", "defs") and not len(clean) else clean

    def properties(self, element: Element) -> dict[str, str]:
        """Collect the paint properties of an element: from its attributes, its classes, then its own style."""
        style = {key: value for key, value in element.items() if key in _STYLED or key in _MISSED or key == "display"}
        for name in element.get("class", "").split():
            style |= self.classes.get(name, {})
        return style | _properties(element.get("style", ""))

    def attributes(self, clean: Element, name: str, element: Element, properties: Mapping[str, str]) -> None:
        """Copy an element's safe attributes and paint properties to its rewritten form; reject what readers would
        miss."""
        if name in _WITH_ID and (own := self.names.get(element.get("id", ""))):
            clean.set("id", own)
        if name in _GRADIENTS and (to := self.target(element)) in self.names:
            clean.set("href", f"#{self.names[to]}")
        for key, value in {**dict(element.items()), **properties}.items():
            if key.lower().startswith("on"):
                self.reject(f"a script, in {key[:40]}")
            elif key in _MISSED or key == "mix-blend-mode":
                if value.strip() not in _NOTHING:
                    self.reject(_WRONG.get(_MISSED.get(key, ""), f"blending, by {key}: leave it out"))
            elif key in _REFERRING and "url" in value.lower():
                self.refer(clean, key, value)
            elif key in _ATTRIBUTES and key not in ("viewBox",):
                if not _VALUE.fullmatch(value) or "url" in value.lower():
                    self.reject(f'<{name}> with {key}="{value[:40]}"')
                else:
                    clean.set(key, value)

    def refer(self, clean: Element, key: str, value: str) -> None:
        """Copy a paint or clip that refers to another element of the file."""
        match = _REFERENCE.fullmatch(value.strip())
        if match is None:
            self.reject(f'{key}="{value[:40]}", which lies outside the file')
        elif (to := self.names.get(match[1])) is not None:
            clean.set(key, f"url(#{to})")
        elif (other := self.by_name.get(match[1])) is not None:
            self.reject(_WRONG.get(_local_tag(other.tag), f'{key}="{value[:40]}"'))
        elif key != "clip-path":
            clean.set(key, "none")

    def target(self, element: Element) -> str:
        """Return the id that an element's link within the file leads to, or ''."""
        link = element.get("href") or element.get(_LINKS) or ""
        return link[1:] if link.startswith("#") else ""

    def copy_target(
        self, element: Element, properties: Mapping[str, str], depth: int, used: tuple[str, ...]
    ) -> Element | None:
        """Return a `use` element as a group with a copy of its target; None if it draws nothing."""
        to = self.target(element)
        target = self.by_name.get(to)
        if target is None or to in used or _local_tag(target.tag) not in _SHAPES | {"g", "use"}:
            if target is None and (element.get("href") or element.get(_LINKS)):
                self.reject("a copy of what lies outside the file, or is not there")
            elif target is not None:
                self.reject(_WRONG["symbol"] if _local_tag(target.tag) == "symbol" else "a copy of itself")
            return None
        group = element.makeelement(f"{{{NAMESPACE}}}g", {})
        plain = {key: value for key, value in element.items() if key == "transform"}
        moved = [plain.get("transform", "")]
        x, y = (element.get(key, "0") for key in ("x", "y"))
        if {x, y} != {"0"} and _VALUE.fullmatch(f"{x} {y}"):
            moved.append(f"translate({x} {y})")
        self.attributes(group, "g", element.makeelement("g", {}), properties)
        if transform := " ".join(filter(None, moved)):
            group.set("transform", transform)
        inner = self.element(target, depth + 1, (*used, to))
        if inner is None:
            return None
        group.append(inner)
        return group


def _properties(style: str) -> dict[str, str]:
    """Return the properties of a style that paint or hide, or that refer to unsupported elements."""
    return {key: value for key, value in _declarations(style) if key in _STYLED or key in _MISSED or key in _VISIBILITY}


def _declarations(style: str) -> Iterator[tuple[str, str]]:
    """Yield the properties of a style, in small letters, with their values."""
    for declaration in style.split(";"):
        key, colon, value = declaration.partition(":")
        if colon:
            yield key.strip().lower(), value.replace("!important", "").strip()


def _local_tag(tag: str) -> str:
    """Return a tag without SVG's namespace; tags of other namespaces keep theirs."""
    return tag.removeprefix(f"{{{NAMESPACE}}}")
