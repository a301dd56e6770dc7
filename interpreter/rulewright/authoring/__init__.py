"""What a designer asks of an edition: mistakes, scenarios, differences, explanations.

It shows nothing by itself.
"""
