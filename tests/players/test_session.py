"""Sessions and saves: after a crash, on a full disk, with a damaged file or a changed edition."""

import json
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright import players
from rulewright.base import resources
from rulewright.base.diagnostics import RulewrightError
from rulewright.game import library
from rulewright.game.choices import AnswerError
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.setup import GameError
from rulewright.i18n.localizer import Localizer
from rulewright.players import saves
from rulewright.players.saves import SaveError
from rulewright.players.seating import Seat, read_seats
from rulewright.players.session import Session

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs links or locks")

EDITION = resources.folder("editions") / "wild-cards" / "2022.yaml"

# Two questions each, answered secretly, again and again.
SEALED = """\
rulewright: 1
title: Sealed
players: 2
counters: {game: {turns: 0}}
phases:
  guess:
    do:
      - all seats at once:
          - choose number from 0 to 3 as guess: {ask: What first?}
          - choose number from 0 to 3 as doubt: {ask: What then?}
      - add 1 to turns
      - if turns is 3: end game
scoring:
  nothing: {points: 0}
ranking: highest score
"""


@cache
def rules() -> Rules:
    return library.load("wild-cards/2022")


@pytest.fixture(autouse=True, scope="module")
def loaded_once() -> Iterator[None]:
    """Loads the shipped edition once for all tests that find it by its name."""
    load, shipped = library.load, rules()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "load", lambda name: shipped if name == shipped.name else load(name))
        yield


def table(text: str = "random,random,random") -> list[Seat]:
    return read_seats(text, rules().edition)


def started(seats: str = "random,random,random", seed: int = 1) -> Session:
    return Session.start(rules(), table(seats), seed=seed)


def play_on(session: Session, answers: int = -1) -> Session:
    """Let the players answer so often, or until the game is over."""
    while answers and session.play_bot():
        answers -= 1
    return session


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# ── players ──


def test_one_seed_gives_one_game() -> None:
    one, same, other = (play_on(started(seed=seed)).game.save() for seed in (1, 1, 2))
    assert one == same
    assert one["answers"] != other["answers"]


@pytest.mark.rotating(2)
def test_a_resumed_game_goes_on_the_same(tmp_path: Path) -> None:
    whole = play_on(started("random,random,leo")).game
    assert whole.over
    session = started("random,random,leo")
    session.save_to(tmp_path / "game.json")
    while not session.game.over:
        play_on(session, 7)
        session = Session.load(tmp_path / "game.json")
    assert session.game.save() == whole.save()
    assert session.game.log.lines(None) == whole.log.lines(None)


def test_bots_answer_before_people() -> None:
    session = started("random,you,Milú")
    question = session.next_decision()
    assert question is not None
    assert {d.seat for d in session.game.decisions()} == {1, 2}
    assert session.person_seats == (1, 2)
    assert [session.answer_count(seat) for seat in range(3)] == [1, 0, 0]
    rather = session.next_decision(preferred=2)
    assert (question.seat, rather and rather.seat) == (1, 2)


def test_undo_counts_back(tmp_path: Path) -> None:
    session = undoable()
    seat = session.person_seats[0]
    before = session.answer_count(seat)
    session.save_to(tmp_path / "game.json")
    session.undo(seat)
    assert session.answer_count(seat) == before - 1
    assert Session.load(tmp_path / "game.json").game.save() == session.game.save()


def test_sealed_answers_can_be_undone_until_they_are_revealed() -> None:
    sealed = library.from_text(SEALED)
    session = Session.start(sealed, read_seats("you,random", sealed.edition), seed=1)
    seat, other = 0, 1
    first = session.next_decision()
    assert first is not None and (first.seat, session.answer_count(other)) == (seat, 2)
    session.answer(seat, ["1"], first.id)
    second = session.next_decision()
    assert second is not None and second.id != first.id
    session.undo(seat)
    assert session.next_decision() == first and session.answer_count(other) == 2, "what others have sealed stays so"
    for question in (first, second):
        session.answer(seat, ["2"], question.id)
    assert session.next_decision() == first and session.answer_count(other) == 4
    with pytest.raises(AnswerError, match="came to light"):
        session.undo(seat)


IN_TURN = """\
rulewright: 1
title: In Turn
players: 2 to 3
counters: {game: {turns: 0}, seat: {said: 0}}
phases:
  say:
    do:
      - each seat:
          - choose number from 0 to 99 as spoken: {ask: What do you say?}
          - set said to spoken
      - add 1 to turns
      - if turns is 9: end game
scoring:
  said: {points: said}
ranking: highest score
"""


