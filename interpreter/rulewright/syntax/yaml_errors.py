"""Explain YAML syntax errors to people who do not know YAML."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from rulewright.base.diagnostics import SourcePlace, visible

quote_it = "put the whole text in quotes."
QUOTE_IT = quote_it.capitalize()
INDENT_IT = "Lines that belong together begin in the same column, what belongs to one of them two spaces deeper."


class UnreadableFile(Exception):
    def __init__(self, place: SourcePlace, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.finding = (place, code, message, hint)


class LastNode(NamedTuple):
    """Node that was read last, which often explains a syntax error."""

    sort: str  # plain, quoted, brackets, alias or block
    place: SourcePlace
    end_line: int
    end_column: int


DEEPEST_NESTING = 40


def too_deep(place: SourcePlace) -> UnreadableFile:
    message = f"Lists and mappings stand more than {DEEPEST_NESTING} levels deep here."
    return UnreadableFile(place, "too-deep", message, "Give a part of it a name of its own.")


def tag_refused(place: SourcePlace) -> UnreadableFile:
    message = "A text that begins with '!' is a YAML tag, and tags are not allowed."
    return UnreadableFile(place, "tag", message, QUOTE_IT)


def short(text: str) -> str:
    return visible(text if len(text) <= 60 else text[:59] + "…")


class SyntaxErrorExplainer:
    """Explanation of a YAML parser's error, by the line it is about.

    `row` and `column` (from 0) are where the parser gave up, `opened` where what it could not finish begins.
    """

    def __init__(self, error: Any, lines: list[str], file: str, last: LastNode | None) -> None:
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
            self._misplaced,
            self._indentation,
        )
        for explanation in explanations:
            if refused := explanation():
                return refused
        hint = "Look for a missing colon, quotation mark or space in this line and the one above it."
        return UnreadableFile(self._place(self.row, self.column), "syntax", "YAML cannot make sense of this.", hint)

    def _inside(self, mark: Any) -> tuple[int, int]:
        """Return row and column of a mark, at most the end of the last line."""
        if mark.line < len(self.lines):
            return mark.line, mark.column
        return len(self.lines) - 1, len(self.lines[-1])

    def _place(self, row: int, column: int, length: int = 1) -> SourcePlace:
        return SourcePlace(self.file, row + 1, column + 1, max(1, length))

    def _rest(self, row: int, column: int) -> SourcePlace:
        return self._place(row, column, len(self.lines[row].rstrip()) - column)

    def _too_deep(self) -> UnreadableFile | None:
        """Explain the parser's own limit of depth, beyond ours."""
        return too_deep(self._place(self.row, self.column)) if "nesting depth" in self.problem else None

    def _tab(self) -> UnreadableFile | None:
        tab = self.line.find("\t")
        if self.character != "\t" and (tab < 0 or self.line[:tab].strip()):
            return None
        hint = "Use two spaces for each level; your editor can turn tabs into spaces."
        return UnreadableFile(self._place(self.row, tab), "tab", "A tab stands here where YAML wants spaces.", hint)

    def _in_quotes(self) -> UnreadableFile | None:
        if "quoted scalar" not in self.context:
            return None
        if "unexpected" in self.problem:
            message = "The quotation mark that opens here is never closed."
            return UnreadableFile(self._place(*self.opened), "unclosed-quote", message, "Close it at the text's end.")
        backslash = self.line.rfind("\\", 0, self.column + 1)
        message = "Inside double quotes a backslash begins a special character, and this is none."
        hint = r"Write \\ for a backslash, or put the text in single quotes."
        return UnreadableFile(self._place(self.row, max(0, backslash), 2), "bad-escape", message, hint)

    def _in_special_text(self) -> UnreadableFile | None:
        """Explain anchors, aliases, tags, directives and block texts that YAML cannot read: mostly texts without
        quotes."""
        row, column = self.opened
        if "tag" in self.context or "tag handle" in self.problem:
            return tag_refused(self._rest(row, column))
        if "anchor" in self.context or "alias" in self.context:
            return self._unquoted(row, column)
        if "block scalar" in self.context:
            message = f"After '{self.lines[row][column]}' the text begins in the next line, indented."
            return UnreadableFile(self._rest(row, column), "block-text", message, "Or put the text in quotes.")
        directive = next((n for n in (self.row, self.row - 1) if n >= 0 and self.lines[n].startswith("%")), None)
        return None if directive is None else self._unquoted(directive, 0)

    def _unquoted(self, row: int, column: int) -> UnreadableFile:
        message = f"A text cannot begin with {self.lines[row][column]} unless it stands in quotes."
        return UnreadableFile(self._rest(row, column), "unquoted-text", message, QUOTE_IT)

    def _in_brackets(self) -> UnreadableFile | None:
        if "flow" not in self.context or self._follows("quoted"):
            return None
        row, column = self.opened
        bracket = self.lines[row][column : column + 1]
        below = row < self.row and _indent(self.line) <= _indent(self.lines[row])
        if bracket in ("{", "[") and (not self.character or below):
            closing = "}" if bracket == "{" else "]"
            message = f"The '{bracket}' that opens here is never closed."
            return UnreadableFile(self._place(row, column), "unclosed-bracket", message, f"Add the '{closing}'.")
        if self.character in ("}", "]") and bracket in ("{", "["):
            message = (
                f"The '{bracket}' that opens here is not closed before the '{self.character}' in line {self.row + 1}."
            )
            hint = "Close what was opened last first."
            return UnreadableFile(self._place(row, column), "unclosed-bracket", message, hint)
        message = "Inside { } and [ ] a comma or the closing bracket is expected here."
        hint = "A text with a comma, a colon or brackets in it must stand in quotes."
        return UnreadableFile(self._place(self.row, self.column), "bad-brackets", message, hint)

    def _follows(self, *sorts: str) -> bool:
        """Return whether the last node is of one of these sorts, and the error comes right after it."""
        last = self.last
        if last is None or last.sort not in sorts or last.end_line != self.row:
            return False
        return last.end_column <= self.column and not self.line[last.end_column : self.column].strip()

    def _behind_finished(self) -> UnreadableFile | None:
        last = self.last
        if last is None:
            return None
        row, column = last.place.line - 1, last.place.column - 1
        if self._follows("quoted"):
            if row < self.row:
                message = f"The quotation mark that opens here is closed only in line {self.row + 1}."
                return UnreadableFile(
                    self._place(row, column), "unclosed-quote", message, "Close it at the text's end."
                )
            message = "The text goes on after its closing quotation mark."
            return UnreadableFile(self._rest(self.row, self.column), "text-after-quote", message, QUOTE_IT)
        if self._follows("brackets", "alias") and self.character not in ("}", "]"):
            return self._unquoted(row, column)
        rest = self.lines[last.end_line][last.end_column :] if last.end_line < len(self.lines) else ""
        if last.sort == "plain" and rest.lstrip().startswith("#") and self.column > self.opened[1]:
            message = "A comment begins at ' #', but the text goes on in the next line."
            column = last.end_column + rest.index("#")
            return UnreadableFile(self._place(last.end_line, column), "comment-in-text", message, QUOTE_IT)
        return None

    def _colon(self) -> UnreadableFile | None:
        """Explain a colon where no name can be: in a text, below a line that lacks one, or indented too deep."""
        if "mapping values are not allowed" not in self.problem:
            return None
        before = self.line[: self.column].lstrip(" -")
        place = self._place(self.row, self.column)
        if len(before) > 1000:
            return UnreadableFile(place, "long-key", "What stands before a colon has at most 1,000 characters.")
        above = self._above()
        if above is not None and not re.search(r":(\s|$)", before):
            if refused := self._unfinished(above):
                return refused
            indent = _indent(self.line)
            if indent > _indent(self.lines[above]):
                message = f"This line stands deeper than line {above + 1}, which is complete already."
                hint = f"If it belongs to line {above + 1}, that line ends with a colon. {INDENT_IT}"
                return UnreadableFile(self._place(self.row, indent, len(before)), "bad-indentation", message, hint)
        message = "A colon with a space after it ends a name, but here it stands in the middle of a text."
        return UnreadableFile(place, "colon-in-text", message, QUOTE_IT)

    def _above(self) -> int | None:
        """Return the row of the nearest line above that is not blank."""
        return next((row for row in range(self.row - 1, -1, -1) if self.lines[row].strip()), None)

    def _no_colon(self) -> UnreadableFile | None:
        if "could not find expected ':'" not in self.problem:
            return None
        row, column = self.opened
        place = self._rest(row, column)
        return self._unfinished(row) or UnreadableFile(place, "missing-colon", "A colon is missing behind this name.")

    def _unfinished(self, row: int) -> UnreadableFile | None:
        """Explain a line meant as a name or an item that lacks its colon or the space behind its mark."""
        text, indent = self.lines[row].strip(), _indent(self.lines[row])
        if re.match(r"-[^\s-]", text):
            message = "Behind the dash of a list item a space is missing."
            return UnreadableFile(self._place(row, indent, 2), "missing-space", message)
        if re.search(r":(\s|$)", text) or text.startswith("- "):
            return None
        if match := re.match(r"[^:'\"{}\[\]]+:(?=\S)", text):
            message = f"Behind '{short(match[0])}' a space is missing."
            return UnreadableFile(self._place(row, indent, len(match[0]) + 1), "missing-space", message)
        message = "A colon is missing behind this name."
        hint = "If this line goes on with the text above it, indent it deeper than that text's name."
        return UnreadableFile(self._place(row, indent, len(text)), "missing-colon", message, hint)

    def _first_character(self) -> UnreadableFile | None:
        if "cannot start any token" in self.problem or "mapping keys are not allowed" in self.problem:
            return self._unquoted(self.row, self.column)
        return None

    def _misplaced(self) -> UnreadableFile | None:
        place = self._place(self.row, self.column)
        if "sequence entries are not allowed" in self.problem:
            message = "A list begins in the line below its name, or stands in [ ]."
            return UnreadableFile(place, "misplaced-list", message, f"If this is a text: {quote_it}")
        if self.character in ("]", "}", ","):
            message = f"This '{self.character}' belongs to nothing that was opened."
            return UnreadableFile(place, "stray-mark", message, "In a text it must stand in quotes.")
        if self.character == ":":
            return UnreadableFile(place, "bad-key", "A name is missing before the colon.")
        return None

    def _indentation(self) -> UnreadableFile | None:
        if self.line[: self.column].strip(" -") or not self.character:
            return None
        indent = _indent(self.line)
        if indent == self.opened[1] and self.row > self.opened[0]:
            item = self.line.strip().startswith("-")
            message = f"A {'list item' if item else 'name'} stands among {'names' if item else 'list items'} here."
        else:
            above = self._above()
            columns = {self.opened[1], indent if above is None else _indent(self.lines[above])} - {indent}
            others = " or ".join(map(str, sorted(columns))) or "something else"
            message = f"This line is indented by {indent}, but what it could belong to is indented by {others}."
        return UnreadableFile(self._rest(self.row, indent), "bad-indentation", message, INDENT_IT)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
