"""Lines of play: whatever was answered in an edition's games, as a tree that is played again when the rules change.

Every node is an answer that follows those above it; the roots are how games begin. Nothing that was tried goes away by
itself. A node keeps what it brought about when it was last found right; where that comes out otherwise by the rules
as they are now, the line has parted there.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.i18n.localizer import phrase
from rulewright.players import choose
from rulewright.players.seating import AT_CHANCE
from rulewright.publish.labels import Labels
from rulewright.workbench.play.answer_effects import NodeLook, look
from rulewright.workbench.play.game_start import GameBeginning

MOST_NODES = 4000
"""Of an edition's tree: more answers are not taken before some are deleted."""

MOST_GAMES = 800
"""Nodes whose games are kept; others are played again when somebody goes to them."""

LONGEST_TITLE = 80


class LostLine(RulewrightError):
    """There is no such node, or its answer does not fit the game any more."""


@dataclass(eq=False)
class PlayNode:
    """An answer, or at a root the beginning of a game.

    number: never given twice in a tree; seat, keys: who answered what; taken: the same in words; title: what the
    designer calls it; look: what it brought about when it was found right, None where that was never seen; kept: that
    it is left as it was, and is not played again; case: what the case is called that was made of it; last: which of
    those below it was gone to last.

    Of the rules as they are now, once it has been played by them: fits: whether it can be answered, else `why` tells
    why not; now: what it brings about, where that is otherwise and it is the first in its line; beyond: whether it
    follows such a one.
    """

    number: int
    parent: PlayNode | None = None
    beginning: GameBeginning | None = None
    seat: int = -1
    keys: tuple[str, ...] = ()
    taken: str = ""
    title: str = ""
    look: NodeLook | None = None
    kept: bool = False
    case: str = ""
    below: list[PlayNode] = field(default_factory=list)
    last: PlayNode | None = None
    fits: bool | None = None
    why: str = ""
    now: NodeLook | None = None
    beyond: bool = False

    def line(self) -> list[PlayNode]:
        """From the root down to this one."""
        found = [self]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found[::-1]

    def onward(self) -> list[PlayNode]:
        """What was answered below it, by whichever way was gone last."""
        found = []
        at = self.last or next(iter(self.below), None)
        while at is not None:
            found.append(at)
            at = at.last or next(iter(at.below), None)
        return found

    def whole(self) -> Iterator[PlayNode]:
        """It and all that hangs below it."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            todo += reversed(node.below)

    @property
    def parted(self) -> bool:
        return self.now is not None


class PlayTree:
    """The lines of one edition. at: the node that was gone to last; changed: how often anything has changed that is
    kept. Not for several threads at once."""

    def __init__(self, rules: Rules) -> None:
        self.roots: list[PlayNode] = []
        self.nodes: dict[int, PlayNode] = {}
        self.at: PlayNode | None = None
        self.next = 1
        self.changed = 0
        self._rules = rules
        self._games: OrderedDict[int, Game] = OrderedDict()

    @property
    def rules(self) -> Rules:
        return self._rules

    def use(self, rules: Rules) -> None:
        """Play by these rules from now on. Games are played again when somebody asks for them."""
        if rules is self._rules:
            return
        self._rules = rules
        self._games.clear()
        for node in self.nodes.values():
            node.fits, node.why, node.now = None, "", None

    def node(self, number: int) -> PlayNode:
        """Raises LostLine."""
        if number not in self.nodes:
            raise LostLine(phrase("errors", "This place in the game is not there any more."))
        return self.nodes[number]

    # ── playing ──

    def game_at(self, node: PlayNode) -> Game:
        """The game after a node's answer, by the rules as they are now: a copy, with which anything may be done.

        Raises LostLine where the answer, or one above it, does not fit any more.
        """
        todo = []
        at: PlayNode | None = node
        while at is not None and at.number not in self._games:
            todo.append(at)
            at = at.parent
        if at is not None:
            self._games.move_to_end(at.number)
        for step in reversed(todo):
            self._play(step)
        return self._games[node.number].copy()

    def reach(self, node: PlayNode) -> PlayNode | None:
        """The last of a node's line that still fits; None where its game cannot even begin."""
        with suppress(LostLine):
            self.game_at(node)
        return next((step for step in reversed(node.line()) if step.fits), None)

    def _play(self, node: PlayNode, game: Game | None = None) -> None:
        """Those above it have been played. game: after its answer, where that is known already."""
        before = self._games[node.parent.number] if node.parent is not None else None
        try:
            if node.kept:
                raise LostLine(phrase("errors", "This is kept as it was, and is not played."))
            if before is None:
                assert node.beginning is not None
                start = node.beginning.start(self._rules)
                game = start.game(start.state)
            elif game is None:
                game = before.copy()
                game.answer(node.seat, node.keys)
        except RulewrightError as error:
            node.fits, node.why, node.now = False, str(error), None
            raise LostLine(node.why) from None
        self._keep(node, game)
        self._compare(node, game, before)

    def _keep(self, node: PlayNode, game: Game) -> None:
        self._games[node.number] = game
        while len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)

    def _compare(self, node: PlayNode, game: Game, before: Game | None) -> None:
        """What it brings about, beside what it did when it was found right: once a line has parted, what follows is not
        compared."""
        again, node.fits, node.why = node.fits, True, ""
        node.beyond = node.parent is not None and (node.parent.parted or node.parent.beyond)
        if again:
            return
        if node.look is None:
            node.look = look(Labels(game), game, before)
            self.changed += 1
        elif not node.beyond:
            found = look(Labels(game), game, before)
            node.now = found if found != node.look else None

    # ── what one does ──

    def begin(self, beginning: GameBeginning) -> PlayNode:
        """A new game. Raises LostLine where it cannot begin like that."""
        return self._add(PlayNode(self.next, beginning=beginning))

    def answer(self, node: PlayNode, seat: int, keys: Sequence[str]) -> PlayNode:
        """Answer to what a seat is asked at a node; what was answered there before is found again.

        Raises LostLine, and AnswerError where it is not allowed.
        """
        wanted = tuple(keys)
        for known in node.below:
            if not known.kept and known.seat == seat and known.keys == wanted:
                self.game_at(known)
                self.go(known)
                return known
        game = self.game_at(node)
        decision = game.decision(seat)
        made = PlayNode(self.next, node, seat=seat, keys=wanted)
        if decision is not None:
            made.taken = Labels(game).answer(decision, wanted)
        game.answer(seat, wanted)
        return self._add(made, game)

    def _add(self, node: PlayNode, game: Game | None = None) -> PlayNode:
        if len(self.nodes) >= MOST_NODES:
            raise LostLine(
                phrase("errors", "More than {count} answers are not kept. Delete a line first.", count=MOST_NODES)
            )
        if node.parent is not None:
            self.game_at(node.parent)
        self._play(node, game)
        self.next += 1
        self.nodes[node.number] = node
        (self.roots if node.parent is None else node.parent.below).append(node)
        self.go(node)
        return node

    def by_computer(self, node: PlayNode, kind: str, seat: int | None = None) -> PlayNode:
        """One answer of the computer, for a seat that is asked, or the first one. kind: of player, such as 'greedy';
        virtual players answer by chance.

        Raises LostLine where nobody is asked, PlayerError.
        """
        game = self.game_at(node)
        asked = [one for one, _ in game.asked()]
        if not asked:
            raise LostLine(phrase("errors", "Nobody is asked anything here."))
        seat = seat if seat in asked else asked[0]
        kind = kind if game.roles[seat] is None else AT_CHANCE
        given = sum(answered == seat for answered, _ in game.answers())
        return self.answer(node, seat, choose(kind, game, seat, given))

    def go(self, node: PlayNode) -> None:
        """Go to a node: its line is the one that is looked at."""
        for above, below in zip(node.line(), node.line()[1:], strict=False):
            above.last = below
        self.at = node
        self.changed += 1

    def entitle(self, node: PlayNode, title: str) -> None:
        """Call a node something, or nothing."""
        node.title = " ".join(title.split())[:LONGEST_TITLE]
        self.changed += 1

    def made(self, node: PlayNode, case: str) -> None:
        """A case has been made of a node."""
        node.case = case
        self.changed += 1

    def delete(self, node: PlayNode) -> PlayNode | None:
        """Delete a node with all that hangs below it; gives the one above it, or None."""
        for gone in node.whole():
            del self.nodes[gone.number]
            self._games.pop(gone.number, None)
        (self.roots if node.parent is None else node.parent.below).remove(node)
        if node.parent is not None and node.parent.last is node:
            node.parent.last = None
        if self.at is not None and self.at.number not in self.nodes:
            self.at = node.parent or next(reversed(self.roots), None)
        self.changed += 1
        return node.parent

    # ── where a line has parted ──

    def accept(self, node: PlayNode) -> None:
        """It is right as it comes out now; so is what follows from it."""
        for one in node.whole():
            if not one.kept:
                one.look, one.now, one.fits = None, None, None
                self._games.pop(one.number, None)
        self.changed += 1

    def keep_both(self, node: PlayNode) -> PlayNode:
        """Leave a line as it was, from a node on, and play it once more beside that. Gives the new node.

        Raises LostLine.
        """
        if len(self.nodes) + sum(1 for _ in node.whole()) > MOST_NODES:
            raise LostLine(
                phrase("errors", "More than {count} answers are not kept. Delete a line first.", count=MOST_NODES)
            )
        copies: dict[int, PlayNode] = {}
        for old in node.whole():
            above = copies[old.parent.number] if old is not node and old.parent is not None else node.parent
            new = PlayNode(self.next, above, old.beginning, old.seat, old.keys, old.taken, kept=old.kept)
            new.look = old.look if old.kept else None
            self.next += 1
            copies[old.number] = self.nodes[new.number] = new
            (self.roots if above is None else above.below).append(new)
        for old in node.whole():
            old.kept, old.now, old.fits, old.why = True, None, None, ""
            self._games.pop(old.number, None)
        self.go(copies[node.number])
        return copies[node.number]
