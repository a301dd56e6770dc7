"""A file as text: YAML nodes, sentences, schemas, English plurals, the one form of a file.

It does not know what a name means.
"""
