"""Warnings of `check` beyond the examples of spec/DIAGNOSTICS.md, and what must give none."""

from __future__ import annotations

from pathlib import Path

import pytest

from documents import as_text, base, merged
from lint_example import lay, warned
from rulewright.authoring.edition_check import examine
from rulewright.game import library
from rulewright.model.editions import PICTURES

CHARMS = "pieces: {charm: {each: colour, starts in: deck, power in: street, noun: '{colour} charm'}}"


QUIET = {
    "names of one script each": [
        "counters: {seat: {\u043f\u043e\u0442: 0, gr\u00f6\u00dfe: 0}}",
        lay("add 1 to \u043f\u043e\u0442", "add 1 to gr\u00f6\u00dfe"),
    ],
    "a value in a text": ["values: {seat: {bonus: 3}}", "setup: {text: 'You get {bonus}.'}"],
    "hidden cards in a line before they are shown": [lay('log: "{top 1 of deck}"', "move top 1 of deck to street")],
    "a value in a limit": ["values: {seat: {room: 3}}", "zones: {hand: {at most: room}}"],
    "a counter in the ranking": ["counters: {seat: {nights: 0}}", "ranking: highest score, lowest nights"],
    "a counter in a scoring line": ["counters: {seat: {nights: 0}}", "scoring: {nights: {points: nights}}"],
    "a term in a change": ["terms: {seat: {extra: 3}}", "options: {long: {change: {hand size: extra}}}"],
    "a term in a question of a hook": [
        "terms: {seat: {extra: 3}}",
        "options: {long: {may after lay: {ask: 'Take {extra}?', do: add 1 to coins}}}",
    ],
    "a term in a branch": [
        "terms: {seat: {rich: coins is 3}}",
        lay("choose one: {ask: x, among: {a: {if: rich, do: add 1 to coins}, b: {do: []}}}"),
    ],
    "a loop that ends in its middle": [lay("repeat while coins is 0: [if hand is empty: end loop]")],
    "a loop that ends with its step": [lay("repeat while coins is 0: [if hand is empty: end step]")],
    "a plural": ["counters: {seat: {lamp: 0}}", lay("add 1 to lamps")],
    "a zone that only refills": ["zones: {heap: {seen by: all, pile: yes}, deck: {refills from: heap}}"],
    "words that type a parameter": [
        "words: {mood: {gloomy: {}, merry: {}}}",
        "terms: {seat: {mark: {for: {kind: mood}, is: 3}}}",
        lay("add mark for merry to coins"),
    ],
    "rounds until somebody's value is so much": [
        "values: {seat: {patience: 2}}",
        lay("go round seats until patience is 3: add 1 to coins"),
    ],
    "an option in a condition": ["options: {late: {text: x}}", lay("if late: add 1 to coins")],
    "a power in a condition": [
        CHARMS,
        "powers: {red: {text: x}}",
        lay("if any charm in street has (colour is red): add 1 to coins", "move first 1 of charms in deck to street"),
    ],
    "choices of which one is the usual": [
        "options: {deal: {choices: {few: {text: x, change: {hand size: 1}}, many: {text: y, change: {hand size: 2}}}}}"
    ],
    "a role that sets back": [
        "options: {long: {change: {hand size: 2}}}",
        "roles: {robot: {joins: {2: optional}, change: {hand size: 1}}}",
    ],
    "a number of seats": [lay("if number of seats is 3: add 1 to coins")],
    "a value that a variant may change": ["values: {seat: {open: no}}", lay("if open: add 1 to coins")],
    "a limit that a variant may change": [
        "zones: {hand: {at most: hand size}}",
        lay("if number of hand is more than 5: add 1 to coins"),
    ],
    "a step that is told different things": [
        lay("do pay for 1", "do pay for 2"),
        "phases: {evening: {steps: {pay: {for: {due: number}, do: [if due is 1: take due from coins]}}}}",
    ],
    "a loop that a step ends": [
        lay("repeat while number of hand is less than 3: do draw"),
        "phases: {evening: {steps: {draw: [move top 1 of deck to hand]}}}",
    ],
    "a loop that dice end": [
        "pieces: {die: {has: {face: 1 to 6}, changing: face, starts in: deck, noun: '{face} | dice'}}",
        "terms: {game: {throw: total face of dice}}",
        lay("repeat while throw is less than 4: roll dice"),
    ],
    "a loop that a hook ends": [
        lay("repeat while coins is less than 3: do rest"),
        "phases: {evening: {steps: {rest: []}}}",
        "options: {paid: {after rest: add 1 to coins}}",
    ],
    "a loop that the game's end ends": [
        lay("repeat while yes: [if deck is empty: end game, move top 1 of deck to hand]")
    ],
    "a loop over an owner": [
        lay("let mine be first 1 of deck", "repeat while mine's owner is nobody: move top 1 of deck to street")
    ],
    "one's own cards in a log": [lay('log: "{seat} had {hand}."')],
    "a number of hidden cards": [lay('log: "{seat} had {number of cards in hand}."')],
    "a total of one's own cards in a question": [
        "phases: {evening: {steps: {lay: [choose 1 from hand into street: {ask: '{total value of hand}?'},"
        " add total price of street to coins]}}}"
    ],
    "cards that are shown right after": [lay('log: "{seat} showed {total value of hand}."', "move hand to street")],
    "cards at the end": [
        "phases: {evening: {do: [each seat: do lay, each seat: [log: '{total value of hand}', end game]]}}"
    ],
}

