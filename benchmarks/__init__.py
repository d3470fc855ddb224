"""Measurements of Upcard on this machine: `make bench`, or `python -m benchmarks PART ...`."""
