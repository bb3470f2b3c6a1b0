"""Suppressions and baselines."""
