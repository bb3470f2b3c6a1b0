"""Runs written down as traces, without secrets."""