SECRETLY = IN_TURN.replace(
    "phases:",
    "words: {token: {coin: {}}}\npieces: {chip: {each: token, starts in: bag}}\n"
    "zones: {bag: {seen by: nobody, shown: no}}\nphases:",
    1,
)


def test_undo_takes_back_answers_of_bots() -> None:
    rules = library.from_text(IN_TURN)
    session = Session.start(rules, read_seats("you,random,random", rules.edition), seed=1)
    question = session.next_decision()
    assert question is not None and not session.game.can_undo(0)
    before = session.game.save()
    session.answer(0, ["7"], question.id)
    assert session.next_decision() is not None
    answered = session.game.history.answer_keys()
    assert [seat for seat, _ in answered] == [0, 1, 2]
    session.undo(0)
    assert session.game.save() == before and session.next_decision() == question
    session.answer(0, ["7"], question.id)
    session.next_decision()
    assert session.game.history.answer_keys() == answered, (
        "who answers the same again sees the same: bots throw no dice anew"
    )
    session.undo(0)
    session.answer(0, ["8"], question.id)
    session.next_decision()
    assert session.game.history.answer_keys()[1:] == answered[1:], "their luck does not depend on what was taken back"


@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize(("kind", "seconds"), [("greedy", 0.3), ("search-400ms", 0.5), ("random", 0.0)])
def test_the_time_of_a_bot_reveals_nothing(
    kind: str, seconds: float, monkeypatch: pytest.MonkeyPatch, *, hidden: bool
) -> None:
    """Hidden things: the time is the same with one answer or twelve, and also for a second answer after an
    undo; elsewhere nobody waits longer than for the answer itself. The test sets the clock."""
    now, duration = [0.0], cycle([0.0, 0.2, 0.05, 0.0] if seconds else [0.0])
    times = cycle([0.2, 0.05])
    choose = players.choose

    def choosing(_: str, game: Game, seat: int, answers: int) -> list[str]:
        now[0] += next(duration)
        return choose("random", game, seat, answers)

    def resting(length: float) -> None:
        now[0] += length

    monkeypatch.setattr("rulewright.players.session.monotonic", lambda: now[0])
    monkeypatch.setattr(players, "choose", choosing)
    rules = library.from_text(SECRETLY if hidden else IN_TURN)
    session = Session.start(rules, read_seats(f"you,{kind},{kind}", rules.edition), seed=1)
    session.wait = resting
    for number in ("7", "8", "7"):
        question = session.next_decision()
        assert question is not None
        session.answer(0, [number], question.id)
        began = now[0]
        session.next_decision()
        expected = 2 * seconds if hidden or not seconds else next(times)
        assert now[0] - began == pytest.approx(expected)
        session.undo(0)


def test_a_bot_is_made_before_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prepare bots while people read: it takes long before the first answer."""
    rules = library.from_text(SECRETLY)
    session = Session.start(rules, read_seats("easy,you", rules.edition), seed=1)
    ready: list[bool] = []

    def choosing(kind: str, game: Game, seat: int, answers: int) -> list[str]:
        ready.append(players.table_kind(kind) in players._table_players[game.machine])
        return ["7"]

    monkeypatch.setattr(players, "choose", choosing)
    session.prepare()
    assert session.play_bot() and ready == [True]


def test_answers_of_other_people_are_not_undone() -> None:
    rules = library.from_text(IN_TURN)
    session = Session.start(rules, read_seats("you,random,Bo", rules.edition), seed=1)
    for seat in (0, 2):
        question = session.next_decision()
        assert question is not None and question.seat == seat
        session.answer(seat, ["7"], question.id)
    session.next_decision()
    assert [session.game.can_undo(seat) for seat in range(3)] == [False, False, True]


def undoable() -> Session:
    """Return a game in which a person may undo an answer."""
    for seed in range(100):
        session = started("you,random,random", seed)
        while (question := session.next_decision()) is not None:
            keys = [choice.key for choice in question.choices for _ in range(choice.count)]
            session.answer(question.seat, keys[: max(question.least, min(1, question.most))], question.id)
            if session.next_decision() is not None and session.game.can_undo(question.seat):
                return session
    raise AssertionError("no game allows to take an answer back")


# ── saving ──


@pytest.mark.rotating(2)
def test_every_answer_is_saved_at_once(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    session = started()
    session.save_to(path)
    saved = []
    while session.play_bot():
        saved.append(len(saves.read(path)["answers"]))
    assert saved == list(range(1, len(saved) + 1))
    assert saves.read(path)["over"] is True


@pytest.mark.parametrize("broken", ["secrets.token_hex", "os.fsync", "os.replace"])
def test_failed_save_leaves_the_last_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    path = tmp_path / "game.json"
    session = started()
    session.save_to(path)
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(broken, full_disk)
        session.play_bot()
        assert str(session.save_error) == f"The game cannot be saved in '{path}': No space left on device."
    assert path.read_bytes() == before
    assert files(tmp_path) == ["game.json"]
    session.play_bot()
    assert session.save_error == ""
    assert len(Session.load(path).game.save()["answers"]) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="rights of POSIX")
def test_saves_are_readable_by_their_owner_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seed would reveal hidden pieces. This holds from the first byte on, and for files of earlier versions."""
    path, rights = tmp_path / "state" / "last.json", list[int]()
    write = os.fsync

    def watched(handle: int) -> None:
        rights.append(stat.S_IMODE(os.fstat(handle).st_mode))
        write(handle)

    monkeypatch.setattr(os, "fsync", watched)
    saves.make_folder(path.parent)
    saves.write(path, {"rulewright": 1, "over": False})
    assert rights[0] == stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    saves.write(path, {"rulewright": 1, "over": False})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    stored = saves.move_unfinished(path)
    assert stored is not None and stat.S_IMODE(stored.stat().st_mode) == 0o600


