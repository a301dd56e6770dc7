"""Seats that have laid the pieces of a row into which everybody lays pieces in turn."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.program.state_layout import StateZone
from rulewright.publish.labels import Labels
from rulewright.server.views.memo import Memo
from rulewright.server.views.table_metadata import flow_analysis

NOBODY = -1


def laid_by(labels: Labels, memo: Memo) -> Mapping[str, tuple[int, ...]]:
    """Return, for rows of the table that pieces are laid into, the seats from whose zones the pieces came, in order;
    -1 for pieces from elsewhere."""
    game, layout = labels.game, labels.game.program.layout
    rows = memo.fixed("rows", lambda: _rows(labels))
    if not rows:
        return {}

    def build() -> Mapping[str, tuple[int, ...]]:
        owners = {space.address: space.owner for space in layout.zones if space.of == "seat"}
        present, answers = game.history.present, game.history.answers

        def owner_of(piece: int) -> int:
            cell = layout.piece_zones + piece
            earlier = (answered.before[cell] for answered in reversed(answers))
            return owners.get(next((zone for zone in earlier if zone != present[cell]), NOBODY), NOBODY)

        return {row.name: tuple(map(owner_of, present[row.address])) for row in rows if present[row.address]}

    return memo.once("laid by", build, len(game.history.answers))


def _rows(labels: Labels) -> list[StateZone]:
    """List the rows of the table that everybody sees and that answers bring pieces to."""
    flows, edition = flow_analysis(labels.game).flows, labels.edition
    return [
        space
        for space in labels.game.program.layout.zones
        if not space.of
        and space.seen_by == "all"
        and edition.layouts.get(space.name) == "row"
        and flows[space.name].filled
    ]
