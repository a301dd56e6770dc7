"""Rulebooks of editions with options, as pages. One is made at a time, since that takes seconds, and some are kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping

from rulewright.rulebook import book, html
from rulewright.rulebook.contents import Contents
from rulewright.serving.offers import Offer

MOST_KEPT = 12


class Books:
    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, ...], str] = OrderedDict()
        self._making = asyncio.Lock()

    async def page(self, offer: Offer, language: str, options: Mapping[str, str]) -> str:
        """Raises GameError for options that the edition does not have."""
        name = (offer.pinned.digest, language, *(text for option in sorted(options.items()) for text in option))
        if name not in self._kept:
            async with self._making:
                if name not in self._kept:
                    self._kept[name] = await asyncio.to_thread(_made, offer, language, options)
        self._kept.move_to_end(name)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return self._kept[name]


def _made(offer: Offer, language: str, options: Mapping[str, str]) -> str:
    return html.page(book.rulebook(Contents(offer.rules, language, options)))
