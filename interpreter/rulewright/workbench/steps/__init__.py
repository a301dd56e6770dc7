"""Rules step by step, and positions that are set up by hand.

It runs no game by itself.
"""
