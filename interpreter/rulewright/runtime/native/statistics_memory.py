"""Memory layout of native code that counts what happens in its games: tables, sums over games, and counts of one game.

`game_statistics` says what is counted. The choices of a question are bits, 64 to a word: a set of candidates is the sum
of their bits, however often one occurs, and one word for each question says which choices a game has had.
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
from rulewright.runtime.native.memory import LONG, WORD

_BITS = 64
"""Bits of a mask, one for each choice of a question."""
LANES = 4
"""Counts that are written at a time."""
_OF_ONE_GAME = ("masks", "counts", "row")
"""Parts with counts of the present game, one behind the other."""


@record
class ChoiceBits:
    """Up to 64 choices of a question as bits of a word.

    first: number of the first choice, counted over all questions; width: number of choices; entries: for each candidate
    by its index, the bit of its choice, 0 if that is in another word.
    """

    question: CountedDecision
    first: int
    width: int
    entries: tuple[int, ...]

    def bit(self, choice: int) -> int:
        """Return the bit of a choice, numbered within its question; 0 if it is in another word."""
        place = self.question.first + choice - self.first
        return 1 << place if 0 <= place < self.width else 0


class StatisticsMemory:
    """Memory that a module needs to count: `size` bytes, where `place_at` puts it.

    addresses: of its parts, by name; masks: the choices of all questions as bits; row_words: words of the statistics
    of one game; functions: numbers of the functions that counting calls; first_text: number of the first phase's title,
    the only text that games emit.
    """

    def __init__(self, counting: StatisticsLayout) -> None:
        self.counting = counting
        program = counting.program
        self.functions = (counting.leading, *counting.measures, *counting.powers)
        self.row_words = counting.size  # words of one game
        self.first_text = next(
            n for n, text in enumerate(program.texts) if text.key == f"phases.{program.phases[0][0]}.title"
        )
        self.masks = [mask for question in counting.decisions for mask in self._choice_bits(question)]
        self._tables: dict[str, array[int]] = {
            f"mask {number}": array("q", map(_signed, mask.entries)) for number, mask in enumerate(self.masks)
        }
        self._tables["seers"] = array("i", counting.viewers)
        self._tables["types"] = array("i", self._types_of_pieces())
        faces = program.layout.faces
        self._tables["faces"] = array("i", (faces[n].cell if n in faces else -1 for n in range(len(program.type_of))))
        self._tables["powers"] = array("i", (len(counting.powers), *counting.powers))
        self._tables["measures"] = array("i", (len(counting.measures), *counting.measures))
        self._tables["widths"] = array("i", (mask.width for mask in self.masks))
        sides = 2 * program.layout.seats  # what each seat was offered, and what it chose
        self._parts = {
            "sums": LONG * counting.sums,
            "masks": LONG * sides * len(self.masks),
            "counts": WORD * (sides * counting.choices + LANES),
            "row": WORD * self.row_words,
            **{name: len(table) * table.itemsize for name, table in self._tables.items()},
        }
        self.addresses: dict[str, int] = {}
        self.size = sum(map(_padded, self._parts.values()))

    def _choice_bits(self, question: CountedDecision) -> Iterator[ChoiceBits]:
        """Yield a question's choices as bits, 64 to a word; of pieces that never change, by piece instead of by
        type."""
        layout, table = self.counting.program.layout, question.table
        if question.base == "piece" and not layout.faces:
            table = tuple(question.table[look] for look in self.counting.program.type_of)
        for begin in range(0, len(question.choices), _BITS):
            width = min(_BITS, len(question.choices) - begin)
            bits = (1 << choice - begin if begin <= choice < begin + width else 0 for choice in table)
            yield ChoiceBits(question, question.first + begin, width, tuple(bits))

    def _types_of_pieces(self) -> Iterator[int]:
        """Yield the type of each piece, without its face."""
        program = self.counting.program
        for piece, look in enumerate(program.type_of):
            face = program.layout.faces.get(piece)
            yield look if face is None else look - face.first

    def place_at(self, begin: int) -> None:
        """Give each part its address, from the beginning of `size` bytes on."""
        for name, size in self._parts.items():
            self.addresses[name] = begin
            begin += _padded(size)

    def constants(self) -> Iterator[tuple[int, bytes]]:
        """Yield the address and content of each table."""
        for name, table in self._tables.items():
            yield self.addresses[name], table.tobytes()

    def initial_content(self) -> tuple[int, bytes]:
        """Return the address and the zeros to write there before the first game: over all sums and counts."""
        return self.addresses["sums"], bytes(sum(_padded(self._parts[name]) for name in ("sums", *_OF_ONE_GAME)))

    def cleared_content(self) -> tuple[int, bytes]:
        """Return the address and the zeros to write there after a game that was cut short: over its own counts."""
        return self.addresses[_OF_ONE_GAME[0]], bytes(sum(_padded(self._parts[name]) for name in _OF_ONE_GAME))

    def sums_extent(self) -> tuple[int, int]:
        """Return the address of the sums of choices, and their size in bytes."""
        return self.addresses["sums"], self._parts["sums"]

    def symbols(self) -> Mapping[str, int]:
        """Return the values of the symbols that library/statistics.c names."""
        counting = self.counting
        return {
            "COUNT_ROW": self.addresses["row"],
            "COUNT_SIZE": self.row_words,
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
    """Return a word of 64 bits as a signed number."""
    return bits - 2**64 if bits >= 2**63 else bits


def _padded(size: int) -> int:
    """Round a size in bytes up to 16."""
    return -(-size // 16) * 16
