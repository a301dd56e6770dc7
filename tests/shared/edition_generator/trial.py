"""Properties of every edition that `check` accepts; a seed gives an edition and a trial of it."""

from __future__ import annotations

import json
import time
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from edition_generator.derived_sentences import insert_derived, rules_not_generated
from edition_generator.editions import Edition
from edition_generator.random_source import RandomSource
from edition_generator.yaml_writer import to_yaml
from rulewright.authoring.lint import lint
from rulewright.base.diagnostics import EditionError, Report
from rulewright.compiler import check
from rulewright.game.choices import AnswerError
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.model.reader import read
from rulewright.players import make_player
from rulewright.program.form import Program
from rulewright.program.instructions import Instruction, operands_of
from rulewright.program.state_layout import RANDOM, RANDOM_CELLS
from rulewright.publish.rulebook import book as books
from rulewright.publish.rulebook import html, markdown
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from rulewright.runtime import native
from rulewright.runtime import state as states
from rulewright.runtime import view as views
from rulewright.runtime.game_statistics import StatisticsLayout
from rulewright.runtime.information_state import Determinizer, information_state
from rulewright.runtime.operations import OpenDecision, RuleError
from rulewright.runtime.rng import seeded as cells
from rulewright.runtime.state import State, StateError
from rulewright.simulation.chunk_player import random_answer_function
from rulewright.simulation.tally import Tally
from rulewright.syntax.formatter import format_file
from whole_games import NAMES, check_state, everything, exchanged, fork, hidden_pair, readers, seatings

MAX_ANSWERS, LOOK_EVERY = 40, 4
MAX_IN_BULK = 3000
GAMES_IN_BULK = 3


class Finding(Exception):
    """Violation of a property, with what shows it."""


class _Long(Exception):
    """Game that goes on for too long to be compared."""


@dataclass
class Outcome:
    """Outcome of a trial. result: 'fine', 'refused' (by check) or 'failed', with the reason; ended: how the games
    ended, the one at a table first."""

    seed: int | None
    result: str = "fine"
    reason: str = ""
    answers: int = 0
    ended: list[str] = field(default_factory=list)
    has_similar_names: bool = False
    warned: bool = False
    seconds: float = 0.0

    def row(self) -> str:
        return json.dumps(asdict(self))


def try_edition(
    rng: RandomSource, seed: int | None = None, book: bool = False, similar_percent: int | None = None
) -> Outcome:
    """Generate an edition and check all properties of it. Never raises what the interpreter raises.

    similar_percent: make that share of names nearly another's, and check only names.
    """
    began, outcome = time.process_time(), Outcome(seed)
    try:
        trial = Trial(rng, outcome, similar_percent)
        if similar_percent is None:
            trial.run(book)
        else:
            trial.check_names()
    except EditionError as error:
        first = error.report.errors[0]
        outcome.result, outcome.reason = "refused", f"{first.code}: {first.message}"
    except RuleError as error:  # a text or a score that stops: no game can be looked at any more
        outcome.ended.append(f"stopped: {error}")
    except Finding as finding:
        outcome.result, outcome.reason = "failed", str(finding)
    except Exception as error:  # whatever it is: it is a finding, and must not end a long run
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{last.filename.rpartition('/')[2]}:{last.name}"
        outcome.result, outcome.reason = "failed", f"{type(error).__name__} in {place}: {error}"
    outcome.seconds = round(time.process_time() - began, 3)
    return outcome


def generate(rng: RandomSource, similar_percent: int | None = None) -> tuple[Edition, str]:
    """Generate an edition; return it with its file."""
    edition = Edition(rng, similar_percent)
    if rules := rules_not_generated():
        insert_derived(rng, edition.declarations, edition.tree, lambda: _is_sound(edition), rules)
    return edition, to_yaml(edition.namer.with_names(edition.tree), rng)


def _is_sound(edition: Edition) -> bool:
    with suppress(EditionError):
        _read(to_yaml(edition.namer.with_names(edition.tree), RandomSource(lambda bound: 0)), False)
        return True
    return False


