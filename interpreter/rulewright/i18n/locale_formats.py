"""Numbers, dates and lists as a language writes them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from babel import Locale
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent

MINUS = "−"
"""What stands before a number below nothing, in every language: a hyphen is shorter than a digit and breaks lines."""


@lru_cache(maxsize=4096)
def whole(number: float, locale: Locale) -> str:
    return format_decimal(number, locale=locale).replace("-", MINUS)


def broken(value: float, digits: int, percent: bool, locale: Locale) -> str:
    """A number that is not whole. digits: so many behind the point; percent: whether it is a share."""
    places = "." + "0" * digits if digits else ""
    if percent:
        pattern = locale.percent_formats[None].pattern.replace("0", f"0{places}")
        return format_percent(value, pattern, locale=locale).replace("-", MINUS)
    return format_decimal(value, f"#,##0{places}", locale=locale).replace("-", MINUS)


def moment(when: float, locale: Locale) -> str:
    """A date and a time of the day, given in seconds since 1970, as clocks show them here."""
    from babel.dates import LOCALTZ, format_datetime  # noqa: PLC0415 - few ever need it

    return format_datetime(when, "short", tzinfo=LOCALTZ, locale=locale)


def listed(texts: Sequence[str], style: Literal["standard", "or"], locale: Locale) -> str:
    return format_list(list(texts), style=style, locale=locale)
