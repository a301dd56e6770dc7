"""What an edition is compiled to: instructions, each sentence beside the first of those that it stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from rulewright.base.diagnostics import RulewrightError, nearest
from rulewright.compiler import compile_with_sources
from rulewright.model.declarations import Edition
from rulewright.program.form import ANSWERS, ASKED, FUEL, LIMITED, ME, PC, PHASE, RANDOM, RANDOM_CELLS, ROUND, Program
from rulewright.program.instructions import OPENING, OPERANDS, Instruction, operands_of
from rulewright.syntax.source import Scalar

_WIDTH = 52
_LONGEST = 60


class ListingError(RulewrightError):
    """A part of a program that there is not, or too few or too many seats."""


def lines(edition: Edition, seats: int, part: str = "") -> Iterator[str]:
    """The program of an edition that has been checked, block by block. part: only of that phase, step, power …

    Raises ListingError.
    """
    if seats not in edition.seat_counts():
        counts = ", ".join(map(str, edition.seat_counts()))
        raise ListingError(f"{edition.full_title()} has programs for {counts} seats, not for {seats}.")
    program, sentences = compile_with_sources(edition, seats)
    parts = set(program.blocks.values())
    if part and part not in parts:
        hint = nearest(part, parts) or f"Parts: {', '.join(sorted(parts))}."
        raise ListingError(f"No part of the program is called '{part}'. {hint}")
    return _Listing(program, sentences).lines(part)


class _Listing:
    def __init__(self, program: Program, sentences: list[Scalar | None]) -> None:
        self.program, self.sentences = program, sentences
        self.cells = _names(program)

    def lines(self, part: str) -> Iterator[str]:
        depth, shown, last = 0, False, None
        for instruction, sentence in zip(self.program.code, self.sentences, strict=True):
            name = instruction[0]
            if name == "block":
                step, depth, last = self.program.blocks[int(instruction[1])], 0, None
                shown = part in ("", step)
                if shown:
                    yield f"block {instruction[1]}, {step}"
                continue
            if not shown:
                continue
            depth -= name in ("else", "end")
            text = "  " * (depth + 1) + self.shown(instruction)
            if sentence is not None and sentence is not last:
                yield f"{text:<{_WIDTH}} {_told(sentence)}"
            else:
                yield text
            last = sentence
            depth += name in OPENING or name == "else"

    def shown(self, instruction: Instruction) -> str:
        """As `deal deck, hand + r3, 2`: registers are r3, vectors v3."""
        name, program = str(instruction[0]), self.program
        operands, letters = operands_of(instruction), OPERANDS[str(instruction[0])]
        told: list[str] = []
        for place, (kind, number) in enumerate(operands):
            match kind:
                case "d":
                    told.append(f"r{number}")
                case "v" if letters.startswith("z", place) and number & 1 and number > 0:
                    told.append(self.cell(number >> 1))
                case "v":
                    told.append(_value(number))
                case "V":
                    told.append(f"v{number}")
                case "L":
                    told.append(f"block {number}")
                case "T":
                    told.append(f"table {number}")
                case "P":
                    told.append(f"'{program.places[number][:_LONGEST]} …'")
                case _ if name == "tell":
                    told.append(f"'{program.texts[number].text[:_LONGEST]}'")
                case _ if name in ("ask", "noted"):
                    told.append(f"'{program.sites[number].id}'")
                case _:
                    told.append(str(number))
        if (at := letters.find("c")) >= 0:
            told[at : at + 2] = [self.address(operands[at][1], operands[at + 1][1])]
        return f"{name} {', '.join(told)}".strip()

    def address(self, first: int, index: int) -> str:
        """The cell of that number plus an operand."""
        if index & 1:
            return self.cell(first + (index >> 1))
        return f"{self.cell(first)} + {_value(index)}" if first else f"cell {_value(index)}"

    def cell(self, number: int) -> str:
        return self.cells.get(number, f"cell {number}")


def _value(operand: int) -> str:
    return str(operand >> 1) if operand & 1 else f"r{operand >> 1}"


def _told(sentence: Scalar) -> str:
    return f"{Path(sentence.place.file).name}:{sentence.place.line}: {' '.join(sentence.text.split())[:_LONGEST]}"


def _names(program: Program) -> Mapping[int, str]:
    """What the cells of a state are called."""
    layout = program.layout
    found = {
        PC: "next block",
        ME: "acting seat",
        FUEL: "fuel",
        PHASE: "phase",
        ROUND: "round",
        ANSWERS: "answers",
        LIMITED: "limited",
        ASKED: "round of the last question",
    }
    found |= {RANDOM + number: f"random {number}" for number in range(RANDOM_CELLS)}
    found |= {layout.role + seat: f"role of seat {seat}" for seat in range(layout.seats)}
    found |= {layout.option + number: f"option '{option.name}'" for number, option in enumerate(program.options)}
    for zone in layout.spaces:
        found[zone.address] = f"{zone.name} of {zone.of} {zone.owner}" if zone.of else zone.name
    for counter in layout.counters:
        for cell in range(counter.cells):
            owner, word = divmod(cell, counter.width)
            told = f" for {counter.by} {word}" if counter.by else ""
            of = f" of {counter.of} {owner}" if counter.of else ""
            found[counter.address + cell] = f"{counter.name}{told}{of}"
    return found
