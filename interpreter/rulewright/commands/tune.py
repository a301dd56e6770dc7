"""Command `rulewright tune`: searches values, and writes the best as a variant, with a page."""

from __future__ import annotations

import re
import sys
import textwrap
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rulewright.authoring import new_variant
from rulewright.base.diagnostics import readable
from rulewright.commands.common import CommandError, check_writable, choose_localizer, require_simulation, write
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.i18n.localizer import Argument, Localizer, english, phrase
from rulewright.publish.console import Console, Styled

if TYPE_CHECKING:
    from rulewright.simulation.tuning.tuning import Tuning

INTERRUPTED = 130
"""Exit status after Ctrl+C: 128 and the signal's number, as shells have it."""
_WIDTH = 110
"""Width of the comment at a variant's beginning."""


def tune(arguments: Namespace) -> int:
    """Look for values that bring a game nearer to goals; write them as a variant, with a page that shows trade-offs."""
    require_simulation()
    from rulewright.simulation.report import is_page  # noqa: PLC0415 - it needs what is not always there
    from rulewright.simulation.tuning.tuning import TuningRequest, prepare, seats_of  # noqa: PLC0415

    rules, localizer = library.load(arguments.edition), choose_localizer(arguments.lang)
    if arguments.seats is not None and arguments.players is not None:
        raise CommandError(phrase("errors", "--seats says how many play: leave out --players."))
    seats = arguments.seats if arguments.players is None else seats_of(rules, arguments.players)
    file = Path(arguments.out) if arguments.out is not None else Path(f"{_stem(rules)}-tuned.yaml")
    page = file.with_suffix(".html")
    if file.suffix not in (".yaml", ".yml"):
        raise CommandError(phrase("errors", "A variant is a file that ends in .yaml, not '{path}'.", path=str(file)))
    check_writable(file, arguments.overwrite)
    check_writable(page, arguments.overwrite or is_page(page))
    request = TuningRequest(
        arguments.vary,
        arguments.toward,
        seats,
        arguments.games,
        arguments.trials,
        arguments.time,
        arguments.seed,
        arguments.processes,
    )
    tuning = prepare(rules, request)
    status = _search(tuning, None if arguments.quiet else sys.stderr, localizer)
    _show_proposal(tuning, localizer)
    text = _variant(tuning, file)
    if text:
        write(file, text, overwrite=arguments.overwrite)
    _write_page(tuning, page, text, localizer)
    console = Console(None, sys.stdout, localizer=localizer)
    if text:
        console.command(phrase("tuning", "The variant:"), str(file))
    console.command(phrase("tuning", "The page, with all trade-offs:"), str(page))
    return status


def _search(tuning: Tuning, out: TextIO | None, localizer: Localizer) -> int:
    """Search and check; return the exit status. Ctrl-C ends the search, and a second time the check."""
    from rulewright.simulation.progress import Progress  # noqa: PLC0415 - it needs what is not always there
    from rulewright.simulation.tuning import tuning_texts  # noqa: PLC0415 - as above

    def note(message: Argument) -> None:
        if out is not None:
            print(readable(localizer.say(message)), file=out, flush=True)

    note(tuning_texts.question(tuning, localizer))
    note(tuning_texts.play_note(tuning, localizer))
    status = 0
    games = tuning.table.games
    progress = Progress(max(1, tuning.planned) * games, 0, out, localizer)
    try:
        for _ in tuning.search():
            progress.add(games)
    except KeyboardInterrupt:
        status = INTERRUPTED
    finally:
        progress.close()
    if status:
        note(
            phrase(
                "tuning",
                "Stopped. The best so far are checked on fresh games; Ctrl-C once more leaves that out. The same "
                "command goes on with what was played.",
            )
        )
    else:
        note(phrase("tuning", "The best are checked on fresh games."))
    try:
        for _ in tuning.check():
            pass
    except KeyboardInterrupt:
        tuning.checked.clear()
        status = INTERRUPTED
    return status


def _show_proposal(tuning: Tuning, localizer: Localizer) -> None:
    """Print how far the search came, the proposed values and the reasons."""
    from rulewright.simulation.tuning import tuning_texts  # noqa: PLC0415 - it needs what is not always there

    console, proposed = Console(None, sys.stdout, localizer=localizer), tuning.proposed().candidate
    console.paragraph(tuning_texts.progress_note(tuning, localizer))
    if proposed != tuning.space.now:
        console.paragraph(localizer.title(tuning_texts.candidate_text(tuning, proposed, localizer)), style="title")
    for line in (tuning_texts.reason(tuning, localizer), *tuning_texts.proposal(tuning, localizer)):
        console.paragraph(line, first=Styled("·", "mark"), hang="  ")


def _variant(tuning: Tuning, file: Path) -> str:
    """Return the text of the variant; '' if nothing is better than the edition's own values."""
    from rulewright.simulation.tuning import tuning_texts  # noqa: PLC0415 - it needs what is not always there

    changes = tuning.space.changes(tuning.proposed().candidate)
    if not changes:
        return ""
    plain = english()
    notes = [
        f"A variant of {tuning.rules.title} with the values that 'rulewright tune' found.",
        "",
        *(f"Wanted: {goal.in_words(plain)}." for goal in tuning.goals),
        *tuning_texts.proposal(tuning, plain),
        tuning_texts.play_note(tuning, plain),
    ]
    notes = [line for note in notes for line in textwrap.wrap(note, _WIDTH, subsequent_indent="  ") or [""]]
    now = {each.path: each.in_edition(each.now) for each in tuning.space.varied}
    values = {path: (text, now[path]) for path, text in changes.items()}
    return new_variant.draft_with_changes(tuning.rules.edition, file, values, notes)


def _write_page(tuning: Tuning, page: Path, variant: str, localizer: Localizer) -> None:
    from rulewright.simulation.tuning.tuning_page import tuning_page  # noqa: PLC0415 - it needs what is not always there

    write(page, tuning_page(tuning, localizer, variant), overwrite=True)


def _stem(rules: Rules) -> str:
    """Return an edition's name without its folder, as part of a file name."""
    return re.sub(r"[^\w-]+", "-", Path(rules.name).stem).strip("-")[-60:] or "game"
