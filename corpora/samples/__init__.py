"""Samples written for kakari from nothing; see the catalogue's `sample-…` entries."""
