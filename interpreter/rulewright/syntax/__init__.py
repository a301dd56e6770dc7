"""A file as text: YAML nodes, sentences, schemas, English plurals, the one form.

It does not know what a name means.
"""
