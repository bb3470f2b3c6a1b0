"""Runs TAKT pieces and workflows: which rule is taken, who is asked what, and where it leads (takt.md 6-13)."""
