"""Flow of pieces between zones: which zones are passed on whole, chosen from, filled by answers, fed by other zones.

The analysis collects facts about the contents of registers, vectors and saved cells, whatever the order and conditions
of instructions: that pieces lie in a zone, that something answers a question, that a number is a zone's address.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rulewright.base.records import record
from rulewright.program.blocks import blocks_of, flatten
from rulewright.program.form import Program
from rulewright.program.instructions import Instruction, is_constant, number_in, operands_of
from rulewright.program.state_layout import ME

UNANSWERED = -1
"""Site of what no question decides."""


@record
class PieceFact:
    """Fact: pieces of a zone. whole: all of them; site: question that they answer, or UNANSWERED; owner: name of the
    number that is the zone's owner, '' for a zone of the table."""

    zone: str
    whole: bool = False
    site: int = UNANSWERED
    owner: str = ""


@record
class AddressFact:
    """Fact: address of a zone. site: question whose answer selects the zone among those of its name, or UNANSWERED;
    owner: as for pieces."""

    zone: str
    site: int = UNANSWERED
    owner: str = ""


@record
class AnswerFact:
    """Fact: answer to a question."""

    site: int


@record
class AnywhereFact:
    """Fact: things named by the rules themselves; if they are pieces, they may lie anywhere."""


Fact = PieceFact | AddressFact | AnswerFact | AnywhereFact
"""Knowledge of the content of a register, a vector or a cell."""


@record
class Transfer:
    """Move of pieces from one zone to another. whole: all its pieces move, after the set-up; piece_site, target_site:
    question that decides which piece, or which zone of the target's name, or UNANSWERED; to_owner: both zones certainly
    have the same owner; to_acting: the target certainly belongs to the acting seat."""

    source: str
    target: str
    whole: bool
    piece_site: int
    target_site: int
    to_owner: bool
    to_acting: bool

    @property
    def answered(self) -> bool:
        """Whether an answer decides which piece moves, or where to."""
        return (self.piece_site, self.target_site) != (UNANSWERED, UNANSWERED)


@record
class ZoneFlow:
    """Flow of pieces through the zones of one name.

    - passes: zones to which all of its pieces are moved together, after the set-up
    - returns: only to zones of the same owner from which they came
    - is_chosen_from: a seat chooses among its pieces
    - filled: zones from which answers move pieces here
    - fed: zones from which others come
    - refills: zone from which it is refilled where it is empty, or ''
    """

    passes: tuple[str, ...] = ()
    returns: bool = False
    is_chosen_from: bool = False
    filled: tuple[str, ...] = ()
    fed: tuple[str, ...] = ()
    refills: str = ""


_KEEPING = {"as_tuple": (2,), "join": (2, 3), "unite": (2, 3), "append": (1, 2)}
"""Places of the vectors whose items an operation takes, all of them."""
_SELECTING = dict.fromkeys(("filter", "select", "within", "slice", "front", "back", "largest_group", "fitting"), (2,))
"""Likewise, some of them."""
_CONSTANT = frozenset(["fixed", "row", "stretch"])
"""Operations that give items of a table of the program."""
_SINGLE = {"copy": 2, "item": 2, "for": 2, "one": 2, "push": 2}
"""Place of the register or vector from which an operation takes one item."""
_MOVING = frozenset(["move", "move_all", "spill", "sift", "deal", "pour", "swap"])
"""Instructions that move pieces between zones."""
_FOLLOWED = frozenset(
    [*_KEEPING, *_SELECTING, *_CONSTANT, *_SINGLE, *_MOVING, "load", "store", "read", "keep", "gather", "add", "ask"]
)
"""Instructions that facts are derived from."""

_ACTING = f"cell {ME}"
"""Name of the acting seat as an owner."""
_Key = tuple[str, int]
"""Holder of facts: 'r', 'v' or 'c' for a register, a vector or a cell, and its number."""


