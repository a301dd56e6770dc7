"""Base of all packages: errors and their places, files, data folders, the cache.

It knows nothing of games.
"""
