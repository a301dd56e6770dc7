"""Who sits at the table: a list such as `you,Milú,random,Ada:random` made into seats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, count

from rulewright.base.diagnostics import Report, RulewrightError
from rulewright.base.records import record
from rulewright.i18n.languages import code_of, languages
from rulewright.i18n.localizer import YOU, meant, phrase
from rulewright.model.declarations import Edition, Role
from rulewright.model.editions import available
from rulewright.players.confusable_names import are_alike, is_seen, is_stacked
from rulewright.players.kinds import KINDS, POLICY, POLICY_FILES, check_kind, policy_of
from rulewright.syntax import source

PERSON = "person"
AT_CHANCE = "random"
OPPONENT = "search"
"""Who plays against people where nobody says who: at a terminal and on the page alike."""

USUAL_SEATS = 4

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
_POLICY_SEAT = re.compile(rf"((?P<name>\s*[^:\s][^:]*):)?\s*{POLICY}\s*(:(?P<file>.*))?", re.IGNORECASE)
_PERHAPS_A_PLAYER = ("ai", "bot", "computer", "cpu", "robot")
_SHORTEST_GUESSED = 5


class SeatingError(RulewrightError):
    """A list of seats that cannot be understood."""


@record
class Seat:
    """One place at the table. player: PERSON or a kind of player; role: a virtual player's, else None; language: in
    which it reads, or ''."""

    name: str
    player: str
    role: str | None = None
    language: str = ""


def read_seats(text: str, edition: Edition) -> list[Seat]:
    """The seats of a list of `you`, a role, a kind of player, NAME, NAME:KIND, NAME:LANG or NAME:KIND:LANG.

    Raises SeatingError, PlayerError.
    """
    spoken = [_spoken(word.strip(), edition) for word in _words(text)]
    read = [(*_read(word, edition), language) for word, language in spoken]
    given = [name for name, _, role, _ in read if name]
    for number, name in enumerate(given):
        check_name(name, given[:number])
    names = spare_names(given)
    return [Seat(name or next(names), player, role, language) for name, player, role, language in read]


def called_like_virtual(text: str, edition: Edition) -> list[str]:
    """The people in a list of seats who are called as virtual players of other editions that come along."""
    from rulewright.syntax import yaml_reader  # noqa: PLC0415 - who gives no seats reads no files

    words = {word.strip().casefold(): word.strip() for word in text.split(",")}
    known: set[str] = set()
    for name, path in available().items():
        tree = yaml_reader.read(path, None, Report(), name)
        roles = tree.get("roles") if isinstance(tree, source.MappingNode) else None
        known |= {key.text.casefold() for key, _ in roles.items()} if isinstance(roles, source.MappingNode) else set()
    return [word for said, word in words.items() if said in known and _role(word, edition) is None]


def usual_seats(edition: Edition) -> list[Seat]:
    """One person and as many others as make a table of about four, with virtual players that must join."""
    people = usual_people(edition)
    return table_for(people, edition)


def table_for(people: int, edition: Edition) -> list[Seat]:
    """One person and others, `people` in all, before virtual players join."""
    names = spare_names([YOU, *(role.title for role in edition.roles.values())])
    return [Seat(YOU, PERSON), *(Seat(next(names), OPPONENT) for _ in range(people - 1))]


def usual_people(edition: Edition) -> int:
    """The number of players, without virtual ones, whose table is nearest to four seats."""

    def far(people: int) -> tuple[int, int]:
        joining = sum(role.joins.get(people, False) for role in edition.roles.values())
        return abs(people + joining - USUAL_SEATS), -people

    return min(range(edition.people[0], edition.people[1] + 1), key=far)


def missing_roles(seats: Sequence[Seat], edition: Edition) -> list[Role]:
    """The virtual players that must join these seats and are not among them."""
    people = sum(seat.role is None for seat in seats)
    there = {seat.role for seat in seats}
    return [role for role in edition.roles.values() if role.joins.get(people) and role.name not in there]


def role_seat(role: Role) -> Seat:
    return Seat(role.title, AT_CHANCE, role.name)


def spare_names(taken: Sequence[str]) -> Iterator[str]:
    """Names for players that have none, without those that are taken, or look so."""
    numbered = (f"Player {number}" for number in count(1))
    for name in chain(_PLAYER_NAMES, numbered):
        if not any(are_alike(name, other) for other in taken):
            yield name


def check_name(name: str, others: Sequence[str]) -> None:
    """Raises SeatingError where a name looks empty, or like another's at the table."""
    if not is_seen(name):
        raise SeatingError(phrase("errors", "A player's name needs at least one visible character."))
    if is_stacked(name):
        raise SeatingError(phrase("errors", "Too many signs stand over one letter; leave some out."))
    for other in others:
        if name != other and are_alike(name, other):
            told = phrase("errors", "'{name}' looks like '{other}'; choose another name.", name=name, other=other)
            raise SeatingError(told)


