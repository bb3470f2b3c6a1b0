"""Agents at git revisions."""
