"""Comparison of pictures of the page, before a change and after."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from shelf_pictures import BLOCK, TOLERANCE, Difference, compare, games

SIZE = (8 * BLOCK, 4 * BLOCK)


def paint(path: Path, *, dot: tuple[int, int, int] | None = None, size: tuple[int, int] = SIZE) -> None:
    path.parent.mkdir(exist_ok=True)
    picture = Image.new("RGB", size, (90, 90, 90))
    if dot:
        picture.putpixel((3, 3), dot)
    picture.save(path)


def test_what_has_changed_is_told_with_the_largest_change_first_and_drawn_side_by_side(tmp_path: Path) -> None:
    old, new, into = (tmp_path / name for name in ("old", "new", "differences"))
    for folder in (old, new):
        paint(folder / "same.png")
    paint(old / "hardly.png")
    paint(new / "hardly.png", dot=(90 + TOLERANCE, 90, 90))
    paint(old / "dot.png")
    paint(new / "dot.png", dot=(90, 91 + TOLERANCE, 90))
    paint(old / "larger.png")
    paint(new / "larger.png", size=(SIZE[0], 2 * SIZE[1]))
    paint(new / "new.png")
    assert compare(old, new, into) == [
        Difference("larger.png", 1.0),
        Difference("new.png", 1.0),
        Difference("dot.png", 1 / (SIZE[0] * SIZE[1])),
    ]
    assert sorted(path.name for path in into.glob("*")) == ["dot.png", "larger.png"]
    comparison = Image.open(into / "dot.png")
    right = SIZE[0] + BLOCK
    assert comparison.getpixel((5, 5)) == comparison.getpixel((right + 2 * BLOCK, 5)) == (90, 90, 90)
    assert comparison.getpixel((right + 5, 5)) != (90, 90, 90)


def test_games_are_named_as_short_as_in_the_files_of_their_pictures() -> None:
    assert games(["hearts", "wild-cards/2022", "wild-cards-2020"]) == [
        "classics/hearts",
        "wild-cards/2020",
        "wild-cards/2022",
    ]
    with pytest.raises(SystemExit, match="no game poker"):
        games(["poker"])
