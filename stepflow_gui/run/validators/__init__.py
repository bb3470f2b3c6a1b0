"""Validators: what their commands print, and whether they pass (runtime-semantics 8)."""
