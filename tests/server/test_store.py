"""One contract, two databases: whatever a server does with the log, both give the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

import pytest

import databases
from game_servers import guessing
from rulewright.game import library
from rulewright.players.seating import Seat
from rulewright.server import tokens
from rulewright.server.edition_registry import playable_edition
from rulewright.server.storage.commit_queue import run_batch
from rulewright.server.storage.database import BrokenLogError, StoreError, TakenError
from rulewright.server.storage.records import Deadline, LoggedAnswer, PinnedEdition, Rematch, TokenGrant
from rulewright.server.storage.store import Store

pytestmark = pytest.mark.usefixtures("database")
SEATS = [Seat("Ann", "person"), Seat("", "person"), Seat("Bot", "random", "leader")]
ODD = "Zoë \u202e' OR 1=1; -- ? %s {} \\ \U0001f469\u200d\U0001f467"
"""Names that one of the databases would interpret."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(databases.location(tmp_path))) as store:
        yield store


def table(store: Store, folder: Path, *entrances: str, after: tuple[int, Sequence[int]] | None = None) -> int:
    """entrances: tokens of the first seat."""
    pinned = playable_edition(library.load(guessing(folder))).pinned
    return store.create(pinned, "hash", SEATS, {"quick": ODD}, 2**64, dict.fromkeys(entrances, (tokens.SEAT, 0)), after)


def everything(store: Store) -> dict[str, list[tuple[object, ...]]]:
    names = ("editions", "games", "tokens", "people", "answers", "rematches", "settings", "deadlines", "messages")
    return {name: sorted(store.database.execute(f"SELECT * FROM {name}"), key=repr) for name in names}


def test_a_table_is_read_as_it_was_stored(store: Store, tmp_path: Path) -> None:
    before = store.now()
    first, second = table(store, tmp_path, "one", "two"), table(store, tmp_path)
    result = store.record(first)
    assert (result.id, result.hash, result.seed, result.options, list(result.seats)) == (
        first, "hash", 2**64, {"quick": ODD}, SEATS,
    )  # fmt: skip
    assert (store.grant("one"), store.grant("One")) == (TokenGrant(first, tokens.SEAT, 0), None)
    pinned = store.edition(result.edition)
    assert pinned == playable_edition(library.load(guessing(tmp_path))).pinned and store.edition("") is None
    assert pinned is not None
    (late, start), (early, _) = store.games(pinned.name, 5)
    assert (late, early, store.games(pinned.name, 1)) == (second, first, [(second, start)])
    assert abs(datetime.fromisoformat(start).timestamp() - before) < 3600
    assert store.count() == 2 and store.games("another", 5) == []


def test_an_edition_is_stored_once_per_version(store: Store, tmp_path: Path) -> None:
    table(store, tmp_path)
    other = PinnedEdition.from_text("guessing", ["base", ODD], f"text: {ODD}\n" * 1000)
    store.create(other, "hash", SEATS, {}, 0, {})
    store.create(other, "hash", SEATS, {}, 0, {})
    assert store.edition(other.digest) == other
    assert len(everything(store)["editions"]) == 2


def test_answers_stand_in_their_order_and_each_number_once(store: Store, tmp_path: Path) -> None:
    game, other = table(store, tmp_path), table(store, tmp_path)
    rows = [LoggedAnswer(number % 3, ODD, (ODD, str(number))) for number in range(12)]
    rows[5] = LoggedAnswer(1, "undo 3", None)
    rows[6] = LoggedAnswer(1, "none", ())
    for number, row in enumerate(rows):
        store.answer(game, number, row)
    assert (store.answers(game), store.answers(game, 9), store.answers(game, 12)) == (rows, rows[9:], [])
    assert (store.length(game), store.length(other), store.answers(other)) == (12, 0, [])
    before = everything(store)
    for number in (0, 11, 13):
        with pytest.raises(TakenError):
            store.answer(game, number, rows[0])
    with pytest.raises(TakenError):
        store.answer(other + 1, 0, rows[0])
    assert everything(store) == before


def test_seats_are_taken_once_by_people_or_the_computer(store: Store, tmp_path: Path) -> None:
    game = table(store, tmp_path, "ann")
    store.sit(game, 1, ODD, "odd")
    before = everything(store)
    filled = [*SEATS[:1], Seat("Bot 2", "random"), SEATS[2]]
    with pytest.raises(TakenError):
        store.sit(game, 1, "Cy", "cy")
    with pytest.raises(TakenError):
        store.sit(game, 0, "Cy", "ann")
    with pytest.raises(TakenError):
        store.fill(game, filled, [1])
    assert everything(store) == before, "all or nothing"
    assert store.people(game) == {1: ODD} and store.grant("cy") is None
    empty = table(store, tmp_path)
    store.fill(empty, filled, [1])
    assert list(store.record(empty).seats) == filled and store.people(empty) == {1: "Bot 2"}


def test_settings_deadlines_and_messages(store: Store, tmp_path: Path) -> None:
    game, other = table(store, tmp_path), table(store, tmp_path)
    for settings in ({"chat": "off", "clock": "60"}, {"chat": ODD}, {}):
        store.put_settings(game, settings)
    assert (store.settings(game), store.settings(other)) == ({"chat": ODD, "clock": "60"}, {})
    assert store.next_deadline() is None
    late, soon = Deadline(3, 1_800_000_000.123456, 12.5), Deadline(4, 1_700_000_000.75, 0.0)
    for number, deadline in ((game, soon), (game, late), (other, soon)):
        store.put_deadline(number, deadline)
    assert (store.deadline(game), store.next_deadline()) == (late, (other, soon.at))
    store.put_deadline(other, None)
    assert (store.deadline(other), store.next_deadline()) == (None, (game, late.at))
    text = [(0, 1_700_000_000 + number, f"{ODD} {number}", "") for number in range(5)] + [(1, 0, "", "luck")]
    assert [store.say(game, one, 3) for one in text] == list(range(6))
    assert store.messages(game) == dict(list(enumerate(text))[3:]) and store.messages(other) == {}


