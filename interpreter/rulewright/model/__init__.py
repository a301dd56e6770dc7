"""Declarations of an edition, read from its file and from the editions that it extends.

Sentences are text here: the compiler gives them meaning.
"""
