"""The pictures of one page: each stands there once, as does what several have in common, such as a board's land."""

from __future__ import annotations

import re
from collections import Counter
from html import escape
from xml.etree import ElementTree

from rulewright.publish.drawing import SHARED, SHARED_END, STAMP, symbol

_NAMESPACE = "http://www.w3.org/2000/svg"
_SVG = f"{{{_NAMESPACE}}}"

_IN_COMMON = re.compile(rf'(?s){SHARED}(<\w+ id="(\w+)".*?){SHARED_END}')
_NAMED = re.compile(r'( id="| href="#)([^"]+)"')

WORTH = 300
"""Length, in letters, from which a part is kept apart from its picture."""

WORTH_OF_LINES = 60
"""The same of lines that are drawn twice."""


class DrawnOnce:
    """What `use` was asked for, until `all` tells it."""

    def __init__(self) -> None:
        self._views: dict[str, tuple[str, list[str]]] = {}  # picture -> its name here, its viewBox
        self._names: dict[str, str] = {}  # what is drawn -> its name here
        self._shared: dict[str, str] = {}  # names that boards gave themselves -> here
        self._told: list[str] = []

    def use(self, svg: str, how: str) -> str:
        """A picture where it is seen. how: attributes of its element."""
        name, view = self._known(svg)
        size = " ".join(view[2:])  # where the picture begins is for the symbol to say
        box = "" if view[2] == view[3] else f' viewBox="0 0 {escape(size)}"'  # what is square has its place's size
        return f'<svg {how}{box}><use href="#{name}"/></svg>'

    def placed(self, svg: str, x: float, y: float, width: float, height: float, fill: bool = False) -> str:
        """A picture as a part of what is composed. fill: to the edges, whatever that cuts off."""
        name, (_, _, across, down) = self._known(svg)
        if fill:  # what hangs over is cut off by what it is composed in
            scale = max(width / float(across), height / float(down))
            own = float(across) * scale, float(down) * scale
            x, y, width, height = x + (width - own[0]) / 2, y + (height - own[1]) / 2, *own
        return f'<use href="#{name}" x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}"/>'

    def group(self, inside: str) -> str:
        """A part of what is composed that several have in common."""
        return f'<use href="#{self._named(f"<g>{inside}</g>")}"/>'

    def composed(self, size: tuple[int, int], inside: str, how: str = "") -> str:
        """What is put together from pictures, where it is seen, in a place of its form. how: more attributes."""
        name = self._named(f'<symbol viewBox="0 0 {size[0]} {size[1]}">{inside}</symbol>')
        return f'<svg aria-hidden="true"{how}><use href="#{name}"/></svg>'

    def width(self, svg: str) -> float:
        """How wide a picture is, in its own units."""
        return float(self._known(svg)[1][2])

    def all(self) -> str:
        """All pictures that were used, to be put on the page where nobody sees them."""
        return f'<svg class="pictures" xmlns="{_NAMESPACE}" aria-hidden="true">{"".join(self._told)}</svg>'

    def _known(self, svg: str) -> tuple[str, list[str]]:
        if svg not in self._views:
            view = re.search(r'\sviewBox="([^"]*)"', svg.partition(">")[0])
            name = self._board(svg) if SHARED in svg else self._picture(svg)
            self._views[svg] = (name, (view[1] if view else "0 0 100 100").replace(",", " ").split())
        return self._views[svg]

    def _board(self, svg: str) -> str:
        """A board says itself what it may have in common with others, by name."""

        def shared(found: re.Match[str]) -> str:
            drawn, name = found.groups()
            if name not in self._shared:
                self._shared[name] = self._new()
                if not drawn.startswith("<g"):
                    known = drawn.replace("<symbol", f'<symbol xmlns="{_NAMESPACE}"', 1)
                    drawn = _written(self._parted(ElementTree.fromstring(known)))
                self._told.append(self._shortly(drawn))
            return f'<use href="#{name}"/>' if drawn.startswith("<g") and not name.startswith(STAMP) else ""

        rest = _IN_COMMON.sub(shared, svg).replace("<defs></defs>", "", 1)
        return self._named(symbol(self._shortly(rest), "").replace(' id=""', "", 1))

    def _shortly(self, drawn: str) -> str:
        """With shorter names: a board has thousands."""
        return _NAMED.sub(lambda found: found[1] + self._shared.get(found[2], found[2]) + '"', drawn)

    def _picture(self, svg: str) -> str:
        root = ElementTree.fromstring(svg)
        for title in root.findall(f"{_SVG}title"):  # it is in no reader's language
            root.remove(title)
        root.tag = f"{_SVG}symbol"
        for size in ("width", "height"):
            root.attrib.pop(size, None)
        return self._named(_written(self._parted(root)))

    def _parted(self, root: ElementTree.Element) -> ElementTree.Element:
        """With what is larger apart: its parts, then what it draws, which may be there with other edges."""
        lines = list(root.iter(f"{_SVG}path"))
        often = Counter(element.get("d", "") for element in lines)
        for element in lines:  # a rim has the lines of what it is around
            if often[line := element.get("d", "")] > 1 and len(line) >= WORTH_OF_LINES:
                element.tag = f"{_SVG}use"
                del element.attrib["d"]
                name = self._named(f'<path d="{escape(line)}"/>')
                element.set("href", f"#{name}")
        for place, child in enumerate(root):
            if child.tag in (f"{_SVG}g", f"{_SVG}path") and len(drawn := _written(child)) >= WORTH:
                root[place] = self._apart(drawn)
        if len(root) > 1 and len(_written(root)) >= WORTH:
            group = ElementTree.Element(f"{_SVG}g")
            group[:] = list(root)
            root[:] = [self._apart(_written(group))]
        return root

    def _apart(self, drawn: str) -> ElementTree.Element:
        return ElementTree.Element(f"{_SVG}use", {"href": f"#{self._named(drawn)}"})

    def _new(self) -> str:
        return f"_{len(self._names) + len(self._shared)}"  # as no rule's anchor is written

    def _named(self, drawn: str) -> str:
        """The name of what an element draws; it is kept if it is new."""
        if drawn not in self._names:
            self._names[drawn] = name = self._new()
            end = re.match("<[a-zA-Z]+", drawn)
            assert end is not None
            self._told.append(f'{end[0]} id="{name}"{drawn[end.end() :]}')
        return self._names[drawn]


def _written(element: ElementTree.Element) -> str:
    """In a third of the time that the library takes, which looks for namespaces; what is written here is SVG alone."""
    tag = element.tag.removeprefix(_SVG)
    attributes = "".join([f' {name}="{escape(value)}"' for name, value in element.items()])
    inside = escape(element.text or "", quote=False) + "".join([_written(child) for child in element])
    written = f"<{tag}{attributes}>{inside}</{tag}>" if inside else f"<{tag}{attributes}/>"
    return written + escape(element.tail, quote=False) if element.tail else written
