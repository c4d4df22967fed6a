"""The frame of the command line: which commands there are, and help texts in panels.

In: names of commands
Out: `make_app`, the typer app with the requested commands
Uses: nothing
"""
