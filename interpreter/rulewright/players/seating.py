"""Seating: seats from a list such as `you,Milú,random,Ada:random`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, count

from rulewright.base.diagnostics import Report, RulewrightError
from rulewright.base.records import record
from rulewright.i18n.languages import code_of, languages
from rulewright.i18n.localizer import YOU, phrase, suggestion
from rulewright.model.declarations import Role
from rulewright.model.edition import Edition
from rulewright.model.editions import available
from rulewright.players.confusable_names import are_confusable, has_stacked_marks, is_visible
from rulewright.players.kinds import KINDS, POLICY, POLICY_FILES, check_kind, policy_kind
from rulewright.syntax import source

PERSON = "person"
"""Kind of a seat at which a person plays; other kinds are bots."""
RANDOM_BOT = "random"
"""Kind of a bot whose answers are random."""
OPPONENT = "medium"
"""Opponents of people where nobody chooses them: at a terminal and on the page alike."""

USUAL_SEATS = 4
"""Number of seats, virtual players included, that is preferred where nobody names one."""

_PLAYER_NAMES = (
    "Ada",
    "Ben",
    "Cora",
    "Dan",
    "Edith",
    "Finn",
    "Gita",
    "Hugo",
    "Ines",
    "Jon",
    "Kim",
    "Luca",
    "Maud",
)
"""Names of people who gave none, in this order."""
_POLICY_SEAT = re.compile(rf"((?P<name>\s*[^:\s][^:]*):)?\s*{POLICY}\s*(:(?P<file>.*))?", re.IGNORECASE)
"""Seat of a trained player: `NAME:policy:FILE`, of which name and file may be left out."""
_BOT_WORDS = ("ai", "bot", "computer", "cpu", "robot")
"""Words that are no kind of player, but that a bot was probably meant by."""
_MIN_GUESSED_LENGTH = 5
"""Letters from which on a name with one letter wrong is taken for a slip."""


class SeatingError(RulewrightError):
    """Raised for a list of seats that cannot be understood."""


@record
class Seat:
    """Seat at a table.

    player: PERSON or a kind of bot; role: of a virtual player, else None; language: that it reads, or ''.
    """

    name: str
    player: str
    role: str | None = None
    language: str = ""


def read_seats(text: str, edition: Edition) -> list[Seat]:
    """Read the seats of a list of `you`, a role, a kind of player, NAME, NAME:KIND, NAME:LANG or NAME:KIND:LANG.

    Raises SeatingError, PlayerError.
    """
    words = [_split_language(word.strip(), edition) for word in _split_seats(text)]
    entries = [(*_read_seat(word, edition), language) for word, language in words]
    names_given = [name for name, _, role, _ in entries if name]
    for number, name in enumerate(names_given):
        check_name(name, names_given[:number])
    names = spare_names(names_given)
    return [Seat(name or next(names), player, role, language) for name, player, role, language in entries]


def names_of_virtual_players(text: str, edition: Edition) -> list[str]:
    """List the people in a list of seats whose names are those of virtual players of other shipped editions."""
    from rulewright.syntax import yaml_reader  # noqa: PLC0415 - who gives no seats reads no files

    words = {word.strip().casefold(): word.strip() for word in text.split(",")}
    role_names: set[str] = set()
    for name, path in available().items():
        tree = yaml_reader.read(path, None, Report(), name)
        roles = tree.get("roles") if isinstance(tree, source.MappingNode) else None
        role_names |= (
            {key.text.casefold() for key, _ in roles.items()} if isinstance(roles, source.MappingNode) else set()
        )
    return [word for folded, word in words.items() if folded in role_names and _role_named(word, edition) is None]


def usual_seats(edition: Edition) -> list[Seat]:
    """Return one person and as many bots as make a table of about four with the virtual players that must join:
    these are counted, but not among the seats."""
    people = usual_people(edition)
    return table_for(people, edition)


def table_for(people: int, edition: Edition) -> list[Seat]:
    """Return seats for one person and bots, `people` in all, before virtual players join."""
    names = spare_names([YOU, *(role.title for role in edition.roles.values())])
    return [Seat(YOU, PERSON), *(Seat(next(names), OPPONENT) for _ in range(people - 1))]


def usual_people(edition: Edition) -> int:
    """Return the number of players, without virtual ones, whose table is nearest to four seats."""

    def distance(people: int) -> tuple[int, int]:
        joining = sum(role.joins.get(people, False) for role in edition.roles.values())
        return abs(people + joining - USUAL_SEATS), -people

    return min(range(edition.people[0], edition.people[1] + 1), key=distance)


def missing_roles(seats: Sequence[Seat], edition: Edition) -> list[Role]:
    """List the virtual players that must join these seats and are not among them."""
    people = sum(seat.role is None for seat in seats)
    present = {seat.role for seat in seats}
    return [role for role in edition.roles.values() if role.joins.get(people) and role.name not in present]


def role_seat(role: Role) -> Seat:
    """Return a seat for a virtual player."""
    return Seat(role.title, RANDOM_BOT, role.name)


def spare_names(taken_names: Sequence[str]) -> Iterator[str]:
    """Yield names for players that have none, except names that are taken or confusable with those."""
    numbered = (f"Player {number}" for number in count(1))
    for name in chain(_PLAYER_NAMES, numbered):
        if not any(are_confusable(name, other) for other in taken_names):
            yield name


def check_name(name: str, others: Sequence[str]) -> None:
    """Raise SeatingError if a name looks empty, or like another name at the table; equal names are left to
    `check_seats`."""
    if not is_visible(name):
        raise SeatingError(phrase("errors", "A player's name needs at least one visible character."))
    if has_stacked_marks(name):
        raise SeatingError(phrase("errors", "Too many signs stand over one letter; leave some out."))
    for other in others:
        if name != other and are_confusable(name, other):
            message = phrase("errors", "'{name}' looks like '{other}'; choose another name.", name=name, other=other)
            raise SeatingError(message)


def _split_seats(text: str) -> Iterator[str]:
    """Yield the words of a list of seats, separated by commas, but for commas in the path of a policy file."""
    word = ""
    for part in text.split(","):
        word = f"{word},{part}" if word else part
        match = _POLICY_SEAT.fullmatch(word.strip())
        if match is None or (match["file"] or "").lower().endswith(POLICY_FILES):
            yield word
            word = ""
    if word:
        yield from word.split(",")


def _split_language(word: str, edition: Edition) -> tuple[str, str]:
    """Split off the language of a seat: `anna:it`, `you:de`, `anna:person:it`; '' if there is none. Raises
    SeatingError for a word that could be both."""
    if _POLICY_SEAT.fullmatch(word):  # the colons belong to its file
        return word, ""
    rest, colon, language = (part.strip() for part in word.rpartition(":"))
    if not colon or not code_of(language):
        return word, ""
    if language.casefold() in (PERSON, *KINDS) or _role_named(language, edition) is not None:
        raise SeatingError(
            phrase(
                "errors",
                "'{seat}:{word}' could name a language or a kind of player. "
                "For the language write {seat}:{person}:{word}; for the player, give it another language.",
                seat=rest,
                word=language,
                person=PERSON,
            )
        )
    return rest, code_of(language)


def _read_seat(word: str, edition: Edition) -> tuple[str, str, str | None]:
    """Return the name (or ''), kind of player and role of one seat. Raises SeatingError, PlayerError."""
    if match := _POLICY_SEAT.fullmatch(word):
        return (match["name"] or "").strip(), policy_kind((match["file"] or "").strip()), None
    name, colon, kind = (part.strip() for part in word.rpartition(":"))
    if colon:
        return _read_named(name, kind, edition)
    role = _role_named(word, edition)
    if not word:
        raise SeatingError(
            phrase(
                "errors",
                "A seat in the list is empty. Separate the seats by single commas: {example}.",
                example="you,greedy,greedy",
            )
        )
    if role is not None:
        return role.title, RANDOM_BOT, role.name
    if word.casefold() == YOU.casefold():
        return YOU, PERSON, None
    if word.casefold().partition("-")[0] in KINDS:
        return "", check_kind(word.casefold()), None
    _reject_slips(word, edition)
    return word, PERSON, None


def _read_named(name: str, kind: str, edition: Edition) -> tuple[str, str, str | None]:
    """Return the name, kind of player and role of NAME:KIND. Raises SeatingError, PlayerError."""
    role = _role_named(kind, edition)
    if not name:
        message = phrase("errors", "The seat ':{kind}' has no name: write NAME:{what}.", kind=kind, what=kind or PERSON)
        raise SeatingError(message)
    if role is not None:
        return name, RANDOM_BOT, role.name
    if kind.casefold() == PERSON:
        return name, PERSON, None
    if kind.casefold().partition("-")[0] in KINDS:
        return name, check_kind(kind.casefold()), None
    known = [PERSON, *KINDS, *edition.roles]
    raise SeatingError(
        phrase(
            "errors",
            "There is no kind of player and no language '{kind}'. {hint} Kinds: {kinds}. Languages: {languages}.",
            kind=kind,
            hint=suggestion(kind, [*known, *languages()]),
            kinds=", ".join(known),
            languages=", ".join(languages()),
        )
    )


def _role_named(word: str, edition: Edition) -> Role | None:
    """Return the virtual player with a name or title; None without one."""
    roles = (r for r in edition.roles.values() if word.casefold() in (r.name.casefold(), r.title.casefold()))
    return next(roles, None)


def _reject_slips(word: str, edition: Edition) -> None:
    """Raise SeatingError if a person's name is almost a kind of player."""
    almost = next((known for known in (*KINDS, *edition.roles) if _is_slip(word.casefold(), known.casefold())), None)
    if word.casefold() in (*_BOT_WORDS, PERSON):
        almost = PERSON if word.casefold() == PERSON else OPPONENT
    if almost == PERSON:
        raise SeatingError(phrase("errors", "Write the person's name, or 'you', instead of '{word}'.", word=word))
    if almost is not None:
        slots = {"almost": almost, "word": word, "person": PERSON}
        message = phrase(
            "errors", "Did you mean '{almost}'? Write '{word}:{person}' for a person called {word}.", **slots
        )
        raise SeatingError(message)


def _is_slip(word: str, known: str) -> bool:
    """Return whether `word` is `known` with one letter wrong, missing or too many, or with two letters swapped."""
    if min(len(word), len(known)) < _MIN_GUESSED_LENGTH or abs(len(word) - len(known)) > 1:
        return False
    common = 0
    while common < min(len(word), len(known)) and word[common] == known[common]:
        common += 1
    rest, known_rest = word[common:], known[common:]
    swapped = rest[:2] == known_rest[:2][::-1] and rest[2:] == known_rest[2:]
    return swapped or rest[1:] == known_rest[1:] or rest[1:] == known_rest or rest == known_rest[1:]
