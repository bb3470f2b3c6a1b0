"""Runs in the window: control, worker, setup, breakpoints."""
