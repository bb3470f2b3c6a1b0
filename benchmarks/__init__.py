"""Measurements and the generators they share with property tests."""
