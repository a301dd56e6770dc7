"""Command `rulewright learn`."""

from __future__ import annotations

import sys
from argparse import Namespace

from rulewright.commands.common import CommandError, choose_language
from rulewright.game import library
from rulewright.i18n import languages
from rulewright.i18n.localizer import phrase
from rulewright.publish import lessons
from rulewright.publish.console import Console
from rulewright.terminal import lesson_menu


def learn(arguments: Namespace) -> int:
    """Learn a game by its examples: you are asked what its players were, and see what comes of it."""
    console = Console(sys.stdin, sys.stdout, arguments.color, languages.localizer_for(choose_language(arguments.lang)))
    rules = library.load(arguments.edition)
    course = lessons.course(rules)
    if not course.lessons:
        slots = {"title": rules.edition.full_title(), "command": f"rulewright rulebook {arguments.edition}"}
        message = phrase("errors", "{title} has no examples to learn by. Its rules: {command}.", **slots)
        raise CommandError(message)
    number = None if arguments.lesson is None else lesson_menu.find_lesson(course, arguments.lesson, console.localizer)
    return lesson_menu.teach(course, console, (arguments.pace or "").replace("-", " "), number)
