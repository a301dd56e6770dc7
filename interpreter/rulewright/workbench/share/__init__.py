"""A game for others: one file, tables for friends, and games that are remarked upon.

It lets nobody change anything here.
"""
