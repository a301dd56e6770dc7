"""Tools for designers of an edition: warnings, scenarios, differences, explanations.

It shows nothing by itself.
"""
