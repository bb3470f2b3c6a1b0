"""The model that all formats share, and what can be computed from it."""
