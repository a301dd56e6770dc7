"""Output for readers: the book, changes, printed cards, texts in other languages.

It plays nothing.
"""
