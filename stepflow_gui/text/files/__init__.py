"""Files on disk: reading, saving, journal, locks."""
