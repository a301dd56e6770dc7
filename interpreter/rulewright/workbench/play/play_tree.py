"""Lines of play: the answers in an edition's games, as a tree that is replayed when the rules change.

Each node is an answer that follows those above it; the roots are starts of games. Nothing is deleted automatically.
A node stores its effects as last accepted; where the present rules give other effects, the line has diverged.
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
from rulewright.players.seating import RANDOM_BOT
from rulewright.publish.labels import Labels
from rulewright.workbench.play.answer_effects import AnswerEffects, effects
from rulewright.workbench.play.game_start import GameStart

MAX_NODES = 4000
"""Maximum number of nodes of an edition's tree."""

MAX_CACHED_GAMES = 800
"""Maximum number of nodes whose games are cached; others are replayed on demand."""

MAX_TITLE_LENGTH = 80
"""Maximum number of characters of a title; the rest is cut off."""


class PlayLineError(RulewrightError):
    """Missing node, or an answer that does not fit the game any more."""


@dataclass(eq=False)
class PlayNode:
    """Answer, or the start of a game at a root.

    number: unique in a tree, also over time while it is loaded; seat, keys: the answer; answer_text: the answer in
    words; title: given by the designer; effects: as last accepted, None if never played; is_recorded: whether the
    recorded effects stay and it is not replayed; case: name of the case built from it; last_child: the one visited
    last.

    By the present rules, once replayed: fits: whether the answer is possible, else `misfit` says why not;
    diverged_effects: present effects, for the first node of a line whose effects differ; is_after_divergence: whether
    it follows such a node. parent: None at a root; beginning: how the game starts, at a root only; children: answers
    that were tried after it.
    """

    number: int
    parent: PlayNode | None = None
    beginning: GameStart | None = None
    seat: int = -1
    keys: tuple[str, ...] = ()
    answer_text: str = ""
    title: str = ""
    effects: AnswerEffects | None = None
    is_recorded: bool = False
    case: str = ""
    children: list[PlayNode] = field(default_factory=list)
    last_child: PlayNode | None = None
    fits: bool | None = None
    misfit: str = ""
    diverged_effects: AnswerEffects | None = None
    is_after_divergence: bool = False

    def line(self) -> list[PlayNode]:
        """Return the nodes from the root to this one, both included."""
        nodes = [self]
        while nodes[-1].parent is not None:
            nodes.append(nodes[-1].parent)
        return nodes[::-1]

    def onward(self) -> list[PlayNode]:
        """Return the nodes below it to an end, by the branches visited last, or by the first where none was."""
        nodes = []
        node = self.last_child or next(iter(self.children), None)
        while node is not None:
            nodes.append(node)
            node = node.last_child or next(iter(node.children), None)
        return nodes

    def subtree(self) -> Iterator[PlayNode]:
        """Yield it and all nodes below it."""
        worklist = [self]
        while worklist:
            node = worklist.pop()
            yield node
            worklist += reversed(node.children)

    @property
    def has_diverged(self) -> bool:
        """Whether it is the first node of a line whose effects differ from those accepted."""
        return self.diverged_effects is not None


