"""The machine with simplified and with plain code, with decisions and in rollouts, for one table and for any."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import few, one_in
from machines import GAMES, on_to_the_end, table_top, tables
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.program import decision_pipeline, rollout_pipeline
from rulewright.program.blocks import Blocks, Nest, Node, flatten
from rulewright.program.form import Setting
from rulewright.program.instructions import ONE, ZERO, Instruction, constant
from rulewright.program.passes import (
    block_merging,
    block_specialization,
    code_sinking,
    common_prefix,
    loop_unrolling,
    register_promotion,
    simplification,
)
from rulewright.runtime import native, python_backend
from rulewright.runtime.machine import Machine
from rulewright.runtime.operations import RuleError
from rulewright.runtime.rng import fractions
from rulewright.runtime.state import clone


@few(15)
@given(tables(to_the_end=True), st.integers(0, 2**64 - 1))
def test_a_program_for_one_table_plays_the_same_game(table: tuple[Rules, int, Setting], seed: int) -> None:
    rules, seats, setting = table
    ends = []
    for machine in (rules.machine(seats), Machine(rules.machine(seats, setting).program)):
        state = machine.new(seed, setting.roles, setting.options)
        ends.append(table_top(machine, on_to_the_end(machine, state, random.Random(seed).random))[:2])
    assert ends[0] == ends[1]


@pytest.mark.rotating(5)
@given(tables(to_the_end=True), st.integers(0, 2**64 - 1), st.integers(0, 40))
def test_a_rollout_equals_answering_at_random(table: tuple[Rules, int, Setting], seed: int, start: int) -> None:
    rules, seats, setting = table
    machine = rules.machine(seats)
    state = machine.new(seed, setting.roles, setting.options)
    on_to_the_end(machine, state, random.Random(seed).random, start)
    played = clone(state)
    machine.play_out(played, random.Random(seed).random)
    on_to_the_end(machine, state, random.Random(seed).random)
    assert table_top(machine, played) == table_top(machine, state)


@pytest.mark.rotating(10)
def test_return_places_are_the_same_for_decisions_and_rollouts() -> None:
    """The asking step is run from two others; after one of them only the next turn follows."""
    rules = library.load("wildlife/2002")
    machine = rules.machine(2)
    alone = native.Native(machine.program)
    for start in range(30, 45):
        state = on_to_the_end(machine, machine.new(574), random.Random(574).random, start)
        question, played, out = clone(state), clone(state), clone(state)
        machine.play_out(played, fractions(start))
        on_to_the_end(machine, question, fractions(start))
        alone.play_out(out, start)
        assert table_top(machine, played) == table_top(machine, question) == table_top(machine, out)


def as_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the machine run the blocks as the compiler made them."""

    def alone(blocks: Blocks, fixed: Any) -> Blocks:
        return blocks

    for module in (decision_pipeline, rollout_pipeline):
        monkeypatch.setattr(module, "merge_blocks", alone)
        monkeypatch.setattr(module, "simplify", lambda body, layout, tables: body)
    for name in ("fold_constants", "sink_vectors"):
        monkeypatch.setattr(rollout_pipeline, name, lambda body, tables=(): body)
    monkeypatch.setattr(rollout_pipeline, "specialize_blocks", lambda blocks, start, sealed: blocks)


def games(rules: Rules) -> list[Any]:
    """Return the ends of some games with the fewest and the most seats, by decisions and, if they end, by rollouts."""
    seats = rules.edition.seat_counts()
    machines = [Machine(rules.machine(number).program) for number in {seats[0], seats[-1]}]
    return [end(machine, seed) for machine in machines for seed in range(3)]


def end(machine: Machine, seed: int) -> Any:
    try:
        state = on_to_the_end(machine, machine.new(seed), random.Random(seed).random, 200)
        if machine.open_decisions(state):
            return table_top(machine, state)
        machine.play_out(played := machine.new(seed), random.Random(seed).random)
        return table_top(machine, state), table_top(machine, played)
    except RuleError as error:
        return str(error)