MENU = "repeat choosing one: {ask: x, %samong: {a: {%sdo: add 1 to coins}}}"
MARSH = """
words: {side: {north: {}, south: {}}}
boards: {marsh: {of: spot, spaces: {reed: {side: north, next to: mud}, mud: {side: south}}}}
zones: {lit: {of: spot, seen by: all}}
"""
GARDEN = [
    "boards: {garden: {of: patch, size: 3 by 3}}",
    "zones: {soil: {of: patch, seen by: all}}",
    "terms: {game: {free: patches where soil is empty, held: patches where soil is not empty}}",
]
QUIET |= {
    f"a way that begins at {origins}": [*GARDEN, lay(f'log: "{{free connected to {origins}}}; {{held}}"')]
    for origins in ("a1", "held", "free in neighbours of held", "(free in neighbours of held)")
}
QUIET |= {
    "a rank that is called like a number": [
        "words: {rank: {two: {}, three: {}}}",
        "pieces: {card: {has: {colour: colour, value: 1 to 3, rank: rank}, noun: '{colour} {value} {rank}'}}",
        "values: {seat: {hand size: 2}}",
        "setup: {text: 'Draw {hand size}. Whoever has the two of red begins, for two is low.'}",
        lay('log: "{cards in street where rank is two}"'),
    ],
    "rounds until something happens": [lay("go round seats until coins is 3: add 1 to coins")],
    "rounds that come back to somebody": [
        "counters: {game: {starter: seat}}",
        lay("set starter to you", "go round opponents until you is starter: add 1 to coins"),
    ],
    "rounds that one leaves": [lay("go round seats: [{choose one: {ask: x, among: {fold: {do: drop out}}}}]")],
    "rounds that end the game": [lay("go round seats: [end game]")],
    "a menu that one may leave": [lay(MENU % ("none: y, ", ""))],
    "a menu of so many times": [lay(MENU % ("", "times: 2, "))],
    "a value in how many times": ["values: {seat: {pace: 2}}", lay(MENU % ("none: y, ", "times: pace, "))],
    "a value in when a menu may be left": [
        "values: {seat: {pace: 2}}",
        lay(MENU % ("none: y, none if: coins is pace, ", "")),
    ],
    "a value that is only added": ["values: {seat: {bonus: 3}}", "options: {rich: {change: {hand size: + bonus}}}"],
    "a counter that only a measure looks at": [
        "counters: {seat: {nights: 0}}",
        "measures: {nights: {is: nights}}",
    ],
    "words that zones belong to": [
        "words: {corner: {north: {}, south: {}}}",
        "zones: {pile: {of: corner, seen by: all}}",
        lay("move top 1 of deck to north's pile"),
    ],
    "a loop that choosing a card ends": [
        lay("repeat while hand is not empty: [choose 1 from hand into street: {ask: x}]")
    ],
    "a number of one's own cards where one sits alone": ["players: 1", lay('log: "{total value of hand}"')],
    "an attribute that cards only show": [
        "words: {colour: {red: {weight: 3}}}",
        'looks: {cards: {card: {corner: "{weight}"}}}',
    ],
    "an attribute that 'in' finds": [
        MARSH,
        lay("add number of spots in north to coins", "move first 1 of hand to mud's lit"),
    ],
    "the opposites and slants of directions": [
        "boards: {yard: {of: spot, size: 2 by 2, neighbours: diagonal, directions: way}}",
        "zones: {lit: {of: spot, seen by: all}}",
        lay("choose 1 from ways of a1 as lane: {ask: x}", "move hand to lane's lit"),
    ],
    "opposites that listed spaces need": [
        "words: {way: {up: {opposite: down}, down: {opposite: up}}}",
        "boards: {shaft: {of: floor, directions: way, spaces: {attic: {down: hall}, hall: {}}}}",
        "zones: {lit: {of: floor, seen by: all}}",
        lay("move hand to hall's lit", "if longest line of (floors where lit is not empty) is 2: add 1 to coins"),
    ],
}


