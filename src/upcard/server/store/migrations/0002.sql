-- A code hands over the seat of the person who asked for it, and of nobody who sits there later.
ALTER TABLE handovers ADD COLUMN person TEXT NOT NULL DEFAULT '';
