"""Looks: how cards are printed."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright import source
from rulewright.complaints import short
from rulewright.declarations import SLOT, CardLook, Kind
from rulewright.diagnostics import few, nearest
from rulewright.edition.section import Section, items, scalar
from rulewright.pictures import attributes
from rulewright.source import Scalar, Sequence


class Looks(Section):
    """Reads what things look like."""

    def card_looks(self) -> None:
        looks = self.tree.get("looks")
        for key, node in items(looks.get("cards") if isinstance(looks, source.Mapping) else None):
            if key.text in self.edition.removed:
                continue  # with the pieces, their looks
            kind = self.edition.kinds.get(self.known(key, self.edition.kinds, "kind of piece"))
            if kind is None:
                continue
            signs = node.get("signs") if isinstance(node, source.Mapping) else None
            look = CardLook(
                picture=scalar(node, "picture"),
                corner=scalar(node, "corner"),
                signs=tuple(sign for sign in signs.items if isinstance(sign, Scalar))
                if isinstance(signs, Sequence)
                else (),
                back=scalar(node, "back"),
            )
            self.slots(kind, (text for text in (look.picture, look.corner, *look.signs, look.back) if text))
            self.edition.cards[kind.name] = look

    def slots(self, kind: Kind, texts: Iterable[Scalar]) -> None:
        """Report the slots that no such piece can fill."""
        known = attributes(self.edition, kind)
        for text in texts:
            for slot in SLOT.finditer(text.text):
                if slot[1].strip() not in known:
                    message = f"A {kind.name} has no '{short(slot[1].strip())}'."
                    hint = nearest(slot[1].strip(), known) or few(known)
                    self.report.error(text.place_at(slot.start(1), len(slot[1])), "unknown-name", message, hint)
