"""Runs TAKT pieces and workflows: which rule is taken, who is asked what, and which movement is next (takt.md 6-13)."""
