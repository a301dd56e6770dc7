"""Read files of cases: the edition, and for each case its beginning, steps and checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulewright.authoring.scenarios import messages
from rulewright.authoring.scenarios.case_game import CaseGame, StartingPoint
from rulewright.authoring.scenarios.checks import Expected
from rulewright.authoring.scenarios.expectations import RESERVED, Expectations
from rulewright.authoring.scenarios.given_position import GivenReader
from rulewright.authoring.scenarios.names import CaseNames
from rulewright.base.diagnostics import EditionError, Report, SourcePlace, did_you_mean
from rulewright.base.files import path_on_disk
from rulewright.base.records import record
from rulewright.game import library
from rulewright.game.library import Rules, UnknownEdition
from rulewright.game.setup import GameError, check_options, check_seats
from rulewright.model.editions import examples_of
from rulewright.runtime.position import TABLE, Spot
from rulewright.syntax import schema, schema_validation, yaml_reader
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, extract_mapping

_DEFAULT_SEED = 1
"""Seed of cases that name none."""


@record
class ScriptedAnswer:
    """Answer of a seat. refused: whether it must be refused."""

    place: SourcePlace
    seat: int
    keys: tuple[str, ...]
    refused: bool = False


@record
class Case:
    """Case.

    - explains: key of the rule that it is an example of, or ''
    - text: the story so far, or None
    - laid: zones and counters whose contents its position gives exactly
    - show: those in its picture, or None for those that the case changes
    - learner: seat of the learner, or None
    """

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
        """Context of its texts in catalogs: that of the title, prefix of the others."""
        return key_of(self.name)

    @property
    def answers(self) -> tuple[ScriptedAnswer, ...]:
        """Answers that are given, without those that must be refused."""
        return tuple(step for step in self.steps if isinstance(step, ScriptedAnswer) and not step.refused)

    @property
    def is_taught(self) -> bool:
        """Whether it addresses its learner."""
        return any(isinstance(step, Expected) and step.teach is not None for step in self.steps)

    def told_steps(self, table: CaseGame, taught: bool = False) -> Iterator[ScriptedAnswer | Expected]:
        """Yield the steps for readers, or for learners if `taught`: answers, which the caller gives to the game, and
        explanations that hold there."""
        for step in self.steps:
            if isinstance(step, ScriptedAnswer):
                if not step.refused:
                    yield step
                continue
            text = step.teach if taught else step.tell
            if text is not None and all(check.difference(table) is None for check in step.checks):
                yield step


@dataclass
class Editions:
    """Editions loaded in one run, since many files test the same. unsaved: newer texts of files than on disk."""

    unsaved: Mapping[Path, str] = field(default_factory=dict)
    _loaded: dict[str, Rules] = field(default_factory=dict)

    def load(self, name: str) -> Rules:
        """Load an edition, once. Raises UnknownEdition or EditionError."""
        if name not in self._loaded:
            path = library.find(name)[1] if self.unsaved else None
            newer = self.unsaved.get(path.absolute()) if path else None
            self._loaded[name] = library.load(name) if newer is None else library.from_text(newer, name, file=path)
        return self._loaded[name]


def read(
    path: Path,
    shown_as: str,
    editions: Editions,
    report: Report,
    text: str | None = None,
    with_texts: bool = True,
) -> list[Case]:
    """Read the cases of a file, or of `text` instead. They are usable only if the report has no errors. with_texts:
    whether to read their texts, too. Raises EditionError if the tested edition has errors."""
    if text is None:
        text = yaml_reader.read_text(path, report, shown_as)
    node = None if text is None else yaml_reader.read(None, text, report, shown_as)
    if node is None or text is None or not report.ok:
        return []
    if schema_validation.report_other_file(node, report, schema.SCENARIOS):
        return []
    if not schema_validation.validate(node, report, schema.SCENARIOS):
        node = _without_misshapen(node)
    if not isinstance(node, MappingNode):
        return []
    rules = _load_rules(node, text, path, shown_as, editions, report)
    cases = node.get("cases")
    if rules is None or not isinstance(cases, MappingNode):
        return []
    _check_named(node, rules, path, report)
    if with_texts and (texts := [text for key, body in cases.items() for text in texts_of(key.text, body)]):
        rules = library.with_texts(rules, texts, report)
    result = [case(rules, key, body, node.get("seats"), report) for key, body in cases.items()]
    return [case for case in result if case is not None]


def _without_misshapen(node: Node) -> Node | None:
    """Return a file without misshapen cases, so that the others are checked; None if more is misshapen."""
    faults = schema_validation.faults(node, schema.SCENARIOS)
    cases = node.get("cases") if isinstance(node, MappingNode) else None
    if not isinstance(node, MappingNode) or not isinstance(cases, MappingNode):
        return None
    if any(fault.path[:1] != ("cases",) or len(fault.path) < 2 for fault in faults):
        return None
    wrong = {fault.path[1] for fault in faults}
    remaining = {name: body for name, body in cases.entries.items() if name not in wrong}
    return replace(node, entries={**node.entries, "cases": replace(cases, entries=remaining)})


def cases_in_text(text: str, shown_as: str, rules: Rules) -> list[tuple[Scalar, Case | Report]]:
    """Read the cases in a text with given rules, whatever edition it names. Return each name with its case, or the
    report of its errors. Texts for readers are not checked. Raises EditionError if the text is no file of cases."""
    report = Report()
    node = yaml_reader.read(None, text, report, shown_as)
    sound = node is not None and report.ok and schema_validation.validate(node, report, schema.SCENARIOS)
    cases = node.get("cases") if sound and isinstance(node, MappingNode) else None
    if not isinstance(node, MappingNode) or not isinstance(cases, MappingNode):
        raise EditionError(report)
    result: list[tuple[Scalar, Case | Report]] = []
    for key, body in cases.items():
        own = Report()
        read_case = case(rules, key, body, node.get("seats"), own)
        result.append((key, own if read_case is None or not own.ok else read_case))
    return result


def case(
    rules: Rules, key: Scalar, body: Node, seats: Node | None, report: Report, options: Mapping[str, str] | None = None
) -> Case | None:
    """Read a case; errors go to the report, and the case is usable only if there are none. None without seats that can
    play. body: a mapping; seats, options: defaults for the case."""
    return _CaseReader(rules, key, body, seats, report, options or {}).read()


def texts_of(name: str, body: Node) -> Iterator[tuple[str, Scalar]]:
    """Yield the texts of a case: the story so far, then each `tell` and `teach`, with its context in catalogs."""
    text = body.get("text") if isinstance(body, MappingNode) else None
    if isinstance(text, Scalar):
        yield f"{key_of(name)}.text", text
    do = body.get("do") if isinstance(body, MappingNode) else None
    for step in do.items if isinstance(do, SequenceNode) else ():
        for key in ("tell", "teach"):
            text = step.get(key) if isinstance(step, MappingNode) else None
            if isinstance(text, Scalar):
                yield f"{key_of(name)}.{key}", text


def _text_of(step: Node, key: str) -> Scalar | None:
    """Return the text below a key of a step; None for anything else."""
    text = step.get(key) if isinstance(step, MappingNode) else None
    return text if isinstance(text, Scalar) else None


def key_of(name: str) -> str:
    """Return the context of a case's texts in catalogs."""
    return f"examples.{name}"