@pytest.mark.parametrize("name", one_in(5, GAMES))
def test_simplified_code_plays_the_same_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_backend, "OFTEN", 0)
    simplified = games(GAMES[name])
    monkeypatch.setattr(python_backend, "OFTEN", 10**9)
    as_compiled(monkeypatch)
    assert games(GAMES[name]) == simplified


def test_cells_that_change_on_the_way_are_not_specialized() -> None:
    """The first path to block 1 knows where cell 9 leads and gets a copy of the block."""
    back: list[Node] = [("load", 1, 9, ZERO), ("goto_value", 2)]
    ends: Blocks = {1: back, 2: [("halt",)], 3: [("fail", 0), ("halt",)]}
    to_2, to_3, leave = ("store_block", 9, ZERO, 2), ("store_block", 9, ZERO, 3), ("goto", 1)
    cases: list[tuple[list[Node], bool]] = [
        ([to_2, leave], True),
        ([to_2, Nest(("if", 4), [to_3]), leave], False),
        ([to_2, Nest(("for", 3, 0), [Nest(("if", 4), [leave]), to_3]), leave], False),
    ]
    for body, known in cases:
        result = block_specialization.specialize_blocks({**ends, 0: body}, 0, ())
        assert result.keys() == ({0, 2, 5} if known else {0, 1, 2, 3})


def test_return_places_that_are_only_looked_up_stay() -> None:
    """The return place of a step that many places run is not found by comparisons."""
    many = range(2, 3 + block_specialization.MAX_JUMP_TARGETS)
    blocks: Blocks = {number: [("store_block", 9, ZERO, number + 1), ("goto", 1)] for number in (0, *many)}
    blocks |= {0: [("store_block", 9, ZERO, 2), ("goto", 1)], 1: [("load", 1, 9, ZERO), ("goto_value", 2)]}
    blocks[many[-1] + 1] = [("halt",)]
    result = block_specialization.specialize_blocks(blocks, 0, ())
    assert result.keys() == block_merging.merge_blocks(result, [0]).keys() == blocks.keys()


def test_a_written_cell_is_no_longer_specialized() -> None:
    back: list[Node] = [("load", 1, 9, ZERO), ("goto_value", 2)]
    ends: Blocks = {2: [("halt",)], 3: [("fail", 0), ("halt",)]}
    body: list[Node] = [("store_block", 9, ZERO, 2), ("store", 9, ZERO, 8), *back]
    cases: Blocks = {4: [("store_block", 9, ZERO, 3), ("goto", 0)]}
    result = block_specialization.specialize_blocks({**ends, **cases, 0: body}, 0, ())
    assert result.keys() >= {2, 3}


def test_blocks_too_deep_to_be_inlined_lead_to_inlined_ones() -> None:
    def deep(further: int) -> list[Node]:
        nodes: list[Node] = [("goto", further)]
        for _ in range(block_merging.MAX_NESTING + 1):
            nodes = [Nest(("if", 4), nodes), ("halt",)]
        return nodes

    blocks: Blocks = {0: deep(1), 1: deep(2), 2: deep(3), 3: [("halt",)]}
    assert block_merging.merge_blocks(blocks, [0]).keys() == blocks.keys()


def test_only_loops_over_constants_are_unrolled() -> None:
    loop = Nest(("for", 1, 0), [("add", 2, 2, ONE), ("push", 3, 4)])
    fixed: list[Node] = [("vector", 3), ("fixed", 0, 0)]
    ranked, ended = ("rank", 4, 0, 5), Nest(("for", 1, 0), [*loop.body, ("break",)])
    source = loop_unrolling.unroll_loops({0: [*fixed, loop, ("keep", 3, 50, ZERO)]}, [(5, 7)])[0]
    values = [node[2] for node in source if isinstance(node, tuple) and node[0] == "copy"]
    assert values == [2 * 5 + 1, 2 * 7 + 1] and not any(isinstance(node, Nest) for node in source)
    registers = [node[2] for node in source if isinstance(node, tuple) and node[0] == "push"]
    assert len(set(registers)) == 2, "each time round has registers of its own"
    for body in (
        [*fixed, ranked, loop],
        [*fixed, ended],
        [*fixed, *[("halt",)] * loop_unrolling.MAX_INSTRUCTIONS, loop],
    ):
        assert loop_unrolling.unroll_loops({0: body}, [(5, 7)]) == {0: body}


