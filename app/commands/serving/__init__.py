"""`kakari serve`: a page and a JSON API.

In: options
Out: a server
Uses: app.output, app.web
"""
