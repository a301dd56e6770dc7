"""What must hold of every edition that `check` finds nothing wrong with; a seed is an edition and a trial."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from drawn.declaring import Edition
from drawn.deriving import derived, undrawn
from drawn.luck import Luck
from drawn.writing import yaml
from rulewright.authoring.lint import lint
from rulewright.base.diagnostics import EditionError, Report
from rulewright.compiler import check
from rulewright.game.choices import AnswerError
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.model.reader import read
from rulewright.players import make_player
from rulewright.program.form import RANDOM, RANDOM_CELLS, Program
from rulewright.program.instructions import Instruction, operands_of
from rulewright.publish.rulebook import book as books
from rulewright.publish.rulebook import html, markdown
from rulewright.publish.rulebook.contents import Contents
from rulewright.runtime import native
from rulewright.runtime import state as states
from rulewright.runtime import view as views
from rulewright.runtime.game_statistics import Counting
from rulewright.runtime.information_state import Worlds, sight
from rulewright.runtime.operations import OpenDecision, RuleError
from rulewright.runtime.rng import seeded as cells
from rulewright.runtime.state import State, StateError
from rulewright.simulation.chunk_player import at_chance
from rulewright.simulation.tally import Tally
from rulewright.syntax.formatter import format_file
from whole_games import NAMES, check_state, everything, exchanged, fork, hidden_pair, readers, seatings

MOST_ANSWERS, LOOK_EVERY = 40, 4
MOST_IN_BULK = 3000
GAMES_IN_BULK = 3


class Finding(Exception):
    """Something that does not hold: what, and how it shows."""


class _Long(Exception):
    """A game that goes on for longer than anybody waits here."""


@dataclass
class Outcome:
    """What became of a trial. result: 'fine', 'refused' (by check) or 'failed'; why: of what is not fine; ended: how
    the games did, at a table first."""

    seed: int | None
    result: str = "fine"
    why: str = ""
    answers: int = 0
    ended: list[str] = field(default_factory=list)
    alike: bool = False
    warned: bool = False
    seconds: float = 0.0

    def row(self) -> str:
        return json.dumps(asdict(self))


def tried(luck: Luck, seed: int | None = None, book: bool = False, alike: int | None = None) -> Outcome:
    """Draws an edition and tries everything with it. Never raises what the interpreter raises.

    alike: that the edition has so many names in a hundred that are nearly others; only its names are tried then.
    """
    began, outcome = time.process_time(), Outcome(seed)
    try:
        trial = Trial(luck, outcome, alike)
        if alike is None:
            trial.run(book)
        else:
            trial.names_mean_what_was_drawn()
    except EditionError as error:
        first = error.report.errors[0]
        outcome.result, outcome.why = "refused", f"{first.code}: {first.message}"
    except RuleError as error:  # a text or a score that stops: no game can be looked at any more
        outcome.ended.append(f"stopped: {error}")
    except Finding as finding:
        outcome.result, outcome.why = "failed", str(finding)
    except Exception as error:  # whatever it is: it is a finding, and must not end a long run
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{last.filename.rpartition('/')[2]}:{last.name}"
        outcome.result, outcome.why = "failed", f"{type(error).__name__} in {where}: {error}"
    outcome.seconds = round(time.process_time() - began, 3)
    return outcome


def written(luck: Luck, alike: int | None = None) -> tuple[Edition, str]:
    """An edition as it was drawn, and its file."""
    edition = Edition(luck, alike)
    if rules := undrawn():
        derived(luck, edition.world, edition.tree, lambda: _is_sound(edition), rules)
    return edition, yaml(edition.naming.written(edition.tree), luck)


def _is_sound(edition: Edition) -> bool:
    with suppress(EditionError):
        _read(yaml(edition.naming.written(edition.tree), Luck(lambda bound: 0)), False)
        return True
    return False


class Trial:
    """One edition at one table."""

    def __init__(self, luck: Luck, outcome: Outcome, alike: int | None = None) -> None:
        self.drawn, self.text = written(luck, alike)
        self.outcome = outcome
        self.luck = luck
        outcome.alike = bool(self.drawn.naming.near)

    def run(self, book: bool = False) -> None:
        """Raises Finding, EditionError for what check refuses, and whatever goes wrong."""
        self.names_mean_what_was_drawn()
        if self.seed % 2:
            self.formatting_changes_nothing()
        self.games_at_a_table_are_those_of_native_code()
        self.games_in_bulk_are_those_of_the_machine()
        if book:
            self.a_rulebook_comes_of_it()

    def names_mean_what_was_drawn(self) -> None:
        """An edition whose names are like each other is the same game with others that are not. Raises EditionError."""
        naming = self.drawn.naming
        self.rules, report = _read(self.text, bool(naming.near) or self.luck.chance(30))
        self._table()
        self.outcome.warned = any(warning.code in WARNS_OF_NAMES for warning in report.warnings)
        if not naming.near or self.outcome.warned:
            return
        other, _ = _read(yaml(naming.written(self.drawn.tree, naming.renamed()), Luck(lambda bound: 0)), False)
        programs = [meaning(rules.machine(len(self.names)).program) for rules in (self.rules, other)]
        if programs[0] != programs[1]:
            pairs = [
                f"{naming.names[a.number]} ({a.sort}), {naming.names[b.number]} ({b.sort})" for a, b in naming.near
            ]
            raise Finding(f"a name is misread in silence: {'; '.join(pairs)}")

    def _table(self) -> None:
        luck, edition = self.luck, self.rules.edition
        roles = luck.pick(list(seatings(self.rules)))
        seats = len(roles)
        self.roles = {name: role for name, role in zip(NAMES[:seats], roles, strict=True) if role}
        self.names = NAMES[:seats]
        self.options = {option.name: luck.pick(option.choices) for option in edition.options.values()}
        self.seed = luck.number(0, 2**30)
        self.machine = self.rules.machine(seats)
        self.numbers = [self.machine.program.roles.index(role) if role else -1 for role in roles]
        self.chosen = [option.choices.index(self.options[option.name]) for option in self.machine.program.options]

    # ── what the file says ──

    def formatting_changes_nothing(self) -> None:
        first = format_file(None, "edition", self.text)
        if _digests(first) != (self.rules.hash, self.rules.plays):
            raise Finding("formatting changes what the file means")
        if self.seed % 4 == 1 and format_file(None, "edition", first) != first:
            raise Finding("what is formatted is not in its form")
        if self.seed % 4 == 3 and _digests(self.rules.text) != (
            self.rules.hash,
            self.rules.plays,
        ):
            raise Finding("the edition as one text is another one")

    def a_rulebook_comes_of_it(self) -> None:
        book = books.rulebook(Contents(self.rules, options=self.options))
        if "</html>" not in html.page(book) or not markdown.text(book).startswith("# "):
            raise Finding("the rulebook is none")

    # ── games ──

    def games_at_a_table_are_those_of_native_code(self) -> None:
        rng, outcome = Random(self.seed), self.outcome
        program = self.machine.program
        quick = native.Native(program, range(len(program.functions)))
        new = self.machine.new(self.seed, self.numbers, self.chosen)
        try:
            game = Game.start(self.rules, self.names, self.options, self.seed, self.roles)
        except RuleError as error:
            self._same_stop(quick, new, error)
            return
        self._same_run(quick, new, game)
        while not game.over and outcome.answers < MOST_ANSWERS:
            decision = rng.choice(game.decisions())
            offered = [choice.key for choice in decision.choices for _ in range(choice.count)]
            keys = rng.sample(offered, rng.randint(decision.least, decision.most))
            if outcome.answers % LOOK_EVERY == 0:
                self._looked_at(game, rng)
            before = game.state
            asked = next(asked for asked in self.machine.asked(before) if asked.seat == decision.seat)
            self.machine.answer(before, asked, game.offer(asked).chosen(keys))
            try:
                if outcome.answers % LOOK_EVERY == 1:
                    self._undone(game, decision.seat, keys)
                game.answer(decision.seat, keys, decision.id)
            except RuleError as error:
                self._same_stop(quick, before, error)
                break
            outcome.answers += 1
            self._same_run(quick, before, game)
        else:
            outcome.ended.append("limit" if game.position.limited() else "over" if game.over else "went on")
        self._saved(game)
        self._functions(quick, game)
        game.standings()
        logs = [game.log.lines(reader) for reader in readers(game)]
        if len({len(log) for log in logs}) > 1:
            raise Finding("logs tell of different numbers of things")

    def _same_stop(self, quick: native.Native, s: State, error: RuleError) -> None:
        self.outcome.ended.append(f"stopped: {error}")
        if not isinstance(_tried(self.machine.run, states.clone(s)), str):
            return  # what stops is a text, and native code tells none
        try:
            quick.run(states.clone(s))
        except RuleError as other:
            if str(other) == str(error):
                return
            raise Finding(f"native code stops otherwise: {other}; the machine: {error}") from None
        raise Finding(f"native code does not stop: {error}")

    def _same_run(self, quick: native.Native, s: State, game: Game) -> None:
        """Native code runs to the same state, and asks the same."""
        known = self.machine.run(states.clone(s))
        try:
            asked = quick.run(s)
        except RuleError as error:
            raise Finding(f"only native code stops: {error}") from None
        if self._played(s) != self._played(game.state):
            raise Finding(f"native code comes to another state: {_different(s, game)}")
        if _plain(asked) != _plain(known):
            raise Finding(f"native code asks otherwise: {_plain(asked)} for {_plain(known)}")

    def _played(self, s: State) -> State:
        """Without what seats remember, which only the machine writes down."""
        layout = self.machine.program.layout
        return s if layout.memory < 0 else [*s[: layout.memory], *s[layout.shown + 2 :]]

    def _functions(self, quick: native.Native, game: Game) -> None:
        """Texts, scores and measures come to the same."""
        for number in range(len(game.program.functions)):
            for seat in range(len(self.names)):
                found = [_tried(executor.call, number, game.state, seat) for executor in (self.machine, quick)]
                if _lists(found[0]) != _lists(found[1]):
                    raise Finding(f"function {number} comes to {found[0]}, in native code to {found[1]}")

    def _looked_at(self, game: Game, rng: Random) -> None:
        """A position from all sides."""
        s = game.state
        check_state(self.rules, self.machine, s)
        if states.from_json(states.to_json(s), game.program.layout) != s:
            raise Finding("the state is another one when it has been written and read")
        views_of_all = _tried(lambda: [game.view(reader) for reader in readers(game)])
        if isinstance(views_of_all, str):
            return
        viewer = rng.choice(readers(game))
        if (pair := hidden_pair(game, viewer, rng)) is not None:
            self._hidden(game, exchanged(s, game.program.layout, *pair), viewer, pair)
        for asked in self.machine.asked(s)[:1]:
            self._imagined(game, asked, rng)
            if self.outcome.answers < 2 * LOOK_EVERY:
                kind = rng.choice(("greedy", "search-6"))
                chosen = make_player(kind, self.machine).choose(sight(self.machine, s, asked.seat), asked, rng)
                if not asked.least <= len(chosen) <= asked.most or not set(chosen) <= set(asked.candidates):
                    raise Finding(f"{kind} answers what is not offered")

    def _hidden(self, game: Game, other: State, viewer: int | None, pair: tuple[int, int]) -> None:
        """Two pieces that a seat does not see change places: it sees nothing of that."""
        s, machine = game.state, self.machine
        asked = [_tried(lambda state=state: [(a.seat, a.site) for a in machine.asked(state)]) for state in (s, other)]
        if asked[0] != asked[1]:
            return
        seen = [_tried(views.view, machine, state, viewer) for state in (s, other)]
        if seen[0] != seen[1] and not any(isinstance(view, str) for view in seen):
            raise Finding(f"seat {viewer} sees what is hidden from it")
        at = game.program.layout.at
        together = s[at + pair[0]] == s[at + pair[1]]
        if viewer is not None and together and sight(machine, s, viewer) != sight(machine, other, viewer):
            raise Finding(f"seat {viewer} knows what is hidden from it")

    def _imagined(self, game: Game, asked: OpenDecision, rng: Random) -> None:
        """A world that agrees with what a seat knows looks the same to it."""
        s, seat = game.state, asked.seat
        try:
            there = Worlds(self.machine, sight(self.machine, s, seat), seat).draw(rng)
        except StateError:
            raise
        except RuleError:
            return
        check_state(self.rules, self.machine, there)
        if not any((other.seat, other.site) == (seat, asked.site) for other in self.machine.asked(there)):
            return  # what it is asked depends on what it does not see
        seen = [_tried(views.view, self.machine, state, seat) for state in (s, there)]
        if seen[0] != seen[1] and not any(isinstance(view, str) for view in seen):
            raise Finding("an imagined world looks otherwise")

    def _undone(self, game: Game, seat: int, keys: list[str]) -> None:
        """What is taken back leaves nothing behind, and is taken back only where nothing came to light."""
        now = fork(game)
        before = _tried(everything, now)
        start = now.state
        now.answer(seat, keys)
        state, layout = now.state, game.program.layout
        spaces = {space.address: space for space in layout.spaces}
        cells_ = range(layout.at, layout.at + layout.pieces)
        shown = any(
            views.sees(spaces[state[cell]], reader) and not views.sees(spaces[start[cell]], reader)
            for cell in cells_
            if state[cell] != start[cell]
            for reader in range(layout.seats)
        )
        knowing = range(layout.memory, layout.memory + layout.pieces if layout.memory >= 0 else layout.memory)
        shown |= any(state[cell] & ~start[cell] for cell in knowing)
        chance = start[RANDOM : RANDOM + RANDOM_CELLS] != state[RANDOM : RANDOM + RANDOM_CELLS]
        under_seal = [other for other in range(layout.seats) if other != seat and game.pending.is_sealed(other)]
        opened = under_seal and not all(map(now.pending.is_sealed, under_seal))
        if now.can_undo(seat) and (shown or chance):
            raise Finding("what came to light can be taken back")
        if not now.can_undo(seat):
            if not (shown or chance or opened or now.over):
                raise Finding("nothing came to light, and it cannot be taken back")
            try:
                now.undo(seat)
            except AnswerError:
                return
            raise Finding("it is taken back although it cannot be")
        now.undo(seat)
        if _tried(everything, now) != before:
            raise Finding("taking back leaves something behind")

    def _saved(self, game: Game) -> None:
        again = Game.load(json.loads(json.dumps(game.save())), self.rules)
        if again.state != game.state or again.log.lines(None) != game.log.lines(None):
            raise Finding("a saved game goes on otherwise")

    # ── many games ──

    def games_in_bulk_are_those_of_the_machine(self) -> None:
        """As `simulate` plays and counts them."""
        program = self.machine.program
        counting = Counting(program)
        bulk = native.Bulk(program, counting) if self.seed % 3 else native.Bulk(program)
        plain = None if self.seed % 3 else native.Fallback(program, "")
        new = self.machine.new(0, self.numbers, self.chosen)
        for seed in range(self.seed, self.seed + GAMES_IN_BULK):
            try:
                expected: Any = self._by_the_machine(Tally(counting, self.machine), plain, new, seed)
            except _Long:
                self.outcome.ended.append("long")
                continue
            except RuleError as error:
                expected = str(error)
            if ENDLESS in str(expected):
                self.outcome.ended.append(f"stopped: {expected}")
                continue  # in bulk that takes long
            found = _tried(lambda seed=seed: self._in_bulk(bulk, new, seed))
            self.outcome.ended.append(f"stopped: {expected}" if isinstance(expected, str) else "over")
            if found != expected:
                raise Finding(f"a game in bulk is another one: {_apart(expected, found)}")

    def _in_bulk(self, bulk: native.Bulk, new: State, seed: int) -> list[float]:
        seeds = range(seed, seed + 1)
        if not self.seed % 3:
            return list(bulk.games(new, seeds).words)
        found = bulk.counted(new, seeds)
        if found.stopped:
            raise RuleError(found.stopped[0])
        return [*found.words, *found.sums]

    def _by_the_machine(self, tally: Tally, plain: native.Fallback | None, new: State, seed: int) -> list[float]:
        s = states.clone(new)
        s[RANDOM : RANDOM + RANDOM_CELLS] = cells(seed)
        if plain is not None:
            plain.take_up(s, cells(seed))
            if plain.play_on(seed, MOST_IN_BULK).decisions >= MOST_IN_BULK:
                raise _Long
            return list(plain.games(new, range(seed, seed + 1)).words)
        chance, answers = at_chance(seed, self.machine), iter(range(MOST_IN_BULK))

        def answer(s: State, asked: OpenDecision) -> Any:
            if next(answers, None) is None:
                raise _Long
            return chance(s, asked)

        return [*tally.play(s, answer), *tally.sums]


ENDLESS = "never come to an end"
WARNS_OF_NAMES = frozenset(["two-meanings"])
"""The codes of warnings that tell which of two things a name means."""
LEAST_NOISE = 100_000
"""No drawn edition says so high a number; nearly all noise is higher."""


def _read(text: str, warned: bool) -> tuple[Rules, Report]:
    """The rules, and what they are warned of, if that is asked. Raises EditionError."""
    report = Report()
    edition = read(None, report, "edition", text=text, shown_as="edition")
    if edition is not None and report.ok:
        check(edition, report)
    if edition is None or not report.ok:
        raise EditionError(report)
    if warned:
        lint(edition, report)
    return Rules(edition), report


def _digests(text: str) -> tuple[str, str]:
    """What identifies the rules of a text, which is one of those that were checked."""
    edition = read(None, Report(), "edition", text=text, shown_as="edition")
    return (edition.hash, edition.plays) if edition is not None else ("", "")


def meaning(program: Program) -> Any:
    """What a program does, whatever it calls things and wherever they stand. Registers are numbered as they come in
    each block and function, as they hold nothing from one to the next: which ones are left out, or serve twice, depends
    on what a name was tried as. So is the noise by which positions are told apart, which is made of names."""
    met: dict[tuple[bool, int], int] = {}
    noise: dict[int, int] = {}

    def plain(number: int) -> int | tuple[str, int]:
        return number if abs(number) < LEAST_NOISE else ("noise", noise.setdefault(number, len(noise)))

    def spelt(instruction: Instruction) -> list[Any]:
        if instruction[0] == "block":
            met.clear()
        told: list[Any] = [instruction[0]]
        for kind, operand in operands_of(instruction):
            if kind in "dV" or (kind == "v" and not operand & 1):
                number = operand >> 1 if kind == "v" else operand
                told.append((kind, met.setdefault((kind == "V", number), len(met))))
            elif kind != "P":
                told.append(plain(operand) if isinstance(operand, int) else operand)
        return told

    def all_spelt(code: Iterable[Instruction]) -> list[list[Any]]:
        met.clear()
        return [spelt(instruction) for instruction in code]

    tables = [[plain(number) for number in table] for table in program.tables]
    return tables, all_spelt(program.code), [all_spelt(function.code) for function in program.functions]


def _plain(decisions: list[OpenDecision]) -> list[Any]:
    return [(one.site, one.seat, tuple(one.candidates), one.least, one.most) for one in decisions]


def _tried(work: Callable[..., Any], *arguments: Any) -> Any:
    """What it gives, or what stops it."""
    try:
        return work(*arguments)
    except RuleError as error:
        return str(error)


def _lists(results: Any) -> Any:
    return results if isinstance(results, str) else [list(result) for result in results]


def _different(s: State, game: Game) -> str:
    cells_ = [number for number, (one, other) in enumerate(zip(s, game.state, strict=True)) if one != other]
    return ", ".join(f"cell {cell}: {s[cell]} for {game.state[cell]}" for cell in cells_[:4])


def _apart(expected: Any, found: Any) -> str:
    if isinstance(expected, str) or isinstance(found, str):
        return f"{found if isinstance(found, str) else 'it ends'}; the machine: {str(expected)[:200]}"
    places = [n for n, (one, other) in enumerate(zip(expected, found, strict=False)) if one != other]
    return f"{len(found)} words for {len(expected)}; different at {places[:8]}"
