"""Examples in a book: one picture of what changes or decides, and the story, in the book's language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from rulewright.authoring.scenarios.cases import Case
from rulewright.authoring.scenarios.examples import left_out_message
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.wording import Wording
from rulewright.i18n.localizer import Localizer, Phrase
from rulewright.model.declarations import SEAT, Board
from rulewright.model.pictures import has_pips
from rulewright.program.state_layout import GAME_OVER, PC, Counter
from rulewright.publish.board_annotations import Arrow, BoardAnnotations, PieceOnSpace
from rulewright.publish.board_grid import Position
from rulewright.publish.board_places import board_places
from rulewright.publish.rulebook.board_drawings import region_lists
from rulewright.publish.rulebook.example_relevance import PieceTrace, RelevantPieces
from rulewright.publish.rulebook.example_story import SCORES, Story, StoryPlayer
from rulewright.publish.rulebook.model import Drawing, Example, ExampleLine, Piece, ShownTable, ShownZone, Tableau
from rulewright.publish.rulebook.positions import Positions
from rulewright.runtime.position import TABLE, Spot
from rulewright.runtime.state import State, clone
from rulewright.runtime.view import NARRATOR, CounterValue, View, owner_value, view

MAX_MOVES = 4
"""Limit of moves on one board that a single picture can show."""


class UnplayableExample(RulewrightError):
    """Raised for an example that cannot be played by these rules. wording: which and why."""

    def __init__(self, wording: Wording) -> None:
        super().__init__(wording)
        self.wording = wording


def example(case: Case, anchor: str, localizer: Localizer) -> Example:
    """Play a case; return it as an example. Raises UnplayableExample where an answer is refused, or the rules fail."""
    try:
        player = StoryPlayer(case, localizer)
        title = localizer.title(Phrase(f"{case.key}.title", case.name))
        text = player.text("text", case.text.text) if case.text is not None else ""
        story = player.play()
        course = tuple(ExampleLine(line.text, not line.kind, line.number) for line in story.lines)
        before, after = _Picture(player, story).positions_shown()
        return Example(anchor, title, text, before, course, after, story.scores)
    except RulewrightError as error:
        raise UnplayableExample(left_out_message(case.name, case.place, str(error))) from None


class _Picture:
    """Picture of one case."""

    def __init__(self, player: StoryPlayer, story: Story) -> None:
        self.case, self.story, self.game = player.case, story, player.game
        self.positions = Positions(self.game, player.localizer, state=story.start_state)
        self.tracing = RelevantPieces(self.game, self.case, story)
        self.localizer, self.edition = player.localizer, self.game.rules.edition
        self.program, self.layout = self.game.program, self.game.program.layout
        self.compares = self.case.explains.partition(".")[0] in SCORES

    @cached_property
    def later_positions(self) -> Positions:
        """Positions after the example."""
        return Positions(self.game, self.localizer, state=self.story.end_state)

    def positions_shown(self) -> tuple[ShownTable, ShownTable]:
        """Return the position with its annotations; then what one picture cannot show. Of a case that begins with the
        set-up and moves nothing, the whole table at its end."""
        if self.case.setting.state is None and not self.story.moves:
            return self.later_positions.show(self.whole_table()), ShownTable()
        boards = list(self.boards())
        table = self.table(self.case.show)
        if not table and not boards:
            table = self.table(tuple(self.declared_zones()))
        after = tuple(after for _, after in boards if after is not None)
        return ShownTable(tuple(table), tuple(before for before, _ in boards)), ShownTable((), after)

    def whole_table(self) -> View:
        """Return the visible parts of a table, and the piles of which nobody sees more than the back."""
        table_view = self.game.view(NARRATOR)
        return replace(
            table_view, zones=tuple(zone for zone in table_view.zones if zone.pile or zone.pieces is not None)
        )

    def declared_zones(self) -> Iterator[Spot]:
        """Yield all zones that the position declares, in its order."""
        for spot in self.tracing.spaces:
            if self.tracing.is_declared(spot):
                yield spot
        yield from (spot for spot in self.case.laid if spot not in self.tracing.spaces)

    # ── what lies before whom ──

    def table(self, show: tuple[Spot, ...] | None) -> list[Tableau]:
        """Return the table, then the players in their order.

        show: zones to show completely, or None for what is relevant.
        """
        owned: dict[int, list[ShownZone]] = {owner: [] for owner in (TABLE, *range(self.layout.seats))}
        for spot, space in self.tracing.spaces.items():
            pieces = list(self.pieces(spot, show))
            if pieces and not self.tracing.on_board(spot):
                owner = space.owner if space.of == SEAT else TABLE
                name = self.localizer.title(self.game.messages.terms.zone(space.name))
                word = self.tracing.word(spot)
                title = f"{self.positions.word(space.of, word)}: {name}" if word else name
                owned[owner].append(ShownZone(title, tuple(pieces), self.hidden_count(spot, pieces)))
        for spot in self.counters(show):
            owner = spot[1] if self.counter_of(spot).of == SEAT else TABLE
            owned[owner] += self.counter(spot)
        owner_names = {TABLE: ""} | {seat: self.positions.name(seat) for seat in range(self.layout.seats)}
        everybody = self.compares and any(owned.values())
        return [
            Tableau(owner_names[owner], tuple(places))
            for owner, places in owned.items()
            if places or (everybody and owner != TABLE)
        ]

    def hidden_count(self, spot: Spot, pieces: Sequence[Piece]) -> str:
        """Return the number of pieces in a player's zone that are not shown, such as '+1', or ''.

        Only where pieces arrive that no picture shows, so that the numbers in the story agree.
        """
        space = self.tracing.spaces[spot]
        before, after = (s[space.address] for s in (self.story.start_state, self.story.end_state))
        traces = self.tracing.traces
        has_arrivals = any(piece not in traces for piece in set(after) - set(before))
        hidden = len(before) - sum(piece.count for piece in pieces)
        return (
            f"+{self.localizer.number(hidden)}"
            if space.of == SEAT and not space.pile and has_arrivals and hidden > 0
            else ""
        )

    def pieces(self, spot: Spot, show: tuple[Spot, ...] | None) -> Iterator[Piece]:
        """Yield the relevant pieces of a zone, equal ones together; those mentioned first come first."""
        space, start_state = self.tracing.spaces[spot], self.story.start_state
        complete = (show is not None and spot in show) or self.is_roll(spot)
        shown_pieces = list(start_state[space.address]) if complete else []
        if complete and not self.tracing.is_visible(space):
            if shown_pieces:
                yield self.positions.pieces.hidden(sorted(space.holds), len(shown_pieces))
            return
        if complete and space.pile and shown_pieces:
            yield self.piece(PieceTrace(spot, self.tracing.name(shown_pieces[-1], start_state)), len(shown_pieces))
            return
        traces = {
            piece: trace
            for piece, trace in self.tracing.traces.items()
            if trace.start == spot and (complete or show is None or trace.enters or piece in self.tracing.power_givers)
        }
        order = list(start_state[space.address])
        groups: dict[tuple[object, ...], list[PieceTrace]] = {}
        for piece in sorted(
            {*shown_pieces, *traces}, key=lambda number: order.index(number) if number in order else len(order)
        ):
            trace = traces.get(piece) or PieceTrace(spot, self.tracing.name(piece, start_state))
            key = (trace.name, tuple(sorted(trace.marks)), trace.goal, trace.decides)
            groups.setdefault(key, []).append(trace)
        if space.of == SEAT:
            groups = dict(sorted(groups.items(), key=lambda group: (not group[0][1], group[0][1], str(group[0][2]))))
        for group in groups.values():
            yield self.piece(group[0], len(group))

    def is_roll(self, spot: Spot) -> bool:
        """Return whether a zone holds dice of which one is relevant: a roll is shown completely."""
        kinds = [self.edition.kinds[name] for name in self.tracing.spaces[spot].holds]
        are_dice = bool(kinds) and all(map(has_pips, kinds))
        return are_dice and any(trace.start == spot for trace in self.tracing.traces.values())

    def piece(self, trace: PieceTrace, count: int) -> Piece:
        """Return equal pieces with the annotations of one of them."""
        piece_ = self.positions.piece(trace.name, count)
        return replace(piece_, marks=tuple(sorted(trace.marks)), goes=self.goes(trace), decides=trace.decides)

    def goes(self, trace: PieceTrace) -> str:
        """Return where a piece moves: to which player, or to which zone of the same player; '' where it stays, or goes
        to one that readers do not see."""
        if trace.goal is None:
            return ""
        owner = self.tracing.owner(trace.goal)
        if owner and owner != self.tracing.owner(trace.start):
            return self.localizer.isolate(owner)
        if not self.tracing.is_visible(self.tracing.spaces[trace.goal]):
            return ""
        return self.localizer.title(self.game.messages.terms.zone(trace.goal[0]))

    # ── counters ──

    def counter_of(self, spot: Spot) -> Counter:
        """Return the counter of a spot."""
        return next(counter for counter in self.layout.counters if counter.name == spot[0])

    def value(self, spot: Spot, s: State) -> CounterValue:
        """Return a counter's value in a state."""
        return owner_value(self.program, s, self.counter_of(spot), spot[1])

    def counters(self, show: tuple[Spot, ...] | None) -> Iterator[Spot]:
        """Yield the counters to show: those in `show`; without it, those that the position gives and that change, or
        that an explanation mentions."""
        mentioned = {spot for explained in self.story.explanations for spot in explained.subject.spots}
        for counter in self.layout.counters:
            for owner in range(counter.owners) if counter.of else (TABLE,):
                spot = (counter.name, owner)
                if show is not None:
                    is_shown = spot in show
                else:
                    changed = self.value(spot, self.story.start_state) != self.value(spot, self.story.end_state)
                    is_shown = spot in self.case.laid and (changed or spot in mentioned)
                if is_shown:
                    yield spot

    def counter(self, spot: Spot) -> Iterator[ShownZone]:
        """Yield a visible counter before the example, with its later value if that differs."""
        declared, counter = self.edition.counters[spot[0]], self.counter_of(spot)
        if not declared.shown:
            return
        before, now = (
            self.localizer.title(self.positions.counter_value(declared, self.value(spot, s)))
            for s in (self.story.start_state, self.story.end_state)
        )
        name = self.localizer.title(self.game.messages.terms.counter(spot[0]))
        if counter.of not in ("", SEAT):
            name = f"{self.positions.word(counter.of, self.program.words[counter.of][spot[1]])}: {name}"
        yield ShownZone(name, (), before, later=now if now != before else "")

    # ── boards ──

    def boards(self) -> Iterator[tuple[Drawing, Drawing | None]]:
        """Yield each board with events, and once more where one picture cannot show them."""
        for board in self.edition.boards.values():
            if not board_places(self.edition, board):
                continue
            lists = {board.spaces, *region_lists(self.edition, board).values()}
            if self.case.show is not None and not any(
                spot in self.tracing.spaces and self.tracing.spaces[spot].of in lists for spot in self.case.show
            ):
                continue
            traces = _BoardEvents(self, board)
            if not traces.has_events:
                continue
            near = [self.view_of(s) for s in (self.story.start_state, self.story.end_state)]
            drawing = self.positions.boards.draw(near[0], board, near, traces.annotations())
            yield drawing, self.later_positions.boards.draw(near[1], board, near) if traces.needs_second else None

    def view_of(self, s: State) -> View:
        """Return the view of a state for readers of an example, with no question."""
        stopped = clone(s)
        stopped[PC] = GAME_OVER  # of a position that has only been laid out nobody can say who will be asked
        return view(self.game.machine, stopped, NARRATOR)