class Trial:
    """Trial of one edition at one table."""

    def __init__(self, rng: RandomSource, outcome: Outcome, similar_percent: int | None = None) -> None:
        self.generated, self.text = generate(rng, similar_percent)
        self.outcome = outcome
        self.rng = rng
        outcome.has_similar_names = bool(self.generated.namer.near)

    def run(self, book: bool = False) -> None:
        """Check all properties. Raises Finding, EditionError for what check refuses, and whatever goes wrong."""
        self.check_names()
        if self.seed % 2:
            self.check_formatting()
        self.compare_table_with_native_code()
        self.compare_bulk_with_machine()
        if book:
            self.check_rulebook()

    def check_names(self) -> None:
        """Check that similar names mean the same as distinct ones. Raises EditionError."""
        namer = self.generated.namer
        self.rules, report = _read(self.text, bool(namer.near) or self.rng.chance(30))
        self._table()
        self.outcome.warned = any(warning.code in WARNS_OF_NAMES for warning in report.warnings)
        if not namer.near or self.outcome.warned:
            return
        other, _ = _read(
            to_yaml(namer.with_names(self.generated.tree, namer.distinct_names()), RandomSource(lambda bound: 0)), False
        )
        programs = [normalized_program(rules.machine(len(self.names)).program) for rules in (self.rules, other)]
        if programs[0] != programs[1]:
            pairs = [f"{namer.names[a.number]} ({a.sort}), {namer.names[b.number]} ({b.sort})" for a, b in namer.near]
            raise Finding(f"a name is misread in silence: {'; '.join(pairs)}")

    def _table(self) -> None:
        rng, edition = self.rng, self.rules.edition
        roles = rng.pick(list(seatings(self.rules)))
        seats = len(roles)
        self.roles = {name: role for name, role in zip(NAMES[:seats], roles, strict=True) if role}
        self.names = NAMES[:seats]
        self.options = {option.name: rng.pick(option.choices) for option in edition.options.values()}
        self.seed = rng.number(0, 2**30)
        self.machine = self.rules.machine(seats)
        self.numbers = [self.machine.program.roles.index(role) if role else -1 for role in roles]
        self.option_values = [
            option.choices.index(self.options[option.name]) for option in self.machine.program.options
        ]

    # ── what the file says ──

    def check_formatting(self) -> None:
        first = format_file(None, "edition", self.text)
        if _digests(first) != (self.rules.hash, self.rules.play_digest):
            raise Finding("formatting changes what the file means")
        if self.seed % 4 == 1 and format_file(None, "edition", first) != first:
            raise Finding("what is formatted is not in its form")
        if self.seed % 4 == 3 and _digests(self.rules.text) != (
            self.rules.hash,
            self.rules.play_digest,
        ):
            raise Finding("the edition as one text is another one")

    def check_rulebook(self) -> None:
        book = books.rulebook(RulebookBuilder(self.rules, options=self.options))
        if "</html>" not in html.page(book) or not markdown.text(book).startswith("# "):
            raise Finding("the rulebook is none")

    # ── games ──

    def compare_table_with_native_code(self) -> None:
        rng, outcome = Random(self.seed), self.outcome
        program = self.machine.program
        quick = native.Native(program, range(len(program.functions)))
        new = self.machine.new(self.seed, self.numbers, self.option_values)
        try:
            game = Game.start(self.rules, self.names, self.options, self.seed, self.roles)
        except RuleError as error:
            self._check_same_stop(quick, new, error)
            return
        self._check_same_run(quick, new, game)
        while not game.over and outcome.answers < MAX_ANSWERS:
            decision = rng.choice(game.decisions())
            offered = [choice.key for choice in decision.choices for _ in range(choice.count)]
            keys = rng.sample(offered, rng.randint(decision.least, decision.most))
            if outcome.answers % LOOK_EVERY == 0:
                self._check_position(game, rng)
            before = game.state
            open_decision = next(one for one in self.machine.open_decisions(before) if one.seat == decision.seat)
            self.machine.answer(before, open_decision, game.offer(open_decision).candidates_for(keys))
            try:
                if outcome.answers % LOOK_EVERY == 1:
                    self._check_undo(game, decision.seat, keys)
                game.answer(decision.seat, keys, decision.id)
            except RuleError as error:
                self._check_same_stop(quick, before, error)
                break
            outcome.answers += 1
            self._check_same_run(quick, before, game)
        else:
            outcome.ended.append("limit" if game.position.limit_text() else "over" if game.over else "went on")
        self._check_save(game)
        self._check_functions(quick, game)
        game.standings()
        logs = [game.log.lines(reader) for reader in readers(game)]
        if len({len(log) for log in logs}) > 1:
            raise Finding("logs tell of different numbers of things")

    def _check_same_stop(self, quick: native.Native, s: State, error: RuleError) -> None:
        self.outcome.ended.append(f"stopped: {error}")
        if not isinstance(_result_or_error(self.machine.run, states.clone(s)), str):
            return  # what stops is a text, and native code tells none
        try:
            quick.run(states.clone(s))
        except RuleError as other:
            if str(other) == str(error):
                return
            raise Finding(f"native code stops otherwise: {other}; the machine: {error}") from None
        raise Finding(f"native code does not stop: {error}")

    def _check_same_run(self, quick: native.Native, s: State, game: Game) -> None:
        """Check that native code runs to the same state, and asks the same."""
        expected = self.machine.run(states.clone(s))
        try:
            decisions = quick.run(s)
        except RuleError as error:
            raise Finding(f"only native code stops: {error}") from None
        if self._without_memory(s) != self._without_memory(game.state):
            raise Finding(f"native code comes to another state: {_list_differences(s, game)}")
        if _plain(decisions) != _plain(expected):
            raise Finding(f"native code asks otherwise: {_plain(decisions)} for {_plain(expected)}")

    def _without_memory(self, s: State) -> State:
        """Return a state without what seats remember, which only the machine writes."""
        layout = self.machine.program.layout
        return s if layout.memory < 0 else [*s[: layout.memory], *s[layout.shown_pieces + 2 :]]

    def _check_functions(self, quick: native.Native, game: Game) -> None:
        """Check that texts, scores and measures come to the same."""
        for number in range(len(game.program.functions)):
            for seat in range(len(self.names)):
                results = [
                    _result_or_error(executor.call, number, game.state, seat) for executor in (self.machine, quick)
                ]
                if _lists(results[0]) != _lists(results[1]):
                    raise Finding(f"function {number} comes to {results[0]}, in native code to {results[1]}")

    def _check_position(self, game: Game, rng: Random) -> None:
        """Check a position: conservation, saving, views, bots."""
        s = game.state
        check_state(self.rules, self.machine, s)
        if states.from_json(states.to_json(s), game.program.layout) != s:
            raise Finding("the state is another one when it has been written and read")
        views_of_all = _result_or_error(lambda: [game.view(reader) for reader in readers(game)])
        if isinstance(views_of_all, str):
            return
        viewer = rng.choice(readers(game))
        if (pair := hidden_pair(game, viewer, rng)) is not None:
            self._check_hidden(game, exchanged(s, game.program.layout, *pair), viewer, pair)
        for decision in self.machine.open_decisions(s)[:1]:
            self._check_sampled_state(game, decision, rng)
            if self.outcome.answers < 2 * LOOK_EVERY:
                kind = rng.choice(("greedy", "search-6"))
                answer = make_player(kind, self.machine).choose(
                    information_state(self.machine, s, decision.seat), decision, rng
                )
                if not decision.least <= len(answer) <= decision.most or not set(answer) <= set(decision.candidates):
                    raise Finding(f"{kind} answers what is not offered")

    def _check_hidden(self, game: Game, other: State, viewer: int | None, pair: tuple[int, int]) -> None:
        """Check that exchanging two pieces that a seat does not see changes nothing for it."""
        s, machine = game.state, self.machine
        decisions = [
            _result_or_error(lambda state=state: [(a.seat, a.site) for a in machine.open_decisions(state)])
            for state in (s, other)
        ]
        if decisions[0] != decisions[1]:
            return
        views_of_both = [_result_or_error(views.view, machine, state, viewer) for state in (s, other)]
        if views_of_both[0] != views_of_both[1] and not any(isinstance(view, str) for view in views_of_both):
            raise Finding(f"seat {viewer} sees what is hidden from it")
        positions = game.program.layout.piece_zones
        together = s[positions + pair[0]] == s[positions + pair[1]]
        if (
            viewer is not None
            and together
            and information_state(machine, s, viewer) != information_state(machine, other, viewer)
        ):
            raise Finding(f"seat {viewer} knows what is hidden from it")

    def _check_sampled_state(self, game: Game, decision: OpenDecision, rng: Random) -> None:
        """Check that a sampled state that agrees with what a seat knows looks the same to it."""
        s, seat = game.state, decision.seat
        try:
            sampled = Determinizer(self.machine, information_state(self.machine, s, seat), seat).draw(rng)
        except StateError:
            raise
        except RuleError:
            return
        check_state(self.rules, self.machine, sampled)
        if not any((other.seat, other.site) == (seat, decision.site) for other in self.machine.open_decisions(sampled)):
            return  # what it is asked depends on what it does not see
        views_of_both = [_result_or_error(views.view, self.machine, state, seat) for state in (s, sampled)]
        if views_of_both[0] != views_of_both[1] and not any(isinstance(view, str) for view in views_of_both):
            raise Finding("an imagined world looks otherwise")

    def _check_undo(self, game: Game, seat: int, keys: list[str]) -> None:
        """Check that undo restores everything, and is refused exactly when something was revealed."""
        now = fork(game)
        before = _result_or_error(everything, now)
        start = now.state
        now.answer(seat, keys)
        state, layout = now.state, game.program.layout
        spaces = {space.address: space for space in layout.zones}
        cells_ = range(layout.piece_zones, layout.piece_zones + layout.pieces)
        revealed = any(
            views.sees_zone(spaces[state[cell]], reader) and not views.sees_zone(spaces[start[cell]], reader)
            for cell in cells_
            if state[cell] != start[cell]
            for reader in range(layout.seats)
        )
        with_name = range(layout.memory, layout.memory + layout.pieces if layout.memory >= 0 else layout.memory)
        revealed |= any(state[cell] & ~start[cell] for cell in with_name)
        chance = start[RANDOM : RANDOM + RANDOM_CELLS] != state[RANDOM : RANDOM + RANDOM_CELLS]
        under_seal = [other for other in range(layout.seats) if other != seat and game.pending.is_sealed(other)]
        opened = under_seal and not all(map(now.pending.is_sealed, under_seal))
        if now.can_undo(seat) and (revealed or chance):
            raise Finding("what came to light can be taken back")
        if not now.can_undo(seat):
            if not (revealed or chance or opened or now.over):
                raise Finding("nothing came to light, and it cannot be taken back")
            try:
                now.undo(seat)
            except AnswerError:
                return
            raise Finding("it is taken back although it cannot be")
        now.undo(seat)
        if _result_or_error(everything, now) != before:
            raise Finding("taking back leaves something behind")

    def _check_save(self, game: Game) -> None:
        again = Game.load(json.loads(json.dumps(game.save())), self.rules)
        if again.state != game.state or again.log.lines(None) != game.log.lines(None):
            raise Finding("a saved game goes on otherwise")

    # ── many games ──

    def compare_bulk_with_machine(self) -> None:
        """Compare games in bulk, played and counted as `simulate` does."""
        program = self.machine.program
        counting = StatisticsLayout(program)
        bulk = native.Bulk(program, counting) if self.seed % 3 else native.Bulk(program)
        plain = None if self.seed % 3 else native.Fallback(program, "")
        new = self.machine.new(0, self.numbers, self.option_values)
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
            result = _result_or_error(lambda seed=seed: self._in_bulk(bulk, new, seed))
            self.outcome.ended.append(f"stopped: {expected}" if isinstance(expected, str) else "over")
            if result != expected:
                raise Finding(f"a game in bulk is another one: {_describe_difference(expected, result)}")

    def _in_bulk(self, bulk: native.Bulk, new: State, seed: int) -> list[float]:
        seeds = range(seed, seed + 1)
        if not self.seed % 3:
            return list(bulk.games(new, seeds).words)
        result = bulk.counted_games(new, seeds)
        if result.stopped:
            raise RuleError(result.stopped[0])
        return [*result.words, *result.sums]

    def _by_the_machine(self, tally: Tally, plain: native.Fallback | None, new: State, seed: int) -> list[float]:
        s = states.clone(new)
        s[RANDOM : RANDOM + RANDOM_CELLS] = cells(seed)
        if plain is not None:
            plain.load_state(s, cells(seed))
            if plain.play_on(seed, MAX_IN_BULK).decisions >= MAX_IN_BULK:
                raise _Long
            return list(plain.games(new, range(seed, seed + 1)).words)
        chance, answers = random_answer_function(seed, self.machine), iter(range(MAX_IN_BULK))

        def answer(s: State, decision: OpenDecision) -> Any:
            if next(answers, None) is None:
                raise _Long
            return chance(s, decision)

        return [*tally.play(s, answer), *tally.sums]


