"""The embedded models, each with its card; `make models-ja` makes the Japanese ones again."""
