"""The terminal: playing line by line, in any terminal and by screen reader."""
