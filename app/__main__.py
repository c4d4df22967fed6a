"""`python -m kakari` is the `kakari` command."""

from kakari.cli import main

main()