def _check_named(node: MappingNode, rules: Rules, path: Path, report: Report) -> None:
    """Report unknown examples in `leave out`, `print` and `lessons`."""
    others = [name for base in rules.edition.files[1:] for name in _cases_in(examples_of(base))]
    cases = node.get("cases")
    own = list(cases.entries) if isinstance(cases, MappingNode) else []
    every = [*own, *others]
    for key, known in (("leave out", others), ("print", every), ("lessons", every)):
        names = node.get(key)
        for name in names.items if isinstance(names, SequenceNode) else ():
            if isinstance(name, Scalar) and name.text not in known:
                problem = messages.NO_SUCH(kind=messages.EXAMPLE(), name=name.text)
                if key == "leave out":
                    problem = messages.NO_EXAMPLE_IN_BASES(edition=rules.name, name=name.text)
                report.error(name.place, problem, *did_you_mean(name.text, known))


def _cases_in(file: Path) -> list[str]:
    """Return the names of the cases in a file; [] if it is missing or cannot be read."""
    tree = yaml_reader.read(file, None, Report(), str(file)) if file.is_file() else None
    cases = tree.get("cases") if isinstance(tree, MappingNode) else None
    return list(cases.entries) if isinstance(cases, MappingNode) else []


def _load_rules(
    node: MappingNode, text: str, path: Path, shown_as: str, editions: Editions, report: Report
) -> Rules | None:
    """Load the edition that a file of cases names or contains; report an unknown one and return None. Raises
    EditionError."""
    edition = node.entries["edition"]
    if isinstance(edition, MappingNode):
        return library.from_text(extract_mapping(node, edition, text), shown_as)
    assert isinstance(edition, Scalar)
    name = edition.text
    if name.endswith((".yaml", ".yml")):
        name = str(path_on_disk(path.parent / name))
    try:
        return editions.load(name)
    except UnknownEdition as error:
        report.error(edition.place, messages.UNKNOWN_EDITION(reason=str(error).replace(name, edition.text)))
        return None


