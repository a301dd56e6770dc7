"""What a rulebook is made of, whatever it is written as: text without markup, pictures as SVG."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Rule:
    """A rule with a heading of its own. anchor: what links name; picture: SVG or ''."""

    anchor: str
    title: str
    text: str
    picture: str = ""


@dataclass(frozen=True)
class Thing:
    """A component, or one sort of it. count: how many there are."""

    name: str
    count: int
    picture: str = ""


@dataclass(frozen=True)
class Gallery:
    things: tuple[Thing, ...]


@dataclass(frozen=True)
class Box:
    """What stands apart: options, what was guessed."""

    title: str
    blocks: tuple[Paragraph | Rule, ...]


Block = Paragraph | Rule | Gallery | Box


@dataclass(frozen=True)
class Chapter:
    anchor: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Rulebook:
    """facts: what stands below the title, such as the number of players; contents: the heading of its contents."""

    language: str
    right_to_left: bool
    title: str
    edition: str
    text: str
    credits: str
    cover: str
    facts: tuple[tuple[str, str], ...]
    chapters: tuple[Chapter, ...]
    contents: str
