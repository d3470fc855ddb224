"""The HTTP interface: requests, answers, identity, limits and errors."""
