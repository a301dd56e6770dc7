"""What of a position matters in an example: what moves, what is told of, and what decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulewright.authoring.scenarios.cases import Case
from rulewright.game.game import Game
from rulewright.model.declarations import NUMBERS, SEAT, Board
from rulewright.program.appearance import type_at
from rulewright.program.form import StateZone
from rulewright.publish.rulebook.example_story import Move, Story, Told
from rulewright.runtime.position import Spot
from rulewright.runtime.state import State, clone
from rulewright.runtime.view import NARRATOR, sees


@dataclass
class Trace:
    """What happens to a piece. start, name: where it lies in the picture, and as what; marks: the numbers of the lines
    that tell of it; goal: where it goes first; comes: whether it comes there during the case."""

    start: Spot
    name: str
    marks: set[int] = field(default_factory=set)
    goal: Spot | None = None
    decides: bool = False
    comes: bool = False
    enters: bool = False


class Involved:
    """Works out, of one case that was played, which pieces its picture has. traces: by piece; giving: those that
    give the power which is explained."""

    def __init__(self, game: Game, case: Case, story: Story) -> None:
        self.game, self.case, self.story = game, case, story
        self.program, self.layout, self.edition = game.program, game.program.layout, game.rules.edition
        self.spaces = {(space.name, space.owner): space for space in self.layout.spaces}
        boards = [board for board in self.edition.boards.values() if board.positions]
        self.of_boards = {words for board in boards for words in (board.spaces, *lists(self, board))}
        self.traces: dict[int, Trace] = {}
        self.told_moves: list[tuple[Move, Told]] = []
        self.begun = {piece: spot for spot, space in self.spaces.items() for piece in story.begins[space.address]}
        self.giving: set[int] = set()
        for move in story.moves:
            self.move(move)
        self.powers()
        self.offers()
        self.decisive = self.decides()
        if len(self.traces) == 1:  # among nothing else, nothing stands out
            for trace in self.traces.values():
                trace.decides = False

    def on_board(self, spot: Spot) -> bool:
        return self.spaces[spot].of in self.of_boards

    def is_laid(self, spot: Spot) -> bool:
        """Whether a picture may have a zone as it was: people see it, and the position says what lies there."""
        space = self.spaces[spot]
        told = spot in self.case.laid or (self.case.setting.state is None and space.of == SEAT and not space.pile)
        return told and self.is_seen(space) and not self.on_board(spot)

    def is_seen(self, space: StateZone) -> bool:
        return sees(space, NARRATOR) and self.edition.zones[space.name].shown

    def name(self, piece: int, s: State) -> str:
        return type_at(self.program, self.program.look(s, piece)).name

    def word(self, spot: Spot) -> str:
        """The word whose zone it is, or ''."""
        words = self.program.words.get(self.spaces[spot].of)
        return words[spot[1]] if words else ""

    def owner(self, spot: Spot) -> str:
        return self.game.names[spot[1]] if self.spaces[spot].of == SEAT else ""

    # ── what moves ──

    def move(self, move: Move) -> None:
        """The first line that tells of it, from then on."""
        people = {self.owner(move.start), self.owner(move.goal), self.game.names[move.seat]} - {""}
        places = {self.word(move.start), self.word(move.goal)} - {""}
        for line in self.story.lines:
            if not line.kind or line.moment < move.moment or self.is_followed(move, line):
                continue
            if line.named & places or (line.names(move.name) and any(line.names(person) for person in people)):
                self.told_moves.append((move, line))
                break
        else:
            return
        start = self.begun[move.piece]
        if self.is_laid(start):
            if not self.on_board(move.goal):
                trace = self.trace(move.piece, start, line.number)
                trace.goal = trace.goal or move.goal
        elif not self.is_seen(self.spaces[start]) or self.spaces[start].pile:
            goal = self.spaces[move.goal]
            if move.piece not in self.traces and goal.of == SEAT and self.is_seen(goal) and not goal.pile:
                self.trace(move.piece, move.goal, line.number).comes = True
        elif move.goal in (self.case.show or ()) and not self.on_board(move.goal):
            trace = self.trace(move.piece, start, line.number)
            trace.goal, trace.enters = trace.goal or move.goal, True

    def is_followed(self, move: Move, line: Told) -> bool:
        """Whether a line tells of another such piece, which moves later than this one."""
        return any(
            move.moment < later.moment <= line.moment
            and (later.name, later.start) == (move.name, move.start)
            and later.piece != move.piece
            for later in self.story.moves
        )

    def trace(self, piece: int, start: Spot, mark: int = 0) -> Trace:
        """What is known of a piece; mark: a line that tells of it, or 0."""
        found = self.traces.setdefault(piece, Trace(start, self.name(piece, self.story.begins)))
        if mark:
            found.marks.add(mark)
        return found

    # ── what decides ──

    def powers(self) -> None:
        """The pieces that give the power which is explained: without one of them, its owner would not have it."""
        section, _, name = self.case.explains.partition(".")
        power = self.program.powers.get(name) if section == "powers" else None
        if power is None:
            return
        begins = self.story.begins
        for spot, space in self.spaces.items():
            if space.of != SEAT or not self.is_laid(spot) or not begins[space.address]:
                continue
            if not self.game.machine.call(power.function, begins, space.owner)[0][0]:
                continue
            for piece in begins[space.address]:
                without = clone(begins)
                without[space.address] = tuple(other for other in begins[space.address] if other != piece)
                without[self.layout.at + piece] = self.program.starts[piece]
                if not self.game.machine.call(power.function, without, space.owner)[0][0]:
                    self.trace(piece, spot).decides = True
                    self.giving.add(piece)

    def offers(self) -> None:
        """What could be chosen where an explanation says so."""
        for explained in self.story.explained:
            for choice in explained.offered:
                for piece, spot in self.begun.items():
                    named = choice.zone == spot[0] and choice.name == self.name(piece, self.story.begins)
                    if named and self.is_laid(spot) and self.owner(spot) in ("", *self.seats(explained.subject.seats)):
                        self.trace(piece, spot)

    def seats(self, seats: Iterable[int]) -> set[str]:
        return {self.game.names[seat] for seat in seats}

    def decides(self) -> Told | None:
        """The line before an explanation that names whoever it is about and a piece of the picture, which decides."""
        for explained in self.story.explained:
            about = self.seats(explained.subject.has or explained.subject.seats)
            for line in reversed(self.story.lines[: explained.lines]):
                if not line.words or (about and not any(line.names(person) for person in about)):
                    continue
                pieces = list(self.pieces_of(line))
                for piece in pieces:
                    self.trace(piece, self.begun[piece], line.number).decides = True
                if pieces or any(self.named_spaces(line)):
                    return line
        return None

    def pieces_of(self, line: Told) -> Iterator[int]:
        """The pieces of the picture that a line names: those whose move it tells, or else those that stay."""
        moved = [move.piece for move, told in self.told_moves if told is line and self.is_laid(self.begun[move.piece])]
        moved = [
            piece for piece in moved if not any(m.piece == piece and self.on_board(m.goal) for m in self.story.moves)
        ]
        if moved:
            yield from moved
            return
        staying: dict[str, list[int]] = {}
        for piece, spot in self.begun.items():
            name = self.name(piece, self.story.begins)
            if self.is_laid(spot) and line.names(name):
                staying.setdefault(name, []).append(piece)
        for pieces in staying.values():
            own = [piece for piece in pieces if line.names(self.owner(self.begun[piece]) or "\0")]
            yield from pieces if len(pieces) == 1 else own if len(own) == 1 else ()

    def named_spaces(self, line: Told) -> Iterator[Spot]:
        """The spaces of boards that a line names."""
        for spot, space in self.spaces.items():
            if space.of in self.of_boards and self.word(spot) in line.named:
                yield spot


def lists(tracing: Involved, board: Board) -> list[str]:
    """The word lists of the regions of a board's spaces."""
    return [of for of in tracing.edition.words[board.spaces].attributes.values() if of not in NUMBERS]
