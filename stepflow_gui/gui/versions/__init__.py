"""Comparing versions, changes from outside, conflicts, conversion."""
