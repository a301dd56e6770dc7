"""The pictures of one page: each stands there once, as does what several have in common, such as a board's land."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from xml.etree import ElementTree

_NAMESPACE = "http://www.w3.org/2000/svg"
_SVG = f"{{{_NAMESPACE}}}"

WORTH = 300
"""Length, in letters, from which a group is kept apart from its picture."""


class DrawnOnce:
    """What `use` was asked for, until `all` tells it."""

    def __init__(self) -> None:
        self._views: dict[str, tuple[str, str]] = {}  # picture -> its name here, its viewBox
        self._names: dict[str, str] = {}  # what is drawn -> its name here
        self._told: list[str] = []

    def use(self, svg: str, how: str) -> str:
        """A picture where it is seen. how: attributes of its element."""
        name, view = self._known(svg)
        size = " ".join(view[2:])  # where the picture begins is for the symbol to say
        return f'<svg {how} viewBox="0 0 {escape(size)}"><use href="#{name}"/></svg>'

    def width(self, svg: str) -> float:
        """How wide a picture is, in its own units."""
        return float(self._known(svg)[1][2])

    def all(self) -> str:
        """All pictures that were used, to be put on the page where nobody sees them."""
        return f'<svg class="pictures" xmlns="{_NAMESPACE}" aria-hidden="true">{"".join(self._told)}</svg>'

    def _known(self, svg: str) -> tuple[str, list[str]]:
        if svg not in self._views:
            root = ElementTree.fromstring(svg)
            view = root.get("viewBox", "0 0 100 100")
            self._views[svg] = (self._picture(root), view)
        name, view = self._views[svg]
        return name, view.replace(",", " ").split()

    def _picture(self, root: ElementTree.Element) -> str:
        for title in root.findall(f"{_SVG}title"):  # it is in no reader's language
            root.remove(title)
        root.tag = f"{_SVG}symbol"
        for size in ("width", "height"):
            root.attrib.pop(size, None)
        inner: dict[str, str] = {}
        for defined in root.findall(f"{_SVG}defs"):
            for symbol in defined.findall(f"{_SVG}symbol"):
                defined.remove(symbol)
                name = symbol.attrib.pop("id", "")
                inner[name] = self._named(_written(symbol))
            if not len(defined):
                root.remove(defined)
        _rename(root, inner)
        for place, child in enumerate(root):
            if child.tag == f"{_SVG}g" and "id" not in child.attrib and len(drawn := _written(child)) >= WORTH:
                root[place] = ElementTree.Element(f"{_SVG}use", {"href": f"#{self._named(drawn)}"})
        return self._named(_written(root))

    def _named(self, drawn: str) -> str:
        """The name of what an element draws; it is kept if it is new."""
        if drawn not in self._names:
            self._names[drawn] = name = f"_{len(self._names)}"  # as no rule's anchor is written
            end = re.match("<[a-zA-Z]+", drawn)
            assert end is not None
            self._told.append(f'{end[0]} id="{name}"{drawn[end.end() :]}')
        return self._names[drawn]


def _rename(root: ElementTree.Element, names: Mapping[str, str]) -> None:
    for use in root.iter(f"{_SVG}use"):
        name = use.get("href", "").removeprefix("#")
        if name in names:
            use.set("href", f"#{names[name]}")


def _written(element: ElementTree.Element) -> str:
    """In a third of the time that the library takes, which looks for namespaces; what is written here is SVG alone."""
    tag = element.tag.removeprefix(_SVG)
    attributes = "".join([f' {name}="{escape(value)}"' for name, value in element.items()])
    inside = escape(element.text or "", quote=False) + "".join([_written(child) for child in element])
    written = f"<{tag}{attributes}>{inside}</{tag}>" if inside else f"<{tag}{attributes} />"
    return written + escape(element.tail, quote=False) if element.tail else written
