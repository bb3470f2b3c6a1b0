"""`stepflow convert`."""
