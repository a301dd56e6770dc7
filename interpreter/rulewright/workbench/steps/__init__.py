"""Rules step by step, and positions set up by hand.

It runs no game by itself.
"""
