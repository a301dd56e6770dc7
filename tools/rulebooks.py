"""Record the words of all rulebooks: `python tools/rulebooks.py` writes tests/rulebooks/ anew.

Every shipped edition in every language, as Markdown. A test compares them. After a change that is meant, record them
again and read the difference, as the readers of the books would.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rulewright.game import library
from rulewright.i18n import languages
from rulewright.publish.rulebook import book, markdown
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "rulebooks"


def books() -> list[tuple[str, str]]:
    """The name of an edition and a language, of every book that is translated."""
    results = [(name, language) for name in library.available() for language in languages.languages()]
    return [(name, language) for name, language in results if languages.is_translated(name, language)]


def file(name: str, language: str) -> Path:
    return FOLDER / f"{name}-{language}.md"


def text(name: str, language: str) -> str:
    """The words of a book. Raises SystemExit where an example had to be left out."""
    contents = RulebookBuilder(library.load(name), language)
    if contents.left_out:
        sys.exit("\n".join(contents.left_out))
    return markdown.text(book.rulebook(contents))


def main() -> int:
    for name, language in books():
        path = file(name, language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(name, language), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(__doc__ if len(sys.argv) > 1 else main())
