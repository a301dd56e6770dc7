"""Reports about editions: differences of two, and explanations of names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

from rulewright.authoring.differences import Difference, TextChange
from rulewright.authoring.explanations import ExplainedRow, Explanation
from rulewright.i18n.localizer import Localizer, phrase
from rulewright.model.edition import Edition
from rulewright.publish.console import Console, Styled, cell_width

_NamePair = tuple[str, str]
"""Labels of the earlier and the later edition."""


def short_names(before: Edition, after: Edition, localizer: Localizer) -> _NamePair:
    """Return short labels that distinguish two editions: their edition, title or name, else 'before' and 'after'."""
    for names in ((before.edition, after.edition), (before.title, after.title), (before.name, after.name)):
        if all(names) and names[0] != names[1]:
            return names
    # For translators: A label before what the one edition says; 'after' stands before what the other says.
    former = phrase("changes", "before")
    return localizer.say(former), localizer.say(phrase("changes", "after"))


def show_differences(console: Console, sections: Mapping[str, Sequence[Difference]], names: _NamePair) -> None:
    """Show how two editions differ, section by section. names: labels of the earlier and the later edition."""
    if not sections:
        console.paragraph(
            phrase("changes", "Nothing is played differently. --technical lists what is written differently.")
        )
    for title, differences in sections.items():
        console.write_line(Styled(title, "title"))
        for difference in differences:
            console.paragraph(difference.sentence, first=Styled("-", "faint"), hang="  ")
            for name, text in zip(names, (difference.before, difference.after), strict=True):
                if text:
                    label = Styled(console.localizer.with_colon(name), "key")
                    console.paragraph(text, indent="    ", first=label, hang="  ")
        console.write_line()


def show_changes(console: Console, changes: Iterable[TextChange]) -> None:
    """Show texts at dotted names, before and after."""
    say = console.localizer.say
    console.write_line(Styled(say(phrase("changes", "By name")), "title"))
    nothing = say(phrase("changes", "(nothing)"))
    for change in changes:
        name = Styled(f"{change.name}:", "key")
        if change.whole:
            whole = phrase("changes", "gone") if change.before else phrase("changes", "new")
            console.paragraph(say(whole), first=name, hang="  ")
            continue
        short = len(change.before) <= 1 and len(change.after) <= 1
        old, new = (" ".join(lines) or nothing for lines in (change.before, change.after))
        if short and cell_width(f"{change.name}: {old} → {new}") <= console.width:
            console.write_line(name, f" {old} → {new}")
            continue
        console.write_line(name)
        for tag, a, b, c, d in difflib.SequenceMatcher(None, change.before, change.after).get_opcodes():
            if tag != "equal":
                _show_lines(console, change.before[a:b], "-")
                _show_lines(console, change.after[c:d], "+")


def show_explanations(console: Console, explanations: Iterable[Explanation]) -> None:
    """Show explanations, one after the other."""
    for number, explanation in enumerate(explanations):
        if number:
            console.write_line()
        title = f"'{explanation.title}', " if explanation.title != explanation.name else ""
        console.paragraph(f"– {title}{explanation.kind}", first=Styled(explanation.name, "title"), hang="  ")
        for row in explanation.rows:
            _show_row(console, row)


def show_names(console: Console, names: Mapping[str, Sequence[str]]) -> None:
    """Show all names of an edition, by kind."""
    for kind, names_of_kind in names.items():
        console.paragraph(", ".join(names_of_kind), first=Styled(f"{kind.capitalize()}:", "key"), hang="  ")


def _show_row(console: Console, row: ExplainedRow) -> None:
    """Show a row of an explanation: on one line, or its lines below the label."""
    label = Styled(f"{row.label}:", "key")
    if len(row.lines) == 1:
        console.paragraph(row.lines[0], indent="  ", first=label, hang="  ")
        return
    console.write_line("  ", label)
    for line in row.lines:
        text = line.lstrip()
        console.paragraph(text, indent=" " * (4 + len(line) - len(text)), hang="  ")


def _show_lines(console: Console, lines: Iterable[str], sign: str) -> None:
    """Show lines behind a sign, with the indentation that they have."""
    for line in lines:
        text = line.lstrip()
        console.paragraph(text, indent="  ", first=Styled(sign + " " * (len(line) - len(text)), "faint"), hang="    ")
