"""A file of cases, read: its edition, and of each case the setting, the steps and the checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulewright.authoring.scenarios.case_game import StartingPoint
from rulewright.authoring.scenarios.expectations import RESERVED, Expectations, Expected
from rulewright.authoring.scenarios.names import CaseNames
from rulewright.base.diagnostics import EditionError, Report, SourcePlace, nearest
from rulewright.base.files import on_disk
from rulewright.base.records import record
from rulewright.game import library
from rulewright.game.library import Rules, UnknownEdition
from rulewright.game.setup import GameError, check_options, check_seats
from rulewright.model.editions import examples_of
from rulewright.runtime import position
from rulewright.runtime.position import TABLE, Laid, PositionError, Spot
from rulewright.runtime.state import State
from rulewright.syntax import schema, yaml_reader
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, written_alone

_DEFAULT_SEED = 1


@record
class ScriptedAnswer:
    """What a seat answers; refused: whether that must be refused."""

    place: SourcePlace
    seat: int
    keys: tuple[str, ...]
    refused: bool = False


@record
class Case:
    """A case. explains: the key of the rule whose example it is, or ''; text: the story so far, or
    None; laid: the zones and counters of which the position says exactly what is in them; show: those that its picture
    has, or None for what the case changes; learner: the seat from which it is learned, where the case says so."""

    name: str
    place: SourcePlace
    setting: StartingPoint
    steps: tuple[ScriptedAnswer | Expected, ...]
    explains: str = ""
    text: Scalar | None = None
    laid: frozenset[Spot] = frozenset()
    show: tuple[Spot, ...] | None = None
    learner: int | None = None

    @property
    def key(self) -> str:
        """Where its texts stand in catalogs: the title at this place, others below it."""
        return key_of(self.name)


@dataclass
class Editions:
    """The editions that have been loaded in one run: many files test the same. unsaved: files whose text is newer than
    on disk."""

    unsaved: Mapping[Path, str] = field(default_factory=dict)
    _loaded: dict[str, Rules] = field(default_factory=dict)

    def load(self, name: str) -> Rules:
        """Raises UnknownEdition or EditionError."""
        if name not in self._loaded:
            path = library.find(name)[1] if self.unsaved else None
            newer = self.unsaved.get(path.absolute()) if path else None
            self._loaded[name] = library.load(name) if newer is None else library.from_text(newer, name, at=path)
        return self._loaded[name]


def read(
    path: Path,
    shown_as: str,
    editions: Editions,
    report: Report,
    text: str | None = None,
    with_texts: bool = True,
) -> list[Case]:
    """The cases of a file, or of the text that it may have. What is wrong goes to the report; the cases are of use only
    if nothing is. with_texts: whether they are told, too, and not just played.

    Raises EditionError where the edition that is tested has errors of its own.
    """
    if text is None:
        text = yaml_reader.text_of(path, report, shown_as)
    node = None if text is None else yaml_reader.read(None, text, report, shown_as)
    if node is None or text is None or not report.ok:
        return []
    if schema.is_other_file(node, report, schema.SCENARIOS):
        return []
    if not schema.validate(node, report, schema.SCENARIOS):
        node = _without_misshapen(node)
    if not isinstance(node, MappingNode):
        return []
    rules = _rules(node, text, path, shown_as, editions, report)
    cases = node.get("cases")
    if rules is None or not isinstance(cases, MappingNode):
        return []
    _check_named(node, rules, path, report)
    if with_texts and (texts := [text for key, body in cases.items() for text in told(key.text, body)]):
        rules = library.with_texts(rules, texts, report)
    found = [case(rules, key, body, node.get("seats"), report) for key, body in cases.items()]
    return [case for case in found if case is not None]


def _without_misshapen(node: Node) -> Node | None:
    """A file without those cases that have a wrong shape, so that the others are checked; None where more has."""
    faults = schema.faults(node, schema.SCENARIOS)
    cases = node.get("cases") if isinstance(node, MappingNode) else None
    if not isinstance(node, MappingNode) or not isinstance(cases, MappingNode):
        return None
    if any(fault.path[:1] != ("cases",) or len(fault.path) < 2 for fault in faults):
        return None
    wrong = {fault.path[1] for fault in faults}
    kept = {name: body for name, body in cases.entries.items() if name not in wrong}
    return replace(node, entries={**node.entries, "cases": replace(cases, entries=kept)})


def each_of_text(text: str, shown_as: str, rules: Rules) -> list[tuple[Scalar, Case | Report]]:
    """The cases in the text of a file, for the rules of its edition, whatever it calls that: each behind its name, or
    what is wrong with it. Their texts for readers are not looked at.

    Raises EditionError where the text is no file of cases at all.
    """
    report = Report()
    node = yaml_reader.read(None, text, report, shown_as)
    sound = node is not None and report.ok and schema.validate(node, report, schema.SCENARIOS)
    cases = node.get("cases") if sound and isinstance(node, MappingNode) else None
    if not isinstance(node, MappingNode) or not isinstance(cases, MappingNode):
        raise EditionError(report)
    found: list[tuple[Scalar, Case | Report]] = []
    for key, body in cases.items():
        own = Report()
        read_case = case(rules, key, body, node.get("seats"), own)
        found.append((key, own if read_case is None or not own.ok else read_case))
    return found


def case(
    rules: Rules, key: Scalar, body: Node, seats: Node | None, report: Report, options: Mapping[str, str] | None = None
) -> Case | None:
    """A case that stands somewhere. seats, options: where the case itself does not say otherwise; what is wrong with it
    goes to the report."""
    return _CaseReader(rules, key, body, seats, report, options or {}).read()


def told(name: str, body: Node) -> Iterator[tuple[str, Scalar]]:
    """The texts with figures of a case: the story so far, then what is told on the way, each with its place in
    catalogs."""
    text = body.get("text") if isinstance(body, MappingNode) else None
    if isinstance(text, Scalar):
        yield f"{key_of(name)}.text", text
    do = body.get("do") if isinstance(body, MappingNode) else None
    for step in do.items if isinstance(do, SequenceNode) else ():
        tell = step.get("tell") if isinstance(step, MappingNode) else None
        if isinstance(tell, Scalar):
            yield f"{key_of(name)}.tell", tell


def key_of(name: str) -> str:
    """Where the texts of a case stand in catalogs."""
    return f"examples.{name}"


def _check_named(node: MappingNode, rules: Rules, path: Path, report: Report) -> None:
    """What is left out must be there, among the examples of what this edition extends; so must what is printed."""
    others = [name for base in rules.edition.files[1:] for name in _cases_in(examples_of(base))]
    cases = node.get("cases")
    own = list(cases.entries) if isinstance(cases, MappingNode) else []
    lacking = f"No edition that {rules.name} extends has an"
    there = ([*own, *others], "There is no")
    for key, known, begins in (("leave out", others, lacking), ("print", *there), ("lessons", *there)):
        names = node.get(key)
        for name in names.items if isinstance(names, SequenceNode) else ():
            if isinstance(name, Scalar) and name.text not in known:
                message = f"{begins} example '{name.text}'."
                report.error(name.place, "unknown-name", message, nearest(name.text, known))


def _cases_in(file: Path) -> list[str]:
    tree = yaml_reader.read(file, None, Report(), str(file)) if file.is_file() else None
    cases = tree.get("cases") if isinstance(tree, MappingNode) else None
    return list(cases.entries) if isinstance(cases, MappingNode) else []


def _rules(node: MappingNode, text: str, path: Path, shown_as: str, editions: Editions, report: Report) -> Rules | None:
    edition = node.entries["edition"]
    if isinstance(edition, MappingNode):
        return library.from_text(written_alone(node, edition, text), shown_as)
    assert isinstance(edition, Scalar)
    name = edition.text
    if name.endswith((".yaml", ".yml")):
        name = str(on_disk(path.parent / name))
    try:
        return editions.load(name)
    except UnknownEdition as error:
        report.error(edition.place, "unknown-edition", str(error).replace(name, edition.text))
        return None


class _CaseReader:
    """Reads one case."""

    def __init__(
        self, rules: Rules, key: Scalar, body: Node, seats: Node | None, report: Report, options: Mapping[str, str]
    ) -> None:
        assert isinstance(body, MappingNode)
        self.rules, self.key, self.body, self.report, self.usual = rules, key, body, report, options
        self.seats_node = body.get("seats") or seats

    def read(self) -> Case | None:
        seats, roles = self._seats()
        if not seats:
            return None
        names = CaseNames(self.rules, seats, self.report)
        self._check_clashes(names)
        options = self._options()
        seed_node = self.body.get("seed")
        seed = int(seed_node.text) if isinstance(seed_node, Scalar) else _DEFAULT_SEED
        expectations = Expectations(names)
        steps = self._steps(names, expectations)
        if (expect := self.body.get("expect")) is not None:
            steps.append(Expected(expect.place, tuple(expectations.read(expect))))
        if not self._checks_anything():
            self.report.error(self.key.place, "checks-nothing", "This case expects nothing.", "Add 'expect'.")
        given, state, laid = self.body.get("given"), None, frozenset[Spot]()
        if isinstance(given, MappingNode) and options is not None:
            reader = _GivenReader(names, given, self.report)
            state = reader.read(roles, options, seed)
            laid = frozenset([*(spot for spot, zone in reader.zones.items() if zone.exact), *reader.counters])
        setting = StartingPoint(self.rules, tuple(seats), tuple(roles), options or {}, seed, state)
        text = self.body.get("text")
        story = text if isinstance(text, Scalar) else None
        explained, show = self._explained(names), self._shown(names)
        named = self.body.get("learner")
        learner = names.seat(named) if isinstance(named, Scalar) else None
        return Case(self.key.text, self.key.place, setting, tuple(steps), explained, story, laid, show, learner)

    def _shown(self, names: CaseNames) -> tuple[Spot, ...] | None:
        """The zones and counters that its picture has: of all seats, or of the one that is named."""
        node = self.body.get("show")
        if not isinstance(node, SequenceNode):
            return None
        known = names.named_spots()
        found: list[Spot] = []
        for item in names.texts(node):
            text = item.text.replace("’", "'")
            if text in known:
                found += known[text]
            else:
                names.unknown(item, f"There is no zone or counter '{item.text}'.", known)
        return tuple(dict.fromkeys(found))

    def _explained(self, names: CaseNames) -> str:
        """The key of the rule that is explained, as the rules have it: what is a phase in one edition may be a step in
        another that extends it."""
        node = self.body.get("explains")
        if not isinstance(node, Scalar):
            return ""
        known = list(names.program.rules)
        section, _, name = node.text.partition(".")
        other = {"phases": "steps", "steps": "phases"}.get(section, section)
        for key in (node.text, f"{other}.{name}"):
            if key in known:
                return key
        names.unknown(node, f"There is no rule '{node.text}' that is told in words.", known)
        return ""

    def _checks_anything(self) -> bool:
        do = self.body.get("do")
        steps = do.items if isinstance(do, SequenceNode) else []
        return "expect" in self.body.entries or any(
            isinstance(step, MappingNode) and step.entries.keys() & {"expect", "refused"} for step in steps
        )

    def _seats(self) -> tuple[list[str], list[str | None]]:
        """Names and roles; nothing if they cannot play."""
        if not isinstance(self.seats_node, SequenceNode):
            hint = "Write 'seats' here or once for the whole file."
            self.report.error(self.key.place, "missing-key", "Nobody sits at the table.", hint)
            return [], []
        names: list[str] = []
        roles: list[str | None] = []
        for item in self.seats_node.items:
            name, role = next(iter(item.items())) if isinstance(item, MappingNode) else (item, None)
            names.append(name.text if isinstance(name, Scalar) else "")
            roles.append(role.text if isinstance(role, Scalar) else None)
        try:
            check_seats(self.rules, names, roles)
        except GameError as error:
            self.report.error(self.seats_node.place, "seats", str(error))
            return [], []
        return names, roles

    def _check_clashes(self, names: CaseNames) -> None:
        """A seat must not be called like anything else that may stand beside it."""
        for name in names.seats:
            if name in (*RESERVED, "waiting", "tell") or names.is_here(name, TABLE):
                message = f"The seat '{name}' is called like something else that stands beside the seats."
                assert self.seats_node is not None
                self.report.error(self.seats_node.place, "name-taken", message, "Capitals help.")

    def _options(self) -> dict[str, str] | None:
        """Every option with its choice."""
        chosen = dict(self.usual)
        node = self.body.get("options")
        for key, value in node.items() if isinstance(node, MappingNode) else ():
            choice = value.text if isinstance(value, Scalar) else ""
            try:
                check_options(self.rules, {key.text: choice})
                chosen[key.text] = choice
            except GameError as error:
                known = key.text in self.rules.edition.options
                self.report.error(value.place if known else key.place, "unknown-option", str(error))
        return check_options(self.rules, chosen)

    def _steps(self, names: CaseNames, expectations: Expectations) -> list[ScriptedAnswer | Expected]:
        node = self.body.get("do")
        steps: list[ScriptedAnswer | Expected] = []
        for item in node.items if isinstance(node, SequenceNode) else ():
            entries = names.entries(item)
            for key, value in entries:
                others = {other.text for other, _ in entries} - {"expect", "tell"}
                if key.text not in ("expect", "refused", "tell"):
                    steps += self._answers(names, [(key, value)], False)
                elif len(entries) > 1 and (others or key.text == "refused"):
                    message = f"'{key.text}' is a step of its own."
                    self.report.error(key.place, "wrong-shape", message, "Begin a new line with '- '.")
                elif key.text == "expect":
                    tell = item.get("tell") if isinstance(item, MappingNode) else None
                    checks, told = tuple(expectations.read(value)), tell if isinstance(tell, Scalar) else None
                    steps.append(Expected(key.place, checks, told, expectations.subject(value)))
                elif key.text == "tell":
                    if len(entries) == 1:
                        message = "What is told must be shown to be so."
                        self.report.error(key.place, "checks-nothing", message, "Add 'expect' to this step.")
                else:
                    steps += self._answers(names, names.entries(value), True)
        return steps

    def _answers(self, names: CaseNames, entries: list[tuple[Scalar, Node]], refused: bool) -> list[ScriptedAnswer]:
        found = []
        for key, value in entries:
            seat = names.seat(key)
            keys = [value] if isinstance(value, Scalar) else names.texts(value)
            if seat is not None:
                found.append(ScriptedAnswer(key.place, seat, tuple(name.text for name in keys), refused))
        return found


class _GivenReader:
    """Reads the position that a case begins with."""

    def __init__(self, names: CaseNames, node: MappingNode, report: Report) -> None:
        self.names, self.node, self.report = names, node, report
        self.zones: dict[Spot, Laid] = {}
        self.counters: dict[Spot, dict[int, int | tuple[int, ...]]] = {}
        self.places: dict[Spot, Scalar] = {}
        self.listed: dict[Spot, list[Scalar]] = {}

    def read(self, roles: list[str | None], options: dict[str, str], seed: int) -> State | None:
        names, errors = self.names, len(self.report.errors)
        for key, value in self.node.items():
            if key.text in ("phase", "round"):
                continue
            seat = names.seat_of(key)
            if seat is None:
                self._lay(key, value, TABLE)
            elif not isinstance(value, MappingNode):
                names.wrong(key.place, f"Expected what '{key.text}' has: zones and counters.")
            else:
                for inner, laid in value.items():
                    self._lay(inner, laid, seat)
        phase = self.node.entries["phase"]
        assert isinstance(phase, Scalar)
        known = names.known(phase, names.phases, "phase")
        round_node = self.node.get("round")
        number = 1 if round_node is None else names.number(round_node)
        if number is not None and number < 1 and round_node is not None:
            names.wrong(round_node.place, "Rounds count from 1.")
        if known is None or number is None or len(self.report.errors) > errors:
            return None
        machine = names.rules.machine(len(names.seats))
        try:
            return position.build(
                machine, seed, roles, options,
                phase=known, zones=self.zones, counters=self.counters, round_number=number,
            )  # fmt: skip
        except PositionError as error:
            self.report.error(self._place(error), "impossible-position", str(error))
            return None

    def _place(self, error: PositionError) -> SourcePlace:
        if error.spot is None or error.spot not in self.places:
            return self.node.place if error.spot is None else self.node.keys["phase"].place
        if error.index is not None and error.index < len(self.listed.get(error.spot, [])):
            return self.listed[error.spot][error.index].place
        return self.places[error.spot].place

    def _lay(self, key: Scalar, node: Node, owner: int) -> None:
        names = self.names
        if not names.is_here(key.text, owner):
            names.unknown_here(key, owner, ["phase", "round"] if owner == TABLE else [])
        elif drawing := names.drawing(key, node):
            meanings = {
                letter: self._laid(at, meaning, key.text)[0] for letter, (at, meaning) in drawing.meanings.items()
            }
            for space, letter in drawing.letters.items():
                self.places[key.text, space] = letter
                self.zones[key.text, space] = meanings[letter.text]
        else:
            for at, spot, said in names.spots(key, node, owner):
                self.places[spot] = at
                if spot[0] in names.zones:
                    self.zones[spot], self.listed[spot] = self._laid(at, said, key.text)
                    continue
                counter = names.counters[spot[0]]
                for _, word, told in names.told_for(counter, at, said):
                    if (number := names.held(told, counter.type)) is not None:
                        self.counters.setdefault(spot, {})[word] = number

    def _laid(self, key: Scalar, node: Node, zone: str) -> tuple[Laid, list[Scalar]]:
        """What lies in a zone, and the names of the pieces. key: where it is said."""
        names = self.names
        if isinstance(node, Scalar) and node.text == "rest":
            return Laid(rest=True), []
        if isinstance(node, Scalar) and not names.single(node, zone):
            message = f"Expected a list of pieces for '{key.text}', 'rest', or {{top: [ … ]}}."
            names.wrong(key.place if node.absent else node.place, message)
            return Laid(), []
        on_top = isinstance(node, MappingNode)
        pieces = node.get("top") if isinstance(node, MappingNode) else node
        rest = isinstance(node, MappingNode) and "rest" in node.entries
        if isinstance(node, MappingNode) and not node.entries.keys() <= {"top", "rest"}:
            names.wrong(key.place, f"Expected 'top' for '{key.text}', not names.")
        listed = [] if pieces is None else [pieces] if isinstance(pieces, Scalar) else names.texts(pieces)
        laid = [] if pieces is None else names.laid(pieces, zone)
        return Laid(tuple(laid), on_top, rest), listed
