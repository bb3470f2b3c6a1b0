"""The Help menu: tour, shortcuts, log, about."""