class FlowAnalysis:
    """Facts that hold in a program, and the moves of pieces that follow from them. flows: by zone; moves: all moves
    between zones; targets: question id -> the one zone to which an answer moves a piece; of a seat's zones, that of the
    seat that answers."""

    def __init__(self, program: Program) -> None:
        self._program, self._layout = program, program.layout
        self._zone_at = {space.address: space.name for space in self._layout.zones}
        self._holds = {space.name: space.holds for space in self._layout.zones}
        self._every_kind = frozenset().union(*self._holds.values())
        self._several = {space.name for space in self._layout.zones if space.of}
        self._first = {self._zone_at[address] for address in program.starts}
        self._facts: defaultdict[_Key, set[Fact]] = defaultdict(set)
        self._choice_zones: set[str] = set()
        self._refills: dict[str, str] = {}
        moves: dict[Transfer, None] = {}
        code = list(_with_setup(program))
        self._loads = dict(_loads(instruction for instruction, _ in code))
        while self._propagate(instruction for instruction, _ in code):
            pass
        for instruction, in_setup in code:
            if instruction[0] in _MOVING:
                moves.update(dict.fromkeys(self._moves_of(instruction, in_setup)))
        self.moves = tuple(moves)
        names = list(dict.fromkeys(space.name for space in self._layout.zones))
        self.flows: Mapping[str, ZoneFlow] = {name: self._flow_of(name, names) for name in names}
        self.targets: Mapping[str, str] = dict(self._targets())

    def _targets(self) -> Iterator[tuple[str, str]]:
        """Yield the questions whose answers move pieces to zones of one name, with that name."""
        of_seats = {space.name for space in self._layout.zones if space.of == "seat"}
        targets: defaultdict[str, set[str]] = defaultdict(set)
        for move in self.moves:
            zone = move.target if move.to_acting or move.target not in of_seats else ""
            for site in {move.piece_site, move.target_site} - {UNANSWERED}:
                settled = move.target_site in (site, UNANSWERED)  # else a further question says where to
                targets[self._program.sites[site].id].add(zone if settled else "")
        yield from ((site, max(zones)) for site, zones in targets.items() if len(zones) == 1 and max(zones))

    def _flow_of(self, zone: str, names: Sequence[str]) -> ZoneFlow:
        """Return the flow of a zone, by the moves to and from it."""
        arriving = [one for one in self.moves if one.target == zone]
        leaving = [one for one in self.moves if one.source == zone and one.whole]
        decided = {one.source for one in arriving if one.answered}
        fed = {one.source for one in arriving if not one.answered and one.source != zone}
        passes = {one.target for one in leaving}
        origins = {one.source for one in arriving if one.to_owner}
        return ZoneFlow(
            passes=tuple(name for name in names if name in passes),
            returns=bool(leaving) and all(one.to_owner and one.target in origins for one in leaving),
            is_chosen_from=zone in self._choice_zones,
            filled=tuple(name for name in names if name in decided),
            fed=tuple(name for name in names if name in fed),
            refills=self._refills.get(zone, ""),
        )

    # ── facts ──

    def _propagate(self, code: Iterable[Instruction]) -> bool:
        """Add the facts that each instruction passes on; return whether there were new ones."""
        changed = False
        for instruction in code:
            for key, facts in self._effects(instruction):
                if not facts <= self._facts[key]:
                    self._facts[key] |= facts
                    changed = True
        return changed

    def _effects(self, instruction: Instruction) -> Iterator[tuple[_Key, set[Fact]]]:
        """Yield what an instruction writes to, each with the facts of the new content."""
        name, *operands = instruction
        numbers = [int(operand) for operand in operands]
        if places := _KEEPING.get(str(name)):
            yield ("v", numbers[0]), set().union(*(self._facts["v", numbers[place - 1]] for place in places))
        elif name in _SELECTING:
            yield ("v", numbers[0]), _facts_of_parts(self._facts["v", numbers[1]])
        elif name in _CONSTANT:
            yield ("v", numbers[0]), {AnywhereFact()}
        elif name in ("item", "for"):
            yield ("r", numbers[0]), _facts_of_parts(self._facts["v", numbers[1]])
        elif name == "copy":
            yield ("r", numbers[0]), self._value(numbers[1])
        elif name in ("one", "push"):
            yield ("v", numbers[0]), _facts_of_parts(self._value(numbers[1]))
        elif name == "add":
            yield ("r", numbers[0]), self._sum(numbers[1], numbers[2])
        elif name == "load":
            yield ("r", numbers[0]), self._loaded(numbers[1], numbers[2])
        elif name == "store":
            yield self._cell(numbers[0], numbers[1]), self._value(numbers[2])
        elif name == "read":
            yield ("v", numbers[0]), self._read(numbers[1], numbers[2])
        elif name == "keep":
            yield self._cell(numbers[1], numbers[2]), self._facts["v", numbers[0]]
        elif name == "gather":
            yield ("v", numbers[0]), self._gathered(numbers[1], numbers[2])
        elif name == "ask":
            yield from self._facts_of_question(numbers[0], numbers[2])

    def _value(self, operand: int) -> set[Fact]:
        """Return the facts of an operand."""
        number = number_in(operand)
        if not is_constant(operand):
            return self._facts["r", number]
        return {AddressFact(self._zone_at[number])} if number in self._zone_at else set()

    def _sum(self, one: int, other: int) -> set[Fact]:
        """Return the facts of a sum: a zone's first address plus a number is the address of a zone of that name."""
        if is_constant(one) and is_constant(other):
            return self._value(2 * (number_in(one) + number_in(other)) + 1)
        first, owner = (one, other) if is_constant(one) else (other, one)
        if not is_constant(first) or number_in(first) not in self._zone_at:
            return set()
        zone, name = self._zone_at[number_in(first)], self._owner_name(owner)
        return {AddressFact(zone, site, name) for site in _sites(self._value(owner))}

    def _owner_name(self, operand: int) -> str:
        """Return a name of an owner's number: the same name means the same owner."""
        number = number_in(operand)
        return str(number) if is_constant(operand) else self._loads.get(number, f"register {number}")

    def _loaded(self, cell: int, index: int) -> set[Fact]:
        """Return the facts of a cell's number: for the cell of a piece's place, the address of its zone."""
        if cell == self._layout.piece_zones:
            return _addresses(self._value(index))
        return self._facts[self._cell(cell, index)]

    def _cell(self, cell: int, index: int) -> _Key:
        """Return the key of a cell; of several with one meaning, the first."""
        return "c", cell + number_in(index) if is_constant(index) else cell

    def _read(self, cell: int, index: int) -> set[Fact]:
        """Return the facts of a set's members."""
        address = cell + number_in(index) if is_constant(index) else cell
        if address in self._zone_at:
            name = self._owner_name(index) if self._zone_at[address] in self._several else ""
            return {PieceFact(self._zone_at[address], True, site, name) for site in _sites(self._value(index))}
        if cell == 0 and not is_constant(index):
            return _pieces_at(self._value(index), True)
        return self._facts[self._cell(cell, index)]

    def _gathered(self, items: int, cell: int) -> set[Fact]:
        """Return the facts of the members of the sets of some owners."""
        if cell not in self._zone_at:
            return set()
        return {PieceFact(self._zone_at[cell], False, site, "some") for site in _sites(self._facts["v", items])}

    def _facts_of_question(self, number: int, candidates: int) -> Iterator[tuple[_Key, set[Fact]]]:
        """Yield the facts of a question's answer; notes the zones that are chosen from."""
        offered = self._facts["v", candidates]
        facts = {replace(fact, whole=False, site=number) for fact in offered if isinstance(fact, PieceFact)}
        self._choice_zones |= {fact.zone for fact in facts}
        if self._program.sites[number].element.base == "piece" and (not facts or AnywhereFact() in offered):
            self._choice_zones |= {zone for zone, held in self._holds.items() if held & self._kinds(number)}
        elsewhere = offered & {AnywhereFact()}
        yield ("c", self._program.sites[number].slot), {AnswerFact(number), *facts, *elsewhere}

    # ── moves ──

    def _moves_of(self, instruction: Instruction, in_setup: bool) -> Iterator[Transfer]:
        """Yield the transfers of an instruction that moves pieces; `pour` has none.

        Notes the refills of `pour` and `deal`. in_setup: whether the instruction runs in the set-up only."""
        name, *operands = instruction
        numbers = [int(operand) for operand in operands]
        if name in ("move", "move_all"):
            pieces = self._facts["v", numbers[0]] if name == "move_all" else self._value(numbers[0])
            yield from self._transfers(pieces, self._value(numbers[1]), in_setup)
        elif name == "swap":
            one, other = self._value(numbers[0]), self._value(numbers[1])
            yield from self._transfers(one, _addresses(other), in_setup)
            yield from self._transfers(other, _addresses(one), in_setup)
        elif name == "pour":
            self._note_refills(numbers[1], numbers[0])
        else:
            pieces = _pieces_at(self._value(numbers[0]), name != "deal")
            yield from self._transfers(pieces, self._value(numbers[1]), in_setup)
            if name == "deal":
                self._note_refills(numbers[0], numbers[4])

    def _transfers(self, pieces: set[Fact], target: set[Fact], in_setup: bool) -> Iterator[Transfer]:
        """Yield the transfers that a move of some pieces to a target can make. in_setup: as of `_moves_of`."""
        places = [place for place in target if isinstance(place, AddressFact)]
        known = [piece for piece in pieces if isinstance(piece, PieceFact)]
        for place in places:
            for piece in known:
                whole = piece.whole and not in_setup
                to_owner = piece.owner == place.owner != ""
                yield Transfer(piece.zone, place.zone, whole, piece.site, place.site, to_owner, place.owner == _ACTING)
        for place in places if not known or AnywhereFact() in pieces else ():
            for site in _sites(pieces):
                for zone in self._possible_sources(place.zone, site, in_setup):
                    yield Transfer(zone, place.zone, False, site, place.site, False, place.owner == _ACTING)

    def _possible_sources(self, target: str, site: int, in_setup: bool) -> Iterator[str]:
        """Yield the zones from which pieces chosen by kind, wherever they lie, may come to a zone. in_setup: as of
        `_moves_of`."""
        kinds = self._kinds(site) & self._holds[target]
        for zone, kinds_held in self._holds.items():
            if (
                (zone != target or zone in self._several)
                and (zone in self._first or not in_setup)
                and kinds_held & kinds
            ):
                yield zone

    def _kinds(self, site: int) -> frozenset[str]:
        """Return the kinds of piece that a question offers; all kinds if it offers no pieces."""
        detail = self._program.sites[site].element.detail if site != UNANSWERED else self._every_kind
        return detail if isinstance(detail, frozenset) else self._every_kind

    def _note_refills(self, pile: int, source: int) -> None:
        """Record that a zone is refilled from another. pile, source: operands with their addresses."""
        for one in self._value(pile):
            for other in self._value(source):
                if isinstance(one, AddressFact) and isinstance(other, AddressFact):
                    self._refills[one.zone] = other.zone


