"""Execution of programs: states, the machine, native code, and what a seat may see of a state.

It does not know the edition that a program was made from.
"""
