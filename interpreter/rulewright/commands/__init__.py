"""What is typed after `rulewright`: arguments, and a module for each group of commands.

It does no work itself, and each command loads only what it uses.
"""
