"""The pane 'Changes': what an edition changes, in words, against what it extends or against what it said before."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.routing import BaseRoute, Route

from rulewright.authoring.differences import Difference, differences, technical
from rulewright.base.diagnostics import EditionError
from rulewright.base.records import record
from rulewright.editing.document_symbols import OutlineItem, outline
from rulewright.editing.text_document import OpenFile
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.model.declarations import Edition
from rulewright.publish.rulebook.changes import extended
from rulewright.syntax import schema
from rulewright.syntax.source import MappingNode, SequenceNode
from rulewright.workbench.book.book_requests import rules_of
from rulewright.workbench.core import version_history
from rulewright.workbench.core.bench import Bench
from rulewright.workbench.core.json_handlers import answering, file, language
from rulewright.workbench.core.version_history import Version
from rulewright.workbench.core.workspace import BenchError

BASE, OPENED = "base", "opened"
_MOST_NAMED = 50

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


@record
class ComparedWith:
    """Something that an edition can be compared with. key: BASE, OPENED or the number of a version; name: of the base
    or the version, '' where the page knows what to say."""

    key: str
    name: str


@record
class Change:
    """A difference with its place in the file; line: 0 where there is none."""

    sentence: str
    before: str
    after: str
    line: int
    column: int


def placed(path: Path, text: str, about: str) -> tuple[int, int]:
    """Line and column at which a file tells something, by its dotted name, or the section around it; (0, 0) where
    nothing of it stands there."""
    sheet = OpenFile(path, text, schema.EDITION)
    wanted = about.split(".")
    found = [(keys, item) for keys, item in _items(outline(sheet), ()) if _leads(keys, wanted)]
    if found:
        return found[0][1].line, found[0][1].column
    removed = sheet.tree.get("remove") if isinstance(sheet.tree, MappingNode) else None
    for name in removed.items if isinstance(removed, SequenceNode) else ():
        parts = getattr(name, "text", "").split(".")
        if _leads(parts, wanted) or parts == wanted[:1]:
            return name.place.line, name.place.column
    return placed(path, text, about.rpartition(".")[0]) if len(wanted) > 1 else (0, 0)


def _items(items: Iterable[OutlineItem], path: tuple[str, ...]) -> Iterator[tuple[Sequence[str], OutlineItem]]:
    for item in items:
        here = (*path, item.name) if path or item.name != "change" else ()
        if here:
            yield here, item
        yield from _items(item.below, here)


def _leads(path: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether a path ends where a dotted name ends, and passes by its other parts."""
    keys = iter(path)
    return path[-1] == wanted[-1] and all(any(key == part for key in keys) for part in wanted)


@lru_cache(maxsize=8)
def _read(path: Path, text: str) -> Rules | None:
    """The rules of an older text; None where that had mistakes."""
    with suppress(EditionError):
        return library.from_text(text, str(path), at=path)
    return None


def routes(bench: Bench) -> list[BaseRoute]:
    begun = time.time()

    def changes(request: Request, _: Any) -> object:
        """How an edition differs. The slot `since` says from what."""
        name = file(request)
        now = rules_of(bench, name)
        others = list(comparable(name, now.edition))
        wanted = request.query_params.get("since") or others[0].key
        before = the_other(name, now, wanted)
        found, path, text = differences(before, now, language(request)), bench.folder.file(name), bench.text(name)
        names = [change.name for change in technical(before.edition, now.edition)] if not found else []
        return {
            "since": wanted,
            "others": others,
            "sections": [
                {"title": title, "changes": [_change(one, path, text) for one in section]}
                for title, section in found.items()
            ],
            "written": names,
        }

    def comparable(name: str, now: Edition) -> Iterator[ComparedWith]:
        if now.bases and (base := extended(now)) is not None:
            yield ComparedWith(BASE, base.title)
        yield ComparedWith(OPENED, "")
        for version in [version for version in bench.versions.listed(name) if version.label][:_MOST_NAMED]:
            yield ComparedWith(str(version.id), version.label)

    def the_other(name: str, now: Rules, wanted: str) -> Rules:
        """Raises BenchError."""
        if wanted == BASE and (base := extended(now.edition)) is not None:
            return base
        listed = bench.versions.listed(name)
        opened = _as_opened(listed, begun) if wanted == OPENED else 0
        number = next((version.id for version in listed if str(version.id) == wanted), opened)
        text = bench.versions.text(name, number)
        if text is None:
            raise BenchError(phrase("errors", "There is no such version."))
        found = _read(bench.folder.file(name), text)
        if found is None:
            raise BenchError(phrase("errors", "That version had mistakes, so it cannot be compared with this one."))
        return found

    return [Route("/api/changes", answering(changes))]


def _as_opened(listed: Sequence[Version], begun: float) -> int:
    """Which version a file had when the workbench opened it. listed: the newest first; begun: when it was started."""
    since = [version for version in listed if version.at >= begun]
    if since and since[-1].why == version_history.OPENED:
        return since[-1].id
    before = [version for version in listed if version.at < begun] or since[-1:]
    return before[0].id if before else 0


def _change(difference: Difference, path: Path, text: str) -> Change:
    line, column = placed(path, text, difference.about) if difference.about else (0, 0)
    return Change(difference.sentence, difference.before, difference.after, line, column)
