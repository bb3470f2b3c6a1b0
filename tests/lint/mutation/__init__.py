"""One realistic mistake at a time in sound agents and pieces: what is found, and what the fixes make of it."""
