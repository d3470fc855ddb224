"""`python -m upcard.cli` is the same as `upcard`."""

from upcard.cli import main

main()
