"""Listing of an edition's program: instructions, each statement beside its first one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from rulewright.base.diagnostics import RulewrightError
from rulewright.compiler import compile_with_sources
from rulewright.i18n.localizer import phrase, suggestion
from rulewright.model.edition import Edition
from rulewright.program.form import Program
from rulewright.program.instructions import OPENING, OPERANDS, Instruction, operands_of
from rulewright.program.state_layout import (
    ANSWERS,
    FUEL,
    LIMITED,
    ME,
    PC,
    PHASE,
    QUESTION_ROUND,
    RANDOM,
    RANDOM_CELLS,
    ROUND,
)
from rulewright.syntax.source import Scalar

_WIDTH = 52
"""Columns that an instruction takes before the sentence beside it."""
_MAX_LENGTH = 60
"""Characters shown of a text, a place or a sentence."""


class ListingError(RulewrightError):
    """Error: an unknown part of a program, or a wrong number of seats."""


def lines(edition: Edition, seats: int, part: str = "") -> Iterator[str]:
    """Yield the lines of a checked edition's program, block by block. part: only of that phase, step or power; '' for
    all. Raises ListingError at once, not while lines are read.
    """
    if seats not in edition.seat_counts():
        counts = ", ".join(map(str, edition.seat_counts()))
        raise ListingError(
            phrase(
                "errors",
                "{title} has programs for {counts} seats, not for {seats}.",
                title=edition.full_title(),
                counts=counts,
                seats=seats,
            )
        )
    program, sentences = compile_with_sources(edition, seats)
    parts = set(program.blocks.values())
    if part and part not in parts:
        hint = suggestion(part, list(parts)) or phrase("errors", "There are: {names}.", names=", ".join(sorted(parts)))
        raise ListingError(phrase("errors", "No part of the program is called '{name}'. {hint}", name=part, hint=hint))
    return _Listing(program, sentences).lines(part)


class _Listing:
    """Formatter of one program's instructions. sentences: of each instruction, or None; cells: names of state cells."""

    def __init__(self, program: Program, sentences: list[Scalar | None]) -> None:
        self.program, self.sentences = program, sentences
        self.cells = _names(program)

    def lines(self, part: str) -> Iterator[str]:
        """Yield the lines of a phase, step or power, or of everything ('')."""
        depth, is_shown, last = 0, False, None
        for instruction, sentence in zip(self.program.code, self.sentences, strict=True):
            name = instruction[0]
            if name == "block":
                step, depth, last = self.program.blocks[int(instruction[1])], 0, None
                is_shown = part in ("", step)
                if is_shown:
                    yield f"block {instruction[1]}, {step}"
                continue
            if not is_shown:
                continue
            depth -= name in ("else", "end")
            text = "  " * (depth + 1) + self.format_instruction(instruction)
            if sentence is not None and sentence is not last:
                yield f"{text:<{_WIDTH}} {_source_text(sentence)}"
            else:
                yield text
            last = sentence
            depth += name in OPENING or name == "else"

    def format_instruction(self, instruction: Instruction) -> str:
        """Format an instruction, such as `deal deck, hand + r3, 2`: registers are r3, vectors v3."""
        name, program = str(instruction[0]), self.program
        operands, letters = operands_of(instruction), OPERANDS[str(instruction[0])]
        arguments: list[str] = []
        for place, (kind, number) in enumerate(operands):
            match kind:
                case "d":
                    arguments.append(f"r{number}")
                case "v" if letters.startswith("z", place) and number & 1 and number > 0:
                    arguments.append(self.cell(number >> 1))
                case "v":
                    arguments.append(_value(number))
                case "V":
                    arguments.append(f"v{number}")
                case "L":
                    arguments.append(f"block {number}")
                case "T":
                    arguments.append(f"table {number}")
                case "P":
                    arguments.append(f"'{program.places[number][:_MAX_LENGTH]} …'")
                case _ if name == "tell":
                    arguments.append(f"'{program.texts[number].text[:_MAX_LENGTH]}'")
                case _ if name in ("ask", "noted"):
                    arguments.append(f"'{program.sites[number].id}'")
                case _:
                    arguments.append(str(number))
        if (position := letters.find("c")) >= 0:
            arguments[position : position + 2] = [self.address(operands[position][1], operands[position + 1][1])]
        return f"{name} {', '.join(arguments)}".strip()

    def address(self, first: int, index: int) -> str:
        """Format the cell whose number is `first` plus the value of an operand."""
        if index & 1:
            return self.cell(first + (index >> 1))
        return f"{self.cell(first)} + {_value(index)}" if first else f"cell {_value(index)}"

    def cell(self, number: int) -> str:
        """Format a cell by its name, or else its number."""
        return self.cells.get(number, f"cell {number}")


def _value(operand: int) -> str:
    """Format an operand: a constant if it is odd, else a register such as r3."""
    return str(operand >> 1) if operand & 1 else f"r{operand >> 1}"


def _source_text(sentence: Scalar) -> str:
    """Return a statement's file, line and beginning."""
    return f"{Path(sentence.place.file).name}:{sentence.place.line}: {' '.join(sentence.text.split())[:_MAX_LENGTH]}"


def _names(program: Program) -> Mapping[int, str]:
    """Return the names of the cells of a state."""
    layout = program.layout
    names = {
        PC: "next block",
        ME: "acting seat",
        FUEL: "fuel",
        PHASE: "phase",
        ROUND: "round",
        ANSWERS: "answers",
        LIMITED: "limited",
        QUESTION_ROUND: "round of the last question",
    }
    names |= {RANDOM + number: f"random {number}" for number in range(RANDOM_CELLS)}
    names |= {layout.role + seat: f"role of seat {seat}" for seat in range(layout.seats)}
    names |= {layout.option + number: f"option '{option.name}'" for number, option in enumerate(program.options)}
    for zone in layout.zones:
        names[zone.address] = f"{zone.name} of {zone.of} {zone.owner}" if zone.of else zone.name
    for counter in layout.counters:
        for cell in range(counter.cells):
            owner, word = divmod(cell, counter.width)
            suffix = f" for {counter.by} {word}" if counter.by else ""
            owner_suffix = f" of {counter.of} {owner}" if counter.of else ""
            names[counter.address + cell] = f"{counter.name}{suffix}{owner_suffix}"
    return names
