"""Rules about where transitions lead (SF3)."""
