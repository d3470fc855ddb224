"""`python -m upcard.cli` is the same as `upcard`."""

from upcard.__main__ import main

main()
