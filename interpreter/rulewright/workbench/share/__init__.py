"""Sharing of games: as a file, at tables for friends, and as lines of play with comments.

It lets nobody change anything here.
"""
