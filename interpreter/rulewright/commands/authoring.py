"""Commands `rulewright diff`, `explain`, `new`, `pack`, `unpack` and `schema`."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from rulewright.authoring import differences, explanations, new_variant
from rulewright.base import diagnostic_rules, files
from rulewright.base.diagnostics_output import Translator
from rulewright.commands import messages
from rulewright.commands.common import choose_language, choose_localizer, write
from rulewright.game import library
from rulewright.i18n.languages import diagnostic_translator
from rulewright.i18n.localizer import phrase
from rulewright.publish.console import Console
from rulewright.syntax import schema as schemas
from rulewright.terminal import edition_reports
from rulewright.workbench.new_game import game_archive

# ── diff, explain ──


def diff(arguments: Namespace) -> int:
    """Print how the edition AFTER differs from BEFORE; with --exit-code, return 1 if it does."""
    before, after = library.load(arguments.before), library.load(arguments.after)
    changes = differences.text_changes(before.edition, after.edition)
    console = Console(None, sys.stdout, localizer=choose_localizer(arguments.lang))
    if changes:
        names = edition_reports.short_names(before.edition, after.edition, console.localizer)
        sections = differences.differences(before, after, console.localizer.language)
        edition_reports.show_differences(console, sections, names)
        if arguments.technical:
            edition_reports.show_changes(console, changes)
    else:
        message = phrase(
            "changes", "{before} and {after}: no difference.", before=arguments.before, after=arguments.after
        )
        console.paragraph(console.localizer.say(message))
    return int(bool(changes) and arguments.exit_code)


def explain(arguments: Namespace) -> int:
    """Print what a name of an edition is, where it stands, who uses it and who changes it; or which names there are; or
    what a code of `check` means."""
    console = Console(None, sys.stdout)
    alone = not arguments.name and arguments.program is None and not Path(arguments.edition).exists()
    if alone and (rule := diagnostic_rules.rules().get(arguments.edition)) is not None:
        _tell_rule(console, rule, diagnostic_translator(choose_language(arguments.lang)))
        return 0
    rules = library.load(arguments.edition)
    edition, name = rules.edition, " ".join(arguments.name)
    if arguments.program is not None:
        from rulewright.authoring import program_listing  # noqa: PLC0415 - it needs the compiler

        for line in program_listing.lines(edition, arguments.program, name):
            console.write_line(line)
    elif name:
        explanations_of_name = explanations.explain(edition, name)
        if any(each.kind == "zone" for each in explanations_of_name):
            from rulewright.authoring import zone_storage  # noqa: PLC0415 - it needs the compiler

            explanations_of_name = [
                replace(each, rows=each.rows + zone_storage.explain_storage(rules, each.name))
                if each.kind == "zone"
                else each
                for each in explanations_of_name
            ]
        edition_reports.show_explanations(console, explanations_of_name)
    else:
        edition_reports.show_names(console, explanations.names(edition))
    return 0


def _tell_rule(console: Console, rule: diagnostic_rules.DiagnosticRule, translate: Translator) -> None:
    """Tell a rule, and what is wrong and right by it."""
    console.write_line(f"{rule.code}: {translate(rule.text)}")
    for right, text in rule.examples:
        console.write_line("")
        console.write_line((messages.RIGHT if right else messages.WRONG)().render(translate))
        console.write_line("")
        for line in text.split("\n"):
            console.write_line(f"    {line}")


# ── new, pack, unpack, schema ──


def new(arguments: Namespace) -> int:
    """Write a variant of an edition to begin with: NAME.yaml, which says only what is different. Overwrites nothing."""
    path = new_variant.file_of(arguments.name, Path(arguments.dir))
    edition = library.load(arguments.edition).edition
    write(path, new_variant.draft(edition, path), overwrite=False)
    console = Console(None, sys.stdout)
    console.write_line(f"{path} is a variant of {edition.full_title()}. It says how to go on.")
    return 0


def pack(arguments: Namespace) -> int:
    """Put a game's file, and what belongs to it, into one `.rulewright` file. Overwrites nothing."""
    path = Path(arguments.file)
    out = Path(arguments.out) if arguments.out is not None else path.with_suffix(game_archive.SUFFIX)
    if write(out, game_archive.pack(path), overwrite=False):
        Console(None, sys.stdout).write_line(f"{out} holds the game and all that belongs to it.")
    return 0


def unpack(arguments: Namespace) -> int:
    """Take a game out of a `.rulewright` file, into a new folder. Overwrites nothing."""
    place = game_archive.unpack(
        game_archive.content(Path(arguments.file)), Path(arguments.dir), Path(arguments.file).name
    )
    Console(None, sys.stdout).write_line(f"{place} is the game.")
    return 0


def schema(arguments: Namespace) -> int:
    """Print the JSON Schema of editions, variants or scenario files, or write it to a file, for editors."""
    text = schemas.text(arguments.what)
    if arguments.out is None:
        print(text, end="")
        return 0
    path = Path(arguments.out)
    write(path, text, overwrite=_is_schema(path))
    return 0


def _is_schema(path: Path) -> bool:
    """Return whether a file begins like a schema; others are not overwritten."""
    return b'"$schema"' in files.read_beginning(path, 200)
