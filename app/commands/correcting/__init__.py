"""`kakari correct`: a model learns what its user corrected.

In: a model and a file of corrections
Out: a new model file, and tables of what is right now and what broke
Uses: app.commands, app.output, parsers.correcting
"""
