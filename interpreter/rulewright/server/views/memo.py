"""Memos of computed parts of a view, which several viewers share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")
U = TypeVar("U")


class Memo(Protocol):
    """Cache of computed parts of a view, as `view_cache.TableSnapshot` implements it. key: of one part only; make:
    computes it where it is not cached."""

    def fixed(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return a part that never changes in the game."""

    def once(self, key: Hashable, make: Callable[[], T], of: Hashable = None) -> T:
        """Return a part, computed anew only if `of`, or what it read of the state, has changed."""

    def each(self, key: Hashable, items: Sequence[T], make: Callable[[T], U]) -> Sequence[U]:
        """Return a part for each item, computed anew only for what has changed; always the same number of items for a
        key."""


class NoMemo:
    """Memo that caches nothing."""

    def fixed(self, _key: Hashable, make: Callable[[], T]) -> T:
        return make()

    def once(self, _key: Hashable, make: Callable[[], T], of: Hashable = None) -> T:
        return make()

    def each(self, _key: Hashable, items: Sequence[T], make: Callable[[T], U]) -> Sequence[U]:
        return list(map(make, items))
