"""The commands, one per module: arguments and help. Commands import the modules they need when they run."""
