"""English of diagnostics stands in modules called messages alone, and quick fixes read none of it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from rulewright.game import library

PACKAGE = Path(library.__file__).parents[1]
TEMPLATES = {"Problem", "Hint", "Words", "Title"}
OTHERS = {"base/diagnostics.py", "syntax/schema_validation.py"}
"""Modules with templates of their own: of what every room says, and of descriptions that stand in schemas."""
_READS_ENGLISH = re.compile(r"\b(?:Did you mean|There (?:is|are)|Say|Write|Expected|Nothing)\b")


def literal_templates(path: Path) -> list[int]:
    """The lines in which a module makes templates of literals."""
    text = path.read_text(encoding="utf-8")
    if not any(f"{name}(" in text for name in TEMPLATES):
        return []
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in TEMPLATES
    ]


def test_templates_stand_in_messages_alone() -> None:
    """Refusals of one sentence alone stand above its function."""
    modules = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}
    others = {name for name, path in modules.items() if path.stem != "messages" and literal_templates(path)}
    compiling = {name for name in others if re.search(r"(?m)^@(?:compiles|means)\(", modules[name].read_text("utf-8"))}
    assert others - compiling == OTHERS


def test_fixes_read_no_english() -> None:
    reading: dict[str, int] = {}
    for path in sorted((PACKAGE / "editing").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or getattr(getattr(node.func, "value", None), "id", "") != "re":
                continue
            texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
            if any(isinstance(text, str) and _READS_ENGLISH.search(text) for text in texts):
                name = path.relative_to(PACKAGE).as_posix()
                reading[name] = reading.get(name, 0) + 1
    assert not reading
