"""The form in which rules run: instructions, and the passes that make them fewer.

It knows neither editions nor who runs a program.
"""