def test_texts_are_made_for_people_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """No texts are made where only bots play."""
    session = started()
    monkeypatch.setattr(Localizer, "say", None)
    while session.play_bot():
        continue
    assert session.game.over


def full_disk(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_interrupted_save_leaves_the_last_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    saves.write(path, {"rulewright": 1})

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        saves.write(path, {"rulewright": 2})
    assert saves.read(path) == {"rulewright": 1}
    assert files(tmp_path) == ["game.json"]


def test_save_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    for name in ("fsync", "replace"):
        monkeypatch.setattr(os, name, noting(done, name, getattr(os, name)))
    saves.write(tmp_path / "game.json", {})
    assert done[:2] == ["fsync", "replace"]


def noting(done: list[str], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def noted(*arguments: Any) -> Any:
        done.append(name)
        return function(*arguments)

    return noted


@pytest.mark.parametrize("place", ["missing/game.json", "file/game.json", ".", "a" * 300])
def test_a_save_without_a_folder_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SaveError, match="cannot be saved in"):
        started().save_to(tmp_path / place)
    assert files(tmp_path) == ["file"]


@posix_only
def test_link_to_a_save_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "game.json"
    link.symlink_to(tmp_path / "real" / "game.json")
    saves.write(link, {"rulewright": 1})
    assert link.is_symlink()
    assert saves.read(tmp_path / "real" / "game.json") == {"rulewright": 1}


def test_only_finished_games_are_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    saves.check_overwrite(path)
    saves.write(path, started().save_data())
    with pytest.raises(SaveError, match=r"not over.*--resume"):
        saves.check_overwrite(path)
    saves.write(path, play_on(started()).save_data())
    saves.check_overwrite(path)
    path.write_text("a letter to Milú", encoding="utf-8")
    with pytest.raises(SaveError, match="no saved game"):
        saves.check_overwrite(path)


def test_last_game_moves_aside_only_while_it_is_not_over(tmp_path: Path) -> None:
    path = tmp_path / "last.json"
    assert saves.move_unfinished(path) is None
    saves.write(path, {"rulewright": 1, "over": True})
    assert saves.move_unfinished(path) is None
    saves.write(path, {"rulewright": 1, "over": False})
    assert saves.move_unfinished(path) == tmp_path / "previous.json"
    assert files(tmp_path) == ["previous.json"]


@posix_only
def test_one_game_is_played_at_one_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = saves.last_file()
    path.parent.mkdir()
    with saves.SaveLocks() as mine, saves.SaveLocks() as yours:
        assert mine.lock(path)
        assert mine.lock(path)
        assert not yours.lock(path)
        assert yours.lock(path.with_name("other.json"))
        assert yours.lock(tmp_path / "elsewhere.json")
    with saves.SaveLocks() as later:
        assert later.lock(path)
    assert files(tmp_path) == ["rulewright"]


@posix_only
def test_games_in_files_are_played_without_a_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    with saves.SaveLocks() as locks:
        assert locks.lock(tmp_path / "game.json")
    assert files(tmp_path) == []


@posix_only
def test_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", "not/absolute")
    assert saves.state_folder() == tmp_path / ".local" / "state" / "rulewright"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert saves.last_file() == tmp_path / "state" / "rulewright" / "last.json"


# ── loading ──


@cache
def save_text() -> str:
    return json.dumps(play_on(started("random,you,Milú:random,leo"), 3).save_data())


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(b"", "only a part", id="empty"),
        pytest.param(b"\xff\xfe\x00", "only a part", id="no text"),
        pytest.param(b"[1, 2]", "not a saved game", id="other JSON"),
        pytest.param(b'{"rulewright": 2}', "not a saved game", id="later format"),
        pytest.param(b"[" * 100_000, "only a part", id="deep"),
        pytest.param(b'{"a":' * 100_000, "only a part", id="deep objects"),
        pytest.param(b'{"rulewright": 1, "seed": Infinity}', "only a part", id="no number"),
        pytest.param(b'{"rulewright": 1, "seed": 1e999}', "only a part", id="fraction"),
        pytest.param(b'{"rulewright": 1, "seed": ' + b"9" * 10_000 + b"}", "only a part", id="long number"),
        pytest.param(b" " * (saves.MAX_SAVE_BYTES + 1), "too large", id="large"),
        pytest.param(b'{"rulewright": 1, "edition": {}}', "damaged", id="nothing in it"),
    ],
)
def test_foreign_files_are_refused_and_left_alone(tmp_path: Path, content: bytes, expected: str) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(RulewrightError, match=expected) as raised:
        Session.load(path)
    assert len(str(raised.value)) < 400
    assert path.read_bytes() == content
    assert files(tmp_path) == ["game.json"]


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.7, 0.9, 0.999])
def test_truncated_saves_are_refused(tmp_path: Path, share: float) -> None:
    path = tmp_path / "game.json"
    path.write_text(save_text()[: int(len(save_text()) * share)], encoding="utf-8")
    with pytest.raises(SaveError, match="only a part"):
        Session.load(path)


