"""Regular expressions out of files, as JavaScript reads them, in a bounded number of steps."""
