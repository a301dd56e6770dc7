"""Links as patterns of squares, which the camera of a telephone reads."""

from __future__ import annotations

from typing import Any

import segno

LONGEST = 200


def code(text: str) -> dict[str, Any]:
    """How many squares it is wide and high, and its dark ones as the path of an SVG. text: at most LONGEST letters."""
    rows = [list(row) for row in segno.make_qr(text, error="m").matrix]
    dark = [f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, square in enumerate(row) if square]
    return {"size": len(rows), "path": "".join(dark)}
