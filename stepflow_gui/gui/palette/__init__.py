"""The command palette: every action, step, rule and file of the window, found by a few letters."""
