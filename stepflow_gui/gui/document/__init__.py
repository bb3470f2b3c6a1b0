"""An open agent without widgets: its texts, undo history, live lint, recovery."""
