"""Running TAKT pieces in the window."""
