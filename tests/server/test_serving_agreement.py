"""Proposals at a table: draws by agreement, moves taken back by consent, games called off, and attacks on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from game_servers import Reader, begin, guessing, local_player, reading, server
from project_folders import GAMES
from rulewright.game import library
from rulewright.game.draws import can_be_drawn
from rulewright.game.game import Game
from rulewright.server.storage.records import LoggedAnswer
from rulewright.server.tables import log_rows
from rulewright.server.tables.proposals import PastProposal, proposals_after
from rulewright.syntax import sentences

ROW = str(GAMES / "four-in-a-row.yaml")
ROBOT = {"player": "random"}


@contextmanager
def two_people(folder: Path, edition: str = ROW) -> Iterator[tuple[Reader, Reader, dict[str, Any]]]:
    with ExitStack() as stack:
        client = stack.enter_context(server(folder, [edition]))
        links = begin(client, local_player("Ann"), local_player("Bo"))
        ann, bo = (stack.enter_context(reading(client, token)) for token in links["seats"])
        yield ann, bo, links


def move(reader: Reader) -> str:
    """Answer with the first choice; return its key."""
    key = str(reader.question()["choices"][0]["key"])
    assert reader.answer(key)["type"] == "kept"
    return key


def proposal(reader: Reader) -> dict[str, Any]:
    result: dict[str, Any] = reader.look(lambda state: state["proposal"])["proposal"]
    return result


def agree(reader: Reader, agrees: bool = True) -> None:
    reader.send(type="agree", number=proposal(reader)["number"], agrees=agrees)


@pytest.mark.usefixtures("database")
def test_rules_with_points_are_not_read_for_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    edition = library.load("classics/hearts").edition
    monkeypatch.setattr(sentences, "keys", lambda _: pytest.fail("a table is waited for that long"))
    assert not can_be_drawn(edition)


def test_a_draw_by_agreement_is_a_draw_everywhere(tmp_path: Path) -> None:
    with two_people(tmp_path) as (ann, bo, links):
        move(ann)
        assert "draw" in ann.look(lambda state: state["may"])["may"]
        ann.send(type="propose", what="draw")
        assert proposal(bo) == {"number": 1, "seat": 0, "what": "draw", "asked": [1]}
        agree(bo)
        state = ann.look(lambda state: state["over"])
        assert state["result"] == "A draw by agreement." and state["may"] == []
        assert [(placed["seat"], placed["rank"]) for placed in state["standings"]] == [(0, 1), (1, 1)]
        ann.send(type="save")
        save = ann.until("save")["save"]
    again = Game.load(save, library.load(ROW))
    assert again.over and [one.rank for one in again.standings()] == [1, 1] and again.save()["ended"] == "draw"
    with server(tmp_path, []) as later, reading(later, links["seats"][1]) as bo:
        assert bo.look(lambda state: state["over"])["result"] == "A draw by agreement."


@pytest.mark.usefixtures("database")
def test_a_move_is_taken_back_when_the_other_agrees_also_after_a_restart(tmp_path: Path) -> None:
    with two_people(tmp_path) as (ann, bo, links):
        first = move(ann)
        move(bo)
        assert "undo" in ann.look(lambda state: "undo" in state["may"])["may"]
        ann.send(type="propose", what="undo")
        proposal(bo)
    with ExitStack() as stack:
        later = stack.enter_context(server(tmp_path, [ROW]))
        ann, bo = (stack.enter_context(reading(later, token)) for token in links["seats"])
        agree(bo)
        state = ann.look(lambda state: state["asked"] and not state["proposal"])
        assert first in [choice["key"] for choice in state["asked"]["choices"]]
        assert bo.look(lambda state: state["waiting"] == [0] and state["steps"] == 1)


@pytest.mark.rotating(3)
def test_a_proposal_lapses_when_the_other_answers_and_is_not_repeated(tmp_path: Path) -> None:
    with two_people(tmp_path) as (ann, bo, _):
        move(ann)
        ann.look(lambda state: "draw" in state["may"])
        ann.send(type="propose", what="draw")
        number = proposal(bo)["number"]
        assert "proposed now" in bo.refused(type="propose", what="draw"), "one at a time"
        proposal(ann)
        move(bo)
        assert ann.look(lambda state: not state["proposal"])["may"] == ["undo"], "a draw only after ten answers"
        assert "not proposed" in bo.refused(type="agree", number=number, agrees=True)
        ann.send(type="propose", what="undo")
        proposal(ann)
        agree(bo, agrees=False)
        assert ann.look(lambda state: not state["proposal"] and "undo" not in state["may"])
        assert "proposed now" in ann.refused(type="propose", what="undo")


def test_everybody_reads_who_has_declined_a_draw_also_after_a_restart(tmp_path: Path) -> None:
    with two_people(tmp_path) as (ann, bo, links):
        move(ann)
        ann.look(lambda state: "draw" in state["may"])
        ann.send(type="propose", what="draw")
        agree(bo, agrees=False)
        ann.look(lambda state: state.get("proposed") == [{"seat": 0, "what": "draw", "reply": "refuse", "replier": 1}])
    with server(tmp_path, [ROW]) as later, reading(later, links["seats"][1]) as bo:
        assert bo.look(lambda state: state.get("proposed"))["proposed"][0]["reply"] == "refuse"


def test_replies_stay_with_what_was_proposed() -> None:
    answer, undone = LoggedAnswer(0, "move", ("a",)), log_rows.undo(1, 1)
    offer, request = LoggedAnswer(0, "propose draw 1", None), LoggedAnswer(1, "propose undo 1", None)
    agrees, refuses, withdraws = (LoggedAnswer(*one, None) for one in ((0, "agree"), (1, "refuse"), (0, "refuse")))
    past = proposals_after([answer, offer, refuses, offer, withdraws, request, agrees, undone, request, answer]).past
    assert past == (
        PastProposal(0, "draw", "refuse", 1),
        PastProposal(0, "draw", "refuse", 0),
        PastProposal(1, "undo", "agree", 0),
        PastProposal(1, "undo"),
    )


@pytest.mark.rotating(3)
def test_nobody_proposes_or_agrees_for_somebody_else(tmp_path: Path) -> None:
    with ExitStack() as stack:
        client = stack.enter_context(server(tmp_path, [ROW]))
        links = begin(client, local_player("Ann"), local_player("Bo"))
        host, ann, bo = (stack.enter_context(reading(client, token)) for token in (links["host"], *links["seats"]))
        move(ann)
        assert "does not allow" in host.refused(type="propose", what="draw")
        ann.send(type="propose", what="draw")
        number = proposal(ann)["number"]
        assert "not proposed" in ann.refused(type="agree", number=number, agrees=True), "not one's own"
        assert "not proposed" in bo.refused(type="agree", number=number + 1, agrees=True)
        proposal(bo)
        agree(ann, agrees=False)
        bo.look(lambda state: state["proposal"] is None and "draw" in state["may"])
        bo.send(type="concede")
        assert ann.look(lambda state: state["over"])["may"] == []
        assert "too late" in ann.refused(type="propose", what="draw")


@pytest.mark.rotating(3)
def test_proposals_and_undo_lapse_at_the_end(tmp_path: Path) -> None:
    with two_people(tmp_path) as (ann, bo, _):
        move(ann)
        ann.look(lambda state: "draw" in state["may"])
        ann.send(type="propose", what="draw")
        number = proposal(bo)["number"]
        ann.send(type="concede")
        state = bo.look(lambda state: state["over"])
        assert (state["proposal"], state["may"], state["undo"]) == (None, [], False)
        assert "not proposed" in bo.refused(type="agree", number=number, agrees=True)
        assert "too late" in ann.refused(type="propose", what="undo")
        assert "taken back" in ann.refused(type="undo")
        assert ann.look(lambda state: state["over"])["undo"] is False


@pytest.mark.rotating(3)
def test_a_game_is_called_off_before_anybody_has_really_begun(tmp_path: Path) -> None:
    with two_people(tmp_path) as (ann, bo, _):
        move(ann)
        assert "abort" in bo.look(lambda state: "abort" in state["may"])["may"]
        bo.send(type="propose", what="abort")
        state = ann.look(lambda state: state["over"])
        assert (state["result"], state["standings"]) == ("The game was called off.", [])


@pytest.mark.rotating(3)
def test_what_has_revealed_something_is_never_taken_back(tmp_path: Path) -> None:
    with two_people(tmp_path, guessing(tmp_path)) as (ann, bo, _):
        for reader in (ann, bo):
            for key in ("1", "2"):
                reader.answer(key)
        assert ann.look(lambda state: state["counters"]["turns"] == "1")["may"] == []
        assert "proposed now" in ann.refused(type="propose", what="undo")
        assert "proposed now" in bo.refused(type="propose", what="draw"), "these rules know no draw"


@pytest.mark.rotating(3)
def test_the_computer_refuses_a_draw(tmp_path: Path) -> None:
    with server(tmp_path, [ROW]) as client:
        links = begin(client, local_player("Ann"), ROBOT)
        with reading(client, links["seats"][0]) as ann:
            ann.look(lambda state: "draw" in state["may"])
            ann.send(type="propose", what="draw")
            assert not ann.look(lambda state: "draw" not in state["may"])["over"]


def test_rules_that_always_name_a_winner_know_no_draw() -> None:
    """Hex ends only where somebody has won; in chess the end may come without."""
    known = {
        name: can_be_drawn(library.load(f"classics/{name}").edition) for name in ("hex", "chess", "go", "checkers")
    }
    assert known == {"hex": False, "chess": True, "go": False, "checkers": True}
