"""One table: the entries of its log, the state they make, the commands that add to it, and its views."""