class _BoardEvents:
    """Finder of the annotations of one board. positions_by_word: of its spaces, by all names that lines have for them;
    arrived: goals of moves, in order; has_events: whether there is anything to annotate; needs_second: whether one
    picture cannot show all moves."""

    def __init__(self, picture: _Picture, board: Board) -> None:
        self.board, self.tracing, self.positions = board, picture.tracing, picture.positions
        self.story, self.edition = picture.story, picture.edition
        words = self.edition.words[board.spaces].words
        places = board_places(self.edition, board)
        self.positions_by_word = {word.name: place for word, place in zip(words, places, strict=True)}
        if places == board.positions:  # as lines call them
            self.positions_by_word |= {board.coordinates.label(place): place for place in places}
            names = (self.edition.own_name(board.spaces, number) for number in range(len(words)))
            self.positions_by_word |= {name: place for name, place in zip(names, places, strict=True) if name}
        self.marks: dict[Position, set[int]] = {}
        self.arrows: dict[Arrow, None] = {}
        self.arrivals: dict[Position, PieceOnSpace] = {}
        self.departures: set[Position] = set()
        self.arrived: list[Position] = []
        for move, line in self.tracing.reported_moves:
            self.add_move(move.start, move.goal, move.name, line.number)
        goals = {arrow.goal for arrow in self.arrows}
        for line in self.story.lines:
            for name in line.subjects & self.positions_by_word.keys() if line.kind else ():
                if self.positions_by_word[name] not in goals or self.positions_by_word[name] in self.marks:
                    self.marks.setdefault(self.positions_by_word[name], set()).add(line.number)
        choices = (choice for explained in self.story.explanations for choice in explained.offered)
        self.choices = frozenset(
            self.positions_by_word[c.key]
            for c in choices
            if c.words == board.spaces and c.key in self.positions_by_word
        )
        lists = set(region_lists(self.edition, board).values())
        regions = {word.name for list_name in lists for word in self.edition.words[list_name].words}
        self.has_events = bool(self.marks or self.arrows or self.arrivals or self.choices) or any(
            line.subjects & regions for line in self.story.lines
        )
        self.needs_second = len(self.arrived) > MAX_MOVES or len(set(self.arrived)) < len(self.arrived)

    def position_of(self, spot: Spot) -> Position | None:
        """Return where a spot lies on this board; None if it is elsewhere."""
        return (
            self.positions_by_word.get(self.tracing.word(spot))
            if self.tracing.spaces[spot].of == self.board.spaces
            else None
        )

    def add_move(self, start: Spot, goal: Spot, name: str, number: int) -> None:
        """Draw a move: an arrow on the board, or a departure or arrival where only one end is on it."""
        start_space, goal_space = self.position_of(start), self.position_of(goal)
        if start_space is not None and goal_space is not None:
            self.arrows[Arrow(start_space, goal_space)] = None
            self.marks.setdefault(start_space, set()).add(number)
        elif start_space is not None:
            self.departures.add(start_space)
            self.marks.setdefault(start_space, set()).add(number)
        elif goal_space is not None:
            piece = self.positions.piece(name)
            self.arrivals[goal_space] = PieceOnSpace(piece.name, piece.picture)
            self.marks.setdefault(goal_space, set()).add(number)
        if goal_space is not None:
            self.arrived.append(goal_space)

    def annotations(self) -> BoardAnnotations:
        """Return what to draw over the board: arrows, numbers of acts, choices and decisive spaces."""
        decisive = self.tracing.decisive
        decisive_spaces = (
            {self.positions_by_word[name] for name in decisive.subjects & self.positions_by_word.keys()}
            if decisive is not None
            else set()
        )
        marks = {place: tuple(sorted(numbers)) for place, numbers in self.marks.items()}
        moving = {arrow.start for arrow in self.arrows} | {arrow.goal for arrow in self.arrows} | self.arrivals.keys()
        choices = self.choices - moving
        return BoardAnnotations(
            marks,
            tuple(self.arrows),
            self.arrivals,
            frozenset(self.departures),
            choices,
            frozenset(decisive_spaces - moving),
        )
