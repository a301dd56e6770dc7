"""Lines of play: a tree that is kept, and played again by the rules as they are now."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from rulewright.game import library
from rulewright.game.choices import AnswerError
from rulewright.game.library import Rules
from rulewright.workbench.core.workspace import BenchError
from rulewright.workbench.play import saved_lines
from rulewright.workbench.play.game_start import GameStart, default_start
from rulewright.workbench.play.play_tree import PlayLineError, PlayNode, PlayTree
from small_games.stones import STONES


def rules(*changes: tuple[str, str]) -> Rules:
    text = STONES
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return library.from_text(text)


def played() -> tuple[PlayTree, list[PlayNode]]:
    """A game of four answers."""
    tree = PlayTree(rules())
    line = [tree.start_game(default_start(tree.rules.edition))]
    for seat, stone in enumerate(("red stone", "red stone", "blue stone", "blue stone")):
        line.append(tree.answer(line[-1], seat % 2, [stone]))
    return tree, line


def test_every_answer_is_a_node_below_the_one_before() -> None:
    tree, line = played()
    assert tree.current is line[-1] and line[-1].line() == line
    assert [node.answer_text for node in line] == ["", "red stone", "red stone", "blue stone", "blue stone"]
    assert tree.game_at(line[1]).view(0).zone("bag", 0).pieces == ("red stone",)
    assert tree.game_at(line[0]).history.answer_keys() == []


def test_another_answer_makes_a_branch_and_the_same_one_does_not() -> None:
    tree, line = played()
    other = tree.answer(line[1], 1, ["blue stone"])
    assert line[1].children == [line[2], other]
    assert tree.answer(line[1], 1, ["red stone"]) is line[2]
    assert line[1].onward() == line[2:]
    tree.visit(other)
    assert line[0].onward() == [line[1], other]


def test_an_impossible_answer_is_refused_and_leaves_no_node() -> None:
    tree, line = played()
    count = len(tree.nodes)
    with pytest.raises(AnswerError):
        tree.answer(line[1], 1, ["green stone"])
    with pytest.raises(AnswerError):
        tree.answer(line[1], 0, ["red stone"])
    assert len(tree.nodes) == count


def test_a_changed_rule_branches_the_line_where_it_first_matters() -> None:
    tree, line = played()
    tree.use(rules(("step: 1", "step: 2")))
    tree.game_at(line[-1])
    assert [node.number for node in tree.nodes.values() if node.has_diverged] == [line[1].number]
    was, now = line[1].effects, line[1].diverged_effects
    assert was is not None and now is not None
    assert (was.counters["turns/0"], now.counters["turns/0"]) == ("1", "2")
    assert was.lines == now.lines == ("Ada takes a stone.",)


def test_a_restored_rule_removes_the_branch() -> None:
    tree, line = played()
    tree.use(rules(("step: 1", "step: 2")))
    tree.game_at(line[-1])
    tree.use(rules())
    tree.game_at(line[-1])
    assert not any(node.has_diverged for node in line)


def test_accepted_changes_are_expected_from_then_on() -> None:
    tree, line = played()
    tree.use(rules(("step: 1", "step: 2")))
    tree.game_at(line[-1])
    tree.accept(line[1])
    tree.game_at(line[-1])
    assert tree.current is line[-1] and not any(node.has_diverged for node in line)
    assert line[2].effects is not None and line[2].effects.counters == {"turns/1": "2"}


def test_changes_of_every_branch_are_accepted_by_the_rules_of_that_moment() -> None:
    tree, line = played()
    other = tree.answer(line[1], 1, ["blue stone"])
    tree.visit(line[-1])
    tree.use(rules(("step: 1", "step: 2")))
    tree.accept(line[1])
    tree.use(rules(("step: 1", "step: 3")))
    assert other.effects is not None and other.effects.counters == {"turns/1": "2"}
    tree.game_at(line[-1])
    assert line[1].has_diverged


def test_an_answer_that_does_not_fit_keeps_its_accepted_effects() -> None:
    tree, line = played()
    accepted = [node.effects for node in line[3:]]
    tree.use(rules(("choose 1 from heap into bag", "choose 1 from heap where colour is red into bag")))
    tree.accept(line[1])
    assert [node.effects for node in line[3:]] == accepted and None not in accepted
    assert line[3].fits is False


def test_a_line_stops_where_an_answer_fits_no_more() -> None:
    tree, line = played()
    tree.use(rules(("choose 1 from heap into bag", "choose 1 from heap where colour is red into bag")))
    assert tree.last_fitting_node(line[-1]) is line[2]
    assert line[3].fits is False and "blue stone" in line[3].misfit
    with pytest.raises(PlayLineError):
        tree.game_at(line[4])
    again = tree.answer(line[2], 0, ["red stone"])
    assert line[2].children == [line[3], again]


def test_both_lines_can_be_kept() -> None:
    tree, line = played()
    tree.use(rules(("step: 1", "step: 2")))
    tree.game_at(line[-1])
    new = tree.keep_both(line[1])
    assert line[0].children == [line[1], new] and tree.current is new
    assert all(node.is_recorded and node.effects is not None for node in line[1:])
    assert [node.answer_text for node in new.subtree()] == [node.answer_text for node in line[1:]]
    assert tree.last_fitting_node(new.onward()[-1]) is new.onward()[-1]
    assert not any(node.has_diverged for node in tree.nodes.values())
    assert line[1].effects is not None and line[1].effects.counters["turns/0"] == "1"
    with pytest.raises(PlayLineError):
        tree.game_at(line[2])


def test_the_replayed_copy_continues_by_the_branch_visited_last() -> None:
    tree, line = played()
    other = tree.answer(line[1], 1, ["blue stone"])
    assert [node.answer_text for node in tree.keep_both(line[1]).onward()] == [other.answer_text]


def test_deleting_a_node_removes_its_branch() -> None:
    tree, line = played()
    assert tree.delete(line[2]) is line[1]
    assert list(tree.nodes.values()) == line[:2] and tree.current is line[1] and line[1].onward() == []
    assert tree.delete(line[0]) is None
    assert tree.roots == [] and tree.current is None


def test_bots_answer() -> None:
    tree, line = played()
    node = tree.answer_by_computer(line[-1], "random")
    assert node.parent is line[-1] and node.seat == 0 and node.keys
    over = tree.answer_by_computer(node, "random")
    assert tree.game_at(over).over
    with pytest.raises(PlayLineError):
        tree.answer_by_computer(over, "random")


def test_a_game_begins_from_a_position() -> None:
    tree = PlayTree(rules())
    arguments = {"phase": "taking", "round": 2, "heap": ["red stone"], "Ada": {"bag": "rest", "turns": 4}}
    node = tree.start_game(GameStart(("Ada", "Ben"), (None, None), {}, 1, arguments))
    game = tree.game_at(node)
    assert game.view(0).round == 2 and game.view(0).zone("bag", 0).count == 5
    assert node.effects is not None and node.effects.counters == {"turns/0": "4"}
    with pytest.raises(PlayLineError, match="pebble"):
        tree.start_game(GameStart(("Ada", "Ben"), (None, None), {}, 1, {"phase": "taking", "heap": ["pebble"]}))
    with pytest.raises(PlayLineError):
        tree.start_game(GameStart(("Ada",), (None,), {}))


def test_lines_are_kept_on_disk(tmp_path: Path) -> None:
    tree, line = played()
    tree.answer(line[1], 1, ["blue stone"])
    tree.set_title(line[2], "  a  greedy start ")
    tree.start_game(
        GameStart(
            ("Ada", "Ben"), (None, None), {}, 3, {"phase": "taking", "heap": ["red stone"], "Ben": {"bag": "rest"}}
        )
    )
    tree.visit(line[3])
    saved_lines.save(tree, tmp_path / "lines" / "stones.json")
    result = saved_lines.load(tmp_path / "lines" / "stones.json", rules(("step: 1", "step: 2")))
    assert result.nodes.keys() == tree.nodes.keys()
    assert result.current is not None and result.current.number == line[3].number
    assert result.node(line[2].number).title == "a greedy start"
    assert result.next_number == tree.next_number
    result.game_at(result.node(line[4].number))
    assert [node.number for node in result.nodes.values() if node.has_diverged] == [line[1].number]
    assert result.node(line[1].number).onward()[0].number == line[2].number


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"lines": 2, "at": 0, "nodes": []}', '{"lines": 1, "at": 0, "nodes": [{}]}']
)
def test_an_invalid_file_is_moved_aside(tmp_path: Path, text: str) -> None:
    path = tmp_path / "stones.json"
    path.write_text(text)
    assert saved_lines.load(path, rules()).nodes == {}
    assert (tmp_path / "stones.unread").read_text() == text


def test_a_temporarily_unreadable_file_is_kept(tmp_path: Path) -> None:
    """The file would be overwritten."""
    (tmp_path / "stones.json").mkdir()
    with pytest.raises(BenchError):
        saved_lines.load(tmp_path / "stones.json", rules())


def test_a_file_that_is_too_large_is_moved_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_lines, "MAX_BYTES", 10)
    path = tmp_path / "stones.json"
    path.write_text("x" * 20, encoding="utf-8")
    assert not saved_lines.load(path, rules()).nodes
    assert path.with_suffix(".unread").read_text(encoding="utf-8") == "x" * 20


def test_too_deeply_nested_positions_are_refused(tmp_path: Path) -> None:
    deep = '{"a": ' * 900 + "1" + "}" * 900
    path = tmp_path / "stones.json"
    path.write_text(
        '{"lines": 1, "at": 1, "nodes": [{"number": 1, "begun": {"seats": ["Ada", "Ben"], "roles": [null, null],'
        f' "options": {{}}, "seed": 1, "given": {deep}}}}}]}}',
        encoding="utf-8",
    )
    tree = saved_lines.load(path, rules())
    with pytest.raises(PlayLineError):
        tree.game_at(tree.node(1))


def test_nodes_without_a_parent_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "stones.json"
    path.write_text(
        '{"lines": 1, "at": 9, "nodes": [{"number": 2, "of": 7, "seat": 0, "keys": ["red stone"]},'
        ' {"number": 1, "begun": {"seats": ["Ada", "Ben"], "roles": [null, null], "options": {"x": "y"}, "seed": 1}},'
        ' {"number": 1, "of": 1}, {"number": 3, "of": 1, "seat": 99, "keys": ["red stone"], "last": 3}]}'
    )
    tree = saved_lines.load(path, rules())
    assert list(tree.nodes) == [1, 3] and tree.current is tree.node(1)
    assert tree.last_fitting_node(tree.node(3)) is tree.node(1)


def test_points_and_questions_are_part_of_the_view() -> None:
    _, line = played()
    previous = line[1].effects
    assert previous is not None
    assert previous.points == {"0": "1"} and previous.zones == {
        "heap//": ("red stone",) * 2 + ("blue stone",) * 3,
        "bag/0/": ("red stone",),
    }
    assert [(one.seat, one.prompt) for one in previous.questions] == [(1, "Which stone do you take?")]
    assert replace(previous) == previous
