"""Editor support for rule files while they are written, and the language server.

Only `language_server` knows the protocol; everything else works on a document: a text, its diagnostics, and the last
edition that could be read of it.
"""
