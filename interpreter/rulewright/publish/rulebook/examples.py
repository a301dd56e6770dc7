"""Examples, played: one picture of what changes or decides, and what happens there, in the language of the book."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulewright.authoring.scenarios.cases import Case
from rulewright.authoring.scenarios.examples import leaving_out
from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import Phrase, Speech
from rulewright.model.declarations import SEAT, Board
from rulewright.model.pictures import has_pips
from rulewright.program.form import GAME_OVER, PC, Counter
from rulewright.publish.board_annotations import Arrow, BoardAnnotations, PieceOnSpace, Position
from rulewright.publish.rulebook.example_relevance import Involved, Trace
from rulewright.publish.rulebook.example_story import SCORES, Story, Telling
from rulewright.publish.rulebook.model import Drawing, Example, ExampleLine, Piece, ShownTable, ShownZone, Tableau
from rulewright.publish.rulebook.positions import Positions
from rulewright.runtime.position import TABLE, Spot
from rulewright.runtime.state import State, clone
from rulewright.runtime.view import NARRATOR, Held, View, held_by, view

MOST_MOVES = 4
"""On one board, for a single picture of it."""


class Untold(RulewrightError):
    """An example that cannot be played by these rules."""


def example(case: Case, anchor: str, speech: Speech) -> Example:
    """A case as it is played. Raises Untold where an answer is refused, or the rules themselves fail."""
    try:
        telling = Telling(case, speech)
        title = speech.title(Phrase(f"{case.key}.title", case.name))
        text = telling.told("text", case.text.text) if case.text is not None else ""
        story = telling.story()
        course = tuple(ExampleLine(line.text, not line.kind, line.number) for line in story.lines)
        before, after = _Picture(telling, story).shown()
        return Example(anchor, title, text, before, course, after, story.scores)
    except RulewrightError as error:
        raise Untold(leaving_out(case.name, case.place, str(error))) from None


class _Picture:
    """The picture of one case."""

    def __init__(self, telling: Telling, story: Story) -> None:
        self.case, self.story, self.game = telling.case, story, telling.game
        self.positions = Positions(self.game, telling.speech)
        self.tracing = Involved(self.game, self.case, story)
        self.speech, self.edition = telling.speech, self.game.rules.edition
        self.program, self.layout = self.game.program, self.game.program.layout
        self.compares = self.case.explains.partition(".")[0] in SCORES

    def shown(self) -> tuple[ShownTable, ShownTable]:
        """The position with what happens; then what one picture cannot show."""
        if self.case.setting.state is None and not self.story.moves:
            return self.positions.of(self.whole_table()), ShownTable()
        boards = list(self.boards())
        table = self.table(self.case.show)
        if not table and not boards:
            table = self.table(tuple(self.laid()))
        after = tuple(after for _, after in boards if after is not None)
        return ShownTable(tuple(table), tuple(before for before, _ in boards)), ShownTable((), after)

    def whole_table(self) -> View:
        """What can be seen of a table, and the piles of which nobody sees more than the back."""
        found = self.game.view(NARRATOR)
        return replace(found, zones=tuple(zone for zone in found.zones if zone.pile or zone.pieces is not None))

    def laid(self) -> Iterator[Spot]:
        """All that the position names, in its order."""
        for spot in self.tracing.spaces:
            if self.tracing.is_laid(spot):
                yield spot
        yield from (spot for spot in self.case.laid if spot not in self.tracing.spaces)

    # ── what lies before whom ──

    def table(self, show: tuple[Spot, ...] | None) -> list[Tableau]:
        """The table, then the players in their order. show: what is shown whole, or None for what matters."""
        owned: dict[int, list[ShownZone]] = {owner: [] for owner in (TABLE, *range(self.layout.seats))}
        for spot, space in self.tracing.spaces.items():
            pieces = list(self.pieces(spot, show))
            if pieces and not self.tracing.on_board(spot):
                owner = space.owner if space.of == SEAT else TABLE
                name = self.speech.title(self.game.messages.terms.zone(space.name))
                word = self.tracing.word(spot)
                title = f"{self.positions.word(space.of, word)}: {name}" if word else name
                owned[owner].append(ShownZone(title, tuple(pieces), self.left_out(spot, pieces)))
        for spot in self.counters(show):
            owner = spot[1] if self.counter_of(spot).of == SEAT else TABLE
            owned[owner] += self.counter(spot)
        named = {TABLE: ""} | {seat: self.positions.name(seat) for seat in range(self.layout.seats)}
        everybody = self.compares and any(owned.values())
        return [
            Tableau(named[owner], tuple(places))
            for owner, places in owned.items()
            if places or (everybody and owner != TABLE)
        ]

    def left_out(self, spot: Spot, pieces: Sequence[Piece]) -> str:
        """How many more pieces lie in a zone of a player than are shown, such as '+1', where others come there that no
        picture shows: only so do the numbers come out that are told. '' where that is all."""
        space = self.tracing.spaces[spot]
        begins, ends = (s[space.address] for s in (self.story.begins, self.story.ends))
        traces = self.tracing.traces
        come = any(piece not in traces for piece in set(ends) - set(begins))
        left = len(begins) - sum(piece.count for piece in pieces)
        return f"+{self.speech.number(left)}" if space.of == SEAT and not space.pile and come and left > 0 else ""

    def pieces(self, spot: Spot, show: tuple[Spot, ...] | None) -> Iterator[Piece]:
        """Those of a zone that matter, alike ones together; what is told of first stands first."""
        space, begins = self.tracing.spaces[spot], self.story.begins
        whole = (show is not None and spot in show) or self.is_roll(spot)
        lying = list(begins[space.address]) if whole else []
        if whole and not self.tracing.is_seen(space):
            if lying:
                yield self.positions.pieces.hidden(sorted(space.holds), len(lying))
            return
        if whole and space.pile and lying:
            yield self.piece(Trace(spot, self.tracing.name(lying[-1], begins)), len(lying))
            return
        traces = {
            piece: trace
            for piece, trace in self.tracing.traces.items()
            if trace.start == spot and (whole or show is None or trace.enters or piece in self.tracing.giving)
        }
        order = list(begins[space.address])
        alike: dict[tuple[object, ...], list[Trace]] = {}
        for piece in sorted({*lying, *traces}, key=lambda found: order.index(found) if found in order else len(order)):
            trace = traces.get(piece) or Trace(spot, self.tracing.name(piece, begins))
            key = (trace.name, tuple(sorted(trace.marks)), trace.goal, trace.decides)
            alike.setdefault(key, []).append(trace)
        if space.of == SEAT:
            alike = dict(sorted(alike.items(), key=lambda found: (not found[0][1], found[0][1], str(found[0][2]))))
        for found in alike.values():
            yield self.piece(found[0], len(found))

    def is_roll(self, spot: Spot) -> bool:
        """Whether dice lie there together, of which one matters: a roll is shown whole."""
        kinds = [self.edition.kinds[name] for name in self.tracing.spaces[spot].holds]
        rolled = bool(kinds) and all(map(has_pips, kinds))
        return rolled and any(trace.start == spot for trace in self.tracing.traces.values())

    def piece(self, trace: Trace, count: int) -> Piece:
        drawn = self.positions.piece(trace.name, count)
        return replace(drawn, marks=tuple(sorted(trace.marks)), goes=self.goes(trace), decides=trace.decides)

    def goes(self, trace: Trace) -> str:
        """Where a piece goes, in a word: to whom, or where it lies before the same player."""
        if trace.goal is None:
            return ""
        owner = self.tracing.owner(trace.goal)
        if owner and owner != self.tracing.owner(trace.start):
            return self.speech.isolated(owner)
        if not self.tracing.is_seen(self.tracing.spaces[trace.goal]):
            return ""
        return self.speech.title(self.game.messages.terms.zone(trace.goal[0]))

    # ── counters ──

    def counter_of(self, spot: Spot) -> Counter:
        return next(counter for counter in self.layout.counters if counter.name == spot[0])

    def value(self, spot: Spot, s: State) -> Held:
        return held_by(self.program, s, self.counter_of(spot), spot[1])

    def counters(self, show: tuple[Spot, ...] | None) -> Iterator[Spot]:
        """Those that are shown: what the position says if it changes, or if an explanation says it."""
        told = {spot for explained in self.story.explained for spot in explained.subject.spots}
        for counter in self.layout.counters:
            for owner in range(counter.owners) if counter.of else (TABLE,):
                spot = (counter.name, owner)
                if show is not None:
                    wanted = spot in show
                else:
                    changed = self.value(spot, self.story.begins) != self.value(spot, self.story.ends)
                    wanted = spot in self.case.laid and (changed or spot in told)
                if wanted:
                    yield spot

    def counter(self, spot: Spot) -> Iterator[ShownZone]:
        declared, counter = self.edition.counters[spot[0]], self.counter_of(spot)
        if not declared.shown:
            return
        was, now = (
            self.speech.title(self.positions.held(declared, self.value(spot, s)))
            for s in (self.story.begins, self.story.ends)
        )
        name = self.speech.title(self.game.messages.terms.counter(spot[0]))
        if counter.of not in ("", SEAT):
            name = f"{self.positions.word(counter.of, self.program.words[counter.of][spot[1]])}: {name}"
        yield ShownZone(name, (), was, later=now if now != was else "")

    # ── boards ──

    def boards(self) -> Iterator[tuple[Drawing, Drawing | None]]:
        """Each board where something happens, and once more where one picture cannot show it."""
        for board in self.edition.boards.values():
            if not board.positions:
                continue
            lists = {board.spaces, *self.positions.lists(board).values()}
            if self.case.show is not None and not any(
                spot in self.tracing.spaces and self.tracing.spaces[spot].of in lists for spot in self.case.show
            ):
                continue
            traces = _BoardTraces(self, board)
            if not traces.any:
                continue
            near = [self.seen(s) for s in (self.story.begins, self.story.ends)]
            drawn = self.positions.board(near[0], board, near, traces.found())
            yield drawn, self.positions.board(near[1], board, near) if traces.tangled else None

    def seen(self, s: State) -> View:
        still = clone(s)
        still[PC] = GAME_OVER  # of a position that has only been laid out nobody can say who will be asked
        return view(self.game.machine, still, NARRATOR)


class _BoardTraces:
    """What happens on one board."""

    def __init__(self, picture: _Picture, board: Board) -> None:
        self.board, self.tracing, self.positions = board, picture.tracing, picture.positions
        self.story, self.edition = picture.story, picture.edition
        words = self.edition.words[board.spaces].words
        self.at = {word.name: place for word, place in zip(words, board.positions, strict=True)}
        self.marks: dict[Position, set[int]] = {}
        self.arrows: dict[Arrow, None] = {}
        self.comes: dict[Position, PieceOnSpace] = {}
        self.gone: set[Position] = set()
        self.arrived: list[Position] = []
        for move, line in self.tracing.told_moves:
            self.move(move.start, move.goal, move.name, line.number)
        goals = {arrow.goal for arrow in self.arrows}
        for line in self.story.lines:
            for name in line.named & self.at.keys() if line.kind else ():
                if self.at[name] not in goals or self.at[name] in self.marks:
                    self.marks.setdefault(self.at[name], set()).add(line.number)
        offered = (choice for explained in self.story.explained for choice in explained.offered)
        self.offered = frozenset(self.at[c.key] for c in offered if c.words == board.spaces and c.key in self.at)
        lists = set(self.positions.lists(board).values())
        regions = {word.name for of in lists for word in self.edition.words[of].words}
        self.any = bool(self.marks or self.arrows or self.comes or self.offered) or any(
            line.named & regions for line in self.story.lines
        )
        self.tangled = len(self.arrived) > MOST_MOVES or len(set(self.arrived)) < len(self.arrived)

    def place(self, spot: Spot) -> Position | None:
        return self.at.get(self.tracing.word(spot)) if self.tracing.spaces[spot].of == self.board.spaces else None

    def move(self, start: Spot, goal: Spot, name: str, number: int) -> None:
        here, there = self.place(start), self.place(goal)
        if here is not None and there is not None:
            self.arrows[Arrow(here, there)] = None
            self.marks.setdefault(here, set()).add(number)
        elif here is not None:
            self.gone.add(here)
            self.marks.setdefault(here, set()).add(number)
        elif there is not None:
            piece = self.positions.piece(name)
            self.comes[there] = PieceOnSpace(piece.name, piece.picture)
            self.marks.setdefault(there, set()).add(number)
        if there is not None:
            self.arrived.append(there)

    def found(self) -> BoardAnnotations:
        decisive = self.tracing.decisive
        decides = {self.at[name] for name in decisive.named & self.at.keys()} if decisive is not None else set()
        marks = {place: tuple(sorted(numbers)) for place, numbers in self.marks.items()}
        moving = {arrow.start for arrow in self.arrows} | {arrow.goal for arrow in self.arrows} | self.comes.keys()
        offered = self.offered - moving
        return BoardAnnotations(
            marks, tuple(self.arrows), self.comes, frozenset(self.gone), offered, frozenset(decides - moving)
        )
