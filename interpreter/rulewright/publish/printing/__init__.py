"""Printing: sheets of paper, typeset by Typst from plain data."""

PAPERS = {"a4": (210, 297), "a3": (297, 420), "letter": (216, 279)}
"""Width and height in mm, by the paper's name."""
