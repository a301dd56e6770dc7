"""Cache of parsed sentences of an edition, kept between runs: most stay the same when a file changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Any, TypeVar

from rulewright.base import cache

Result = TypeVar("Result")
Reader = Callable[[str, str], Result]
"""Parser of a text by a rule of the grammar."""
SentenceKey = tuple[str, str, str]
"""Name of the reading function, entry point of the grammar, and text."""
UsedResults = dict[SentenceKey, tuple[Any, Callable[[Any], Any]]]
"""Results, each with the function that makes plain data of it."""

MAX_SENTENCES = 5_000
"""Maximum number of stored results of one edition, those used last."""


class _StoredResults:
    """Stored results of one edition, as plain data, those used last first. Threads share them: they are replaced, never
    changed. name: of the entry in the cache on disk."""

    def __init__(self, name: str) -> None:
        entries = cache.get(name)
        self.name, self.entries = name, entries if isinstance(entries, dict) else {}

    def store(self, used: UsedResults) -> None:
        """Put the results of a reading first, drop the last ones beyond MAX_SENTENCES, and write all to disk; do
        nothing if none of them is new."""
        known = self.entries
        if used.keys() - known.keys():
            data = {entry: known.get(entry) or to_data(result) for entry, (result, to_data) in used.items()}
            self.entries = dict(list({**data, **known}.items())[:MAX_SENTENCES])
            cache.store(self.name, self.entries)


class _SentenceCache:
    """Cache while the sentences of an edition are read. used: results needed so far."""

    def __init__(self, stored: _StoredResults) -> None:
        self.stored = stored
        self.used: UsedResults = {}


_CLEARERS: list[Callable[[], None]] = []
"""Functions that clear the caches in this process."""


def clear() -> None:
    """Drop all results in this process; stored ones stay."""
    for clear_one in _CLEARERS:
        clear_one()


_CURRENT: ContextVar[_SentenceCache | None] = ContextVar("sentence_cache", default=None)
"""Cache of the edition that this thread is reading; None outside."""
_opened = lru_cache(maxsize=4)(_StoredResults)
"""Stored results of the editions read last, so that each is loaded once."""
_CLEARERS.append(_opened.cache_clear)


@contextmanager
def use_sentence_cache(edition: str) -> Iterator[None]:
    """Cache results while the sentences of an edition are read, and store them at the end. edition: name of its cache,
    whatever its content, or '' for none. Inside another use for the same edition it does nothing."""
    name = cache.key("sentences", edition)
    if not edition or ((outer := _CURRENT.get()) is not None and outer.stored.name == name):
        yield
        return
    current = _SentenceCache(_opened(name))
    before = _CURRENT.set(current)
    try:
        yield
    finally:
        _CURRENT.reset(before)
        current.stored.store(current.used)


def cache_readings(
    to_data: Callable[[Result], Any], from_data: Callable[[Any], Result]
) -> Callable[[Reader[Result]], Reader[Result]]:
    """Decorate a pure function of a text and a grammar entry point, to cache its results; errors are not cached.
    to_data: turns a result into plain data, never None; from_data: the inverse."""

    def decorated(work: Reader[Result]) -> Reader[Result]:
        """Wrap a reader so that its results are cached in the process, and between runs where a cache is in use."""

        @lru_cache(maxsize=10_000)
        def read_once(text: str, start: str) -> Result:
            current = _CURRENT.get()
            if current is not None and (data := current.stored.entries.get((work.__name__, start, text))) is not None:
                return from_data(data)
            return work(text, start)

        @wraps(work)
        def lookup(text: str, start: str) -> Result:
            value = read_once(text, start)
            if (current := _CURRENT.get()) is not None:
                current.used[work.__name__, start, text] = value, to_data
            return value

        _CLEARERS.append(read_once.cache_clear)
        return lookup

    return decorated