@pytest.mark.parametrize("changes", QUIET.values(), ids=QUIET)
def test_intentional_rules_give_no_warning(changes: list[str], tmp_path: Path) -> None:
    assert warned(tmp_path, *changes) == []


UNUSED = "warning unused: "
WARNINGS = {
    "a name that looks like another": (
        ["counters: {seat: {pot: 0, p\u043et: 0}}", lay("add 1 to pot", "add 1 to p\u043et")],
        "warning look-alike: 'p\u043et' only looks like 'pot' (line 33): '\u043e' is Cyrillic.",
    ),
    "a word of two scripts": (
        ["counters: {seat: {\u0441up: 0}}", lay("add 1 to \u0441up")],
        "warning look-alike: '\u0441up' mixes letters of two scripts: '\u0441' is Cyrillic.",
    ),
    "a value that is only changed": (
        ["values: {seat: {bonus: 3}}", "options: {rich: {change: {bonus: 5}}}"],
        f"{UNUSED}Nothing uses the value 'bonus'.",
    ),
    "words": (["words: {mood: {gloomy: {}}}"], f"{UNUSED}Nothing uses the words of 'mood'."),
    "an attribute": (["words: {colour: {red: {weight: 3}}}"], f"{UNUSED}Nothing asks for the 'weight' of 'colour'."),
    "a power without a piece": (
        [CHARMS, "pieces: {charm: {copies: {red: 0, blue: 1}}}", "powers: {red: {change: {hand size: 2}}}"],
        f"{UNUSED}There is no piece that gives the power 'red'.",
    ),
    "a zone that never gets its powers": (
        [CHARMS.replace("street", "front"), "zones: {front: {of: seat, seen by: all}}"],
        f"{UNUSED}Nothing is ever moved to 'front', so nobody gets the powers that pieces give there.",
    ),
    "a power of text alone": (
        [CHARMS, "powers: {red: {text: You win.}}"],
        "warning changes-nothing: The power 'red' changes nothing.",
    ),
    "choices that are all the same": (
        ["options: {size: {choices: {small: {text: x}, large: {text: y}}}}"],
        "warning changes-nothing: The option 'size' changes nothing.",
    ),
    "nothing added": (
        ["options: {long: {change: {hand size: +0}}}"],
        "warning repeats-base: This leaves 'hand size' as it is: 1.",
    ),
    "a part of a condition": (
        [lay("if coins is 3 and yes: add 1 to coins")],
        "warning always-true: This is always true.",
    ),
    "a number that no card has": (
        [lay("add number of hand where value is 7 to coins")],
        "warning always-false: This is never true.",
    ),
    "more than there is": (
        [lay("if number of deck is more than 6: add 1 to coins")],
        "warning always-false: This is never true.",
    ),
    "a voluntary hook without a question": (
        ["options: {gift: {may after lay: {do: add 1 to coins}}}"],
        "warning no-ask: This choice has no text that says what is asked.",
    ),
    "a way over what is not told": (
        [*GARDEN, lay('log: "{free connected to neighbours of held}"')],
        "warning begins-outside: This also leads over 'neighbours of held' that are not among 'free',"
        " to what lies behind them.",
    ),
    "a hidden total over a term": (
        ["terms: {seat: {worth: total value of hand}}", lay('log: "{seat}: {worth}"')],
        "warning tells-hidden: Everybody reads here what the pieces in 'hand' show, which only its owner may see.",
    ),
    "a hidden count": (
        [lay('log: "{number of hand where value is 3}"')],
        "warning tells-hidden: Everybody reads here what the pieces in 'hand' show, which only its owner may see.",
    ),
    "the best of hidden cards": (
        [lay('log: "{highest value among hand}"')],
        "warning tells-hidden: Everybody reads here what the pieces in 'hand' show, which only its owner may see.",
    ),
    "a run of hidden cards": (
        [lay('log: "{longest run of value among hand}"')],
        "warning tells-hidden: Everybody reads here what the pieces in 'hand' show, which only its owner may see.",
    ),
    "an order by hidden cards": (
        [lay('log: "{seats with highest total value of hand}"')],
        "warning tells-hidden: Everybody reads here what the pieces in 'hand' show, which only its owner may see.",
    ),
    "a board": (
        ["boards: {marsh: {of: spot, spaces: {reed: {}}}}"],
        f"{UNUSED}Nothing uses the board 'marsh'.",
    ),
    "a table": (
        ["words: {colour: {red: {weight: [3, 4]}}}"],
        f"{UNUSED}Nothing asks for the 'weight' of 'colour'.",
    ),
    "rounds without an end": (
        [lay("go round seats: add 1 to coins")],
        "warning endless-loop: These rounds never end: nobody drops out.",
    ),
    "rounds until what never comes": (
        ["counters: {game: {bell: no}}", lay("go round seats until bell: add 1 to coins")],
        "warning endless-loop: Nothing inside these rounds can end them: what 'until' asks for stays as it is.",
    ),
    "a menu that nobody can leave": (
        [lay(MENU % ("", ""))],
        "warning endless-loop: This menu never ends: there is always something to choose, and nobody can decline.",
    ),
    "a number of spaces, where 'in' finds their words": (
        [
            MARSH.replace("mud: {side: south}", "mud: {side: south, depth: 3}"),
            lay("add number of spots in north to coins", "move first 1 of hand to mud's lit"),
        ],
        f"{UNUSED}Nothing asks for the 'depth' of 'spot'.",
    ),
    "a menu of which one branch has no limit": (
        [lay("repeat choosing one: {ask: x, among: {a: {times: 2, do: add 1 to coins}, b: {do: add 2 to coins}}}")],
        "warning endless-loop: This menu never ends: there is always something to choose, and nobody can decline.",
    ),
    "a choice of one without a question": (
        [lay("choose one: {among: {a: {do: add 1 to coins}, b: {do: add 2 to coins}}}")],
        "warning no-ask: This choice has no text that says what is asked.",
    ),
    "a menu without a question": (
        [lay("repeat choosing one: {none: Done, among: {a: {do: add 1 to coins}}}")],
        "warning no-ask: This choice has no text that says what is asked.",
    ),
    "a name of hidden cards": (
        [lay('log: "{top 2 of deck}"')],
        "warning unreadable: Everybody reads only of hidden pieces here: nobody may see what lies in 'deck'.",
    ),
    "a hidden number in a question": (
        [
            "phases: {evening: {steps: {lay: [choose 1 from hand into street: {ask: '{total value of deck}?'},"
            " add total price of street to coins]}}}"
        ],
        "warning tells-hidden: Who is asked reads here what the pieces in 'deck' show, which nobody may see.",
    ),
    "a hidden number of cards that nobody sees": (
        [lay('log: "{total value of deck}"')],
        "warning tells-hidden: Everybody reads here what the pieces in 'deck' show, which nobody may see.",
    ),
    "one's own cards, where two sit": (
        ["players: 2", lay('log: "{total value of hand}"')],
        "warning tells-hidden: Everybody reads here what the pieces in 'hand' show, which only its owner may see.",
    ),
    "a hidden total over a set with a name": (
        ["terms: {seat: {both: hand plus street}}", lay('log: "{total value of both}"')],
        "warning tells-hidden: Everybody reads here what the pieces in 'hand' show, which only its owner may see.",
    ),
    "a loop beside a hook of another step": (
        [
            lay("repeat while coins is less than 3: do rest"),
            "phases: {evening: {steps: {rest: [], wake: [add 1 to coins]}}}",
            "options: {paid: {after wake: add 1 to coins}}",
        ],
        "warning endless-loop: Nothing inside this loop can end it: what it asks for stays as it is.",
    ),
    "an option beside another that changes something": (
        ["options: {size: {choices: {small: {text: x}, large: {text: y}}}, long: {change: {hand size: 2}}}"],
        "warning changes-nothing: The option 'size' changes nothing.",
    ),
    "a number of seats without its case": (
        ["values: {seat: {hand size: {by: number of seats, 2: 1, 4: 2}}}"],
        "error case-missing: There is no case for 3 here.",
    ),
}


