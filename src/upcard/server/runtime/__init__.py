"""The tables of a running node: loaded, changed one command at a time, and sent to viewers."""
