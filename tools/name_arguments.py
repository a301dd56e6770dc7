"""Arguments of tools that name an edition or one of several things; a wrong name gives an error that lists them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection

from rulewright.model.editions import UnknownEdition, find


def edition_name(text: str) -> str:
    """Return the full name of an edition, for `type=` of an argument."""
    try:
        return find(text)[0]
    except UnknownEdition as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def one_of(names: Collection[str]) -> Callable[[str], str]:
    """Return a `type=` that takes these names alone. Other than `choices`, it allows that none is given."""

    def known(text: str) -> str:
        if text not in names:
            raise argparse.ArgumentTypeError(f"There is no '{text}'. There are: {', '.join(sorted(names))}.")
        return text

    return known
