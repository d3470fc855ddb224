"""The games as JavaScript."""
