"""Files as text: YAML nodes, sentences, schemas, English plurals, the canonical form.

It does not know what a name means.
"""
