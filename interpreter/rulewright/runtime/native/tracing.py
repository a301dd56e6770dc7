"""The functions of a module that also counts what happens in its games, as `counting` has it.

Every answer is noted (`$noteN`, for question N), every beginning of a round is looked at (`$sample`), and at the end of
a game its counts go behind its results and its choices into the sums (`$noted`).

The choices of a question are bits, 64 to a word: so many candidates come to one number, whatever is among them twice,
and a game keeps in one word per question what there was of it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping

from rulewright.base.records import record
from rulewright.program.instructions import Instruction
from rulewright.runtime.game_statistics import (
    AHEAD,
    CHOSEN,
    EVERYBODY,
    LEAD_CHANGES,
    OF_GAME,
    OFFERED,
    RANGES_END,
    WIN,
    CountedDecision,
    Counting,
)
from rulewright.runtime.operations import FUEL_BETWEEN_DECISIONS

_WORD, _LONG = 4, 8
_BITS = 64
_LANES = 4
_FEW = 32  # choices that are counted four at a time, without a branch; of more, those that there are, one by one
_OF_ONE_GAME = ("masks", "counts", "row")  # parts that stand one behind the other
SEEN = "_seen"  # what is called where a seat is known to see its candidates
NOTHING_NOTED = "(func $noted (param $row i32) (result i32) (i32.const 0))"


@record
class _ChoiceBits:
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


class Tracing:
    """What a module needs to count. `place` says where its memory is; `size` how much that is, in bytes."""

    def __init__(self, counting: Counting) -> None:
        self.counting = counting
        program = counting.program
        self.functions = (counting.leading, *counting.measures, *counting.powers)
        self.row = counting.size  # words of one game
        self.text = next(
            n for n, text in enumerate(program.texts) if text.key == f"phases.{program.phases[0][0]}.title"
        )
        self._masks = [mask for question in counting.questions for mask in self._bits_of(question)]
        self._tables: dict[str, array[int]] = {
            f"mask {number}": array("q", map(_signed, mask.entries)) for number, mask in enumerate(self._masks)
        }
        self._tables["seers"] = array("i", counting.seers)
        self._tables["types"] = array("i", self._types())
        faces = program.layout.faces
        self._tables["faces"] = array("i", (faces[n].cell if n in faces else -1 for n in range(len(program.type_of))))
        self._tables["widths"] = array("i", (mask.width for mask in self._masks))
        sides = 2 * program.layout.seats  # what each seat was offered, and what it chose
        self._parts = {
            "sums": _LONG * counting.sums,
            "masks": _LONG * sides * len(self._masks),
            "counts": _WORD * (sides * counting.choices + _LANES),  # four are written at a time
            "row": _WORD * self.row,
            **{name: len(table) * table.itemsize for name, table in self._tables.items()},
        }
        self._at: dict[str, int] = {}
        self.size = sum(map(_padded, self._parts.values()))
        self._cells = 0

    def _bits_of(self, question: CountedDecision) -> Iterator[_ChoiceBits]:
        layout, table = self.counting.program.layout, question.table
        if question.base == "piece" and not layout.faces:
            table = tuple(question.table[look] for look in self.counting.program.type_of)
        for begin in range(0, len(question.choices), _BITS):
            width = min(_BITS, len(question.choices) - begin)
            bits = (1 << choice - begin if begin <= choice < begin + width else 0 for choice in table)
            yield _ChoiceBits(question, question.first + begin, width, tuple(bits))

    def _types(self) -> Iterator[int]:
        program = self.counting.program
        for piece, look in enumerate(program.type_of):
            face = program.layout.faces.get(piece)
            yield look if face is None else look - face.first

    def place(self, begin: int, cells: int) -> None:
        """begin: of `size` bytes of its own; cells: where the state begins."""
        for name, size in self._parts.items():
            self._at[name] = begin
            begin += _padded(size)
        self._cells = cells

    def constants(self) -> Iterator[tuple[int, bytes]]:
        for name, table in self._tables.items():
            yield self._at[name], table.tobytes()

    def fresh(self) -> tuple[int, bytes]:
        """What to write, and where, before games are played."""
        return self._at["sums"], bytes(sum(_padded(self._parts[name]) for name in ("sums", *_OF_ONE_GAME)))

    def cleared(self) -> tuple[int, bytes]:
        """What to write, and where, after a game that has not come to its end."""
        return self._at[_OF_ONE_GAME[0]], bytes(sum(_padded(self._parts[name]) for name in _OF_ONE_GAME))

    def sums(self) -> tuple[int, int]:
        """Where the sums of choices stand, and their size."""
        return self._at["sums"], self._parts["sums"]

    def addresses(self) -> Mapping[str, int]:
        """The constants of `sum_up` in library.wat."""
        return {
            "CHOICE_BITS": self._at["masks"],
            "CHOICE_COUNTS": self._at["counts"],
            "CHOICE_SUMS": self._at["sums"],
            "CHOICE_WIDTHS": self._at["widths"],
            "CHOICE_WORDS": len(self._masks),
            "WIN": WIN,
        }

    @property
    def looking(self) -> list[Instruction]:
        """What is looked at of a seat when a round begins, as one function: what the ranking goes by, and powers."""
        from rulewright.program.passes.block_merging import together  # noqa: PLC0415 - what is kept has been written

        functions = self.counting.program.functions
        wanted = (self.counting.leading, *self.counting.powers)
        return together((functions[number].code for number in wanted), FUEL_BETWEEN_DECISIONS)

    def _of_seat(self, number: int, seat: str = "(local.get $seat)") -> str:
        """The address of a number of a seat's."""
        of_seat = _WORD * self.counting.of_seat
        first = self._at["row"] + _WORD * (OF_GAME + number)
        return f"(i32.add (i32.const {first}) (i32.mul {seat} (i32.const {of_seat})))"

    # ── code ──

    def note(self, site: int, seen: bool) -> str:
        """The function that notes an answer: of a seat, candidates, least, what was chosen. seen: whether the seat is
        known to see the candidates."""
        question = self.counting.question_of[site]
        return f"note{self.counting.questions.index(question)}{SEEN if seen and self._hides(question) else ''}"

    def _hides(self, question: CountedDecision) -> bool:
        """Whether a candidate may be one that the seat does not see."""
        return question.base == "piece" and any(seer != EVERYBODY for seer in self.counting.seers)

    def functions_text(self) -> Iterator[str]:
        for number, mask in enumerate(self._masks):
            for seen in (False, True)[: 1 + self._hides(mask.question)]:
                yield from self._bits(number, mask, seen)
        for number, question in enumerate(self.counting.questions):
            for seen in (False, True)[: 1 + self._hides(question)]:
                yield from self._note(number, question, seen)
        yield from self._look()
        yield from self._sample()
        yield from self._noted()

    def _note(self, number: int, question: CountedDecision, seen: bool) -> Iterator[str]:
        counting, empty = self.counting, len(question.choices) - 1
        suffix = SEEN if seen else ""
        yield f"(func $note{number}{suffix} (param $seat i32) (param $p i32) (param $n i32) (param $least i64)"
        yield "(param $chosen i32) (param $size i32) (local $bits i64) (local $kept i32) (local $counts i32)"
        for what, none, items in (
            (OFFERED, "(i64.le_s (local.get $least) (i64.const 0))", "(local.get $p) (local.get $n)"),
            (CHOSEN, "(i32.eqz (local.get $size))", "(local.get $chosen) (local.get $size)"),
        ):
            for place, mask in enumerate(self._masks):
                if mask.question is not question:
                    continue
                bits = f"(call $bits{place}{suffix} (local.get $seat) {items})"
                if mask.bit(empty):
                    nothing = f"(i64.shl (i64.extend_i32_u {none}) (i64.const {mask.bit(empty).bit_length() - 1}))"
                    bits = f"(i64.or {bits} {nothing})"
                yield f"(local.set $bits {bits})"
                kept = self._of_side("masks", _LONG * len(self._masks), what, _LONG * place)
                counts = self._of_side("counts", _WORD * counting.choices, what, _WORD * mask.first)
                yield from _met(mask.width, kept, counts)
                if what == CHOSEN and (using := counting.using(question)) is not None:
                    uses = self._of_seat(using[0])
                    wanted = _signed(sum(mask.bit(choice) for choice in using[1]))
                    many = f"(i32.wrap_i64 (i64.popcnt (i64.and (local.get $bits) (i64.const {wanted}))))"
                    yield f"(i32.store {uses} (i32.add (i32.load {uses}) {many}))"
        yield ")"

    def _of_side(self, part: str, size: int, what: int, offset: int) -> str:
        """An address in what a seat has of each kind. size: of one of both, in bytes."""
        first = self._at[part] + size * what + offset
        return f"(i32.add (i32.const {first}) (i32.mul (local.get $seat) (i32.const {2 * size})))"

    def _bits(self, number: int, mask: _ChoiceBits, seen: bool) -> Iterator[str]:
        """The choices of items, as bits: `Counting.choice`. seen: whether the seat sees them all."""
        layout, question = self.counting.program.layout, mask.question
        index, before, hides = "(local.get $item)", "", False
        match question.base:
            case "piece":
                hides = self._hides(question) and not seen
                at = self._cells + _WORD * layout.at
                zone = f"(i32.load offset={at} (i32.shl (local.get $item) (i32.const 2)))"
                before = f"(local.set $seer {self._entry('seers', zone)})" if hides else ""
                if layout.faces:
                    face = self._entry("faces", "(local.get $item)")
                    shown = f"(i32.load offset={self._cells} (i32.shl {face} (i32.const 2)))"
                    index = f"(i32.add {self._entry('types', '(local.get $item)')}"
                    index += f"(if (result i32) (i32.ge_s {face} (i32.const 0)) (then {shown}) (else (i32.const 0))))"
            case "seat":
                around = f"(i32.add (i32.sub (local.get $item) (local.get $seat)) (i32.const {layout.seats}))"
                index = f"(i32.rem_u {around} (i32.const {layout.seats}))"
            case "number":
                before = "(if (i32.lt_s (local.get $item) (i32.const -1)) (then (local.set $item (i32.const -1))))"
                most = f"(i32.const {RANGES_END + 1})"
                before += f"(if (i32.gt_s (local.get $item) {most}) (then (local.set $item {most})))"
                index = "(i32.add (local.get $item) (i32.const 1))"
        bit = self._entry(f"mask {number}", index, long=True)
        if hides:
            sees = f"(i32.or (i32.eq (local.get $seer) (i32.const {EVERYBODY}))"
            sees += "(i32.eq (local.get $seer) (local.get $seat)))"
            bit = f"(select {bit} (i64.const {_signed(mask.bit(question.hidden))}) {sees})"
        yield f"(func $bits{number}{SEEN if seen else ''} (param $seat i32) (param $p i32) (param $n i32) (result i64)"
        yield "(local $bits i64) (local $item i32) (local $seer i32)"
        yield "(if (local.get $n) (then (loop $more"
        yield f"(local.set $item (i32.load (local.get $p))) {before}"
        yield f"(local.set $bits (i64.or (local.get $bits) {bit}))"
        yield "(local.set $p (i32.add (local.get $p) (i32.const 4)))"
        yield "(br_if $more (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))))"
        yield "(local.get $bits))"

    def _entry(self, table: str, index: str, long: bool = False) -> str:
        if long:
            return f"(i64.load offset={self._at[table]} (i32.shl {index} (i32.const 3)))"
        return f"(i32.load offset={self._at[table]} (i32.shl {index} (i32.const 2)))"

    def _called(self, number: int) -> str:
        """Calls a function for $seat: 0, or how it failed. Its result stands in ANSWERS then."""
        return (
            "(block (result i32) (i32.store (global.get $ANSWER_END) (global.get $ANSWERS))"
            f"(i32.store (global.get $FUEL) (i32.const {FUEL_BETWEEN_DECISIONS}))"
            f"(call $f{number} (i64.extend_i32_u (local.get $seat))))"
        )

    def _look(self) -> Iterator[str]:
        """What the ranking goes by, of a seat, and its powers; whether that fails for the first. What cannot be worked
        out now leaves things as they were."""
        counting = self.counting
        held = [self._of_seat(counting.held + place) for place in range(len(counting.powers))]
        yield "(func $look (param $seat i32) (param $scored i32) (result i32)"
        yield "(i32.store (global.get $ANSWER_END) (global.get $ANSWERS))"
        yield "(if (i32.eqz (call $looking (i64.extend_i32_u (local.get $seat)))) (then"
        yield f"(if (local.get $scored) (then (i32.store {self._of_seat(0)} {_result(0)})))"
        for place, address in enumerate(held, 1):
            yield f"(i32.store {address} (i32.add (i32.load {address}) {_result(place)}))"
        yield "(return (i32.const 0))))"
        for address, number in zip(held, counting.powers, strict=True):
            yield f"(if (i32.eqz {self._called(number)}) (then"
            yield f"(i32.store {address} (i32.add (i32.load {address}) {_result(0)}))))"
        yield f"(if {self._called(counting.leading)} (then (return (i32.const 1))))"
        yield f"(if (local.get $scored) (then (i32.store {self._of_seat(0)} {_result(0)})))"
        yield "(i32.const 0))"

    def _sample(self) -> Iterator[str]:
        """Who leads, and who has which power."""
        yield "(func $sample (local $seat i32) (local $fuel i32) (local $best i32) (local $ahead i32)"
        yield "(local $points i32) (local $failed i32) (local $scored i32)"
        yield "(local.set $fuel (i32.load (global.get $FUEL)))"
        yield "(local.set $best (i32.const -2147483648))"
        yield "(loop $more"
        yield "(local.set $scored (call $scored (local.get $seat)))"
        yield "(if (call $look (local.get $seat) (local.get $scored))"
        yield "(then (local.set $failed (i32.or (local.get $failed) (local.get $scored))))"
        yield "(else (if (local.get $scored) (then"
        yield f"(local.set $points (i32.load {self._of_seat(0)}))"
        yield "(if (i32.eq (local.get $points) (local.get $best)) (then (local.set $ahead (i32.const 0))))"
        yield "(if (i32.gt_s (local.get $points) (local.get $best)) (then"
        yield "(local.set $ahead (i32.add (local.get $seat) (i32.const 1)))"
        yield "(local.set $best (local.get $points))))))))"
        yield "(local.set $seat (i32.add (local.get $seat) (i32.const 1)))"
        yield "(br_if $more (i32.lt_u (local.get $seat) (global.get $SEATS))))"
        yield "(i32.store (global.get $FUEL) (local.get $fuel))"
        ahead, changes = (f"(i32.const {self._at['row'] + _WORD * place})" for place in (AHEAD, LEAD_CHANGES))
        yield "(if (i32.eqz (i32.or (local.get $failed) (i32.eqz (local.get $ahead)))) (then"
        yield f"(if (i32.and (i32.ne (i32.load {ahead}) (i32.const 0))"
        yield f"(i32.ne (i32.load {ahead}) (local.get $ahead))) (then {_more(changes)}))"
        yield f"(i32.store {ahead} (local.get $ahead)))))"

    def _noted(self) -> Iterator[str]:
        yield "(func $noted (param $row i32) (result i32) (local $seat i32) (local $ended i32)"
        yield "(call $sample)"
        yield "(loop $more"
        for place, number in enumerate(self.counting.measures):
            yield f"(if (local.tee $ended {self._called(number)}) (then (return (local.get $ended))))"
            yield f"(i32.store {self._of_seat(self.counting.measured + place)} {_result(0)})"
        yield "(local.set $seat (i32.add (local.get $seat) (i32.const 1)))"
        yield "(br_if $more (i32.lt_u (local.get $seat) (global.get $SEATS))))"
        if self._masks:
            yield "(call $sum_up (local.get $row))"
        size = _WORD * self.row
        yield "(memory.copy (i32.add (local.get $row) (i32.sub (i32.shl (global.get $ROW) (i32.const 2))"
        yield f"(i32.const {size}))) (i32.const {self._at['row']}) (i32.const {size}))"
        yield f"(memory.fill (i32.const {self._at['row']}) (i32.const 0) (i32.const {size}))"
        yield "(i32.const 0))"


