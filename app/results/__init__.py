"""Stored results of the papers' experiments: one layout, the page of results, the report.

In: rows of tables and points of figures, as experiments measure them
Out: JSON files that a run can continue from, docs/results.md, one HTML report
Uses: corpora.records, models
"""
