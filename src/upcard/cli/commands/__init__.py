"""The commands, one a module: arguments and help. What a command needs is imported when it runs."""