def _words(text: str) -> Iterator[str]:
    """The words of a list of seats: commas separate them, but for those in the path of a policy file."""
    word = ""
    for part in text.split(","):
        word = f"{word},{part}" if word else part
        trained = _POLICY_SEAT.fullmatch(word.strip())
        if trained is None or (trained["file"] or "").lower().endswith(POLICY_FILES):
            yield word
            word = ""
    if word:
        yield from word.split(",")


def _spoken(word: str, edition: Edition) -> tuple[str, str]:
    """What a seat says without its language, and the language, or '': `anna:it`, `you:de`, `anna:person:it`."""
    if _POLICY_SEAT.fullmatch(word):  # colons are its file's
        return word, ""
    rest, colon, language = (part.strip() for part in word.rpartition(":"))
    if not colon or not code_of(language):
        return word, ""
    if language.casefold() in (PERSON, *KINDS) or _role(language, edition) is not None:
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


def _read(word: str, edition: Edition) -> tuple[str, str, str | None]:
    """Name (or ''), kind of player and role of one seat."""
    if trained := _POLICY_SEAT.fullmatch(word):
        return (trained["name"] or "").strip(), policy_of((trained["file"] or "").strip()), None
    name, colon, kind = (part.strip() for part in word.rpartition(":"))
    if colon:
        return _read_named(name, kind, edition)
    role = _role(word, edition)
    if not word:
        raise SeatingError(
            phrase(
                "errors",
                "A seat in the list is empty. Separate the seats by single commas: {example}.",
                example="you,greedy,greedy",
            )
        )
    if role is not None:
        return role.title, AT_CHANCE, role.name
    if word.casefold() == YOU.casefold():
        return YOU, PERSON, None
    if word.casefold().partition("-")[0] in KINDS:
        return "", check_kind(word.casefold()), None
    _refuse_slips(word, edition)
    return word, PERSON, None


def _read_named(name: str, kind: str, edition: Edition) -> tuple[str, str, str | None]:
    role = _role(kind, edition)
    if not name:
        told = phrase("errors", "The seat ':{kind}' has no name: write NAME:{what}.", kind=kind, what=kind or PERSON)
        raise SeatingError(told)
    if role is not None:
        return name, AT_CHANCE, role.name
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
            hint=meant(kind, [*known, *languages()]),
            kinds=", ".join(known),
            languages=", ".join(languages()),
        )
    )


def _role(word: str, edition: Edition) -> Role | None:
    named = (r for r in edition.roles.values() if word.casefold() in (r.name.casefold(), r.title.casefold()))
    return next(named, None)


def _refuse_slips(word: str, edition: Edition) -> None:
    """Any other word is a person's name, but hardly one that is almost a kind of player."""
    almost = next((known for known in (*KINDS, *edition.roles) if _is_slip(word.casefold(), known.casefold())), None)
    if word.casefold() in (*_PERHAPS_A_PLAYER, PERSON):
        almost = PERSON if word.casefold() == PERSON else OPPONENT
    if almost == PERSON:
        raise SeatingError(phrase("errors", "Write the person's name, or 'you', instead of '{word}'.", word=word))
    if almost is not None:
        slots = {"almost": almost, "word": word, "person": PERSON}
        told = phrase("errors", "Did you mean '{almost}'? Write '{word}:{person}' for a person called {word}.", **slots)
        raise SeatingError(told)


def _is_slip(word: str, known: str) -> bool:
    """Whether `word` is `known` with one letter wrong, missing or too many, or with two letters swapped."""
    if min(len(word), len(known)) < _SHORTEST_GUESSED or abs(len(word) - len(known)) > 1:
        return False
    same = 0
    while same < min(len(word), len(known)) and word[same] == known[same]:
        same += 1
    here, there = word[same:], known[same:]
    swapped = here[:2] == there[:2][::-1] and here[2:] == there[2:]
    return swapped or here[1:] == there[1:] or here[1:] == there or here == there[1:]