@pytest.mark.parametrize(("changes", "warning"), WARNINGS.values(), ids=WARNINGS)
def test_suspicious_rules_give_a_warning(changes: list[str], warning: str, tmp_path: Path) -> None:
    assert warning in warned(tmp_path, *changes)


def test_a_game_without_an_end_is_warned_of_at_its_last_sentence(tmp_path: Path) -> None:
    edition = merged(
        base("lanterns"), {"phases": {"evening": {"do": [{"each seat": "do lay"}, {"each seat": "add 1 to coins"}]}}}
    )
    file = tmp_path / "edition.yaml"
    file.write_text(as_text(edition), encoding="utf-8")
    _, report = examine(str(file))
    [place] = [found.place for found in report.diagnostics if found.code == "no-end"]
    assert "add 1 to coins" in file.read_text(encoding="utf-8").splitlines()[place.line - 1]


def test_warnings_about_a_base_are_not_repeated_for_a_variant(tmp_path: Path) -> None:
    odd = merged(base("lanterns"), {"values": {"seat": {"spare": "3"}}})
    (tmp_path / "odd.yaml").write_text(as_text(odd), encoding="utf-8")
    (tmp_path / "same.yaml").write_text(
        "rulewright: 1\nextends: odd.yaml\nchange: {values: {seat: {hand size: 1}}}\n", encoding="utf-8"
    )
    (tmp_path / "variant.yaml").write_text(
        "rulewright: 1\nextends: same.yaml\nvalues: {seat: {idle: 2}}\n", encoding="utf-8"
    )
    warnings = {
        name: [warning.message for warning in examine(str(tmp_path / name))[1].diagnostics]
        for name in ("odd.yaml", "same.yaml", "variant.yaml")
    }
    assert warnings["odd.yaml"] == ["Nothing uses the value 'spare'."]
    assert warnings["same.yaml"] == ["'values.seat.hand size' is the same in odd.yaml."]
    assert warnings["variant.yaml"] == ["Nothing uses the value 'idle'."]


