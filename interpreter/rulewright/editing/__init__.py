"""What an editor shows beside a rule file while it is written; the language server.

Nothing here but `language_server` knows the protocol; all else works on a sheet: a text, what is wrong with it, and the
last edition that could be read of it.
"""
