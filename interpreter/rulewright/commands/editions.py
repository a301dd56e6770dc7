"""Command `rulewright editions`."""

from __future__ import annotations

import sys
from argparse import Namespace

from rulewright.base.diagnostics import EditionError
from rulewright.commands.common import choose_localizer
from rulewright.game import library
from rulewright.game.terms import Terms, localizer_of
from rulewright.i18n.localizer import phrase
from rulewright.publish.console import Console, cell_width, flow


def editions(arguments: Namespace) -> int:
    """Print the games there are, series by series: name, title, players, seats and options."""
    localizer = choose_localizer(arguments.lang)
    console, say = Console(None, sys.stdout, localizer=localizer), localizer.say
    heads = (
        phrase("editions", "NAME"),
        phrase("editions", "TITLE"),
        phrase("editions", "PLAYERS"),
        phrase("editions", "SEATS"),
        phrase("editions", "OPTIONS"),
    )
    rows: list[tuple[str, ...]] = [tuple(map(say, heads))]
    series: dict[str, list[tuple[str, ...]]] = {}  # those that belong to none come first
    for name in library.available():
        try:
            edition = library.load(name).edition
        except EditionError:
            broken = (name, say(phrase("editions", "has errors")), "", "", f"rulewright check {name}")
            series.setdefault("", []).append(broken)
            continue
        words, terms = localizer_of(edition, localizer.language), Terms(edition)
        options = localizer.join_items([words.say(terms.option(option)) for option in edition.options]) or "–"
        row_of_edition = (
            name,
            words.say(terms.title()),
            localizer.span(*edition.people),
            localizer.span(*edition.seats),
            options,
        )
        series.setdefault(words.say(terms.series()) if edition.series else "", []).append(row_of_edition)
    for heading in sorted(series):
        if heading:
            rows += [("", "", "", "", ""), (heading, "", "", "", "")]
        rows += series[heading]
    widths = [max(cell_width(row[column]) for row in rows) for column in range(4)]
    margin = sum(widths) + 2 * len(widths)
    for row in rows:
        head = "".join(t + " " * (w + 2 - cell_width(t)) for t, w in zip(row, widths, strict=False))
        last = flow(row[4].split(), max(20, console.width - margin)) if console.shows_terminal else [row[4]]
        for number, text in enumerate(last or [""]):
            console.write_line(head if number == 0 else " " * margin, text)
    return 0
