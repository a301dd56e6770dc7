"""Bots: answer for the seats that the computer plays, thinking in processes of their own.

They know nothing of pages and connections.
"""