def test_loading_does_not_lint(tmp_path: Path) -> None:
    file = tmp_path / "edition.yaml"
    file.write_text(as_text(merged(base("lanterns"), {"options": {"idle": {"text": "x"}}})), encoding="utf-8")
    assert library.load(str(file)).title == "Lanterns"


def test_an_unused_value_names_the_option_that_changes_it(tmp_path: Path) -> None:
    rich = "options: {long: {change: {hand size: 2}}, rich: {change: {bonus: 5}}}"
    warned(
        tmp_path,
        "values: {seat: {bonus: 3, fine: 2}}",
        rich,
        MARSH.partition("zones")[0],
        "words: {mood: {gloomy: {}}}",
    )
    _, report = examine(str(tmp_path / "edition.yaml"))
    assert {found.message.split("'")[1]: found.hint for found in report.diagnostics} == {
        "bonus": "The option 'rich' changes it, but no sentence asks for it.",
        "fine": "Name it where it should count, or delete it.",
        "marsh": "Let a zone be 'of: spot', or delete it.",
        "mood": "Give it to pieces with 'each' or 'has', or delete it.",
    }


SOUND = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="3"/></svg>'


def test_missing_and_invalid_pictures_give_warnings(tmp_path: Path) -> None:
    folder = tmp_path / PICTURES
    folder.mkdir()
    (folder / "blu.svg").write_text(SOUND)
    (folder / "red.svg").write_text("no picture")
    warnings = warned(tmp_path, "looks: {cards: {card: {picture: '{colour}'}}}")
    assert len(warnings) == 2
    assert warnings[0].startswith("warning picture: There is no picture 'blue': expected pictures/blue.svg")
    assert "red.svg cannot be used as a picture: line 1" in warnings[1]
    _, report = examine(str(tmp_path / "edition.yaml"))
    assert report.diagnostics[0].hint == "Did you mean 'blu'?"
    (folder / "blue.svg").write_text(SOUND)
    (folder / "red.svg").write_text(SOUND)
    assert warned(tmp_path, "looks: {cards: {card: {picture: '{colour}', back: blue}}}") == []
    by_word = "looks: {cards: {card: {picture: blue, pictures: {red: '{colour}-two'}}}}"
    (by_word_warning,) = warned(tmp_path, by_word)
    assert "There is no picture 'red-two': expected" in by_word_warning  # and 'blue-two' is not looked for
    board = "boards: {marsh: {of: spot, map: 'n s', legend: {n: {side: north}, s: {side: south}}}}"
    looks = "looks: {boards: {marsh: {ground: '{side}', around: blue}}}"
    board_warnings = warned(tmp_path, "words: {side: {north: {}, south: {}}}", board, looks)
    assert any("There is no picture 'north' (and 1 more)" in line for line in board_warnings)


