"""Subcommands of kakari, one file each."""
