"""Contents of zones as text, as far as a reader may know them."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.i18n.localizer import phrase
from rulewright.model.edition import Edition
from rulewright.publish.labels import Labels, count_runs
from rulewright.runtime.view import View, ZoneView


def is_off_table(edition: Edition, zone: str) -> bool:
    """Return whether a zone is no part of the table, like the game's box: common, hidden from all, no pile, not laid
    out."""
    declared = edition.zones[zone]
    laid_out = declared.pile or zone in edition.layouts
    return not laid_out and declared.seen_by == "nobody" and not declared.of


def zone_contents(labels: Labels, zone: ZoneView) -> str:
    """Return the contents of a zone as text, as far as the reader may know them; '' if it is empty."""
    if zone.pieces is None:
        down = labels.face_down(zone.count, labels.edition.zones[zone.name].holds) if zone.count else ""
        return (
            labels.pieces_with_known(down, labels.localizer.join_items(_known_pieces(labels, zone)))
            if zone.known
            else down
        )
    if zone.pile and zone.pieces:
        return pile(labels, zone)
    return labels.localizer.join_items([labels.counted_piece(*run) for run in count_runs(zone.pieces)])


def _known_pieces(labels: Labels, zone: ZoneView) -> list[str]:
    """List the pieces of a zone that a reader knows without seeing them, in their order.

    Each with its place, if some are unknown and the edition asks for such pieces by place.
    """
    kinds = set(labels.edition.zones[zone.name].holds)
    if len(zone.known) < zone.count and kinds & labels.game.program.kinds_told_by_place:
        return [_piece_with_place(labels, name, place) for name, place in zone.known]
    return [labels.counted_piece(*run) for run in count_runs([name for name, _ in zone.known])]


def _piece_with_place(labels: Labels, name: str, place: int) -> str:
    """Return a piece with its place in its zone, from 1; 0: unknown."""
    piece = labels.counted_piece(name, 1)
    return labels.say(phrase("choice", "{piece} (place {number})", piece=piece, number=place)) if place else piece


def pile(labels: Labels, zone: ZoneView) -> str:
    """Return the size of a pile, and its top piece, as text. zone: one whose pieces the reader sees."""
    top = labels.piece(zone.pieces[-1]) if zone.pieces else ""
    return labels.say(phrase("table", "({count}) top: {piece}", count=zone.count, piece=top))


def word_contents(labels: Labels, view: View, words: str, word: str) -> list[str]:
    """List the contents of a word's zones, and its counters that have changed since the start."""
    edition = labels.edition
    zones = [name for name, zone in edition.zones.items() if zone.of == words and zone.shown]
    texts = []
    for name in zones:
        if contents := zone_contents(labels, view.zone(name, word=word)):
            texts.append(contents if len(zones) == 1 else f"{labels.zone(name)} {contents}")
    for name, counter in edition.counters.items():
        values = view.counters.get(name)
        if counter.of == words and isinstance(values, Mapping) and word in labels.changed_words(name, values):
            texts.append(f"{labels.counter(name)} {labels.counter_value(name, values[word])}")
    return texts
