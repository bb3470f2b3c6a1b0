"""`stepflow export`."""
