"""`stepflow lint`."""
