"""Explain YAML syntax errors to people who do not know YAML."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from rulewright.base.diagnostics import Diagnostic, SourcePlace, shorten_name
from rulewright.base.wording import Wording
from rulewright.syntax import messages
from rulewright.syntax.nouns import join_parts


class UnreadableFile(Exception):
    """Raised where a file cannot be read on, with the diagnostic of the reason."""

    def __init__(self, place: SourcePlace, problem: Wording, *hints: Wording) -> None:
        super().__init__(str(problem))
        self.diagnostic = Diagnostic(place, problem, hints)


class LastNode(NamedTuple):
    """Last node read before an error, which often explains it. sort: 'plain', 'quoted', 'block' (a text, or a list or
    mapping without brackets), 'brackets' or 'alias'; end_line, end_column: from 0, the column exclusive."""

    sort: str
    place: SourcePlace
    end_line: int
    end_column: int


MAX_NESTING = 40
"""Limit of lists and mappings within each other."""


def too_deep(place: SourcePlace) -> UnreadableFile:
    """Return the error for lists and mappings nested deeper than MAX_NESTING; nothing is raised."""
    return UnreadableFile(place, messages.TOO_DEEP(most=MAX_NESTING), messages.NAME_A_PART())


def tag_refused(place: SourcePlace) -> UnreadableFile:
    """Return the error for a YAML tag, such as `!text`; nothing is raised."""
    return UnreadableFile(place, messages.TAG(), messages.QUOTE_IT())


class SyntaxErrorExplainer:
    """Explanation of a YAML parser's error, by the line it is about. The methods `_…` that return an error or None each
    know one kind of mistake.

    row, column: where the parser gave up, from 0; line, character: what stands there, '' behind the end of the line;
    opened: row and column where what it could not finish begins.
    """

    def __init__(self, error: Any, lines: list[str], file: str, last: LastNode | None) -> None:
        """error: a `yaml.MarkedYAMLError`; lines: of the file; last: the node read before."""
        self.lines, self.file, self.last = lines, file, last
        self.context: str = error.context or ""
        self.problem: str = error.problem or ""
        self.row, self.column = self._inside(error.problem_mark)
        self.opened = self._inside(error.context_mark or error.problem_mark)
        self.line = lines[self.row]
        self.character = self.line[self.column : self.column + 1]

    def explain(self) -> UnreadableFile:
        """Return the first explanation that fits."""
        explanations = (
            self._too_deep,
            self._tab,
            self._in_quotes,
            self._in_special_text,
            self._in_brackets,
            self._behind_finished,
            self._colon,
            self._no_colon,
            self._first_character,
            self._explain_misplaced,
            self._explain_indentation,
        )
        for explanation in explanations:
            if refused := explanation():
                return refused
        return UnreadableFile(self._place(self.row, self.column), messages.STRANGE_YAML(), messages.LOOK_FOR_MARK())

    def _inside(self, mark: Any) -> tuple[int, int]:
        """Return row and column of a mark; the end of the text for one behind it."""
        if mark.line < len(self.lines):
            return mark.line, mark.column
        return len(self.lines) - 1, len(self.lines[-1])

    def _place(self, row: int, column: int, length: int = 1) -> SourcePlace:
        """Return a place from a row and a column, which count from 0."""
        return SourcePlace(self.file, row + 1, column + 1, max(1, length))

    def _rest(self, row: int, column: int) -> SourcePlace:
        """Return the place from a column to the end of the line."""
        return self._place(row, column, len(self.lines[row].rstrip()) - column)

    def _too_deep(self) -> UnreadableFile | None:
        """Explain the parser's own limit of depth, beyond ours."""
        return too_deep(self._place(self.row, self.column)) if "nesting depth" in self.problem else None

    def _tab(self) -> UnreadableFile | None:
        """Explain a tab in the indentation, or where the parser gave up."""
        tab = self.line.find("\t")
        if self.character != "\t" and (tab < 0 or self.line[:tab].strip()):
            return None
        return UnreadableFile(self._place(self.row, tab), messages.TAB(), messages.USE_SPACES())

    def _in_quotes(self) -> UnreadableFile | None:
        """Explain an unclosed quote or a wrong escape."""
        if "quoted scalar" not in self.context:
            return None
        if "unexpected" in self.problem:
            return UnreadableFile(self._place(*self.opened), messages.UNCLOSED_QUOTE(), messages.CLOSE_QUOTE())
        place = self._place(self.row, max(0, self.line.rfind("\\", 0, self.column + 1)), 2)
        return UnreadableFile(place, messages.BAD_ESCAPE(), messages.WRITE_TWO_BACKSLASHES())

    def _in_special_text(self) -> UnreadableFile | None:
        """Explain anchors, aliases, tags, directives and block texts that YAML cannot read: mostly texts without
        quotes."""
        row, column = self.opened
        if "tag" in self.context or "tag handle" in self.problem:
            return tag_refused(self._rest(row, column))
        if "anchor" in self.context or "alias" in self.context:
            return self._unquoted(row, column)
        if "block scalar" in self.context:
            problem = messages.TEXT_BELOW(mark=self.lines[row][column])
            return UnreadableFile(self._rest(row, column), problem, messages.OR_QUOTE_IT())
        directive = next((n for n in (self.row, self.row - 1) if n >= 0 and self.lines[n].startswith("%")), None)
        return None if directive is None else self._unquoted(directive, 0)

    def _unquoted(self, row: int, column: int) -> UnreadableFile:
        """Return the error of a text that begins at a mark and therefore needs quotes."""
        problem = messages.UNQUOTED_TEXT(mark=self.lines[row][column])
        return UnreadableFile(self._rest(row, column), problem, messages.QUOTE_IT())

    def _in_brackets(self) -> UnreadableFile | None:
        """Explain unclosed and crossed brackets, and missing commas between them."""
        if "flow" not in self.context or self._follows("quoted"):
            return None
        row, column = self.opened
        bracket = self.lines[row][column : column + 1]
        below = row < self.row and _indent(self.line) <= _indent(self.lines[row])
        if bracket in ("{", "[") and (not self.character or below):
            add = messages.CLOSE_BRACKET(mark="}" if bracket == "{" else "]")
            return UnreadableFile(self._place(row, column), messages.UNCLOSED_BRACKET(mark=bracket), add)
        if self.character in ("}", "]") and bracket in ("{", "["):
            problem = messages.CROSSED_BRACKETS(mark=bracket, other=self.character, line=self.row + 1)
            return UnreadableFile(self._place(row, column), problem, messages.CLOSE_LAST_FIRST())
        return UnreadableFile(self._place(self.row, self.column), messages.COMMA_EXPECTED(), messages.QUOTE_MARKS())

    def _follows(self, *sorts: str) -> bool:
        """Return whether the last node is of one of these sorts, and the error comes right after it."""
        last = self.last
        if last is None or last.sort not in sorts or last.end_line != self.row:
            return False
        return last.end_column <= self.column and not self.line[last.end_column : self.column].strip()

    def _behind_finished(self) -> UnreadableFile | None:
        """Explain text after something that is complete: a quoted text, brackets, an alias, a comment."""
        last = self.last
        if last is None:
            return None
        row, column = last.place.line - 1, last.place.column - 1
        if self._follows("quoted"):
            if row < self.row:
                problem = messages.LATE_CLOSED_QUOTE(line=self.row + 1)
                return UnreadableFile(self._place(row, column), problem, messages.CLOSE_QUOTE())
            place = self._rest(self.row, self.column)
            return UnreadableFile(place, messages.TEXT_AFTER_QUOTE(), messages.QUOTE_IT())
        if self._follows("brackets", "alias") and self.character not in ("}", "]"):
            return self._unquoted(row, column)
        rest = self.lines[last.end_line][last.end_column :] if last.end_line < len(self.lines) else ""
        if last.sort == "plain" and rest.lstrip().startswith("#") and self.column > self.opened[1]:
            place = self._place(last.end_line, last.end_column + rest.index("#"))
            return UnreadableFile(place, messages.COMMENT_BEFORE_TEXT(), messages.QUOTE_IT())
        return None

    def _colon(self) -> UnreadableFile | None:
        """Explain a colon where no name can be: in a text, below a line that lacks one, or indented too deep."""
        if "mapping values are not allowed" not in self.problem:
            return None
        before = self.line[: self.column].lstrip(" -")
        place = self._place(self.row, self.column)
        if len(before) > 1000:
            return UnreadableFile(place, messages.LONG_KEY())
        above = self._above()
        if above is not None and not re.search(r":(\s|$)", before):
            if refused := self._unfinished(above):
                return refused
            indent = _indent(self.line)
            if indent > _indent(self.lines[above]):
                place, line = self._place(self.row, indent, len(before)), above + 1
                hints = messages.END_WITH_COLON(line=line), messages.INDENT_IT()
                return UnreadableFile(place, messages.LINE_TOO_DEEP(line=line), *hints)
        return UnreadableFile(place, messages.COLON_IN_TEXT(), messages.QUOTE_IT())

    def _above(self) -> int | None:
        """Return the row of the nearest line above that is not blank, or None."""
        return next((row for row in range(self.row - 1, -1, -1) if self.lines[row].strip()), None)

    def _no_colon(self) -> UnreadableFile | None:
        """Explain a key without its colon."""
        if "could not find expected ':'" not in self.problem:
            return None
        row, column = self.opened
        place = self._rest(row, column)
        return self._unfinished(row) or UnreadableFile(place, messages.MISSING_COLON())

    def _unfinished(self, row: int) -> UnreadableFile | None:
        """Explain a line meant as a name or an item that lacks its colon or the space behind its mark."""
        text, indent = self.lines[row].strip(), _indent(self.lines[row])
        if re.match(r"-[^\s-]", text):
            return UnreadableFile(self._place(row, indent, 2), messages.MISSING_SPACE_AFTER_DASH())
        if re.search(r":(\s|$)", text) or text.startswith("- "):
            return None
        if match := re.match(r"[^:'\"{}\[\]]+:(?=\S)", text):
            problem = messages.MISSING_SPACE_AFTER_NAME(name=shorten_name(match[0]))
            return UnreadableFile(self._place(row, indent, len(match[0]) + 1), problem)
        place = self._place(row, indent, len(text))
        return UnreadableFile(place, messages.MISSING_COLON(), messages.INDENT_IF_TEXT())

    def _first_character(self) -> UnreadableFile | None:
        """Explain a character that no text without quotes may begin with."""
        if "cannot start any token" in self.problem or "mapping keys are not allowed" in self.problem:
            return self._unquoted(self.row, self.column)
        return None

    def _explain_misplaced(self) -> UnreadableFile | None:
        """Explain a list, closing bracket, comma or colon where none can stand; None if it is something else."""
        place = self._place(self.row, self.column)
        if "sequence entries are not allowed" in self.problem:
            return UnreadableFile(place, messages.MISPLACED_LIST(), messages.QUOTE_IF_TEXT())
        if self.character in ("]", "}", ","):
            return UnreadableFile(place, messages.STRAY_MARK(mark=self.character), messages.QUOTE_MARK())
        if self.character == ":":
            return UnreadableFile(place, messages.NAME_MISSING())
        return None

    def _explain_indentation(self) -> UnreadableFile | None:
        """Explain a line whose indentation fits nothing above; None if it is something else."""
        if self.line[: self.column].strip(" -") or not self.character:
            return None
        indent = _indent(self.line)
        if indent == self.opened[1] and self.row > self.opened[0]:
            is_item = self.line.strip().startswith("-")
            problem = messages.ITEM_AMONG_NAMES() if is_item else messages.NAME_AMONG_ITEMS()
        else:
            above = self._above()
            columns = {self.opened[1], indent if above is None else _indent(self.lines[above])} - {indent}
            others = join_parts(messages.OR, sorted(columns)) if columns else messages.SOMETHING_ELSE()
            problem = messages.UNFITTING_INDENT(indent=indent, others=others)
        return UnreadableFile(self._rest(self.row, indent), problem, messages.INDENT_IT())


def _indent(line: str) -> int:
    """Return the number of blanks at the beginning of a line; a tab is none."""
    return len(line) - len(line.lstrip(" "))
