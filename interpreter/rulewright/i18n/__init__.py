"""Human languages: nouns that carry their grammar, sentences with slots, catalogs.

It does not know what a sentence is about.
"""
