"""What a variant changes, as its rulebook tells it: in whatever language, as people read it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from rulewright.authoring.differences.changes import behaviour
from rulewright.authoring.differences.pair import played
from rulewright.authoring.rule_index import Tellings
from rulewright.authoring.wording import Wording, spaced
from rulewright.base.diagnostics import EditionError
from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Phrase
from rulewright.model.declarations import Edition
from rulewright.model.editions import is_path
from rulewright.publish.rulebook.contents import Contents
from rulewright.publish.rulebook.cross_references import related

_CHANGING = ("powers", "roles", "options")
NEW, CHANGED, GONE, CHOSEN, UNWORDED = "new", "changed", "gone", "chosen", "changed without words"


@record
class StateChange:
    """One thing that is different.

    kind: NEW, CHANGED or GONE; CHOSEN for an option that is not as it was; UNWORDED for a rule whose words are the same
    and which is played otherwise. key: of the rule, as in Program.rules, or 'pieces.NAME' of a component, of which
    title is the sort, or 'players' of their number. before, now: the text, an option's choice, or how many; of what is
    UNWORDED the edition's own sentences, or '' where an option leads to it; '' where there is none.
    """

    kind: str
    key: str
    title: str
    before: str
    now: str


def as_usual(contents: Contents) -> Contents | None:
    """The same edition with all options as usual, if some are not."""
    usual = {option.name: option.choices[option.default] for option in contents.edition.options.values()}
    same = contents.texts.options == usual
    return None if same else Contents(contents.rules, contents.speech.language, played=False)


def base_of(contents: Contents) -> Contents | None:
    """What a rulebook differs from, in its language: the same edition with all options as usual, if some are not, or
    else the edition that it extends. None if it extends none, or one that is not sound by itself."""
    if (usual := as_usual(contents)) is not None:
        return usual
    rules = extended(contents.edition)
    return None if rules is None else Contents(rules, contents.speech.language, played=False)


def extended(edition: Edition) -> Rules | None:
    """The edition that another one extends. None if it extends none, or one that is not sound by itself."""
    if not edition.bases:
        return None
    name = edition.bases[0]
    try:
        return library.load(str(edition.files[1]) if is_path(name) else name)
    except EditionError:
        return None


def changes(now: Contents, base: Contents) -> tuple[StateChange, ...]:
    """What is different, the components first, then the rules in the order of the edition, then what is gone."""
    return (*_players(now, base), *_components(now, base), *_Rules(now, base).changes(), *_limits(now, base))


def _players(now: Contents, base: Contents) -> Iterator[StateChange]:
    (title, here), (_, there) = now.players(), base.players()
    if here != there:
        yield StateChange(CHANGED, "players", title, there, here)


def _limits(now: Contents, base: Contents) -> Iterator[StateChange]:
    here, there = now.limit(), base.limit()
    if here is not None and there is None:
        yield StateChange(NEW, "limit", here.title, "", here.text)
    elif there is not None and here is None:
        yield StateChange(GONE, "limit", there.title, there.text, "")
    elif here is not None and there is not None and here != there:
        yield StateChange(CHANGED, "limit", here.title, there.text, here.text)


# ── components ──


def _components(now: Contents, base: Contents) -> Iterator[StateChange]:
    """Kinds that are new or gone; of the others, the sorts of which there are more or fewer."""
    kinds = {name: kind for contents in (now, base) for name, kind in contents.edition.kinds.items()}
    counts = _counts(now), _counts(base)
    for name in kinds:
        here, there = (found.get(name, {}) for found in counts)
        if bool(here) != bool(there):
            contents, kind = (now, NEW) if here else (base, GONE)
            title = contents.speech.title(contents.terms.kind(contents.edition.kinds[name]))
            total = str(sum(count for _, count in (here or there).values()))
            yield StateChange(kind, RuleKey.of("pieces", name), title, "" if here else total, total if here else "")
            continue
        for sort in dict.fromkeys([*here, *there]):
            title, after = here.get(sort, ("", 0))
            old, before = there.get(sort, ("", 0))
            if before != after:
                kind = CHANGED if before and after else NEW if after else GONE
                yield StateChange(kind, RuleKey.of("pieces", name), title or old, str(before or ""), str(after or ""))


def _counts(contents: Contents) -> dict[str, dict[frozenset[tuple[str, str]], tuple[str, int]]]:
    """Of each kind its sorts, by their attributes: what people call one, and how many there are."""
    wording, edition = Wording(contents.edition), contents.edition
    return {
        name: {
            frozenset(wording.attributes(kind, row).items()): (
                contents.speech.title(contents.terms.piece(kind, row)),
                n,
            )
            for row, n in kind.rows
            if n
        }
        for name, kind in edition.kinds.items()
    }


# ── rules ──


class _Rules:
    def __init__(self, now: Contents, base: Contents) -> None:
        self.now, self.base = now, base
        self.tellings = Tellings(now.edition)
        self.here, self.there = _told(now), _told(base)
        self.keys = {key: found for key in self.here if (found := self.counterpart(key, self.there))}

    def counterpart(self, key: RuleKey, others: Mapping[RuleKey, object]) -> RuleKey | None:
        """The rule's own key in the other edition, where it may be a step instead of a phase; or None."""
        other = {"steps": "phases", "phases": "steps"}.get(key.section)
        also = RuleKey.of(other, key.name) if other else key
        return key if key in others else also if also in others else None

    def changes(self) -> Iterator[StateChange]:
        unworded = self.unworded()
        for key in sorted(self.here, key=self.tellings.place):
            yield from self.chosen(key)
            if key not in self.keys and self.is_common(key):
                yield StateChange(NEW, key, self.title(self.now, key), "", self.now.told(key))
            elif self.is_reworded(key):
                yield self.changed(CHANGED, key)
            elif key in self.keys and key in unworded:
                lines = ("; ".join(dict.fromkeys(told)) for told in unworded[key])
                yield StateChange(UNWORDED, key, self.title(self.now, key), *lines)
        for key in (key for key in self.there if key not in self.keys.values() and self.is_common(key)):
            yield StateChange(GONE, key, self.title(self.base, key), self.base.told(key), "")

    def is_reworded(self, key: RuleKey) -> bool:
        return key in self.keys and self.here[key] != self.there[self.keys[key]]

    def is_common(self, key: RuleKey) -> bool:
        """Whether it is no text about pieces that only one edition has: those are told among the components."""
        return key.section != "pieces" or all(key.name in side.edition.kinds for side in (self.now, self.base))

    def changed(self, kind: str, key: RuleKey) -> StateChange:
        return StateChange(kind, key, self.title(self.now, key), self.base.told(self.keys[key]), self.now.told(key))

    def chosen(self, key: RuleKey) -> Iterator[StateChange]:
        """An option that is not as it was."""
        name = key.name
        options = self.base.texts.options, self.now.texts.options
        if key.section == "options" and not key.choice and all(name in found for found in options):
            before, after = (found[name] for found in options)
            if before != after:
                title, say = self.title(self.now, key), self.now.speech.title
                yield StateChange(CHOSEN, key, title, *(say(self.now.terms.choice(name, c)) for c in (before, after)))

    def title(self, contents: Contents, key: RuleKey) -> str:
        return contents.speech.title(contents.terms.rule(key))

    # ── what is played otherwise, whatever is said ──

    def unworded(self) -> dict[RuleKey, tuple[list[str], list[str]]]:
        """The told rules that are played otherwise, or that tell of something untold that is; with the sentences, and
        the formulas of figures, that only one of the editions has. A figure that new words tell of is told."""
        before, after = _played(self.base.edition), _played(self.now.edition)
        gone, come = self.there.keys() - self.keys.values(), self.here.keys() - self.keys
        found: dict[RuleKey, tuple[list[str], list[str]]] = {}

        def add(keys: Iterable[RuleKey], was: Sequence[str] = (), now: Sequence[str] = ()) -> None:
            for key in keys:
                lines = found.setdefault(key, ([], []))
                lines[0].extend(line for line in was if line not in now)
                lines[1].extend(line for line in now if line not in was)

        for key, lines in after.items():
            other = self.counterpart(key, before)
            if other and (was := _without(before[other], gone)) != (now := _without(lines, come)):
                add(self.tellings.tellers(key), was, now)
        old, new = Wording(self.base.edition), Wording(self.now.edition)
        for name, figure in self.now.edition.figures.items():
            usual_figure = self.base.edition.figures.get(name)
            if usual_figure is not None and old.formula(usual_figure) != new.formula(figure):
                using = dict.fromkeys(key for key in self.tellings.users(name) if key.section not in _CHANGING)
                formulas = [f"{name}: {formula}" for formula in (old.formula(usual_figure), new.formula(figure))]
                if not any(self.is_reworded(key) for key in using):
                    add(using, formulas[:1], formulas[1:])
        leading = related(self.now.edition)
        for name, choice in self.now.texts.options.items():
            usual = self.base.texts.options.get(name, choice)
            if usual != choice:
                for key in (
                    RuleKey.of("options", name),
                    *(RuleKey.of("options", name, each) for each in (usual, choice)),
                ):
                    add(leading.get(key, ()))
        return found


