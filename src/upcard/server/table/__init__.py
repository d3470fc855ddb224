"""One table: the entries of its log, the state that follows from them, the commands that add entries, and its
views."""
