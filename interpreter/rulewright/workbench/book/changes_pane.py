"""Pane 'Changes': differences of an edition from the one it extends, or from an earlier version, in words."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.routing import BaseRoute

from rulewright.authoring.differences import Difference, differences, text_changes
from rulewright.base.diagnostics import EditionError
from rulewright.base.records import record
from rulewright.editing.document_symbols import OutlineItem, outline
from rulewright.editing.text_document import OpenFile
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.model.edition import Edition
from rulewright.publish.rulebook.changes import extended_rules
from rulewright.syntax import schema
from rulewright.syntax.source import MappingNode, SequenceNode
from rulewright.workbench.core import version_history
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import file, get, language
from rulewright.workbench.core.version_history import Version
from rulewright.workbench.core.workspace import BenchError

BASE, OPENED = "base", "opened"
"""Sides of a comparison, besides numbers of versions: the extended edition, and the file when the workbench started."""
_MAX_VERSIONS = 50
"""Maximum number of named versions to compare with, newest first."""

WORDS: Mapping[str, Phrase] = {
    "changes": phrase("design", "Changes"),
    "compared with": phrase("design", "Compared with"),
    "since opened": phrase("design", "this file when you opened it"),
    "changes before": phrase("design", "Before"),
    "changes now": phrase("design", "Now"),
    "no changes": phrase("design", "No rule is different."),
    "changes of texts": phrase("design", "Only how it is written is different: {names}."),
    "changes told": phrase("design", "What players would notice, in words. A click shows where it stands."),
    "looking for changes": phrase("design", "Comparing …"),
}
"""Phrases of the page by the names that its code has for them."""


@record
class ComparisonChoice:
    """Choice to compare an edition with. key: BASE, OPENED or the number of a version; name: of the base or version, ''
    where the page has a word."""

    key: str
    name: str


@record
class Change:
    """Difference with its place in the file. line: 0 for none."""

    sentence: str
    before: str
    after: str
    line: int
    column: int


def find_place(path: Path, text: str, about: str) -> tuple[int, int]:
    """Return line and column at which a file defines a dotted name, or removes it, or has the section around it; (0, 0)
    if nowhere.
    """
    sheet = OpenFile(path, text, schema.EDITION)
    target = about.split(".")
    matches = [(keys, item) for keys, item in _items_below(outline(sheet), ()) if _matches(keys, target)]
    if matches:
        return matches[0][1].line, matches[0][1].column
    removed = sheet.tree.get("remove") if isinstance(sheet.tree, MappingNode) else None
    for name in removed.items if isinstance(removed, SequenceNode) else ():
        parts = getattr(name, "text", "").split(".")
        if _matches(parts, target) or parts == target[:1]:
            return name.place.line, name.place.column
    return find_place(path, text, about.rpartition(".")[0]) if len(target) > 1 else (0, 0)


def _items_below(items: Iterable[OutlineItem], path: tuple[str, ...]) -> Iterator[tuple[Sequence[str], OutlineItem]]:
    """Yield items of an outline with their paths, `change` left out at the beginning."""
    for item in items:
        item_path = (*path, item.name) if path or item.name != "change" else ()
        if item_path:
            yield item_path, item
        yield from _items_below(item.below, item_path)


def _matches(path: Sequence[str], parts: Sequence[str]) -> bool:
    """Return whether a path ends with a dotted name's end and has its other parts in order."""
    keys = iter(path)
    return path[-1] == parts[-1] and all(any(key == part for key in keys) for part in parts)


@lru_cache(maxsize=8)
def _read_rules(path: Path, text: str) -> Rules | None:
    """Read the rules of an older text; None if it had errors."""
    with suppress(EditionError):
        return library.from_text(text, str(path), file=path)
    return None


def routes(bench: Bench) -> list[BaseRoute]:
    """Return the routes of the pane that lists differences."""
    start = time.time()

    def changes(request: Request, _: Any) -> object:
        """List an edition's differences. The parameter `since` names the other side."""
        name = file(request)
        now = bench.rules(name)
        others = list(comparable(name, now.edition))
        since = request.query_params.get("since") or others[0].key
        before = other_rules(name, now, since)
        differing, path, text = differences(before, now, language(request)), bench.folder.file(name), bench.text(name)
        names = [change.name for change in text_changes(before.edition, now.edition)] if not differing else []
        return {
            "since": since,
            "others": others,
            "sections": [
                {"title": title, "changes": [_change(one, path, text) for one in section]}
                for title, section in differing.items()
            ],
            "written": names,
        }

    def comparable(name: str, now: Edition) -> Iterator[ComparisonChoice]:
        if now.bases and (base := extended_rules(now)) is not None:
            yield ComparisonChoice(BASE, base.title)
        yield ComparisonChoice(OPENED, "")
        for version in [version for version in bench.versions.list_versions(name) if version.label][:_MAX_VERSIONS]:
            yield ComparisonChoice(str(version.id), version.label)

    def other_rules(name: str, now: Rules, since: str) -> Rules:
        """Return the rules to compare with. Raises BenchError."""
        if since == BASE and (base := extended_rules(now.edition)) is not None:
            return base
        listed = bench.versions.list_versions(name)
        opened = _version_at_start(listed, start) if since == OPENED else 0
        number = next((version.id for version in listed if str(version.id) == since), opened)
        text = bench.versions.text(name, number)
        if text is None:
            raise BenchError(phrase("errors", "There is no such version."))
        rules = _read_rules(bench.folder.file(name), text)
        if rules is None:
            raise BenchError(phrase("errors", "That version had mistakes, so it cannot be compared with this one."))
        return rules

    return [get("/api/changes", changes)]


def _version_at_start(versions: Sequence[Version], start: float) -> int:
    """Return the version that a file had when the workbench started.

    versions: newest first; start: time of the start.
    """
    since = [version for version in versions if version.time >= start]
    if since and since[-1].reason == version_history.OPENED:
        return since[-1].id
    before = [version for version in versions if version.time < start] or since[-1:]
    return before[0].id if before else 0


def _change(difference: Difference, path: Path, text: str) -> Change:
    line, column = find_place(path, text, difference.about) if difference.about else (0, 0)
    return Change(difference.sentence, difference.before, difference.after, line, column)