def _met(width: int, kept: str, counts: str) -> Iterator[str]:
    """Puts $bits into what the game had so far, and counts each once more. width: of how many choices."""
    if width > _FEW:
        yield f"(call $meet (local.get $bits) {kept} {counts})"
        return
    yield f"(local.set $kept {kept}) (local.set $counts {counts})"
    yield "(i64.store (local.get $kept) (i64.or (i64.load (local.get $kept)) (local.get $bits)))"
    for first in range(0, width, _LANES):
        bits = f"(i64.shr_u (local.get $bits) (i64.const {first}))" if first else "(local.get $bits)"
        own = f"(v128.and (i32x4.splat (i32.wrap_i64 {bits})) {_LANE_BITS})"
        at = f"offset={_WORD * first} (local.get $counts)"
        yield f"(v128.store {at} (i32x4.sub (v128.load {at}) (i32x4.eq {own} {_LANE_BITS})))"


_LANE_BITS = "(v128.const i32x4 1 2 4 8)"


def _result(number: int) -> str:
    """The only item of one of a function's results, of which each has one."""
    return f"(i32.load offset={_WORD * (2 * number + 1)} (global.get $ANSWERS))"


def _more(address: str) -> str:
    """One more of what is counted there."""
    return f"(i32.store {address} (i32.add (i32.load {address}) (i32.const 1)))"


def _signed(bits: int) -> int:
    """A word of 64 bits as a number."""
    return bits - 2**64 if bits >= 2**63 else bits


def _padded(size: int) -> int:
    return -(-size // 16) * 16
