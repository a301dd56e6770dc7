"""The memory of a module that also counts what happens in its games, as `game_statistics` has it.

The choices of a question are bits, 64 to a word: so many candidates come to one number, whatever is among them twice,
and a game keeps in one word per question what there was of it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping

from rulewright.base.records import record
from rulewright.runtime.game_statistics import (
    AHEAD,
    LEAD_CHANGES,
    OF_GAME,
    WIN,
    CountedDecision,
    StatisticsLayout,
)

WORD, LONG = 4, 8
_BITS = 64
LANES = 4
_OF_ONE_GAME = ("masks", "counts", "row")  # parts that stand one behind the other


@record
class ChoiceBits:
    """Up to 64 choices of a question, from `first` on among all questions'. entries: of each index of a candidate, its
    choice's bit, or 0."""

    question: CountedDecision
    first: int
    width: int
    entries: tuple[int, ...]

    def bit(self, choice: int) -> int:
        """The bit of one of the question's choices, or 0 where it is not here."""
        place = self.question.first + choice - self.first
        return 1 << place if 0 <= place < self.width else 0


class StatisticsMemory:
    """Memory that a module needs to count: `size` bytes, at `place`.

    addresses: of its parts; masks: the choices of all questions as bits.
    """

    def __init__(self, counting: StatisticsLayout) -> None:
        self.counting = counting
        program = counting.program
        self.functions = (counting.leading, *counting.measures, *counting.powers)
        self.row = counting.size  # words of one game
        self.text = next(
            n for n, text in enumerate(program.texts) if text.key == f"phases.{program.phases[0][0]}.title"
        )
        self.masks = [mask for question in counting.decisions for mask in self._bits_of(question)]
        self._tables: dict[str, array[int]] = {
            f"mask {number}": array("q", map(_signed, mask.entries)) for number, mask in enumerate(self.masks)
        }
        self._tables["seers"] = array("i", counting.viewers)
        self._tables["types"] = array("i", self._types())
        faces = program.layout.faces
        self._tables["faces"] = array("i", (faces[n].cell if n in faces else -1 for n in range(len(program.type_of))))
        self._tables["powers"] = array("i", (len(counting.powers), *counting.powers))
        self._tables["measures"] = array("i", (len(counting.measures), *counting.measures))
        self._tables["widths"] = array("i", (mask.width for mask in self.masks))
        sides = 2 * program.layout.seats  # what each seat was offered, and what it chose
        self._parts = {
            "sums": LONG * counting.sums,
            "masks": LONG * sides * len(self.masks),
            "counts": WORD * (sides * counting.choices + LANES),  # four are written at a time
            "row": WORD * self.row,
            **{name: len(table) * table.itemsize for name, table in self._tables.items()},
        }
        self.addresses: dict[str, int] = {}
        self.size = sum(map(_padded, self._parts.values()))

    def _bits_of(self, question: CountedDecision) -> Iterator[ChoiceBits]:
        layout, table = self.counting.program.layout, question.table
        if question.base == "piece" and not layout.faces:
            table = tuple(question.table[look] for look in self.counting.program.type_of)
        for begin in range(0, len(question.choices), _BITS):
            width = min(_BITS, len(question.choices) - begin)
            bits = (1 << choice - begin if begin <= choice < begin + width else 0 for choice in table)
            yield ChoiceBits(question, question.first + begin, width, tuple(bits))

    def _types(self) -> Iterator[int]:
        program = self.counting.program
        for piece, look in enumerate(program.type_of):
            face = program.layout.faces.get(piece)
            yield look if face is None else look - face.first

    def place(self, begin: int) -> None:
        """begin: of `size` bytes of its own."""
        for name, size in self._parts.items():
            self.addresses[name] = begin
            begin += _padded(size)

    def constants(self) -> Iterator[tuple[int, bytes]]:
        for name, table in self._tables.items():
            yield self.addresses[name], table.tobytes()

    def initial_content(self) -> tuple[int, bytes]:
        """Return where to write what before games are played."""
        return self.addresses["sums"], bytes(sum(_padded(self._parts[name]) for name in ("sums", *_OF_ONE_GAME)))

    def cleared_content(self) -> tuple[int, bytes]:
        """Return where to write what after a game that has not come to its end."""
        return self.addresses[_OF_ONE_GAME[0]], bytes(sum(_padded(self._parts[name]) for name in _OF_ONE_GAME))

    def sums(self) -> tuple[int, int]:
        """Return the address of the sums of choices, and their size."""
        return self.addresses["sums"], self._parts["sums"]

    def symbols(self) -> Mapping[str, int]:
        """Return the symbols that library/statistics.c names."""
        counting = self.counting
        return {
            "COUNT_ROW": self.addresses["row"],
            "COUNT_SIZE": self.row,
            "SEAT_FIRST": OF_GAME,
            "SEAT_WIDTH": counting.seat_width,
            "HELD": counting.powers_offset,
            "MEASURED": counting.measures_offset,
            "AHEAD": AHEAD,
            "LEAD_CHANGES": LEAD_CHANGES,
            "LEADING": counting.leading,
            "POWERS": self.addresses["powers"],
            "MEASURES": self.addresses["measures"],
            "CHOICE_BITS": self.addresses["masks"],
            "CHOICE_COUNTS": self.addresses["counts"],
            "CHOICE_SUMS": self.addresses["sums"],
            "CHOICE_WIDTHS": self.addresses["widths"],
            "CHOICE_WORDS": len(self.masks),
            "WIN": WIN,
        }


def _signed(bits: int) -> int:
    """A word of 64 bits as a number."""
    return bits - 2**64 if bits >= 2**63 else bits


def _padded(size: int) -> int:
    return -(-size // 16) * 16
