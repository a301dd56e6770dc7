"""The computer's players at tables: who of them is to answer, and where and for how long they think.

They know no more of a game than their seats do.
"""