def _told(contents: Contents) -> dict[RuleKey, tuple[object, ...]]:
    """The told rules -> their titles and texts, in no language."""
    found = ((key, contents.texts.rule(key)) for key in contents.texts.told())
    return {
        key: (*(_bare(contents.terms.rule(key)) if key != "edition" else ()), *_bare(text))
        for key, text in found
        if text is not None
    }


def _without(lines: list[str], told: Set[RuleKey]) -> list[str]:
    """The sentences that do none of these told steps, which are changes of their own."""
    names = [re.escape(key.name) for key in told if key.section == "steps"]
    done = re.compile(rf"\bdo ({'|'.join(names)})\b") if names else None
    return [line for line in lines if done is None or not done.search(line)]


def _bare(told: Phrase) -> tuple[object, ...]:
    return told.text, told.slots


def _played(edition: Edition) -> dict[RuleKey, list[str]]:
    """Rule -> what happens, in the edition's own sentences."""
    found = {RuleKey.of("steps", step.name): played(step.body) for step in edition.steps.values()}
    found |= {RuleKey.of("phases", phase.name): played(phase.body) for phase in edition.phases}
    found |= {key: played(said.body) for key, said in edition.sayings().items()}
    if edition.setup is not None:
        found[RuleKey("setup")] = played(edition.setup.body)
    for changing in edition.change_sets:
        choice = changing.choice if changing.choice != "yes" else ""
        found[RuleKey.of(f"{changing.level}s", changing.name, choice)] = behaviour(changing)
    for role in edition.roles.values():
        found[RuleKey.of("roles", role.name)] += [f"{role.joins}", f"{role.scored}", f"{role.uses_powers}"]
    found |= {RuleKey.of("scoring", line.name): [spaced(line.points.text)] for line in edition.scoring}
    if edition.ranking is not None:
        found[RuleKey("ranking")] = [spaced(edition.ranking.text)]
    return found
