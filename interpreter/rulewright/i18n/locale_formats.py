"""Numbers, dates and lists in the format of a language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from babel import Locale
from babel.lists import format_list as format_babel_list
from babel.numbers import format_decimal, format_percent

MINUS = "−"
"""Minus sign of every language: a hyphen is narrower than a digit, and lines break after it."""


@lru_cache(maxsize=4096)
def format_number(number: float, locale: Locale) -> str:
    """Format a number, with at most three decimals, without zeros at their end."""
    return format_decimal(number, locale=locale).replace("-", MINUS)


def format_fraction(value: float, digits: int, percent: bool, locale: Locale) -> str:
    """Format a fractional number. digits: decimals; percent: whether to write it as a percentage, 1 as 100 %."""
    places = "." + "0" * digits if digits else ""
    if percent:
        pattern = locale.percent_formats[None].pattern.replace("0", f"0{places}")
        return format_percent(value, pattern, locale=locale).replace("-", MINUS)
    return format_decimal(value, f"#,##0{places}", locale=locale).replace("-", MINUS)


def format_time(seconds: float, locale: Locale) -> str:
    """Format a date and a local time, given in seconds since 1970."""
    from babel.dates import LOCALTZ, format_datetime  # noqa: PLC0415 - seldom needed

    return format_datetime(seconds, "short", tzinfo=LOCALTZ, locale=locale)


def format_list(texts: Sequence[str], style: Literal["standard", "or"], locale: Locale) -> str:
    """Join texts by commas and the language's 'and', or its 'or'."""
    return format_babel_list(list(texts), style=style, locale=locale)
