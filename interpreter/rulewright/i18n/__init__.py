"""What people read, in their own language: nouns that carry their grammar, sentences, catalogs, templates of them."""
