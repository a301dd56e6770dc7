"""QR codes of links."""

from __future__ import annotations

from typing import Any

import segno

MAX_LENGTH = 200
"""Maximum characters of a QR code's text."""


def code(text: str) -> dict[str, Any]:
    """Return the side of a QR code in modules, and its dark modules as an SVG path. text: at most MAX_LENGTH
    characters."""
    rows = [list(row) for row in segno.make_qr(text, error="m").matrix]
    dark = [f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, square in enumerate(row) if square]
    return {"size": len(rows), "path": "".join(dark)}
