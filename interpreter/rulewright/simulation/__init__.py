"""Many games: played, counted, kept as tables, reported, compared.

It looks at programs and their results, and reads no statement of an edition.
"""
