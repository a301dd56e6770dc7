"""Texts of the edition with their {slots}: logs, questions, rules in words."""

from __future__ import annotations

import re

from rulewright.compiler.core import Wrong
from rulewright.compiler.meaning import Group, Meaning, Scope
from rulewright.compiler.slots import Slots
from rulewright.program.form import Text, Type
from rulewright.syntax.source import Scalar, part

MOST_SLOTS = 50


class Texts(Slots):
    """Compiles a text into its parts and the arguments it needs."""

    def log(self, scalar: Scalar, scope: Scope) -> None:
        with self.emit.told():
            text, arguments = self.text(scalar, f"{scope.step}.log", scope)
            self.emit.op("tell", len(self.texts), *arguments)
            self.texts.append(text)

    def text(self, scalar: Scalar | None, key: str, scope: Scope) -> tuple[Text, list[int]]:
        """A text with its arguments, each as a vector."""
        if scalar is None:
            return Text(key, ""), []
        types: dict[str, Type] = {}
        arguments: list[int] = []
        inner = scope.structured()
        slots = slots_of(scalar.text)
        if len(slots) > MOST_SLOTS:
            self.wrong_text(scalar, f"A text has at most {MOST_SLOTS} slots.")
            del slots[MOST_SLOTS:]
        if re.search(r"[{}]", re.sub(r"\{[^{}]+\}", "", scalar.text)):
            raise self.wrong_text(scalar, "A slot is one expression in braces, such as {price}.")
        for _, slot, offset in slots:
            name = one_line(slot)
            if not slot or name in types:
                continue
            slot_text = part(scalar, offset, slot)
            with self.reading(slot_text):
                try:
                    tree = self.parse(slot_text, "value")
                    meaning = self.meaning(tree, inner)
                except Wrong:
                    continue
                arguments.append(self.argument(meaning))
                types[name] = meaning.type
        return Text(key, one_line(scalar.text), tuple(types), tuple(types.values())), arguments

    def wrong_text(self, scalar: Scalar, message: str) -> Wrong:
        self.report.error(scalar.place, "syntax", message)
        return Wrong()

    def argument(self, meaning: Meaning) -> int:
        if isinstance(meaning, Group):
            return self.vector(meaning)
        vector = self.emit.vector()
        self.emit.op("vector", vector)
        self.emit.op("push", vector, meaning.operand)
        return vector


def one_line(text: str) -> str:
    """A text as people read it: however it is broken into lines."""
    return " ".join(text.split())


def slots_of(text: str) -> list[tuple[str, str, int]]:
    """A text as (literal, slot, the slot's offset), the last without a slot."""
    found, at = [], 0
    for match in re.finditer(r"\{([^{}]*)\}", text):
        found.append((text[at : match.start()], match[1], match.start(1)))
        at = match.end()
    return [*found, (text[at:], "", at)]
