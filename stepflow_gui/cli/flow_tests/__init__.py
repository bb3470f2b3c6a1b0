"""`stepflow test`."""