def test_pictures_are_checked_for_every_appearance_of_a_piece(tmp_path: Path) -> None:
    """Not only those of its first appearance."""
    file = tmp_path / "coin.yaml"
    file.write_text(
        "rulewright: 1\ntitle: Coin\nplayers: 2\nwords: {side: {heads: {}, tails: {}}}\n"
        "pieces: {coin: {has: {side: side}, changing: side, starts in: box, noun: '{side}'}}\n"
        "zones: {box: {seen by: all}}\nphases: {play: {text: Toss., do: [roll coins, end game]}}\n"
        "looks: {pieces: {coin: {picture: '{side}'}}}\n"
    )
    (tmp_path / PICTURES).mkdir()
    (tmp_path / PICTURES / "heads.svg").write_text(SOUND)
    _, report = examine(str(file))
    assert [found.message.partition(":")[0] for found in report.diagnostics] == ["There is no picture 'tails'"]


@pytest.mark.parametrize(
    ("sentence", "codes"),
    [
        ('- log: "{total value of hand}" # meant: tells-hidden', []),
        ('- log: "{total value of hand}"  # ours. meant: tells-hidden', ["tells-hidden"]),
        ('# meant: unused, tells-hidden\n      - log: "{total value of hand}"', []),
        ('- log: "{total value of hand}" # meant: unused', ["tells-hidden"]),
        ('- log: A line. # meant: tells-hidden\n      - log: "{total value of hand}"', ["tells-hidden"]),
    ],
)
def test_a_comment_suppresses_a_warning(sentence: str, codes: list[str], tmp_path: Path) -> None:
    path = tmp_path / "meant.yaml"
    text = as_text(base("lanterns"))
    path.write_text(text.replace("      lay:\n", f"      lay:\n      {sentence}\n"), encoding="utf-8")
    assert [found.code for found in examine(str(path))[1].warnings] == codes