def _facts_of_parts(facts: set[Fact]) -> set[Fact]:
    """Return the facts of some of the items of a vector: no longer of all pieces of a zone."""
    return {replace(fact, whole=False) if isinstance(fact, PieceFact) and fact.whole else fact for fact in facts}


def _sites(facts: set[Fact]) -> set[int]:
    """Return the sites of the questions that a number answers, or UNANSWERED alone."""
    return {fact.site for fact in facts if isinstance(fact, AnswerFact)} or {UNANSWERED}


def _pieces_at(facts: set[Fact], whole: bool) -> set[Fact]:
    """Return the facts of the pieces that lie at addresses."""
    return {PieceFact(fact.zone, whole, fact.site, fact.owner) for fact in facts if isinstance(fact, AddressFact)}


def _addresses(facts: set[Fact]) -> set[Fact]:
    """Return the facts of the addresses where pieces lie."""
    return {AddressFact(fact.zone, fact.site, fact.owner) for fact in facts if isinstance(fact, PieceFact)}


def _loads(code: Iterable[Instruction]) -> Iterator[tuple[int, str]]:
    """Yield registers that a cell is loaded into, with the name of what the cell holds."""
    for instruction in code:
        match instruction:
            case ("load", int(register), int(cell), int(index)) if is_constant(index):
                yield register, f"cell {cell + number_in(index)}"


def _with_setup(program: Program) -> Iterator[tuple[Instruction, bool]]:
    """Yield the instructions that move facts, with whether they run in the set-up only."""
    blocks = blocks_of(program)
    later = _reachable({block: flatten(body) for block, body in blocks.items()}, program)
    for block, body in blocks.items():
        for instruction in flatten(body):
            if instruction[0] in _FOLLOWED:
                yield instruction, block not in later


def _reachable(blocks: Mapping[int, list[Instruction]], program: Program) -> set[int]:
    """Return the blocks that may run once the phases have begun."""
    result: set[int] = set()
    worklist = [block for _, block in program.phases]
    while worklist:
        block = worklist.pop()
        if block not in result and block in blocks:
            result.add(block)
            for instruction in blocks[block]:
                worklist += [operand for kind, operand in operands_of(instruction) if kind == "L"]
                if instruction[0] == "ask":
                    worklist.append(program.sites[int(instruction[1])].resume)
    return result