class PlayTree:
    """Lines of one edition. current: the node visited last; change_count: of stored data, also by replaying a node
    without effects. Not safe to use from several threads. roots: starts of games; nodes: all, by number; next_number:
    of the node that is made next."""

    def __init__(self, rules: Rules) -> None:
        self.roots: list[PlayNode] = []
        self.nodes: dict[int, PlayNode] = {}
        self.current: PlayNode | None = None
        self.next_number = 1
        self.change_count = 0
        self._rules = rules
        self._games: OrderedDict[int, Game] = OrderedDict()

    @property
    def rules(self) -> Rules:
        """Rules by which games are played at present; see `use`."""
        return self._rules

    def use(self, rules: Rules) -> None:
        """Play by these rules from now on. Games are replayed on demand."""
        if rules is self._rules:
            return
        self._rules = rules
        self._games.clear()
        for node in self.nodes.values():
            node.fits, node.misfit, node.diverged_effects = None, "", None

    def node(self, number: int) -> PlayNode:
        """Return a node by its number. Raises PlayLineError if it is not there any more."""
        if number not in self.nodes:
            raise PlayLineError(phrase("errors", "This place in the game is not there any more."))
        return self.nodes[number]

    # ── playing ──

    def game_at(self, node: PlayNode) -> Game:
        """Return a copy of the game after a node's answer, by the present rules.

        Raises PlayLineError if the answer, or one above it, does not fit any more.
        """
        worklist = []
        ancestor: PlayNode | None = node
        while ancestor is not None and ancestor.number not in self._games:
            worklist.append(ancestor)
            ancestor = ancestor.parent
        if ancestor is not None:
            self._games.move_to_end(ancestor.number)
        for step in reversed(worklist):
            self._play(step)
        return self._games[node.number].copy()

    def last_fitting_node(self, node: PlayNode) -> PlayNode | None:
        """Return the last node of a node's line that still fits; None if its game cannot even start."""
        with suppress(PlayLineError):
            self.game_at(node)
        return next((step for step in reversed(node.line()) if step.fits), None)

    def _play(self, node: PlayNode, game: Game | None = None) -> None:
        """Replay a node; those above it have been replayed. game: after its answer, if known already.

        Raises PlayLineError, and notes it as the node's misfit, if the answer does not fit or is only recorded.
        """
        before = self._games[node.parent.number] if node.parent is not None else None
        try:
            if node.is_recorded:
                raise PlayLineError(phrase("errors", "This is kept as it was, and is not played."))
            if before is None:
                assert node.beginning is not None
                start = node.beginning.start(self._rules)
                game = start.game(start.state)
            elif game is None:
                game = before.copy()
                game.answer(node.seat, node.keys)
        except RulewrightError as error:
            node.fits, node.misfit, node.diverged_effects = False, str(error), None
            raise PlayLineError(node.misfit) from None
        self._cache(node, game)
        self._compare(node, game, before)

    def _cache(self, node: PlayNode, game: Game) -> None:
        """Cache a node's game; beyond the limit, those used longest ago go."""
        self._games[node.number] = game
        while len(self._games) > MAX_CACHED_GAMES:
            self._games.popitem(last=False)

    def _compare(self, node: PlayNode, game: Game, before: Game | None) -> None:
        """Compare a node's present effects with the accepted ones, once for the same rules; without any, accept the
        present ones. Nodes below a divergence are not compared."""
        again, node.fits, node.misfit = node.fits, True, ""
        node.is_after_divergence = node.parent is not None and (
            node.parent.has_diverged or node.parent.is_after_divergence
        )
        if again:
            return
        if node.effects is None:
            node.effects = effects(Labels(game), game, before)
            self.change_count += 1
        elif not node.is_after_divergence:
            present = effects(Labels(game), game, before)
            node.diverged_effects = present if present != node.effects else None

    # ── actions ──

    def start_game(self, beginning: GameStart) -> PlayNode:
        """Start a new game, and go to its root. Raises PlayLineError if it cannot start, or there are too many
        nodes."""
        return self._add_node(PlayNode(self.next_number, beginning=beginning))

    def answer(self, node: PlayNode, seat: int, keys: Sequence[str]) -> PlayNode:
        """Answer a seat's question at a node, and go to the answer's node; an existing equal one is reused, unless it
        is only recorded.

        Raises PlayLineError, and AnswerError if the answer is not allowed.
        """
        answer_keys = tuple(keys)
        for known in node.children:
            if not known.is_recorded and known.seat == seat and known.keys == answer_keys:
                self.game_at(known)
                self.visit(known)
                return known
        game = self.game_at(node)
        decision = game.decision(seat)
        child = PlayNode(self.next_number, node, seat=seat, keys=answer_keys)
        if decision is not None:
            child.answer_text = Labels(game).answer(decision, answer_keys)
        game.answer(seat, answer_keys)
        return self._add_node(child, game)

    def _add_node(self, node: PlayNode, game: Game | None = None) -> PlayNode:
        """Play a new node, add it below its parent and go to it. Raises PlayLineError if there are too many, or it does
        not fit."""
        if len(self.nodes) >= MAX_NODES:
            raise PlayLineError(
                phrase("errors", "More than {count} answers are not kept. Delete a line first.", count=MAX_NODES)
            )
        if node.parent is not None:
            self.game_at(node.parent)
        self._play(node, game)
        self.next_number += 1
        self.nodes[node.number] = node
        (self.roots if node.parent is None else node.parent.children).append(node)
        self.visit(node)
        return node

    def answer_by_computer(self, node: PlayNode, kind: str) -> PlayNode:
        """Let the computer answer once, for the first seat with a question, as `answer` does. kind: of player, such as
        'greedy'; virtual players answer at random.

        Raises PlayLineError, also if nobody has a question, and PlayerError.
        """
        game = self.game_at(node)
        seat = next((one for one, _ in game.pending.ids), None)
        if seat is None:
            raise PlayLineError(phrase("errors", "Nobody is asked anything here."))
        kind = kind if game.roles[seat] is None else RANDOM_BOT
        previous_answers = sum(answered == seat for answered, _ in game.history.answer_keys())
        return self.answer(node, seat, choose(kind, game, seat, previous_answers))

    def visit(self, node: PlayNode) -> None:
        """Go to a node: its line becomes the one shown."""
        for above, below in zip(node.line(), node.line()[1:], strict=False):
            above.last_child = below
        self.current = node
        self.change_count += 1

    def set_title(self, node: PlayNode, title: str) -> None:
        """Set a node's title, cut if it is too long; '' for none."""
        node.title = " ".join(title.split())[:MAX_TITLE_LENGTH]
        self.change_count += 1

    def set_case(self, node: PlayNode, case: str) -> None:
        """Note the name of the case built from a node."""
        node.case = case
        self.change_count += 1

    def delete(self, node: PlayNode) -> PlayNode | None:
        """Delete a node with all below it; return the one above it, or None. If the current node is deleted, the one
        above becomes the current one, else the root of the newest game."""
        for child in node.subtree():
            del self.nodes[child.number]
            self._games.pop(child.number, None)
        (self.roots if node.parent is None else node.parent.children).remove(node)
        if node.parent is not None and node.parent.last_child is node:
            node.parent.last_child = None
        if self.current is not None and self.current.number not in self.nodes:
            self.current = node.parent or next(reversed(self.roots), None)
        self.change_count += 1
        return node.parent

    # ── divergence ──

    def accept(self, node: PlayNode) -> None:
        """Replay a node and all below it, and accept their present effects; those that do not fit keep theirs."""
        for one in node.subtree():
            if one.is_recorded:
                continue
            accepted = one.effects
            one.effects, one.diverged_effects, one.fits = None, None, None
            self._games.pop(one.number, None)
            try:
                self.game_at(one)
            except PlayLineError:
                one.effects = accepted
        self.change_count += 1

    def keep_both(self, node: PlayNode) -> PlayNode:
        """Keep the recorded effects of a node and of all below it, and go to a copy beside it, without titles and
        cases, that is replayed on demand; return the copy. Raises PlayLineError if there are too many nodes."""
        if len(self.nodes) + sum(1 for _ in node.subtree()) > MAX_NODES:
            raise PlayLineError(
                phrase("errors", "More than {count} answers are not kept. Delete a line first.", count=MAX_NODES)
            )
        copies: dict[int, PlayNode] = {}
        for old in node.subtree():
            above = copies[old.parent.number] if old is not node and old.parent is not None else node.parent
            new = PlayNode(
                self.next_number, above, old.beginning, old.seat, old.keys, old.answer_text, is_recorded=old.is_recorded
            )
            new.effects = old.effects if old.is_recorded else None
            self.next_number += 1
            copies[old.number] = self.nodes[new.number] = new
            (self.roots if above is None else above.children).append(new)
        for old in node.subtree():
            if old.last_child is not None:
                copies[old.number].last_child = copies[old.last_child.number]
            old.is_recorded, old.diverged_effects, old.fits, old.misfit = True, None, None, ""
            self._games.pop(old.number, None)
        self.visit(copies[node.number])
        return copies[node.number]
