"""Relevance in an example: the pieces of a position that move, that the story mentions, or that decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulewright.authoring.scenarios.cases import Case
from rulewright.game.game import Game
from rulewright.model.declarations import SEAT
from rulewright.program.appearance import type_with_marks
from rulewright.program.state_layout import StateZone
from rulewright.publish.board_places import board_places
from rulewright.publish.rulebook.board_drawings import region_lists
from rulewright.publish.rulebook.example_story import Story, StoryLine, StoryMove
from rulewright.runtime.position import Spot
from rulewright.runtime.state import State, clone
from rulewright.runtime.view import NARRATOR, sees_zone


@dataclass
class PieceTrace:
    """Role of a piece in an example.

    - start, name: its zone and name in the picture
    - marks: numbers of the lines about it
    - goal: where it moves first
    - decides: whether the explained rule depends on it
    - enters: whether it comes into a zone of the picture from one whose contents the position does not give
    """

    start: Spot
    name: str
    marks: set[int] = field(default_factory=set)
    goal: Spot | None = None
    decides: bool = False
    enters: bool = False


class RelevantPieces:
    """Finder of the pieces for the picture of a case that was played.

    traces: by number of the piece; power_givers: pieces that give the explained power. spaces: zones, by spot;
    of_boards: word lists of spaces and regions; starts: where each piece lies at first; reported_moves: moves with the
    first line that reports them; decisive: see `find_decisive`.
    """

    def __init__(self, game: Game, case: Case, story: Story) -> None:
        self.game, self.case, self.story = game, case, story
        self.program, self.layout, self.edition = game.program, game.program.layout, game.rules.edition
        self.spaces = {(space.name, space.owner): space for space in self.layout.zones}
        boards = [board for board in self.edition.boards.values() if board_places(self.edition, board)]
        self.of_boards = {
            words for board in boards for words in (board.spaces, *region_lists(self.edition, board).values())
        }
        self.traces: dict[int, PieceTrace] = {}
        self.reported_moves: list[tuple[StoryMove, StoryLine]] = []
        self.starts = {piece: spot for spot, space in self.spaces.items() for piece in story.start_state[space.address]}
        self.power_givers: set[int] = set()
        for move in story.moves:
            self.record_move(move)
        self.mark_power_pieces()
        self.add_choices()
        self.decisive = self.find_decisive()
        if len(self.traces) == 1:  # among nothing else, nothing stands out
            for trace in self.traces.values():
                trace.decides = False

    def on_board(self, spot: Spot) -> bool:
        """Return whether a spot is a space or region of one of the boards."""
        return self.spaces[spot].of in self.of_boards

    def is_declared(self, spot: Spot) -> bool:
        """Return whether a picture may show a zone as it was: people see it, it is on no board, and the position
        declares its contents, or, without a position, it is a seat's and no pile."""
        space = self.spaces[spot]
        declared = spot in self.case.laid or (self.case.setting.state is None and space.of == SEAT and not space.pile)
        return declared and self.is_visible(space) and not self.on_board(spot)

    def is_visible(self, space: StateZone) -> bool:
        """Return whether readers of an example see what lies in a zone."""
        return sees_zone(space, NARRATOR) and self.edition.zones[space.name].shown

    def name(self, piece: int, s: State) -> str:
        """Return a piece's name in a state, with its counters."""
        return type_with_marks(self.program, self.program.appearance(s, piece)).name

    def word(self, spot: Spot) -> str:
        """Return the word that owns a zone, or ''."""
        words = self.program.words.get(self.spaces[spot].of)
        return words[spot[1]] if words else ""

    def owner(self, spot: Spot) -> str:
        """Return the name of the seat that owns a zone, or ''."""
        return self.game.names[spot[1]] if self.spaces[spot].of == SEAT else ""

    # ── what moves ──

    def record_move(self, move: StoryMove) -> None:
        """Record a move at the first line about it, and trace its piece where the picture shows that; nothing without
        such a line."""
        people = {self.owner(move.start), self.owner(move.goal), self.game.names[move.seat]} - {""}
        places = {self.word(move.start), self.word(move.goal)} - {""}
        for line in self.story.lines:
            if not line.kind or line.moment < move.moment or self.is_followed(move, line):
                continue
            if line.subjects & places or (line.names(move.name) and any(line.names(person) for person in people)):
                self.reported_moves.append((move, line))
                break
        else:
            return
        start = self.starts[move.piece]
        if self.is_declared(start):
            if not self.on_board(move.goal):
                trace = self.trace(move.piece, start, line.number)
                trace.goal = trace.goal or move.goal
        elif not self.is_visible(self.spaces[start]) or self.spaces[start].pile:
            goal = self.spaces[move.goal]
            if move.piece not in self.traces and goal.of == SEAT and self.is_visible(goal) and not goal.pile:
                self.trace(move.piece, move.goal, line.number)
        elif move.goal in (self.case.show or ()) and not self.on_board(move.goal):
            trace = self.trace(move.piece, start, line.number)
            trace.goal, trace.enters = trace.goal or move.goal, True

    def is_followed(self, move: StoryMove, line: StoryLine) -> bool:
        """Return whether a line is about another such piece, which moves later than this one."""
        return any(
            move.moment < later.moment <= line.moment
            and (later.name, later.start) == (move.name, move.start)
            and later.piece != move.piece
            for later in self.story.moves
        )

    def trace(self, piece: int, start: Spot, mark: int = 0) -> PieceTrace:
        """Return the trace of a piece, made at its first use. mark: number of a line about it, which is added, or 0."""
        trace_ = self.traces.setdefault(piece, PieceTrace(start, self.name(piece, self.story.start_state)))
        if mark:
            trace_.marks.add(mark)
        return trace_

    # ── what decides ──

    def mark_power_pieces(self) -> None:
        """Mark as decisive the pieces that give the explained power: without one of them, its owner would not have it.
        Nothing where the case explains no power."""
        section, _, name = self.case.explains.partition(".")
        power = self.program.powers.get(name) if section == "powers" else None
        if power is None:
            return
        start_state = self.story.start_state
        for spot, space in self.spaces.items():
            if space.of != SEAT or not self.is_declared(spot) or not start_state[space.address]:
                continue
            if not self.game.machine.call(power.function, start_state, space.owner)[0][0]:
                continue
            for piece in start_state[space.address]:
                without = clone(start_state)
                without[space.address] = tuple(other for other in start_state[space.address] if other != piece)
                without[self.layout.piece_zones + piece] = self.program.starts[piece]
                if not self.game.machine.call(power.function, without, space.owner)[0][0]:
                    self.trace(piece, spot).decides = True
                    self.power_givers.add(piece)

    def add_choices(self) -> None:
        """Trace the pieces that an explanation offers as choices."""
        for explained in self.story.explanations:
            for choice in explained.offered:
                for piece, spot in self.starts.items():
                    is_choice = choice.zone == spot[0] and choice.name == self.name(piece, self.story.start_state)
                    if (
                        is_choice
                        and self.is_declared(spot)
                        and self.owner(spot) in ("", *self.seats(explained.subject.seats))
                    ):
                        self.trace(piece, spot)

    def seats(self, seats: Iterable[int]) -> set[str]:
        """Return the names of seats, by their numbers."""
        return {self.game.names[seat] for seat in seats}

    def find_decisive(self) -> StoryLine | None:
        """Return the last line before an explanation that names its subject and a piece or space of the picture, which
        decides; note these pieces as such. None if no line does."""
        for explained in self.story.explanations:
            subjects = self.seats(explained.subject.has or explained.subject.seats)
            for line in reversed(self.story.lines[: explained.lines]):
                if not line.words or (subjects and not any(line.names(person) for person in subjects)):
                    continue
                pieces = list(self.pieces_of(line))
                for piece in pieces:
                    self.trace(piece, self.starts[piece], line.number).decides = True
                if pieces or any(self.named_spaces(line)):
                    return line
        return None

    def pieces_of(self, line: StoryLine) -> Iterator[int]:
        """Yield the pieces of the picture that a line names: those whose move it reports, or else those that stay."""
        moved_pieces = [
            move.piece
            for move, report in self.reported_moves
            if report is line and self.is_declared(self.starts[move.piece])
        ]
        moved_pieces = [
            piece
            for piece in moved_pieces
            if not any(m.piece == piece and self.on_board(m.goal) for m in self.story.moves)
        ]
        if moved_pieces:
            yield from moved_pieces
            return
        staying: dict[str, list[int]] = {}
        for piece, spot in self.starts.items():
            name = self.name(piece, self.story.start_state)
            if self.is_declared(spot) and line.names(name):
                staying.setdefault(name, []).append(piece)
        for pieces in staying.values():
            owned = [piece for piece in pieces if line.names(self.owner(self.starts[piece]) or "\0")]
            yield from pieces if len(pieces) == 1 else owned if len(owned) == 1 else ()

    def named_spaces(self, line: StoryLine) -> Iterator[Spot]:
        """Yield the spaces of boards that a line names."""
        for spot, space in self.spaces.items():
            if space.of in self.of_boards and self.word(spot) in line.subjects:
                yield spot