def test_missing_file_folder_and_pipe(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="no file"):
        Session.load(tmp_path / "game.json")
    with pytest.raises(SaveError, match="cannot be read"):
        Session.load(tmp_path)
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(SaveError, match="not a file"):
            Session.load(tmp_path / "pipe")


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value of a JSON document."""
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


@given(st.data())
def test_no_damage_shows_a_traceback(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    save = json.loads(save_text())
    place = data.draw(st.sampled_from([path for path in places(save) if path]))
    scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
    odd = data.draw(scalars | st.lists(scalars, max_size=2) | st.dictionaries(st.text(max_size=3), scalars, max_size=2))
    owner = save
    for key in place[:-1]:
        owner = owner[key]
    owner[place[-1]] = odd
    path = tmp_path_factory.mktemp("damaged") / "game.json"
    path.write_text(json.dumps(save), encoding="utf-8")
    try:
        loaded = Session.load(path)
    except RulewrightError as error:
        assert str(error)
    else:
        play_on(loaded, 1)


@pytest.mark.parametrize("kinds", ["random", ["random"], ["person", "random", "oracle", "random"], [{}] * 4])
def test_players_of_a_save(tmp_path: Path, kinds: Any) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps({**json.loads(save_text()), "players": kinds}), encoding="utf-8")
    with pytest.raises(RulewrightError, match=r"who plays|does not know"):
        Session.load(path)


def test_save_of_the_game_alone_has_persons_at_its_seats(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(started("random,random,leo").game.save()), encoding="utf-8")
    assert Session.load(path).person_seats == (0, 1)


# ── editions given by their file ──


@pytest.fixture
def own_edition(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    shutil.copy(EDITION, path)
    return path


@pytest.fixture
def own_save(own_edition: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A save of a game whose edition was given by a relative path."""
    monkeypatch.chdir(own_edition.parent)
    session = Session.start(library.load("mine.yaml"), table(), seed=1, file=Path("mine.yaml").absolute())
    session.save_to(own_edition.with_name("game.json"))
    monkeypatch.chdir("/")
    return own_edition.with_name("game.json")


@pytest.mark.rotating(5)
def test_edition_is_found_again_from_elsewhere(own_save: Path) -> None:
    session = Session.load(own_save)
    assert session.file == own_save.with_name("mine.yaml")
    session.play_bot()
    assert len(Session.load(own_save).game.save()["answers"]) == 1


@pytest.mark.rotating(3)
def test_comments_do_not_change_an_edition(own_edition: Path, own_save: Path) -> None:
    own_edition.write_text("# mine\n" + own_edition.read_text(encoding="utf-8"), encoding="utf-8")
    assert Session.load(own_save).game.names


