"""The designer's workbench: source, table, cases, figures and book side by side, in the browser.

It works on the files of one folder for whoever sits at this computer. It does not know how it is started, and it writes
no rules by itself.
"""