ENDLESS = "never come to an end"
WARNS_OF_NAMES = frozenset(["two-meanings"])
"""Codes of warnings about names with two meanings."""
LEAST_NOISE = 100_000
"""Bound of the numbers that editions use; nearly all noise is higher."""


def _read(text: str, warned: bool) -> tuple[Rules, Report]:
    """Load rules and, if asked for, their warnings. Raises EditionError."""
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
    """Return the digests of rules that `check` has accepted."""
    edition = read(None, Report(), "edition", text=text, shown_as="edition")
    return (edition.hash, edition.play_digest) if edition is not None else ("", "")


def normalized_program(program: Program) -> Any:
    """Normalize a program for comparison, without names and places. Registers are numbered as they occur in each block
    and function, as they hold nothing from one to the next: which ones are left out, or serve twice, depends on how a
    name was resolved. The same goes for the noise that tells positions apart, which is made of names."""
    numbers: dict[tuple[bool, int], int] = {}
    noise: dict[int, int] = {}

    def plain(number: int) -> int | tuple[str, int]:
        return number if abs(number) < LEAST_NOISE else ("noise", noise.setdefault(number, len(noise)))

    def normalize(instruction: Instruction) -> list[Any]:
        if instruction[0] == "block":
            numbers.clear()
        operands: list[Any] = [instruction[0]]
        for kind, operand in operands_of(instruction):
            if kind in "dV" or (kind == "v" and not operand & 1):
                number = operand >> 1 if kind == "v" else operand
                operands.append((kind, numbers.setdefault((kind == "V", number), len(numbers))))
            elif kind != "P":
                operands.append(plain(operand) if isinstance(operand, int) else operand)
        return operands

    def normalize_all(code: Iterable[Instruction]) -> list[list[Any]]:
        numbers.clear()
        return [normalize(instruction) for instruction in code]

    tables = [[plain(number) for number in table] for table in program.tables]
    return tables, normalize_all(program.code), [normalize_all(function.code) for function in program.functions]


def _plain(decisions: list[OpenDecision]) -> list[Any]:
    return [(one.site, one.seat, tuple(one.candidates), one.least, one.most) for one in decisions]


def _result_or_error(work: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of a call, or the message of the error that stops it."""
    try:
        return work(*arguments)
    except RuleError as error:
        return str(error)


def _lists(results: Any) -> Any:
    return results if isinstance(results, str) else [list(result) for result in results]


def _list_differences(s: State, game: Game) -> str:
    cells_ = [number for number, (one, other) in enumerate(zip(s, game.state, strict=True)) if one != other]
    return ", ".join(f"cell {cell}: {s[cell]} for {game.state[cell]}" for cell in cells_[:4])


def _describe_difference(expected: Any, actual: Any) -> str:
    if isinstance(expected, str) or isinstance(actual, str):
        return f"{actual if isinstance(actual, str) else 'it ends'}; the machine: {str(expected)[:200]}"
    places = [index for index, (one, other) in enumerate(zip(expected, actual, strict=False)) if one != other]
    return f"{len(actual)} words for {len(expected)}; different at {places[:8]}"