def test_links_can_be_revoked(store: Store, tmp_path: Path) -> None:
    game, other = table(store, tmp_path, "a", "b"), table(store, tmp_path, "c")
    store.share(game, "watch")
    store.share(game, "watch", tokens.REPLAY)
    assert store.grant("watch") == TokenGrant(game, tokens.WATCH, None)
    assert sorted(store.replace(game, 0, "new")) == sorted(map(tokens.digest, "ab"))
    assert [store.grant(one) for one in ("a", "b")] == [None, None]
    assert store.grant("new") == TokenGrant(game, tokens.SEAT, 0) and store.grant("c") is not None
    with pytest.raises(TakenError):
        store.replace(game, 0, "c")
    assert store.grant("new") is not None, "nothing has changed"
    assert store.table_log(game).links == {tokens.digest("new")} and other != game


def test_deadlines_are_no_further_away_than_the_clock_gives(store: Store, tmp_path: Path) -> None:
    """The clock was ahead when they were set."""
    ahead, fine, none = (table(store, tmp_path) for _ in range(3))
    for game, each in ((ahead, "60"), (fine, "3600")):
        store.put_settings(game, {"clock": each})
    now = store.now()
    for game, index in ((ahead, now + 40 * 86_400), (fine, now + 3000), (none, now + 10**9)):
        store.put_deadline(game, Deadline(3, index, 20.0))
    assert store.shorten_deadlines() == [ahead]
    deadline = store.deadline(ahead)
    assert deadline is not None and now + 60 <= deadline.at <= store.now() + 60
    assert (deadline.moment, deadline.spare) == (3, 20.0)
    assert store.deadline(fine) == Deadline(3, now + 3000, 20.0)
    assert store.shorten_deadlines() == []


def test_one_table_follows_another(store: Store, tmp_path: Path) -> None:
    game = table(store, tmp_path)
    store.sit(game, 1, "Bo", "bo")
    following = table(store, tmp_path, after=(game, [2, 0, 1]))
    assert store.rematch(game) == Rematch(following, (2, 0, 1), "Ann") and store.rematch(following) is None
    assert (store.awaited(following), store.awaited(game)) == ({0: "Bot", 1: "Ann", 2: "Bo"}, {})
    before = everything(store)
    with pytest.raises(TakenError):
        table(store, tmp_path, "token", after=(game, [0, 1, 2]))
    assert everything(store) == before and store.count() == 2


def test_a_table_is_loaded_whole(store: Store, tmp_path: Path) -> None:
    game = table(store, tmp_path, "ann")
    store.sit(game, 1, "Bo", "bo")
    store.answer(game, 0, LoggedAnswer(0, "x", ("a",)))
    store.say(game, (1, 5, "Hello", ""), 50)
    store.put_settings(game, {"clock": "60"})
    store.put_deadline(game, Deadline(0, 1.5, 60.0))
    result = store.table_log(game)
    assert (result.record, result.people, result.rows) == (store.record(game), {1: "Bo"}, store.answers(game))
    assert (result.settings, result.deadline) == ({"clock": "60"}, Deadline(0, 1.5, 60.0))
    assert (result.messages, result.rematch, result.awaited) == ({0: (1, 5, "Hello", "")}, None, {})
    assert result.links == {tokens.digest("ann"), tokens.digest("bo")}
    with pytest.raises(BrokenLogError):
        store.table_log(game + 1)


def test_a_failing_batch_is_repeated_singly(store: Store, tmp_path: Path) -> None:
    """Somebody else's fault costs nobody an answer; and what a work began before it failed is undone."""
    game = table(store, tmp_path, "ann")

    def half(store: Store) -> None:
        with store.writing():
            store.put_settings(game, {"half": "done"})
            raise ZeroDivisionError

    def add(number: int) -> Callable[[Store], None]:
        return lambda store: store.answer(game, number, LoggedAnswer(0, "x", (str(number),)))

    ends = run_batch(store, [add(0), add(0), add(1), lambda store: store.sit(game, 0, "Cy", "ann"), Store.count])
    assert [type(error) for _, error in ends] == [type(None), TakenError, type(None), TakenError, type(None)]
    assert ends[-1][0] == 1
    ends = run_batch(store, [add(2), half, add(3)])
    assert [type(error) for _, error in ends] == [type(None), ZeroDivisionError, type(None)]
    assert store.length(game) == 4 and store.settings(game) == {}


def test_a_reopened_store_has_its_records(tmp_path: Path) -> None:
    with closing(Store(databases.location(tmp_path))) as store:
        game = table(store, tmp_path, "ann")
        store.answer(game, 0, LoggedAnswer(0, "x", ("a",)))
        before = everything(store)
    with closing(Store(databases.location(tmp_path))) as store:
        assert everything(store) == before
        assert table(store, tmp_path) > game
        store.check_readable()


def test_a_lease_is_taken_and_released(store: Store) -> None:
    assert store.take_lease(1) and store.take_lease(1) and store.take_lease(2)
    store.release_lease(1)
    store.release_lease(1)
    assert store.take_lease(1)


def test_invalid_text_is_at_most_an_error(store: Store, tmp_path: Path) -> None:
    """No page can say such a thing, and if one could, nobody else would suffer."""
    for name in ("a\0b", "\ud800"):
        game = table(store, tmp_path)
        with suppress(StoreError, UnicodeError):
            store.sit(game, 1, name, name[0])
        assert store.people(game) in ({}, {1: name})
    assert store.count() == 2
