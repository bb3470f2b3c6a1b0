"""`stepflow run`."""
