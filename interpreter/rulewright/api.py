"""Functions for Python programs: `check`, `simulate` and `rulebook`, as the commands of these names do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rulewright.authoring.edition_check import examine
from rulewright.base.diagnostics import Report
from rulewright.game.library import Rules, load
from rulewright.i18n.localizer import ENGLISH

if TYPE_CHECKING:
    from rulewright.simulation.results_folder import ResultsFolder


def check(edition: str | Path) -> Report:
    """All that is wrong with an edition, by name or file, and if nothing is, what is probably a mistake.

    Raises UnknownEdition.
    """
    return examine(str(edition))[1]


def simulate(
    edition: str | Path,
    out: str | Path,
    *,
    games: int = 1000,
    seats: str | None = None,
    options: Sequence[str] = (),
    seed: int = 1,
    processes: int | None = None,
) -> ResultsFolder:
    """Play many games of an edition and keep them as tables in the folder `out`, or go on with what is there.

    games: of every setting; seats: as in 'random,greedy,search-200', else random players; options: 'NAME=VALUE,…', of
    which every combination is a setting, and so is the edition as it is; processes: how many play, else one for each
    processor. The same seed plays the same games. Raises RulewrightError.
    """
    from rulewright.simulation import command  # noqa: PLC0415 - it needs what is not always there

    request = command.RunRequest(str(edition), games, seats, options, seed, Path(out), processes, quiet=True)
    run = command.play(request)
    if run.status:
        raise KeyboardInterrupt
    return run.results


def rulebook(
    edition: str | Path | Rules,
    *,
    form: Literal["html", "md", "pdf"] = "html",
    language: str = ENGLISH,
    options: Mapping[str, str] | None = None,
    paper: Literal["a4", "a5"] = "a4",
    changes: bool = False,
) -> bytes:
    """An edition's rules from beginning to end, with the figures that hold with these options.

    options: name -> choice, of those that are not as usual; paper: of a PDF; changes: whether to mark and list what is
    different from the edition that it extends, or from the options as usual. Raises EditionError, UnknownEdition, and
    GameError for what cannot be chosen.
    """
    from rulewright.publish.rulebook import book, html, markdown  # noqa: PLC0415 - who plays prints nothing
    from rulewright.publish.rulebook.changes import base_builder  # noqa: PLC0415
    from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder  # noqa: PLC0415

    rules = edition if isinstance(edition, Rules) else load(str(edition))
    builder = RulebookBuilder(rules, language, options or {})
    document = book.rulebook(builder, base_builder(builder) if changes else None)
    if form == "pdf":
        from rulewright.publish.rulebook import pdf  # noqa: PLC0415 - it needs what is not always there

        return pdf.document(document, paper)
    return (html.page(document) if form == "html" else markdown.text(document)).encode()
