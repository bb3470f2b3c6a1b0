"""`stepflow diff`."""
