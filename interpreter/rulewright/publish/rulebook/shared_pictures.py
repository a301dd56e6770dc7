"""Shared pictures of a page: each is defined once, as are parts that several share, such as a board's ground."""

from __future__ import annotations

import re
from collections import Counter
from html import escape
from xml.etree import ElementTree

from rulewright.publish.drawing import SHARED, SHARED_END, STAMP, symbol

_NAMESPACE = "http://www.w3.org/2000/svg"
_SVG = f"{{{_NAMESPACE}}}"
"""Namespace as ElementTree writes it before names of elements."""

_SHARED_PART = re.compile(rf'(?s){SHARED}(<\w+ id="(\w+)".*?){SHARED_END}')
"""Part of a board that others share, with its name."""
_NAME_USE = re.compile(r'( id="| href="#)([^"]+)"')
"""Attribute that declares or uses a name of a part."""

MIN_SHARED_LENGTH = 300
"""Minimum length, in characters, of a part that is defined separately."""

MIN_SHARED_PATH = 60
"""Minimum length of path data that occur twice and are defined separately."""


class SharedPictures:
    """Collector of the pictures that a page uses, which `definitions` defines."""

    def __init__(self) -> None:
        self._views: dict[str, tuple[str, list[str]]] = {}  # picture -> its name here, its viewBox
        self._names: dict[str, str] = {}  # what is drawn -> its name here
        self._shared: dict[str, str] = {}  # names that boards give their parts -> names here
        self._definitions: list[str] = []

    def use(self, svg: str, attributes: str) -> str:
        """Return an element that shows a picture. attributes: of the element."""
        name, view = self._name_and_view(svg)
        size = " ".join(view[2:])  # where the picture begins is for the symbol to say
        box = "" if view[2] == view[3] else f' viewBox="0 0 {escape(size)}"'  # what is square has its place's size
        return f'<svg {attributes}{box}><use href="#{name}"/></svg>'

    def place(self, svg: str, x: float, y: float, width: float, height: float, fill: bool = False) -> str:
        """Return a picture as a part of a composed one. fill: cover the whole place, whatever that cuts off."""
        name, (_, _, across, down) = self._name_and_view(svg)
        if fill:  # what hangs over is cut off by what it is composed in
            scale = max(width / float(across), height / float(down))
            size = float(across) * scale, float(down) * scale
            x, y, width, height = x + (width - size[0]) / 2, y + (height - size[1]) / 2, *size
        return f'<use href="#{name}" x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}"/>'

    def group(self, content: str) -> str:
        """Return a part of a composed picture that several share."""
        return f'<use href="#{self._define(f"<g>{content}</g>")}"/>'

    def compose(self, size: tuple[int, int], content: str, attributes: str = "") -> str:
        """Return an element that shows a picture composed of others. attributes: further ones."""
        name = self._define(f'<symbol viewBox="0 0 {size[0]} {size[1]}">{content}</symbol>')
        return f'<svg aria-hidden="true"{attributes}><use href="#{name}"/></svg>'

    def width(self, svg: str) -> float:
        """Return the width of a picture, in its own units; it counts as used."""
        return float(self._name_and_view(svg)[1][2])

    def definitions(self) -> str:
        """Return the definitions of all used pictures, as an invisible element."""
        return f'<svg class="pictures" xmlns="{_NAMESPACE}" aria-hidden="true">{"".join(self._definitions)}</svg>'

    def _name_and_view(self, svg: str) -> tuple[str, list[str]]:
        """Define a picture if it is new; return its name on the page, and the four numbers of its viewBox."""
        if svg not in self._views:
            view = re.search(r'\sviewBox="([^"]*)"', svg.partition(">")[0])
            name = self._define_board(svg) if SHARED in svg else self._define_picture(svg)
            self._views[svg] = (name, (view[1] if view else "0 0 100 100").replace(",", " ").split())
        return self._views[svg]

    def _define_board(self, svg: str) -> str:
        """Define a board, its parts between `SHARED` and `SHARED_END` separately; return the symbol's name."""

        def shared(match: re.Match[str]) -> str:
            content, name = match.groups()
            if name not in self._shared:
                self._shared[name] = self._new_name()
                if not content.startswith("<g"):
                    namespaced = content.replace("<symbol", f'<symbol xmlns="{_NAMESPACE}"', 1)
                    content = _serialize(self._split(ElementTree.fromstring(namespaced)))
                self._definitions.append(self._shorten_names(content))
            return f'<use href="#{name}"/>' if content.startswith("<g") and not name.startswith(STAMP) else ""

        rest = _SHARED_PART.sub(shared, svg).replace("<defs></defs>", "", 1)
        return self._define(symbol(self._shorten_names(rest), "").replace(' id=""', "", 1))

    def _shorten_names(self, content: str) -> str:
        """Replace names by shorter ones: a board has thousands."""
        return _NAME_USE.sub(lambda match: match[1] + self._shared.get(match[2], match[2]) + '"', content)

    def _define_picture(self, svg: str) -> str:
        """Define a picture as a symbol and return the symbol's name."""
        root = ElementTree.fromstring(svg)
        for title in root.findall(f"{_SVG}title"):  # it is in no reader's language
            root.remove(title)
        root.tag = f"{_SVG}symbol"
        for size in ("width", "height"):
            root.attrib.pop(size, None)
        return self._define(_serialize(self._split(root)))

    def _split(self, root: ElementTree.Element) -> ElementTree.Element:
        """Move large parts of a picture, then its whole content, into definitions of their own; return its changed
        root."""
        lines = list(root.iter(f"{_SVG}path"))
        counts = Counter(element.get("d", "") for element in lines)
        for element in lines:  # a rim has the lines of what it is around
            if counts[line := element.get("d", "")] > 1 and len(line) >= MIN_SHARED_PATH:
                element.tag = f"{_SVG}use"
                del element.attrib["d"]
                name = self._define(f'<path d="{escape(line)}"/>')
                element.set("href", f"#{name}")
        for place, child in enumerate(root):
            if child.tag in (f"{_SVG}g", f"{_SVG}path") and len(content := _serialize(child)) >= MIN_SHARED_LENGTH:
                root[place] = self._reference(content)
        if len(root) > 1 and len(_serialize(root)) >= MIN_SHARED_LENGTH:
            group = ElementTree.Element(f"{_SVG}g")
            group[:] = list(root)
            root[:] = [self._reference(_serialize(group))]
        return root

    def _reference(self, content: str) -> ElementTree.Element:
        """Return an element that uses a content defined elsewhere on the page."""
        return ElementTree.Element(f"{_SVG}use", {"href": f"#{self._define(content)}"})

    def _new_name(self) -> str:
        """Return a name that nothing on the page has yet."""
        return f"_{len(self._names) + len(self._shared)}"  # as no rule's anchor is written

    def _define(self, content: str) -> str:
        """Return the name of an element's content, defining it if it is new."""
        if content not in self._names:
            self._names[content] = name = self._new_name()
            end = re.match("<[a-zA-Z]+", content)
            assert end is not None
            self._definitions.append(f'{end[0]} id="{name}"{content[end.end() :]}')
        return self._names[content]


def _serialize(element: ElementTree.Element) -> str:
    """Serialize an element. Takes a third of the library's time, which handles namespaces; this is plain SVG."""
    tag = element.tag.removeprefix(_SVG)
    attributes = "".join([f' {name}="{escape(value)}"' for name, value in element.items()])
    content = escape(element.text or "", quote=False) + "".join([_serialize(child) for child in element])
    text = f"<{tag}{attributes}>{content}</{tag}>" if content else f"<{tag}{attributes}/>"
    return text + escape(element.tail, quote=False) if element.tail else text