def test_vectors_made_before_nested_loops_keep_their_names() -> None:
    """Unrolled copies must not look like a vector that only the outer loop knows."""
    inner: list[Node] = [("fixed", 2, 0), Nest(("for", 3, 2), [("push", 4, 2 * 1), ("filter", 5, 1, 0)])]
    body: list[Node] = [("vector", 1), ("push", 1, ONE), ("vector", 4), ("fixed", 0, 0), Nest(("for", 1, 0), inner)]
    source = flatten(loop_unrolling.unroll_loops({0: body}, [(5, 7, 9)])[0])
    assert [i[2] for i in source if i[0] == "filter"] == [1] * 9


def test_cells_are_registers_where_one_block_alone_knows_them() -> None:
    first, other = ZERO, ONE
    stored: list[Node] = [
        ("keep", 1, 50, first),
        ("keep", 2, 50, other),
        ("read", 3, 50, first),
        ("read", 4, 50, other),
    ]
    name_ = register_promotion.promote_cells({0: stored}, 50)[0]
    assert [node[0] for node in name_ if isinstance(node, tuple)] == ["as_tuple"] * 4
    answers = {node[1]: node[2] for node in name_ if isinstance(node, tuple)}
    assert (answers[answers[3]], answers[answers[4]]) == (1, 2)
    looked_for: list[Node] = [*stored, ("read", 5, 50, 12)]
    for body in (looked_for, stored[2:] + stored[:2]):
        assert register_promotion.promote_cells({0: body}, 50) == {0: body}
    assert register_promotion.promote_cells({0: stored, 1: stored}, 50) == {0: stored, 1: stored}
    results: list[Node] = [("pick_one", 1, 6), ("keep", 1, 50, first), ("read", 3, 50, first), ("keep", 3, 7, first)]
    assert register_promotion.promote_cells({0: results}, 50) == {0: [("pick_one", 3, 6), ("keep", 3, 7, first)]}


@pytest.mark.parametrize(
    "making, counts, alone",
    [
        (("read", 3, 6, 1), 2, True),
        (("read", 3, 6, 1), 3, False),  # somebody else reads it
        (("filter", 3, 4, 1), 2, False),  # it is made from what it would become
        (("sort", 3, 5), 2, False),  # that makes nothing
    ],
)
def test_vectors_share_a_name_only_if_not_used_elsewhere(making: Instruction, counts: int, alone: bool) -> None:
    body: list[Node] = [making, ("as_tuple", 4, 3)]
    expected = [(making[0], 4, *making[2:])] if alone else body
    assert register_promotion._without_copies(body, Counter({3: counts, 4: 1})) == expected


@pytest.mark.parametrize("shuffled, put_off", [(29, True), (31, False)])
def test_a_shuffle_is_delayed_past_reads_of_other_zones(shuffled: int, put_off: bool) -> None:
    shuffle, read = ("shuffle", constant(shuffled)), ("read", 5, 30, constant(1))
    moved = ("spill", constant(40), constant(41))
    results = common_prefix.split_common_prefix({1: [shuffle, moved, read, ("halt",)]}, 1)
    assert results[1] == [moved, *([read] if put_off else []), ("wait", 2)]
    assert results[2] == [shuffle, *([] if put_off else [read]), ("halt",)]


def test_repeated_code_is_not_moved_to_the_beginning() -> None:
    body: list[Node] = [("spill", 2 * 10 + 1, 2 * 11 + 1), ("pick_one", 1, 2), ("goto", 2)]
    assert common_prefix.split_common_prefix({1: body, 2: [("halt",)]}, 1)[1] == [body[0], ("wait", 3)]
    for way in (("goto", 1), ("store_block", 9, ZERO, 1)):
        again: Blocks = {1: body, 2: [Nest(("if", 4), [way]), ("halt",)]}
        assert common_prefix.split_common_prefix(again, 1) == again