class _CaseReader:
    """Reader of one case. seats_node: its own seats, else those of the file; usual: choices of options that the case
    does not set."""

    def __init__(
        self, rules: Rules, key: Scalar, body: Node, seats: Node | None, report: Report, options: Mapping[str, str]
    ) -> None:
        assert isinstance(body, MappingNode)
        self.rules, self.key, self.body, self.report, self.usual = rules, key, body, report, options
        self.seats_node = body.get("seats") or seats

    def read(self) -> Case | None:
        """Return the case, usable only if nothing is reported; None without seats that can play."""
        seats, roles = self._seats()
        if not seats:
            return None
        names = CaseNames(self.rules, seats, self.report)
        self._check_clashes(names)
        options = self._options()
        seed_node = self.body.get("seed")
        seed = int(seed_node.text) if isinstance(seed_node, Scalar) else _DEFAULT_SEED
        expectations = Expectations(names)
        steps = self._read_steps(names, expectations)
        if (expect := self.body.get("expect")) is not None:
            steps.append(Expected(expect.place, tuple(expectations.read(expect))))
        if not self._checks_anything():
            self.report.error(self.key.place, messages.CASE_EXPECTS_NOTHING(), messages.ADD_EXPECT())
        position, state, laid = self.body.get("given"), None, frozenset[Spot]()
        if isinstance(position, MappingNode):
            reader = GivenReader(names, position, self.report)
            state = reader.read(roles, options, seed)
            laid = frozenset([*(spot for spot, zone in reader.zones.items() if zone.exact), *reader.counters])
        setting = StartingPoint(self.rules, tuple(seats), tuple(roles), options, seed, state)
        text = self.body.get("text")
        story = text if isinstance(text, Scalar) else None
        explained, show = self._explained(names), self._pictured_spots(names)
        learner_node = self.body.get("learner")
        learner = names.seat(learner_node) if isinstance(learner_node, Scalar) else None
        return Case(self.key.text, self.key.place, setting, tuple(steps), explained, story, laid, show, learner)

    def _pictured_spots(self, names: CaseNames) -> tuple[Spot, ...] | None:
        """Return the zones and counters to show; a name means those of all seats, or of the seat before it. None if the
        case does not say."""
        node = self.body.get("show")
        if not isinstance(node, SequenceNode):
            return None
        known = names.named_spots()
        spots: list[Spot] = []
        for item in names.texts(node):
            text = item.text.replace("’", "'")
            if text in known:
                spots += known[text]
            else:
                problem = messages.NO_SUCH(kind=messages.ZONE_OR_COUNTER(), name=item.text)
                names.report_unknown(item, problem, known)
        return tuple(dict.fromkeys(spots))

    def _explained(self, names: CaseNames) -> str:
        """Return the key of the rule that the case explains, or ''. A phase of one edition may be a step in one that
        extends it."""
        node = self.body.get("explains")
        if not isinstance(node, Scalar):
            return ""
        known = list(names.program.rules)
        section, _, name = node.text.partition(".")
        other = {"phases": "steps", "steps": "phases"}.get(section, section)
        for key in (node.text, f"{other}.{name}"):
            if key in known:
                return key
        names.report_unknown(node, messages.NO_SUCH_RULE(name=node.text), known)
        return ""

    def _checks_anything(self) -> bool:
        """Return whether the case has an expectation or a refused answer."""
        do = self.body.get("do")
        steps = do.items if isinstance(do, SequenceNode) else []
        return "expect" in self.body.entries or any(
            isinstance(step, MappingNode) and step.entries.keys() & {"expect", "refused"} for step in steps
        )

    def _seats(self) -> tuple[list[str], list[str | None]]:
        """Return names and roles; ([], []) after reporting that they cannot play."""
        if not isinstance(self.seats_node, SequenceNode):
            self.report.error(self.key.place, messages.NOBODY_SITS(), messages.WRITE_SEATS())
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
            self.report.error(self.seats_node.place, messages.BAD_SEATS(reason=str(error)))
            return [], []
        return names, roles

    def _check_clashes(self, names: CaseNames) -> None:
        """Report seats with the name of something else that may stand beside them."""
        for name in names.seats:
            if name in (*RESERVED, "waiting", "tell", "teach") or names.is_here(name, TABLE):
                assert self.seats_node is not None
                problem = messages.SEAT_NAME_TAKEN(name=name)
                self.report.error(self.seats_node.place, problem, messages.USE_CAPITALS())

    def _options(self) -> dict[str, str]:
        """Return all options with their choices; report invalid ones, which stay as usual."""
        options = dict(self.usual)
        node = self.body.get("options")
        for key, value in node.items() if isinstance(node, MappingNode) else ():
            choice = value.text if isinstance(value, Scalar) else ""
            try:
                check_options(self.rules, {key.text: choice})
                options[key.text] = choice
            except GameError as error:
                known = key.text in self.rules.edition.options
                place = value.place if known else key.place
                self.report.error(place, messages.UNKNOWN_OPTION(reason=str(error)))
        return check_options(self.rules, options)

    def _read_steps(self, names: CaseNames, expectations: Expectations) -> list[ScriptedAnswer | Expected]:
        """Read the answers and expectations under `do`; report keys that do not belong there."""
        node = self.body.get("do")
        steps: list[ScriptedAnswer | Expected] = []
        for item in node.items if isinstance(node, SequenceNode) else ():
            entries = names.entries(item)
            for key, value in entries:
                others = {other.text for other, _ in entries} - {"expect", "tell", "teach"}
                if key.text not in ("expect", "refused", "tell", "teach"):
                    steps += self._read_answers(names, [(key, value)], False)
                elif len(entries) > 1 and (others or key.text == "refused"):
                    self.report.error(key.place, messages.STEP_OF_ITS_OWN(name=key.text), messages.BEGIN_ITEM())
                elif key.text == "expect":
                    tell, teach = (_text_of(item, name) for name in ("tell", "teach"))
                    checks = tuple(expectations.read(value))
                    steps.append(Expected(key.place, checks, tell, expectations.subject(value), teach))
                elif key.text == "tell":
                    if "expect" not in (other.text for other, _ in entries):
                        self.report.error(key.place, messages.TELL_WITHOUT_EXPECT(), messages.ADD_EXPECT_TO_STEP())
                elif key.text == "teach":
                    if len(entries) == 1:
                        steps.append(Expected(key.place, (), teach=_text_of(item, "teach")))
                else:
                    steps += self._read_answers(names, names.entries(value), True)
        return steps

    def _read_answers(
        self, names: CaseNames, entries: list[tuple[Scalar, Node]], refused: bool
    ) -> list[ScriptedAnswer]:
        """Return answers from seats and keys. refused: whether they must be refused."""
        result = []
        for key, value in entries:
            seat = names.seat(key)
            keys = [value] if isinstance(value, Scalar) else names.texts(value)
            if seat is not None:
                result.append(ScriptedAnswer(key.place, seat, tuple(name.text for name in keys), refused))
        return result
