"""Folders of the project."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPEC = ROOT / "spec"
TESTS = ROOT / "tests"
GAMES = TESTS / "games"
