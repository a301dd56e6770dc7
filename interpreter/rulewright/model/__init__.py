"""What an edition declares, read from its file and from those that it extends.

Sentences are text here: the compiler gives them meaning.
"""
