"""Command `rulewright train`, whose dependencies are optional."""

from __future__ import annotations

import os
import shlex
import sys
from argparse import Namespace
from importlib.util import find_spec
from pathlib import Path

from rulewright.commands.common import CommandError, check_writable, choose_localizer
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.game.setup import parse_options
from rulewright.i18n.localizer import phrase
from rulewright.players.kinds import POLICY, POLICY_FILES
from rulewright.publish.console import Console

USUAL_SEATS = 3
"""Seats at which values are learned, where so many may play."""


def train(arguments: Namespace) -> int:
    """Train a player of an edition by letting it play against itself, and keep what it has learned in a file; or learn
    for some minutes what positions are worth."""
    if arguments.minutes is not None:
        return _learn_value(arguments)
    if find_spec("numpy") is None:
        raise CommandError(
            phrase(
                "errors",
                "Training needs {library}, not installed here: {command}.",
                library="numpy",
                command="pip install 'rulewright[rl]'",
            )
        )
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # layers so small are quicker where nobody waits for another
    from rulewright.rl import training  # noqa: PLC0415 - it needs what is not always there

    localizer = choose_localizer(arguments.lang)
    console, aside = Console(None, sys.stdout, localizer=localizer), Console(None, sys.stderr, localizer=localizer)
    rules = library.load(arguments.edition)
    options = parse_options(arguments.option, rules, localizer)
    out, checkpoint = _output_files(arguments, rules)

    def report(done: int, won: float) -> None:
        if not arguments.quiet:
            share = f"{100 * won:.0f} %"
            aside.write_line(
                phrase("training", "{done} decisions: wins {share} against chance", done=done, share=share)
            )

    try:
        training.train(
            rules,
            arguments.seats,
            options,
            arguments.reward,
            arguments.decisions or training.DECISIONS,
            seed=1 if arguments.seed is None else arguments.seed,
            told=report,
            keep=out,
            resume=arguments.resume,
        )
    except KeyboardInterrupt:
        if checkpoint.exists():
            aside.write_line(phrase("training", "Stopped. What was learned is kept in '{path}'.", path=str(out)))
            aside.write_line(phrase("training", "To go on, type the same command with --resume."))
        raise
    seats = shlex.quote(f"you,{POLICY}:{out}")
    console.command(phrase("training", "Written:"), str(out))
    play = f"rulewright play {shlex.quote(arguments.edition)} --seats {seats}"
    console.command(phrase("training", "Play against it:"), play)
    return 0


def _learn_value(arguments: Namespace) -> int:
    """Learn what positions of an edition are worth, and keep it for all games with its rules."""
    from rulewright.players import learned_values, value_training  # noqa: PLC0415 - they load native code

    localizer = choose_localizer(arguments.lang)
    console, aside = Console(None, sys.stdout, localizer=localizer), Console(None, sys.stderr, localizer=localizer)
    rules = library.load(arguments.edition)
    out = None if arguments.out is None else Path(arguments.out)
    if out is not None:
        check_writable(out, overwrite=False)

    def report(number: int, better: bool) -> None:
        if not arguments.quiet:
            if better:
                aside.write_line(phrase("training", "Round {number}: plays better, kept", number=number))
            else:
                aside.write_line(phrase("training", "Round {number}: plays no better", number=number))

    least, most = rules.edition.people
    seats = arguments.seats or max(least, min(most, USUAL_SEATS))
    seed = 1 if arguments.seed is None else arguments.seed
    value = value_training.learn(rules, seats, 60 * arguments.minutes, seed, report)
    if value is None:
        raise CommandError(
            phrase(
                "errors",
                "Nothing can be learned from {title} in this time by which bots play better.",
                title=rules.title,
            )
        )
    learned_values.store(value)
    if out is not None:
        learned_values.write(out, value)
        console.command(phrase("training", "Written:"), str(out))
    play = f"rulewright play {shlex.quote(arguments.edition)} --seats you,search"
    console.command(phrase("training", "Play against it:"), play)
    return 0


def _output_files(arguments: Namespace, rules: Rules) -> tuple[Path, Path]:
    """Return the files of the player and of the checkpoint. Raises CommandError if they cannot be written now."""
    from rulewright.rl import checkpoints  # noqa: PLC0415 - it needs what is not always there

    out = Path(arguments.out or _file_name(rules))
    if out.suffix.lower() != POLICY_FILES:
        slots = {"path": str(out), "suffix": POLICY_FILES}
        raise CommandError(phrase("errors", "The name of a trained player's file ends in {suffix}: '{path}'.", **slots))
    checkpoint = checkpoints.checkpoint_path(out)
    if checkpoint.exists() and not arguments.resume:
        raise CommandError(
            phrase(
                "errors",
                "'{path}' is of a training that was stopped. Go on with --resume, or delete it.",
                path=str(checkpoint),
            )
        )
    check_writable(out, overwrite=arguments.resume)
    return out, checkpoint


def _file_name(rules: Rules) -> str:
    """Return the usual name of a trained player's file."""
    name = Path(rules.name)
    return (name.stem if name.suffix else rules.name.replace("/", "-")) + POLICY_FILES
