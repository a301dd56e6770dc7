"""Lists of editions: those kept from before, or else ones that grow while a server that has just started reads them."""

from __future__ import annotations

import asyncio
from asyncio import Task
from typing import Any

from rulewright.server.edition_registry import EditionRegistry, OfferedEdition
from rulewright.server.web import edition_index
from rulewright.server.web.edition_list import list_editions

_PATIENCE = 0.5
"""Seconds for which a page waits for the whole list before it takes a part of it."""


class EditionLists:
    """Lists of the offered editions, by language."""

    def __init__(self, offers: EditionRegistry) -> None:
        self._offers = offers
        self._read: dict[str, list[OfferedEdition]] = {}
        self._covers: dict[str, str] = {}
        self._tasks: dict[str, Task[list[dict[str, Any]]]] = {}

    async def whole(self, language: str) -> list[dict[str, Any]]:
        """Return the whole list, however long it takes; readers of one language share the work."""
        if language not in self._tasks:
            task = asyncio.create_task(asyncio.to_thread(self._list, language))
            self._tasks[language] = task
            task.add_done_callback(lambda _: self._tasks.pop(language, None))
        return await asyncio.shield(self._tasks[language])

    async def available(self, language: str) -> tuple[list[dict[str, Any]], int]:
        """Return the whole list and 0, or, if that takes too long, the entries made so far and the number of editions
        still to come."""
        try:
            return await asyncio.wait_for(self.whole(language), _PATIENCE), 0
        except TimeoutError:
            part = list(self._read.get(language, ()))
            return await asyncio.to_thread(list_editions, part, language), max(1, len(self._offers) - len(part))

    def cover(self, digest: str, name: str) -> str | None:
        """Return the picture of a cover, if its edition has been read for a list; None for any other picture."""
        return self._covers.get(edition_index.picture_key(digest, name))

    def _list(self, language: str) -> list[dict[str, Any]]:
        """List all editions, and note their covers: from the kept index, or else read one after the other; then the
        index is stored, unless a file has errors or has changed since the start."""
        paths = self._offers.paths()
        if (index := edition_index.find(paths, language)) is not None:
            self._covers = index.covers
            self._offers.expect(index.names)
            return index.editions
        offered = self._read[language] = list[OfferedEdition]()
        for one in self._offers.each():
            self._covers |= edition_index.covers_of(one)
            offered.append(one)
        editions = list_editions(offered, language)
        index = edition_index.make_index(offered, editions, language)
        if len(offered) == len(paths) and not any(one.changed or one.mistake for one in offered):
            edition_index.store(index, paths, language)
        return editions