EDITS = pytest.mark.parametrize(
    ("change", "refused"),
    [
        pytest.param(lambda text: text.replace("cards dealt: 7", "cards dealt: 6"), "has changed since", id="changed"),
        pytest.param(lambda text: text.replace("players:", "plyers:"), "has errors now", id="wrong"),
        pytest.param(None, "not there", id="gone"),
    ],
)


def edit(edition: Path, change: Callable[[str], str] | None) -> None:
    if change is None:
        edition.unlink()
    else:
        edition.write_text(change(edition.read_text(encoding="utf-8")), encoding="utf-8")


@pytest.mark.rotating(6)
@EDITS
def test_a_game_goes_on_by_the_rules_that_it_was_saved_with(
    own_edition: Path, own_save: Path, change: Callable[[str], str] | None, refused: str
) -> None:
    before = Session.load(own_save)
    assert before.notices() == []
    edit(own_edition, change)
    session = Session.load(own_save)
    assert [str(notice) for notice in session.notices()] == [
        "The edition of this game has changed since, or is gone. The game goes on by the rules that it was saved with."
    ]
    assert session.game.view(None) == before.game.view(None)
    while not session.game.over:
        session.play_bot()
        before.play_bot()
    assert session.game.standings() == before.game.standings()
    session.save_to(own_save)
    assert Session.load(own_save).game.standings() == before.game.standings()


@EDITS
def test_a_save_without_rules_needs_its_edition(
    own_edition: Path, own_save: Path, change: Callable[[str], str] | None, refused: str
) -> None:
    """Earlier versions wrote such files; they are left alone."""
    save = json.loads(own_save.read_text(encoding="utf-8"))
    del save["edition"]["rules"]
    own_save.write_text(json.dumps(save), encoding="utf-8")
    edit(own_edition, change)
    with pytest.raises(RulewrightError, match=refused):
        Session.load(own_save)
    assert json.loads(own_save.read_text(encoding="utf-8")) == save


@pytest.mark.rotating(3)
@pytest.mark.parametrize(
    ("rules", "text"),
    [
        ("rulewright: 1\ntitle: [", "cannot be played"),
        ("rulewright: 1\ntitle: Other\nplayers: 2\nphases: {play: {do: [shuffle nothing]}}", "cannot be played"),
        ("rulewright: 1\ntitle: Other\nplayers: 9\nphases: {play: {do: [end game]}}", "for 9 players"),
        ("x" * 3_000_000, "incomplete or damaged"),
        (["rulewright: 1"], "incomplete or damaged"),
    ],
)
def test_rules_in_a_save_are_checked_like_any(own_edition: Path, own_save: Path, rules: Any, text: str) -> None:
    save = json.loads(own_save.read_text(encoding="utf-8"))
    save["edition"] |= {"rules": rules, "hash": "0", "plays": "0"}
    own_save.write_text(json.dumps(save), encoding="utf-8")
    with pytest.raises(RulewrightError, match=text) as refused:
        Session.load(own_save)
    assert len(str(refused.value)) < 2000


def test_a_changed_answer_is_noticed(tmp_path: Path) -> None:
    save = json.loads(save_text())
    save["answers"][0]["take"] = ["a joke"]
    (tmp_path / "game.json").write_text(json.dumps(save), encoding="utf-8")
    with pytest.raises(GameError, match="answer 1 of 2"):
        Session.load(tmp_path / "game.json")


STOPPING = """\
rulewright: 1
title: Stopping
players: 2
pieces: {card: {has: {value: 1 to 5}, starts in: deck, noun: "{value}"}}
zones: {deck: {seen by: all}, hand: {of: seat, seen by: all}}
counters: {game: {pot: 0}}
phases: {play: {do: [each seat: [choose 1 from deck into hand], set pot to deck's value, end game]}}
"""


@pytest.mark.parametrize(
    "setup, location",
    [
        ("", "in round 1, after 2 answers."),
        ("setup: {do: [set pot to deck's value]}\n", "before the first round, after"),
    ],
)
def test_game_whose_rules_stop_says_where_and_with_which_seed(setup: str, location: str) -> None:
    rules = library.from_text(STOPPING + setup)
    with pytest.raises(RulewrightError) as stopped:
        play_on(Session.start(rules, table("random,random"), seed=3))
    assert "The game (seed 3) cannot be played to its end: it stops " + location in str(stopped.value)
    assert "exactly one card here, but there are several" in str(stopped.value)
