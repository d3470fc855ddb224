"""Running the server as a program: start and stop, logs, and one server at a time for a database file."""
