"""The functions of a module that also counts what happens in its games, as `counting` has it.

Every answer is noted (`$noteN`, for question N), every beginning of a round is looked at (`$sample`), and at the end of
a game its counts go behind its results (`$noted`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from rulewright.runtime.counting import AHEAD, EVERYBODY, LEAD_CHANGES, OF_GAME, RANGES_END, CountedDecision, Counting
from rulewright.runtime.operations import FUEL_BETWEEN_DECISIONS

_WORD = 4
NOTHING_NOTED = "(func $noted (param $row i32) (result i32) (i32.const 0))"


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
        changing = program.layout.faces
        self._tables: list[tuple[int, ...]] = [question.table for question in counting.questions]
        self._seers = self._table(counting.seers)
        self._types = self._table(
            tuple(look - changing[n].first if n in changing else look for n, look in enumerate(program.type_of))
        )
        self._faces = self._table(tuple(changing[n].cell if n in changing else -1 for n in range(len(program.type_of))))
        self._most = max((len(question.choices) for question in counting.questions), default=0)
        self.size = _WORD * (self.row + 1 + self._most + sum(map(len, self._tables)))
        self._begin = self._cells = 0

    def _table(self, entries: tuple[int, ...]) -> int:
        self._tables.append(entries)
        return len(self._tables) - 1

    def place(self, begin: int, cells: int) -> None:
        """begin: of `size` bytes of its own; cells: where the state begins."""
        self._begin, self._cells = begin, cells

    def constants(self) -> Iterator[tuple[int, bytes]]:
        for number, table in enumerate(self._tables):
            yield self._table_at(number), array("i", table).tobytes()

    def fresh(self) -> tuple[int, bytes]:
        """What to write, and where, before games are played."""
        return self._begin, bytes(_WORD * (self.row + 1 + self._most))

    # ── addresses ──

    @property
    def _serial(self) -> int:
        """The number of the last look at a decision's items."""
        return self._begin + _WORD * self.row

    @property
    def _stamps(self) -> int:
        """The look at which each choice was last met."""
        return self._serial + _WORD

    def _table_at(self, number: int) -> int:
        return self._stamps + _WORD * (self._most + sum(map(len, self._tables[:number])))

    def _of_seat(self, number: int, seat: str = "(local.get $seat)") -> str:
        """The address of a number of a seat's."""
        of_seat = _WORD * self.counting.of_seat
        first = self._begin + _WORD * (OF_GAME + number)
        return f"(i32.add (i32.const {first}) (i32.mul {seat} (i32.const {of_seat})))"

    # ── code ──

    def note(self, site: int) -> str:
        """The function that notes an answer: of a seat, candidates, least, what was chosen."""
        return f"note{self.counting.questions.index(self.counting.question_of[site])}"

    def functions_text(self) -> Iterator[str]:
        for number, question in enumerate(self.counting.questions):
            yield from self._note(number, question)
        yield from self._sample()
        yield from self._noted()

    def _note(self, number: int, question: CountedDecision) -> Iterator[str]:
        yield f"(func $choice{number} (param $seat i32) (param $item i32) (result i32)"
        yield from self._choice(number, question)
        yield ")"
        yield f"(func $note{number} (param $seat i32) (param $p i32) (param $n i32) (param $least i64)"
        yield "(param $chosen i32) (param $size i32) (local $to i32)"
        empty = _WORD * (len(question.choices) - 1)
        for first, least, items in (
            (self.counting.offered, "(i64.le_s (local.get $least) (i64.const 0))", "(local.get $p) (local.get $n)"),
            (
                self.counting.chosen,
                "(i32.eqz (local.get $size))",
                "(local.get $chosen) (local.get $size)",
            ),
        ):
            yield f"(local.set $to {self._of_seat(first + question.first)})"
            yield f"(call $count{number} (local.get $seat) {items} (local.get $to))"
            yield f"(if {least} (then {_more(f'(i32.add (local.get $to) (i32.const {empty}))')}))"
        yield ")"
        yield f"(func $count{number} (param $seat i32) (param $p i32) (param $n i32) (param $to i32)"
        yield "(local $choice i32) (local $stamp i32) (local $serial i32)"
        yield f"(local.set $serial (i32.add (i32.load (i32.const {self._serial})) (i32.const 1)))"
        yield f"(i32.store (i32.const {self._serial}) (local.get $serial))"
        yield "(block $done (loop $more (br_if $done (i32.eqz (local.get $n)))"
        yield f"(local.set $choice (i32.shl (call $choice{number} (local.get $seat) (i32.load (local.get $p)))"
        yield "(i32.const 2)))"
        yield f"(local.set $stamp (i32.add (local.get $choice) (i32.const {self._stamps})))"
        yield "(if (i32.ne (i32.load (local.get $stamp)) (local.get $serial)) (then"
        yield "(i32.store (local.get $stamp) (local.get $serial))"
        yield f"{_more('(i32.add (local.get $to) (local.get $choice))')}))"
        yield "(local.set $p (i32.add (local.get $p) (i32.const 4)))"
        yield "(local.set $n (i32.sub (local.get $n) (i32.const 1))) (br $more))))"

    def _choice(self, number: int, question: CountedDecision) -> Iterator[str]:
        """`Counting.choice`."""
        layout = self.counting.program.layout
        index = "(local.get $item)"
        match question.base:
            case "piece":
                at = self._cells + _WORD * layout.at
                zone = f"(i32.load offset={at} (i32.shl (local.get $item) (i32.const 2)))"
                yield f"(local $seer i32) (local.set $seer {self._entry(self._seers, zone)})"
                yield f"(if (i32.ne (local.get $seer) (i32.const {EVERYBODY})) (then"
                yield "(if (i32.ne (local.get $seer) (local.get $seat)) (then"
                yield f"(return (i32.const {question.hidden}))))))"
                index = self._entry(self._types, "(local.get $item)")
                if layout.faces:
                    face = self._entry(self._faces, "(local.get $item)")
                    shown = f"(i32.load offset={self._cells} (i32.shl {face} (i32.const 2)))"
                    index = f"(i32.add {index} (if (result i32) (i32.ge_s {face} (i32.const 0))"
                    index += f"(then {shown}) (else (i32.const 0))))"
            case "seat":
                around = f"(i32.add (i32.sub (local.get $item) (local.get $seat)) (i32.const {layout.seats}))"
                index = f"(i32.rem_u {around} (i32.const {layout.seats}))"
            case "number":
                yield "(if (i32.lt_s (local.get $item) (i32.const -1)) (then (local.set $item (i32.const -1))))"
                most = f"(i32.const {RANGES_END + 1})"
                yield f"(if (i32.gt_s (local.get $item) {most}) (then (local.set $item {most})))"
                index = "(i32.add (local.get $item) (i32.const 1))"
        yield self._entry(number, index)

    def _entry(self, table: int, index: str) -> str:
        return f"(i32.load offset={self._table_at(table)} (i32.shl {index} (i32.const 2)))"

    def _called(self, number: int) -> str:
        """Calls a function for $seat: 0, or how it failed. Its result stands in ANSWERS then."""
        return (
            "(block (result i32) (i32.store (global.get $ANSWER_END) (global.get $ANSWERS))"
            f"(i32.store (global.get $FUEL) (i32.const {FUEL_BETWEEN_DECISIONS}))"
            f"(call $f{number} (i64.extend_i32_u (local.get $seat))))"
        )

    def _sample(self) -> Iterator[str]:
        """Who leads, and who has which power. What cannot be worked out now leaves things as they were."""
        counting = self.counting
        yield "(func $sample (local $seat i32) (local $fuel i32) (local $best i32) (local $ahead i32)"
        yield "(local $points i32) (local $failed i32) (local.set $fuel (i32.load (global.get $FUEL)))"
        yield "(local.set $best (i32.const -2147483648))"
        yield "(loop $more"
        yield "(if (call $scored (local.get $seat)) (then"
        yield f"(if {self._called(counting.leading)} (then (local.set $failed (i32.const 1))) (else"
        yield f"(local.set $points {_RESULT})"
        yield f"(i32.store {self._of_seat(0)} (local.get $points))"
        yield "(if (i32.eq (local.get $points) (local.get $best)) (then (local.set $ahead (i32.const 0))))"
        yield "(if (i32.gt_s (local.get $points) (local.get $best)) (then"
        yield "(local.set $ahead (i32.add (local.get $seat) (i32.const 1)))"
        yield "(local.set $best (local.get $points))))))))"
        for place, number in enumerate(counting.powers):
            held = self._of_seat(counting.held + place)
            yield f"(if (i32.eqz {self._called(number)}) (then"
            yield f"(i32.store {held} (i32.add (i32.load {held}) {_RESULT}))))"
        yield "(local.set $seat (i32.add (local.get $seat) (i32.const 1)))"
        yield "(br_if $more (i32.lt_u (local.get $seat) (global.get $SEATS))))"
        yield "(i32.store (global.get $FUEL) (local.get $fuel))"
        ahead, changes = (f"(i32.const {self._begin + _WORD * place})" for place in (AHEAD, LEAD_CHANGES))
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
            yield f"(i32.store {self._of_seat(self.counting.measured + place)} {_RESULT})"
        yield "(local.set $seat (i32.add (local.get $seat) (i32.const 1)))"
        yield "(br_if $more (i32.lt_u (local.get $seat) (global.get $SEATS))))"
        size = _WORD * self.row
        yield "(memory.copy (i32.add (local.get $row) (i32.sub (i32.shl (global.get $ROW) (i32.const 2))"
        yield f"(i32.const {size}))) (i32.const {self._begin}) (i32.const {size}))"
        yield f"(memory.fill (i32.const {self._begin}) (i32.const 0) (i32.const {size}))"
        yield "(i32.const 0))"


_RESULT = f"(i32.load offset={_WORD} (global.get $ANSWERS))"


def _more(address: str) -> str:
    """One more of what is counted there."""
    return f"(i32.store {address} (i32.add (i32.load {address}) (i32.const 1)))"