def test_values_that_one_branch_needs_are_computed_there() -> None:
    results, questions, rest, use = ("filter", 1, 0, 5), ("empty", 2, 1), ("length", 6, 0), ("item", 7, 1, ONE)
    branch = Nest(("if", 4), [("vector", 3)], [use])
    values = ("none_of", 2, 0, 5)
    inside, read = Nest(branch.opening, branch.body, [results, use]), ("read", 0, 50, ZERO)
    assert code_sinking.sink_vectors([read, results, questions, rest, branch]) == [read, values, rest, inside]
    assert code_sinking.sink_vectors([read, results, questions]) == [read, values]
    assert code_sinking.sink_vectors([read, results, questions, Nest(("if", 4), [rest])]) == [
        read,
        values,
        Nest(("if", 4), [rest]),
    ]
    deeper: list[Node] = [read, results, Nest(("if", 8), [rest, branch, rest])]
    assert code_sinking.sink_vectors(deeper) == [read, Nest(("if", 8), [rest, inside, rest])]
    choices = ("select", 1, 0, 5, ONE)
    bodies: list[list[Node]] = [
        [read, results, Nest(("if", 4), [use], [use])],
        [read, results, branch, use],
        [read, results, questions, use, branch],
        [read, results, Nest(("for", 8, 9), [use])],
        [read, ("push", 0, ONE), results, branch],
        [read, Nest(("loop",), [branch, results])],
        [read, choices, questions, branch],
    ]
    for body in bodies:
        assert code_sinking.sink_vectors(body) == body


@pytest.mark.rotating(3)
def test_a_vector_that_changes_is_read_again() -> None:
    pushed: list[Node] = [("vector", 0), ("push", 0, ONE), ("keep", 0, 50, ZERO)]
    read: list[Node] = [("read", 1, 50, ZERO), ("move_all", 1, ONE, ZERO)]
    layout = library.load("2022").machine(3).program.layout
    assert simplification.simplify([*pushed, *read], layout) == [*pushed, ("move_all", 0, ONE, ZERO)]
    changed: list[Node] = [*pushed, ("push", 0, ONE), *read, ("move_all", 0, ONE, ZERO)]
    assert simplification.simplify(changed, layout) == changed


SEALED = """\
rulewright: 1
title: Sealed
players: 2
pieces:
  card: {copies: 10, starts in: deck}
zones:
  deck: {holds: card, seen by: nobody, pile: yes}
  hand: {of: seat, holds: card, seen by: owner}
  front: {of: seat, holds: card, seen by: owner}
counters:
  seat: {asked: no}
setup:
  do:
    - each seat: move top 2 of deck to hand
    - choose at random 1 from seats as lucky
    - set lucky's asked to yes
phases:
  play:
    do:
      - all seats at once:
          - if asked:
              - choose 1 from hand into front: {ask: Which?}
          - move top 1 of deck to hand
      - end game
"""


@pytest.mark.parametrize("seed", range(4))
def test_a_seat_without_a_decision_waits_for_the_others(seed: int) -> None:
    machine = library.from_text(SEALED).machine(2)
    state = machine.new(seed)
    (question,) = machine.run(state)
    hands = [space.address for space in machine.program.layout.zones if space.name == "hand"]
    assert [len(state[hand]) for hand in hands] == [2, 2]
    machine.answer(state, question, question.candidates[:1])
    assert not machine.run(state)
    assert sorted(len(state[hand]) for hand in hands) == [2, 3]


def test_the_text_of_a_role_has_its_figures() -> None:
    """The reader does not matter, nor whether the role is at the table."""
    game = Game.start(library.load("wild-cards/2022"), ["Ada", "Ben", "Cora"], seed=1)
    assert "deal him 5 habitat cards" in game.rule_texts.rule("roles.leo", 0)
    assert "Deal each player 7 habitat cards" in game.rule_texts.rule("steps.deal", 0)
