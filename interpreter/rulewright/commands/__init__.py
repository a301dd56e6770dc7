"""Commands: the words after `rulewright`, their arguments, and a module for each group of commands.

They only call other packages and print: nothing is decided here. Its functions raise CommandError for arguments that
fit nothing, and let each RulewrightError through: `runner` prints it.
"""
