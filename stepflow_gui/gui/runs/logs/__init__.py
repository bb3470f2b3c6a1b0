"""Logs of real runs in the window: opened, shown as runs, listed and followed."""
