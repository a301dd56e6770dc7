"""Many games while somebody writes: figures as they grow, and what another number would do.

It knows no single game.
"""
