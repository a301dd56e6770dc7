"""What readers get: the book, what changes, cards as they print, texts in other languages.

It plays nothing.
"""
