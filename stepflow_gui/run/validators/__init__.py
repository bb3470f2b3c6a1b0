"""Validators: what their commands' output says, and whether they pass (runtime-semantics 8)."""
