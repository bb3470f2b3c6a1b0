"""The Help menu: documentation, tour, shortcuts, log, about."""
