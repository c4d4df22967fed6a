"""Embedded samples."""
