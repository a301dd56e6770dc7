"""Texts of the page that the scripts of each page ask for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulewright.server.web.page_texts import WORDS

_BEGINNING = re.compile(r"`(\w[\w ]* )\$\{")
"""Beginning of a name of a text that a script completes: `new turn ${…}`."""


def unused_words(scripts: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Return for each page the names of texts that only the scripts of other pages have.

    scripts: the text of each page's scripts. What a page builds of a beginning and a part, `new turn ${name}`, it has;
    a name that no page has is built by one of them otherwise, so all get it.
    """
    by_page = {page: _asked_for(script) for page, script in scripts.items()}
    known = frozenset[str]().union(*by_page.values())
    return {page: known - names for page, names in by_page.items()}


def _asked_for(script: str) -> frozenset[str]:
    """Return the names of texts that a script may ask for: one of several words stands there in quotes, or is built of
    its beginning; another one may be part of anything."""
    beginnings = tuple(frozenset(_BEGINNING.findall(script)))

    def has(name: str) -> bool:
        if name.startswith(beginnings):
            return True
        return any(f"{quote}{name}{quote}" in script for quote in "\"'`") if " " in name else name in script

    return frozenset(filter(has, WORDS))
